/* malpan review: what each move of a recorded game lost, and what the throws contributed. */
#include "play/review.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "ui/cli/cli.h"
#include "ui/cli/review_plot.h"
#include "ui/cli/stop.h"
#include "ui/json/build.h"
#include "ui/json/review.h"
#include "values/policy.h"

enum { RECORD_BYTES_MAX = 16 << 20, WORST_MAX = 3, NUMBER_COLUMNS = 10 };

/* Where values need a search: how long all searches may take, and one of them. As on the page. */
#define SEARCHES_S 10.0
#define SEARCH_S 0.2

/* Reads all of standard input into memory that the caller frees. */
static Status read_input(char **text, size_t *size) {
    size_t capacity = 1 << 16;
    char *bytes = malloc(capacity);
    *size = 0;
    while (bytes) {
        *size += fread(bytes + *size, 1, capacity - 1 - *size, stdin);
        if (*size < capacity - 1 || capacity > RECORD_BYTES_MAX)
            break;
        char *more = realloc(bytes, capacity *= 2);
        if (!more)
            free(bytes);
        bytes = more;
    }
    if (!bytes)
        return status_make(STATUS_FAILED, "out of memory");
    bytes[*size] = '\0';
    *text = bytes;
    if (*size <= RECORD_BYTES_MAX && !ferror(stdin))
        return status_ok();
    free(bytes);
    return ferror(stdin) ? status_make(STATUS_FAILED, "cannot read standard input")
                         : status_make(STATUS_USAGE, "the game record is too long");
}

static Status read_record(const Cli *cli, Record *record) {
    const char *file = cli->words[0];
    bool is_input = strcmp(file, "-") == 0;
    char *text;
    size_t size;
    Status status =
        is_input ? read_input(&text, &size) : file_read(file, RECORD_BYTES_MAX, &text, &size);
    if (!status_is_ok(&status))
        return status;
    status = strlen(text) == size ? record_parse(text, record)
                                  : status_make(STATUS_USAGE, "not a game record");
    free(text);
    if (!status_is_ok(&status))
        return status_make(status.code, "%s: %s", is_input ? "standard input" : quote(file).text,
                           status.message);
    return status;
}

/* --- as text --- */

/* Adds a change of a value, in columns. What rounds to nothing has no sign of its own. */
static void add_change(const Variant *variant, Text *line, double change, bool is_estimate) {
    bool is_counted = variant->game->rules.value_info(&variant->rules).is_counted;
    char bytes[64];
    Text text = text_over(bytes, sizeof bytes);
    if (fabs(change) < 0.00005)
        change = 0;
    text_addf(&text,
              is_counted    ? "%s%+.2f"
              : is_estimate ? "%s%+.3f"
                            : "%s%+.4f",
              is_estimate ? "~" : "", change);
    text_add_right(line, bytes, NUMBER_COLUMNS);
}

static const char *in_words(ReviewVerdict verdict, Lang lang) {
    static const Phrase words[REVIEW_VERDICT_COUNT] = {
        [REVIEW_NONE] = {{"", ""}},
        [REVIEW_BEST] = {{"best", "최선"}},
        [REVIEW_GOOD] = {{"good", "좋은 수"}},
        [REVIEW_SLOW] = {{"slow", "느린 수"}},
        [REVIEW_SMALL] = {{"inaccuracy", "아쉬운 수"}},
        [REVIEW_MISTAKE] = {{"mistake", "실수"}},
        [REVIEW_BLUNDER] = {{"blunder", "큰 실수"}}};
    return words[verdict].in[lang];
}

static void add_move(const Record *record, size_t index, Move move, Lang lang, Text *text) {
    const Variant *variant = &record->variant;
    variant->game->text.print_move(&variant->rules, &record->states[index], move, lang, text);
}

