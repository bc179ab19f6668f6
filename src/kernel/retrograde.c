#include "kernel/retrograde.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"
#include "base/threads.h"
#include "kernel/checkpoint.h"

enum {
    PREFETCH_DISTANCE = 16, /* updates between the prefetch of a code and its use */
    GROUP = 64              /* codes that are compared side by side */
};

static_assert((int)CHECKPOINT_PIECE_BYTES == (int)RETRO_PIECE_BYTES,
              "rank 0 moves codes in the same pieces as the others");

/* What a checkpoint saves besides the codes and the parts. The same on every rank, except within a
 * wave. */
typedef struct RunState {
    int32_t wave;     /* 0: initial codes are being computed */
    uint32_t padding; /* zero, so that every saved byte is defined */
    uint64_t decided, positions;
} RunState;

/* How far the wave has come: a row of numbers, so that ranks can add them up. */
typedef struct Course {
    uint64_t *numbers;       /* the three arrays below, one after another */
    uint64_t *frontier;      /* [block]: positions of the present wave on all ranks, 0 if none */
    uint64_t *next_frontier; /* [block]: positions that this rank has decided for the next wave */
    uint64_t *is_done;       /* [part]: whether this rank has processed it in this wave */
    size_t count;            /* of all numbers */
} Course;

/* What the ranks add up when they leave a wave. */
typedef struct WaveSum {
    uint64_t parts_left;         /* not processed */
    uint64_t stopped;            /* ranks that were asked to stop */
    uint64_t positions, decided; /* found by wave 0 */
} WaveSum;

/* A run of the analysis. See "Concurrency" in the header. During a wave:
 *
 * - game, limits, checkpoint, layout, state and frontier are constant;
 * - codes and next_frontier of a block are accessed under its lock in block_locks; in wave 0, the
 *   codes of a part only by the thread that processes it;
 * - is_done of a part is accessed only by the thread that processes it;
 * - sum and done_count are accessed, and progress is reported, under `lock`;
 * - processed is atomic;
 * - sinks[i] is accessed only by thread i, and by the one that flushes it in the end.
 *
 * No thread holds two locks. Between waves only the calling thread runs.
 */
typedef struct RetroRun {
    const RetroGame *game;
    const SolveLimits *limits;
    Exchange *exchange;
    const RetroCheckpoint *checkpoint;
    RetroLayout layout;
    uint8_t *codes; /* of the parts of this rank, as in the layout */
    RunState state;
    Course course;
    pthread_mutex_t *block_locks; /* [block] */
    RetroSink *sinks;             /* [thread] */
    ThreadPool *pool;
    pthread_mutex_t lock;
    WaveSum sum;
    uint32_t own_count;    /* parts of this rank */
    uint32_t done_count;   /* those with is_done */
    atomic_uint processed; /* parts in this call of process_wave */
    double saved_s;        /* when the last checkpoint was saved */
    double save_took_s;    /* how long saving it took */
} RetroRun;

static bool is_own(const RetroRun *run, uint32_t part) {
    return retro_part_owner(&run->layout, part) == run->layout.rank;
}

/* The codes of a part of this rank. */
static uint8_t *codes_of(const RetroRun *run, uint32_t part) {
    assert(is_own(run, part));
    return run->codes + run->layout.offsets[part];
}

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

uint64_t retrograde_bytes(const RetroGame *game, int threads, int ranks) {
    uint64_t most = 0, buffers = 0;
    for (int rank = 0; rank < ranks; rank++) {
        RetroLayout layout = retro_layout_plan(game->block_count, game->block_size, rank, ranks);
        most = layout.bytes > most ? layout.bytes : most;
        buffers = ((uint64_t)layout.block_count + layout.parts_per_block) * sizeof(RetroBuffer);
    }
    return most + (uint64_t)threads * buffers;
}

