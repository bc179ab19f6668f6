#include "games/yut/solve/single_line.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "game/solver.h"

enum {
    EXTRAS_SHORT = 1,
    EXTRAS_FOR_BOUNDS = 8,
    EXTRAS_FOR_PIGS = 2, /* more than are needed to come home */
    MOVES_MAX = 2 * YUT_RESULTS
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
    int home = (LINE_HOME_STEPS + steps - 1) / steps;
    if (game->aim == SINGLE_BOUNDS)
        return EXTRAS_FOR_BOUNDS;
    return home - 1 + (has_pigs(game) ? EXTRAS_FOR_PIGS : 0);
}

double line_cut(const SingleGame *game) {
    double cut = 0;
    for (int i = 0; i < game->players; i++) {
        double again = 1;
        for (int extra = 0; extra <= extras_of(game, i); extra++)
            again *= game->player[i].again;
        cut = again > cut ? again : cut;
    }
    return game->aim == SINGLE_SIDES && !has_pigs(game) ? 0 : cut;
}

int line_opponents(const SingleGame *game) {
    return game->rules.teams ? 2 : game->players - 1;
}

size_t line_kinds(const SingleGame *game) {
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

void line_lists_close(LineLists *of) {
    lists_close(&of->lists);
    for (int waiting = 0; waiting <= LINE_WAITING_MAX; waiting++)
        free(of->rank[waiting]);
}

Status line_lists_open(const SingleGame *game, int player, SingleReach reach, LineLists *of) {
    int opponents = line_opponents(game);
    int extras = extras_of(game, player);
    if (reach == SINGLE_SHORT && extras > EXTRAS_SHORT)
        extras = EXTRAS_SHORT;
    *of = (LineLists){.throws = game->player[player].catch_throws};
    Status status = lists_open(&game->rules, player, extras, 1 + of->throws * opponents, of->throws,
                               &of->lists);
    for (int waiting = 0; waiting <= opponents && status_is_ok(&status); waiting++) {
        of->rank[waiting] = malloc((size_t)of->lists.count * sizeof(int32_t));
        if (!of->rank[waiting]) {
            line_lists_close(of);
            return status_make(STATUS_FAILED, "out of memory");
        }
        for (int list = 0; list < of->lists.count; list++)
            of->rank[waiting][list] =
                is_stored(of, waiting, list) ? (int32_t)of->stored[waiting]++ : -1;
    }
    return status;
}

/* --- lines --- */

bool line_is_opponent(const SingleGame *game, int i) {
    return !yut_same_side(&game->rules, 0, i);
}

/* A base of 32, so that there is room for LINE_STACKED. */
size_t line_index(const SingleGame *game, const uint8_t squares[]) {
    size_t index = 0;
    for (int i = 1; i < game->players; i++)
        index = index << 5 | squares[i];
    return index;
}

Line line_at(const SingleGame *game, size_t index) {
    Line line = {.waiting = 0};
    for (int i = game->players; i-- > 1; index >>= 5)
        line.squares[i] = (uint8_t)(index & 31);
    for (int i = 1; i < game->players; i++)
        line.waiting += line_is_opponent(game, i) && line.squares[i] == 0;
    return line;
}

bool line_exists(const SingleGame *game, int player, const Line *line) {
    int home = 0;
    for (int i = 1; i < game->players; i++) {
        int square = line->squares[i];
        bool is_stacked = square == LINE_STACKED;
        if (is_stacked && !(game->rules.teams && i == LINE_PARTNER))
            return false;
        if (!is_stacked && game->rules.animals[(player + i) % game->players] == YUT_COW &&
            !yut_on_cow_route(square))
            return false;
        home += line_is_opponent(game, i) && square == YUT_ARRIVED;
        for (int j = 1; j < i; j++)
            if (!yut_same_side(&game->rules, i, j) && square == line->squares[j] && square > 0 &&
                square < YUT_ARRIVED)
                return false;
    }
    return home == 0 || (game->rules.teams && home == 1);
}

SingleState line_state(const SingleGame *game, int player, const Line *line, int own) {
    SingleState state = {.player = (uint8_t)player, .throws = 1};
    memcpy(state.squares, line->squares, sizeof state.squares);
    state.squares[0] = (uint8_t)own;
    if (game->rules.teams && line->squares[LINE_PARTNER] == LINE_STACKED)
        state.squares[LINE_PARTNER] = (uint8_t)own;
    return state;
}

/* --- one line --- */

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
        if (!line_is_opponent(game, i) || after.squares[i] != square)
            continue;
        after.squares[i] = 0;
        after.waiting++;
        caught = true;
        pig = pig || game->player[(work->number + i) % game->players].is_pig;
    }
    if (!caught) {
        bool is_partner = game->rules.teams && work->line.squares[LINE_PARTNER] == square;
        work->landing[square] = is_partner ? LAND_PARTNER : LAND_FREE;
        return;
    }
    work->landing[square] = pig ? LAND_PIG : LAND_CATCH;
    SingleState state = line_state(game, work->number, &after, square);
    single_value_end(game, &state, &value);
    set_parts(work, work->ends[square], value.part);
    single_value_start(game, &state, &value);
    set_parts(work, work->begins[square], value.part);
    work->caught[square] = work->stored + work->slot[line_index(game, after.squares)];
    work->caught_rank[square] = work->of->rank[after.waiting];
}

