/* The contract checker notices games, and optional parts, that break a promise. */
#include <math.h>
#include <string.h>

#include "game/benches.h"
#include "game/cells.h"
#include "game/census.h"
#include "game/commands.h"
#include "game/contract.h"
#include "game/endings.h"
#include "game/estimate.h"
#include "game/inputs.h"
#include "game/learning.h"
#include "game/line_text.h"
#include "game/move_ids.h"
#include "game/move_score.h"
#include "game/outcomes.h"
#include "game/paths.h"
#include "game/perft.h"
#include "game/repetition.h"
#include "game/sampler.h"
#include "game/search.h"
#include "game/stored.h"
#include "games/box/box.h"
#include "testing.h"
#include "values/registry.h"

enum { STEPS_MAX = 10000 };

/* --- games that break a promise, made from one that keeps them all --- */

static size_t no_moves(const Rules *rules, const State *state, Move moves[]) {
    (void)rules, (void)state, (void)moves;
    return 0;
}

static size_t move_twice(const Rules *rules, const State *state, Move moves[]) {
    size_t count = box_moves(rules, state, moves);
    moves[count] = moves[0];
    return count + 1;
}

static size_t illegal_move(const Rules *rules, const State *state, Move moves[]) {
    size_t count = box_moves(rules, state, moves);
    BoxState s = box_state(state);
    if (s.open & 1 && !(moves[0] & 1))
        moves[0] |= 1;
    return count;
}

static size_t heavy_chances(const Rules *rules, const State *state, Chance chances[],
                            uint64_t *denominator) {
    size_t count = box_chances(rules, state, chances, denominator);
    chances[0].weight++;
    return count;
}

static void apply_without_clearing(const Rules *rules, State *state, Move move) {
    box_apply(rules, state, move);
    state->bytes[sizeof(State) - 1] = (unsigned char)move;
}

static void apply_opens_tile_ten(const Rules *rules, State *state, Move move) {
    box_apply(rules, state, move);
    BoxState after = box_state(state);
    after.open |= 1u << 9;
    *state = box_state_pack(&after);
}

static void print_state_badly(const Rules *rules, const State *state, Text *text) {
    BoxState s = box_state(state);
    s.roll = 0;
    State packed = box_state_pack(&s);
    box_print_state(rules, &packed, text);
}

static Status parse_any_move(const Rules *rules, const State *state, const char *text, Lang lang,
                             Move *move) {
    Status status = box_parse_move(rules, state, text, lang, move);
    if (!status_is_ok(&status))
        *move = 1;
    return status_ok();
}

/* Takes any set of tiles, open or not. */
static Status parse_closed_tiles(const Rules *rules, const State *state, const char *text,
                                 Lang lang, Move *move) {
    BoxState s = box_state(state);
    if (s.roll > 0)
        s.open = 511;
    State open = box_state_pack(&s);
    return box_parse_move(rules, &open, text, lang, move);
}

static Status refuse_moves_silently(const Rules *rules, const State *state, const char *text,
                                    Lang lang, Move *move) {
    Status status = box_parse_move(rules, state, text, lang, move);
    return status_is_ok(&status) ? status : status_make(status.code, "%s", "");
}

static Status refuse_moves_curtly(const Rules *rules, const State *state, const char *text,
                                  Lang lang, Move *move) {
    Status status = box_parse_move(rules, state, text, lang, move);
    return status_is_ok(&status) ? status : status_make(status.code, "?");
}

/* In Korean, a text that is not accepted as a move. */
static void print_move_badly_in_korean(const Rules *rules, const State *state, Move move, Lang lang,
                                       Text *text) {
    if (lang == LANG_KO)
        text_add(text, "패 ");
    box_print_move(rules, state, move, lang, text);
}

static size_t too_many_moves(const Rules *rules, const State *state, Move moves[]) {
    (void)rules, (void)state;
    for (Move i = 0; i <= GAME_MOVES_MAX; i++)
        moves[i] = i;
    return GAME_MOVES_MAX + 1;
}

static void payoff_of_nothing(const Rules *rules, const State *state, double payoffs[]) {
    (void)rules, (void)state;
    payoffs[0] = payoffs[1] = NAN;
}

/* Only the payoffs of the two players say something. */
static void payoff_and_more(const Rules *rules, const State *state, double payoffs[]) {
    box_payoff(rules, state, payoffs);
    for (int i = 2; i < GAME_PLAYERS_MAX; i++)
        payoffs[i] = NAN;
}

