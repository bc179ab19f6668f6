/* malpan eval: the value of a position and of every legal move in it. */
#include <stdlib.h>
#include <string.h>

#include "base/fraction.h"
#include "base/number.h"
#include "game/line_text.h"
#include "game/value_text.h"
#include "ui/cli/cli.h"
#include "ui/json/evaluation.h"
#include "values/evaluate.h"
#include "values/policy.h"
#include "values/principal_variation.h"

/* A solver for the most recent variant. Positions of one batch may belong to different variants. */
typedef struct Evaluator {
    Cli *cli;
    bool numbers; /* label the squares of the board */
    Variant variant;
    Solver *solver; /* NULL: none yet */
    Status missing; /* why there are no exact values, if the solver only estimates */
    Evaluation evaluation;
    /* With --throws, at a chance node: the events, their probabilities, and the values after
     * them. */
    size_t event_count;
    Chance events[GAME_CHANCES_MAX];
    double event_chances[GAME_CHANCES_MAX], event_values[GAME_CHANCES_MAX];
    PrincipalVariation lines;        /* if no chance events remain */
    uint64_t numerator, denominator; /* the value as a fraction if known; otherwise 0 */
} Evaluator;

static void add_move(const Evaluator *evaluator, const State *state, Move move, Lang lang,
                     Text *text) {
    const Variant *variant = &evaluator->variant;
    variant->game->text.print_move(&variant->rules, state, move, lang, text);
}

/* Evaluates the chance events, if --throws was given. */
static Status evaluate_events(Evaluator *evaluator, const State *state) {
    const Variant *variant = &evaluator->variant;
    evaluator->event_count = 0;
    if (!options_find(&evaluator->cli->line, "throws") ||
        variant->game->tree.actor(&variant->rules, state) != GAME_CHANCE)
        return status_ok();
    uint64_t whole;
    size_t count = variant->game->tree.chances(&variant->rules, state, evaluator->events, &whole);
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        double values[GAME_PLAYERS_MAX];
        variant->game->tree.apply(&variant->rules, &next, evaluator->events[i].move);
        Status status = evaluator->solver->values(evaluator->solver, &next, values);
        if (!status_is_ok(&status))
            return status;
        evaluator->event_chances[i] = (double)evaluator->events[i].weight / (double)whole;
        evaluator->event_values[i] = values[evaluator->evaluation.player];
    }
    evaluator->event_count = count;
    return status_ok();
}

/* Finds the value as a fraction and a line of best play, if available. */
static Status evaluate_further(Evaluator *evaluator, const State *state) {
    Solver *solver = evaluator->solver;
    Status status = status_ok();
    evaluator->denominator = 0;
    evaluator->lines.count = 0;
    if (evaluator->cli->value)
        return status;
    if (solver->fraction)
        status = solver->fraction(solver, state, &evaluator->numerator, &evaluator->denominator);
    return status_is_ok(&status)
               ? principal_variation_find(&evaluator->variant, solver, state, &evaluator->lines)
               : status;
}

/* Describes move `index` of the best line in words. */
static void narrate_line_move(const Evaluator *evaluator, const State *first, size_t index,
                              Text *text) {
    const Variant *variant = &evaluator->variant;
    const Move *moves = evaluator->lines.moves;
    Lang lang = evaluator->cli->lang;
    if (variant->game->line_text) {
        variant->game->line_text->narrate(&variant->rules, first, moves, index + 1, lang, text);
        return;
    }
    State state = *first;
    for (size_t i = 0; i < index; i++)
        variant->game->tree.apply(&variant->rules, &state, moves[i]);
    variant->game->text.narrate(&variant->rules, &state, moves[index], lang, text);
}

/* How the values were computed, or why they are not exact. */
static const char *note_of(const Evaluator *evaluator) {
    const char *note = evaluator->evaluation.note;
    return note[0] ? note : evaluator->missing.message;
}

static json_t *json_of(const Evaluator *evaluator, const State *state) {
    const Evaluator *e = evaluator;
    return encode_evaluation(&(EvaluationReport){.variant = &e->variant,
                                                 .state = state,
                                                 .evaluation = &e->evaluation,
                                                 .method = e->solver->method,
                                                 .missing = e->missing.message,
                                                 .numerator = e->numerator,
                                                 .denominator = e->denominator,
                                                 .lines = &e->lines,
                                                 .event_count = e->event_count,
                                                 .events = e->events,
                                                 .event_chances = e->event_chances,
                                                 .event_values = e->event_values});
}

