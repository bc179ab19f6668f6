/* King's Valley: rules, texts, counts; against the plain model of valley_plain.h. */
#include "base/random.h"
#include "game/contract.h"
#include "players/player.h"
#include "valley_plain.h"
#include "valley_testing.h"
#include "values/perft.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 28, .threads = 1};

/* Parses a position; the variant is inferred from it. */
static State position_of(const char *text, Variant *variant) {
    State state;
    *variant = variant_default(&valley_game);
    valley_rules_infer(&variant->rules, text);
    assert_ok(valley_parse_state(&variant->rules, text, &state));
    return state;
}

static Plain plain_of(const Variant *variant, const State *state) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    valley_print_state(&variant->rules, state, &text);
    return plain_read(bytes);
}

static Move move_of(PlainMove move) {
    return valley_move_pack((uint32_t)(5 * move.from_rank + move.from_file),
                            (uint32_t)(5 * move.to_rank + move.to_file));
}

/* Plays moves, which must be legal, and returns the resulting state. */
static State play(const char *from, const char *moves, Variant *variant) {
    State state = position_of(from, variant);
    char storage[GAME_TEXT_BYTES];
    char *words[32];
    size_t count = text_split(moves, storage, sizeof storage, words, 32);
    for (size_t i = 0; i < count; i++) {
        Move move;
        assert_ok(valley_parse_move(&variant->rules, &state, words[i], LANG_EN, &move));
        assert_ok(variant_play(variant, &state, move));
    }
    return state;
}

static void is_refused(const char *from, const char *move, const char *words) {
    Variant variant;
    Move parsed;
    State state = position_of(from, &variant);
    assert_fails(valley_parse_move(&variant.rules, &state, move, LANG_EN, &parsed), STATUS_USAGE,
                 words);
}

