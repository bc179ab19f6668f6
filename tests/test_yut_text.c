/* Yut as text: moves, positions and rules as they are read and printed, the board as it is drawn,
 * and the saved games of the classic program. */
#include <stdlib.h>
#include <string.h>

#include "compat/yunnori/saves.h"
#include "yut_testing.h"

/* --- moves --- */

static void illegal_moves_are_named(void **state) {
    (void)state;
    assert_refused("--pieces 2", "0,3/0,0 0 gae", "0:do", "do is not in the list");
    assert_refused("--pieces 2", "0,3/0,0 0 gae", "4:gae", "no piece on 4");
    assert_refused("--pieces 2", "0,3/0,0 0 gae", "100:gae", "POSITION:RESULT");
    assert_refused("--pieces 2", "0,3/0,0 0 gae", "3", "POSITION:RESULT");
    assert_refused("--pieces 2", "0,5/0,0 0 gae", "5:gae:ring", "cannot be chosen");
    assert_refused("--pieces 2", "0,5/0,0 0 gae", "5:gae:x", "POSITION:RESULT");
    assert_refused("--pieces 2", "0,5/0,0 0 -", "5:gae", "throw");
    assert_refused("--pieces 2", "100,100/0,0 0 -", "5:gae", "over");
    assert_refused("--pieces 2 --back-do off", "0,5/0,0 0 -", "back-do", "throw");
}

/* The message ends with what is possible instead. */
static void illegal_moves_say_what_was_expected(void **state) {
    (void)state;
    assert_refused("--pieces 3", "0,3,7/0,0,0 0 do,gae,mo", "0:geol", "expected do, gae or mo");
    assert_refused("--pieces 3", "0,3,7/0,0,0 0 gae", "4:gae", "expected 0, 3 or 7");
    assert_refused("--pieces 3", "0,3,7/0,0,0 0 back-do", "0:back-do", "expected 3 or 7");
    assert_refused("--pieces 3 --back-from-1 off", "0,1,7/0,0,0 0 back-do", "1:back-do",
                   "expected 7");
    assert_refused("--pieces 2", "0,5/0,0 0 gae", "5:gae:ring", "expected 5:gae");
    assert_refused("--pieces 2", "0,5/0,0 0 gae", "gae", "such as 5:gae, not 'gae'");
    assert_refused("--pieces 2 --back-do off", "0,5/0,0 0 -", "0",
                   "expected do, gae, geol, yut or mo, not '0'");
}

/* Moves and throws in Korean, as they are shown there; whatever the language of the errors. */
static void moves_are_read_in_korean(void **state) {
    (void)state;
    assert_leads("--pieces 2", "0,5/0,0 0 gae", "0:개", "2,5/0,0 1 -");
    assert_leads("--pieces 2", "0,5/0,0 0 back-do,do", "5:빽도 0:도", "1,4/0,0 1 -");
    assert_leads("--pieces 2", "0,5/0,0 0 -", "윷 모 걸 0:윷 4:모 9:걸", "5,12/0,0 1 -");
    assert_leads("--pieces 2 --short-cut may", "0,5/0,0 0 gae", "5:개:바깥길", "0,7/0,0 1 -");
    assert_leads("--pieces 2 --short-cut may", "0,5/0,0 0 gae", "5:개:ring", "0,7/0,0 1 -");
    Variant variant = variant_of("--pieces 2 --short-cut may");
    State position = state_of(&variant, "0,5/0,0 0 gae");
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    yut_print_move(&variant.rules, &position, yut_move_pack(5, YUT_GAE, true), LANG_KO, &text);
    assert_string_equal(bytes, "5:개:바깥길");
    text = text_over(bytes, sizeof bytes);
    yut_print_move(&variant.rules, &position, yut_move_pack(5, YUT_GAE, true), LANG_EN, &text);
    assert_string_equal(bytes, "5:gae:ring");
}