/* `   3  0  3+4    0.570888   -0.2083  blunder; best: 8` */
static void print_step(const Cli *cli, const Record *record, const Review *review, size_t index,
                       int move_columns) {
    static const Phrase best_was = {{"; best: ", "; 최선은 "}};
    const Variant *variant = &record->variant;
    const ReviewStep *step = &review->steps[index];
    char line[4 * GAME_TEXT_BYTES], bytes[GAME_TEXT_BYTES];
    Text text = text_over(line, sizeof line), word = text_over(bytes, sizeof bytes);
    add_move(record, index, record->moves[index], cli->lang, &word);
    text_addf(&text, "%5zu  %-6d  ", index + 1, step->player);
    text_add_left(&text, bytes, move_columns);
    word = text_over(bytes, sizeof bytes);
    cli_add_value_for_people(cli, &word, variant, step->values[step->player], step->is_estimate);
    text_add_right(&text, bytes, variant->game->outcomes ? 2 * NUMBER_COLUMNS : NUMBER_COLUMNS);
    if (!variant->game->outcomes)
        add_change(variant, &text, step->is_chance ? step->luck : 0 - step->loss,
                   step->is_estimate);
    if (!step->is_chance)
        text_addf(&text, "  %s", in_words(step->verdict, cli->lang));
    if (!step->is_chance && step->verdict != REVIEW_BEST) {
        text_add(&text, best_was.in[cli->lang]);
        add_move(record, index, step->best, cli->lang, &text);
    }
    puts(line);
}

static void print_steps(const Cli *cli, const Record *record, const Review *review) {
    static const Phrase head[] = {
        {{"step", "걸음"}}, {{"player", "선수"}}, {{"move", "수"}}, {{"change", "변화"}}};
    const Variant *variant = &record->variant;
    int columns = 4;
    char bytes[2 * GAME_TEXT_BYTES];
    for (size_t i = 0; i < review->step_count; i++) {
        Text text = text_over(bytes, sizeof bytes);
        add_move(record, i, record->moves[i], cli->lang, &text);
        if (text_columns(bytes) > columns)
            columns = text_columns(bytes);
    }
    static const Phrase value = {{"value", "값"}};
    Text text = text_over(bytes, sizeof bytes);
    text_add_right(&text, head[0].in[cli->lang], 5);
    text_add(&text, "  ");
    text_add_left(&text, head[1].in[cli->lang], 8);
    text_add_left(&text, head[2].in[cli->lang], columns);
    text_add_right(&text, value.in[cli->lang],
                   variant->game->outcomes ? 2 * NUMBER_COLUMNS : NUMBER_COLUMNS);
    if (!variant->game->outcomes)
        text_add_right(&text, head[3].in[cli->lang], NUMBER_COLUMNS);
    puts(bytes);
    for (size_t i = 0; i < review->step_count; i++)
        print_step(cli, record, review, i, columns);
}

/* Where each player's result comes from. Outcomes cannot be added up. */
static void print_totals(const Cli *cli, const Record *record, const Review *review) {
    static const Phrase head[] = {{{"start", "처음"}},
                                  {{"luck", "운"}},
                                  {{"skill", "실력"}},
                                  {{"others", "상대"}},
                                  {{"end", "끝"}}};
    const Variant *variant = &record->variant;
    char line[2 * GAME_TEXT_BYTES], bytes[GAME_TEXT_BYTES];
    if (variant->game->outcomes)
        return;
    Text text = text_over(line, sizeof line);
    text_add_left(&text, "", 20);
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        text_add_right(&text, head[i].in[cli->lang], NUMBER_COLUMNS);
    printf("\n%s\n", line);
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++) {
        const double changes[] = {review->luck[i], review->skill[i], review->others[i]};
        Text seat = text_over(bytes, sizeof bytes);
        text_addf(&seat, "%d: ", i);
        seat_print(&record->seats[i], &seat);
        text = text_over(line, sizeof line);
        text_add_left(&text, bytes, 20);
        for (int j = 0; j < 5; j++) {
            if (j > 0 && j < 4) {
                add_change(variant, &text, changes[j - 1], review->has_estimates);
                continue;
            }
            seat = text_over(bytes, sizeof bytes);
            cli_add_value_for_people(cli, &seat, variant,
                                     j == 0 ? review->start[i] : review->end[i],
                                     review->has_estimates);
            text_add_right(&text, bytes, NUMBER_COLUMNS);
        }
        puts(line);
    }
}

static void print_worst(const Cli *cli, const Record *record, const Review *review) {
    static const Phrase costliest = {{"the costliest moves:", "손해가 가장 큰 수:"}};
    static const Phrase none = {{"no move lost anything", "손해 본 수가 없습니다"}};
    size_t worst[WORST_MAX], count = review_list_worst(review, worst, WORST_MAX);
    char bytes[WORST_MAX * GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    text_add(&text, (count > 0 ? costliest : none).in[cli->lang]);
    for (size_t i = 0; i < count; i++) {
        text_addf(&text, "%s %zu (", i > 0 ? "," : "", worst[i] + 1);
        add_move(record, worst[i], record->moves[worst[i]], cli->lang, &text);
        text_add(&text, ")");
    }
    printf("\n%s\n", bytes);
}

/* --- as JSON --- */

static json_t *encode_seats(const Record *record) {
    json_t *list = json_array();
    int players = record->variant.game->rules.player_count(&record->variant.rules);
    for (int i = 0; i < players; i++) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        seat_print(&record->seats[i], &text);
        list = json_with_item(list, json_string(bytes));
    }
    return list;
}

