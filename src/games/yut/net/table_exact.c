#include "games/yut/net/table_exact.h"

#include <math.h>
#include <stdlib.h>

/* --- positions --- */

/* How many placements a player's pieces have: one piece, or two of which the first is on no higher
 * square. */
static size_t placements_of(const YutRules *rules) {
    return rules->pieces == 1 ? YUT_SQUARES : YUT_SQUARES * (YUT_SQUARES + 1) / 2;
}

static size_t positions_of(const SolvedGame *game) {
    size_t count = 1;
    for (int player = 0; player < game->rules.players; player++)
        count *= placements_of(&game->rules);
    return count;
}

static void place_pieces(size_t placement, uint8_t pieces[]) {
    size_t last = 0;
    while ((last + 1) * (last + 2) / 2 <= placement)
        last++;
    pieces[0] = (uint8_t)(placement - last * (last + 1) / 2);
    pieces[1] = (uint8_t)last;
}

static size_t placement_of(const YutRules *rules, const uint8_t pieces[]) {
    return rules->pieces == 1 ? pieces[0] : pieces[1] * (pieces[1] + 1u) / 2 + pieces[0];
}

/* The position of this number; the placements of the players are its digits. */
static YutState position_at(const SolvedGame *game, int turn, size_t number) {
    YutState state = {.turn = (uint8_t)turn, .throws = 1};
    const size_t placements = placements_of(&game->rules);
    for (int player = game->rules.players; player-- > 0; number /= placements)
        if (game->rules.pieces == 1)
            state.pieces[player][0] = (uint8_t)(number % placements);
        else
            place_pieces(number % placements, state.pieces[player]);
    return state;
}

/* A square on which a piece could be; it waits or is home as often as in games. */
static uint8_t draw_square(Random *random) {
    const uint64_t choice = random_below(random, 8);
    return choice == 0 ? 0 : choice == 1 ? YUT_ARRIVED : (uint8_t)random_below(random, YUT_SQUARES);
}

/* Draws a position's number. */
static size_t draw_number(const SolvedGame *game, Random *random) {
    size_t number = 0;
    for (int player = 0; player < game->rules.players; player++) {
        const uint8_t one = draw_square(random);
        const uint8_t two = game->rules.pieces == 1 ? one : draw_square(random);
        const uint8_t pieces[2] = {one < two ? one : two, one < two ? two : one};
        number = number * placements_of(&game->rules) + placement_of(&game->rules, pieces);
    }
    return number;
}

static bool is_position(const SolvedGame *game, const YutState *state) {
    Rules rules = yut_rules_pack(&game->rules);
    State packed = yut_state_pack(state);
    Status status = yut_check(&rules, &packed);
    return status_is_ok(&status);
}

bool table_is_held_out(const YutRules *rules, const YutState *state) {
    int on_board = 0;
    uint64_t hash = 0;
    for (int seat = 0; seat < rules->players; seat++) {
        const int player = (state->turn + seat) % rules->players;
        bool has_piece = false;
        for (int i = 0; i < YUT_PIECES_MAX; i++) {
            int square = i < rules->pieces ? state->pieces[player][i] : YUT_ARRIVED;
            has_piece = has_piece || (square > 0 && square < YUT_ARRIVED);
            hash = (hash + (uint64_t)square + 1) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 29;
        }
        hash = (hash + rules->animals[player] + 1) * 0x9E3779B97F4A7C15u;
        on_board += has_piece;
    }
    return on_board > 1 && hash >> 58 == 0;
}

/* --- solving --- */

static Status read_position(const SolvedGame *game, Solver *solver, int turn, size_t number) {
    const int players = game->rules.players;
    YutState state = position_at(game, turn, number);
    float *values = game->values + ((size_t)turn * positions_of(game) + number) * (size_t)players;
    double solved[GAME_PLAYERS_MAX] = {0};
    values[0] = NAN;
    if (!is_position(game, &state))
        return status_ok();
    State packed = yut_state_pack(&state);
    Status status = solver->values(solver, &packed, solved);
    for (int player = 0; player < players; player++)
        values[player] = (float)solved[player];
    return status;
}