void line_list_squares(LineWork *work) {
    const SingleGame *game = work->game;
    bool is_cow = game->rules.animals[work->number] == YUT_COW;
    uint32_t taken = 1u << YUT_ARRIVED;
    for (int i = 1; i < game->players; i++)
        taken |= work->line.squares[i] < LINE_STACKED ? 1u << work->line.squares[i] : 0;
    taken &= ~1u;
    if (game->rules.teams && work->line.squares[LINE_PARTNER] == LINE_STACKED)
        taken |= 1; /* pieces at the start do not move together */
    work->square_count = 0;
    for (int square = 0; square < YUT_ARRIVED; square++)
        if (!(taken >> square & 1) && !(is_cow && !yut_on_cow_route(square)))
            work->squares[work->square_count++] = (uint8_t)square;
}

static void prepare_line(LineWork *work) {
    const SingleGame *game = work->game;
    bool is_stacked = game->rules.teams && work->line.squares[LINE_PARTNER] == LINE_STACKED;
    work->wins_at_home =
        !game->rules.teams || is_stacked || work->line.squares[LINE_PARTNER] == YUT_ARRIVED;
    work->landing[0] = LAND_FREE;
    work->landing[YUT_ARRIVED] = LAND_HOME;
    for (int square = 1; square < YUT_ARRIVED; square++)
        prepare_catch(work, square);
    if (work->wins_at_home) {
        set_parts(work, work->home, value_won(work));
        return;
    }
    SingleState state = line_state(game, work->number, &work->line, YUT_ARRIVED);
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
    size_t kinds = line_kinds(work->game);
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
    size_t kinds = line_kinds(work->game);
    size_t row = YUT_SQUARES * work->parts;
    double *to = work->stored + work->slot[line_index(work->game, work->line.squares)];
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

void line_solve(LineWork *work) {
    const SingleGame *game = work->game;
    bool is_stacked = game->rules.teams && work->line.squares[LINE_PARTNER] == LINE_STACKED;
    work->play = is_stacked ? work->space->stacked_play : work->space->play;
    work->parts = game->parts;
    prepare_line(work);
    for (int at = 0; at < work->square_count; at++) {
        SingleState state = line_state(work->game, work->number, &work->line, work->squares[at]);
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

const double *line_value(const LineWork *work, int square) {
    return cell(work, work->space->throw_once, 0, square);
}
