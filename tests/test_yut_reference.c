/* Solved Yut under house rules against a plain reference (yut_plain.h): all positions with one
 * piece each, by value iteration; a sample with two, by their equations; and states in
 * the middle of a turn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "values/solve_now.h"
#include "yut_plain.h"
#include "yut_testing.h"

enum { EXTRAS = 5, MAP_BITS = 20, DOG_MAP_BITS = 22, SQUARES = 31 };
enum { OPTIONS_BYTES = 512 };

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 2};

/* --- the rules, read once more --- */

static void set_odds(PlainRules *rules, const double weights[6]) {
    double whole = 0;
    for (int i = 0; i < 6; i++)
        whole += weights[i];
    for (int i = 0; i < 6; i++)
        rules->odds[i] = weights[i] / whole;
}

static void set_bias(PlainRules *rules, double flat) {
    double round = 1 - flat;
    set_odds(rules, (const double[]){flat * pow(round, 3), 3 * flat * pow(round, 3),
                                     6 * flat * flat * round * round, 4 * pow(flat, 3) * round,
                                     pow(flat, 4), pow(round, 4)});
}

static void set_traps(PlainRules *rules, char *list) {
    char *rest = NULL;
    for (const char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        rules->trap[atoi(word)] = true;
}

static bool is_one(const char *value, const char *word) {
    return strcmp(value, word) == 0;
}

static void read_odds(PlainRules *rules, const char *list) {
    double weights[6];
    for (int i = 0; i < 6; i++, list += *list == ',') {
        char *end;
        weights[i] = strtod(list, &end);
        list = end;
    }
    set_odds(rules, weights);
}

/* How many sticks are marked changes the odds last of all. */
static void set_option(PlainRules *rules, const char *name, char *value, int *marked) {
    if (is_one(name, "--pieces"))
        rules->pieces = atoi(value);
    else if (is_one(name, "--animals"))
        memcpy(rules->animals, value, 2);
    else if (is_one(name, "--bias"))
        set_bias(rules, atof(value));
    else if (is_one(name, "--odds"))
        read_odds(rules, value);
    else if (is_one(name, "--nak"))
        rules->nak = atof(value);
    else if (is_one(name, "--nak-loses"))
        rules->nak_turn = is_one(value, "turn");
    else if (is_one(name, "--traps"))
        set_traps(rules, value);
    else if (is_one(name, "--centre"))
        rules->centre_may = is_one(value, "may");
    else if (is_one(name, "--short-cut"))
        rules->short_may = is_one(value, "may");
    else if (is_one(name, "--centre-stack"))
        rules->centre_stack = is_one(value, "on");
    else if (is_one(name, "--back-from-1"))
        rules->back_from_1_off = is_one(value, "off");
    else if (is_one(name, "--marked"))
        *marked = atoi(value);
    else if (is_one(name, "--catch-bonus"))
        rules->bonus = is_one(value, "weak")    ? PLAIN_WEAK
                       : is_one(value, "never") ? PLAIN_NEVER
                                                : PLAIN_ALWAYS;
    else if (is_one(name, "--finish"))
        rules->finish = is_one(value, "reach")   ? PLAIN_REACH
                        : is_one(value, "short") ? PLAIN_SHORT
                                                 : PLAIN_PASS;
    else if (is_one(name, "--empty-back-do"))
        rules->empty = is_one(value, "home")    ? PLAIN_EMPTY_HOME
                       : is_one(value, "enter") ? PLAIN_ENTER
                                                : PLAIN_SKIP;
    else
        fail_msg("the reference does not know %s", name);
}

static PlainRules read_rules(const char *options) {
    PlainRules rules = {.pieces = 1, .animals = {'n', 'n'}};
    char storage[OPTIONS_BYTES], *words[64];
    int marked = 1;
    set_odds(&rules, (const double[]){1, 3, 6, 4, 1, 1});
    size_t count = text_split(options, storage, sizeof storage, words, 64);
    assert_int_equal(count % 2, 0);
    for (size_t i = 0; i < count; i += 2)
        set_option(&rules, words[i], words[i + 1], &marked);
    if (!strstr(options, "--odds")) {
        double single = rules.odds[0] + rules.odds[1]; /* one flat stick of four */
        rules.odds[0] = single * marked / 4;
        rules.odds[1] = single - rules.odds[0];
    }
    return rules;
}

/* --- one piece each --- */

typedef struct Values {
    double of[2][SQUARES][SQUARES]; /* [thrower][own][other] */
} Values;

static double start_in_values(const Plain *plain, int player, PlainSide own, PlainSide other) {
    const Values *values = plain->context;
    return values->of[player][own.at[0]][other.at[0]];
}

static bool can_stand(const PlainRules *rules, int player, int square) {
    static const bool cows[SQUARES] = {
        [0] = 1,  [1] = 1,  [2] = 1,  [3] = 1,  [4] = 1,  [5] = 1,  [15] = 1, [16] = 1, [17] = 1,
        [18] = 1, [19] = 1, [20] = 1, [21] = 1, [22] = 1, [23] = 1, [24] = 1, [29] = 1, [30] = 1};
    return !rules->trap[square] && !(rules->finish == PLAIN_REACH && square == 29) &&
           (rules->animals[player] != 'c' || cows[square]);
}

static bool is_position(const PlainRules *rules, int player, int own, int other) {
    return own < PLAIN_HOME && other < PLAIN_HOME && (own != other || own == 0) &&
           can_stand(rules, player, own) && can_stand(rules, 1 - player, other);
}

/* The solver's value of the position to its thrower; 0.5 for what is no position. */
static double value_by_solver(const PlainRules *rules, const Variant *variant, Solver *solver,
                              int player, int own, int other) {
    if (!is_position(rules, player, own, other))
        return 0.5;
    YutState state = {.turn = (uint8_t)player, .throws = 1};
    state.pieces[player][0] = (uint8_t)own;
    state.pieces[1 - player][0] = (uint8_t)other;
    State packed = yut_state_pack(&state);
    double values[2];
    assert_ok(yut_check(&variant->rules, &packed));
    assert_ok(solver->values(solver, &packed, values));
    return values[player];
}

/* Value iteration until nothing changes by more than `change_max`. The equations have one solution,
 * so where it starts from only matters for the time: wrong values would change until they are
 * right. */
static void solve_plainly(Plain *plain, Values *values, double change_max) {
    Values *next = malloc(sizeof *next);
    assert_non_null(next);
    int players = plain->rules.animals[0] == plain->rules.animals[1] ? 1 : 2;
    plain->context = values;
    plain->start = start_in_values;
    for (double change = 1; change > change_max;) {
        change = 0;
        plain_clear(plain);
        *next = *values;
        for (int i = 0; i < players * SQUARES * SQUARES; i++) {
            int player = i / SQUARES / SQUARES, own = i / SQUARES % SQUARES, other = i % SQUARES;
            if (!is_position(&plain->rules, player, own, other))
                continue;
            PlainSide a = {{(uint8_t)own}}, b = {{(uint8_t)other}};
            double value = plain_throw(plain, player, a, b, 0, 1);
            change = fmax(change, fabs(value - values->of[player][own][other]));
            next->of[player][own][other] = value;
        }
        if (players == 1)
            memcpy(next->of[1], next->of[0], sizeof next->of[0]);
        *values = *next;
    }
    free(next);
}

static Solver *open_solver(const Variant *variant) {
    Solver *solver;
    assert_ok(solve_now_open(variant, &limits, &solver));
    assert_true(solver->kind == VALUE_EXACT && solver->error <= 1e-6);
    return solver;
}

/* A random list of up to three results, as a state and for the reference. */
static uint32_t add_random_list(const PlainRules *rules, Random *random, YutState *state) {
    uint32_t list = 0;
    for (uint64_t left = 1 + random_below(random, 3); left > 0;) {
        int result = (int)random_below(random, 6);
        if (rules->odds[result] == 0)
            continue;
        state->list[result]++;
        list += 1u << (4 * result);
        left--;
    }
    return list;
}

/* States in the middle of a turn: results in hand, and sometimes a throw to make. */
static void compare_turns(Plain *plain, Solver *solver, const char *options, double most) {
    enum { SAMPLES = 60 };
    Random random = random_from_seed(5, 0);
    plain_clear(plain);
    for (int i = 0; i < SAMPLES;) {
        int player = (int)random_below(&random, 2);
        PlainSide own = {{(uint8_t)random_below(&random, 30)}};
        PlainSide other = {{(uint8_t)random_below(&random, 30)}};
        if (!is_position(&plain->rules, player, own.at[0], other.at[0]))
            continue;
        YutState state = {.turn = (uint8_t)player, .throws = (uint8_t)random_below(&random, 2)};
        state.pieces[player][0] = own.at[0];
        state.pieces[1 - player][0] = other.at[0];
        uint32_t list = add_random_list(&plain->rules, &random, &state);
        State packed = yut_state_pack(&state);
        double values[2];
        assert_ok(solver->values(solver, &packed, values));
        double expected = state.throws > 0 ? plain_throw(plain, player, own, other, list, 1)
                                           : plain_play(plain, player, own, other, list);
        if (fabs(values[player] - expected) > most)
            fail_msg("%s: player %d, %d against %d, list %x, %d throws: %.9f, not %.9f", options,
                     player, own.at[0], other.at[0], list, state.throws, values[player], expected);
        i++;
    }
}

/* Every position, and some turns. */
static void compare_one_piece(const char *options, double most) {
    char with_one[OPTIONS_BYTES];
    snprintf(with_one, sizeof with_one, "%s --pieces 1", options);
    Variant variant = variant_of(with_one);
    bool has_dogs = strstr(options, "--animals d") || strstr(options, "3,3");
    Plain plain = {.rules = read_rules(options),
                   .extras_max = EXTRAS,
                   .map_bits = has_dogs ? DOG_MAP_BITS : MAP_BITS};
    Solver *solver = open_solver(&variant);
    Values found, values;
    for (int i = 0; i < 2 * SQUARES * SQUARES; i++) {
        int player = i / SQUARES / SQUARES, own = i / SQUARES % SQUARES, other = i % SQUARES;
        found.of[player][own][other] =
            value_by_solver(&plain.rules, &variant, solver, player, own, other);
    }
    values = found;
    solve_plainly(&plain, &values, has_dogs ? 1e-6 : 1e-8);
    double furthest = 0;
    for (int i = 0; i < 2 * SQUARES * SQUARES; i++) {
        int player = i / SQUARES / SQUARES, own = i / SQUARES % SQUARES, other = i % SQUARES;
        double off = fabs(found.of[player][own][other] - values.of[player][own][other]);
        furthest = fmax(furthest, off);
        if (off > most)
            fail_msg("%s: player %d, %d against %d: %.9f, not %.9f", options, player, own, other,
                     found.of[player][own][other], values.of[player][own][other]);
    }
    compare_turns(&plain, solver, options, 2 * most);
    print_message("%s: at most %.1e apart\n", options, furthest);
    solver->free(solver);
    free(plain.map);
}

static void every_option_alone(void **state) {
    (void)state;
    static const char *const options[] = {
        "--catch-bonus always",
        "--catch-bonus weak",
        "--catch-bonus never",
        "--nak 0.05",
        "--nak 0.3 --nak-loses turn",
        "--traps 18",
        "--traps 4,5,10,22,29",
        "--centre may",
        "--short-cut may",
        "--finish reach",
        "--finish short",
        "--empty-back-do home",
        "--empty-back-do enter",
        "--centre-stack on",
        "--marked 0",
        "--marked 2",
        "--back-from-1 off",
        "--odds 2,3,5,4,1,1",
        "--bias 0.6",
        "--bias 0.6 --catch-bonus weak",
        "--traps 22 --centre-stack on",
        "--traps 29 --empty-back-do enter",
        "--bias 0.6 --catch-bonus weak --nak 0.05 --traps 18",
    };
    size_t step = getenv("QUICK") ? 5 : 1; /* under the sanitizers */
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i += step)
        compare_one_piece(options[i], 1e-5);
}