static void illegal_moves_are_named_in_korean(void **state) {
    (void)state;
    static const struct {
        const char *position, *move, *words;
    } bad[] = {{"sskss/5/5/5/SSKSS w 1", "a1a2", "a1에서 갈 수 있는 칸: a4, d4"},
               {"sskss/5/5/5/SSKSS w 1", "a5a2", "a5에 백의 말이 없습니다"},
               {"sskss/2S2/5/5/SKS1S w 3", "c1c3", "왕만"},
               {"sskss/5/5/5/SSKSS w 1", "c1c4", "첫 수는 병사로"},
               {"sskss/5/5/5/SSKSS w 1", "a9", "예: a1d4"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Variant variant;
        Move move;
        State position = position_of(bad[i].position, &variant);
        assert_fails(valley_parse_move(&variant.rules, &position, bad[i].move, LANG_KO, &move),
                     STATUS_USAGE, bad[i].words);
    }
}

/* --- the rules by name --- */

static void a_piece_goes_as_far_as_it_can(void **state) {
    (void)state;
    is_refused("sskss/5/5/5/SSKSS w 1", "a1a2", "from a1 to a4 or d4");
    is_refused("sskss/5/5/5/SSKSS w 1", "a1b1", "from a1 to a4 or d4");
    is_refused("sskss/5/5/5/SSKSS w 1", "a2a4", "no piece of white's on a2");
    is_refused("sskss/5/5/5/SSKSS w 1", "a5a2", "no piece of white's on a5");
    Variant variant;
    play("sskss/5/5/5/SSKSS w 1", "a1d4 a5a1", &variant);
}

static void a_soldier_may_not_stop_in_the_valley(void **state) {
    (void)state;
    /* A soldier on c4 stops those that come up the file on c3. */
    is_refused("sskss/2S2/5/5/SKS1S w 3", "c1c3", "only a king may stop on c3");
    is_refused("ssk1s/3s1/5/1S3/1KSSS w 3", "b2c3", "only a king may stop on c3");
}

static void a_soldier_passes_over_the_valley(void **state) {
    (void)state;
    Variant variant;
    State after = play("sskss/5/5/5/SSKSS w 1", "a1d4", &variant);
    assert_int_equal(valley_actor(&variant.rules, &after), VALLEY_BLACK);
}

static void a_king_that_stops_in_the_valley_wins(void **state) {
    (void)state;
    Variant variant;
    double payoffs[2];
    State after = play("sskss/2S2/5/5/1SKSS w 3", "c1c3", &variant);
    assert_int_equal(valley_actor(&variant.rules, &after), GAME_END);
    assert_int_equal(valley_ending(&variant.rules, &after), 0);
    valley_payoff(&variant.rules, &after, payoffs);
    assert_true(payoffs[0] == 1 && payoffs[1] == 0);
    after = play("1skss/5/5/2s2/SSKSS w 3", "a1a5 c5c3", &variant);
    assert_int_equal(valley_actor(&variant.rules, &after), GAME_END);
    valley_payoff(&variant.rules, &after, payoffs);
    assert_true(payoffs[0] == 0 && payoffs[1] == 1);
}

static void a_king_passes_over_the_valley(void **state) {
    (void)state;
    is_refused("sskss/5/5/5/SSKSS w 3", "c1c3", "from c1 to ");
    Variant variant;
    State after = play("sskss/5/5/5/SSKSS w 3", "c1c4", &variant);
    assert_int_equal(valley_actor(&variant.rules, &after), VALLEY_BLACK);
}

static void walling_in_the_other_king_wins(void **state) {
    (void)state;
    Variant variant;
    double payoffs[2];
    State after = play("k3s/s3s/4S/1S3/S1KSs w 9", "b2b5", &variant);
    assert_int_equal(valley_actor(&variant.rules, &after), VALLEY_BLACK); /* b4 is free */
    after = play("kS2s/s3s/5/1S3/S1KSs w 9", "b2b4", &variant);
    assert_int_equal(valley_actor(&variant.rules, &after), GAME_END);
    assert_int_equal(valley_ending(&variant.rules, &after), 1);
    valley_payoff(&variant.rules, &after, payoffs);
    assert_true(payoffs[0] == 1 && payoffs[1] == 0);
    after = play("s1ksS/1s3/5/S3S/Ks2S b 10", "b4b2", &variant); /* black walls in white's */
    assert_int_equal(valley_ending(&variant.rules, &after), 1);
    valley_payoff(&variant.rules, &after, payoffs);
    assert_true(payoffs[0] == 0 && payoffs[1] == 1);
}

static void walling_in_the_own_king_loses(void **state) {
    (void)state;
    Variant variant;
    double payoffs[2];
    State after = play("s1k1s/s4/4S/S2S1/KS2s w 9", "d2b2", &variant);
    assert_int_equal(valley_actor(&variant.rules, &after), GAME_END);
    assert_int_equal(valley_ending(&variant.rules, &after), 2);
    valley_payoff(&variant.rules, &after, payoffs);
    assert_true(payoffs[0] == 0 && payoffs[1] == 1);
}

static void walling_in_both_kings_wins(void **state) {
    (void)state;
    Variant variant;
    double payoffs[2];
    /* White's king on a1, black's on a3; b2 is the last free square beside both. */
    State after = play("5/ss3/ks3/S2S1/KS3 w 9", "d2b2", &variant);
    assert_int_equal(valley_actor(&variant.rules, &after), GAME_END);
    assert_int_equal(valley_ending(&variant.rules, &after), 1);
    valley_payoff(&variant.rules, &after, payoffs);
    assert_true(payoffs[0] == 1);
}

static void the_valley_counts_as_free(void **state) {
    (void)state;
    Variant variant;
    /* All squares beside the king on b2 are taken but c3. */
    State position = position_of("3sk/5/Ss3/SKs2/SSs2 w 9", &variant);
    assert_int_equal(valley_actor(&variant.rules, &position), VALLEY_WHITE);
    play("3sk/5/Ss3/SKs2/SSs2 w 9", "b2d4", &variant);
}

static void the_first_move_is_a_soldiers(void **state) {
    (void)state;
    is_refused("sskss/5/5/5/SSKSS w 1", "c1c4", "very first move must be a soldier's");
    Variant variant;
    play("sskss/5/5/5/SSKSS w 1", "a1a4 c5c2", &variant);     /* black's may be the king's */
    State start = position_of("2k2/5/5/5/2K2 w 1", &variant); /* and there may be no soldier */
    assert_int_equal(perft_count(&variant, &start, 1), 5);
}

static void variants_begin_as_told(void **state) {
    (void)state;
    static const char *const starts[] = {"2k2/5/5/5/2K2 w 1", "1sk2/5/5/5/1SK2 w 1",
                                         "1sks1/5/5/5/1SKS1 w 1", "ssks1/5/5/5/SSKS1 w 1",
                                         "sskss/5/5/5/SSKSS w 1"};
    for (int soldiers = 0; soldiers <= 4; soldiers++) {
        Variant variant = with_soldiers(soldiers);
        State start = valley_start(&variant.rules);
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        valley_print_state(&variant.rules, &start, &text);
        assert_string_equal(bytes, starts[soldiers]);
    }
}

static void retrieve_exchanges_the_kings(void **state) {
    (void)state;
    static const char *const starts[] = {"2K2/5/5/5/2k2 w 1", "1sK2/5/5/5/1Sk2 w 1",
                                         "1sKs1/5/5/5/1SkS1 w 1", "ssKs1/5/5/5/SSkS1 w 1",
                                         "ssKss/5/5/5/SSkSS w 1"};
    for (int soldiers = 0; soldiers <= 4; soldiers++) {
        char options[GAME_TEXT_BYTES], bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        Variant variant, implied;
        State position;
        snprintf(options, sizeof options, "--soldiers %d --start retrieve", soldiers);
        assert_ok(variant_parse(&valley_game, options, &variant));
        State start = valley_start(&variant.rules);
        valley_print_state(&variant.rules, &start, &text);
        assert_string_equal(bytes, starts[soldiers]);
        /* The position names the setup. */
        assert_ok(resolve_text(&valley_game, "", bytes, &implied, &position));
        assert_true(variant_equals(&variant, &implied));
        assert_memory_equal(&position, &start, sizeof start);
        assert_ok(contract_check(&variant, 12, 40, 300, NULL));
    }
    Variant variant;
    assert_fails(variant_parse(&valley_game, "--start other", &variant), STATUS_USAGE,
                 "--start: expected standard or retrieve");
    /* The first move is a soldier's here, too. */
    is_refused("ssKss/5/5/5/SSkSS w 1", "c5c2", "very first move must be a soldier's");
}

static void what_cannot_be_is_refused_by_name(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {{"sskss/5/5/2K2/SSKSS w 1", "white: expected one king, not 2"},
               {"sskss/5/5/5/SS1SS w 1", "white: expected one king, not 0"},
               {"sskks/5/5/5/SSKSS w 1", "black: expected one king, not 2"},
               {"sskss/5/5/S4/SSKSS w 1", "white: at most four soldiers, not 5"},
               {"sskss/5/5/s4/SSKSS w 1", "black: at most four soldiers, not 5"},
               {"sskss/5/2S2/5/1SKSS w 3", "c3: a soldier of white's"},
               {"1skss/5/2s2/5/SSKSS w 3", "c3: a soldier of black's"},
               {"ssks1/5/5/5/SSKSS w 1", "white has 4 soldiers and black 3"},
               {"sskss/5/2K2/5/SS1SS w 3", "the game is over"},
               {"sskss/5/5/5/SSKSS x 1", "side to move: expected w or b"},
               {"sskss/5/5/5/SSKSS w 0", "ply"},
               {"sskss/5/5/5/SSKSS w -1", "ply"},
               {"sskss/5/5/5/SSKSS w", "BOARD SIDE PLY"},
               {"sskss/5/5/5/SSKSS w 1 1", "BOARD SIDE PLY"},
               {"", "BOARD SIDE PLY"},
               {"sskss/5/5/SSKSS w 1", "five ranks"},
               {"sskss/5/5/5/5/SSKSS w 1", "five ranks"},
               {"sskss/5/5/6/SSKSS w 1", "rank 2: expected K, S, k, s or 1 to 5, not '6'"},
               {"sskss/5/5/41s/SSKSS w 1", "rank 2: more than five squares"},
               {"sskss/5/5/4/SSKSS w 1", "rank 2: expected five squares, not 4"},
               {"sskss/5/5/5/SSQSS w 1", "rank 1: expected K, S, k, s or 1 to 5, not 'Q'"}};
    Variant variant = variant_default(&valley_game);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        State position;
        assert_fails(valley_parse_state(&variant.rules, bad[i].text, &position), STATUS_USAGE,
                     bad[i].words);
    }
    State position;
    assert_fails(valley_parse_state(&variant.rules, "1sk2/5/5/5/1SK2 w 1", &position), STATUS_USAGE,
                 "expected 4 soldiers a side, not 1");
}