/* The page's review, and which game it is. */
static json_t *json_of(const Record *record, const Review *review) {
    json_t *json = encode_review(record, review);
    json = json_with(json, "game", json_string(record->variant.game->identity.name));
    json = json_with(json, "rules", encode_rules(&record->variant));
    return json_with(json, "seats", encode_seats(record));
}

/* --- the verb --- */

static Status show(Cli *cli, const Record *record, const Review *review, const Status *missing) {
    const OptionGiven *plot = options_find(&cli->line, "plot");
    Status status = plot ? review_plot(record, review, cli->lang, plot->value) : status_ok();
    if (!status_is_ok(&status))
        return status;
    if (cli->json)
        return cli_print_json(json_of(record, review));
    print_steps(cli, record, review);
    print_totals(cli, record, review);
    print_worst(cli, record, review);
    if (review->has_estimates && missing->message[0]) {
        putchar('\n');
        cli_print_note(cli, missing->message);
    }
    return status;
}

static Status review_record(Cli *cli, const Record *record) {
    const OptionGiven *time = options_find(&cli->line, "time");
    const OptionGiven *plot = options_find(&cli->line, "plot");
    SolveLimits limits = cli_limits(cli);
    limits.stop = stop_on_signals();
    limits.seconds = SEARCHES_S / (double)(record->step_count + 1);
    if (limits.seconds > SEARCH_S)
        limits.seconds = SEARCH_S;
    Status missing, status = plot ? file_check_writable(plot->value) : status_ok();
    if (status_is_ok(&status) && time)
        status = number_parse_time("--time", time->value, &limits.seconds);
    Solver *solver;
    if (status_is_ok(&status))
        status = values_open(&record->variant, VALUES_ANY, &limits, &solver, &missing);
    if (!status_is_ok(&status))
        return status;
    Review review;
    status = review_make(record, solver, limits.stop, &review);
    if (status_is_ok(&status))
        status = show(cli, record, &review, &missing);
    review_close(&review);
    solver->free(solver);
    return stop_without_resuming(status);
}

static Status run(Cli *cli) {
    Record record;
    if (cli->word_count == 0)
        return status_make(STATUS_USAGE, "review: expected the file of a game, or - for stdin");
    Status status = read_record(cli, &record);
    if (!status_is_ok(&status))
        return status;
    status = review_record(cli, &record);
    record_close(&record);
    return status;
}

static const char *const examples[] = {"review game.txt", "review game.txt --json",
                                       "review game.txt --plot review.svg", "review - < game.txt",
                                       NULL};

static const OptionSpec options[] = {
    {.name = "plot",
     .argument = "FILE",
     .help = "also draw the value over the game as SVG",
     .help_ko = "값의 변화를 SVG 그림으로도 남김"},
    {.name = "time",
     .argument = "TIME",
     .help = "how long to search each position where there is no exact value (200ms)",
     .help_ko = "정확한 값이 없을 때 국면마다 탐색할 시간 (200ms)"}};

const Verb verb_review = {
    .name = "review",
    .arguments = "FILE | -",
    .summary = "what each move of a saved game lost, and what luck did",
    .summary_ko = "저장한 게임에서 수마다 본 손해와 운",
    .details =
        "Reads a game as `malpan play --file` saves it and the page exports it. Each step shows "
        "the "
        "value to the player in turn before it and how the step changed it: by luck, or by what a "
        "move lost against the best one. Below, for each player: the value at the start, luck, "
        "skill, what happened in the turns of others, and the value at the end, the sum of them "
        "all. The numbers are those of the page's review.",
    .details_ko =
        "`malpan play --file`로 저장했거나 페이지에서 내보낸 게임을 읽습니다. 걸음마다 그 앞의 "
        "값과, "
        "운 또는 최선이 아닌 수 때문에 값이 얼마나 변했는지 보입니다. 그 아래에는 선수마다 처음의 "
        "값, 운, 실력, 상대 차례의 변화, 그리고 이를 모두 더한 끝의 값이 나옵니다. 페이지의 복기와 "
        "같은 수치입니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .words_max = 1,
    .takes_json = true,
    .run = run};