static void draw_nothing(const Rules *rules, const State *state, DrawStyle style, Text *text) {
    (void)rules, (void)state, (void)style, (void)text;
}

static void draw_in_color(const Rules *rules, const State *state, DrawStyle style, Text *text) {
    style.color = true;
    box_draw(rules, state, style, text);
}

static void draw_in_unicode(const Rules *rules, const State *state, DrawStyle style, Text *text) {
    style.ascii = false;
    box_draw(rules, state, style, text);
}

static int turn_of_nobody(const Rules *rules, const State *state) {
    (void)rules, (void)state;
    return 7;
}

static void assert_broken(const Game *game, const char *words) {
    Variant variant = variant_default(game);
    Status status = contract_check(&variant, 1, 40, STEPS_MAX, NULL);
    if (status_is_ok(&status) || !strstr(status.message, words))
        fail_msg("expected '%s', got '%s'", words, status.message);
}

static void the_contract_notices(void **state) {
    (void)state;
    Game game = box_game;
    game.tree.moves = no_moves;
    assert_broken(&game, "a player has no move");
    game.tree.moves = move_twice;
    assert_broken(&game, "listed twice");
    game.tree.moves = too_many_moves;
    assert_broken(&game, "more moves than promised");
    game.tree.moves = illegal_move;
    assert_broken(&game, "does not read back");
    game = box_game;
    game.tree.chances = heavy_chances;
    assert_broken(&game, "do not sum");
    game = box_game;
    game.tree.apply = apply_without_clearing;
    assert_broken(&game, "reads back as another state");
    game.tree.apply = apply_opens_tile_ten;
    assert_broken(&game, "fails its check");
    game = box_game;
    game.text.print_state = print_state_badly;
    assert_broken(&game, "reads back as another state");
    game = box_game;
    game.text.parse_move = parse_any_move;
    assert_broken(&game, "nonsense reads as a move");
    game.text.parse_move = parse_closed_tiles;
    assert_broken(&game, "a move of another state is taken");
    game.text.parse_move = refuse_moves_silently;
    assert_broken(&game, "rejected without a message");
    game = box_game;
    game.text.print_move = print_move_badly_in_korean;
    assert_broken(&game, "does not read back");
    game = box_game;
    game.tree.payoff = payoff_of_nothing;
    assert_broken(&game, "not a number");
    game = box_game;
    game.text.draw = draw_nothing;
    assert_broken(&game, "empty or too long");
    game.text.draw = draw_in_color;
    assert_broken(&game, "without color");
    game.text.draw = draw_in_unicode;
    assert_broken(&game, "not ASCII");
    game = box_game;
    game.tree.turn = turn_of_nobody;
    assert_broken(&game, "a state has no actor");
}

/* A word is enough, however short; and nobody asks for payoffs of players that are not there. */
static void the_contract_does_not_mind(void **state) {
    (void)state;
    Game game = box_game;
    game.text.parse_move = refuse_moves_curtly;
    Variant variant = variant_default(&game);
    assert_ok(contract_check(&variant, 1, 40, STEPS_MAX, NULL));
    game = box_game;
    game.tree.payoff = payoff_and_more;
    assert_ok(contract_check(&variant, 1, 40, STEPS_MAX, NULL));
}

/* --- optional parts that break their promises --- */

static uint32_t bound_nothing(const Rules *rules) {
    (void)rules;
    return 0;
}

/* Larger than any room. */
static void draw_too_large(const Rules *rules, const State *state, CellStyle style,
                           CellBoard *board) {
    (void)rules, (void)state;
    cells_put(board, style.rows, 0, '#', CELL_TEXT);
}

static void draw_without_spots(const Rules *rules, const State *state, CellStyle style,
                               CellBoard *board) {
    (void)rules, (void)state, (void)style, (void)board;
}

static void pick_nowhere(const Rules *rules, const State *state, Move move, Text *text) {
    (void)rules, (void)state, (void)move;
    text_add(text, "nowhere");
}

static void trace_with_gaps(const Rules *rules, const State *before, Move move, Text *text) {
    (void)rules, (void)before, (void)move;
    text_add(text, "1  2");
}

static void estimate_half(const Rules *rules, const State *state, double values[]) {
    (void)rules, (void)state;
    values[0] = values[1] = 0.5;
}

