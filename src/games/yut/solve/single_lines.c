#include "games/yut/solve/single_lines.h"

#include <assert.h>
#include <stdlib.h>

#include "game/solver.h"
#include "games/yut/solve/lists.h"

enum {
    OTHERS_MAX = YUT_PLAYERS_MAX - 1,
    WAITING_MAX = OTHERS_MAX,
    PARTNER = 2,           /* in the order of play */
    STACKED = YUT_SQUARES, /* the partner's square while the pieces move together */
    EXTRAS_SHORT = 1,
    EXTRAS_FOR_BOUNDS = 8,
    EXTRAS_FOR_PIGS = 2, /* more than are needed to come home */
    HOME_STEPS = 21,
    MOVES_MAX = 2 * YUT_RESULTS,
    WAYS_MAX = OTHERS_MAX * HOME_STEPS + 1,
    WAVES_MAX = (WAITING_MAX + 1) * WAYS_MAX
};

/* The lists of one player. */
typedef struct LineLists {
    ResultLists lists;
    int throws;                     /* that a catch gives */
    int32_t *rank[WAITING_MAX + 1]; /* [list]: where its throw is stored in a line with so many
                                       waiting; -1: nowhere */
    size_t stored[WAITING_MAX + 1]; /* how many are */
} LineLists;

/* One cell: the parts of a value. */
typedef struct Workspace {
    double *play, *stacked_play; /* [list][square][part] */
    double *throw_once, *throw_twice;
} Workspace;

struct SingleLines {
    const SingleGame *game;
    int threads;
    LineLists of[YUT_PLAYERS_MAX];
    size_t cells_max; /* doubles in an array of a workspace */
    Workspace *workspaces;
    size_t lines; /* of a player */
    /* The units of work of a player, in the order of a sweep, and where each wave begins. */
    uint32_t *units;
    size_t wave_first[WAVES_MAX + 1];
    size_t *slot; /* [line]: where its throws are stored */
    double *stored;
};

#define INLINE static inline __attribute__((always_inline))

/* --- lists --- */

static bool has_pigs(const SingleGame *game) {
    for (int i = 0; i < game->players; i++)
        if (game->player[i].is_pig)
            return true;
    return false;
}

/* How many extras the lists of full sweeps have. */
static int extras_of(const SingleGame *game, int player) {
    int steps = game->player[player].is_extra[YUT_GEOL] ? YUT_GEOL : YUT_YUT;
    int home = (HOME_STEPS + steps - 1) / steps;
    if (game->aim == SINGLE_BOUNDS)
        return EXTRAS_FOR_BOUNDS;
    return home - 1 + (has_pigs(game) ? EXTRAS_FOR_PIGS : 0);
}

double single_lines_cut(const SingleGame *game) {
    double cut = 0;
    for (int i = 0; i < game->players; i++) {
        double again = 1;
        for (int extra = 0; extra <= extras_of(game, i); extra++)
            again *= game->player[i].again;
        cut = again > cut ? again : cut;
    }
    return game->aim == SINGLE_SIDES && !has_pigs(game) ? 0 : cut;
}

/* How many opponents there are to catch. */
static int count_opponents(const SingleGame *game) {
    return game->rules.teams ? 2 : game->players - 1;
}

/* What is stored of a list that a catch leaves: the throw, and the play too if catches may give no
 * throw. */
static size_t count_kinds(const SingleGame *game) {
    return game->rules.catch_bonus == YUT_BONUS_ALWAYS ? 1 : 2;
}

/* How many lasts a list can have in a line with so many waiting, and where throws are due. */
static int lasts_in(const LineLists *of, int waiting) {
    return 1 + of->throws * waiting;
}

static bool is_stored(const LineLists *of, int waiting, int list) {
    const ResultList *what = &of->lists.lists[list];
    return waiting > 0 && what->lasts <= lasts_in(of, waiting - 1) &&
           lists_has_room(&of->lists, what, of->throws);
}

static void close_lists(LineLists *of) {
    lists_close(&of->lists);
    for (int waiting = 0; waiting <= WAITING_MAX; waiting++)
        free(of->rank[waiting]);
}

