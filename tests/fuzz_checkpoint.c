/* Any bytes as a checkpoint: rejected with a message, or loaded as they are. Then the same bytes
 * with a valid checksum, and after a valid header, which a fuzzer would never find. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "kernel/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The layout of the file: magic, number of areas, name, sizes of the areas; then the areas and a
 * checksum. */
enum {
    COUNT_AT = 8,
    NAME_AT = 16,
    SIZES_AT = NAME_AT + CHECKPOINT_NAME_BYTES,
    HEAD_BYTES = SIZES_AT + 8 * CHECKPOINT_AREAS_MAX,
    SUM_BYTES = 8,
    AREAS = 3
};

static const char name[] = "fuzzing";
static const size_t rooms[AREAS] = {5, 16, 1000};

/* Each area has its own memory, so that a sanitizer notices a byte too many. */
static void open_areas(CheckpointArea areas[AREAS]) {
    for (size_t i = 0; i < AREAS; i++) {
        areas[i] = (CheckpointArea){.bytes = malloc(rooms[i]), .room = rooms[i]};
        assert(areas[i].bytes);
    }
}

/* The areas have what is in the file, and the file has nothing else. */
static void expect_areas(const CheckpointArea areas[AREAS], const uint8_t *data, size_t size) {
    size_t at = HEAD_BYTES;
    for (size_t i = 0; i < AREAS; i++) {
        assert(areas[i].size == 0 || areas[i].size == rooms[i]);
        assert(areas[i].size <= size - at);
        assert(memcmp(areas[i].bytes, data + at, areas[i].size) == 0);
        at += areas[i].size;
    }
    assert(at + SUM_BYTES == size);
    uint64_t sum;
    memcpy(&sum, data + at, sizeof sum);
    assert(sum == XXH3_64bits(data, at));
}

static void try_checkpoint(const uint8_t *data, size_t size) {
    char path[40];
    CheckpointArea areas[AREAS];
    bool found;
    int file = memfd_create("checkpoint", MFD_CLOEXEC);
    assert(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    open_areas(areas);
    Status status = checkpoint_load(path, name, areas, AREAS, &found);
    assert(found);
    if (status_is_ok(&status))
        expect_areas(areas, data, size);
    else
        assert(status.code == STATUS_TABLE && status.message[0]);
    for (size_t i = 0; i < AREAS; i++)
        free(areas[i].bytes);
    close(file);
}

static void repair_sum(uint8_t *data, size_t size) {
    if (size < SUM_BYTES)
        return;
    uint64_t sum = XXH3_64bits(data, size - SUM_BYTES);
    memcpy(data + size - SUM_BYTES, &sum, sizeof sum);
}

/* Sets the magic, the number of areas and the name; whether an area is there depends on the input.
 */
static void repair_head(uint8_t *data, size_t size) {
    const uint64_t count = AREAS;
    if (size < HEAD_BYTES)
        return;
    memcpy(data, "malpanC1", COUNT_AT);
    memcpy(data + COUNT_AT, &count, sizeof count);
    memcpy(data + NAME_AT, name, sizeof name);
    data[SIZES_AT - 1] = '\0';
    for (size_t i = 0; i < AREAS; i++) {
        uint64_t bytes = data[SIZES_AT + 8 * i] % 2 ? rooms[i] : 0;
        memcpy(data + SIZES_AT + 8 * i, &bytes, sizeof bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size + 1);
    assert(copy);
    if (size > 0)
        memcpy(copy, data, size);
    try_checkpoint(copy, size);
    repair_sum(copy, size);
    try_checkpoint(copy, size);
    repair_head(copy, size);
    repair_sum(copy, size);
    try_checkpoint(copy, size);
    free(copy);
    return 0;
}