static void illegal_moves_are_named_in_korean(void **state) {
    (void)state;
    static const struct {
        const char *options, *position, *move, *words;
    } bad[] = {{"", "0,3/0,0 0 gae", "0:do", "도: 남은 결과가 아닙니다. 남은 결과: 개"},
               {"", "0,3/0,0 0 gae", "4:개", "말이 있는 칸: 0, 3"},
               {"", "0,3/0,0 0 back-do", "0:빽도", "쓸 수 있는 칸: 3"},
               {"--back-from-1 off", "1,3/0,0 0 back-do", "1:빽도", "쓸 수 있는 칸: 3"},
               {"", "0,5/0,0 0 gae", "5:개:바깥길", "예: 5:개"},
               {"", "0,5/0,0 0 gae", "개", "'개': '칸:결과'로 적어야 합니다. 예: 5:개"},
               {"", "0,5/0,0 0 -", "five", "빽도, 도, 개, 걸, 윷, 모"},
               {"", "100,100/0,0 0 -", "5:개", "끝난"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char options[GAME_TEXT_BYTES];
        snprintf(options, sizeof options, "--pieces 2 %s", bad[i].options);
        Variant variant = variant_of(options);
        State position = state_of(&variant, bad[i].position);
        Move move;
        assert_fails(yut_parse_move(&variant.rules, &position, bad[i].move, LANG_KO, &move),
                     STATUS_USAGE, bad[i].words);
    }
}

/* --- positions and rules --- */

static void positions_name_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *options, *text, *words;
    } bad[] = {
        {"", "", "PIECES/PIECES TURN LIST"},
        {"", "0,0,0,0/0,0,0,0 0", "PIECES/PIECES TURN LIST"},
        {"", "0,0,0,0/0,0,0,0 0 - nn x", "PIECES/PIECES TURN LIST"},
        {"", "0,0,0/0,0,0,0 0 -", "pieces of player 0: expected 4, not 3"},
        {"", "0,0,0,0/0,0,0,0,0 0 -", "pieces of player 1: expected 4, not 5"},
        {"", "0,0,0,0/0,0,0,0/0,0,0,0 0 -", "pieces: expected those of 2 players, not of 3"},
        {"", "0,0,0,0 0 -", "pieces: expected those of 2 players, not of 1"},
        {"", "0,0,0,30/0,0,0,0 0 -", "pieces of player 0: expected squares"},
        {"", "0,0,0,-1/0,0,0,0 0 -", "not '-1'"},
        {"", "0,0,0,/0,0,0,0 0 -", "not ''"},
        {"", "0,0,5,3/0,0,0,0 0 -", "pieces of player 0: expected ascending"},
        {"", "0,0,0,5/0,0,0,5 0 -", "pieces: players 0 and 1 are both on square 5"},
        {"", "0,0,0,0/0,0,0,0 2 -", "turn: expected a whole number from 0 to 1"},
        {"", "0,0,0,0/0,0,0,0 0 gay", "list: expected back-do, do, gae"},
        {"", "0,0,0,0/0,0,0,0 0 yut,gae", "list: expected the order"},
        {"", "0,0,0,0/0,0,0,0 0 gae,", "list:"},
        {"", "0,0,0,0/0,0,0,0 0 gae++", "list: at most 1 throw"},
        {"", "0,0,0,0/0,0,0,0 0 +-", "list:"},
        {"", "100,100,100,100/100,100,100,100 0 -", "both home"},
        {"", "100,100,100,100/0,0,0,0 1 -", "turn: player 0 has won"},
        {"", "100,100,100,100/0,0,0,0 0 gae", "list: player 0 has won"},
        {"", "0,0,0,0/0,0,0,0 0 - p", "animals: expected nn"},
        {"--animals pd", "0,0,0,0/0,0,0,0 0 -", "animals: expected pd"},
        {"--animals cn", "0,0,0,6/0,0,0,0 0 - cn", "a cow never comes to 6"},
        {"--preset teams", "100,100,100,100/0,0,0,0/0,0,0,0/0,0,0,0 0 -", "no piece left"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Variant variant = variant_of(bad[i].options);
        State position;
        assert_fails(yut_parse_state(&variant.rules, bad[i].text, &position), STATUS_USAGE,
                     bad[i].words);
    }
}

static void an_underscore_stands_for_a_space(void **state) {
    (void)state;
    Variant variant = variant_of("--pieces 2");
    State a = state_of(&variant, "9,21/4,20 0 gae,yut");
    State b = state_of(&variant, "9,21/4,20_0_gae,yut");
    assert_memory_equal(&a, &b, sizeof a);
}

