#include "ui/cli/stats_all.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/fraction.h"
#include "game/inputs.h"
#include "ui/cli/histogram.h"
#include "ui/json/build.h"

enum { SCORES = 1 << 15, SHOWN_MAX = 10 };

typedef struct AllInputs {
    const Variant *variant;
    int16_t *scores; /* of each input */
    uint64_t count;
    uint64_t sum;
    double deviation;           /* standard deviation of the scores */
    int lowest, highest;        /* scores */
    uint64_t inputs_of[SCORES]; /* how many inputs have each score */
} AllInputs;

json_t *stats_json_counts(const uint64_t counts[], size_t count) {
    json_t *json = json_object();
    for (size_t i = 0; i < count; i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        if (counts[i] > 0)
            json = json_with(json, key, json_integer((json_int_t)counts[i]));
    }
    return json;
}

static void summarize_scores(AllInputs *all) {
    double squares = 0;
    for (uint64_t i = 0; i < all->count; i++)
        all->inputs_of[all->scores[i]]++;
    all->lowest = SCORES;
    for (int score = 0; score < SCORES; score++) {
        if (all->inputs_of[score] == 0)
            continue;
        all->lowest = score < all->lowest ? score : all->lowest;
        all->highest = score;
        all->sum += (uint64_t)score * all->inputs_of[score];
    }
    double mean = (double)all->sum / (double)all->count;
    for (int score = all->lowest; score <= all->highest; score++)
        squares += (score - mean) * (score - mean) * (double)all->inputs_of[score];
    all->deviation = sqrt(squares / (double)all->count);
}

static void add_input(const AllInputs *all, uint64_t index, Text *text) {
    all->variant->game->inputs->print(&all->variant->rules, index, text);
}

/* Prints a label and the figure next to it. */
static void print_figure(const Cli *cli, Phrase label, const char *figure) {
    enum { LABEL_COLUMNS = 11 };
    char bytes[2 * GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    text_add_left(&text, label.in[cli->lang], LABEL_COLUMNS);
    text_add(&text, figure);
    puts(bytes);
}

/* The inputs with this score, up to SHOWN_MAX. */
static void print_extreme(const Cli *cli, const AllInputs *all, Phrase label, int score) {
    static const Phrase one = {{"{0}, by {1} input:", "{0}, 입력 {1}가지:"}};
    static const Phrase several = {{"{0}, by {1} inputs:", "{0}, 입력 {1}가지:"}};
    static const Phrase no_label = {{"", ""}};
    static const Phrase more = {{"... (--json has all)", "... (--json에 모두 있음)"}};
    char bytes[GAME_TEXT_BYTES], points[16], inputs[24];
    uint64_t count = all->inputs_of[score];
    int shown = 0;
    Text text = text_over(bytes, sizeof bytes);
    snprintf(points, sizeof points, "%d", score);
    snprintf(inputs, sizeof inputs, "%" PRIu64, count);
    phrase_add(&text, count > 1 ? several : one, cli->lang, (const char *const[]){points, inputs});
    print_figure(cli, label, bytes);
    for (uint64_t i = 0; i < all->count && shown < SHOWN_MAX; i++) {
        if (all->scores[i] != score)
            continue;
        text = text_over(bytes, sizeof bytes);
        add_input(all, i, &text);
        print_figure(cli, no_label, bytes);
        shown++;
    }
    if (count > SHOWN_MAX)
        print_figure(cli, no_label, more.in[cli->lang]);
}

static void print_text(const Cli *cli, const AllInputs *all, const Histogram *histogram) {
    static const Phrase inputs = {{"inputs", "입력"}}, mean = {{"mean", "평균"}};
    static const Phrase deviation = {{"deviation", "표준편차"}};
    static const Phrase smallest = {{"smallest", "최저"}}, largest = {{"largest", "최고"}};
    static const Phrase by_score = {{"inputs by score", "점수별 입력"}};
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant_print_unusual(all->variant, &text);
    printf("%s%s%s\n", all->variant->game->identity.name, text.length > 0 ? " " : "", bytes);
    snprintf(bytes, sizeof bytes, "%" PRIu64, all->count);
    print_figure(cli, inputs, bytes);
    text = text_over(bytes, sizeof bytes);
    text_addf(&text, "%.6f = ", (double)all->sum / (double)all->count);
    fraction_add(&text, all->sum, all->count);
    print_figure(cli, mean, bytes);
    snprintf(bytes, sizeof bytes, "%.6f", all->deviation);
    print_figure(cli, deviation, bytes);
    print_extreme(cli, all, smallest, all->lowest);
    print_extreme(cli, all, largest, all->highest);
    puts(by_score.in[cli->lang]);
    histogram_print(histogram);
}

static json_t *json_of_extreme(const AllInputs *all, int score) {
    json_t *inputs = json_array();
    for (uint64_t i = 0; i < all->count; i++) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        if (all->scores[i] != score)
            continue;
        add_input(all, i, &text);
        inputs = json_with_item(inputs, json_string(bytes));
    }
    return json_pack("{s:i, s:o}", "score", score, "inputs", inputs);
}

