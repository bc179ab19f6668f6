/* ShutTheBox: the command line of an older program over games/box.
 *
 *     ShutTheBox --one --expect 123456789         0.502810
 *     ShutTheBox --two --move 13456789 17 12      [3, 9]
 */
#include <stdio.h>

#include "base/number.h"
#include "compat/common/program.h"
#include "games/box/box.h"
#include "values/evaluate.h"
#include "values/solve_now.h"

static const char usage[] =
    "usage: ShutTheBox --one --expect TILES           player one about to roll\n"
    "       ShutTheBox --one --move TILES ROLL        player one has rolled\n"
    "       ShutTheBox --two --expect TILES SCORE     player two, against player one's score\n"
    "       ShutTheBox --two --move TILES SCORE ROLL\n"
    "\n"
    "TILES are the open tiles as increasing digits, such as 146789. --expect prints the expected\n"
    "wins of the player whose turn it is, --move the best tiles to close, when both play best.\n"
    "\n"
    "  ShutTheBox --one --expect 123456789\n"
    "  ShutTheBox --two --move 13456789 17 12\n";

typedef struct Request {
    bool two, move;
    const char *tiles, *score, *roll;
} Request;

static const OptionSpec options[] = {
    {.name = "one"}, {.name = "two"}, {.name = "expect"}, {.name = "move"}};

/* Requires exactly one of two switches. */
static Status choose_switch(const CommandLine *line, const char *first, const char *second,
                            bool *is_second) {
    const OptionGiven *a = options_find(line, first);
    const OptionGiven *b = options_find(line, second);
    if ((a != NULL) == (b != NULL))
        return status_make(STATUS_USAGE, "expected either --%s or --%s%s", first, second,
                           a ? ", not both" : "");
    *is_second = b != NULL;
    return status_ok();
}

static Status read_request(const CommandLine *line, Request *request) {
    Status status = choose_switch(line, "one", "two", &request->two);
    if (status_is_ok(&status))
        status = choose_switch(line, "expect", "move", &request->move);
    if (!status_is_ok(&status))
        return status;
    size_t wanted = 1u + request->two + request->move;
    if (line->word_count != wanted)
        return status_make(
            STATUS_USAGE, "expected %zu argument%s after the options (%s%s%s), not %zu", wanted,
            wanted > 1 ? "s" : "", "the open tiles", request->two ? ", player one's score" : "",
            request->move ? ", the roll" : "", line->word_count);
    request->tiles = line->words[0];
    request->score = request->two ? line->words[1] : NULL;
    request->roll = request->move ? line->words[wanted - 1] : NULL;
    return status_ok();
}

static Status read_position(const Variant *variant, const Request *request, State *state) {
    BoxRules rules = box_rules(&variant->rules);
    BoxState box = {.player = request->two};
    Status status = box_parse_tiles(&rules, request->tiles, &box.open);
    uint64_t number = 0;
    if (status_is_ok(&status) && request->two) {
        uint64_t total = (uint64_t)box_sum(box_all_tiles(&rules));
        status = number_parse("player one's score", request->score, 1, total, &number);
        box.scores[0] = (uint16_t)number;
    }
    if (status_is_ok(&status) && request->move) {
        int dice = box_dice(&rules, box.open);
        status = number_parse(dice == 1 ? "roll of one die" : "roll of two dice", request->roll,
                              (uint64_t)dice, box_roll_max(&rules, dice), &number);
        box.roll = (uint8_t)number;
    }
    if (!status_is_ok(&status))
        return status;
    *state = box_state_pack(&box);
    return box_check(&variant->rules, state);
}

static Status answer(const Variant *variant, const Request *request, const State *state) {
    SolveLimits limits = {.memory_bytes = SIZE_MAX, .threads = 1};
    Solver *solver;
    Status status = solve_now_open(variant, &limits, &solver);
    if (!status_is_ok(&status))
        return status;
    static Evaluation evaluation; /* too large for the stack */
    status = evaluate_state(variant, solver, state, &evaluation);
    solver->free(solver);
    if (!status_is_ok(&status))
        return status;
    if (!request->move) {
        printf("%.6f\n", evaluation.values[evaluation.player]);
        return status;
    }
    const char *before = "[";
    for (TileSet rest = evaluation.moves[0].move; rest; rest &= rest - 1) {
        printf("%s%d", before, __builtin_ctz(rest) + 1);
        before = ", ";
    }
    puts("]");
    return status;
}

static Status run(const CommandLine *line, void *context) {
    (void)context;
    Request request = {.two = false};
    Status status = read_request(line, &request);
    if (!status_is_ok(&status))
        return status;
    Variant variant = variant_default(&box_game);
    State state;
    status = read_position(&variant, &request, &state);
    if (!status_is_ok(&status))
        return status;
    return answer(&variant, &request, &state);
}

int main(int argc, char **argv) {
    static const CompatProgram program = {.name = "ShutTheBox",
                                          .usage = usage,
                                          .options = options,
                                          .option_count = sizeof options / sizeof options[0],
                                          .run = run};
    return program_main(&program, NULL, argc, argv);
}
