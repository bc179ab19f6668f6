/* malpan learn: learns the weights of a game's estimate and writes them to a file. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "game/learning.h"
#include "ui/cli/resume.h"
#include "ui/cli/stop.h"
#include "ui/json/build.h"
#include "values/services.h"

enum { STEPS_MAX = 100000000 };

/* Reads the options into `job`, which points to them and to `checkpoint`. */
static Status read_job(const Cli *cli, LearnJob *job, Checkpoint *checkpoint) {
    const OptionGiven *steps = options_find(&cli->line, "steps");
    const OptionGiven *output = options_find(&cli->line, "output");
    *job = (LearnJob){.seed = cli->seed_given ? cli->seed : 1,
                      .steps = cli->variant.game->learning->usual_steps(&cli->variant.rules),
                      .services = &values_services,
                      .path = output ? output->value : ""};
    if (!output && !options_find(&cli->line, "measure"))
        return status_make(STATUS_USAGE,
                           "learn: expected -o FILE, the file to write the weights to");
    Status status = resume_read_checkpoint(cli, job->path, checkpoint);
    job->checkpoint = checkpoint->path;
    job->checkpoint_s = checkpoint->every_s;
    job->validate = options_find(&cli->line, "validate") != NULL;
    return status_is_ok(&status) && steps
               ? number_parse("--steps", steps->value, 1, STEPS_MAX, &job->steps)
               : status;
}

static json_t *json_of_errors(const LearnReport *report) {
    json_t *list = json_array();
    for (size_t i = 0; i < report->error_count; i++) {
        const LearnError *error = &report->errors[i];
        list = json_with_item(list,
                              json_pack("{s:s, s:o, s:f, s:f, s:f, s:f}", "positions", error->what,
                                        "count", encode_count(error->positions), "typical_error",
                                        error->mean, "rms", error->rms, "direct_error",
                                        error->direct_mean, "direct_rms", error->direct_rms));
    }
    return list;
}

static void print_errors(const LearnReport *report) {
    printf("exact values: %s\n", report->exact);
    printf("%-22s %9s %10s %10s   %s\n", "held-out positions", "count", "error", "RMS",
           "(of the estimate itself)");
    for (size_t i = 0; i < report->error_count; i++) {
        const LearnError *error = &report->errors[i];
        if (error->positions > 0)
            printf("%-22s %9" PRIu64 " %10.4f %10.4f   %.4f %.4f\n", error->what, error->positions,
                   error->mean, error->rms, error->direct_mean, error->direct_rms);
    }
}

static Status print_report(const Cli *cli, const LearnJob *job, const LearnReport *report,
                           double seconds) {
    char checksum[24];
    snprintf(checksum, sizeof checksum, "%016" PRIx64, report->checksum);
    if (cli->json) {
        json_t *json =
            json_pack("{s:s, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:s, s:f}", "game",
                      cli->variant.game->identity.name, "rules", encode_rules(&cli->variant),
                      "steps", encode_count(job->steps), "samples", encode_count(report->samples),
                      "games", encode_count(report->games), "exact_values", report->exact, "errors",
                      json_of_errors(report), "weights", cli_json_path(job->path), "bytes",
                      encode_count(report->bytes), "checksum", checksum, "seconds", seconds);
        return cli_print_json(json);
    }
    printf("%s, %" PRIu64 " steps, %" PRIu64 " samples, %" PRIu64 " games, %.1f s\n",
           cli->variant.game->identity.name, job->steps, report->samples, report->games, seconds);
    print_errors(report);
    printf("weights %s, %.1f kB, checksum %s\n", job->path, (double)report->bytes / 1e3, checksum);
    return status_ok();
}

