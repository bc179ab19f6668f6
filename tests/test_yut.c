/* The rules of Yut, each by name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "compat/yunnori/saves.h"
#include "game/contract.h"
#include "games/yut/yut.h"
#include "testing.h"
#include "values/playout.h"
#include "yut_board.h"

static Variant variant_of(const char *options) {
    Variant variant;
    assert_ok(variant_parse(&yut_game, options, &variant));
    return variant;
}

static State state_of(const Variant *variant, const char *text) {
    State state;
    Status status = yut_parse_state(&variant->rules, text, &state);
    if (!status_is_ok(&status))
        fail_msg("%s: %s", text, status.message);
    return state;
}

/* Plays moves or throws, separated by spaces; the position then reads like this. */
static void assert_leads(const char *options, const char *from, const char *steps, const char *to) {
    Variant variant = variant_of(options);
    State state = state_of(&variant, from);
    char storage[GAME_TEXT_BYTES], bytes[GAME_TEXT_BYTES];
    char *words[16];
    size_t count = text_split(steps, storage, sizeof storage, words, 16);
    for (size_t i = 0; i < count; i++) {
        Move move;
        Status status = yut_parse_move(&variant.rules, &state, words[i], LANG_EN, &move);
        if (!status_is_ok(&status))
            fail_msg("%s at %s: %s", words[i], from, status.message);
        assert_ok(variant_play(&variant, &state, move));
        assert_ok(yut_check(&variant.rules, &state));
    }
    Text text = text_over(bytes, sizeof bytes);
    yut_print_state(&variant.rules, &state, &text);
    assert_string_equal(bytes, to);
}

static void assert_refused(const char *options, const char *position, const char *move,
                           const char *words) {
    Variant variant = variant_of(options);
    State state = state_of(&variant, position);
    Move parsed;
    assert_fails(yut_parse_move(&variant.rules, &state, move, LANG_EN, &parsed), STATUS_USAGE,
                 words);
}

/* --- the board, two ways --- */

static void every_move_is_that_of_the_table(void **state) {
    (void)state;
    for (int square = 0; square < 30; square++)
        for (int result = 0; result < YUT_RESULTS; result++)
            assert_int_equal(yut_destination(square, (YutResult)result, false, false),
                             yut_board[square][result]);
}

/* Where the squares lie on a drawn grid: row, column. */
static const int grid[30][2] = {
    {-1, -1}, {8, 10}, {6, 10}, {4, 10}, {2, 10}, {0, 10}, {0, 8},  {0, 6},  {0, 4},  {0, 2},
    {0, 0},   {2, 0},  {4, 0},  {6, 0},  {8, 0},  {10, 0}, {10, 2}, {10, 4}, {10, 6}, {10, 8},
    {1, 9},   {3, 7},  {5, 5},  {7, 3},  {9, 1},  {1, 1},  {3, 3},  {7, 7},  {9, 9},  {10, 10}};

static int square_at(int row, int column) {
    for (int square = 1; square < 30; square++)
        if (grid[square][0] == row && grid[square][1] == column)
            return square;
    return -1;
}

/* Walks over the drawn board instead: straight on in a direction, a left turn at the corners, and
 * diagonally where the move began on a corner or the centre. */