static Status open_lists(const SingleGame *game, int player, SingleReach reach, LineLists *of) {
    int opponents = count_opponents(game);
    int extras = extras_of(game, player);
    if (reach == SINGLE_SHORT && extras > EXTRAS_SHORT)
        extras = EXTRAS_SHORT;
    *of = (LineLists){.throws = game->player[player].catch_throws};
    Status status = lists_open(&game->rules, player, extras, 1 + of->throws * opponents, of->throws,
                               &of->lists);
    for (int waiting = 0; waiting <= opponents && status_is_ok(&status); waiting++) {
        of->rank[waiting] = malloc((size_t)of->lists.count * sizeof(int32_t));
        if (!of->rank[waiting]) {
            close_lists(of);
            return status_make(STATUS_FAILED, "out of memory");
        }
        for (int list = 0; list < of->lists.count; list++)
            of->rank[waiting][list] =
                is_stored(of, waiting, list) ? (int32_t)of->stored[waiting]++ : -1;
    }
    return status;
}

/* --- lines --- */

/* The squares of the others, in the order of play. */
typedef struct Line {
    uint8_t squares[YUT_PLAYERS_MAX]; /* [0] is not used; the partner's may be STACKED */
    int waiting;                      /* opponents at the start */
} Line;

static bool is_opponent(const SingleGame *game, int i) {
    return !yut_same_side(&game->rules, 0, i);
}

/* A base of 32, so that there is room for STACKED. */
static size_t line_index(const SingleGame *game, const uint8_t squares[]) {
    size_t index = 0;
    for (int i = 1; i < game->players; i++)
        index = index << 5 | squares[i];
    return index;
}

static Line line_at(const SingleGame *game, size_t index) {
    Line line = {.waiting = 0};
    for (int i = game->players; i-- > 1; index >>= 5)
        line.squares[i] = (uint8_t)(index & 31);
    for (int i = 1; i < game->players; i++)
        line.waiting += is_opponent(game, i) && line.squares[i] == 0;
    return line;
}

/* Whether there is such a line, of states in which the game goes on. */
static bool is_line(const SingleGame *game, int player, const Line *line) {
    int home = 0;
    for (int i = 1; i < game->players; i++) {
        int square = line->squares[i];
        bool is_stacked = square == STACKED;
        if (is_stacked && !(game->rules.teams && i == PARTNER))
            return false;
        if (!is_stacked && game->rules.animals[(player + i) % game->players] == YUT_COW &&
            !yut_on_cow_route(square))
            return false;
        home += is_opponent(game, i) && square == YUT_ARRIVED;
        for (int j = 1; j < i; j++)
            if (!yut_same_side(&game->rules, i, j) && square == line->squares[j] && square > 0 &&
                square < YUT_ARRIVED)
                return false;
    }
    return home == 0 || (game->rules.teams && home == 1);
}

static SingleState state_in(const SingleGame *game, int player, const Line *line, int own) {
    SingleState state = {.player = (uint8_t)player, .throws = 1};
    memcpy(state.squares, line->squares, sizeof state.squares);
    state.squares[0] = (uint8_t)own;
    if (game->rules.teams && line->squares[PARTNER] == STACKED)
        state.squares[PARTNER] = (uint8_t)own;
    return state;
}

/* --- one line --- */

typedef enum Landing { LAND_FREE, LAND_CATCH, LAND_PIG, LAND_PARTNER, LAND_HOME } Landing;

/* The work on a line. */
typedef struct LineWork {
    const SingleLines *lines;
    const SingleGame *game;
    const SinglePlayer *player;
    const LineLists *of;
    const Workspace *space;
    Line line;
    int number;   /* of the player */
    double *play; /* of this line */
    size_t parts;
    bool wins_at_home;
    double home[YUT_PLAYERS_MAX]; /* the value when the turn ends at home */
    int square_count;             /* where the mover's piece can be */
    uint8_t squares[YUT_SQUARES];
    Landing landing[YUT_SQUARES];
    double begins[YUT_SQUARES][YUT_PLAYERS_MAX]; /* after a catch, with nothing in hand */
    double ends[YUT_SQUARES][YUT_PLAYERS_MAX];   /* after a catch, if the turn ends */
    const double *caught[YUT_SQUARES];           /* the stored throws of the line after it */
    const int32_t *caught_rank[YUT_SQUARES];
} LineWork;

static double *cell(const LineWork *work, double *table, int list, int square) {
    return table + ((size_t)list * YUT_SQUARES + (size_t)square) * work->parts;
}