/* --measure: the errors of a file of weights, or of those in the program. */
static Status run_measure(const Cli *cli, LearnJob *job) {
    const Variant *variant = &cli->variant;
    LearnReport report;
    const OptionGiven *file = options_find(&cli->line, "measure");
    job->path = strcmp(file->value, "-") == 0 ? NULL : file->value;
    Status status = variant->game->learning->measure(&variant->rules, job, &report);
    if (!status_is_ok(&status))
        return status;
    if (cli->json)
        return cli_print_json(
            json_pack("{s:s, s:o, s:s, s:o, s:o}", "game", variant->game->identity.name, "rules",
                      encode_rules(variant), "exact_values", report.exact, "errors",
                      json_of_errors(&report), "bytes", encode_count(report.bytes)));
    print_errors(&report);
    return status;
}

static Status run(Cli *cli) {
    const Variant *variant = &cli->variant;
    const GameLearning *learning = variant->game->learning;
    if (!learning)
        return status_make(STATUS_UNSUPPORTED, "%s learns nothing: its values are computed",
                           variant->game->identity.name);
    LearnJob job;
    Checkpoint checkpoint;
    Status status = learning->check(&variant->rules);
    if (status_is_ok(&status))
        status = read_job(cli, &job, &checkpoint);
    if (!status_is_ok(&status))
        return status;
    SolveLimits limits = cli_limits_for_tables(cli);
    limits.stop = stop_on_signals();
    job.limits = &limits;
    if (options_find(&cli->line, "measure"))
        return run_measure(cli, &job);
    status = file_check_writable(job.path);
    if (!status_is_ok(&status))
        return status;
    resume_announce(cli, &checkpoint);
    double start_s = progress_clock_s();
    LearnReport report;
    status = learning->learn(&variant->rules, &job, &report);
    return status_is_ok(&status) ? print_report(cli, &job, &report, progress_clock_s() - start_s)
                                 : resume_add_advice(status);
}

static bool suits_game(const Game *game) {
    return game->learning != NULL;
}

static const char *const examples[] = {"learn yut --steps 10 -o duel.weights",
                                       "learn yut --players 3 --steps 10 -o table.weights --json",
                                       NULL};

static const OptionSpec options[] = {
    {.name = "steps",
     .argument = "N",
     .help = "how many steps to learn (as many as the built-in weights)",
     .help_ko = "학습 단계 수 (프로그램에 든 가중치와 같게)"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "the file to write the weights to",
     .help_ko = "가중치를 쓸 파일"},
    {.name = "measure",
     .argument = "FILE",
     .help = "learn nothing: measure the weights in FILE, or with `-` the built-in ones",
     .help_ko = "배우지 않고 FILE의 가중치, `-`이면 프로그램에 든 가중치의 오차를 잼"},
    {.name = "validate",
     .help = "with --measure: use the validation positions, by which networks are chosen, "
             "instead of the test positions",
     .help_ko = "--measure와 함께: 오차를 보고하는 국면이 아니라 신경망을 고르는 국면에서 잼"},
    RESUME_CHECKPOINT_OPTION,
};

const Verb verb_learn = {
    .name = "learn",
    .arguments = "GAME",
    .summary = "learn the weights of the game's estimate",
    .summary_ko = "게임의 추정값에 쓰는 가중치를 학습",
    .details =
        "This command made the built-in weights. It learns from exact values where it has "
        "them, and from games against itself, and measures the error on positions that it "
        "has not learned from.\n\n"
        "The file depends on the seed (1), the steps, the rules and the tables that exist, not on "
        "the number of threads. After Ctrl-C or a kill, the same command resumes the work.",
    .details_ko =
        "프로그램에 든 가중치는 이 명령으로 만들었습니다. 정확한 값이 있으면 그 값에서, 그리고 "
        "자기 자신과 둔 판에서 배우고, 배우지 않은 국면에서 오차를 잽니다.\n\n"
        "결과 파일은 시드(1), 단계 수, 규칙, 있는 테이블에만 달려 있고 스레드 수와는 상관없습니다. "
        "중단되어도(Ctrl-C, 강제 종료) 같은 명령으로 이어서 합니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .game = VERB_GAME_MUST,
    .suits_game = suits_game,
    .takes_rules = true,
    .takes_json = true,
    .run = run};
