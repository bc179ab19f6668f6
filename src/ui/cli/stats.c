/* malpan stats: figures from many games, and how many states can be reached. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "game/census.h"
#include "game/endings.h"
#include "ui/cli/cli.h"
#include "ui/cli/histogram.h"
#include "ui/cli/stats_all.h"
#include "ui/cli/stop.h"
#include "values/playout.h"
#include "values/policy.h"
#include "values/reach.h"

enum { POWER_DIGITS_MAX = 120 };

typedef struct GameStats {
    PlayoutStats *playouts;
    double branching, length; /* means */
    size_t shortest, longest;
    ReachCount reach;
    uint64_t drawn, drawn_legal; /* placements, where the game has a census */
} GameStats;

static void summarise(GameStats *stats) {
    const PlayoutStats *playouts = stats->playouts;
    uint64_t finished = playouts->games - playouts->cut_off;
    uint64_t moves = 0;
    stats->shortest = finished > 0 ? PLAYOUT_LENGTH_MAX : 0;
    for (size_t i = 0; i <= PLAYOUT_LENGTH_MAX; i++) {
        if (playouts->length_of[i] == 0)
            continue;
        if (i < stats->shortest)
            stats->shortest = i;
        stats->longest = i;
        moves += i * playouts->length_of[i];
    }
    stats->length = finished > 0 ? (double)moves / (double)finished : 0;
    stats->branching =
        playouts->moves > 0 ? (double)playouts->branches / (double)playouts->moves : 0;
}

/* The decimal logarithm of branching^length. */
static double tree_log10(const GameStats *stats) {
    return stats->branching > 0 ? stats->length * log10(stats->branching) : 0;
}

/* Writes base^exponent in decimal; "" if that is too long to read. */
static void write_power(uint64_t base, uint64_t exponent, char text[POWER_DIGITS_MAX + 1]) {
    uint64_t digits[POWER_DIGITS_MAX + 1] = {1}; /* the lowest first */
    size_t count = 1;
    text[0] = '\0';
    for (uint64_t i = 0; i < exponent; i++) {
        uint64_t carry = 0;
        for (size_t at = 0; at < count || carry > 0; at++) {
            if (at == POWER_DIGITS_MAX)
                return;
            carry += (at < count ? digits[at] : 0) * base;
            digits[at] = carry % 10;
            carry /= 10;
            count = at + 1 > count ? at + 1 : count;
        }
    }
    for (size_t i = 0; i < count; i++)
        text[i] = (char)('0' + digits[count - 1 - i]);
    text[count] = '\0';
}

static void print_complexity(const GameStats *stats) {
    char power[POWER_DIGITS_MAX + 1];
    long base = lround(stats->branching), exponent = lround(stats->length);
    write_power((uint64_t)base, (uint64_t)exponent, power);
    printf("game tree           %.3f^%.3f = 10^%.2f, an estimate\n", stats->branching,
           stats->length, tree_log10(stats));
    if (power[0])
        printf("                    in whole numbers %ld^%ld = %s\n", base, exponent, power);
}

/* How games ended, and who won. */
static void print_endings(const Cli *cli, const GameStats *stats) {
    const Variant *variant = &cli->variant;
    const PlayoutStats *playouts = stats->playouts;
    const GameEndings *endings = variant->game->endings;
    for (size_t i = 0; endings && i < endings->count; i++) {
        uint64_t all = 0;
        for (int j = 0; j < GAME_PLAYERS_MAX; j++)
            all += playouts->endings[i][j];
        printf("%-19s %.2f %% of the games: %s (won by", i == 0 ? "ended" : "",
               100 * (double)all / (double)playouts->games, endings->names[i].in[LANG_EN]);
        for (int j = 0; j < variant->game->rules.player_count(&variant->rules); j++)
            printf("%s player %d: %" PRIu64, j > 0 ? "," : "", j, playouts->endings[i][j]);
        printf(")\n");
    }
}