static void estimate_payoff(const Rules *rules, const State *state, double values[]) {
    values[0] = values[1] = 0.5;
    if (box_game.tree.actor(rules, state) == GAME_END)
        box_game.tree.payoff(rules, state, values);
}

static double err_always(const Rules *rules, const State *state) {
    (void)rules, (void)state;
    return 0.1;
}

static Status learns_all(const Rules *rules) {
    (void)rules;
    return status_ok();
}

static Status learns_silently_nothing(const Rules *rules) {
    (void)rules;
    return (Status){.code = STATUS_UNSUPPORTED};
}

static double score_of_nothing(const Rules *rules, const State *state, Move move) {
    (void)rules, (void)state, (void)move;
    return NAN;
}

static size_t pick_the_first(const Rules *rules, const State *state, Random *random, Move *move) {
    Move moves[GAME_MOVES_MAX];
    (void)random;
    size_t count = box_moves(rules, state, moves);
    *move = moves[0];
    return count;
}

static uint64_t count_one_path(const Rules *rules, const State *state, int depth) {
    (void)rules, (void)state, (void)depth;
    return 1;
}

static size_t an_unknown_ending(const Rules *rules, const State *end) {
    (void)rules, (void)end;
    return 1;
}

/* Forgets the roll: then chance acts, not the player. */
static void normalize_too_much(const Rules *rules, State *state) {
    (void)rules;
    BoxState box = box_state(state);
    box.roll = 0;
    *state = box_state_pack(&box);
}

static Outcome decode_as_endless(double value) {
    (void)value;
    return (Outcome){.kind = OUTCOME_ENDLESS};
}

static double no_delay(double value) {
    return value;
}

static void narrate_nothing(const Rules *rules, const State *first, const Move moves[],
                            size_t count, Lang lang, Text *text) {
    (void)rules, (void)first, (void)moves, (void)count, (void)lang, (void)text;
}

static uint64_t ten(const Rules *rules) {
    (void)rules;
    return 10;
}

static uint64_t twenty(const Rules *rules) {
    (void)rules;
    return 20;
}

static bool draw_only_legal(const Rules *rules, Random *random) {
    (void)rules, (void)random;
    return true;
}

static uint64_t none(const Rules *rules) {
    (void)rules;
    return 0;
}

static void print_input(const Rules *rules, uint64_t index, Text *text) {
    (void)rules, (void)index;
    text_add(text, "1 1 1");
}

static Status refuse_silently(const Rules *rules) {
    (void)rules;
    return status_make(STATUS_UNSUPPORTED, "%s", "");
}

static Status open_nothing(const Rules *rules, const SolveLimits *limits, Search **search) {
    (void)rules, (void)limits, (void)search;
    return status_ok();
}

static Status open_no_solver(const Rules *rules, const SolveLimits *limits, Solver **solver) {
    (void)rules, (void)limits, (void)solver;
    return status_ok();
}

static Status supports_all(const Rules *rules) {
    (void)rules;
    return status_ok();
}

static double no_error(const Rules *rules) {
    (void)rules;
    return 0;
}

static Status needs_nothing(const Rules *rules, double error, const SolveLimits *limits, int ranks,
                            uint64_t *memory, uint64_t *disk) {
    (void)rules, (void)error, (void)limits, (void)ranks;
    *memory = *disk = 0;
    return status_ok();
}

static double a_second(const Rules *rules) {
    (void)rules;
    return 1;
}

static Status needs_no_disk(const Rules *rules, double error, const SolveLimits *limits, int ranks,
                            uint64_t *memory, uint64_t *disk) {
    (void)rules, (void)error, (void)limits, (void)ranks;
    *memory = 1;
    *disk = 0;
    return status_ok();
}

static Status needs_no_memory(const Rules *rules, double error, const SolveLimits *limits,
                              int ranks, uint64_t *memory, uint64_t *disk) {
    (void)rules, (void)error, (void)limits, (void)ranks;
    *memory = 0;
    *disk = 1;
    return status_ok();
}

static Status run_nothing(const GameCall *call, Text *output) {
    (void)call, (void)output;
    return status_ok();
}

static double bench_nothing(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    return 0;
}

