/* The rules of Yut, each by name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "game/contract.h"
#include "values/playout.h"
#include "yut_board.h"
#include "yut_testing.h"

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
    /* Two cows keep to their route, also in a stack. */
    Variant cows = variant_of("--preset teams --animals cpcn");
    assert_ok(contract_check(&cows, 1, 20, 4000, NULL));
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
        cmocka_unit_test(catching_a_pig_ends_the_turn),
        cmocka_unit_test(a_dog_throws_again_on_geol),
        cmocka_unit_test(a_sheep_throws_twice_for_a_catch),
        cmocka_unit_test(a_cow_turns_even_when_passing_5),
        cmocka_unit_test(every_animal_against_every_other),
        cmocka_unit_test(weak_catches_give_no_throw),
        cmocka_unit_test(the_short_cut_may_be_chosen),
        cmocka_unit_test(back_from_1_may_be_forbidden),
        cmocka_unit_test(partners_stack_and_win_together),
        cmocka_unit_test(every_variant_keeps_the_contract),
    };
    return cmocka_run_group_tests_name("yut", tests, NULL, NULL);
}
