/* malpan match: two players, many games, with error bars. */
#include "play/match.h"
#include "base/number.h"
#include "ui/cli/cli.h"

static Status read_players(const Cli *cli, const PlayerKind *kinds[2]) {
    if (cli->word_count != 2)
        return status_make(STATUS_USAGE, "match: expected two players, such as perfect random");
    for (int i = 0; i < 2; i++) {
        Status status = player_kind_find(cli->words[i], &kinds[i]);
        if (!status_is_ok(&status))
            return status;
    }
    return status_ok();
}

static void print_result(const Cli *cli, const PlayerKind *const kinds[2],
                         const MatchResult *result) {
    if (cli->json) {
        cli_print_json(json_pack(
            "{s:s, s:o, s:s, s:s, s:o, s:I, s:I, s:f, s:f, s:f, s:f, s:f}", "game",
            cli->variant.game->name, "rules", cli_json_rules(&cli->variant), "first",
            kinds[0]->name, "second", kinds[1]->name, "seed", cli_json_count(cli->seed), "games",
            (json_int_t)result->games, "unfinished", (json_int_t)result->unfinished, "points",
            result->points, "mean", result->mean, "margin", result->margin, "seat_mean",
            result->seat_mean, "seat_margin", result->seat_margin));
        return;
    }
    if (cli->value) {
        printf("%.6f\n", result->mean);
        return;
    }
    printf("%s against %s: %.2f %% +- %.2f (95 %%), %.1f points of %llu games", kinds[0]->name,
           kinds[1]->name, 100 * result->mean, 100 * result->margin, result->points,
           (unsigned long long)result->games);
    if (result->unfinished > 0)
        printf(", %llu cut off", (unsigned long long)result->unfinished);
    putchar('\n');
}

static Status run(Cli *cli) {
    const PlayerKind *kinds[2];
    uint64_t games = 1000;
    const OptionGiven *given = options_find(&cli->line, "games");
    Status status = read_players(cli, kinds);
    if (status_is_ok(&status) && given)
        status = number_parse("--games", given->value, 1, 1000000000000, &games);
    if (!status_is_ok(&status))
        return status;
    if (!cli->seed_given)
        cli->seed = 1; /* the same figures every time, unless asked for others */
    SolveLimits limits = cli_limits(cli);
    MatchResult result;
    /* Pairs of games, seats changed: an odd number is rounded up. */
    status =
        match_run(&cli->variant, kinds[0], kinds[1], (games + 1) / 2, cli->seed, &limits, &result);
    if (status_is_ok(&status))
        print_result(cli, kinds, &result);
    return status;
}

static const char *const examples[] = {"match {game} perfect random --games 200",
                                       "match {game} random random --games 200 --seed 7 --json",
                                       NULL};

static const OptionSpec options[] = {
    {.name = "games",
     .argument = "N",
     .help = "how many games, in pairs with changed seats (1000)"}};

const Verb verb_match = {
    .name = "match",
    .arguments = "GAME A B",
    .summary = "two players, many games, with error bars",
    .details = "Every two games have the same throws, the players' seats being changed. What is\n"
               "printed is the first player's share of the points, and how far from the truth it\n"
               "may be by chance.\n",
    .examples = examples,
    .options = options,
    .option_count = 1,
    .game = VERB_GAME_MUST,
    .takes_rules = true,
    .words_max = 2,
    .takes_json = true,
    .takes_value = true,
    .run = run};