static int walk(int square, int steps) {
    if (square == 0) { /* enters at the bottom right corner, going up */
        int row = 10, column = 10, up = -2;
        for (int i = 0; i < steps; i++)
            row += up;
        return square_at(row, column);
    }
    int row = grid[square][0], column = grid[square][1];
    int down, right;
    bool on_edge = row == 0 || row == 10 || column == 0 || column == 10;
    if (square == 5)
        down = 1, right = -1;
    else if (square == 10 || square == 22)
        down = 1, right = 1;
    else if (!on_edge) /* on a diagonal, between its ends */
        down = 1, right = row == column ? 1 : -1;
    else if (column == 10 && row > 0)
        down = -2, right = 0;
    else if (row == 0 && column > 0)
        down = 0, right = -2;
    else if (column == 0 && row < 10)
        down = 2, right = 0;
    else
        down = 0, right = 2;
    for (int i = 0; i < steps; i++) {
        if (row == 10 && column == 10)
            return YUT_ARRIVED; /* a step beyond 29 */
        /* Rings turn at corners, the way from 5 joins the bottom edge at 15. The squares of a
         * diagonal lie two apart, but for its ends, which are one away. */
        bool diagonal = down != 0 && right != 0;
        if (diagonal && row + down >= 0) {
            int next_row = row + down, next_column = column + right;
            while (square_at(next_row, next_column) < 0)
                next_row += down, next_column += right;
            row = next_row;
            column = next_column;
            if (row == 10 && column == 0)
                down = 0, right = 2;
            continue;
        }
        row += down;
        column += right;
        if (row == 0 && column == 10)
            down = 0, right = -2;
        else if (row == 0 && column == 0)
            down = 2, right = 0;
        else if (row == 10 && column == 0)
            down = 0, right = 2;
    }
    return square_at(row, column);
}

static void every_move_is_a_walk_on_the_drawn_board(void **state) {
    (void)state;
    for (int square = 0; square < 30; square++) {
        if (square == 29)
            continue; /* where it goes is written above: beyond the board */
        for (int steps = 1; steps <= 5; steps++)
            assert_int_equal(yut_destination(square, (YutResult)steps, false, false),
                             walk(square, steps));
    }
}

static void the_cow_keeps_to_its_route(void **state) {
    (void)state;
    static const int route[] = {0, 1, 2, 3, 4, 5, 20, 21, 22, 23, 24, 15, 16, 17, 18, 19, 29, 30};
    enum { LENGTH = sizeof route / sizeof route[0] };
    for (int i = 0; i + 1 < LENGTH; i++) {
        for (int steps = 1; steps <= 5; steps++)
            assert_int_equal(yut_destination(route[i], (YutResult)steps, true, false),
                             route[i + steps < LENGTH ? i + steps : LENGTH - 1]);
        int back = i == 0 ? 0 : i == 1 ? 29 : route[i - 1];
        assert_int_equal(yut_destination(route[i], YUT_BACK_DO, true, false), back);
        assert_true(yut_on_cow_route(route[i]));
    }
    assert_int_equal(yut_destination(15, YUT_BACK_DO, true, false), 24);
    assert_false(yut_on_cow_route(6) || yut_on_cow_route(27) || yut_on_cow_route(25));
}

/* --- throwing --- */

static void yut_and_mo_throw_again(void **state) {
    (void)state;
    assert_leads("--pieces 2", "0,0/0,0 0 -", "yut", "0,0/0,0 0 yut+");
    assert_leads("--pieces 2", "0,0/0,0 0 -", "yut mo", "0,0/0,0 0 yut,mo+");
    assert_leads("--pieces 2", "0,0/0,0 0 -", "mo yut geol", "0,0/0,0 0 geol,yut,mo");
    assert_leads("--pieces 2", "0,0/0,0 0 -", "back-do", "0,0/0,0 0 back-do");
}

static void a_million_throws_follow_the_odds(void **state) {
    (void)state;
    enum { THROWS = 1000000 };
    static const double chance[YUT_RESULTS] = {1 / 16.0, 3 / 16.0, 6 / 16.0,
                                               4 / 16.0, 1 / 16.0, 1 / 16.0};
    Variant variant = variant_of("");
    State start = yut_start(&variant.rules);
    Random random = random_from_seed(2024, 0);
    int counts[YUT_RESULTS] = {0};
    for (int i = 0; i < THROWS; i++)
        counts[variant_draw_chance(&variant, &start, &random)]++;
    for (int i = 0; i < YUT_RESULTS; i++)
        assert_true(fabs(counts[i] - THROWS * chance[i]) <
                    5 * sqrt(THROWS * chance[i] * (1 - chance[i])));
}

