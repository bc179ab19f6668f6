#include "kernel/retrograde.h"

#include <assert.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernel/checkpoint.h"

enum {
    AHEAD = 16, /* bytes are asked for so many updates before they are needed */
    GROUP = 64  /* codes that are looked at side by side */
};

/* What a checkpoint keeps beside the codes. */
typedef struct Course {
    int32_t wave;     /* 0: the first codes are being made */
    uint32_t padding; /* so that every byte is known */
    uint64_t decided, positions;
} Course;

typedef struct Retro {
    const RetroGame *game;
    const SolveLimits *limits;
    const RetroCheckpoint *checkpoint;
    uint8_t *codes;
    Course course;
    uint64_t *waiting;  /* [block]: how many positions of the present wave it has */
    uint64_t *next;     /* [block]: and of the next one */
    uint8_t *done;      /* [block]: its part of the wave is behind it */
    omp_lock_t *locks;  /* a block's codes are changed by one thread at a time */
    RetroSink *sinks;   /* a thread each */
    double saved_s;     /* when the last checkpoint was made, */
    double save_took_s; /* and how long that took */
} Retro;

/* --- memory --- */

/* Large pages make the difference between reading a byte and first reading where it is. */
static void *open_pages(size_t bytes) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    (void)madvise(pages, bytes, MADV_HUGEPAGE);
    return pages;
}

static size_t code_bytes(const RetroGame *game) {
    return (size_t)game->block_count * game->block_size;
}

uint64_t retrograde_bytes(const RetroGame *game, int threads) {
    const uint64_t a_thread = (uint64_t)game->block_count * sizeof(RetroBuffer);
    return code_bytes(game) + (uint64_t)threads * a_thread;
}

static void close_retro(Retro *retro) {
    for (int i = 0; retro->sinks && i < retro->limits->threads; i++)
        free(retro->sinks[i].buffers);
    for (uint32_t i = 0; retro->locks && i < retro->game->block_count; i++)
        omp_destroy_lock(&retro->locks[i]);
    free(retro->sinks);
    free(retro->locks);
    free(retro->waiting);
    free(retro->next);
    free(retro->done);
}

static bool open_retro(Retro *retro) {
    size_t blocks = retro->game->block_count, threads = (size_t)retro->limits->threads;
    retro->codes = open_pages(code_bytes(retro->game));
    retro->waiting = calloc(blocks, sizeof *retro->waiting);
    retro->next = calloc(blocks, sizeof *retro->next);
    retro->done = calloc(blocks, sizeof *retro->done);
    retro->sinks = calloc(threads, sizeof *retro->sinks);
    retro->locks = malloc(blocks * sizeof *retro->locks);
    bool is_open = retro->codes && retro->waiting && retro->next && retro->done && retro->sinks &&
                   retro->locks;
    for (size_t i = 0; retro->locks && i < blocks; i++)
        omp_init_lock(&retro->locks[i]);
    for (size_t i = 0; is_open && i < threads; i++) {
        retro->sinks[i].owner = retro;
        retro->sinks[i].buffers = calloc(blocks, sizeof(RetroBuffer));
        is_open = retro->sinks[i].buffers != NULL;
    }
    return is_open;
}

/* --- one wave --- */

static bool is_stopped(const Retro *retro) {
    return retro->limits->stop && *retro->limits->stop;
}

static bool is_due(const Retro *retro) {
    return retro->checkpoint &&
           checkpoint_is_due(retro->checkpoint->interval_s, retro->saved_s, retro->save_took_s);
}

/* Where the wave is of losses, whoever can move there wins; else it has fewer moves left, and has
 * lost with the last of them. */
void retro_flush(RetroSink *sink, uint32_t block) {
    Retro *retro = sink->owner;
    RetroBuffer *buffer = &sink->buffers[block];
    uint8_t *codes = retro->codes + (size_t)block * retro->game->block_size;
    uint8_t decided_code = retro_code(retro->course.wave + 1);
    bool wins = retro->course.wave % 2 == 0;
    uint64_t decided = 0;
    omp_set_lock(&retro->locks[block]);
    for (uint32_t i = 0; i < buffer->count; i++) {
        if (i + AHEAD < buffer->count)
            __builtin_prefetch(&codes[buffer->updates[i + AHEAD] >> 2], 1);
        uint8_t *code = &codes[buffer->updates[i] >> 2];
        uint32_t times = buffer->updates[i] & 3;
        if (*code == RETRO_NONE || retro_is_decided(*code))
            continue;
        if (!wins && *code > times) {
            *code = (uint8_t)(*code - times);
            continue;
        }
        assert(wins || *code == times);
        *code = decided_code;
        decided++;
    }
    retro->next[block] += decided;
    omp_unset_lock(&retro->locks[block]);
    buffer->count = 0;
}