/* Where most throws repeat, the reference, which follows five of them, is less precise. */
static void most_throws_may_repeat(void **state) {
    (void)state;
    if (getenv("QUICK"))
        skip();
    compare_one_piece("--odds 1,1,1,1,3,3", 1e-3);
}

static void animals_under_house_rules(void **state) {
    (void)state;
    static const char *const options[] = {
        "--animals sn --catch-bonus weak",
        "--animals sp --nak 0.2 --nak-loses turn",
        "--animals ss --nak 0.2 --catch-bonus weak",
        "--animals cn --traps 18,5 --finish short",
        "--animals cs --finish reach --centre may",
        "--animals pp --catch-bonus never --empty-back-do enter",
    };
    size_t step = getenv("QUICK") ? 3 : 1;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i += step)
        compare_one_piece(options[i], 1e-5);
    if (getenv("QUICK"))
        return;
    /* A dog throws again so often that the reference is less precise. */
    compare_one_piece("--animals dn --catch-bonus weak", 2e-3);
    compare_one_piece("--animals ds --nak 0.1 --catch-bonus weak", 2e-3);
}

/* --- random combinations --- */

static const struct {
    const char *name;
    const char *values[4]; /* "" leaves the option out */
} choices[] = {
    {"animals", {"", "", "sn", "cp"}},
    {"catch-bonus", {"", "weak", "never", "weak"}},
    {"nak", {"", "0.05", "0.2", ""}},
    {"nak-loses", {"", "turn", "", "throw"}},
    {"traps", {"", "18", "7,22", "4,19,28"}},
    {"centre", {"", "may", "", "may"}},
    {"short-cut", {"", "may", "", "must"}},
    {"finish", {"", "reach", "short", "short"}},
    {"empty-back-do", {"", "home", "enter", "home"}},
    {"centre-stack", {"", "on", "", "on"}},
    {"marked", {"", "0", "2", "2"}},
    {"back-from-1", {"", "off", "", "on"}},
};

