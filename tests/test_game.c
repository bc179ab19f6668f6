/* The interface: variants, the contract, and that the contract notices what breaks it. */
#include <math.h>
#include <string.h>

#include "game/contract.h"
#include "game/games.h"
#include "games/box/box.h"
#include "testing.h"

enum { STEPS_MAX = 10000 };

/* Every game in the list, under the rules of each of its examples. */
static void every_game_keeps_the_contract(void **state) {
    (void)state;
    assert_true(games_count() > 0);
    for (size_t i = 0; i < games_count(); i++) {
        const Game *game = games_at(i);
        for (size_t j = 0; j < game->example_count; j++) {
            Variant variant;
            State position;
            int ended;
            assert_ok(variant_parse(game, game->examples[j].options, &variant));
            assert_ok(game->parse_state(&variant.rules, game->examples[j].position, &position));
            assert_ok(contract_check(&variant, 1, test_times(40), STEPS_MAX, &ended));
            assert_int_equal(ended, test_times(40));
        }
        assert_string_equal(game->examples[0].options, "");
    }
}

static const char *const box_variants[] = {
    "--tiles 1 --dice 1 --sides 1 --players 1",
    "--tiles 1 --dice 3 --sides 2",
    "--tiles 3 --dice 1 --sides 4 --players 3",
    "--tiles 9 --one-die top<=6",
    "--tiles 7 --dice 3 --sides 8 --one-die sum<=10 --players 4",
    "--tiles 12 --players 8",
    "--tiles 24 --dice 6 --sides 8 --players 2",
    "--tiles 10 --players 1 --aim score",
    "--tiles 20 --players 1 --aim digits --one-die never",
};

static void box_variants_keep_the_contract(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof box_variants / sizeof box_variants[0]; i++) {
        Variant variant;
        int ended;
        assert_ok(variant_parse(&box_game, box_variants[i], &variant));
        assert_ok(contract_check(&variant, 100 + i, test_times(40), STEPS_MAX, &ended));
        assert_int_equal(ended, test_times(40));
        assert_ok(contract_check_numbering(&variant, (uint64_t)test_times(300000), NULL));
    }
}

static void numbering_is_complete(void **state) {
    (void)state;
    Variant variant = variant_default(&box_game);
    uint64_t legal = 0;
    assert_true(box_game.index_count(&variant.rules) == 329216);
    assert_ok(contract_check_numbering(&variant, UINT64_MAX, &legal));
    /* As many as there are combinations of all fields that pass the check. */
    uint64_t expected = 0;
    for (int player = 0; player <= 2; player++)
        for (int first = player > 0 ? 1 : 0; first <= (player > 0 ? 45 : 0); first++)
            for (TileSet open = 0; open < 512; open++)
                for (int roll = 0; roll <= 12; roll++) {
                    BoxState s = {.open = open, .player = (uint8_t)player, .roll = (uint8_t)roll};
                    s.scores[0] = (uint16_t)first;
                    if (player == 2)
                        s.scores[1] = (uint16_t)box_sum(open);
                    State packed = box_state_pack(&s);
                    Status status = box_check(&variant.rules, &packed);
                    expected += status_is_ok(&status);
                }
    assert_true(legal == expected);
}

static void no_numbering_where_it_would_not_fit(void **state) {
    (void)state;
    Variant variant;
    assert_ok(variant_parse(&box_game, "--tiles 24 --players 8", &variant));
    assert_true(box_game.index_count(&variant.rules) == 0);
}

static void variants_read_back(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof box_variants / sizeof box_variants[0]; i++) {
        Variant variant, again;
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        assert_ok(variant_parse(&box_game, box_variants[i], &variant));
        variant_print(&variant, &text);
        assert_ok(variant_parse(&box_game, bytes, &again));
        assert_memory_equal(&variant.rules, &again.rules, sizeof variant.rules);
    }
}