static void assert_odds(const char *options, const uint64_t expected[YUT_RESULTS]) {
    Variant variant = variant_of(options);
    State start = yut_start(&variant.rules);
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole, sum = 0, weights[YUT_RESULTS] = {0};
    size_t count = yut_chances(&variant.rules, &start, chances, &whole);
    for (size_t i = 0; i < count; i++)
        weights[chances[i].move] = chances[i].weight;
    for (int i = 0; i < YUT_RESULTS; i++) {
        assert_true(weights[i] == expected[i]);
        sum += weights[i];
    }
    assert_true(sum == whole);
}

static void odds_can_be_given_or_computed(void **state) {
    (void)state;
    assert_odds("", (const uint64_t[]){1, 3, 6, 4, 1, 1});
    assert_odds("--odds 0,1,2,3,4,5", (const uint64_t[]){0, 1, 2, 3, 4, 5});
    assert_odds("--back-do off", (const uint64_t[]){0, 4, 6, 4, 1, 1});
    assert_odds("--preset plain", (const uint64_t[]){0, 4, 6, 4, 1, 1});
    /* Fair sticks in tenths: every way to fall is 5^4. */
    assert_odds("--bias 0.5", (const uint64_t[]){625, 1875, 3750, 2500, 625, 625});
    /* Flat side up with 0.6: one flat stick is do, four are yut, none is mo. In tenths:
     * 6 * 4^3, three times that, 6 * 6^2 * 4^2, 4 * 6^3 * 4, 6^4, 4^4. */
    assert_odds("--bias 0.6", (const uint64_t[]){384, 1152, 3456, 3456, 1296, 256});
    assert_odds("--bias 0.6 --back-do off", (const uint64_t[]){0, 1536, 3456, 3456, 1296, 256});
}

/* --- moving --- */

static void one_piece_enters_at_a_time(void **state) {
    (void)state;
    assert_leads("--pieces 3", "0,0,0/0,0,0 0 gae", "0:gae", "0,0,2/0,0,0 1 -");
}

static void a_stack_moves_together(void **state) {
    (void)state;
    assert_leads("--pieces 3", "0,2,2/0,0,0 0 geol", "2:geol", "0,5,5/0,0,0 1 -");
    assert_leads("--pieces 3", "0,2,5/0,0,0 0 geol", "2:geol", "0,5,5/0,0,0 1 -");
    assert_leads("--pieces 3", "0,5,5/0,0,0 0 gae", "5:gae", "0,21,21/0,0,0 1 -");
}

static void results_are_played_in_any_order(void **state) {
    (void)state;
    assert_leads("--pieces 2", "0,0/0,0 0 do,gae,yut", "0:yut 4:do 5:gae", "0,21/0,0 1 -");
    assert_leads("--pieces 2", "0,0/0,0 0 do,gae,yut", "0:gae 2:do", "0,3/0,0 0 yut");
}

static void a_catch_sends_to_the_start_and_throws_again(void **state) {
    (void)state;
    assert_leads("--pieces 2", "0,0/0,2 0 gae", "0:gae", "0,2/0,0 0 -");
    assert_leads("--pieces 2", "0,0/2,2 0 do,gae", "0:gae", "0,2/0,0 0 do+");
    assert_leads("--pieces 2", "0,0/2,2 0 do,gae", "0:gae yut geol", "0,2/0,0 0 do,geol,yut");
    /* 29 can be caught like any square. */
    assert_leads("--pieces 2", "0,19/0,29 0 do", "19:do", "0,29/0,0 0 -");
    /* With three, only those on the square. */
    assert_leads("--players 3 --pieces 2", "0,0/0,2/0,3 0 geol", "0:geol", "0,3/0,2/0,0 0 -");
}

