#include "values/services.h"

#include <stdlib.h>

#include "values/evaluate.h"
#include "values/perft.h"
#include "values/playout.h"
#include "values/policy.h"
#include "values/store.h"

static Status open_table(const Variant *variant, const SolveLimits *limits, Table **table) {
    char path[PATH_MAX];
    Status status = store_path(limits->tables ? limits->tables : "", variant, path);
    return status_is_ok(&status) ? store_open(path, variant, table) : status;
}

static uint64_t play_random(const Variant *variant, uint64_t games, uint64_t seed, int threads) {
    const PlayoutPlan plan = {.games = games, .seed = seed};
    PlayoutStats *stats;
    const SolveLimits limits = {.threads = threads};
    Status status = playout_run(variant, &plan, &limits, &stats);
    if (!status_is_ok(&status))
        return 0;
    uint64_t moves = stats->moves;
    free(stats);
    return moves;
}

const GameServices values_services = {.open_solver = values_open_exact,
                                      .open_table = open_table,
                                      .evaluate = evaluate_state,
                                      .perft_plain = perft_count_plain,
                                      .play_random = play_random};
