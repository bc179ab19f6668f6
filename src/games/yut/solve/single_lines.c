#include "games/yut/solve/single_lines.h"

#include <stdlib.h>
#include <string.h>

enum {
    WAYS_MAX = LINE_WAITING_MAX * LINE_HOME_STEPS + 1,
    WAVES_MAX = (LINE_WAITING_MAX + 1) * WAYS_MAX
};

struct SingleLines {
    const SingleGame *game;
    int threads;
    LineLists of[YUT_PLAYERS_MAX];
    size_t cells_max; /* doubles in an array of a workspace */
    LineWorkspace *workspaces;
    size_t lines; /* of a player */
    /* The units of work of a player, in the order of a sweep, and where each wave begins. */
    uint32_t *units;
    size_t wave_first[WAVES_MAX + 1];
    size_t *slot; /* [line]: where its throws are stored */
    double *stored;
};

/* --- sweeps --- */

/* A wave: units of one player that are solved side by side. */
typedef struct Wave {
    SingleLines *lines;
    int player;
    const uint32_t *units;
    double *result;
    SingleCommit *commit;
    void *context;
} Wave;

/* What to do with a line. */
typedef void LineTask(const Wave *wave, LineWork *work, int thread);

static void solve_and_put(const Wave *wave, LineWork *work, int thread) {
    (void)thread;
    size_t parts = work->game->parts;
    line_solve(work);
    for (int at = 0; at < work->square_count; at++) {
        int square = work->squares[at];
        SingleState state = line_state(work->game, work->number, &work->line, square);
        memcpy(wave->result + single_index(work->game, &state) * parts, line_value(work, square),
               parts * sizeof(double));
    }
}

static void commit_starts(const Wave *wave, LineWork *work, int thread) {
    for (int at = 0; at < work->square_count; at++) {
        SingleState state = line_state(work->game, work->number, &work->line, work->squares[at]);
        wave->commit(wave->context, single_index(work->game, &state), thread);
    }
}

static void do_line(const Wave *wave, LineTask *task, const Line *line, int thread) {
    const SingleLines *lines = wave->lines;
    const SingleGame *game = lines->game;
    LineWork work = {.game = game,
                     .player = &game->player[wave->player],
                     .of = &lines->of[wave->player],
                     .space = &lines->workspaces[thread],
                     .line = *line,
                     .number = wave->player,
                     .stored = lines->stored,
                     .slot = lines->slot};
    if (!line_exists(game, wave->player, line))
        return;
    line_list_squares(&work);
    task(wave, &work, thread);
}

/* In teams, a unit is a placement of the opponents, with all squares of the partner. */
static Line unit_at(const SingleGame *game, size_t unit) {
    if (!game->rules.teams)
        return line_at(game, unit);
    Line line = {.squares = {0, (uint8_t)(unit >> 5), LINE_STACKED, (uint8_t)(unit & 31)}};
    line.waiting = (line.squares[1] == 0) + (line.squares[3] == 0);
    return line;
}

static void do_unit(const Wave *wave, LineTask *task, size_t unit, int thread) {
    const SingleGame *game = wave->lines->game;
    Line line = unit_at(game, unit);
    do_line(wave, task, &line, thread);
    for (uint8_t partner = 0; game->rules.teams && partner < YUT_SQUARES; partner++) {
        line.squares[LINE_PARTNER] = partner;
        do_line(wave, task, &line, thread);
    }
}

static Status solve_unit(void *context, size_t i, int thread) {
    const Wave *wave = context;
    do_unit(wave, solve_and_put, wave->units[i], thread);
    return status_ok();
}

static Status commit_unit(void *context, size_t i, int thread) {
    const Wave *wave = context;
    do_unit(wave, commit_starts, wave->units[i], thread);
    return status_ok();
}

/* The steps from a square home, along the ring or the short cut that begins there. */
static int way_left(int square) {
    static const uint8_t ways[YUT_SQUARES] = {21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11,
                                              10, 9,  8,  7,  6,  5,  4,  3,  2,  11, 10,
                                              4,  8,  7,  6,  5,  3,  2,  1,  0};
    return ways[square];
}

/* The wave of a unit: more waiting opponents first, then those with the least way left. -1: not a
 * unit. */
static int wave_of(const SingleGame *game, size_t unit) {
    Line line = unit_at(game, unit);
    int way = 0;
    for (int i = 1; i < game->players; i++) {
        if (!line_is_opponent(game, i))
            continue;
        if (line.squares[i] == LINE_STACKED)
            return -1;
        way += way_left(line.squares[i]);
    }
    return (line_opponents(game) - line.waiting) * WAYS_MAX + way;
}

/* Sorts the units by wave. */
static bool list_units(SingleLines *lines) {
    const SingleGame *game = lines->game;
    size_t units = game->rules.teams ? (size_t)1 << 10 : lines->lines, next[WAVES_MAX];
    lines->units = malloc(units * sizeof *lines->units);
    if (!lines->units)
        return false;
    for (size_t unit = 0; unit < units; unit++)
        if (wave_of(game, unit) >= 0)
            lines->wave_first[wave_of(game, unit) + 1]++;
    for (int wave = 0; wave < WAVES_MAX; wave++) {
        lines->wave_first[wave + 1] += lines->wave_first[wave];
        next[wave] = lines->wave_first[wave];
    }
    for (size_t unit = 0; unit < units; unit++)
        if (wave_of(game, unit) >= 0)
            lines->units[next[wave_of(game, unit)]++] = (uint32_t)unit;
    return true;
}