/* A combination that is not refused. */
static void draw_options(Random *random, char options[OPTIONS_BYTES]) {
    for (;;) {
        Text text = text_over(options, OPTIONS_BYTES);
        Variant variant;
        for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
            const char *value = choices[i].values[random_below(random, 4)];
            if (value[0])
                text_addf(&text, "--%s %s ", choices[i].name, value);
        }
        Status status = variant_parse(&yut_game, options, &variant);
        if (status_is_ok(&status))
            return;
        assert_int_equal(status.code, STATUS_UNSUPPORTED);
    }
}

static void random_combinations(void **state) {
    (void)state;
    Random random = random_from_seed(77, 0);
    for (int left = getenv("SLOW") ? 24 : getenv("QUICK") ? 2 : 4; left > 0; left--) {
        char options[OPTIONS_BYTES];
        draw_options(&random, options);
        compare_one_piece(options, 1e-5);
    }
}

/* --- two pieces each --- */

typedef struct Asked {
    Solver *solver;
} Asked;

static State position_of(int player, PlainSide own, PlainSide other) {
    YutState state = {.turn = (uint8_t)player, .throws = 1};
    memcpy(state.pieces[player], own.at, 2);
    memcpy(state.pieces[1 - player], other.at, 2);
    return yut_state_pack(&state);
}