/* Legal placements: estimated from a sample, and counted. */
static void print_census(const Cli *cli, const GameStats *stats) {
    const GameCensus *census = cli->variant.game->census;
    const Rules *rules = &cli->variant.rules;
    if (!census)
        return;
    double all = (double)census->placements(rules), drawn = (double)stats->drawn;
    double part = (double)stats->drawn_legal / drawn;
    double margin = 1.96 * sqrt(part * (1 - part) / drawn);
    printf("placements          %" PRIu64 " of all pieces\n", census->placements(rules));
    printf("legal, by a sample  %.2f %% +- %.2f of %" PRIu64 " drawn, so about %.4g +- %.2g\n",
           100 * part, 100 * margin, stats->drawn, part * all, margin * all);
    printf("legal, exactly      %" PRIu64 " (%.2f %%); the game goes on in %" PRIu64 " (%.2f %%)\n",
           census->legal(rules), 100 * (double)census->legal(rules) / all,
           census->in_progress(rules), 100 * (double)census->in_progress(rules) / all);
}

/* Whether a histogram of points makes sense: one player, whole numbers, not only 0 and 1. */
static bool has_scores(const Variant *variant, const PlayoutStats *playouts) {
    uint64_t games = playouts->games - playouts->cut_off;
    return variant->game->rules.player_count(&variant->rules) == 1 && playouts->unscored == 0 &&
           playouts->score_of[0] + playouts->score_of[1] < games;
}

static Histogram length_histogram(const PlayoutStats *playouts) {
    return (Histogram){.across = "moves in a game",
                       .counts = playouts->length_of,
                       .count = PLAYOUT_LENGTH_MAX + 1,
                       .left_out = "games with more moves"};
}

static Histogram score_histogram(const PlayoutStats *playouts) {
    return (Histogram){
        .across = "points in a game", .counts = playouts->score_of, .count = PLAYOUT_SCORE_MAX + 1};
}

/* Plots the games by points, or by length if there are no points. */
static Status plot(const Cli *cli, const PlayoutStats *playouts, const char *path) {
    const Variant *variant = &cli->variant;
    bool by_score = has_scores(variant, playouts);
    Histogram histogram = by_score ? score_histogram(playouts) : length_histogram(playouts);
    char title[2 * GAME_TEXT_BYTES];
    snprintf(title, sizeof title, "%s: %" PRIu64 " %s games by %s",
             variant->game->identity.title.in[LANG_EN], playouts->games,
             options_find(&cli->line, "perfect") ? "perfect" : "random",
             by_score ? "points" : "length");
    histogram.title = title;
    return histogram_plot(&histogram, path);
}

/* Whether values are outcomes; a payoff is then 1 for the winner. */
static bool is_won_or_lost(const Variant *variant) {
    return variant->game->outcomes != NULL;
}

static void print_stats(const Cli *cli, const GameStats *stats) {
    const Variant *variant = &cli->variant;
    const PlayoutStats *playouts = stats->playouts;
    double games = (double)(playouts->games - playouts->cut_off);
    char rules[GAME_TEXT_BYTES];
    Text text = text_over(rules, sizeof rules);
    variant_print(variant, &text);
    printf("%s %s\n", variant->game->identity.name, rules);
    printf("%-19s %" PRIu64 " (seed %" PRIu64 ")\n",
           options_find(&cli->line, "perfect") ? "games of best play" : "random games",
           playouts->games, cli->seed);
    printf("moves a game        %.3f (shortest %zu, longest %zu)\n", stats->length, stats->shortest,
           stats->longest);
    if (playouts->events > 0)
        printf("chance events       %.3f a game\n",
               (double)playouts->events / (double)playouts->games);
    printf("legal moves a turn  %.3f (most %" PRIu64 ")\n", stats->branching,
           playouts->branching_max);
    print_complexity(stats);
    printf("%-19s", is_won_or_lost(variant)
                        ? "games won"
                        : variant->game->rules.value_info(&variant->rules).name.in[LANG_EN]);
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        printf("%s%.4f", i > 0 ? ", " : " ", games > 0 ? playouts->payoffs[i] / games : 0);
    printf(" (mean by seat)\n");
    print_endings(cli, stats);
    if (playouts->cut_off > 0)
        printf("cut off             %" PRIu64 " games that were too long\n", playouts->cut_off);
    printf("states              %s%" PRIu64 "%s\n", stats->reach.complete ? "" : "more than ",
           stats->reach.states,
           stats->reach.complete ? " can be reached, counted one by one" : " (--memory for more)");
    print_census(cli, stats);
    Histogram lengths = length_histogram(playouts), scores = score_histogram(playouts);
    bool by_score = has_scores(variant, playouts);
    puts(by_score ? "games by points" : "games by number of moves");
    histogram_print(by_score ? &scores : &lengths);
}