static void nothing_is_caught_at_the_start_or_home(void **state) {
    (void)state;
    assert_leads("--pieces 2", "0,28/0,100 0 geol", "28:geol", "0,100/0,100 1 -");
    assert_leads("--pieces 2", "0,0/0,0 0 back-do", "0:back-do", "0,0/0,0 1 -");
}

static void twenty_nine_is_not_home(void **state) {
    (void)state;
    assert_leads("--pieces 2", "0,28/0,0 0 do", "28:do", "0,29/0,0 1 -");
    assert_leads("--pieces 2", "0,29/0,0 0 do", "29:do", "0,100/0,0 1 -");
    assert_leads("--pieces 2", "0,29/0,0 0 back-do", "29:back-do", "0,19/0,0 1 -");
}

static void back_do_needs_a_piece_on_the_board(void **state) {
    (void)state;
    assert_leads("--pieces 2", "0,1/0,0 0 back-do", "1:back-do", "0,29/0,0 1 -");
    assert_refused("--pieces 2", "0,1/0,0 0 back-do", "0:back-do", "only while no piece");
    assert_leads("--pieces 2", "0,100/0,0 0 back-do", "0:back-do", "0,100/0,0 1 -");
    assert_leads("--pieces 2", "0,2/0,1 0 back-do", "2:back-do", "0,1/0,0 0 -");
}

static void the_last_piece_home_wins_at_once(void **state) {
    (void)state;
    assert_leads("--pieces 2", "29,100/0,4 0 do,gae,mo", "29:do", "100,100/0,4 0 -");
    Variant variant = variant_of("--pieces 2");
    State end = state_of(&variant, "100,100/0,4 0 -");
    double payoffs[GAME_PLAYERS_MAX] = {0};
    assert_int_equal(yut_actor(&variant.rules, &end), GAME_END);
    yut_payoff(&variant.rules, &end, payoffs);
    assert_true(payoffs[0] == 1 && payoffs[1] == 0);
}

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

/* --- animals --- */

static void catching_a_pig_ends_the_turn(void **state) {
    (void)state;
    assert_leads("--animals np", "0,0,0,0/0,0,0,2 0 do,gae np", "0:gae", "0,0,0,2/0,0,0,0 1 - np");
    assert_leads("--animals sp", "0,0,0,0/0,0,0,2 0 do,gae sp", "0:gae",
                 "0,0,0,2/0,0,0,0 1 - sp"); /* the pig's rule wins over the sheep's */
    assert_leads("--animals pn", "0,0,0,0/0,0,0,2 0 do,gae pn", "0:gae",
                 "0,0,0,2/0,0,0,0 0 do+ pn"); /* a pig that catches is like any */
    assert_leads("--animals pp", "0,0,0,0/0,0,0,2 0 do,gae pp", "0:gae", "0,0,0,2/0,0,0,0 1 - pp");
}

static void a_dog_throws_again_on_geol(void **state) {
    (void)state;
    assert_leads("--animals dn", "0,0,0,0/0,0,0,0 0 - dn", "geol geol do",
                 "0,0,0,0/0,0,0,0 0 do,geol,geol dn");
    assert_leads("--animals nd", "0,0,0,0/0,0,0,0 0 - nd", "geol", "0,0,0,0/0,0,0,0 0 geol nd");
    /* Also in the throw that a catch gives. */
    assert_leads("--animals dn", "0,0,0,0/0,0,0,2 0 gae dn", "0:gae geol do",
                 "0,0,0,2/0,0,0,0 0 do,geol dn");
    assert_leads("--animals dp", "0,0,0,0/0,0,0,2 0 gae,geol dp", "0:gae",
                 "0,0,0,2/0,0,0,0 1 - dp");
}

