/* malpan bench: the promised speeds, each compared with a plain baseline. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "game/benches.h"
#include "ui/cli/cli.h"
#include "ui/cli/signature.h"
#include "ui/json/build.h"
#include "values/services.h"

typedef struct Timing {
    double seconds; /* the fastest of several runs */
    double checksum;
    double peak_mb; /* peak memory use */
} Timing;

/* Runs the work several times, or once if it takes long. */
static Timing time_work(GameBenchRun *work, const SolveLimits *limits) {
    const double enough_s = 0.3, long_s = 10;
    Timing timing = {.seconds = INFINITY};
    double spent = 0;
    for (int runs = 0; runs < 1 || (runs < 2 && spent < long_s) || (runs < 50 && spent < enough_s);
         runs++) {
        double start = progress_clock_s();
        timing.checksum = work(&values_services, limits);
        double seconds = progress_clock_s() - start;
        spent += seconds;
        if (seconds < timing.seconds)
            timing.seconds = seconds;
    }
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        timing.peak_mb = (double)usage.ru_maxrss / 1024;
    return timing;
}

/* Times the work in a separate process, so that its peak memory can be measured. */
static Status time_in_child(GameBenchRun *work, const SolveLimits *limits, Timing *timing) {
    int ends[2];
    if (pipe(ends) != 0)
        return status_make(STATUS_FAILED, "bench: no pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        Timing found = time_work(work, limits);
        _exit(write(ends[1], &found, sizeof found) == sizeof found ? 0 : 1);
    }
    int reason = errno;
    close(ends[1]);
    bool whole = child > 0 && read(ends[0], timing, sizeof *timing) == sizeof *timing;
    close(ends[0]);
    if (child > 0)
        (void)waitpid(child, NULL, 0);
    if (child < 0)
        return status_make(STATUS_FAILED, "bench: no new process: %s", strerror(reason));
    return whole ? status_ok() : status_make(STATUS_FAILED, "bench: the work did not finish");
}

static json_t *describe_bench(const Game *game, const GameBench *bench) {
    return json_pack("{s:s, s:s}", "game", game->identity.name, "what", bench->what);
}

/* Names what is missing. */
static Status print_skipped(const Cli *cli, const Game *game, const GameBench *bench) {
    const char *needs = bench->needs ? bench->needs : "more than this machine has";
    if (cli->json)
        return cli_print_json(json_with(describe_bench(game, bench), "needs", json_string(needs)));
    printf("%s: %s\n  not measured: it needs %s\n", game->identity.name, bench->what, needs);
    return status_ok();
}

static json_t *json_of(const Game *game, const GameBench *bench, const Timing *fast,
                       const Timing *plain) {
    json_t *json = describe_bench(game, bench);
    json = json_with(json, "seconds", json_real(fast->seconds));
    json = json_with(json, "goal_seconds", json_real(bench->goal_seconds));
    json = json_with(json, "peak_mb", json_real(fast->peak_mb));
    json = json_with(json, "goal_mb", json_real(bench->goal_mb));
    json = json_with(json, "limit", json_string(bench->limit));
    if (plain) {
        json = json_with(json, "baseline_seconds", json_real(plain->seconds));
        json = json_with(json, "speedup", json_real(plain->seconds / fast->seconds));
    }
    return json;
}

/* "4.21 ms" or "61.3 s". */
static void print_time(const char *before, double seconds, const char *after) {
    if (seconds < 10)
        printf("%s%.4g ms%s", before, 1e3 * seconds, after);
    else
        printf("%s%.4g s%s", before, seconds, after);
}

static void print_text(const Game *game, const GameBench *bench, const Timing *fast,
                       const Timing *plain) {
    printf("%s: %s\n", game->identity.name, bench->what);
    print_time("  ", fast->seconds, ", ");
    print_time("goal ", bench->goal_seconds, ": ");
    printf("%s", fast->seconds <= bench->goal_seconds ? "reached" : "MISSED");
    if (plain) {
        print_time("; the plain way ", plain->seconds, ", so ");
        printf("%.1f times as fast", plain->seconds / fast->seconds);
    }
    printf("\n  memory: %.0f MB", fast->peak_mb);
    if (bench->goal_mb > 0)
        printf(", goal %.0f MB: %s", bench->goal_mb,
               fast->peak_mb <= bench->goal_mb ? "reached" : "MISSED");
    printf("\n  limit: %s\n", bench->limit);
}

static Status run_one(const Cli *cli, const Game *game, const GameBench *bench,
                      const SolveLimits *limits) {
    Timing fast, plain;
    Status status = time_in_child(bench->run, limits, &fast);
    if (!status_is_ok(&status))
        return status;
    if (isnan(fast.checksum))
        return print_skipped(cli, game, bench);
    if (bench->baseline)
        status = time_in_child(bench->baseline, limits, &plain);
    if (!status_is_ok(&status))
        return status;
    if (bench->baseline && isnan(plain.checksum))
        return print_skipped(cli, game, bench);
    double tolerance = bench->tolerance > 0 ? bench->tolerance : 1e-9;
    if (bench->baseline &&
        !(fabs(fast.checksum - plain.checksum) <= tolerance * fabs(plain.checksum)))
        return status_make(STATUS_FAILED, "%s: %s: the results differ, %.17g and %.17g",
                           game->identity.name, bench->what, fast.checksum, plain.checksum);
    const Timing *baseline = bench->baseline ? &plain : NULL;
    if (cli->json)
        status = cli_print_json(json_of(game, bench, &fast, baseline));
    else
        print_text(game, bench, &fast, baseline);
    fflush(stdout);
    return status;
}

static Status run(Cli *cli) {
    bool with_slow = options_find(&cli->line, "slow") != NULL;
    if (options_find(&cli->line, "signature"))
        return cli->json ? status_make(STATUS_USAGE, "--signature has no JSON form")
                         : signature_print(cli);
    SolveLimits limits = cli_limits_for_tables(cli);
    limits.progress = NULL;
    for (size_t i = 0; i < registry_count(); i++) {
        const Game *game = registry_at(i);
        if (cli->variant.game && cli->variant.game != game)
            continue;
        for (size_t j = 0; j < game_bench_count(game); j++) {
            if (game->benches->list[j].is_slow && !with_slow)
                continue;
            Status status = run_one(cli, game, &game->benches->list[j], &limits);
            fflush(stdout);
            if (!status_is_ok(&status))
                return status;
        }
    }
    return status_ok();
}

static const char *const examples[] = {"bench {game}", "bench {game} --json",
                                       "bench race --signature", NULL};

static const OptionSpec options[] = {
    {.name = "slow",
     .help = "include those that take minutes and gigabytes",
     .help_ko = "몇 분씩 걸리고 메모리를 몇 기가바이트 쓰는 것도 잼"},
    {.name = "signature",
     .help = "instead of speeds, print results that must not change, and their hash",
     .help_ko = "속도 대신, 바뀌지 않아야 할 결과와 그 해시를 출력"},
};

const Verb verb_bench = {.name = "bench",
                         .arguments = "[GAME]",
                         .summary = "the promised speeds, each compared with a plain baseline",
                         .summary_ko = "약속한 속도를 재고 단순한 구현과 비교",
                         .examples = examples,
                         .options = options,
                         .option_count = sizeof options / sizeof options[0],
                         .game = VERB_GAME_MAY,
                         .takes_json = true,
                         .run = run};
