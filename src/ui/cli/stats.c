/* malpan stats: what random play says about a game, and how many states it has. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "solve/playout.h"
#include "solve/reach.h"
#include "ui/cli/cli.h"
#include "ui/cli/stats_plot.h"

enum { POWER_DIGITS_MAX = 120 };

typedef struct GameStats {
    PlayoutStats *playouts;
    double branching, length; /* means */
    size_t shortest, longest;
    ReachCount reach;
    uint64_t numbers;            /* of the game's numbering; 0 for none */
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

/* The exponent of ten of branching^length. */
static double complexity(const GameStats *stats) {
    return stats->branching > 0 ? stats->length * log10(stats->branching) : 0;
}

/* base^exponent, digit by digit; "" where that would be too long to read. */
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
           stats->length, complexity(stats));
    if (power[0])
        printf("                    in whole numbers %ld^%ld = %s\n", base, exponent, power);
}

/* How games ended, and who won them so. */
static void print_endings(const Cli *cli, const GameStats *stats) {
    const Variant *variant = &cli->variant;
    const PlayoutStats *playouts = stats->playouts;
    for (size_t i = 0; i < variant->game->ending_count; i++) {
        uint64_t all = 0;
        for (int j = 0; j < GAME_PLAYERS_MAX; j++)
            all += playouts->endings[i][j];
        printf("%-19s %.2f %% of the games: %s (won by", i == 0 ? "ended" : "",
               100 * (double)all / (double)playouts->games, variant->game->endings[i].in[LANG_EN]);
        for (int j = 0; j < variant->game->player_count(&variant->rules); j++)
            printf("%s player %d: %" PRIu64, j > 0 ? "," : "", j, playouts->endings[i][j]);
        printf(")\n");
    }
}

/* Placements by drawing some and by counting all, side by side. */
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
           census->legal(rules), 100 * (double)census->legal(rules) / all, census->goes_on(rules),
           100 * (double)census->goes_on(rules) / all);
}

static void print_histogram(const GameStats *stats) {
    enum { BAR = 50, ROWS = 24 };
    const uint64_t *length_of = stats->playouts->length_of;
    size_t step = (stats->longest - stats->shortest) / ROWS + 1;
    uint64_t highest = 1;
    for (size_t low = stats->shortest; low <= stats->longest; low += step) {
        uint64_t games = 0;
        for (size_t i = low; i < low + step && i <= stats->longest; i++)
            games += length_of[i];
        if (games > highest)
            highest = games;
    }
    for (size_t low = stats->shortest; low <= stats->longest; low += step) {
        uint64_t games = 0;
        for (size_t i = low; i < low + step && i <= stats->longest; i++)
            games += length_of[i];
        char range[48];
        snprintf(range, sizeof range, step > 1 ? "%zu-%zu" : "%zu", low, low + step - 1);
        printf("  %9s ", range);
        for (uint64_t i = 0; i < games * BAR / highest; i++)
            putchar('#');
        printf(" %" PRIu64 "\n", games);
    }
}

/* Whether values are told as outcomes; a payoff is then 1 for the winner. */
static bool is_won_or_lost(const Variant *variant) {
    return variant->game->value_info(&variant->rules).print != NULL;
}

static void print_stats(const Cli *cli, const GameStats *stats) {
    const Variant *variant = &cli->variant;
    const PlayoutStats *playouts = stats->playouts;
    double games = (double)(playouts->games - playouts->cut_off);
    char rules[GAME_TEXT_BYTES];
    Text text = text_over(rules, sizeof rules);
    variant_print(variant, &text);
    printf("%s %s\n", variant->game->name, rules);
    printf("random games        %" PRIu64 " (seed %" PRIu64 ")\n", playouts->games, cli->seed);
    printf("moves a game        %.3f (shortest %zu, longest %zu)\n", stats->length, stats->shortest,
           stats->longest);
    if (playouts->events > 0)
        printf("chance events       %.3f a game\n",
               (double)playouts->events / (double)playouts->games);
    printf("moves to choose of  %.3f (most %" PRIu64 ")\n", stats->branching,
           playouts->branching_max);
    print_complexity(stats);
    printf("%-19s", is_won_or_lost(variant)
                        ? "games won"
                        : variant->game->value_info(&variant->rules).name.in[LANG_EN]);
    for (int i = 0; i < variant->game->player_count(&variant->rules); i++)
        printf("%s%.4f", i > 0 ? ", " : " ", games > 0 ? playouts->payoffs[i] / games : 0);
    printf(" (a mean, by seat)\n");
    print_endings(cli, stats);
    if (playouts->cut_off > 0)
        printf("cut off             %" PRIu64 " games that did not end in time\n",
               playouts->cut_off);
    printf("states              %s%" PRIu64 "%s\n", stats->reach.complete ? "" : "more than ",
           stats->reach.states,
           stats->reach.complete ? " can be reached, counted one by one" : " (--memory for more)");
    if (stats->numbers > 0)
        printf("numbering           %" PRIu64 " numbers\n", stats->numbers);
    print_census(cli, stats);
    printf("games by number of moves\n");
    print_histogram(stats);
}

static json_t *json_of_endings(const Variant *variant, const PlayoutStats *playouts) {
    json_t *endings = json_array();
    for (size_t i = 0; i < variant->game->ending_count; i++) {
        json_t *by_seat = json_array();
        for (int j = 0; j < variant->game->player_count(&variant->rules); j++)
            json_array_append_new(by_seat, json_integer((json_int_t)playouts->endings[i][j]));
        json_array_append_new(endings,
                              json_pack("{s:s, s:o}", "how", variant->game->endings[i].in[LANG_EN],
                                        "won_by", by_seat));
    }
    return endings;
}