static void a_sheep_throws_twice_for_a_catch(void **state) {
    (void)state;
    assert_leads("--animals sn", "0,0,0,0/0,0,0,2 0 gae sn", "0:gae", "0,0,0,2/0,0,0,0 0 ++ sn");
    assert_leads("--animals sn", "0,0,0,0/0,0,0,2 0 gae sn", "0:gae yut do",
                 "0,0,0,2/0,0,0,0 0 do,yut+ sn");
    assert_leads("--animals sn", "0,0,0,0/0,0,0,2 0 do,gae sn", "0:gae yut do mo mo gae",
                 "0,0,0,2/0,0,0,0 0 do,do,gae,yut,mo,mo sn");
    assert_leads("--animals ns", "0,0,0,0/0,0,0,2 0 gae ns", "0:gae", "0,0,0,2/0,0,0,0 0 - ns");
    assert_leads("--animals sd", "0,0,0,0/0,0,0,2 0 gae sd", "0:gae", "0,0,0,2/0,0,0,0 0 ++ sd");
}

static void a_cow_turns_even_when_passing_5(void **state) {
    (void)state;
    assert_leads("--animals cn", "0,0,0,3/0,0,0,0 0 yut cn", "3:yut", "0,0,0,21/0,0,0,0 1 - cn");
    assert_leads("--animals cn", "0,0,0,22/0,0,0,0 0 do cn", "22:do", "0,0,0,23/0,0,0,0 1 - cn");
    assert_leads("--animals cn", "0,0,0,15/0,0,0,0 0 back-do cn", "15:back-do",
                 "0,0,0,24/0,0,0,0 1 - cn");
    assert_leads("--animals nc", "0,0,0,3/0,0,0,0 0 yut nc", "3:yut", "0,0,0,7/0,0,0,0 1 - nc");
    assert_leads("--animals cp", "0,0,0,3/0,0,0,21 0 gae,yut cp", "3:yut",
                 "0,0,0,21/0,0,0,0 1 - cp");
}

/* Every animal against every other, and against none: who catches whom, and what follows. */
static void every_animal_against_every_other(void **state) {
    (void)state;
    for (size_t x = 0; yut_animal_letters[x]; x++) {
        for (size_t y = 0; yut_animal_letters[y]; y++) {
            char mine = yut_animal_letters[x], other = yut_animal_letters[y];
            char options[32], from[64], to[64], field[8] = "";
            if (mine != 'n' || other != 'n')
                snprintf(field, sizeof field, " %c%c", mine, other);
            snprintf(options, sizeof options, "--animals %c%c", mine, other);
            /* A catch with do left to play. */
            snprintf(from, sizeof from, "0,0,0,0/0,0,0,2 0 do,gae%s", field);
            const char *after = other == 'p' ? "1 -" : mine == 's' ? "0 do++" : "0 do+";
            snprintf(to, sizeof to, "0,0,0,2/0,0,0,0 %s%s", after, field);
            assert_leads(options, from, "0:gae", to);
            /* A throw of geol goes on for a dog alone, whoever the other is. */
            snprintf(from, sizeof from, "0,0,0,0/0,0,0,0 0 -%s", field);
            snprintf(to, sizeof to, "0,0,0,0/0,0,0,0 0 geol%s%s", mine == 'd' ? "+" : "", field);
            assert_leads(options, from, "geol", to);
            /* Passing 5: a cow turns, all others go on. */
            snprintf(from, sizeof from, "0,0,0,4/0,0,0,0 0 geol%s", field);
            snprintf(to, sizeof to, "0,0,0,%d/0,0,0,0 1 -%s", mine == 'c' ? 21 : 7, field);
            assert_leads(options, from, "4:geol", to);
        }
    }
}

/* --- house rules --- */

static void weak_catches_give_no_throw(void **state) {
    (void)state;
    const char *weak = "--pieces 2 --catch-bonus weak";
    assert_leads(weak, "0,0/0,4 0 yut", "0:yut", "0,4/0,0 1 -");
    assert_leads(weak, "0,0/0,4 0 do,yut", "0:yut", "0,4/0,0 0 do");
    assert_leads(weak, "0,0/0,3 0 geol", "0:geol", "0,3/0,0 0 -");
}