/* The value if the game is won, for the player whose turn it is. */
static const double *value_won(const LineWork *work) {
    static const double sides[YUT_PLAYERS_MAX] = {1, 0, 0, 0}, bounds[] = {1, 1}, over[] = {0};
    return work->game->aim == SINGLE_BOUNDS  ? bounds
           : work->game->aim == SINGLE_SIDES ? sides
                                             : over;
}

/* What lies beyond the lists. */
static const double *value_beyond(const LineWork *work) {
    static const double bounds[] = {1, 0};
    return work->game->aim == SINGLE_SIDES ? value_won(work) : bounds;
}

static void set_parts(const LineWork *work, double *to, const double *from) {
    for (size_t i = 0; i < work->parts; i++)
        to[i] = from[i];
}

/* Finds out what happens on a square where others are. */
static void prepare_catch(LineWork *work, int square) {
    const SingleGame *game = work->game;
    Line after = work->line;
    bool pig = false, caught = false;
    SingleValue value;
    for (int i = 1; i < game->players && i < YUT_PLAYERS_MAX; i++) {
        if (!is_opponent(game, i) || after.squares[i] != square)
            continue;
        after.squares[i] = 0;
        after.waiting++;
        caught = true;
        pig = pig || game->player[(work->number + i) % game->players].is_pig;
    }
    if (!caught) {
        bool is_partner = game->rules.teams && work->line.squares[PARTNER] == square;
        work->landing[square] = is_partner ? LAND_PARTNER : LAND_FREE;
        return;
    }
    work->landing[square] = pig ? LAND_PIG : LAND_CATCH;
    SingleState state = state_in(game, work->number, &after, square);
    single_value_end(game, &state, &value);
    set_parts(work, work->ends[square], value.part);
    single_value_start(game, &state, &value);
    set_parts(work, work->begins[square], value.part);
    work->caught[square] = work->lines->stored + work->lines->slot[line_index(game, after.squares)];
    work->caught_rank[square] = work->of->rank[after.waiting];
}

/* Lists the squares where the mover's piece can be, in states that belong to this line. */
static void list_squares(LineWork *work) {
    const SingleGame *game = work->game;
    bool is_cow = game->rules.animals[work->number] == YUT_COW;
    uint32_t taken = 1u << YUT_ARRIVED;
    for (int i = 1; i < game->players; i++)
        taken |= work->line.squares[i] < STACKED ? 1u << work->line.squares[i] : 0;
    taken &= ~1u;
    if (game->rules.teams && work->line.squares[PARTNER] == STACKED)
        taken |= 1; /* pieces at the start do not move together */
    work->square_count = 0;
    for (int square = 0; square < YUT_ARRIVED; square++)
        if (!(taken >> square & 1) && !(is_cow && !yut_on_cow_route(square)))
            work->squares[work->square_count++] = (uint8_t)square;
}

static void prepare_line(LineWork *work) {
    const SingleGame *game = work->game;
    bool is_stacked = game->rules.teams && work->line.squares[PARTNER] == STACKED;
    work->wins_at_home =
        !game->rules.teams || is_stacked || work->line.squares[PARTNER] == YUT_ARRIVED;
    work->landing[0] = LAND_FREE;
    work->landing[YUT_ARRIVED] = LAND_HOME;
    for (int square = 1; square < YUT_ARRIVED; square++)
        prepare_catch(work, square);
    if (work->wins_at_home) {
        set_parts(work, work->home, value_won(work));
        return;
    }
    SingleState state = state_in(game, work->number, &work->line, YUT_ARRIVED);
    SingleValue value;
    single_value_end(game, &state, &value);
    set_parts(work, work->home, value.part);
}

/* The value of playing a result to a square that is not free, with the list `left` in hand. */
static const double *value_special(const LineWork *work, int left, int result, int to) {
    const ResultList *list = &work->of->lists.lists[left];
    bool is_empty = list->extras + list->lasts == 0;
    bool gives_throw = yut_catch_throws(&work->game->rules, work->number, (YutResult)result) > 0;
    if (work->landing[to] == LAND_HOME)
        return work->home;
    if (work->landing[to] == LAND_PARTNER)
        return cell(work, work->space->stacked_play, left, to);
    if (work->landing[to] == LAND_PIG)
        return work->ends[to];
    if (is_empty && (!gives_throw || work->of->throws == 1))
        return gives_throw ? work->begins[to] : work->ends[to];
    int32_t rank = work->caught_rank[to][left];
    if (rank < 0)
        return value_beyond(work);
    /* Behind the throws are the plays, if catches may give no throw. */
    size_t kinds = count_kinds(work->game);
    return work->caught[to] +
           (((size_t)rank * kinds + !gives_throw) * YUT_SQUARES + (size_t)to) * work->parts;
}