/* Solves the next game. */
static Status solve_game(const GameServices *services, const SolveLimits *limits,
                         const YutRules *rules, TableExact *exact) {
    SolvedGame *game = &exact->games[exact->count];
    Variant variant = {.game = &yut_game, .rules = yut_rules_pack(rules)};
    Solver *solver;
    *game = (SolvedGame){.rules = *rules, .turns = rules->players == 2 ? 2 : 1};
    Status status = services->open_solver(&variant, limits, &solver);
    if (!status_is_ok(&status))
        return status;
    const size_t positions = positions_of(game);
    game->values =
        malloc((size_t)game->turns * positions * (size_t)rules->players * sizeof game->values[0]);
    if (!game->values)
        status = status_make(STATUS_FAILED, "out of memory");
    exact->count += game->values != NULL;
    for (int turn = 0; turn < game->turns; turn++)
        for (size_t i = 0; i < positions && status_is_ok(&status); i++)
            status = limits->stop && *limits->stop ? status_make(STATUS_STOPPED, "stopped")
                                                   : read_position(game, solver, turn, i);
    solver->free(solver);
    return status;
}

/* Two players with every pair of animals, and with one animal against none. Dogs throw again so
 * often that two pieces each would take gigabytes. */
static Status solve_animals(const GameServices *services, const SolveLimits *limits, bool few,
                            YutRules rules, TableExact *exact) {
    Status status = status_ok();
    for (int second = 0; second <= YUT_NO_ANIMAL; second++)
        for (int first = 0; first <= second && first < YUT_NO_ANIMAL; first++) {
            rules.animals[0] = (uint8_t)first;
            rules.animals[1] = (uint8_t)second;
            rules.pieces = few || first == YUT_DOG || second == YUT_DOG ? 1 : 2;
            if (status_is_ok(&status))
                status = solve_game(services, limits, &rules, exact);
        }
    return status;
}

Status table_exact_open(const GameServices *services, const SolveLimits *limits, bool few,
                        TableExact *exact) {
    Rules usual = yut_rules_default();
    YutRules rules = yut_rules(&usual);
    *exact = (TableExact){.count = 0};
    SolveLimits silent = *limits;
    silent.progress = NULL;
    progress_start(limits->progress, "solving the ends of games");
    Status status = solve_animals(services, &silent, few, rules, exact);
    rules.players = 3;
    rules.pieces = 1;
    if (status_is_ok(&status) && !few)
        status = solve_game(services, &silent, &rules, exact);
    progress_finish(limits->progress);
    if (!status_is_ok(&status))
        table_exact_close(exact);
    return status;
}

void table_exact_close(TableExact *exact) {
    for (size_t i = 0; i < exact->count; i++)
        free(exact->games[i].values);
}

/* --- drawing --- */

size_t table_exact_duels(const TableExact *exact) {
    size_t duels = 0;
    while (duels < exact->count && exact->games[duels].rules.players == 2)
        duels++;
    return duels;
}

YutRules table_exact_draw(const TableExact *exact, size_t from, size_t to, bool held_out,
                          Random *random, YutState *state, double values[]) {
    const SolvedGame *game = &exact->games[from + (size_t)random_below(random, to - from)];
    const int players = game->rules.players;
    const size_t positions = positions_of(game);
    const float *found;
    int turn;
    do {
        turn = (int)random_below(random, (uint64_t)game->turns);
        const size_t number = draw_number(game, random);
        found = game->values + ((size_t)turn * positions + number) * (size_t)players;
        *state = position_at(game, turn, number);
    } while (isnan(found[0]) || table_is_held_out(&game->rules, state) != held_out);
    for (int player = 0; player < players; player++)
        values[player] = (double)found[player];
    return game->rules;
}
