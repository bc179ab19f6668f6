/* `malpan dice price`: the mean score with and without knowing the throws, and the difference. */
#include <inttypes.h>

#include "base/fraction.h"
#include "games/dice/best_play.h"

static void add_line(Text *output, const char *what, uint64_t sum, uint64_t of) {
    text_addf(output, "%-28s ", what);
    fraction_add(output, sum, of);
    text_addf(output, " = %.6f\n", (double)sum / (double)of);
}

static Status run(const GameCall *call, Text *output) {
    Solver *solver;
    Rules online = call->rules;
    State start = dice_start(&online);
    uint64_t known_sum, online_sum, of;
    if (dice_rules(&call->rules).online)
        return status_make(STATUS_USAGE, "--online: the price compares both games");
    dice_rules_set(&online, "online", NULL);
    Status status = dice_solver_new(&call->rules, call->limits, &solver);
    if (!status_is_ok(&status))
        return status;
    status = solver->fraction(solver, &start, &known_sum, &of);
    solver->free(solver);
    if (status_is_ok(&status))
        status = dice_solver_new(&online, call->limits, &solver);
    if (!status_is_ok(&status))
        return status;
    status = solver->fraction(solver, &start, &online_sum, &of);
    solver->free(solver);
    if (!status_is_ok(&status))
        return status;
    if (call->json) {
        text_addf(output,
                  "{\"sequences\":%" PRIu64 ",\"known_sum\":%" PRIu64 ",\"online_sum\":%" PRIu64
                  ",\"known\":%.12g,\"online\":%.12g,\"price\":%.12g}\n",
                  of, known_sum, online_sum, (double)known_sum / (double)of,
                  (double)online_sum / (double)of, (double)(known_sum - online_sum) / (double)of);
        return status;
    }
    add_line(output, "all throws known", known_sum, of);
    add_line(output, "each seen when it is made", online_sum, of);
    add_line(output, "the price of not knowing", known_sum - online_sum, of);
    return status;
}

static const char *const examples[] = {"dice price", "dice price --pieces 2 --faces 4,6,4,1,1",
                                       NULL};

const GameCommand dice_commands[DICE_COMMAND_COUNT] = {
    {.name = "price",
     .arguments = "",
     .summary = "the mean score with and without knowing the throws, exactly",
     .examples = examples,
     .takes_rules = true,
     .takes_json = true,
     .summary_ko = "던질 수를 알 때와 모를 때의 정확한 평균 점수",
     .run = run}};