/* Picks the best of the moves' values, in the order of the rules. */
INLINE void pick_best(const LineWork *work, const double *const moves[], int count, size_t parts,
                      double *to) {
    int top = 0, first = 0;
    assert(count > 0);
    for (int i = 1; i < count; i++)
        if (moves[i][0] > moves[top][0])
            top = i;
    if (work->game->aim == SINGLE_BOUNDS) {
        double lower = 0;
        for (int i = 0; i < count; i++)
            lower = moves[i][SINGLE_LOWER] > lower ? moves[i][SINGLE_LOWER] : lower;
        to[SINGLE_UPPER] = moves[top][SINGLE_UPPER];
        to[SINGLE_LOWER] = lower;
        return;
    }
    /* The first of those that are as good as the best. */
    while (solver_exceeds(moves[top][0], moves[first][0]))
        first++;
    for (size_t i = 0; i < parts; i++)
        to[i] = moves[first][i];
}

/* Computes play[list]. `parts` is a constant in each copy of the inlined code. */
INLINE void play_list(const LineWork *work, int list, size_t parts) {
    const ResultList *what = &work->of->lists.lists[list];
    for (int at = 0; at < work->square_count; at++) {
        int square = work->squares[at], count = 0;
        const double *moves[MOVES_MAX];
        for (int result = 0; result < YUT_RESULTS; result++) {
            int left = what->without[result];
            if (left < 0)
                continue;
            const double *row = work->play + (size_t)left * YUT_SQUARES * parts;
            for (int way = 0; way < work->player->ways[square][result]; way++) {
                int to = work->player->next[square][result][way];
                moves[count++] = work->landing[to] == LAND_FREE
                                     ? row + (size_t)to * parts
                                     : value_special(work, left, result, to);
            }
        }
        pick_best(work, moves, count, parts,
                  work->play + ((size_t)list * YUT_SQUARES + (size_t)square) * parts);
    }
}

/* Computes throw[list]: the mean over what is thrown, with `due` throws due. */
INLINE void throw_list(const LineWork *work, int list, int due, size_t parts) {
    const ResultLists *lists = &work->of->lists;
    const ResultList *what = &lists->lists[list];
    double *own = due == 1 ? work->space->throw_once : work->space->throw_twice;
    const double *last = due == 1 ? work->play : work->space->throw_once;
    double *to = own + (size_t)list * YUT_SQUARES * parts;
    for (int at = 0; at < work->square_count; at++)
        for (size_t i = 0; i < parts; i++)
            to[(size_t)work->squares[at] * parts + i] = 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        double chance = work->player->chances[result];
        bool again = work->player->is_extra[result];
        int with = what->with[result];
        bool is_beyond =
            with < 0 || !lists_has_room(lists, &lists->lists[with], again ? due : due - 1);
        if (chance == 0)
            continue;
        const double *row = is_beyond ? value_beyond(work)
                                      : (again ? own : last) + (size_t)with * YUT_SQUARES * parts;
        for (int at = 0; at < work->square_count; at++) {
            size_t square = work->squares[at];
            for (size_t i = 0; i < parts; i++)
                to[square * parts + i] += chance * row[(is_beyond ? 0 : square * parts) + i];
        }
    }
}

INLINE void solve_lists(const LineWork *work, size_t parts) {
    const ResultLists *lists = &work->of->lists;
    int lasts_max = lasts_in(work->of, work->line.waiting);
    for (int list = 1; list < lists->count; list++)
        if (lists->lists[list].lasts <= lasts_max)
            play_list(work, list, parts);
    for (int list = lists->count; list-- > 0;)
        for (int due = 1; due <= work->of->throws; due++)
            if (lists->lists[list].lasts + due <= lasts_max &&
                lists_has_room(lists, &lists->lists[list], due))
                throw_list(work, list, due, parts);
}