static void close_run(RetroRun *run) {
    for (int i = 0; run->sinks && i < run->limits->threads; i++) {
        free(run->sinks[i].buffers);
        free(run->sinks[i].outgoing);
    }
    for (uint32_t i = 0; run->block_locks && i < run->layout.block_count; i++)
        pthread_mutex_destroy(&run->block_locks[i]);
    pthread_mutex_destroy(&run->lock);
    thread_pool_close(run->pool);
    free(run->sinks);
    free(run->block_locks);
    free(run->course.numbers);
}

static bool open_sink(RetroRun *run, RetroSink *sink) {
    *sink = (RetroSink){.buffers = calloc(run->layout.block_count, sizeof(RetroBuffer)),
                        .outgoing = calloc(run->layout.parts_per_block, sizeof(RetroBuffer)),
                        .owner = run};
    for (uint32_t block = 0; sink->buffers && block < run->layout.block_count; block++)
        sink->buffers[block].place = block;
    return sink->buffers && sink->outgoing;
}

static bool open_course(RetroRun *run) {
    const size_t blocks = run->layout.block_count;
    Course *course = &run->course;
    course->count = 2 * blocks + run->layout.part_count;
    course->numbers = calloc(course->count, sizeof *course->numbers);
    if (!course->numbers)
        return false;
    course->frontier = course->numbers;
    course->next_frontier = course->frontier + blocks;
    course->is_done = course->next_frontier + blocks;
    return true;
}

static bool open_run(RetroRun *run) {
    const RetroGame *game = run->game;
    size_t blocks = game->block_count, threads = (size_t)run->limits->threads;
    bool is_open = retro_layout_open(&run->layout, game->block_count, game->block_size,
                                     exchange_rank(run->exchange), exchange_count(run->exchange));
    is_open = open_course(run) && is_open;
    run->codes = map_pages(run->layout.bytes > 0 ? run->layout.bytes : 1);
    run->sinks = calloc(threads, sizeof *run->sinks);
    run->block_locks = malloc(blocks * sizeof *run->block_locks);
    run->pool = thread_pool_open(run->limits->threads);
    pthread_mutex_init(&run->lock, NULL);
    is_open = is_open && run->codes && run->sinks && run->block_locks;
    for (size_t i = 0; run->block_locks && i < blocks; i++)
        pthread_mutex_init(&run->block_locks[i], NULL);
    for (size_t i = 0; is_open && i < threads; i++)
        is_open = open_sink(run, &run->sinks[i]);
    for (uint32_t part = 0; is_open && part < run->layout.part_count; part++)
        run->own_count += is_own(run, part);
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

/* Applies updates of a block, whose codes are in one row: index i at codes[i].
 *
 * In a wave of losses, every predecessor wins. In a wave of wins, a predecessor has fewer moves
 * left, and loses when none is left. */
static void apply_updates(RetroRun *run, uint32_t block, uint8_t *codes,
                          const RetroBuffer *buffer) {
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
    run->course.next_frontier[block] += decided;
    pthread_mutex_unlock(&run->block_locks[block]);
}

/* Applies updates whose indices are those in a part of this rank. */
static void apply_to_part(RetroRun *run, const RetroBuffer *buffer) {
    apply_updates(run, retro_part_block(&run->layout, buffer->place), codes_of(run, buffer->place),
                  buffer);
}

static size_t message_size(const RetroBuffer *buffer) {
    return offsetof(RetroBuffer, updates) + buffer->count * sizeof buffer->updates[0];
}

static void receive_updates(void *context, const void *message, size_t size) {
    assert(size == message_size(message));
    (void)size;
    apply_to_part(context, message);
}

/* Sorts updates of a block by part, and applies or sends them. */
static void split_updates(RetroRun *run, RetroSink *sink, const RetroBuffer *buffer) {
    const RetroLayout *layout = &run->layout;
    const uint32_t part_mask = (1u << layout->part_bits) - 1;
    for (uint32_t i = 0; i < buffer->count; i++) {
        uint32_t update = buffer->updates[i], index = update >> 2;
        RetroBuffer *out = &sink->outgoing[index >> layout->part_bits];
        out->updates[out->count++] = (index & part_mask) << 2 | (update & 3);
    }
    for (uint32_t i = 0; i < layout->parts_per_block; i++) {
        RetroBuffer *out = &sink->outgoing[i];
        out->place = buffer->place * layout->parts_per_block + i;
        int owner = retro_part_owner(layout, out->place);
        if (out->count > 0 && owner == layout->rank)
            apply_to_part(run, out);
        else if (out->count > 0)
            exchange_send(run->exchange, owner, out, message_size(out));
        out->count = 0;
    }
}

void retro_flush(RetroSink *sink, uint32_t block) {
    RetroRun *run = sink->owner;
    RetroBuffer *buffer = &sink->buffers[block];
    if (run->layout.ranks == 1) /* the parts of a block are one row */
        apply_updates(run, block, codes_of(run, block * run->layout.parts_per_block), buffer);
    else
        split_updates(run, sink, buffer);
    buffer->count = 0;
}

/* Applies or sends everything that a thread has collected. */
static void flush_sink(void *context, size_t i, int thread) {
    RetroRun *run = context;
    RetroSink *sink = &run->sinks[i];
    (void)thread;
    for (uint32_t block = 0; block < run->layout.block_count; block++)
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

/* Takes moves back from all positions of the present wave in a part. */
static void process_part(RetroRun *run, RetroSink *sink, uint32_t part) {
    enum { STRIDE = 1 << 16 };
    static_assert(STRIDE % GROUP == 0, "groups are whole");
    const RetroGame *game = run->game;
    const uint32_t block = retro_part_block(&run->layout, part);
    const uint32_t begin = retro_part_first(&run->layout, part);
    const uint32_t end = retro_part_size(&run->layout, part);
    const uint8_t *codes = codes_of(run, part);
    uint8_t code = retro_decided_code(run->state.wave);
    /* Other threads may change undecided codes meanwhile. Codes of this wave do not change. */
    uint8_t copy[STRIDE];
    uint32_t indices[RETRO_BATCH];
    size_t count = 0;
    for (uint32_t first = 0; first < end; first += STRIDE) {
        uint32_t size = end - first < STRIDE ? end - first : STRIDE;
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
                indices[count++] = begin + first + j;
                if (count == RETRO_BATCH) {
                    game->unmove(game, block, indices, count, sink);
                    count = 0;
                }
            }
        }
        exchange_poll(run->exchange);
    }
    if (count > 0)
        game->unmove(game, block, indices, count, sink);
}