static void flush_all(const Retro *retro, RetroSink *sink) {
    for (uint32_t block = 0; block < retro->game->block_count; block++)
        if (sink->buffers[block].count > 0)
            retro_flush(sink, block);
}

/* Whether one of the next GROUP codes is this one. */
static bool has_code(const uint8_t codes[GROUP], uint8_t code) {
    uint8_t any = 0;
    for (int i = 0; i < GROUP; i++)
        any |= (uint8_t)(codes[i] == code);
    return any;
}

/* Takes moves back from all positions of the block that were decided in this wave. */
static void work_block(Retro *retro, RetroSink *sink, uint32_t block) {
    enum { STRIDE = 1 << 16 };
    static_assert(STRIDE % GROUP == 0, "groups are whole");
    const RetroGame *game = retro->game;
    const uint8_t *codes = retro->codes + (size_t)block * game->block_size;
    uint8_t code = retro_code(retro->course.wave);
    uint8_t copy[STRIDE]; /* other threads may change the codes meanwhile, if not those decided */
    uint32_t places[RETRO_BATCH];
    size_t count = 0;
    for (uint32_t first = 0; first < game->block_size; first += STRIDE) {
        uint32_t size = game->block_size - first < STRIDE ? game->block_size - first : STRIDE;
        omp_set_lock(&retro->locks[block]);
        memcpy(copy, codes + first, size);
        omp_unset_lock(&retro->locks[block]);
        memset(copy + size, RETRO_NONE, STRIDE - size);
        for (uint32_t i = 0; i < size; i += GROUP) {
            if (!has_code(copy + i, code))
                continue;
            for (uint32_t j = i; j < i + GROUP; j++) {
                if (copy[j] != code)
                    continue;
                places[count++] = first + j;
                if (count == RETRO_BATCH) {
                    game->take_back(game, block, places, count, sink);
                    count = 0;
                }
            }
        }
    }
    if (count > 0)
        game->take_back(game, block, places, count, sink);
    flush_all(retro, sink);
}

static void count_block(Retro *retro, uint32_t block) {
    const uint8_t *codes = retro->codes + (size_t)block * retro->game->block_size;
    uint64_t positions = 0, decided = 0;
    for (uint32_t i = 0; i < retro->game->block_size; i++) {
        positions += codes[i] != RETRO_NONE;
        decided += retro_is_decided(codes[i]);
    }
#pragma omp critical
    {
        retro->course.positions += positions;
        retro->course.decided += decided;
    }
}

/* The present wave, block by block; false when it was left in between, to be stopped or saved. */
static bool work_wave(Retro *retro) {
    const RetroGame *game = retro->game;
    uint64_t behind = 0;
    atomic_uint worked = 0;
    for (uint32_t block = 0; block < game->block_count; block++)
        behind += retro->done[block];
#pragma omp parallel for num_threads(retro->limits->threads) schedule(dynamic)
    for (uint32_t block = 0; block < game->block_count; block++) {
        if (retro->done[block] || is_stopped(retro) || (atomic_load(&worked) > 0 && is_due(retro)))
            continue;
        if (retro->course.wave == 0) {
            game->begin(game, block, retro->codes + (size_t)block * game->block_size);
            count_block(retro, block);
        } else if (retro->waiting[block] > 0 && retro->course.wave > game->plies_known) {
            work_block(retro, &retro->sinks[omp_get_thread_num()], block);
        }
        retro->done[block] = 1;
        atomic_fetch_add(&worked, 1);
#pragma omp critical
        progress_report(retro->limits->progress, ++behind, game->block_count);
    }
    for (uint32_t block = 0; block < game->block_count; block++)
        if (!retro->done[block])
            return false;
    return true;
}

/* --- all of them --- */