static void the_short_cut_may_be_chosen(void **state) {
    (void)state;
    const char *choice = "--pieces 2 --preset choice --pieces 2";
    assert_leads(choice, "0,5/0,0 0 gae", "5:gae", "0,21/0,0 1 -");
    assert_leads(choice, "0,5/0,0 0 gae", "5:gae:ring", "0,7/0,0 1 -");
    assert_leads(choice, "0,10/0,0 0 mo", "10:mo:ring", "0,15/0,0 1 -");
    assert_refused(choice, "0,22/0,0 0 gae", "22:gae:ring", "cannot be chosen");
    assert_refused(choice, "0,5/0,0 0 back-do", "5:back-do:ring", "cannot be chosen");
    assert_refused("--pieces 2 --short-cut may --animals cn", "0,5/0,0 0 gae cn", "5:gae:ring",
                   "cannot be chosen");
}

static void back_from_1_may_be_forbidden(void **state) {
    (void)state;
    const char *rule = "--pieces 2 --back-from-1 off";
    assert_leads(rule, "0,1/0,0 0 back-do", "0:back-do", "0,1/0,0 1 -");
    assert_leads(rule, "1,100/0,0 0 back-do", "0:back-do", "1,100/0,0 1 -");
    assert_refused(rule, "1,2/0,0 0 back-do", "1:back-do", "cannot be played on 1");
    assert_leads(rule, "1,2/0,0 0 back-do", "2:back-do", "1,1/0,0 1 -");
}

static void partners_stack_and_win_together(void **state) {
    (void)state;
    const char *teams = "--preset teams --pieces 2";
    /* Landing on a partner stacks; the pair moves together, whoever moves it. */
    assert_leads(teams, "0,2/0,0/0,5/0,0 0 geol", "2:geol", "0,5/0,0/0,5/0,0 1 -");
    assert_leads(teams, "0,5/0,0/0,5/0,0 2 gae", "5:gae", "0,21/0,0/0,21/0,0 3 -");
    /* Both are caught. */
    assert_leads(teams, "0,5/0,3/0,5/0,0 1 gae", "3:gae", "0,0/0,5/0,0/0,0 1 -");
    /* One partner home is not enough; it is passed over from then on. */
    assert_leads(teams, "29,100/0,0/0,5/0,0 0 do,gae", "29:do", "100,100/0,0/0,5/0,0 1 -");
    assert_leads(teams, "100,100/0,0/0,5/0,0 3 gae", "0:gae", "100,100/0,0/0,5/0,2 1 -");
    assert_leads(teams, "100,100/0,0/29,100/0,0 2 do", "29:do", "100,100/0,0/100,100/0,0 2 -");
    Variant variant = variant_of(teams);
    State end = state_of(&variant, "100,100/0,0/100,100/0,0 2 -");
    double payoffs[GAME_PLAYERS_MAX] = {0};
    yut_payoff(&variant.rules, &end, payoffs);
    assert_true(payoffs[0] == 1 && payoffs[1] == 0 && payoffs[2] == 1 && payoffs[3] == 0);
    /* A stack brings both home at once. */
    assert_leads(teams, "29,100/0,0/29,100/0,0 0 do", "29:do", "100,100/0,0/100,100/0,0 0 -");
}

/* --- text --- */

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

/* --- the contract, for every size and every animal --- */