static void keeps_the_contract(void **state) {
    (void)state;
    for (int soldiers = 0; soldiers <= 4; soldiers++) {
        Variant variant = with_soldiers(soldiers);
        assert_ok(contract_check(&variant, 11, 40, 300, NULL));
    }
}

/* --- against the plain model --- */

static void paths_agree(void **state) {
    (void)state;
    static const int depths[] = {6, 5, 5, 4, 4};
    Random random = random_from_seed(5, 0);
    for (int soldiers = 0; soldiers <= 4; soldiers++) {
        Variant variant = with_soldiers(soldiers);
        State start = valley_start(&variant.rules);
        Plain plain = plain_of(&variant, &start);
        for (int depth = 0; depth <= depths[soldiers]; depth++) {
            uint64_t paths = plain_perft(&plain, depth);
            assert_int_equal(perft_count(&variant, &start, depth), paths);
            assert_int_equal(perft_count_plain(&variant, &start, depth), paths);
        }
        for (int i = 0; i < test_times(20); i++) {
            State position = wander(&variant, &random, (int)random_below(&random, 40));
            plain = plain_of(&variant, &position);
            assert_int_equal(perft_count(&variant, &position, 3), plain_perft(&plain, 3));
        }
    }
}

/* Ends of the game, move scores and the choices of minimax. */
static void moves_agree(void **state) {
    (void)state;
    Random random = random_from_seed(6, 0);
    for (int i = 0; i < test_times(4000); i++) {
        Variant variant = with_soldiers(i % 5);
        State position = wander(&variant, &random, (int)random_below(&random, 40));
        Plain plain = plain_of(&variant, &position);
        PlainMove moves[PLAIN_MOVES_MAX];
        Move listed[GAME_MOVES_MAX];
        int count = plain_moves(&plain, moves);
        assert_int_equal(valley_moves(&variant.rules, &position, listed), count);
        for (int j = 0; j < count; j++) {
            State next = position;
            assert_ok(variant_play(&variant, &next, move_of(moves[j])));
            Plain after = plain_after(&plain, moves[j]);
            int outcome = plain_outcome(&after);
            assert_int_equal(valley_actor(&variant.rules, &next) == GAME_END, outcome != 0);
            if (outcome != 0) {
                double payoffs[2];
                valley_payoff(&variant.rules, &next, payoffs);
                assert_true(payoffs[valley_turn(&variant.rules, &position)] == (outcome == 1));
            }
            assert_true(valley_move_score(&variant.rules, &position, move_of(moves[j])) ==
                        plain_judge(&plain, moves[j]));
        }
    }
}

