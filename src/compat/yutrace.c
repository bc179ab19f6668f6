/* yutrace: the chances of winning the race, over games/race. It asks for the squares or takes them
 * as arguments.
 *
 *     yutrace 5 10                 without asking
 *     yutrace 5 10 --front 0.5     other sticks
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/progress.h"
#include "compat/common/program.h"
#include "games/race/race.h"
#include "values/solve_now.h"

static const char usage[] =
    "usage: yutrace [P1 P2] [--front F]\n"
    "\n"
    "The chance that player 1, who is about to throw, wins the Yut race from square P1 against a\n"
    "piece on P2 (0 to 28). Without squares it asks for them. F is the chance that a stick lands\n"
    "round side up (0.530125).\n"
    "\n"
    "examples:\n"
    "  yutrace 5 10\n"
    "  yutrace 0 0 --front 0.5\n";

static const OptionSpec options[] = {{.name = "front", .argument = "F"}};
enum { WORD_BYTES = 64 };

/* Reads one word of standard input; an empty one at the end of the input. */
static void ask(const char *prompt, char word[WORD_BYTES]) {
    fputs(prompt, stdout);
    fflush(stdout);
    word[0] = '\0';
    if (scanf("%63s", word) != 1)
        word[0] = '\0';
}

static Status read_squares(const CommandLine *line, RaceState *race) {
    char words[2][WORD_BYTES];
    Status status = status_ok();
    if (line->word_count != 0 && line->word_count != 2)
        return status_make(STATUS_USAGE, "expected two positions or none, not %zu",
                           line->word_count);
    if (line->word_count == 0)
        puts("Please input two positions");
    for (size_t i = 0; i < 2 && status_is_ok(&status); i++) {
        const char *name = i == 0 ? "p1" : "p2";
        if (line->word_count == 0)
            ask(i == 0 ? "p1: " : "p2: ", words[i]);
        status =
            race_parse_square(name, line->word_count ? line->words[i] : words[i], &race->pieces[i]);
    }
    return status;
}

static Status run(const CommandLine *line, void *context) {
    (void)context;
    Variant variant = variant_default(&race_game);
    const OptionGiven *front = options_find(line, "front");
    RaceState race = {.turn = 0};
    Status status =
        front ? race_game.rules.set(&variant.rules, "front", front->value) : status_ok();
    if (status_is_ok(&status))
        status = read_squares(line, &race);
    if (!status_is_ok(&status))
        return status;
    double start_s = progress_clock_s();
    SolveLimits limits = {.memory_bytes = (size_t)1 << 28, .threads = 1};
    State state = race_state_pack(&race);
    Solver *solver;
    double values[GAME_PLAYERS_MAX];
    status = solve_now_open(&variant, &limits, &solver);
    if (!status_is_ok(&status))
        return status;
    status = solver->values(solver, &state, values);
    solver->free(solver);
    if (!status_is_ok(&status))
        return status;
    double milliseconds = 1e3 * (progress_clock_s() - start_s);
    printf("p1 win rate: %.6f\np2 win rate: %.6f\nRuntime: %.6f ms\n", values[0], 1 - values[0],
           milliseconds);
    return status;
}

int main(int argc, char **argv) {
    static const CompatProgram program = {.name = "yutrace",
                                          .usage = usage,
                                          .options = options,
                                          .option_count = sizeof options / sizeof options[0],
                                          .run = run};
    return program_main(&program, NULL, argc, argv);
}