static void every_variant_keeps_the_contract(void **state) {
    (void)state;
    static const char *const house[] = {"", "--back-do off", "--catch-bonus weak --short-cut may",
                                        "--back-from-1 off --bias 0.42"};
    int variants = 0;
    for (int players = 2; players <= 4; players++) {
        for (int pieces = 1; pieces <= 4; pieces++) {
            for (int animal = 0; animal < 5; animal++) {
                char options[GAME_TEXT_BYTES], letters[YUT_PLAYERS_MAX + 1] = "";
                for (int i = 0; i < players; i++)
                    letters[i] = yut_animal_letters[(animal + i * (pieces % 3)) % 5];
                snprintf(options, sizeof options, "--players %d --pieces %d --animals %s %s",
                         players, pieces, letters, house[variants % 4]);
                Variant variant = variant_of(options);
                int ended;
                assert_ok(contract_check(&variant, 7, 3, 20000, &ended));
                assert_int_equal(ended, 3);
                variants++;
            }
        }
    }
    Variant teams = variant_of("--preset teams");
    int ended;
    assert_ok(contract_check(&teams, 7, 5, 20000, &ended));
    assert_int_equal(ended, 5);
    assert_int_equal(variants, 60);
}

/* --- saved games of the classic program --- */

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

static void saved_games_read_back(void **state) {
    (void)state;
    static const char *const good[] = {
        "Olivia Ava Sophia | Olivia 2 0 0 10 10 | Ava 1 0 0 2 100 | Sophia 3 0 3 100 100 | 2",
        "Noah Liam | Noah 1 0 100 100 100 | Liam 0 1 5 5 5 | 1",
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
    after = saves_rewrite("", 0, &game, NULL, &size);
    assert_int_equal(size, 0);
    free(after);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_move_is_that_of_the_table),
        cmocka_unit_test(every_move_is_a_walk_on_the_drawn_board),
        cmocka_unit_test(the_cow_keeps_to_its_route),
        cmocka_unit_test(yut_and_mo_throw_again),
        cmocka_unit_test(a_million_throws_follow_the_odds),
        cmocka_unit_test(odds_can_be_given_or_computed),
        cmocka_unit_test(one_piece_enters_at_a_time),
        cmocka_unit_test(a_stack_moves_together),
        cmocka_unit_test(results_are_played_in_any_order),
        cmocka_unit_test(a_catch_sends_to_the_start_and_throws_again),
        cmocka_unit_test(nothing_is_caught_at_the_start_or_home),
        cmocka_unit_test(twenty_nine_is_not_home),
        cmocka_unit_test(back_do_needs_a_piece_on_the_board),
        cmocka_unit_test(the_last_piece_home_wins_at_once),
        cmocka_unit_test(illegal_moves_are_named),
        cmocka_unit_test(illegal_moves_say_what_was_expected),
        cmocka_unit_test(moves_are_read_in_korean),
        cmocka_unit_test(illegal_moves_are_named_in_korean),
        cmocka_unit_test(catching_a_pig_ends_the_turn),
        cmocka_unit_test(a_dog_throws_again_on_geol),
        cmocka_unit_test(a_sheep_throws_twice_for_a_catch),
        cmocka_unit_test(a_cow_turns_even_when_passing_5),
        cmocka_unit_test(every_animal_against_every_other),
        cmocka_unit_test(weak_catches_give_no_throw),
        cmocka_unit_test(the_short_cut_may_be_chosen),
        cmocka_unit_test(back_from_1_may_be_forbidden),
        cmocka_unit_test(partners_stack_and_win_together),
        cmocka_unit_test(positions_name_what_is_wrong),
        cmocka_unit_test(an_underscore_stands_for_a_space),
        cmocka_unit_test(positions_tell_their_rules),
        cmocka_unit_test(rules_and_position_are_resolved_together),
        cmocka_unit_test(rules_refuse_nonsense),
        cmocka_unit_test(every_variant_keeps_the_contract),
        cmocka_unit_test(draws_the_board),
        cmocka_unit_test(every_square_shows_its_number),
        cmocka_unit_test(saved_games_read_back),
        cmocka_unit_test(rewriting_keeps_other_lines),
    };
    return cmocka_run_group_tests_name("yut", tests, NULL, NULL);
}