/* Assigns room for the throws of a player's lines. Returns how many numbers they need. */
static size_t assign_slots(const SingleGame *game, const LineLists *of, size_t lines,
                           size_t *slot) {
    size_t used = 0, kinds = line_kinds(game);
    for (size_t index = 0; index < lines; index++) {
        Line line = line_at(game, index);
        if (slot)
            slot[index] = used;
        bool is_line = line.waiting > 0;
        for (int i = 1; i < game->players; i++)
            is_line = is_line &&
                      (line.squares[i] != LINE_STACKED || (game->rules.teams && i == LINE_PARTNER));
        if (is_line)
            used += of->stored[line.waiting] * kinds * YUT_SQUARES * game->parts;
    }
    return used;
}

static size_t count_lines(const SingleGame *game) {
    return (size_t)1 << 5 * (game->players - 1);
}

Status single_lines_sweep(SingleLines *lines, ThreadPool *pool, const StopFlag *stop,
                          double *result, SingleCommit *commit, void *context) {
    const SingleGame *game = lines->game;
    Status status = status_ok();
    for (int player = 0; player < single_tables(game); player++) {
        assign_slots(game, &lines->of[player], lines->lines, lines->slot);
        for (int i = 0; i < WAVES_MAX && status_is_ok(&status); i++) {
            Wave wave = {.lines = lines,
                         .player = player,
                         .units = lines->units + lines->wave_first[i],
                         .result = result,
                         .commit = commit,
                         .context = context};
            ThreadLoop loop = {.count = lines->wave_first[i + 1] - lines->wave_first[i],
                               .step = solve_unit,
                               .context = &wave,
                               .stop = stop};
            if (loop.count == 0)
                continue;
            status = thread_pool_try(pool, &loop);
            loop.step = commit_unit;
            if (status_is_ok(&status) && commit)
                status = thread_pool_try(pool, &loop);
        }
    }
    return status;
}

/* --- memory --- */

static size_t numbers_to_store(const SingleGame *game, const SingleLines *lines) {
    size_t most = 0;
    for (int player = 0; player < single_tables(game); player++) {
        size_t numbers = assign_slots(game, &lines->of[player], lines->lines, NULL);
        most = numbers > most ? numbers : most;
    }
    return most;
}

void single_lines_close(SingleLines *lines) {
    if (!lines)
        return;
    for (int i = 0; i < YUT_PLAYERS_MAX; i++)
        line_lists_close(&lines->of[i]);
    for (int i = 0; lines->workspaces && i < lines->threads; i++) {
        free(lines->workspaces[i].play);
        free(lines->workspaces[i].stacked_play);
        free(lines->workspaces[i].throw_once);
        free(lines->workspaces[i].throw_twice);
    }
    free(lines->workspaces);
    free(lines->units);
    free(lines->slot);
    free(lines->stored);
    free(lines);
}

/* Everything but the memory for values. */
static Status open_plan(const SingleGame *game, SingleReach reach, int threads,
                        SingleLines **opened) {
    SingleLines *lines = calloc(1, sizeof *lines);
    Status status = lines ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    if (!lines)
        return status;
    lines->game = game;
    lines->threads = threads;
    lines->lines = count_lines(game);
    for (int i = 0; i < single_tables(game) && status_is_ok(&status); i++) {
        status = line_lists_open(game, i, reach, &lines->of[i]);
        size_t cells = (size_t)lines->of[i].lists.count * YUT_SQUARES * game->parts;
        lines->cells_max = cells > lines->cells_max ? cells : lines->cells_max;
    }
    if (!status_is_ok(&status)) {
        single_lines_close(lines);
        return status;
    }
    *opened = lines;
    return status;
}

size_t single_lines_bytes(const SingleGame *game, SingleReach reach, int threads) {
    SingleLines *lines;
    Status status = open_plan(game, reach, threads, &lines);
    if (!status_is_ok(&status))
        return SIZE_MAX;
    size_t bytes =
        lines->lines * sizeof(size_t) +
        (numbers_to_store(game, lines) + 4 * lines->cells_max * (size_t)threads) * sizeof(double);
    single_lines_close(lines);
    return bytes;
}

Status single_lines_open(const SingleGame *game, SingleReach reach, int threads,
                         SingleLines **opened) {
    SingleLines *lines;
    Status status = open_plan(game, reach, threads, &lines);
    if (!status_is_ok(&status))
        return status;
    lines->slot = calloc(lines->lines, sizeof *lines->slot);
    lines->stored = malloc((numbers_to_store(game, lines) + 1) * sizeof(double));
    lines->workspaces = calloc((size_t)threads, sizeof *lines->workspaces);
    bool good = lines->slot && lines->stored && lines->workspaces && list_units(lines);
    for (int i = 0; good && i < threads; i++) {
        LineWorkspace *space = &lines->workspaces[i];
        space->play = calloc(lines->cells_max, sizeof(double));
        space->stacked_play = calloc(lines->cells_max, sizeof(double));
        space->throw_once = calloc(lines->cells_max, sizeof(double));
        space->throw_twice = calloc(lines->cells_max, sizeof(double));
        good = space->play && space->stacked_play && space->throw_once && space->throw_twice;
    }
    if (!good) {
        single_lines_close(lines);
        return status_make(STATUS_FAILED, "out of memory");
    }
    *opened = lines;
    return status;
}