static double start_of_solver(const Plain *plain, int player, PlainSide own, PlainSide other) {
    const Asked *asked = plain->context;
    State position = position_of(player, own, other);
    double values[2];
    assert_ok(asked->solver->values(asked->solver, &position, values));
    return values[player];
}

/* The equations of some positions hold, by the reference's own rules. */
static void check_two_pieces(const char *options, int samples) {
    char with_two[OPTIONS_BYTES];
    snprintf(with_two, sizeof with_two, "%s --pieces 2", options);
    Variant variant = variant_of(with_two);
    Asked asked = {.solver = open_solver(&variant)};
    Plain plain = {.rules = read_rules(with_two),
                   .extras_max = EXTRAS,
                   .map_bits = MAP_BITS,
                   .start = start_of_solver,
                   .context = &asked};
    Random random = random_from_seed(3, 0);
    while (samples > 0) {
        int player = (int)random_below(&random, 2);
        PlainSide own = {{(uint8_t)random_below(&random, 31), (uint8_t)random_below(&random, 31)}};
        PlainSide other = {
            {(uint8_t)random_below(&random, 31), (uint8_t)random_below(&random, 31)}};
        own = plain_shift(&plain, own, 0, 0, 0); /* sorts */
        other = plain_shift(&plain, other, 0, 0, 0);
        State position = position_of(player, own, other);
        YutRules yut = yut_rules(&variant.rules);
        YutState s = yut_state(&position);
        Status status = yut_check(&variant.rules, &position);
        if (!status_is_ok(&status) || yut_winner(&yut, &s) >= 0)
            continue;
        plain_clear(&plain);
        double expected = plain_throw(&plain, player, own, other, 0, 1);
        double found = start_of_solver(&plain, player, own, other);
        if (fabs(expected - found) > 1e-5)
            fail_msg("%s: player %d, %d,%d against %d,%d: %.9f, not %.9f", options, player,
                     own.at[0], own.at[1], other.at[0], other.at[1], found, expected);
        samples--;
    }
    asked.solver->free(asked.solver);
    free(plain.map);
}

static void two_pieces_by_their_equations(void **state) {
    (void)state;
    static const char *const options[] = {
        "--catch-bonus weak",
        "--catch-bonus never --centre-stack on",
        "--nak 0.1 --traps 18,3",
        "--nak 0.1 --nak-loses turn --finish short",
        "--catch-bonus weak --centre may --short-cut may --empty-back-do enter",
        "--finish reach --empty-back-do home --marked 2 --animals sn --catch-bonus weak",
    };
    if (getenv("QUICK"))
        skip(); /* it takes long, and is about numbers */
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        check_two_pieces(options[i], getenv("SLOW") ? 12 : 3);
    Random random = random_from_seed(78, 0);
    for (int i = 0; i < (getenv("SLOW") ? 12 : 2); i++) {
        char drawn[OPTIONS_BYTES];
        draw_options(&random, drawn);
        check_two_pieces(drawn, 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_alone),
        cmocka_unit_test(most_throws_may_repeat),
        cmocka_unit_test(animals_under_house_rules),
        cmocka_unit_test(random_combinations),
        cmocka_unit_test(two_pieces_by_their_equations),
    };
    return cmocka_run_group_tests_name("yut_reference", tests, NULL, NULL);
}