/* `0.343750 3+9 0.343750 4+8 0.331019`: the value, then each move and its value, best first. */
static void print_line(const Evaluator *evaluator, const State *state) {
    const Evaluation *evaluation = &evaluator->evaluation;
    char bytes[2 * GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    value_text_add(&text, &evaluator->variant, evaluation->values[evaluation->player],
                   evaluation->kind == VALUE_ESTIMATE);
    cli_add_typical_error(evaluator->cli, &text, evaluation->typical_error, "");
    fputs(bytes, stdout);
    for (size_t i = 0; i < evaluation->move_count && !evaluator->cli->value; i++) {
        text = text_over(bytes, sizeof bytes);
        text_add_char(&text, ' ');
        add_move(evaluator, state, evaluation->moves[i].move, LANG_EN, &text);
        text_add_char(&text, ' ');
        value_text_add(&text, &evaluator->variant, evaluation->moves[i].value,
                       evaluation->moves[i].is_estimate);
        fputs(bytes, stdout);
    }
    putchar('\n');
}

/* The heading of a column of values. */
static const char *value_head(const Evaluator *evaluator) {
    static const Phrase exact = {{"value", "값"}}, estimate = {{"estimate", "추정값"}};
    Phrase head = evaluator->evaluation.kind == VALUE_ESTIMATE ? estimate : exact;
    return head.in[evaluator->cli->lang];
}

enum { VALUE_COLUMNS = 12, VALUE_TEXT_BYTES = 48 };

/* Adds a value, right-aligned in a column of this width. */
static void add_value_right(const Evaluator *evaluator, Text *text, double value, bool is_estimate,
                            int width) {
    char bytes[VALUE_TEXT_BYTES];
    Text column = text_over(bytes, sizeof bytes);
    cli_add_value_for_people(evaluator->cli, &column, &evaluator->variant, value, is_estimate);
    text_add_right(text, bytes, width);
}

/* The width of a column that holds the values of all moves, two spaces before the widest. */
static int find_value_columns(const Evaluator *evaluator) {
    const Evaluation *evaluation = &evaluator->evaluation;
    int width = VALUE_COLUMNS;
    for (size_t i = 0; i < evaluation->move_count; i++) {
        char bytes[VALUE_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        add_value_right(evaluator, &text, evaluation->moves[i].value,
                        evaluation->moves[i].is_estimate, 0);
        if (text_columns(bytes) + 2 > width)
            width = text_columns(bytes) + 2;
    }
    return width;
}

static void print_moves(const Evaluator *evaluator, const State *state) {
    static const Phrase head[] = {{{"move", "수"}}, {{"loss", "손해"}}};
    const Evaluation *evaluation = &evaluator->evaluation;
    Lang lang = evaluator->cli->lang;
    int width = 6, value_width = find_value_columns(evaluator);
    for (size_t i = 0; i < evaluation->move_count; i++) {
        char move[GAME_TEXT_BYTES];
        Text text = text_over(move, sizeof move);
        add_move(evaluator, state, evaluation->moves[i].move, lang, &text);
        if (text_columns(move) > width)
            width = text_columns(move);
    }
    char line[2 * GAME_TEXT_BYTES];
    Text text = text_over(line, sizeof line);
    text_add(&text, "  ");
    text_add_left(&text, head[0].in[lang], width);
    text_add_right(&text, value_head(evaluator), value_width);
    bool with_loss = !evaluator->variant.game->outcomes; /* which cannot be subtracted */
    if (with_loss)
        text_add_right(&text, head[1].in[lang], VALUE_COLUMNS);
    puts(line);
    for (size_t i = 0; i < evaluation->move_count; i++) {
        char move[GAME_TEXT_BYTES];
        text = text_over(move, sizeof move);
        add_move(evaluator, state, evaluation->moves[i].move, lang, &text);
        double value = evaluation->moves[i].value;
        double loss = value - evaluation->moves[0].value;
        text = text_over(line, sizeof line);
        text_add(&text, "  ");
        text_add_left(&text, move, width);
        add_value_right(evaluator, &text, value, evaluation->moves[i].is_estimate, value_width);
        if (i > 0 && with_loss)
            add_value_right(evaluator, &text, loss < 0 ? -loss : loss,
                            evaluation->moves[i].is_estimate, VALUE_COLUMNS);
        puts(line);
    }
}

static void print_events(const Evaluator *evaluator, const State *state) {
    static const Phrase head[] = {{{"throw", "결과"}}, {{"chance", "확률"}}};
    Lang lang = evaluator->cli->lang;
    char line[2 * GAME_TEXT_BYTES];
    Text text = text_over(line, sizeof line);
    text_add(&text, "  ");
    text_add_left(&text, head[0].in[lang], 8);
    text_add_right(&text, head[1].in[lang], 10);
    text_add_right(&text, value_head(evaluator), VALUE_COLUMNS);
    puts(line);
    for (size_t i = 0; i < evaluator->event_count; i++) {
        char event[GAME_TEXT_BYTES];
        text = text_over(event, sizeof event);
        add_move(evaluator, state, evaluator->events[i].move, lang, &text);
        text = text_over(line, sizeof line);
        text_add(&text, "  ");
        text_add_left(&text, event, 8);
        text_addf(&text, "%10.4f", evaluator->event_chances[i]);
        add_value_right(evaluator, &text, evaluator->event_values[i],
                        evaluator->evaluation.kind == VALUE_ESTIMATE, VALUE_COLUMNS);
        puts(line);
    }
}

/* `best line, one of 12:`, and its moves in words. */
static void print_lines(const Evaluator *evaluator, const State *state) {
    static const Phrase only = {{"the only best line:", "유일한 최선:"}};
    static const Phrase one_of = {{"a best line, one of {0}:", "최선 {0}가지 중 하나:"}};
    char count[24], bytes[GAME_DRAW_BYTES];
    Text number = text_over(count, sizeof count), text = text_over(bytes, sizeof bytes);
    text_add_number(&number, evaluator->lines.count);
    phrase_add(&text, evaluator->lines.count > 1 ? one_of : only, evaluator->cli->lang,
               (const char *const[]){count});
    puts(bytes);
    for (size_t i = 0; i < evaluator->lines.length; i++) {
        text = text_over(bytes, sizeof bytes);
        narrate_line_move(evaluator, state, i, &text);
        printf("  %s\n", bytes);
    }
}

static void print_page(const Evaluator *evaluator, const State *state) {
    static const Phrase of_player = {{"{0}, player {1}: ", "{0}, 선수 {1}: "}};
    static const Phrase estimated = {{" (estimate)", " (추정값)"}};
    static const Phrase others = {{"the others: ", "다른 선수: "}};
    const Cli *cli = evaluator->cli;
    const Variant *variant = &evaluator->variant;
    const Evaluation *evaluation = &evaluator->evaluation;
    bool is_estimate = evaluation->kind == VALUE_ESTIMATE;
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    DrawStyle style = cli_style(cli);
    style.numbers = evaluator->numbers;
    variant->game->text.draw(&variant->rules, state, style, &text);
    text_add_char(&text, '\n');
    char player[16];
    snprintf(player, sizeof player, "%d", evaluation->player);
    const char *const words[] = {
        variant->game->rules.value_info(&variant->rules).name.in[cli->lang], player};
    phrase_add(&text, of_player, cli->lang, words);
    cli_add_value_for_people(cli, &text, variant, evaluation->values[evaluation->player],
                             is_estimate);
    cli_add_typical_error(cli, &text, evaluation->typical_error, " ");
    if (is_estimate)
        text_add(&text, estimated.in[cli->lang]);
    if (evaluator->denominator > 1) {
        text_add(&text, " = ");
        fraction_add(&text, evaluator->numerator, evaluator->denominator);
    }
    text_add_char(&text, '\n');
    int players = variant->game->rules.player_count(&variant->rules);
    if (players > 1)
        phrase_add(&text, others, cli->lang, words);
    for (int i = 0, shown = 0; i < players; i++) {
        if (i == evaluation->player)
            continue;
        text_addf(&text, "%s%d: ", shown++ > 0 ? ", " : "", i);
        cli_add_value_for_people(cli, &text, variant, evaluation->values[i], is_estimate);
    }
    if (players > 1)
        text_add_char(&text, '\n');
    fputs(bytes, stdout);
    if (evaluation->move_count > 0) {
        putchar('\n');
        print_moves(evaluator, state);
    }
    if (evaluator->event_count > 0) {
        putchar('\n');
        print_events(evaluator, state);
    }
    if (evaluator->lines.count > 0) {
        putchar('\n');
        print_lines(evaluator, state);
    }
    if (evaluate_has_estimates(evaluation)) {
        putchar('\n');
        cli_print_note(cli, note_of(evaluator));
    } else if (evaluation->note[0]) {
        printf("\n%s\n", evaluation->note);
    }
}

/* Makes sure that the solver matches these rules. It gives exact values, or estimates if a table is
 * missing. */
static Status use_variant(Evaluator *evaluator, const Variant *variant) {
    if (evaluator->solver &&
        memcmp(&variant->rules, &evaluator->variant.rules, sizeof variant->rules) == 0)
        return status_ok();
    if (evaluator->solver)
        evaluator->solver->free(evaluator->solver);
    evaluator->solver = NULL;
    evaluator->variant = *variant;
    SolveLimits limits = cli_limits(evaluator->cli);
    const OptionGiven *time = options_find(&evaluator->cli->line, "time");
    limits.search_only = options_find(&evaluator->cli->line, "search-only") != NULL;
    if (time) {
        Status status = number_parse_time("--time", time->value, &limits.seconds);
        if (!status_is_ok(&status))
            return status;
    }
    ValuePolicy policy = evaluator->cli->value ? VALUES_PROOF : VALUES_ANY;
    return values_open(variant, policy, &limits, &evaluator->solver, &evaluator->missing);
}

/* Evaluates the position, or only its value if --value was given. That value must be exact, since a
 * single number could not be distinguished from an estimate. */
static Status evaluate_parsed(Evaluator *evaluator, const State *state) {
    Evaluation *evaluation = &evaluator->evaluation;
    if (!evaluator->cli->value)
        return evaluate_state(&evaluator->variant, evaluator->solver, state, evaluation);
    Status status = evaluate_value(&evaluator->variant, evaluator->solver, state, evaluation);
    if (status_is_ok(&status) && evaluation->kind == VALUE_ESTIMATE)
        return status_make(STATUS_TABLE, "no proof: searched %.*s (--time searches longer)",
                           (int)strcspn(evaluation->note, ";"), evaluation->note);
    return status;
}

/* Evaluates a position whose rules are resolved. */
static Status evaluate_resolved(Evaluator *evaluator, const Variant *variant, const State *state) {
    Status status = cli_check_goes_on(variant, state);
    if (status_is_ok(&status))
        status = use_variant(evaluator, variant);
    if (status_is_ok(&status))
        status = evaluate_parsed(evaluator, state);
    return status_is_ok(&status) ? evaluate_events(evaluator, state) : status;
}

/* The answer to a bad line of input. */
static void print_error(const Cli *cli, const Status *status) {
    if (cli->json)
        cli_print_json_error(status);
    else
        printf("error: %s\n", status->message);
}

/* Answers every line of input with one line. */
static Status run_batch(Evaluator *evaluator) {
    static char line[CLI_LINE_BYTES];
    uint64_t bad = 0;
    CliInput input;
    while ((input = cli_read_line(evaluator->cli, line)) != CLI_INPUT_END) {
        Variant variant = evaluator->cli->variant;
        State state;
        Status status = input == CLI_INPUT_LONG_LINE
                            ? cli_long_line()
                            : cli_resolve(evaluator->cli, line, &variant, &state);
        if (status_is_ok(&status))
            status = evaluate_resolved(evaluator, &variant, &state);
        if (status_is_ok(&status) && evaluator->cli->json)
            status = evaluate_further(evaluator, &state);
        if (status_is_ok(&status) && evaluator->cli->json)
            status = cli_print_json(json_of(evaluator, &state));
        else if (status_is_ok(&status))
            print_line(evaluator, &state);
        if (!status_is_ok(&status))
            print_error(evaluator->cli, &status);
        bad += !status_is_ok(&status);
        fflush(stdout); /* a program may wait for the answer before it continues */
    }
    Status end = cli_check_input(evaluator->cli);
    if (!status_is_ok(&end))
        return end;
    /* The output lines already report the errors. */
    return bad > 0 ? status_make(STATUS_FAILED, "%s", "") : status_ok();
}

static Status run_one(Evaluator *evaluator) {
    Cli *cli = evaluator->cli;
    const State *state = &cli->state;
    Status status = evaluate_resolved(evaluator, &cli->variant, state);
    if (status_is_ok(&status))
        status = evaluate_further(evaluator, state);
    if (!status_is_ok(&status))
        return status;
    if (cli->json)
        return cli_print_json(json_of(evaluator, state));
    if (cli->value)
        print_line(evaluator, state);
    else
        print_page(evaluator, state);
    return status;
}

static Status run(Cli *cli) {
    static Evaluator evaluator;
    evaluator.cli = cli;
    evaluator.solver = NULL;
    evaluator.variant = cli->variant;
    Status status = cli_read_numbers(cli, false, &evaluator.numbers);
    if (status_is_ok(&status))
        status = cli_reads_positions(cli) ? run_batch(&evaluator) : run_one(&evaluator);
    if (evaluator.solver)
        evaluator.solver->free(evaluator.solver);
    return status;
}

static const char *const examples[] = {"eval {game}",
                                       "eval {game} {position}",
                                       "eval {game} {position} --value",
                                       "eval {game} {position} --json",
                                       "eval {game} --throws",
                                       "eval {game} - < positions.txt",
                                       NULL};

static const OptionSpec options[] = {
    {.name = "throws",
     .help = "before a throw or a roll: also show the value after each result",
     .help_ko = "던지기 전이라면 결과마다 그 뒤의 값도 보임"},
    {.name = "time",
     .argument = "TIME",
     .help = "how long to search where there is no exact value, such as 500ms or 1m (5s)",
     .help_ko = "정확한 값이 없을 때 탐색할 시간, 예: 500ms, 1m (5s)"},
    {.name = "search-only",
     .help = "search even where the program has stored values",
     .help_ko = "저장된 값이 있어도 탐색함"},
    {.name = "numbers",
     .argument = "ON",
     .choices = "on off",
     .help = "on or off: show the numbers of the squares on the board (off)",
     .help_ko = "판에 자리 번호를 보임: on 또는 off (off)"}};

const Verb verb_eval = {
    .name = "eval",
    .arguments = "GAME [POSITION | -]",
    .summary = "the value of a position and of every move in it",
    .summary_ko = "국면의 값과 모든 수의 값",
    .details =
        "Without a position: the start. With `-`, positions are read from standard input, one to "
        "a line, and each gets one line of output: the value, then each move and its value, best "
        "first. A bad line gets `error: ...`, and the exit code is then 1.\n\n"
        "Small variants are solved on the spot and their tables kept (--tables, $MALPAN_TABLES, "
        "or malpan/ in the cache folder). If the exact value needs a table that does not exist, "
        "the answer is an estimate: every number is marked by a `~`, as in `~0.512 +- 0.006` (its "
        "typical error), and JSON "
        "says \"exact\": false. --value never prints an estimate: it fails with exit code 4 "
        "instead.\n\n"
        "A game that can be searched needs no table: what the search proves is exact.",
    .details_ko =
        "국면을 적지 않으면 시작 국면입니다. `-`를 적으면 표준 입력에서 한 줄에 하나씩 국면을 "
        "읽고, "
        "줄마다 한 줄로 답합니다: 값, 그리고 좋은 수부터 수와 값. 잘못된 줄에는 `error: ...`로 "
        "답하고 "
        "종료 코드는 1입니다.\n\n"
        "작은 규칙은 그 자리에서 풀고 테이블을 남깁니다(--tables, $MALPAN_TABLES, 또는 캐시 폴더의 "
        "malpan/). 정확한 값에 필요한 테이블이 없으면 추정값으로 답합니다: 숫자마다 "
        "`~0.512 ± 0.006`(평균 오차)처럼 "
        "`~`를 붙이고, JSON에는 \"exact\": false라고 적습니다. --value는 추정값을 출력하지 않고 "
        "종료 "
        "코드 4로 끝납니다.\n\n"
        "탐색할 수 있는 게임에는 테이블이 없어도 됩니다: 탐색으로 증명한 값은 정확합니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .game = VERB_GAME_MUST,
    .takes_rules = true,
    .takes_position = true,
    .words_max = 10,
    .takes_json = true,
    .takes_value = true,
    .run = run};