static void positions_tell_their_rules(void **state) {
    (void)state;
    static const struct {
        const char *position, *players, *pieces, *animals;
    } known[] = {
        {"9,21/4,20 0 -", "2", "2", "nn"},
        {"0/0/0/0 2 gae", "4", "1", "nnnn"},
        {"0,0,2,2/0,0,0,5_1_gae,yut_ps", "2", "4", "ps"},
        {"0,0,0/0,0,0/0,0,0 0 - sdc", "3", "3", "sdc"},
        {"nonsense", "2", "4", "nn"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        Rules rules = yut_rules_default();
        yut_rules_infer(&rules, known[i].position);
        const char *const names[] = {"players", "pieces", "animals"};
        const char *const expected[] = {known[i].players, known[i].pieces, known[i].animals};
        for (int j = 0; j < 3; j++) {
            char bytes[GAME_TEXT_BYTES];
            Text text = text_over(bytes, sizeof bytes);
            yut_rules_get(&rules, names[j], &text);
            assert_string_equal(bytes, expected[j]);
        }
    }
}

/* Options, preset and position together: preset < position < option, in any order. */
static void rules_and_position_are_resolved_together(void **state) {
    (void)state;
    static const struct {
        const char *options, *position;
        const char *rules; /* what variant_print writes; NULL: refused */
        const char *words; /* of the refusal */
    } cases[] = {
        {"--teams on", "0,0/0,0/0,0/0,0 0 do", "--players 4 --pieces 2 --teams on", NULL},
        {"--animals psdc", "0/0/0/0 0 - psdc", "--players 4 --pieces 1 --animals psdc", NULL},
        {"", "0/0/0/0 0 - psdc", "--players 4 --pieces 1 --animals psdc", NULL},
        {"", " 0/0_0_-_ps ", "--players 2 --pieces 1 --animals ps", NULL},
        {"", "_0/0 0 -", "--players 2 --pieces 1", NULL},
        {"--preset plain", "0,5/0,7 1 gae", "--pieces 2 --back-do off", NULL},
        {"--preset plain --pieces 2", "0,5/0,7 1 gae", "--pieces 2 --back-do off", NULL},
        {"--pieces 2 --preset plain", "0,5/0,7 1 gae", "--pieces 2 --back-do off", NULL},
        {"--pieces 1 --preset plain", NULL, "--pieces 1 --back-do off", NULL},
        {"--back-do on --preset plain", NULL, "", NULL},
        {"--preset teams", "0,0/0,0/0,0/0,0 0 do", "--players 4 --pieces 2 --teams on", NULL},
        {"--teams off --preset teams", "0/0/0/0 0 do", "--players 4 --pieces 1", NULL},
        {"--preset teams", "0,0/0,0 0 do", NULL, "--teams: expected --players 4, not 2"},
        {"--teams on", "0,0/0,0 0 do", NULL, "--teams: expected --players 4, not 2"},
        {"--pieces 3", "0,5/0,7 1 gae", NULL, "pieces of player 0: expected 3, not 2"},
        {"--players 3", "0,5/0,7 1 gae", NULL, "pieces: expected those of 3 players, not of 2"},
        {"--animals pp", "0,5/0,7 1 gae ss", NULL, "animals: expected pp, not 'ss'"},
        {"--animals psdc", "0/0 0 -", NULL, "more letters than players (2)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Variant variant;
        State position;
        Status status =
            resolve_text(&yut_game, cases[i].options, cases[i].position, &variant, &position);
        if (!cases[i].rules) {
            assert_false(status_is_ok(&status));
            assert_non_null(strstr(status.message, cases[i].words));
            continue;
        }
        if (!status_is_ok(&status))
            fail_msg("%s '%s': %s", cases[i].options, cases[i].position, status.message);
        Variant expected = variant_of(cases[i].rules);
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        variant_print(&variant, &text);
        if (!variant_equals(&variant, &expected))
            fail_msg("%s '%s': %s", cases[i].options, cases[i].position, bytes);
        assert_ok(yut_check(&variant.rules, &position));
    }
}

static void rules_refuse_nonsense(void **state) {
    (void)state;
    static const struct {
        const char *options, *words;
        StatusCode code;
    } bad[] = {
        {"--players 1", "from 2 to 4", STATUS_USAGE},
        {"--pieces 5", "from 1 to 4", STATUS_USAGE},
        {"--animals x", "a letter of pdscn", STATUS_USAGE},
        {"--animals pdscn", "a letter of pdscn", STATUS_USAGE},
        {"--preset teams --animals pdsc", "players 1 and 3 to be a cow", STATUS_UNSUPPORTED},
        {"--preset teams --animals cdsd", "players 0 and 2 to be a cow", STATUS_UNSUPPORTED},
        {"--animals pds", "more letters than players", STATUS_USAGE},
        {"--odds 1,2,3", "six whole numbers", STATUS_USAGE},
        {"--odds 1,2,3,4,5,6,7", "six whole numbers", STATUS_USAGE},
        {"--odds 1,2,3,4,5,x", "six whole numbers", STATUS_USAGE},
        {"--odds 0,0,0,1,1,1", "might never end", STATUS_UNSUPPORTED},
        {"--bias 1.5", "between 0 and 1", STATUS_USAGE},
        {"--bias 0.0", "between 0 and 1", STATUS_USAGE},
        {"--bias 0.12345", "at most 4 digits", STATUS_USAGE},
        {"--bias 0.", "between 0 and 1", STATUS_USAGE},
        {"--back-do maybe", "on or off", STATUS_USAGE},
        {"--preset sun", "did you mean 'snu'?", STATUS_USAGE},
        {"--teams on", "--players 4", STATUS_UNSUPPORTED},
    };
    Variant variant;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(variant_parse(&yut_game, bad[i].options, &variant), bad[i].code, bad[i].words);
}

/* --- the board --- */

static void draws_the_board(void **state) {
    (void)state;
    Variant variant = variant_of("--pieces 3");
    State position = state_of(&variant, "0,7,22/20,20,100 0 gae");
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    yut_draw(&variant.rules, &position, (DrawStyle){.ascii = true, .columns = 80}, &text);
    assert_string_equal(bytes, "[ ] - [ ] - [ ] - [A] - [ ] - [ ]\n"
                               " | [ ]                     Bx2 |\n"
                               "[ ]    .                 .    [ ]\n"
                               " |       [ ]         [ ]       |\n"
                               "[ ]          .     .          [ ]\n"
                               " |             [A]             |\n"
                               "[ ]          .     .          [ ]\n"
                               " |       [ ]         [ ]       |\n"
                               "[ ]    .                 .    [ ]\n"
                               " | [ ]                     [ ] |\n"
                               "[ ] - [ ] - [ ] - [ ] - [ ] - [ ] <- 29\n"
                               "A player 0: 1 at the start, 0 home\n"
                               "B player 1: 0 at the start, 1 home\n"
                               "player 0 to play: gae\n");
    text = text_over(bytes, sizeof bytes);
    yut_draw(&variant.rules, &position, (DrawStyle){.ascii = true, .numbers = true, .columns = 80},
             &text);
    assert_string_equal(bytes, "[10 ]-[ 9 ]-[ 8 ]-[ 7A]-[ 6 ]-[ 5 ]\n"
                               "  | [25 ]                 20Bx2 |\n"
                               "[11 ]    .               .    [ 4 ]\n"
                               "  |       [26 ]     [21 ]       |\n"
                               "[12 ]          .   .          [ 3 ]\n"
                               "  |            [22A]            |\n"
                               "[13 ]          .   .          [ 2 ]\n"
                               "  |       [23 ]     [27 ]       |\n"
                               "[14 ]    .               .    [ 1 ]\n"
                               "  | [24 ]                 [28 ] |\n"
                               "[15 ]-[16 ]-[17 ]-[18 ]-[19 ]-[29 ]\n"
                               "A player 0: 1 at the start (0), 0 home\n"
                               "B player 1: 0 at the start (0), 1 home\n"
                               "player 0 to play: gae\n");
}

/* With numbers, each square from 1 to 29 shows its own once, in any style and within 40 columns. */
static void every_square_shows_its_number(void **state) {
    (void)state;
    Variant variant = variant_of("--players 4");
    State position = state_of(&variant, "0,1,9,9/5,10,10,10/20,21,22,29/2,2,2,100 0 mo");
    for (unsigned i = 0; i < 4u * LANG_COUNT; i++) {
        DrawStyle style = {.color = i & 1u,
                           .ascii = (i & 2u) != 0,
                           .numbers = true,
                           .lang = (Lang)(i / 4),
                           .columns = 40};
        char bytes[GAME_DRAW_BYTES];
        int shown[100] = {0}, row = 0;
        Text text = text_over(bytes, sizeof bytes);
        yut_draw(&variant.rules, &position, style, &text);
        for (char *line = strtok(bytes, "\n"); line && row < 11; line = strtok(NULL, "\n"), row++) {
            assert_true(text_columns(line) <= 40 || style.color);
            for (char *at = line; *at; at++) {
                if (*at == '\x1b') {
                    at = strchr(at, 'm');
                } else if (at[0] >= '0' && at[0] <= '9' && (at == line || at[-1] != 'x') &&
                           (at == line || (unsigned char)at[-1] < 0x80)) {
                    shown[strtol(at, &at, 10)]++;
                    at--;
                }
            }
        }
        for (int square = 0; square < 100; square++)
            assert_int_equal(shown[square], square >= 1 && square <= 29);
    }
}

/* --- saved games of the classic program --- */

static void saved_games_read_back(void **state) {
    (void)state;
    static const char *const good[] = {
        "Olivia Ava Sophia | Olivia 2 0 0 10 10 | Ava 1 0 0 2 100 | Sophia 3 0 3 100 100 | 2",
        "Noah Liam | Noah 1 0 100 100 100 | Liam 0 1 5 5 5 | 1",
        "A B C D | A 0 0 0 0 1 | B 1 0 0 0 2 | C 2 0 0 0 3 | D 3 0 0 0 4 | 3",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        SavedGame game;
        char bytes[SAVES_LINE_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        assert_true(saves_parse(good[i], &game));
        saves_print(&game, &text);
        assert_string_equal(bytes, good[i]);
    }
    static const char *const bad[] = {
        "",
        "Noah",
        "Noah Noah | Noah 1 0 0 0 0 | Noah 0 1 5 5 5 | 1",
        "Noah Liam | Noah 1 0 100 100 100 | Liam 0 1 5 5 5",
        "Noah Liam | Noah 1 0 100 100 100 | Liam 0 1 5 5 5 | 2",
        "Noah Liam | Noah 1 0 100 100 100 | Liam 0 1 5 5 5 | 1 x",
        "A B C D | A 0 0 0 0 1 | B 1 0 0 0 2 | C 2 0 0 0 3 | D 3 0 0 0 4 | 3 x",
        "Noah Liam | Noah 4 0 100 100 100 | Liam 0 1 5 5 5 | 1",
        "Noah Liam | Noah 1 0 100 100 | Liam 0 1 5 5 5 | 1",
        "Noah Liam | Liam 1 0 100 100 100 | Noah 0 1 5 5 5 | 1",
        "Noah Liam | Noah 1 5 0 100 100 | Liam 0 1 5 5 5 | 1",
        "Noah Liam | Noah 1 0 0 0 5 | Liam 0 1 5 5 5 | 1",
        "Noah Liam | Noah 1 100 100 100 100 | Liam 0 1 5 5 5 | 1",
        "Noah Liam | Noah 3 0 0 0 7 | Liam 0 1 5 5 5 | 1",
        "Noah Liam | Noah 1 0 30 100 100 | Liam 0 1 5 5 5 | 1",
        "A B C D E | A 0 0 0 0 0 | B 0 0 0 0 0 | C 0 0 0 0 0 | D 0 0 0 0 0 | E 0 0 0 0 0 | 1",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        SavedGame game;
        assert_false(saves_parse(bad[i], &game));
    }
}

static void rewriting_keeps_other_lines(void **state) {
    (void)state;
    SavedGame game;
    assert_true(saves_parse("Noah Liam | Noah 1 0 0 0 0 | Liam 0 0 0 0 0 | 0", &game));
    static const char before[] = "garbage\r\n\n"
                                 "Liam Noah | Liam 1 0 0 0 0 | Noah 0 0 0 0 0 | 0\n"
                                 "Ava Liam | Ava 1 0 0 0 0 | Liam 0 0 0 0 0 | 0\n"
                                 "Noah Liam | Noah 1 0 0 0 1 | Liam 0 0 0 0 0 | 0\n"
                                 "no end";
    size_t size;
    char *after = saves_rewrite(before, sizeof before - 1, &game, "NEW", &size);
    assert_string_equal(after, "garbage\r\n\n"
                               "Ava Liam | Ava 1 0 0 0 0 | Liam 0 0 0 0 0 | 0\n"
                               "no end\nNEW\n");
    assert_int_equal(size, strlen(after));
    free(after);
    /* An empty line has no end to look at, and nothing is before the first one. */
    char *empty_line = malloc(1);
    assert_non_null(empty_line);
    *empty_line = '\n';
    after = saves_rewrite(empty_line, 1, &game, NULL, &size);
    assert_string_equal(after, "\n");
    free(after);
    free(empty_line);
    after = saves_rewrite("", 0, &game, NULL, &size);
    assert_int_equal(size, 0);
    free(after);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(illegal_moves_are_named),
        cmocka_unit_test(illegal_moves_say_what_was_expected),
        cmocka_unit_test(moves_are_read_in_korean),
        cmocka_unit_test(illegal_moves_are_named_in_korean),
        cmocka_unit_test(positions_name_what_is_wrong),
        cmocka_unit_test(an_underscore_stands_for_a_space),
        cmocka_unit_test(positions_tell_their_rules),
        cmocka_unit_test(rules_and_position_are_resolved_together),
        cmocka_unit_test(rules_refuse_nonsense),
        cmocka_unit_test(draws_the_board),
        cmocka_unit_test(every_square_shows_its_number),
        cmocka_unit_test(saved_games_read_back),
        cmocka_unit_test(rewriting_keeps_other_lines),
    };
    return cmocka_run_group_tests_name("yut text", tests, NULL, NULL);
}