/* The value of the move by the plain model, which lists moves in another order. */
static double plain_worth(const Plain *plain, PlainMove move, int depth) {
    Plain next = plain_after(plain, move);
    int unused;
    return depth == 1 || plain_outcome(&next) != 0 ? plain_judge(plain, move)
                                                   : -plain_minimax(&next, depth - 1, &unused);
}

static void minimax_and_greedy_choose_by_the_study(void **state) {
    (void)state;
    static const char *const names[] = {"greedy", "minimax:1", "minimax:2", "minimax:3"};
    static const int depths[] = {1, 1, 2, 3};
    Random random = random_from_seed(7, 0);
    Variant variant = variant_default(&valley_game);
    for (int i = 0; i < 4; i++) {
        Seat seat;
        Player *player;
        Solver *solver = NULL;
        assert_ok(seat_parse(names[i], &seat));
        assert_ok(seat_open(&seat, &variant, &limits, &solver, &player));
        for (int j = 0; j < test_times(60); j++) {
            State position = wander(&variant, &random, (int)random_below(&random, 40));
            Plain plain = plain_of(&variant, &position);
            PlainMove moves[PLAIN_MOVES_MAX];
            Move chosen, listed[GAME_MOVES_MAX];
            int count = plain_moves(&plain, moves), best;
            double most = plain_minimax(&plain, depths[i], &best);
            assert_ok(player->choose(player, &position, &random, &chosen));
            /* The first of the game's list that is worth as much. */
            size_t listed_count = valley_moves(&variant.rules, &position, listed);
            Move expected = UINT32_MAX;
            for (size_t k = listed_count; k-- > 0;)
                for (int m = 0; m < count; m++)
                    if (move_of(moves[m]) == listed[k] &&
                        plain_worth(&plain, moves[m], depths[i]) == most)
                        expected = listed[k];
            assert_int_equal(chosen, expected);
        }
        player->free(player);
    }
}

