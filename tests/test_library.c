/* The public library, through its header alone. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Turns the byte in the middle of the file around. */
static void damage(const char *path) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long middle = ftell(file) / 2;
    assert_int_equal(fseek(file, middle, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, middle, SEEK_SET), 0);
    assert_int_equal(fputc(byte ^ 255, file), byte ^ 255);
    assert_int_equal(fclose(file), 0);
}

/* A table is left in the folder, used the next time, and refused when it is damaged. */
static void tables_are_kept_and_used(void **state) {
    (void)state;
    char folder[] = "/tmp/malpan-tables-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/yut-pieces-1.table", folder);
    MalpanGame *game = malpan_open("yut", "--pieces 1", NULL);
    assert_non_null(game);
    const char *position = "9/13 0 -";
    double now, left, looked_up;
    assert_int_equal(malpan_value(game, position, &now), MALPAN_OK);
    assert_int_equal(malpan_set_tables(game, folder), MALPAN_OK);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(malpan_value(game, position, &left), MALPAN_OK);
    assert_int_equal(access(path, F_OK), 0);
    malpan_close(game);

    game = malpan_open("yut", "--pieces 1", NULL);
    assert_int_equal(malpan_set_tables(game, folder), MALPAN_OK);
    assert_int_equal(malpan_value(game, position, &looked_up), MALPAN_OK);
    assert_true(fabs(left - now) < 1e-6 && looked_up == left);
    damage(path);
    assert_int_equal(malpan_set_tables(game, folder), MALPAN_OK);
    for (int i = 0; i < 2; i++) { /* nor is it made anew */
        assert_int_equal(malpan_value(game, position, &looked_up), MALPAN_TABLE);
        assert_non_null(strstr(malpan_error(game), "damaged"));
    }
    assert_int_equal(malpan_set_tables(game, NULL), MALPAN_OK);
    assert_int_equal(malpan_value(game, position, &looked_up), MALPAN_OK);
    malpan_close(game);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void a_missing_table_is_named(void **state) {
    (void)state;
    MalpanGame *game = malpan_open("yut", "--pieces 3 --animals sd", NULL);
    assert_non_null(game);
    double value;
    assert_int_equal(malpan_set_tables(game, "/nowhere"), MALPAN_OK);
    assert_int_equal(malpan_value(game, "0,0,0/0,0,0 0 - sd", &value), MALPAN_TABLE);
    assert_non_null(strstr(malpan_error(game), "malpan solve yut --pieces 3 --animals sd"));
    static char name[100000];
    memset(name, 'x', sizeof name - 1);
    assert_int_equal(malpan_set_tables(game, name), MALPAN_USAGE);
    assert_non_null(strstr(malpan_error(game), "too long"));
    malpan_close(game);
}

/* Where chance acts there are no moves, with or without values; and a failure reports none. */
static void no_moves_where_nobody_chooses(void **state) {
    (void)state;
    static MalpanMove moves[1];
    size_t count = 99;
    MalpanGame *game = malpan_open("yut", NULL, NULL); /* four pieces: nothing is solved */
    assert_non_null(game);
    assert_int_equal(malpan_moves(game, "0,0,0,0/0,0,0,0 0 -", moves, 1, &count), MALPAN_OK);
    assert_int_equal(count, 0);
    count = 99;
    assert_int_equal(malpan_moves(game, "0,0,0,0/0,0,0,0 0 do", moves, 1, &count), MALPAN_TABLE);
    assert_int_equal(count, 0);
    malpan_close(game);
}

static void no_name_is_an_error(void **state) {
    (void)state;
    char error[MALPAN_ERROR_BYTES];
    assert_null(malpan_open(NULL, NULL, error));
    assert_non_null(strstr(error, "expected the name of a game"));
    assert_null(malpan_open(NULL, NULL, NULL));
}

/* The values of King's Valley are as the header says. */
static void outcomes_can_be_read_back(void **state) {
    (void)state;
    char position[MALPAN_TEXT_BYTES];
    MalpanGame *game = malpan_open("valley", NULL, NULL);
    double value;
    assert_non_null(game);
    assert_int_equal(malpan_start(game, position), MALPAN_OK);
    assert_int_equal(malpan_value(game, position, &value), MALPAN_OK);
    assert_true(fabs(value - 0.9991) < 1e-12);
    malpan_close(game);
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
        cmocka_unit_test(tables_are_kept_and_used),
        cmocka_unit_test(a_missing_table_is_named),
        cmocka_unit_test(no_moves_where_nobody_chooses),
        cmocka_unit_test(no_name_is_an_error),
        cmocka_unit_test(outcomes_can_be_read_back),
        cmocka_unit_test(games_have_names),
    };
    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
