/* `malpan yut compare`: one line for each set of rules. A set is written as one word, its parts
 * joined by `+`: a preset, or an option with its value. `family`, `catch-bonus=weak`,
 * `nak=0.05+traps=18`. Options of the command line apply to all sets. */
#include "games/yut/facts/compare.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/number.h"

enum { GAMES_USUAL = 1000, GAMES_MAX = 1000000, PLOT_BYTES = 1 << 16 };

const char *const compare_players[COMPARE_PLAYERS] = {"random", "greedy", "expectimax"};

const OptionSpec compare_options[COMPARE_OPTION_COUNT] = {
    {.name = "games",
     .argument = "N",
     .help = "how many games for each figure (1000)",
     .help_ko = "수치마다 둘 게임의 수 (1000)"},
    {.name = "plot",
     .argument = "FILE",
     .help = "draw the figures as a chart (SVG)",
     .help_ko = "수치를 그림(SVG)으로 그림"}};

/* --- sets of rules --- */

/* Sets the options that differ from the defaults in `given`. */
static Status add_given(const Rules *given, Rules *rules) {
    Variant variant = {.game = &yut_game, .rules = *given};
    for (size_t i = 0; i < YUT_OPTION_COUNT; i++) {
        char value[GAME_TEXT_BYTES];
        if (!variant_is_unusual(&variant, yut_options[i].name, value))
            continue;
        Status status = yut_rules_set(rules, yut_options[i].name, value);
        if (!status_is_ok(&status))
            return status;
    }
    return status_ok();
}

/* Sets the parts of the word that are presets, or those that are options. */
static Status add_parts(const char *word, bool presets, Rules *rules) {
    char storage[COMPARE_NAME_BYTES], *rest = NULL;
    snprintf(storage, sizeof storage, "%s", word);
    for (char *part = strtok_r(storage, "+", &rest); part; part = strtok_r(NULL, "+", &rest)) {
        char *value = strchr(part, '=');
        if ((value == NULL) != presets)
            continue;
        if (value)
            *value++ = '\0';
        Status status = yut_rules_set(rules, value ? part : "preset", value ? value : part);
        if (!status_is_ok(&status))
            return status;
    }
    return status_ok();
}

static Status check_rules(const Rules *rules) {
    YutRules yut = yut_rules(rules);
    if (yut.players != 2)
        return status_make(STATUS_UNSUPPORTED, "yut compare: only for two players, not for %d",
                           yut.players);
    for (int player = 0; player < yut.players; player++)
        if (yut.animals[player] != YUT_NO_ANIMAL)
            return status_make(STATUS_UNSUPPORTED, "yut compare: only for players without animals");
    return yut_rules_check(rules);
}

/* Presets come first, then the options of the command line, then those of the word. */
static Status read_set(const char *word, const Rules *given, Comparison *comparison) {
    Rules rules = yut_rules_default();
    if (strlen(word) >= COMPARE_NAME_BYTES)
        return status_make(STATUS_USAGE, "yut compare: rules are too long: %s", quote(word).text);
    Status status = add_parts(word, true, &rules);
    if (status_is_ok(&status))
        status = add_given(given, &rules);
    if (status_is_ok(&status))
        status = add_parts(word, false, &rules);
    if (status_is_ok(&status))
        status = check_rules(&rules);
    comparison->variant = (Variant){.game = &yut_game, .rules = rules};
    snprintf(comparison->name, sizeof comparison->name, "%s", word);
    return status;
}

/* --- figures --- */

/* Plays games of perfect players, over a grid of all values. */
static Status play_perfectly(const GameCall *call, Solver *solver, uint64_t games,
                             Comparison *comparison) {
    StartGrid grid;
    PerfectGames played;
    const Variant *variant = &comparison->variant;
    Status status = start_grid_open(&variant->rules, solver, call->limits, &grid);
    if (!status_is_ok(&status))
        return status;
    status = perfect_games_play(call->services, variant, &grid, solver, games, call->seed,
                                call->limits, &played);
    start_grid_close(&grid);
    if (!status_is_ok(&status))
        return status;
    double moves = (double)played.moves / (double)games;
    comparison->turns = played.turns;
    comparison->catches = (Share){true, played.done[MOVE_CATCHES].mean * moves,
                                  played.done[MOVE_CATCHES].margin * moves};
    return status;
}

static Status find_losses(const GameCall *call, uint64_t games, Comparison *comparison) {
    for (int i = 0; i < COMPARE_PLAYERS; i++) {
        const char *const players[2] = {compare_players[i], "perfect"};
        double mean = 0, margin = 0;
        Status status = call->services->match(&comparison->variant, players, games, call->seed,
                                              call->limits, &mean, &margin);
        if (!status_is_ok(&status))
            return status;
        comparison->lost[i] = (Share){true, 0.5 - mean, margin};
    }
    return status_ok();
}

static Status find_figures(const GameCall *call, uint64_t games, Comparison *comparison) {
    const Rules *rules = &comparison->variant.rules;
    State start = yut_start(rules);
    double values[2] = {0, 0};
    Solver *solver;
    Status status = call->services->open_solver(&comparison->variant, call->limits, &solver);
    if (!status_is_ok(&status))
        return status;
    status = solver->values(solver, &start, values);
    comparison->start = values[0];
    comparison->error = solver->error;
    if (status_is_ok(&status))
        status = play_perfectly(call, solver, games, comparison);
    solver->free(solver);
    return status_is_ok(&status) ? find_losses(call, games, comparison) : status;
}

/* --- the command --- */

static Status plot(const Comparisons *all, const char *path) {
    char *bytes = malloc(PLOT_BYTES);
    if (!bytes)
        return status_make(STATUS_FAILED, "out of memory");
    Text text = text_over(bytes, PLOT_BYTES);
    compare_plot(all, &text);
    assert(!text.truncated);
    Status status = file_replace(path, bytes, text.length);
    free(bytes);
    return status;
}

/* Reads all sets before anything is solved. Without any, all presets for two players. */
static Status read_sets(const GameCall *call, Comparisons *all) {
    static const char *const presets[] = {"snu", "plain", "choice", "korean", "family"};
    bool is_given = call->word_count > 0;
    const char *const *words = is_given ? call->words : presets;
    Status status = status_ok();
    all->count = is_given ? call->word_count : sizeof presets / sizeof presets[0];
    assert(all->count <= COMPARE_MAX);
    for (size_t i = 0; i < all->count && status_is_ok(&status); i++)
        status = read_set(words[i], &call->rules, &all->of[i]);
    return status;
}

Status compare_run(const GameCall *call, Text *output) {
    const OptionGiven *given = options_find(call->line, "games"),
                      *path = options_find(call->line, "plot");
    uint64_t games = GAMES_USUAL;
    Comparisons *all = calloc(1, sizeof *all);
    Status status = all ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status) && given)
        status = number_parse("--games", given->value, 2, GAMES_MAX, &games);
    if (status_is_ok(&status))
        status = read_sets(call, all);
    for (size_t i = 0; status_is_ok(&status) && i < all->count; i++)
        status = find_figures(call, games, &all->of[i]);
    if (status_is_ok(&status) && path)
        status = plot(all, path->value);
    if (status_is_ok(&status))
        (call->json ? compare_print_json : compare_print)(all, output);
    free(all);
    return status;
}
