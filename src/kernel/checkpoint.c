/* File layout: a header with the sizes of the areas, the areas, and a checksum of everything before
 * it. */
#include "kernel/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/text.h"

typedef struct Head {
    char magic[8];
    uint64_t count;
    char name[CHECKPOINT_NAME_BYTES];
    uint64_t sizes[CHECKPOINT_AREAS_MAX];
} Head;

static const char magic[8] = "malpanC1";

static Head make_head(const char *name, const CheckpointArea areas[], size_t count) {
    Head head = {.count = count};
    memcpy(head.magic, magic, sizeof magic);
    snprintf(head.name, sizeof head.name, "%s", name);
    for (size_t i = 0; i < count; i++)
        head.sizes[i] = areas[i].size;
    return head;
}

/* Writes a part of the file and adds it to the checksum. */
static Status write_piece(FileDraft *draft, XXH3_state_t *sum, uint64_t *offset, const void *bytes,
                          size_t size) {
    Status status = file_draft_write(draft, *offset, bytes, size);
    XXH3_64bits_update(sum, bytes, size);
    *offset += size;
    return status;
}

/* The next piece of an area, `done` bytes from its beginning. Pieces without memory of their own
 * are in `room`. */
static size_t piece_of(const CheckpointArea *area, size_t done, char room[CHECKPOINT_PIECE_BYTES],
                       void **bytes) {
    size_t left = area->size - done;
    *bytes = area->transfer ? room : (char *)area->bytes + done;
    return area->transfer && left > CHECKPOINT_PIECE_BYTES ? CHECKPOINT_PIECE_BYTES : left;
}

static Status write_area(FileDraft *draft, XXH3_state_t *sum, uint64_t *offset,
                         const CheckpointArea *area) {
    char room[CHECKPOINT_PIECE_BYTES];
    void *bytes;
    Status status = status_ok();
    for (size_t done = 0, size; done < area->size && status_is_ok(&status); done += size) {
        size = piece_of(area, done, room, &bytes);
        if (area->transfer)
            area->transfer(area->context, bytes, size);
        status = write_piece(draft, sum, offset, bytes, size);
    }
    return status;
}

Status checkpoint_save(const char *path, const char *name, const CheckpointArea areas[],
                       size_t count) {
    Head head = make_head(name, areas, count);
    FileDraft draft;
    XXH3_state_t *sum = XXH3_createState();
    if (!sum)
        return status_make(STATUS_FAILED, "out of memory");
    XXH3_64bits_reset(sum);
    Status status = file_draft_open(path, &draft);
    if (!status_is_ok(&status)) {
        XXH3_freeState(sum);
        return status;
    }
    uint64_t offset = 0;
    status = write_piece(&draft, sum, &offset, &head, sizeof head);
    for (size_t i = 0; i < count && status_is_ok(&status); i++)
        status = write_area(&draft, sum, &offset, &areas[i]);
    uint64_t digest = XXH3_64bits_digest(sum);
    XXH3_freeState(sum);
    if (status_is_ok(&status))
        status = file_draft_write(&draft, offset, &digest, sizeof digest);
    if (!status_is_ok(&status)) {
        file_draft_abandon(&draft);
        return status;
    }
    return file_draft_finish(&draft);
}

bool checkpoint_is_due(double interval_s, double saved_s, double took_s) {
    double since_s = progress_clock_s() - saved_s;
    return interval_s == 0 || (since_s > interval_s && since_s > 19 * took_s);
}

/* Reads `size` bytes; false if the file is too short or cannot be read. */
static bool read_piece(int file, void *bytes, size_t size) {
    for (char *to = bytes; size > 0;) {
        ssize_t got = read(file, to, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        size -= (size_t)got;
    }
    return true;
}

static bool read_area(int file, XXH3_state_t *sum, const CheckpointArea *area) {
    char room[CHECKPOINT_PIECE_BYTES];
    void *bytes;
    for (size_t done = 0, size; done < area->size; done += size) {
        size = piece_of(area, done, room, &bytes);
        if (!read_piece(file, bytes, size))
            return false;
        XXH3_64bits_update(sum, bytes, size);
        if (area->transfer)
            area->transfer(area->context, bytes, size);
    }
    return true;
}

static Status damaged_error(const char *path) {
    return status_make(STATUS_TABLE, "the checkpoint %s is damaged; remove it to start over",
                       quote(path).text);
}

static Status load_areas(const char *path, int file, const char *name, CheckpointArea areas[],
                         size_t count) {
    Head head;
    if (!read_piece(file, &head, sizeof head) || memcmp(head.magic, magic, sizeof magic) != 0 ||
        head.name[sizeof head.name - 1] != '\0')
        return damaged_error(path);
    if (strcmp(head.name, name) != 0)
        return status_make(STATUS_TABLE,
                           "the checkpoint %s is for other work; remove it to start over",
                           quote(path).text);
    bool good = head.count == count;
    for (size_t i = 0; i < count && good; i++)
        good = head.sizes[i] == 0 || head.sizes[i] == areas[i].room;
    XXH3_state_t *sum = good ? XXH3_createState() : NULL;
    if (!sum)
        return damaged_error(path);
    XXH3_64bits_reset(sum);
    XXH3_64bits_update(sum, &head, sizeof head);
    for (size_t i = 0; i < count && good; i++) {
        areas[i].size = head.sizes[i];
        good = read_area(file, sum, &areas[i]);
    }
    uint64_t digest = 0;
    char more;
    good = good && read_piece(file, &digest, sizeof digest) && digest == XXH3_64bits_digest(sum) &&
           !read_piece(file, &more, 1);
    XXH3_freeState(sum);
    return good ? status_ok() : damaged_error(path);
}

Status checkpoint_load(const char *path, const char *name, CheckpointArea areas[], size_t count,
                       bool *found) {
    /* Without O_NONBLOCK, opening a pipe would block. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat kind;
    *found = file >= 0;
    if (file < 0 && errno == ENOENT)
        return status_ok();
    if (file < 0)
        return status_make(STATUS_FAILED, "cannot read %s: %s", quote(path).text, strerror(errno));
    Status status = fstat(file, &kind) == 0 && !S_ISREG(kind.st_mode)
                        ? status_make(STATUS_TABLE,
                                      "the checkpoint %s is not a regular file; remove it to start "
                                      "anew",
                                      quote(path).text)
                        : load_areas(path, file, name, areas, count);
    close(file);
    return status;
}

void checkpoint_remove(const char *path) {
    FileDraft draft;
    (void)unlink(path);
    Status status = file_draft_open(path, &draft);
    if (status_is_ok(&status))
        file_draft_abandon(&draft);
}