/* A game that has one optional part, which breaks its promise. */
#define assert_part_broken(part, type, words, ...)                                                 \
    do {                                                                                           \
        static const type broken_part = __VA_ARGS__;                                               \
        Game game = box_game;                                                                      \
        game.part = &broken_part;                                                                  \
        assert_broken(&game, words);                                                               \
    } while (0)

static void the_contract_notices_broken_parts(void **state) {
    (void)state;
    static const char *const examples[] = {"box other", NULL};
    static const GameCommand stray = {
        .name = "count", .summary = "counts", .examples = examples, .run = run_nothing};
    static const GameBench aimless = {.what = "work", .limit = "memory", .run = bench_nothing};
    static const Phrase ending_names[] = {{{"stuck", "막힘"}}};
    assert_part_broken(move_ids, GameMoveIds, "below the bound", {.bound = bound_nothing});
    assert_part_broken(paths, GamePaths, "separated by spaces", {.trace = trace_with_gaps});
    assert_part_broken(cells, GameCells, "larger than its room",
                       {.draw = draw_too_large, .picks = pick_nowhere});
    assert_part_broken(cells, GameCells, "not on the board",
                       {.draw = draw_without_spots, .picks = pick_nowhere});
    assert_part_broken(estimate, GameEstimate, "is not its payoff", {.values = estimate_half});
    assert_part_broken(estimate, GameEstimate, "is not a distance",
                       {.values = estimate_payoff, .typical_error = err_always});
    assert_part_broken(learning, GameLearning, "that nothing uses", {.check = learns_all});
    assert_part_broken(learning, GameLearning, "without a reason",
                       {.check = learns_silently_nothing});
    assert_part_broken(move_score, GameMoveScore, "score of a move", {.score = score_of_nothing});
    assert_part_broken(sampler, GameSampler, "picked from the list", {.pick = pick_the_first});
    assert_part_broken(perft, GamePerft, "differs from the tree's", {.count = count_one_path});
    assert_part_broken(endings, GameEndings, "no known kind",
                       {.names = ending_names, .count = 1, .classify = an_unknown_ending});
    assert_part_broken(repetition, GameRepetition, "normalizing changes whose turn it is",
                       {.normalize = normalize_too_much});
    assert_part_broken(outcomes, GameOutcomes, "not an outcome in 0",
                       {.decode = decode_as_endless, .before_move = no_delay});
    assert_part_broken(line_text, GameLineText, "has no text", {.narrate = narrate_nothing});
    assert_part_broken(
        census, GameCensus, "does not count subsets",
        {.placements = ten, .draw = draw_only_legal, .legal = twenty, .in_progress = ten});
    assert_part_broken(
        census, GameCensus, "more or less often than counted",
        {.placements = twenty, .draw = draw_only_legal, .legal = ten, .in_progress = ten});
    assert_part_broken(inputs, GameInputs, "no inputs", {.count = none, .print = print_input});
    assert_part_broken(inputs, GameInputs, "not its own", {.count = ten, .print = print_input});
    assert_part_broken(search, GameSearch, "without chance", {.open = open_nothing});
    assert_part_broken(solver, GameSolver, "without a reason",
                       {.check = refuse_silently, .open = open_no_solver});
    assert_part_broken(stored, GameStored, "not known beforehand",
                       {.check = supports_all, .usual_error = no_error, .needs = needs_nothing});
    assert_part_broken(stored, GameStored, "not known beforehand",
                       {.check = supports_all,
                        .usual_error = no_error,
                        .seconds = a_second,
                        .needs = needs_no_disk});
    assert_part_broken(stored, GameStored, "not known beforehand",
                       {.check = supports_all,
                        .usual_error = no_error,
                        .seconds = a_second,
                        .needs = needs_no_memory});
    assert_part_broken(commands, GameCommands, "calls another", {.list = &stray, .count = 1});
    assert_part_broken(benches, GameBenches, "without a goal", {.list = &aimless, .count = 1});
}

static void a_bound_ends_long_games(void **state) {
    (void)state;
    Variant variant = variant_default(&box_game);
    int ended;
    assert_ok(contract_check(&variant, 1, 40, 3, &ended));
    assert_int_equal(ended, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_contract_notices),
        cmocka_unit_test(the_contract_does_not_mind),
        cmocka_unit_test(the_contract_notices_broken_parts),
        cmocka_unit_test(a_bound_ends_long_games),
    };
    return cmocka_run_group_tests_name("contract", tests, NULL, NULL);
}
