/* The public library, through its header alone. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "malpan.h"
#include "testing.h"

static void values_and_moves(void **state) {
    (void)state;
    char error[MALPAN_ERROR_BYTES];
    MalpanGame *game = malpan_open("box", NULL, error);
    assert_non_null(game);
    char position[MALPAN_TEXT_BYTES];
    double value, values[2];
    assert_int_equal(malpan_start(game, position), MALPAN_OK);
    assert_string_equal(position, "123456789 0 - -");
    assert_int_equal(malpan_player_count(game), 2);
    assert_int_equal(malpan_value(game, position, &value), MALPAN_OK);
    assert_true(fabs(value - 0.502810) < 5e-7);
    assert_int_equal(malpan_values(game, "13456789 1 17 12", values), MALPAN_OK);
    assert_true(fabs(values[0] + values[1] - 1) < 1e-12);

    static MalpanMove moves[MALPAN_MOVES_MAX];
    size_t count;
    assert_int_equal(malpan_moves(game, "13456789 1 17 12", moves, 2, &count), MALPAN_OK);
    assert_int_equal(count, 7);
    assert_string_equal(moves[0].text, "3+9");
    assert_string_equal(moves[1].text, "4+8");
    assert_true(moves[0].value == values[1]);
    assert_int_equal(malpan_moves(game, position, moves, 2, &count), MALPAN_OK);
    assert_int_equal(count, 0);

    char next[MALPAN_TEXT_BYTES];
    assert_int_equal(malpan_play(game, "13456789 1 17 12", "3+9", next), MALPAN_OK);
    assert_string_equal(next, "145678 1 17 -");
    int player, is_chance;
    assert_int_equal(malpan_turn(game, next, &player, &is_chance), MALPAN_OK);
    assert_int_equal(player, 1);
    assert_true(is_chance);
    assert_int_equal(malpan_turn(game, "12 1 17 -", &player, &is_chance), MALPAN_OK);
    assert_int_equal(player, -1);
    malpan_close(game);
}

static void failures_say_why(void **state) {
    (void)state;
    char error[MALPAN_ERROR_BYTES];
    assert_null(malpan_open("bxo", "", error));
    assert_non_null(strstr(error, "did you mean 'box'?"));
    assert_null(malpan_open("box", "--tiles 99", NULL));
    MalpanGame *game = malpan_open("box", "--tiles 20 --players 1", error);
    assert_non_null(game);
    malpan_set_memory(game, 1 << 20);
    double value;
    char text[MALPAN_TEXT_BYTES];
    assert_int_equal(malpan_value(game, "nonsense", &value), MALPAN_USAGE);
    assert_non_null(strstr(malpan_error(game), "OPEN PLAYER SCORES ROLL"));
    assert_int_equal(malpan_value(game, "1,2,20 0 - -", &value), MALPAN_UNSUPPORTED);
    malpan_set_memory(game, (size_t)1 << 30);
    assert_int_equal(malpan_value(game, "1,2,3 0 - -", &value), MALPAN_OK);
    assert_int_equal(malpan_play(game, "1,2,20 0 - -", "13", text), MALPAN_USAGE);
    assert_int_equal(malpan_start(game, text), MALPAN_OK);
    assert_string_equal(malpan_error(game), "");
    malpan_close(game);
    malpan_close(NULL);
}

static void games_have_names(void **state) {
    (void)state;
    bool box = false;
    for (size_t i = 0; malpan_game_name(i); i++)
        box = box || strcmp(malpan_game_name(i), "box") == 0;
    assert_true(box);
    assert_null(malpan_game_name(1000));
    assert_true(strlen(malpan_version()) >= 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_moves),
        cmocka_unit_test(failures_say_why),
        cmocka_unit_test(games_have_names),
    };
    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