static void init_part(RetroRun *run, uint32_t part) {
    const uint32_t size = retro_part_size(&run->layout, part);
    uint8_t *codes = codes_of(run, part);
    uint64_t positions = 0, decided = 0;
    run->game->init(run->game, retro_part_block(&run->layout, part),
                    retro_part_first(&run->layout, part), size, codes);
    for (uint32_t i = 0; i < size; i++) {
        positions += codes[i] != RETRO_UNUSED;
        decided += retro_is_decided(codes[i]);
    }
    pthread_mutex_lock(&run->lock);
    run->sum.positions += positions;
    run->sum.decided += decided;
    pthread_mutex_unlock(&run->lock);
}

/* Whether this call of process_wave has processed a block for each thread. So checkpoints cannot
 * stall a wave. */
static bool processed_enough(const RetroRun *run) {
    return atomic_load(&run->processed) >=
           run->layout.parts_per_block * (uint32_t)run->limits->threads;
}

/* Processes a part in the present wave, unless that is done, the run is stopped or a checkpoint is
 * due. */
static void process_in_wave(void *context, size_t i, int thread) {
    RetroRun *run = context;
    uint32_t part = (uint32_t)i;
    if (!is_own(run, part) || run->course.is_done[part] || is_stopped(run) ||
        (processed_enough(run) && is_due(run)))
        return;
    if (run->state.wave == 0)
        init_part(run, part);
    else if (run->course.frontier[retro_part_block(&run->layout, part)] > 0 &&
             run->state.wave > run->game->initial_plies)
        process_part(run, &run->sinks[thread], part);
    run->course.is_done[part] = 1;
    atomic_fetch_add(&run->processed, 1);
    pthread_mutex_lock(&run->lock);
    progress_report(run->limits->progress, ++run->done_count, run->own_count);
    pthread_mutex_unlock(&run->lock);
}