/* --- counting and symmetry --- */

/* Counts placements one by one: all, those without a soldier in the valley, those that go on. */
static void count_placements(uint64_t counts[3], int soldiers) {
    /* Base 5 digits: empty, K, k, S, s; one or no soldier a side is few enough. */
    memset(counts, 0, 3 * sizeof counts[0]);
    int last = soldiers ? 25 : 1;
    for (int a = 0; a < 25; a++)
        for (int b = 0; b < 25; b++)
            for (int c = 0; c < last; c++)
                for (int d = 0; d < last; d++) {
                    if (a == b || (soldiers && (c == d || c == a || c == b || d == a || d == b)))
                        continue;
                    Plain plain;
                    memset(plain.board, '.', sizeof plain.board);
                    plain.board[a / 5][a % 5] = 'K';
                    plain.board[b / 5][b % 5] = 'k';
                    if (soldiers) {
                        plain.board[c / 5][c % 5] = 'S';
                        plain.board[d / 5][d % 5] = 's';
                    }
                    char valley = plain.board[2][2];
                    bool legal = valley != 'S' && valley != 's';
                    counts[0]++;
                    counts[1] += legal;
                    counts[2] += legal && valley == '.' && !plain_is_walled(&plain, 'K') &&
                                 !plain_is_walled(&plain, 'k');
                }
}

static void placements_are_counted_right(void **state) {
    (void)state;
    for (int soldiers = 0; soldiers <= 1; soldiers++) {
        uint64_t counts[3];
        Variant variant = with_soldiers(soldiers);
        count_placements(counts, soldiers);
        assert_int_equal(valley_census.placements(&variant.rules), counts[0]);
        assert_int_equal(valley_census.legal(&variant.rules), counts[1]);
        assert_int_equal(valley_census.in_progress(&variant.rules), counts[2]);
    }
    /* As the rules give them. */
    Variant variant = variant_default(&valley_game);
    assert_int_equal(valley_census.placements(&variant.rules), 20593188000);
    assert_int_equal(valley_census.legal(&variant.rules), 20593188000 / 100 * 68);
    /* With four soldiers, by drawing: 200,000 placements without anyone in the valley. */
    Random random = random_from_seed(8, 0);
    int on = 0, drawn = 200000;
    for (int i = 0; i < drawn; i++) {
        Plain plain;
        static const char pieces[] = "KkSSSSssss";
        memset(plain.board, '.', sizeof plain.board);
        for (const char *piece = pieces; *piece;) {
            uint64_t at = random_below(&random, 25);
            if (at == 12 || plain.board[at / 5][at % 5] != '.')
                continue;
            plain.board[at / 5][at % 5] = *piece++;
        }
        on += !plain_is_walled(&plain, 'K') && !plain_is_walled(&plain, 'k');
    }
    double part = (double)valley_census.in_progress(&variant.rules) / 12355912800.0;
    assert_true((double)on / drawn > part - 0.002 && (double)on / drawn < part + 0.002);
}

