/* malpan rate: how good a player's moves are, by exact values. */
#include "play/rating.h"

#include <math.h>

#include "base/number.h"
#include "ui/cli/cli.h"
#include "ui/cli/stop.h"

static double margin_of(uint64_t part, uint64_t all) {
    double p = (double)part / (double)all;
    return all > 0 ? 1.96 * sqrt(p * (1 - p) / (double)all) : 0;
}

static Status print_rating(const Cli *cli, const RatingPlan *plan, const Rating *rating) {
    bool has_outcomes = cli->variant.game->outcomes != NULL;
    char name[GAME_TEXT_BYTES];
    Text text = text_over(name, sizeof name);
    seat_print(&plan->player, &text);
    if (cli->json)
        return cli_print_json(json_pack(
            "{s:s, s:o, s:s, s:o, s:I, s:I, s:f, s:I, s:I}", "game",
            cli->variant.game->identity.name, "rules", encode_rules(&cli->variant), "player", name,
            "seed", encode_count(cli->seed), "positions", (json_int_t)rating->positions, "best",
            (json_int_t)rating->best, "given_away", rating->given_away, "won",
            (json_int_t)rating->won, "kept", (json_int_t)rating->kept));
    if (cli->value) {
        printf("%.6f\n", (double)rating->best / (double)rating->positions);
        return status_ok();
    }
    printf("%s, %llu positions: a best move in %.2f %% +- %.2f", name,
           (unsigned long long)rating->positions,
           100 * (double)rating->best / (double)rating->positions,
           100 * margin_of(rating->best, rating->positions));
    if (has_outcomes && rating->won > 0)
        printf("; kept %.2f %% +- %.2f of %llu wins",
               100 * (double)rating->kept / (double)rating->won,
               100 * margin_of(rating->kept, rating->won), (unsigned long long)rating->won);
    else if (!has_outcomes)
        printf("; gave away %.6f a move", rating->given_away);
    putchar('\n');
    return status_ok();
}

static Status run(Cli *cli) {
    RatingPlan plan = {.positions = 1000, .exchange = cli->exchange};
    Rating rating;
    const OptionGiven *given = options_find(&cli->line, "positions");
    if (cli->word_count != 1)
        return status_make(STATUS_USAGE, "rate: expected a player, such as greedy");
    Status status = seat_parse(cli->words[0], &plan.player);
    if (status_is_ok(&status) && given)
        status = number_parse("--positions", given->value, 1, 1000000000, &plan.positions);
    if (!cli->seed_given)
        cli->seed = 1; /* reproducible figures by default */
    plan.seed = cli->seed;
    SolveLimits limits = cli_limits(cli);
    limits.stop = stop_on_signals();
    if (status_is_ok(&status))
        status = rating_run(&cli->variant, &plan, &limits, &rating);
    if (status_is_ok(&status) && exchange_is_root(cli->exchange))
        status = print_rating(cli, &plan, &rating);
    return stop_without_resuming(status);
}

static const char *const examples[] = {"rate box random", "rate box random --positions 200 --json",
                                       "rate valley minimax:2 --soldiers 2", NULL};

static const OptionSpec options[] = {
    {.name = "positions",
     .argument = "N",
     .help = "how many positions, each from its own random game (1000)",
     .help_ko = "국면 수, 저마다 다른 무작위 게임에서 뽑음 (1000)"},
};

const Verb verb_rate = {
    .name = "rate",
    .arguments = "GAME PLAYER",
    .summary = "how good a player's moves are, by exact values",
    .summary_ko = "정확한 값으로 본 선수의 실력",
    .details = "Compares the player's move with the best one at positions from random games.\n"
               "Where values are chances of winning, prints how much it gives away per move.\n",
    .details_ko =
        "무작위 게임의 국면에서 선수의 수를 최선의 수와 비교합니다. 값이 이길 확률이면 한 "
        "수에 평균 얼마나 손해를 보는지 출력합니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .game = VERB_GAME_MUST,
    .takes_rules = true,
    .players = VERB_PLAYERS_COMPUTERS,
    .words_max = 1,
    .takes_json = true,
    .takes_value = true,
    .runs_on_ranks = true,
    .run = run};