/* Processes the parts of the present wave. Afterwards run->sum is the same on every rank. */
static void process_wave(RetroRun *run) {
    const uint32_t parts = run->layout.part_count;
    run->sum = (WaveSum){.positions = 0};
    run->done_count = 0;
    for (uint32_t part = 0; part < parts; part++)
        run->done_count += run->course.is_done[part] != 0;
    atomic_store(&run->processed, 0);
    exchange_begin(run->exchange, receive_updates, run);
    thread_pool_run(run->pool, parts, process_in_wave, run);
    thread_pool_run(run->pool, (size_t)run->limits->threads, flush_sink, run);
    exchange_finish(run->exchange);
    run->sum.parts_left = run->own_count - run->done_count;
    run->sum.stopped = is_stopped(run);
    exchange_sum(run->exchange, (uint64_t *)&run->sum, sizeof run->sum / sizeof(uint64_t));
    run->state.positions += run->sum.positions;
    run->state.decided += run->sum.decided;
}

/* --- checkpoints --- */

static void transfer_codes(void *transfer, void *bytes, size_t size) {
    retro_transfer_move(transfer, bytes, size);
}

/* The areas of the checkpoint. That of the codes is those of all ranks. */
static void list_areas(RetroRun *run, uint64_t *numbers, RetroTransfer *transfer,
                       CheckpointArea areas[3]) {
    size_t bytes = run->course.count * sizeof *numbers;
    areas[0] = checkpoint_area(&run->state, sizeof run->state, sizeof run->state);
    areas[1] = checkpoint_area(numbers, bytes, bytes);
    areas[2] = (CheckpointArea){.transfer = transfer_codes,
                                .context = transfer,
                                .size = transfer->left,
                                .room = transfer->left};
}

/* The course of all ranks together. The frontier is the same on all of them. */
static uint64_t *sum_course(const RetroRun *run) {
    const Course *course = &run->course;
    const size_t own = (size_t)(course->next_frontier - course->numbers);
    uint64_t *sum = malloc(course->count * sizeof *sum);
    Status status = sum ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    status = exchange_agree(run->exchange, status);
    if (!sum || !status_is_ok(&status)) {
        free(sum);
        return NULL;
    }
    memcpy(sum, course->numbers, course->count * sizeof *sum);
    exchange_sum(run->exchange, sum + own, course->count - own);
    return sum;
}

static Status save_checkpoint(RetroRun *run) {
    CheckpointArea areas[3];
    Status status = status_ok();
    double begin_s = progress_clock_s();
    if (!run->checkpoint)
        return status;
    uint64_t *numbers = sum_course(run);
    if (!numbers)
        return status_make(STATUS_FAILED, "out of memory");
    RetroTransfer transfer = retro_transfer_begin(&run->layout, run->exchange, run->codes, false);
    list_areas(run, numbers, &transfer, areas);
    if (run->layout.rank == 0)
        status = checkpoint_save(run->checkpoint->path, run->checkpoint->name, areas, 3);
    retro_transfer_finish(&transfer);
    free(numbers);
    status = exchange_agree(run->exchange, status);
    run->saved_s = progress_clock_s();
    run->save_took_s = run->saved_s - begin_s;
    return status;
}

/* Keeps what is this rank's own of the course of all. Rank 0 has decided all that was decided. */
static void take_share(RetroRun *run) {
    for (uint32_t block = 0; block < run->layout.block_count && run->layout.rank > 0; block++)
        run->course.next_frontier[block] = 0;
    for (uint32_t part = 0; part < run->layout.part_count; part++)
        if (!is_own(run, part))
            run->course.is_done[part] = 0;
}

