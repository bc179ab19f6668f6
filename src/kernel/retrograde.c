#include "kernel/retrograde.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/threads.h"
#include "kernel/checkpoint.h"

enum {
    PREFETCH_DISTANCE = 16, /* updates between the prefetch of a code and its use */
    GROUP = 64              /* codes that are compared side by side */
};

/* What a checkpoint saves besides the codes. */
typedef struct RunState {
    int32_t wave;     /* 0: initial codes are being computed */
    uint32_t padding; /* zero, so that every saved byte is defined */
    uint64_t decided, positions;
} RunState;

/* A run of the analysis. See "Concurrency" in the header. During a wave:
 *
 *     game, limits, checkpoint, state.wave, frontier   constant
 *     codes, next_frontier [of a block]                under block_locks[of the block]; in wave 0,
 *                                                      only by the thread that processes the block
 *     block_done [of a block]                          only by the thread that processes it
 *     state.decided, state.positions, done_count       under `lock`, as is reporting progress
 *     processed                                        atomic
 *     sinks[i]                                         only by thread i
 *
 * No thread holds two locks. Between waves only the calling thread runs.
 */
typedef struct RetroRun {
    const RetroGame *game;
    const SolveLimits *limits;
    const RetroCheckpoint *checkpoint;
    uint8_t *codes;
    RunState state;
    uint64_t *frontier;           /* [block]: positions of the present wave in it, 0 if none */
    uint64_t *next_frontier;      /* [block]: positions decided for the next wave */
    uint8_t *block_done;          /* [block]: whether it has been processed in this wave */
    pthread_mutex_t *block_locks; /* [block] */
    RetroSink *sinks;             /* [thread] */
    ThreadPool *pool;
    pthread_mutex_t lock;
    uint32_t done_count;   /* blocks with block_done */
    atomic_uint processed; /* blocks in this call of process_wave */
    double saved_s;        /* when the last checkpoint was saved */
    double save_took_s;    /* how long saving it took */
} RetroRun;

/* --- memory --- */

/* Codes are accessed at random, so the page tables of small pages would not stay in the caches.
 * Asks for large pages. */
static void *map_pages(size_t bytes) {
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
    const uint64_t thread_bytes = (uint64_t)game->block_count * sizeof(RetroBuffer);
    return code_bytes(game) + (uint64_t)threads * thread_bytes;
}

static void close_run(RetroRun *run) {
    for (int i = 0; run->sinks && i < run->limits->threads; i++)
        free(run->sinks[i].buffers);
    for (uint32_t i = 0; run->block_locks && i < run->game->block_count; i++)
        pthread_mutex_destroy(&run->block_locks[i]);
    pthread_mutex_destroy(&run->lock);
    thread_pool_close(run->pool);
    free(run->sinks);
    free(run->block_locks);
    free(run->frontier);
    free(run->next_frontier);
    free(run->block_done);
}

static bool open_run(RetroRun *run) {
    size_t blocks = run->game->block_count, threads = (size_t)run->limits->threads;
    run->codes = map_pages(code_bytes(run->game));
    run->frontier = calloc(blocks, sizeof *run->frontier);
    run->next_frontier = calloc(blocks, sizeof *run->next_frontier);
    run->block_done = calloc(blocks, sizeof *run->block_done);
    run->sinks = calloc(threads, sizeof *run->sinks);
    run->block_locks = malloc(blocks * sizeof *run->block_locks);
    run->pool = thread_pool_open(run->limits->threads);
    pthread_mutex_init(&run->lock, NULL);
    bool is_open = run->codes && run->frontier && run->next_frontier && run->block_done &&
                   run->sinks && run->block_locks;
    for (size_t i = 0; run->block_locks && i < blocks; i++)
        pthread_mutex_init(&run->block_locks[i], NULL);
    for (size_t i = 0; is_open && i < threads; i++) {
        run->sinks[i].owner = run;
        run->sinks[i].buffers = calloc(blocks, sizeof(RetroBuffer));
        is_open = run->sinks[i].buffers != NULL;
    }
    return is_open;
}

/* --- one wave --- */

static bool is_stopped(const RetroRun *run) {
    return run->limits->stop && *run->limits->stop;
}

static bool is_due(const RetroRun *run) {
    return run->checkpoint &&
           checkpoint_is_due(run->checkpoint->interval_s, run->saved_s, run->save_took_s);
}

/* In a wave of losses, every predecessor wins. In a wave of wins, a predecessor has fewer moves
 * left, and loses when none is left. */