static void variants_refuse_nonsense(void **state) {
    (void)state;
    Variant variant;
    static const struct {
        const char *options, *words;
        StatusCode code;
    } bad[] = {
        {"--tiles 0", "--tiles: expected a whole number from 1 to 24", STATUS_USAGE},
        {"--tiles 25", "from 1 to 24", STATUS_USAGE},
        {"--tiles", "expected N after it", STATUS_USAGE},
        {"--tlies 4", "did you mean '--tiles'?", STATUS_USAGE},
        {"tiles", "not a rule option", STATUS_USAGE},
        {"--players 9", "from 1 to 8", STATUS_USAGE},
        {"--one-die sometimes", "never, sum<=N or top<=N", STATUS_USAGE},
        {"--one-die sum<=", "never, sum<=N or top<=N", STATUS_USAGE},
        {"--one-die sum<=99999999999", "never, sum<=N or top<=N", STATUS_USAGE},
        {"--aim win", "shut, score or digits", STATUS_USAGE},
        {"--dice 7 --sides 7", "rolls above 48", STATUS_UNSUPPORTED},
        {"--aim score", "--players 1", STATUS_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(variant_parse(&box_game, bad[i].options, &variant), bad[i].code, bad[i].words);
    const Game *game;
    assert_fails(games_find("bx", &game), STATUS_USAGE, "did you mean 'box'?");
}

/* Games that share an option's name mean the same kind of thing by it. */
/* What an option takes, in words. */
static const char *taken_by(const OptionSpec *option) {
    return option->argument ? option->argument : "nothing";
}

static void option_names_agree(void **state) {
    (void)state;
    for (size_t i = 0; i < games_count(); i++) {
        for (size_t j = 0; j < games_at(i)->option_count; j++) {
            const OptionSpec *option = &games_at(i)->options[j];
            assert_non_null(option->name);
            assert_non_null(option->help);
            for (size_t k = 0; k < games_count(); k++)
                for (size_t l = 0; l < games_at(k)->option_count; l++)
                    if (strcmp(option->name, games_at(k)->options[l].name) == 0)
                        assert_string_equal(taken_by(option), taken_by(&games_at(k)->options[l]));
        }
    }
}

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

static Status parse_any_move(const Rules *rules, const State *state, const char *text, Move *move) {
    Status status = box_parse_move(rules, state, text, move);
    if (!status_is_ok(&status))
        *move = 1;
    return status_ok();
}

/* Takes any set of tiles, open or not. */
static Status parse_closed_tiles(const Rules *rules, const State *state, const char *text,
                                 Move *move) {
    BoxState s = box_state(state);
    if (s.roll > 0)
        s.open = 511;
    State open = box_state_pack(&s);
    return box_parse_move(rules, &open, text, move);
}

static size_t too_many_moves(const Rules *rules, const State *state, Move moves[]) {
    (void)rules, (void)state;
    for (Move i = 0; i <= GAME_MOVES_MAX; i++)
        moves[i] = i;
    return GAME_MOVES_MAX + 1;
}

static uint64_t index_of_another(const Rules *rules, const State *state) {
    return box_index(rules, state) ^ 1;
}

static uint64_t index_out_of_range(const Rules *rules, const State *state) {
    return box_index_count(rules) + box_index(rules, state);
}

static void payoff_of_nothing(const Rules *rules, const State *state, double payoffs[]) {
    (void)rules, (void)state;
    payoffs[0] = payoffs[1] = NAN;
}

static void draw_nothing(const Rules *rules, const State *state, DrawStyle style, Text *text) {
    (void)rules, (void)state, (void)style, (void)text;
}

static void draw_in_colour(const Rules *rules, const State *state, DrawStyle style, Text *text) {
    style.color = true;
    box_draw(rules, state, style, text);
}

static void draw_in_unicode(const Rules *rules, const State *state, DrawStyle style, Text *text) {
    style.ascii = false;
    box_draw(rules, state, style, text);
}

static void estimate_half(const Rules *rules, const State *state, double values[]) {
    (void)rules, (void)state;
    values[0] = values[1] = 0.5;
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

static void trace_with_gaps(const Rules *rules, const State *before, Move move, Text *text) {
    (void)rules, (void)before, (void)move;
    text_add(text, "1  2");
}

static void the_contract_notices(void **state) {
    (void)state;
    Game game = box_game;
    game.moves = no_moves;
    assert_broken(&game, "a player has no move");
    game.moves = move_twice;
    assert_broken(&game, "listed twice");
    game.moves = too_many_moves;
    assert_broken(&game, "more moves than promised");
    game.moves = illegal_move;
    assert_broken(&game, "does not read back");
    game = box_game;
    game.chances = heavy_chances;
    assert_broken(&game, "do not sum");
    game = box_game;
    game.apply = apply_without_clearing;
    assert_broken(&game, "reads back as another state");
    game.apply = apply_opens_tile_ten;
    assert_broken(&game, "fails its check");
    game = box_game;
    game.print_state = print_state_badly;
    assert_broken(&game, "reads back as another state");
    game = box_game;
    game.parse_move = parse_any_move;
    assert_broken(&game, "nonsense reads as a move");
    game.parse_move = parse_closed_tiles;
    assert_broken(&game, "a move of another state is taken");
    game = box_game;
    game.index = index_of_another;
    assert_broken(&game, "number of a state");
    game.index = index_out_of_range;
    assert_broken(&game, "out of range");
    game = box_game;
    game.payoff = payoff_of_nothing;
    assert_broken(&game, "not a number");
    game = box_game;
    game.draw = draw_nothing;
    assert_broken(&game, "empty or too long");
    game.draw = draw_in_colour;
    assert_broken(&game, "without colour");
    game.draw = draw_in_unicode;
    assert_broken(&game, "not ASCII");
    game = box_game;
    game.trace = trace_with_gaps;
    assert_broken(&game, "spaces between");
    game = box_game;
    game.estimate = estimate_half;
    assert_broken(&game, "is not its payoff");
    game = box_game;
    game.turn = turn_of_nobody;
    assert_broken(&game, "nobody's turn");
}

static void a_bound_ends_long_games(void **state) {
    (void)state;
    Variant variant = variant_default(&box_game);
    int ended;
    assert_ok(contract_check(&variant, 1, 40, 3, &ended));
    assert_int_equal(ended, 0);
}

static void illegal_moves_are_refused(void **state) {
    (void)state;
    Variant variant = variant_default(&box_game);
    State position;
    assert_ok(box_parse_state(&variant.rules, "13456789 1 17 12", &position));
    State before = position;
    assert_fails(variant_play(&variant, &position, 0x3), STATUS_USAGE, "not possible");
    assert_memory_equal(&before, &position, sizeof before);
    assert_ok(variant_play(&variant, &position, 1u << 2 | 1u << 8));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_keeps_the_contract),
        cmocka_unit_test(box_variants_keep_the_contract),
        cmocka_unit_test(numbering_is_complete),
        cmocka_unit_test(no_numbering_where_it_would_not_fit),
        cmocka_unit_test(variants_read_back),
        cmocka_unit_test(variants_refuse_nonsense),
        cmocka_unit_test(option_names_agree),
        cmocka_unit_test(the_contract_notices),
        cmocka_unit_test(a_bound_ends_long_games),
        cmocka_unit_test(illegal_moves_are_refused),
    };
    return cmocka_run_group_tests_name("game", tests, NULL, NULL);
}
