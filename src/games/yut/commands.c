/* The commands of Yut: `malpan yut move` and `malpan yut table` are here, `malpan yut facts` and
 * `malpan yut compare` are in facts/. */
#include "base/number.h"
#include "games/yut/facts/compare.h"
#include "games/yut/facts/facts.h"

static const OptionSpec cow_option[] = {{.name = "cow",
                                         .help = "for a cow, which has a route of its own",
                                         .help_ko = "소: 다니는 길이 다름"}};

/* Adds a square in position notation. */
static void add_square(int square, Text *output) {
    text_addf(output, "%d", square == YUT_ARRIVED ? YUT_ARRIVED_TEXT : square);
}

static Status run_move(const GameCall *call, Text *output) {
    const char *const *words = call->words;
    bool cow = options_find(call->line, "cow") != NULL;
    uint64_t square = 0;
    YutResult result;
    Status status = number_parse("position", words[0], 0, YUT_ARRIVED - 1, &square);
    if (!status_is_ok(&status))
        return status;
    if (!yut_find_result(words[1], &result))
        return options_unknown("result", words[1], yut_result_names, YUT_RESULTS,
                               "expected back-do, do, gae, geol, yut or mo");
    if (cow && !yut_on_cow_route((int)square))
        return status_make(STATUS_USAGE, "position: a cow never comes to %d", (int)square);
    add_square(yut_destination((int)square, result, cow, false), output);
    text_add_char(output, '\n');
    return status;
}

static Status run_table(const GameCall *call, Text *output) {
    bool cow = options_find(call->line, "cow") != NULL;
    for (int square = 0; square < YUT_ARRIVED; square++) {
        text_addf(output, "%d:", square);
        for (int result = 0; result < YUT_RESULTS; result++) {
            text_add_char(output, ' ');
            if (cow && !yut_on_cow_route(square))
                text_add_char(output, '-');
            else
                add_square(yut_destination(square, (YutResult)result, cow, false), output);
        }
        text_add_char(output, '\n');
    }
    return status_ok();
}

static const char *const move_examples[] = {"yut move 5 gae", "yut move 22 back-do --cow", NULL};
static const char *const table_examples[] = {"yut table", "yut table --cow", NULL};
static const char *const facts_examples[] = {"yut facts --pieces 1", "yut facts --pieces 2 --json",
                                             NULL};

static const char *const compare_examples[] = {
    "yut compare --pieces 1", "yut compare --pieces 2 snu catch-bonus=weak nak=0.05+traps=18",
    NULL};

const GameCommand yut_commands[YUT_COMMAND_COUNT] = {
    {.name = "move",
     .arguments = "POSITION RESULT",
     .summary = "the square where a piece ends; 100 is home",
     .examples = move_examples,
     .options = cow_option,
     .option_count = 1,
     .word_count = 2,
     .summary_ko = "말이 멈추는 자리; 100은 났음",
     .run = run_move},
    {.name = "table",
     .arguments = "",
     .summary = "the same for every square: by back-do, do, gae, geol, yut, mo",
     .examples = table_examples,
     .options = cow_option,
     .option_count = 1,
     .word_count = 0,
     .summary_ko = "모든 자리에 대해: 빽도, 도, 개, 걸, 윷, 모의 차례로",
     .run = run_table},
    {.name = "facts",
     .arguments = "",
     .summary = "statistics of the solved game: chances, squares, moves",
     .examples = facts_examples,
     .options = facts_options,
     .option_count = FACTS_OPTION_COUNT,
     .word_count = 0,
     .takes_rules = true,
     .takes_json = true,
     .summary_ko = "풀린 게임의 통계: 확률, 자리, 수",
     .run = facts_run},
    {.name = "compare",
     .arguments = "[RULES ...]",
     .summary =
         "how house rules change chances, length and skill; RULES: family, nak=0.05+traps=18",
     .examples = compare_examples,
     .options = compare_options,
     .option_count = COMPARE_OPTION_COUNT,
     .words_max = COMPARE_MAX,
     .takes_rules = true,
     .takes_json = true,
     .summary_ko = "규칙에 따라 달라지는 승률, 길이, 실력; RULES 예: family, nak=0.05+traps=18",
     .run = compare_run},
};