/* Stores the throws that catches lead to. */
static void store_throws(const LineWork *work) {
    const LineLists *of = work->of;
    const double *throws = of->throws == 1 ? work->space->throw_once : work->space->throw_twice;
    size_t kinds = count_kinds(work->game);
    size_t row = YUT_SQUARES * work->parts;
    double *to =
        work->lines->stored + work->lines->slot[line_index(work->game, work->line.squares)];
    for (int list = 0; list < of->lists.count; list++) {
        int32_t rank = of->rank[work->line.waiting][list];
        if (rank < 0)
            continue;
        double *rows = to + (size_t)rank * kinds * row;
        memcpy(rows, throws + (size_t)list * row, row * sizeof *rows);
        if (kinds == 2)
            memcpy(rows + row, work->play + (size_t)list * row, row * sizeof *rows);
    }
}

static void solve_line(LineWork *work) {
    prepare_line(work);
    for (int at = 0; at < work->square_count; at++) {
        SingleState state = state_in(work->game, work->number, &work->line, work->squares[at]);
        SingleValue value;
        single_value_end(work->game, &state, &value);
        set_parts(work, cell(work, work->play, 0, work->squares[at]), value.part);
    }
    switch (work->parts) {
    case 1:
        solve_lists(work, 1);
        break;
    case 2:
        solve_lists(work, 2);
        break;
    case 3:
        solve_lists(work, 3);
        break;
    default:
        solve_lists(work, 4);
    }
    if (work->line.waiting > 0)
        store_throws(work);
}

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
    solve_line(work);
    for (int at = 0; at < work->square_count; at++) {
        int square = work->squares[at];
        SingleState state = state_in(work->game, work->number, &work->line, square);
        set_parts(work, wave->result + single_index(work->game, &state) * work->parts,
                  cell(work, work->space->throw_once, 0, square));
    }
}

static void commit_starts(const Wave *wave, LineWork *work, int thread) {
    for (int at = 0; at < work->square_count; at++) {
        SingleState state = state_in(work->game, work->number, &work->line, work->squares[at]);
        wave->commit(wave->context, single_index(work->game, &state), thread);
    }
}

static void do_line(const Wave *wave, LineTask *task, const Line *line, int thread) {
    const SingleLines *lines = wave->lines;
    const SingleGame *game = lines->game;
    LineWork work = {.lines = lines,
                     .game = game,
                     .player = &game->player[wave->player],
                     .of = &lines->of[wave->player],
                     .space = &lines->workspaces[thread],
                     .line = *line,
                     .number = wave->player,
                     .parts = game->parts};
    bool is_stacked = game->rules.teams && line->squares[PARTNER] == STACKED;
    work.play = is_stacked ? work.space->stacked_play : work.space->play;
    if (!is_line(game, wave->player, line))
        return;
    list_squares(&work);
    task(wave, &work, thread);
}

/* In teams, a unit is a placement of the opponents, with all squares of the partner. */
static Line unit_at(const SingleGame *game, size_t unit) {
    if (!game->rules.teams)
        return line_at(game, unit);
    Line line = {.squares = {0, (uint8_t)(unit >> 5), STACKED, (uint8_t)(unit & 31)}};
    line.waiting = (line.squares[1] == 0) + (line.squares[3] == 0);
    return line;
}

static void do_unit(const Wave *wave, LineTask *task, size_t unit, int thread) {
    const SingleGame *game = wave->lines->game;
    Line line = unit_at(game, unit);
    do_line(wave, task, &line, thread);
    for (uint8_t partner = 0; game->rules.teams && partner < YUT_SQUARES; partner++) {
        line.squares[PARTNER] = partner;
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
        if (!is_opponent(game, i))
            continue;
        if (line.squares[i] == STACKED)
            return -1;
        way += way_left(line.squares[i]);
    }
    return (count_opponents(game) - line.waiting) * WAYS_MAX + way;
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
    size_t used = 0, kinds = count_kinds(game);
    for (size_t index = 0; index < lines; index++) {
        Line line = line_at(game, index);
        if (slot)
            slot[index] = used;
        bool is_line = line.waiting > 0;
        for (int i = 1; i < game->players; i++)
            is_line =
                is_line && (line.squares[i] != STACKED || (game->rules.teams && i == PARTNER));
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
        close_lists(&lines->of[i]);
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
        status = open_lists(game, i, reach, &lines->of[i]);
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
        Workspace *space = &lines->workspaces[i];
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
