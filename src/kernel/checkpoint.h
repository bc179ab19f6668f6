/* Checkpoints of long computations, which may be killed at any moment.
 *
 * A checkpoint has a name, which identifies the computation, and some areas of memory. The file is
 * replaced atomically (base/file.h) and its checksum covers every byte. So a load returns exactly
 * what was saved last, or an error. Numbers are stored in memory format: a checkpoint can only be
 * loaded on the kind of machine that wrote it.
 *
 * Thread safety: no shared state; two threads must not save to the same path at the same time.
 */
#ifndef MALPAN_KERNEL_CHECKPOINT_H
#define MALPAN_KERNEL_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum {
    CHECKPOINT_NAME_BYTES = 512,
    CHECKPOINT_AREAS_MAX = 16,
    CHECKPOINT_PIECE_BYTES = 1 << 16 /* of an area with `transfer` */
};

typedef struct CheckpointArea {
    void *bytes;
    size_t size; /* how many bytes to save; after a load, how many the file had */
    size_t room; /* the size of the buffer; a load needs 0 or exactly this many bytes */
    /* If this is not NULL, it replaces `bytes`: called for consecutive pieces of the area,
     * CHECKPOINT_PIECE_BYTES each but for the last, it provides their bytes (save) or takes them
     * (load). */
    void (*transfer)(void *context, void *bytes, size_t size);
    void *context;
} CheckpointArea;

/* An area in memory. */
static inline CheckpointArea checkpoint_area(void *bytes, size_t size, size_t room) {
    return (CheckpointArea){.bytes = bytes, .size = size, .room = room};
}

/* Writes the checkpoint. On failure the previous file stays. */
Status checkpoint_save(const char *path, const char *name, const CheckpointArea areas[],
                       size_t count);

/* Whether the next checkpoint is due, if the last was saved at `saved_s` (progress_clock_s) and
 * saving took `took_s`: once per interval, but at most a twentieth of the time is spent saving.
 * With an interval of 0 it is always due. */
bool checkpoint_is_due(double interval_s, double saved_s, double took_s);

/* Loads the areas from the file. `found` is false if there is no file. A damaged file, one of
 * another computation, or what is not a regular file fails with STATUS_TABLE; the contents of the
 * areas are then unspecified. */
Status checkpoint_load(const char *path, const char *name, CheckpointArea areas[], size_t count,
                       bool *found);

/* Removes the file, if any, and the draft left by a run that was killed while saving. */
void checkpoint_remove(const char *path);

#endif