static void images_fold_into_one(void **state) {
    (void)state;
    static Symmetries symmetries;
    Random random = random_from_seed(9, 0);
    symmetries_init(&symmetries);
    for (int i = 0; i < test_times(5000); i++) {
        Variant variant = with_soldiers(i % 5);
        State position = wander(&variant, &random, (int)random_below(&random, 40));
        ValleyState valley = valley_state(&position);
        int mover = (int)valley.turn, symmetry;
        uint64_t key = symmetry_key(&symmetries, &valley.board, mover, &symmetry);
        /* The key determines the canonical image, so no other position shares it. */
        ValleyBoard image = image_of(&symmetries, &valley.board, symmetry);
        assert_int_equal(key & VALLEY_ALL, image.soldiers[mover]);
        assert_int_equal(key >> 25 & 31, image.kings[mover]);
        assert_int_equal(key >> 32 & VALLEY_ALL, image.soldiers[1 - mover]);
        assert_int_equal(key >> 57, image.kings[1 - mover]);
        for (int other = 0; other < SYMMETRY_COUNT; other++) {
            int unused;
            ValleyBoard turned = image_of(&symmetries, &valley.board, other);
            assert_int_equal(symmetry_key(&symmetries, &turned, mover, &unused), key);
            ValleyBoard back = image_of(&symmetries, &turned, symmetries.inverse[other]);
            assert_memory_equal(&back, &valley.board, sizeof back);
        }
    }
}

static void draws_the_board(void **state) {
    (void)state;
    Variant variant;
    State position = position_of("s1k1s/5/5/1S3/3KS b 8", &variant);
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    valley_draw(&variant.rules, &position, (DrawStyle){.ascii = true, .columns = 80}, &text);
    assert_string_equal(bytes, "    a   b   c   d   e\n"
                               "  +---+---+---+---+---+\n"
                               "5 | s |   | k |   | s | 5\n"
                               "  +---+---+---+---+---+\n"
                               "4 |   |   |   |   |   | 4\n"
                               "  +---+---+---+---+---+\n"
                               "3 |   |   | * |   |   | 3\n"
                               "  +---+---+---+---+---+\n"
                               "2 |   | S |   |   |   | 2\n"
                               "  +---+---+---+---+---+\n"
                               "1 |   |   |   | K | S | 1\n"
                               "  +---+---+---+---+---+\n"
                               "    a   b   c   d   e\n"
                               "black to move, ply 8\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(illegal_moves_are_named_in_korean),
        cmocka_unit_test(a_piece_goes_as_far_as_it_can),
        cmocka_unit_test(a_soldier_may_not_stop_in_the_valley),
        cmocka_unit_test(a_soldier_passes_over_the_valley),
        cmocka_unit_test(a_king_that_stops_in_the_valley_wins),
        cmocka_unit_test(a_king_passes_over_the_valley),
        cmocka_unit_test(walling_in_the_other_king_wins),
        cmocka_unit_test(walling_in_the_own_king_loses),
        cmocka_unit_test(walling_in_both_kings_wins),
        cmocka_unit_test(the_valley_counts_as_free),
        cmocka_unit_test(the_first_move_is_a_soldiers),
        cmocka_unit_test(variants_begin_as_told),
        cmocka_unit_test(retrieve_exchanges_the_kings),
        cmocka_unit_test(what_cannot_be_is_refused_by_name),
        cmocka_unit_test(keeps_the_contract),
        cmocka_unit_test(paths_agree),
        cmocka_unit_test(moves_agree),
        cmocka_unit_test(minimax_and_greedy_choose_by_the_study),
        cmocka_unit_test(placements_are_counted_right),
        cmocka_unit_test(images_fold_into_one),
        cmocka_unit_test(draws_the_board),
    };
    return cmocka_run_group_tests_name("valley", tests, NULL, NULL);
}
