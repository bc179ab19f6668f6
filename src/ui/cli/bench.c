/* malpan bench: the speeds this project promises, each beside a plain baseline. */
#include <math.h>
#include <sys/resource.h>

#include "ui/cli/cli.h"

typedef struct Timing {
    double seconds; /* the fastest of several runs */
    double checksum;
    int runs;
} Timing;

static Timing time_function(double (*function)(void)) {
    const double enough_s = 0.3;
    Timing timing = {.seconds = INFINITY};
    double spent = 0;
    while (timing.runs < 1 || (spent < enough_s && timing.runs < 50)) {
        double start = progress_clock_s();
        timing.checksum = function();
        double seconds = progress_clock_s() - start;
        spent += seconds;
        timing.runs++;
        if (seconds < timing.seconds)
            timing.seconds = seconds;
    }
    return timing;
}

/* The most memory this process has used so far. */
static double peak_mb(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024 : 0;
}

static Status run_one(const Cli *cli, const Game *game, const GameBench *bench) {
    Timing fast = time_function(bench->run);
    double used_mb = peak_mb();
    Timing plain = time_function(bench->baseline);
    if (!(fabs(fast.checksum - plain.checksum) <= 1e-9 * fabs(plain.checksum)))
        return status_make(STATUS_FAILED, "%s: %s: the results differ, %.17g and %.17g", game->name,
                           bench->what, fast.checksum, plain.checksum);
    if (cli->json) {
        cli_print_json(json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:s}", "game",
                                 game->name, "what", bench->what, "seconds", fast.seconds,
                                 "goal_seconds", bench->goal_seconds, "baseline_seconds",
                                 plain.seconds, "speedup", plain.seconds / fast.seconds, "peak_mb",
                                 used_mb, "goal_mb", bench->goal_mb, "limit", bench->limit));
        return status_ok();
    }
    printf("%s: %s\n", game->name, bench->what);
    printf("  %.3f ms, goal %.0f ms: %s; the plain way %.3f ms, so %.1f times as fast\n",
           1e3 * fast.seconds, 1e3 * bench->goal_seconds,
           fast.seconds <= bench->goal_seconds ? "reached" : "MISSED", 1e3 * plain.seconds,
           plain.seconds / fast.seconds);
    if (bench->goal_mb > 0)
        printf("  memory of the whole process until then: %.0f MB, goal %.0f MB: %s\n", used_mb,
               bench->goal_mb, used_mb <= bench->goal_mb ? "reached" : "MISSED");
    printf("  limit: %s\n", bench->limit);
    fflush(stdout);
    return status_ok();
}

static Status run(Cli *cli) {
    for (size_t i = 0; i < games_count(); i++) {
        const Game *game = games_at(i);
        if (cli->variant.game && cli->variant.game != game)
            continue;
        for (size_t j = 0; j < game->bench_count; j++) {
            Status status = run_one(cli, game, &game->benches[j]);
            if (!status_is_ok(&status))
                return status;
        }
    }
    return status_ok();
}

static const char *const examples[] = {"bench", "bench {game} --json", NULL};

const Verb verb_bench = {.name = "bench",
                         .arguments = "[GAME]",
                         .summary = "the promised speeds, each beside a plain baseline",
                         .examples = examples,
                         .game = VERB_GAME_MAY,
                         .takes_json = true,
                         .run = run};