static json_t *json_of_endings(const Variant *variant, const PlayoutStats *playouts) {
    json_t *endings = json_array();
    for (size_t i = 0; i < variant->game->endings->count; i++) {
        json_t *by_seat = json_array();
        for (int j = 0; j < variant->game->rules.player_count(&variant->rules); j++)
            json_array_append_new(by_seat, json_integer((json_int_t)playouts->endings[i][j]));
        json_array_append_new(endings, json_pack("{s:s, s:o}", "how",
                                                 variant->game->endings->names[i].in[LANG_EN],
                                                 "won_by", by_seat));
    }
    return endings;
}

static json_t *json_of_census(const Variant *variant, const GameStats *stats) {
    const GameCensus *census = variant->game->census;
    const Rules *rules = &variant->rules;
    return json_pack("{s:o, s:o, s:o, s:I, s:I}", "all", cli_json_count(census->placements(rules)),
                     "legal", cli_json_count(census->legal(rules)), "game_goes_on",
                     cli_json_count(census->in_progress(rules)), "drawn", (json_int_t)stats->drawn,
                     "drawn_legal", (json_int_t)stats->drawn_legal);
}

static json_t *json_of(const Cli *cli, const GameStats *stats) {
    const Variant *variant = &cli->variant;
    const PlayoutStats *playouts = stats->playouts;
    double games = (double)(playouts->games - playouts->cut_off);
    json_t *lengths = stats_json_counts(playouts->length_of, PLAYOUT_LENGTH_MAX + 1);
    json_t *payoffs = json_array();
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        json_array_append_new(payoffs, json_real(games > 0 ? playouts->payoffs[i] / games : 0));
    json_t *json =
        json_pack("{s:s, s:o, s:I, s:o, s:I, s:{s:f, s:I, s:I}, s:{s:f, s:I}, s:f, s:f, s:o, "
                  "s:{s:I, s:I, s:b},"
                  " s:o}",
                  "game", variant->game->identity.name, "rules", cli_json_rules(variant), "games",
                  (json_int_t)playouts->games, "seed", cli_json_count(cli->seed), "cut_off",
                  (json_int_t)playouts->cut_off, "moves", "mean", stats->length, "shortest",
                  (json_int_t)stats->shortest, "longest", (json_int_t)stats->longest, "branching",
                  "mean", stats->branching, "most", (json_int_t)playouts->branching_max,
                  "chance_events_mean", (double)playouts->events / (double)playouts->games,
                  "tree_log10", tree_log10(stats), "payoff_means", payoffs, "states", "reached",
                  (json_int_t)stats->reach.states, "ended", (json_int_t)stats->reach.ends,
                  "complete", stats->reach.complete, "games_by_moves", lengths);
    if (has_scores(variant, playouts))
        json_object_set_new(json, "games_by_points",
                            stats_json_counts(playouts->score_of, PLAYOUT_SCORE_MAX + 1));
    if (variant->game->endings)
        json_object_set_new(json, "endings", json_of_endings(variant, playouts));
    if (variant->game->census)
        json_object_set_new(json, "placements", json_of_census(variant, stats));
    return json;
}

/* Draws as many placements as there were games, if the game has a census. */
static void draw_placements(const Cli *cli, uint64_t count, GameStats *stats) {
    const GameCensus *census = cli->variant.game->census;
    Random random = random_from_seed(cli->seed, UINT64_MAX); /* no game has this stream */
    if (!census)
        return;
    stats->drawn = count;
    for (uint64_t i = 0; i < count; i++)
        stats->drawn_legal += census->draw(&cli->variant.rules, &random);
}