void retro_flush(RetroSink *sink, uint32_t block) {
    RetroRun *run = sink->owner;
    RetroBuffer *buffer = &sink->buffers[block];
    uint8_t *codes = run->codes + (size_t)block * run->game->block_size;
    uint8_t decided_code = retro_decided_code(run->state.wave + 1);
    bool wins = run->state.wave % 2 == 0;
    uint64_t decided = 0;
    pthread_mutex_lock(&run->block_locks[block]);
    for (uint32_t i = 0; i < buffer->count; i++) {
        if (i + PREFETCH_DISTANCE < buffer->count)
            __builtin_prefetch(&codes[buffer->updates[i + PREFETCH_DISTANCE] >> 2], 1);
        uint8_t *code = &codes[buffer->updates[i] >> 2];
        uint32_t multiplicity = buffer->updates[i] & 3;
        if (*code == RETRO_UNUSED || retro_is_decided(*code))
            continue;
        if (!wins && *code > multiplicity) {
            *code = (uint8_t)(*code - multiplicity);
            continue;
        }
        assert(wins || *code == multiplicity);
        *code = decided_code;
        decided++;
    }
    run->next_frontier[block] += decided;
    pthread_mutex_unlock(&run->block_locks[block]);
    buffer->count = 0;
}

static void flush_all(const RetroRun *run, RetroSink *sink) {
    for (uint32_t block = 0; block < run->game->block_count; block++)
        if (sink->buffers[block].count > 0)
            retro_flush(sink, block);
}

/* Whether any of the next GROUP codes equals `code`. */
static bool has_code(const uint8_t codes[GROUP], uint8_t code) {
    uint8_t any = 0;
    for (int i = 0; i < GROUP; i++)
        any |= (uint8_t)(codes[i] == code);
    return any;
}

/* Takes moves back from all positions of the present wave in a block. */
static void process_block(RetroRun *run, RetroSink *sink, uint32_t block) {
    enum { STRIDE = 1 << 16 };
    static_assert(STRIDE % GROUP == 0, "groups are whole");
    const RetroGame *game = run->game;
    const uint8_t *codes = run->codes + (size_t)block * game->block_size;
    uint8_t code = retro_decided_code(run->state.wave);
    /* Other threads may change undecided codes meanwhile. Codes of this wave do not change. */
    uint8_t copy[STRIDE];
    uint32_t indices[RETRO_BATCH];
    size_t count = 0;
    for (uint32_t first = 0; first < game->block_size; first += STRIDE) {
        uint32_t size = game->block_size - first < STRIDE ? game->block_size - first : STRIDE;
        pthread_mutex_lock(&run->block_locks[block]);
        memcpy(copy, codes + first, size);
        pthread_mutex_unlock(&run->block_locks[block]);
        memset(copy + size, RETRO_UNUSED, STRIDE - size);
        for (uint32_t i = 0; i < size; i += GROUP) {
            if (!has_code(copy + i, code))
                continue;
            for (uint32_t j = i; j < i + GROUP; j++) {
                if (copy[j] != code)
                    continue;
                indices[count++] = first + j;
                if (count == RETRO_BATCH) {
                    game->unmove(game, block, indices, count, sink);
                    count = 0;
                }
            }
        }
    }
    if (count > 0)
        game->unmove(game, block, indices, count, sink);
    flush_all(run, sink);
}

static void count_block(RetroRun *run, uint32_t block) {
    const uint8_t *codes = run->codes + (size_t)block * run->game->block_size;
    uint64_t positions = 0, decided = 0;
    for (uint32_t i = 0; i < run->game->block_size; i++) {
        positions += codes[i] != RETRO_UNUSED;
        decided += retro_is_decided(codes[i]);
    }
    pthread_mutex_lock(&run->lock);
    run->state.positions += positions;
    run->state.decided += decided;
    pthread_mutex_unlock(&run->lock);
}

/* Processes a block in the present wave, unless that is done, the run is stopped or a checkpoint is
 * due. Every call of process_wave processes at least one, so checkpoints cannot stall a wave. */
static void process_in_wave(void *context, size_t i, int thread) {
    RetroRun *run = context;
    const RetroGame *game = run->game;
    uint32_t block = (uint32_t)i;
    if (run->block_done[block] || is_stopped(run) ||
        (atomic_load(&run->processed) > 0 && is_due(run)))
        return;
    if (run->state.wave == 0) {
        game->init_block(game, block, run->codes + i * game->block_size);
        count_block(run, block);
    } else if (run->frontier[block] > 0 && run->state.wave > game->initial_plies) {
        process_block(run, &run->sinks[thread], block);
    }
    run->block_done[block] = 1;
    atomic_fetch_add(&run->processed, 1);
    pthread_mutex_lock(&run->lock);
    progress_report(run->limits->progress, ++run->done_count, game->block_count);
    pthread_mutex_unlock(&run->lock);
}

/* Processes the blocks of the present wave. Returns false if some are left, because the run was
 * stopped or a checkpoint is due. */