static json_t *json_of(const AllInputs *all) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    fraction_add(&text, all->sum, all->count);
    return json_pack("{s:s, s:o, s:o, s:f, s:s, s:f, s:o, s:o, s:o}", "game",
                     all->variant->game->identity.name, "rules", encode_rules(all->variant),
                     "inputs", encode_count(all->count), "mean",
                     (double)all->sum / (double)all->count, "mean_fraction", bytes, "deviation",
                     all->deviation, "smallest", json_of_extreme(all, all->lowest), "largest",
                     json_of_extreme(all, all->highest), "inputs_by_score",
                     stats_json_counts(all->inputs_of, SCORES));
}

static void print_csv(const AllInputs *all) {
    puts("score,inputs");
    for (int score = all->lowest; score <= all->highest; score++)
        printf("%d,%" PRIu64 "\n", score, all->inputs_of[score]);
}

/* Prints the result as text, JSON or CSV, and plots it if asked. */
static Status print_result(const Cli *cli, const AllInputs *all) {
    const OptionGiven *plot = options_find(&cli->line, "plot");
    char title[2 * GAME_TEXT_BYTES], rules[GAME_TEXT_BYTES];
    Text text = text_over(rules, sizeof rules);
    variant_print_unusual(all->variant, &text);
    snprintf(title, sizeof title, "%s%s%s: all %" PRIu64 " inputs by score",
             all->variant->game->identity.title.in[LANG_EN], text.length > 0 ? " " : "", rules,
             all->count);
    Histogram histogram = {
        .title = title, .across = "score", .counts = all->inputs_of, .count = SCORES};
    Status status = plot ? histogram_plot(&histogram, plot->value) : status_ok();
    if (!status_is_ok(&status))
        return status;
    if (cli->json)
        return cli_print_json(json_of(all));
    if (options_find(&cli->line, "csv"))
        print_csv(all);
    else
        print_text(cli, all, &histogram);
    return status;
}

/* Rejects options that only apply to played games. */
static Status check_options(const Cli *cli) {
    static const char *const others[] = {"games", "take-wins", "perfect", "seed"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (options_find(&cli->line, others[i]))
            return status_make(
                STATUS_USAGE, "--%s and --all exclude each other: --all plays no games", others[i]);
    if (cli->json && options_find(&cli->line, "csv"))
        return status_make(STATUS_USAGE, "expected either --json or --csv, not both");
    if (!cli->variant.game->inputs)
        return status_make(STATUS_UNSUPPORTED,
                           "%s has no --all: the sequences of its chance events depend on the "
                           "moves, or are too many to list",
                           cli->variant.game->identity.name);
    return status_ok();
}

Status stats_all_run(Cli *cli) {
    const Variant *variant = &cli->variant;
    Status status = check_options(cli);
    if (!status_is_ok(&status))
        return status;
    AllInputs *all = calloc(1, sizeof *all);
    if (!all)
        return status_make(STATUS_FAILED, "out of memory");
    all->variant = variant;
    all->count = variant->game->inputs->count(&variant->rules);
    status = variant->game->inputs->scores(&variant->rules, &all->scores);
    if (status_is_ok(&status)) {
        summarize_scores(all);
        status = print_result(cli, all);
    }
    free(all->scores);
    free(all);
    return status;
}