static json_t *json_of_census(const Variant *variant, const GameStats *stats) {
    const GameCensus *census = variant->game->census;
    const Rules *rules = &variant->rules;
    return json_pack("{s:o, s:o, s:o, s:I, s:I}", "all", cli_json_count(census->placements(rules)),
                     "legal", cli_json_count(census->legal(rules)), "game_goes_on",
                     cli_json_count(census->goes_on(rules)), "drawn", (json_int_t)stats->drawn,
                     "drawn_legal", (json_int_t)stats->drawn_legal);
}

static json_t *json_of(const Cli *cli, const GameStats *stats) {
    const Variant *variant = &cli->variant;
    const PlayoutStats *playouts = stats->playouts;
    double games = (double)(playouts->games - playouts->cut_off);
    json_t *lengths = json_object();
    for (size_t i = 0; i <= PLAYOUT_LENGTH_MAX; i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        if (playouts->length_of[i] > 0)
            json_object_set_new(lengths, key, json_integer((json_int_t)playouts->length_of[i]));
    }
    json_t *payoffs = json_array();
    for (int i = 0; i < variant->game->player_count(&variant->rules); i++)
        json_array_append_new(payoffs, json_real(games > 0 ? playouts->payoffs[i] / games : 0));
    json_t *json = json_pack(
        "{s:s, s:o, s:I, s:o, s:I, s:{s:f, s:I, s:I}, s:{s:f, s:I}, s:f, s:f, s:o, "
        "s:{s:I, s:I, s:b},"
        " s:o, s:o}",
        "game", variant->game->name, "rules", cli_json_rules(variant), "games",
        (json_int_t)playouts->games, "seed", cli_json_count(cli->seed), "cut_off",
        (json_int_t)playouts->cut_off, "moves", "mean", stats->length, "shortest",
        (json_int_t)stats->shortest, "longest", (json_int_t)stats->longest, "branching", "mean",
        stats->branching, "most", (json_int_t)playouts->branching_max, "chance_events_mean",
        (double)playouts->events / (double)playouts->games, "tree_log10", complexity(stats),
        "payoff_means", payoffs, "states", "reached", (json_int_t)stats->reach.states, "ended",
        (json_int_t)stats->reach.ends, "complete", stats->reach.complete, "numbering",
        cli_json_count(stats->numbers), "games_by_moves", lengths);
    if (variant->game->ending_count > 0)
        json_object_set_new(json, "endings", json_of_endings(variant, playouts));
    if (variant->game->census)
        json_object_set_new(json, "placements", json_of_census(variant, stats));
    return json;
}

/* As many placements as games, where the game has a census. */
static void draw_placements(const Cli *cli, uint64_t count, GameStats *stats) {
    const GameCensus *census = cli->variant.game->census;
    Random random = random_from_seed(cli->seed, UINT64_MAX); /* no game has this stream */
    if (!census)
        return;
    stats->drawn = count;
    for (uint64_t i = 0; i < count; i++)
        stats->drawn_legal += census->draw(&cli->variant.rules, &random);
}

static Status run(Cli *cli) {
    const size_t usual_bytes = (size_t)256 << 20; /* for counting; as much as allowed if asked */
    const Game *game = cli->variant.game;
    uint64_t games = 10000;
    const OptionGiven *given = options_find(&cli->line, "games");
    const OptionGiven *plot = options_find(&cli->line, "plot");
    if (given) {
        Status status = number_parse("--games", given->value, 1, 1000000000000, &games);
        if (!status_is_ok(&status))
            return status;
    }
    if (!cli->seed_given)
        cli->seed = 1; /* the same figures every time, unless asked for others */
    bool asked = options_find(&cli->line, "memory") != NULL;
    size_t bytes = asked ? cli->memory_bytes : usual_bytes;
    PlayoutPlan plan = {.games = games,
                        .seed = cli->seed,
                        .takes_wins = options_find(&cli->line, "take-wins") != NULL};
    GameStats stats = {.playouts = playout_run(&cli->variant, &plan, cli->threads, &cli->progress)};
    if (!stats.playouts)
        return status_make(STATUS_FAILED, "out of memory");
    stats.reach = reach_count(&cli->variant, bytes, &cli->progress);
    stats.numbers = game->index_count ? game->index_count(&cli->variant.rules) : 0;
    summarise(&stats);
    draw_placements(cli, games, &stats);
    Status status = status_ok();
    if (plot)
        status = stats_plot(&cli->variant, stats.playouts, plot->value);
    if (!status_is_ok(&status)) {
        free(stats.playouts);
        return status;
    }
    if (cli->json)
        cli_print_json(json_of(cli, &stats));
    else
        print_stats(cli, &stats);
    free(stats.playouts);
    return status_ok();
}

static const char *const examples[] = {"stats {game}",
                                       "stats {game} --games 100000 --seed 7 --json", NULL};

static const OptionSpec options[] = {
    {.name = "games", .argument = "N", .help = "how many random games (10000)"},
    {.name = "take-wins", .help = "players who can win on the spot do; else all moves are random"},
    {.name = "plot", .argument = "FILE", .help = "draw the games by number of moves, as SVG"}};

const Verb verb_stats = {.name = "stats",
                         .arguments = "GAME",
                         .summary = "random play: length, branching, complexity; how many states",
                         .examples = examples,
                         .options = options,
                         .option_count = sizeof options / sizeof options[0],
                         .game = VERB_GAME_MUST,
                         .takes_rules = true,
                         .takes_json = true,
                         .run = run};