static bool process_wave(RetroRun *run) {
    const uint32_t blocks = run->game->block_count;
    run->done_count = 0;
    for (uint32_t block = 0; block < blocks; block++)
        run->done_count += run->block_done[block];
    atomic_store(&run->processed, 0);
    thread_pool_run(run->pool, blocks, process_in_wave, run);
    return run->done_count == blocks;
}

/* --- the run --- */

static void list_areas(RetroRun *run, CheckpointArea areas[5]) {
    size_t blocks = run->game->block_count;
    const struct {
        void *bytes;
        size_t size;
    } parts[5] = {{&run->state, sizeof run->state},
                  {run->codes, code_bytes(run->game)},
                  {run->frontier, blocks * sizeof *run->frontier},
                  {run->next_frontier, blocks * sizeof *run->next_frontier},
                  {run->block_done, blocks * sizeof *run->block_done}};
    for (int i = 0; i < 5; i++)
        areas[i] =
            (CheckpointArea){.bytes = parts[i].bytes, .size = parts[i].size, .room = parts[i].size};
}

static Status save_checkpoint(RetroRun *run) {
    CheckpointArea areas[5];
    double begin_s = progress_clock_s();
    if (!run->checkpoint)
        return status_ok();
    list_areas(run, areas);
    Status status = checkpoint_save(run->checkpoint->path, run->checkpoint->name, areas, 5);
    run->saved_s = progress_clock_s();
    run->save_took_s = run->saved_s - begin_s;
    return status;
}

static Status load_checkpoint(RetroRun *run) {
    CheckpointArea areas[5];
    bool found;
    if (!run->checkpoint)
        return status_ok();
    list_areas(run, areas);
    return checkpoint_load(run->checkpoint->path, run->checkpoint->name, areas, 5, &found);
}

/* Advances to the next wave. Returns false if it is empty. */
static bool advance_wave(RetroRun *run) {
    const RetroGame *game = run->game;
    uint64_t count = 0;
    for (uint32_t block = 0; block < game->block_count; block++) {
        run->frontier[block] = run->next_frontier[block];
        run->state.decided += run->next_frontier[block];
        count += run->next_frontier[block];
        run->next_frontier[block] = 0;
        run->block_done[block] = 0;
    }
    run->state.wave++;
    /* Positions decided by the initial codes were not counted by block. Assume some in each. */
    bool is_initial = run->state.wave <= game->initial_plies + 1;
    for (uint32_t block = 0; block < game->block_count && is_initial; block++)
        run->frontier[block]++;
    return count > 0 || is_initial;
}

static void describe_wave(const RetroRun *run, char what[80]) {
    if (run->state.wave == 0)
        snprintf(what, 80, "counting moves");
    else
        snprintf(what, 80, "wave %d, %.1f %% of the positions decided", run->state.wave,
                 100 * (double)run->state.decided / (double)run->state.positions);
}

static Status run_waves(RetroRun *run) {
    char what[80];
    Status status = status_ok();
    run->saved_s = progress_clock_s();
    for (bool has_wave = true; has_wave && status_is_ok(&status);) {
        describe_wave(run, what);
        progress_start(run->limits->progress, what);
        bool is_whole = process_wave(run);
        progress_finish(run->limits->progress);
        if (!is_whole) {
            status = save_checkpoint(run);
            if (status_is_ok(&status) && is_stopped(run))
                status = status_make(STATUS_STOPPED, "stopped");
            continue;
        }
        has_wave = advance_wave(run);
        if (has_wave && run->state.wave >= RETRO_PLIES_MAX)
            status =
                status_make(STATUS_UNSUPPORTED,
                            "some games last longer than %d plies, the most that a code can hold",
                            RETRO_PLIES_MAX);
    }
    return status;
}

Status retrograde_run(const RetroGame *game, const SolveLimits *limits,
                      const RetroCheckpoint *checkpoint, RetroResult *result) {
    assert(game->block_size < 1u << RETRO_INDEX_BITS);
    RetroRun run = {.game = game, .limits = limits, .checkpoint = checkpoint};
    *result = (RetroResult){.bytes = code_bytes(game)};
    if (retrograde_bytes(game, limits->threads) > limits->memory_bytes)
        return status_make(
            STATUS_UNSUPPORTED,
            "solving this takes %.0f MB of memory, more than the limit of %.0f MB (--memory)",
            (double)retrograde_bytes(game, limits->threads) / (1 << 20),
            (double)limits->memory_bytes / (1 << 20));
    Status status =
        open_run(&run) ? load_checkpoint(&run) : status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status))
        status = run_waves(&run);
    close_run(&run);
    result->codes = run.codes;
    result->waves = run.state.wave;
    if (!status_is_ok(&status))
        retrograde_free(result);
    return status;
}

void retrograde_free(RetroResult *result) {
    if (result->codes)
        (void)munmap(result->codes, result->bytes);
    result->codes = NULL;
}