static Status load_checkpoint(RetroRun *run) {
    CheckpointArea areas[3];
    Status status = status_ok();
    bool found = run->checkpoint && run->layout.rank == 0 && file_exists(run->checkpoint->path);
    exchange_broadcast(run->exchange, &found, sizeof found);
    if (!found)
        return status;
    RetroTransfer transfer = retro_transfer_begin(&run->layout, run->exchange, run->codes, true);
    list_areas(run, run->course.numbers, &transfer, areas);
    if (run->layout.rank == 0)
        status = checkpoint_load(run->checkpoint->path, run->checkpoint->name, areas, 3, &found);
    retro_transfer_finish(&transfer);
    exchange_broadcast(run->exchange, &run->state, sizeof run->state);
    exchange_broadcast(run->exchange, run->course.numbers,
                       run->course.count * sizeof run->course.numbers[0]);
    take_share(run);
    return exchange_agree(run->exchange, status);
}

/* --- the run --- */

/* Advances to the next wave. Returns false if it is empty. */
static bool advance_wave(RetroRun *run) {
    const uint32_t blocks = run->layout.block_count;
    Course *course = &run->course;
    uint64_t count = 0;
    run->state.wave++;
    exchange_sum(run->exchange, course->next_frontier, blocks);
    /* Positions decided by the initial codes were not counted by block. Assume some in each. */
    bool is_initial = run->state.wave <= run->game->initial_plies + 1;
    for (uint32_t block = 0; block < blocks; block++) {
        count += course->next_frontier[block];
        course->frontier[block] = course->next_frontier[block] + is_initial;
        course->next_frontier[block] = 0;
    }
    memset(course->is_done, 0, run->layout.part_count * sizeof course->is_done[0]);
    run->state.decided += count;
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
        process_wave(run);
        progress_finish(run->limits->progress);
        if (run->sum.parts_left > 0) {
            status = save_checkpoint(run);
            if (status_is_ok(&status) && run->sum.stopped > 0)
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

/* Whether there is enough memory on this rank. */
static Status check_memory(const RetroRun *run) {
    uint64_t needed = retrograde_bytes(run->game, run->limits->threads, run->layout.ranks);
    if (needed <= run->limits->memory_bytes)
        return status_ok();
    return status_make(
        STATUS_UNSUPPORTED,
        "solving this takes %.0f MB of memory, more than the limit of %.0f MB (--memory)",
        (double)needed / (1 << 20), (double)run->limits->memory_bytes / (1 << 20));
}

Status retrograde_run(const RetroGame *game, const SolveLimits *limits, Exchange *exchange,
                      const RetroCheckpoint *checkpoint, RetroResult *result) {
    assert(game->block_size < 1u << RETRO_INDEX_BITS);
    RetroRun run = {.game = game,
                    .limits = limits,
                    .exchange = exchange,
                    .checkpoint = checkpoint,
                    .layout = {.ranks = exchange_count(exchange)}};
    *result = (RetroResult){.codes = NULL};
    Status status = exchange_agree(exchange, check_memory(&run));
    if (!status_is_ok(&status))
        return status;
    if (!open_run(&run))
        status = status_make(STATUS_FAILED, "out of memory");
    status = exchange_agree(exchange, status);
    if (status_is_ok(&status))
        status = load_checkpoint(&run);
    if (status_is_ok(&status))
        status = run_waves(&run);
    close_run(&run);
    *result = (RetroResult){.codes = run.codes,
                            .bytes = run.layout.bytes,
                            .waves = run.state.wave,
                            .layout = run.layout};
    if (!status_is_ok(&status))
        retrograde_free(result);
    return status;
}

void retrograde_free(RetroResult *result) {
    if (result->codes)
        (void)munmap(result->codes, result->bytes > 0 ? result->bytes : 1);
    retro_layout_close(&result->layout);
    result->codes = NULL;
}
