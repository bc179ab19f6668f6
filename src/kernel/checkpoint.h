/* Long work that can be killed at any moment: what it needs to go on, saved now and then.
 *
 * A checkpoint has a name, which tells of what work it is, and some areas of memory. It is replaced
 * whole (base/file.h), and its checksum covers every byte, so a load gives all of what was saved
 * last, or says why not. It is for the machine that made it: numbers are as they are in memory.
 */
#ifndef MALPAN_KERNEL_CHECKPOINT_H
#define MALPAN_KERNEL_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { CHECKPOINT_NAME_BYTES = 512, CHECKPOINT_AREAS_MAX = 16 };

typedef struct CheckpointArea {
    void *bytes;
    size_t size; /* how much of it to save; after a load, how much was there */
    size_t room;
} CheckpointArea;

Status checkpoint_save(const char *path, const char *name, const CheckpointArea areas[],
                       size_t count);

/* Whether it is time for the next one, when the last was saved at `saved_s` (progress_clock_s) and
 * that took `took_s`: as often as was asked for, but saving takes a twentieth of the time at most.
 * An interval of 0 asks for one at every chance, whatever it takes. */
bool checkpoint_is_due(double interval_s, double saved_s, double took_s);

/* Fills the areas from the file. `found` is false when there is none. A damaged file, or one of
 * other work, fails with STATUS_TABLE; then the areas may hold anything. */
Status checkpoint_load(const char *path, const char *name, CheckpointArea areas[], size_t count,
                       bool *found);

/* Removes the file, if there is one, and what a run that was killed while saving has left. */
void checkpoint_remove(const char *path);

#endif