static void list_areas(Retro *retro, CheckpointArea areas[5]) {
    size_t blocks = retro->game->block_count;
    const struct {
        void *bytes;
        size_t size;
    } parts[5] = {{&retro->course, sizeof retro->course},
                  {retro->codes, code_bytes(retro->game)},
                  {retro->waiting, blocks * sizeof *retro->waiting},
                  {retro->next, blocks * sizeof *retro->next},
                  {retro->done, blocks * sizeof *retro->done}};
    for (int i = 0; i < 5; i++)
        areas[i] =
            (CheckpointArea){.bytes = parts[i].bytes, .size = parts[i].size, .room = parts[i].size};
}

static Status save(Retro *retro) {
    CheckpointArea areas[5];
    double begin_s = progress_clock_s();
    if (!retro->checkpoint)
        return status_ok();
    list_areas(retro, areas);
    Status status = checkpoint_save(retro->checkpoint->path, retro->checkpoint->name, areas, 5);
    retro->saved_s = progress_clock_s();
    retro->save_took_s = retro->saved_s - begin_s;
    return status;
}

static Status load(Retro *retro) {
    CheckpointArea areas[5];
    bool found;
    if (!retro->checkpoint)
        return status_ok();
    list_areas(retro, areas);
    return checkpoint_load(retro->checkpoint->path, retro->checkpoint->name, areas, 5, &found);
}

/* Goes on to the next wave; false when there is none. */
static bool next_wave(Retro *retro) {
    const RetroGame *game = retro->game;
    uint64_t waiting = 0;
    for (uint32_t block = 0; block < game->block_count; block++) {
        retro->waiting[block] = retro->next[block];
        retro->course.decided += retro->next[block];
        waiting += retro->next[block];
        retro->next[block] = 0;
        retro->done[block] = 0;
    }
    retro->course.wave++;
    /* What the first codes know already has not been counted. */
    bool is_known = retro->course.wave <= game->plies_known + 1;
    for (uint32_t block = 0; block < game->block_count && is_known; block++)
        retro->waiting[block]++;
    return waiting > 0 || is_known;
}

static void name_wave(const Retro *retro, char what[80]) {
    if (retro->course.wave == 0)
        snprintf(what, 80, "counting moves");
    else
        snprintf(what, 80, "wave %d, %.1f %% of the positions decided", retro->course.wave,
                 100 * (double)retro->course.decided / (double)retro->course.positions);
}

static Status run_waves(Retro *retro) {
    char what[80];
    Status status = status_ok();
    retro->saved_s = progress_clock_s();
    for (bool goes_on = true; goes_on && status_is_ok(&status);) {
        name_wave(retro, what);
        progress_start(retro->limits->progress, what);
        bool is_whole = work_wave(retro);
        progress_finish(retro->limits->progress);
        if (!is_whole) {
            status = save(retro);
            if (status_is_ok(&status) && is_stopped(retro))
                status = status_make(STATUS_STOPPED, "stopped");
            continue;
        }
        goes_on = next_wave(retro);
        if (goes_on && retro->course.wave >= RETRO_PLIES_MAX)
            status = status_make(STATUS_UNSUPPORTED,
                                 "some games last longer than %d plies, which no byte can tell",
                                 RETRO_PLIES_MAX);
    }
    return status;
}

Status retrograde_run(const RetroGame *game, const SolveLimits *limits,
                      const RetroCheckpoint *checkpoint, RetroResult *result) {
    assert(game->block_size < 1u << RETRO_PLACE_BITS);
    Retro retro = {.game = game, .limits = limits, .checkpoint = checkpoint};
    *result = (RetroResult){.bytes = code_bytes(game)};
    if (retrograde_bytes(game, limits->threads) > limits->memory_bytes)
        return status_make(
            STATUS_UNSUPPORTED,
            "solving this takes %.0f MB of memory, and %.0f MB may be used (--memory)",
            (double)retrograde_bytes(game, limits->threads) / (1 << 20),
            (double)limits->memory_bytes / (1 << 20));
    Status status = open_retro(&retro) ? load(&retro) : status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status))
        status = run_waves(&retro);
    close_retro(&retro);
    result->codes = retro.codes;
    result->waves = retro.course.wave;
    if (!status_is_ok(&status))
        retrograde_free(result);
    return status;
}

void retrograde_free(RetroResult *result) {
    if (result->codes)
        (void)munmap(result->codes, result->bytes);
    result->codes = NULL;
}
