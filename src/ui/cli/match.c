/* malpan match: two players, many games, with error bars. */
#include "play/match.h"

#include <string.h>

#include "base/number.h"
#include "ui/cli/cli.h"
#include "ui/cli/stop.h"

/* Reads the outcome that openings must have; NULL: any. */
static Status read_outcome(const Cli *cli, MatchPlan *plan) {
    const OptionGiven *given = options_find(&cli->line, "outcome");
    plan->has_outcome = given != NULL;
    for (int kind = OUTCOME_WIN; given && kind <= OUTCOME_ENDLESS; kind++) {
        if (strcmp(given->value, outcome_name((OutcomeKind)kind)) == 0) {
            plan->outcome = (OutcomeKind)kind;
            return status_ok();
        }
    }
    return given ? status_make(STATUS_USAGE, "--outcome: expected win, loss or endless, not %s",
                               quote(given->value).text)
                 : status_ok();
}

static Status read_plan(Cli *cli, MatchPlan *plan) {
    uint64_t games = 1000, opening = cli->variant.game->tree.is_deterministic ? 4 : 0;
    const OptionGiven *given = options_find(&cli->line, "games");
    const OptionGiven *plies = options_find(&cli->line, "opening");
    Status status = status_ok();
    if (cli->word_count != 2)
        return status_make(STATUS_USAGE, "match: expected two players, such as perfect random");
    for (int i = 0; i < 2 && status_is_ok(&status); i++)
        status = seat_parse(cli->words[i], &plan->players[i]);
    if (status_is_ok(&status) && given)
        status = number_parse("--games", given->value, 1, 1000000000000, &games);
    if (status_is_ok(&status) && plies)
        status = number_parse("--opening", plies->value, 0, 100, &opening);
    if (!cli->seed_given)
        cli->seed = 1; /* reproducible figures by default */
    /* Games come in pairs: an odd number is rounded up. */
    plan->pairs = (games + 1) / 2;
    plan->seed = cli->seed;
    plan->opening = (int)opening;
    plan->balanced = options_find(&cli->line, "balanced") != NULL;
    return status_is_ok(&status) ? read_outcome(cli, plan) : status;
}

static Status print_result(const Cli *cli, const MatchPlan *plan, const MatchResult *result) {
    char names[2][GAME_TEXT_BYTES];
    for (int i = 0; i < 2; i++) {
        Text text = text_over(names[i], sizeof names[i]);
        seat_print(&plan->players[i], &text);
    }
    if (cli->json)
        return cli_print_json(json_pack(
            "{s:s, s:o, s:s, s:s, s:o, s:i, s:I, s:I, s:f, s:f, s:f, s:f, s:f}", "game",
            cli->variant.game->identity.name, "rules", encode_rules(&cli->variant), "first",
            names[0], "second", names[1], "seed", encode_count(cli->seed), "opening", plan->opening,
            "games", (json_int_t)result->games, "unfinished", (json_int_t)result->unfinished,
            "points", result->points, "mean", result->mean, "margin", result->margin, "seat_mean",
            result->seat_mean, "seat_margin", result->seat_margin));
    if (cli->value) {
        printf("%.6f\n", result->mean);
        return status_ok();
    }
    printf("%s against %s: %.2f %% +- %.2f (95 %%), %.1f points of %llu games", names[0], names[1],
           100 * result->mean, 100 * result->margin, result->points,
           (unsigned long long)result->games);
    if (result->unfinished > 0)
        printf(", %llu without an end", (unsigned long long)result->unfinished);
    putchar('\n');
    return status_ok();
}

static Status run(Cli *cli) {
    MatchPlan plan = {.exchange = cli->exchange};
    MatchResult result;
    Status status = read_plan(cli, &plan);
    if (!status_is_ok(&status))
        return status;
    SolveLimits limits = cli_limits(cli);
    limits.stop = stop_on_signals();
    status = match_run(&cli->variant, &plan, &limits, &result);
    if (status_is_ok(&status) && exchange_is_root(cli->exchange))
        status = print_result(cli, &plan, &result);
    return stop_without_resuming(status);
}

static const char *const examples[] = {"match {game} perfect random --games 200",
                                       "match {game} random random --games 200 --seed 7 --json",
                                       NULL};

static const OptionSpec options[] = {
    {.name = "games",
     .argument = "N",
     .help = "how many games, in pairs with changed seats (1000)",
     .help_ko = "게임 수, 자리를 바꾸어 두 판씩 (1000)"},
    {.name = "opening",
     .argument = "N",
     .help = "random moves before the players take over (4 in a game without chance, else 0)",
     .help_ko = "선수들이 두기 전에 무작위로 둘 수 (우연이 없는 게임은 4, 아니면 0)"},
    {.name = "balanced",
     .help = "only openings in which a search of six moves proves no winner",
     .help_ko = "여섯 수를 탐색해 승패가 증명되는 초반은 뺌"},
    {.name = "outcome",
     .argument = "WHAT",
     .choices = "win loss endless",
     .help = "only openings that have this exact value for the first player; each game has its own",
     .help_ko = "첫째 선수에게 win(이김), loss(짐), endless(끝없음)인 초반만 씀, 정확한 값으로 "
                "판단; 판마다 초반이 다름"},
};

const Verb verb_match = {
    .name = "match",
    .arguments = "GAME A B",
    .summary = "two players, many games, with error bars",
    .summary_ko = "두 선수가 여러 판을 둔 결과와 오차 범위",
    .details = "Games come in pairs: the players change seats and get the same throws. Prints the\n"
               "first player's share of the points with its 95 % margin of error.\n"
               "\n"
               "With more than two seats the players alternate: A has the first seat and the\n"
               "third, in the other game of the pair the second and the fourth. Half of the\n"
               "points is fair.\n"
               "\n"
               "In a game without chance, both games of a pair have the same opening, and a\n"
               "position that occurs for the fifth time ends the game: half a point to each.\n"
               "\n"
               "All threads play. The result depends on the seed, not on their number, unless a\n"
               "player searches for a time (alphabeta:1s).\n",
    .details_ko =
        "두 판씩 짝을 지어 같은 던지기로 자리만 바꾸어 둡니다. 첫째 선수가 얻은 점수의 "
        "비율과 그 95 % 오차 범위를 출력합니다.\n\n자리가 셋 이상이면 두 선수가 번갈아 앉습니다. "
        "절반이면 실력이 같습니다.\n\n우연이 없는 게임에서는 짝이 되는 두 판의 "
        "초반이 같고, 같은 국면이 다섯 번 나오면 게임이 끝나 반 점씩 나눕니다.\n\n모든 "
        "스레드를 씁니다. 결과는 시드에만 달려 있고 스레드 수와는 상관없습니다. 다만 시간을 "
        "정해 탐색하는 선수(alphabeta:1s)가 있으면 달라질 수 있습니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .game = VERB_GAME_MUST,
    .takes_rules = true,
    .players = VERB_PLAYERS_COMPUTERS,
    .words_max = 2,
    .takes_json = true,
    .takes_value = true,
    .runs_on_ranks = true,
    .run = run};