/* Plays games of best play with `threads` solvers, each within these limits. */
static Status play_perfect_games(const Variant *variant, PlayoutPlan plan, int threads,
                                 const SolveLimits *limits, PlayoutStats **playouts) {
    Solver **solvers = calloc((size_t)threads, sizeof(Solver *));
    Status status = solvers ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    for (int i = 0; i < threads && status_is_ok(&status); i++)
        status = values_open_exact(variant, limits, &solvers[i]);
    plan.solvers = solvers;
    plan.solver_count = threads;
    if (status_is_ok(&status))
        status = playout_run(variant, &plan, limits, playouts);
    for (int i = 0; solvers && i < threads; i++)
        if (solvers[i])
            solvers[i]->free(solvers[i]);
    free(solvers);
    return status;
}

/* Plays the games. */
static Status play_games(const Cli *cli, uint64_t games, const SolveLimits *limits,
                         PlayoutStats **playouts) {
    const Variant *variant = &cli->variant;
    const PlayoutPlan plan = {.games = games,
                              .seed = cli->seed,
                              .takes_wins = options_find(&cli->line, "take-wins") != NULL};
    if (!options_find(&cli->line, "perfect"))
        return playout_run(variant, &plan, limits, playouts);
    SolveLimits share;
    int threads = values_share(limits, &share);
    Status status = play_perfect_games(variant, plan, threads, &share, playouts);
    /* A variant that needs more than a share gets all memory, and one solver. */
    if (status.code == STATUS_UNSUPPORTED && share.memory_bytes < limits->memory_bytes)
        status = play_perfect_games(variant, plan, 1, limits, playouts);
    return status;
}

static Status run(Cli *cli) {
    const size_t default_bytes = (size_t)256 << 20; /* for counting states */
    uint64_t games = 10000;
    const OptionGiven *given = options_find(&cli->line, "games");
    const OptionGiven *plot_file = options_find(&cli->line, "plot");
    Status status = status_ok();
    if (options_find(&cli->line, "all"))
        return stats_all_run(cli);
    if (options_find(&cli->line, "csv"))
        return status_make(STATUS_USAGE, "--csv needs --all");
    if (given)
        status = number_parse("--games", given->value, 1, 1000000000000, &games);
    if (!status_is_ok(&status))
        return status;
    if (!cli->seed_given)
        cli->seed = 1; /* the same figures every time by default */
    SolveLimits limits = cli_limits(cli);
    limits.stop = stop_on_signals();
    GameStats stats = {.playouts = NULL};
    status = play_games(cli, games, &limits, &stats.playouts);
    if (!status_is_ok(&status))
        return stop_without_resuming(status);
    if (!cli->memory_given)
        limits.memory_bytes = default_bytes;
    status = reach_count(&cli->variant, &limits, &stats.reach);
    if (!status_is_ok(&status)) {
        free(stats.playouts);
        return stop_without_resuming(status);
    }
    summarise(&stats);
    draw_placements(cli, games, &stats);
    if (plot_file)
        status = plot(cli, stats.playouts, plot_file->value);
    if (status_is_ok(&status) && cli->json)
        cli_print_json(json_of(cli, &stats));
    else if (status_is_ok(&status))
        print_stats(cli, &stats);
    free(stats.playouts);
    return status;
}

static const char *const examples[] = {"stats {game}",
                                       "stats {game} --games 100000 --seed 7 --json", NULL};

static const OptionSpec options[] = {
    {.name = "games", .argument = "N", .help = "how many random games (10000)"},
    {.name = "take-wins", .help = "players who can win at once do; other moves are random"},
    {.name = "perfect", .help = "players make the best moves, by exact values"},
    {.name = "all", .help = "no games: the score of best play for every chance sequence"},
    {.name = "csv", .help = "with --all: how many inputs reach each score, as CSV"},
    {.name = "plot",
     .argument = "FILE",
     .help = "draw the games by points or number of moves, as SVG"}};

const Verb verb_stats = {.name = "stats",
                         .arguments = "GAME",
                         .summary =
                             "figures from many games: length, branching, complexity; states",
                         .examples = examples,
                         .options = options,
                         .option_count = sizeof options / sizeof options[0],
                         .game = VERB_GAME_MUST,
                         .takes_rules = true,
                         .takes_json = true,
                         .run = run};
