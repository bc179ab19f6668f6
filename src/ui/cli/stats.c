/* malpan stats: figures from many games, and the number of reachable states. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/number.h"
#include "game/census.h"
#include "game/endings.h"
#include "ui/cli/cli.h"
#include "ui/cli/histogram.h"
#include "ui/cli/stats_all.h"
#include "ui/cli/stop.h"
#include "ui/json/build.h"
#include "values/playout.h"
#include "values/policy.h"
#include "values/reach.h"

enum { POWER_DIGITS_MAX = 120 };

typedef struct GameStats {
    PlayoutStats *playouts;
    double branching, length; /* means */
    size_t shortest, longest;
    ReachCount reach;
    uint64_t drawn, drawn_legal; /* random placements, if the game has a census */
} GameStats;

static void summarize_games(GameStats *stats) {
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
    uint64_t digits[POWER_DIGITS_MAX + 1] = {1}; /* lowest first */
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

/* --- printing for people --- */

enum { LABEL_COLUMNS = 22, FIGURE_BYTES = 160 };

/* A figure as text, to be inserted into a phrase. */
typedef struct Figure {
    char text[FIGURE_BYTES];
} Figure;

static Figure figure(const char *format, ...) __attribute__((format(printf, 1, 2)));
static Figure figure(const char *format, ...) {
    Figure made;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(made.text, sizeof made.text, format, arguments);
    va_end(arguments);
    return made;
}

/* Prints a label, and next to it a phrase with up to four figures. */
static void print_figures(const Cli *cli, Phrase label, Phrase phrase, const Figure figures[]) {
    char bytes[8 * FIGURE_BYTES];
    const char *const words[] = {figures[0].text, figures[1].text, figures[2].text,
                                 figures[3].text};
    Text text = text_over(bytes, sizeof bytes);
    text_add_left(&text, label.in[cli->lang], LABEL_COLUMNS);
    phrase_add(&text, phrase, cli->lang, words);
    puts(bytes);
}

static const Phrase no_label = {
    {"", ""},
};

static void print_complexity(const Cli *cli, const GameStats *stats) {
    static const Phrase label = {
        {"game tree", "게임 트리"},
    };
    static const Phrase power_phrase = {
        {"{0}^{1} = 10^{2}, an estimate", "{0}^{1} = 10^{2}, 추정"},
    };
    static const Phrase whole = {
        {"in whole numbers {0}^{1} = {2}", "정수로는 {0}^{1} = {2}"},
    };
    char power[POWER_DIGITS_MAX + 1];
    long base = lround(stats->branching), exponent = lround(stats->length);
    write_power((uint64_t)base, (uint64_t)exponent, power);
    print_figures(cli, label, power_phrase,
                  (Figure[4]){figure("%.3f", stats->branching), figure("%.3f", stats->length),
                              figure("%.2f", tree_log10(stats))});
    if (power[0])
        print_figures(
            cli, no_label, whole,
            (Figure[4]){figure("%ld", base), figure("%ld", exponent), figure("%s", power)});
}

/* Prints how the games ended, and who won. */
static void print_endings(const Cli *cli, const GameStats *stats) {
    static const Phrase label = {
        {"ended", "끝난 까닭"},
    };
    static const Phrase kind = {
        {"{0} % of the games: {1} (won by{2})", "게임의 {0} %: {1} (이긴 쪽:{2})"},
    };
    static const Phrase winner = {
        {"{0} player {1}: {2}", "{0} 선수 {1}: {2}"},
    };
    const Variant *variant = &cli->variant;
    const PlayoutStats *playouts = stats->playouts;
    const GameEndings *endings = variant->game->endings;
    for (size_t i = 0; endings && i < endings->count; i++) {
        uint64_t all = 0;
        Figure winners = {.text = ""};
        Text text = text_over(winners.text, sizeof winners.text);
        for (int j = 0; j < GAME_PLAYERS_MAX; j++)
            all += playouts->endings[i][j];
        for (int j = 0; j < variant->game->rules.player_count(&variant->rules); j++)
            phrase_add(&text, winner, cli->lang,
                       (const char *const[]){j > 0 ? "," : "", figure("%d", j).text,
                                             figure("%" PRIu64, playouts->endings[i][j]).text});
        print_figures(cli, i == 0 ? label : no_label, kind,
                      (Figure[4]){figure("%.2f", 100 * (double)all / (double)playouts->games),
                                  figure("%s", endings->names[i].in[cli->lang]), winners});
    }
}

/* Prints how many placements are legal, estimated by a sample and counted in full. */
static void print_census(const Cli *cli, const GameStats *stats) {
    static const Phrase placements = {
        {"placements", "배치"},
    };
    static const Phrase all_pieces = {
        {"{0} of all pieces", "모든 말을 놓는 방법 {0}"},
    };
    static const Phrase sampled = {
        {"legal, by a sample", "규칙에 맞음(표본)"},
    };
    static const Phrase sample = {
        {"{0} % +- {1} of {2} drawn, so about {3}", "뽑은 {2}개의 {0} % +- {1}, 따라서 약 {3}"},
    };
    static const Phrase counted = {
        {"legal, exactly", "규칙에 맞음(정확)"},
    };
    static const Phrase count = {
        {"{0} ({1} %); the game goes on in {2} ({3} %)",
         "{0} ({1} %); 게임이 이어지는 배치 {2} ({3} %)"},
    };
    const GameCensus *census = cli->variant.game->census;
    const Rules *rules = &cli->variant.rules;
    if (!census)
        return;
    double all = (double)census->placements(rules), drawn = (double)stats->drawn;
    double part = (double)stats->drawn_legal / drawn;
    double margin = 1.96 * sqrt(part * (1 - part) / drawn);
    print_figures(cli, placements, all_pieces,
                  (Figure[4]){figure("%" PRIu64, census->placements(rules))});
    print_figures(cli, sampled, sample,
                  (Figure[4]){figure("%.2f", 100 * part), figure("%.2f", 100 * margin),
                              figure("%" PRIu64, stats->drawn),
                              figure("%.4g +- %.2g", part * all, margin * all)});
    print_figures(cli, counted, count,
                  (Figure[4]){figure("%" PRIu64, census->legal(rules)),
                              figure("%.2f", 100 * (double)census->legal(rules) / all),
                              figure("%" PRIu64, census->in_progress(rules)),
                              figure("%.2f", 100 * (double)census->in_progress(rules) / all)});
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
static Status plot_games(const Cli *cli, const PlayoutStats *playouts, const char *path) {
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

/* Prints the number of games, their lengths, and the number of moves. */
static void print_play(const Cli *cli, const GameStats *stats) {
    static const Phrase random = {
        {"random games", "무작위 게임"},
    };
    static const Phrase perfect = {
        {"games of best play", "최선의 게임"},
    };
    static const Phrase seeded = {
        {"{0} (seed {1})", "{0} (시드 {1})"},
    };
    static const Phrase moves = {
        {"moves per game", "게임당 둔 수"},
    };
    static const Phrase lengths = {
        {"{0} (shortest {1}, longest {2})", "{0} (최소 {1}, 최대 {2})"},
    };
    static const Phrase events = {
        {"chance events", "던지기"},
    };
    static const Phrase per_game = {
        {"{0} per game", "게임당 {0}"},
    };
    static const Phrase choice = {
        {"legal moves per turn", "차례당 둘 수 있는 수"},
    };
    static const Phrase most = {
        {"{0} (most {1})", "{0} (최대 {1})"},
    };
    const PlayoutStats *playouts = stats->playouts;
    print_figures(cli, options_find(&cli->line, "perfect") ? perfect : random, seeded,
                  (Figure[4]){figure("%" PRIu64, playouts->games), figure("%" PRIu64, cli->seed)});
    print_figures(cli, moves, lengths,
                  (Figure[4]){figure("%.3f", stats->length), figure("%zu", stats->shortest),
                              figure("%zu", stats->longest)});
    if (playouts->events > 0)
        print_figures(
            cli, events, per_game,
            (Figure[4]){figure("%.3f", (double)playouts->events / (double)playouts->games)});
    print_figures(
        cli, choice, most,
        (Figure[4]){figure("%.3f", stats->branching), figure("%" PRIu64, playouts->branching_max)});
}

/* Prints the mean payoffs of the players. */
static void print_payoffs(const Cli *cli, const GameStats *stats) {
    static const Phrase won = {
        {"games won", "이긴 게임"},
    };
    static const Phrase by_seat = {
        {"{0} (mean, by seat)", "{0} (자리별 평균)"},
    };
    const Variant *variant = &cli->variant;
    const PlayoutStats *playouts = stats->playouts;
    double games = (double)(playouts->games - playouts->cut_off);
    Figure means = {.text = ""};
    Text text = text_over(means.text, sizeof means.text);
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        text_addf(&text, "%s%.4f", i > 0 ? ", " : "", games > 0 ? playouts->payoffs[i] / games : 0);
    print_figures(
        cli, variant->game->outcomes ? won : variant->game->rules.value_info(&variant->rules).name,
        by_seat, (Figure[4]){means});
}

static void print_states(const Cli *cli, const GameStats *stats) {
    static const Phrase label = {
        {"states", "상태"},
    };
    static const Phrase all = {
        {"{0} can be reached, counted one by one", "{0} (하나씩 셈)"},
    };
    static const Phrase some = {
        {"more than {0} (--memory for more)", "{0}보다 많음 (--memory로 더 셀 수 있음)"},
    };
    print_figures(cli, label, stats->reach.complete ? all : some,
                  (Figure[4]){figure("%" PRIu64, stats->reach.states)});
}

static void print_stats(const Cli *cli, const GameStats *stats) {
    static const Phrase cut_off = {
        {"cut off", "중단"},
    };
    static const Phrase too_long = {
        {"{0} games that did not end in time", "제때 끝나지 않은 게임 {0}"},
    };
    static const Phrase by_points = {
        {"games by points", "점수별 게임"},
    };
    static const Phrase by_moves = {
        {"games by number of moves", "둔 수별 게임"},
    };
    const Variant *variant = &cli->variant;
    const PlayoutStats *playouts = stats->playouts;
    char rules[GAME_RULES_TEXT_BYTES];
    Text text = text_over(rules, sizeof rules);
    variant_print(variant, &text);
    printf("%s %s\n", variant->game->identity.name, rules);
    print_play(cli, stats);
    print_complexity(cli, stats);
    print_payoffs(cli, stats);
    print_endings(cli, stats);
    if (playouts->cut_off > 0)
        print_figures(cli, cut_off, too_long, (Figure[4]){figure("%" PRIu64, playouts->cut_off)});
    print_states(cli, stats);
    print_census(cli, stats);
    Histogram lengths = length_histogram(playouts), scores = score_histogram(playouts);
    bool by_score = has_scores(variant, playouts);
    puts((by_score ? by_points : by_moves).in[cli->lang]);
    histogram_print(by_score ? &scores : &lengths);
}

static json_t *json_of_endings(const Variant *variant, const PlayoutStats *playouts) {
    json_t *endings = json_array();
    for (size_t i = 0; i < variant->game->endings->count; i++) {
        json_t *by_seat = json_array();
        for (int j = 0; j < variant->game->rules.player_count(&variant->rules); j++)
            by_seat = json_with_item(by_seat, json_integer((json_int_t)playouts->endings[i][j]));
        endings = json_with_item(endings, json_pack("{s:s, s:o}", "how",
                                                    variant->game->endings->names[i].in[LANG_EN],
                                                    "won_by", by_seat));
    }
    return endings;
}

static json_t *json_of_census(const Variant *variant, const GameStats *stats) {
    const GameCensus *census = variant->game->census;
    const Rules *rules = &variant->rules;
    return json_pack("{s:o, s:o, s:o, s:I, s:I}", "all", encode_count(census->placements(rules)),
                     "legal", encode_count(census->legal(rules)), "game_goes_on",
                     encode_count(census->in_progress(rules)), "drawn", (json_int_t)stats->drawn,
                     "drawn_legal", (json_int_t)stats->drawn_legal);
}

static json_t *json_of(const Cli *cli, const GameStats *stats) {
    const Variant *variant = &cli->variant;
    const PlayoutStats *playouts = stats->playouts;
    double games = (double)(playouts->games - playouts->cut_off);
    json_t *lengths = stats_json_counts(playouts->length_of, PLAYOUT_LENGTH_MAX + 1);
    json_t *payoffs = json_array();
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        payoffs = json_with_item(payoffs, json_real(games > 0 ? playouts->payoffs[i] / games : 0));
    json_t *json =
        json_pack("{s:s, s:o, s:I, s:o, s:I, s:{s:f, s:I, s:I}, s:{s:f, s:I}, s:f, s:f, s:o, "
                  "s:{s:I, s:I, s:b},"
                  " s:o}",
                  "game", variant->game->identity.name, "rules", encode_rules(variant), "games",
                  (json_int_t)playouts->games, "seed", encode_count(cli->seed), "cut_off",
                  (json_int_t)playouts->cut_off, "moves", "mean", stats->length, "shortest",
                  (json_int_t)stats->shortest, "longest", (json_int_t)stats->longest, "branching",
                  "mean", stats->branching, "most", (json_int_t)playouts->branching_max,
                  "chance_events_mean", (double)playouts->events / (double)playouts->games,
                  "tree_log10", tree_log10(stats), "payoff_means", payoffs, "states", "reached",
                  (json_int_t)stats->reach.states, "ended", (json_int_t)stats->reach.ends,
                  "complete", stats->reach.complete, "games_by_moves", lengths);
    if (has_scores(variant, playouts))
        json = json_with(json, "games_by_points",
                         stats_json_counts(playouts->score_of, PLAYOUT_SCORE_MAX + 1));
    if (variant->game->endings)
        json = json_with(json, "endings", json_of_endings(variant, playouts));
    if (variant->game->census)
        json = json_with(json, "placements", json_of_census(variant, stats));
    return json;
}

/* Draws as many placements as there were games, if the game has a census. */
static void draw_placements(const Cli *cli, uint64_t count, GameStats *stats) {
    const GameCensus *census = cli->variant.game->census;
    Random random = random_from_seed(cli->seed, UINT64_MAX); /* a stream that no game uses */
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
        status = values_open_another(variant, solvers[0], limits, &solvers[i]);
    status = exchange_agree(plan.exchange, status);
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
                              .takes_wins = options_find(&cli->line, "take-wins") != NULL,
                              .exchange = cli->exchange};
    if (!options_find(&cli->line, "perfect"))
        return playout_run(variant, &plan, limits, playouts);
    SolveLimits share;
    int threads = values_share(limits, &share);
    Status status = play_perfect_games(variant, plan, threads, &share, playouts);
    /* A variant that needs more than its share gets all the memory, and a single solver. */
    bool again = status.code == STATUS_UNSUPPORTED && share.memory_bytes < limits->memory_bytes;
    exchange_broadcast(cli->exchange, &again, sizeof again);
    if (again)
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
        return exchange_is_root(cli->exchange) ? stats_all_run(cli) : status;
    if (options_find(&cli->line, "csv"))
        return status_make(STATUS_USAGE, "--csv needs --all");
    if (given)
        status = number_parse("--games", given->value, 1, 1000000000000, &games);
    if (!status_is_ok(&status))
        return status;
    if (!cli->seed_given)
        cli->seed = 1; /* reproducible figures by default */
    SolveLimits limits = cli_limits(cli);
    limits.stop = stop_on_signals();
    GameStats stats = {.playouts = NULL};
    status = play_games(cli, games, &limits, &stats.playouts);
    if (!status_is_ok(&status))
        return stop_without_resuming(status);
    if (!exchange_is_root(cli->exchange)) { /* rank 0 has all figures, and does the rest */
        free(stats.playouts);
        return status;
    }
    if (!cli->memory_given)
        limits.memory_bytes = default_bytes;
    status = reach_count(&cli->variant, &limits, &stats.reach);
    if (!status_is_ok(&status)) {
        free(stats.playouts);
        return stop_without_resuming(status);
    }
    summarize_games(&stats);
    draw_placements(cli, games, &stats);
    if (plot_file)
        status = plot_games(cli, stats.playouts, plot_file->value);
    if (status_is_ok(&status) && cli->json)
        status = cli_print_json(json_of(cli, &stats));
    else if (status_is_ok(&status))
        print_stats(cli, &stats);
    free(stats.playouts);
    return status;
}

static const char *const examples[] = {"stats {game}",
                                       "stats {game} --games 100000 --seed 7 --json", NULL};

static const OptionSpec options[] = {
    {.name = "games",
     .argument = "N",
     .help = "how many random games (10000)",
     .help_ko = "무작위 게임 수 (10000)"},
    {.name = "take-wins",
     .help = "players win at once if they can, and do not lose at once; else random moves",
     .help_ko = "바로 이길 수 있으면 이기고, 바로 지는 수는 피하고, 나머지는 무작위로 둠"},
    {.name = "perfect",
     .help = "players make the best moves, by exact values",
     .help_ko = "정확한 값에 따라 최선의 수를 둠"},
    {.name = "all",
     .help = "no games: the score of best play for every chance sequence",
     .help_ko = "게임을 하지 않고, 나올 수 있는 모든 던지기에 대해 최선을 계산"},
    {.name = "csv",
     .help = "with --all: how many inputs reach each score, as CSV",
     .help_ko = "--all과 함께: 점수마다 입력이 몇 개인지 CSV로"},
    {.name = "plot",
     .argument = "FILE",
     .help = "draw the games by points or number of moves, as SVG",
     .help_ko = "점수별 또는 둔 수별 게임 수를 SVG로 그림"},
};

const Verb verb_stats = {.name = "stats",
                         .arguments = "GAME",
                         .summary =
                             "figures from many games: length, branching, complexity; states",
                         .summary_ko = "많은 게임의 통계: 길이, 둘 수 있는 수, 복잡도, 상태 수",
                         .examples = examples,
                         .options = options,
                         .option_count = sizeof options / sizeof options[0],
                         .game = VERB_GAME_MUST,
                         .takes_rules = true,
                         .takes_json = true,
                         .runs_on_ranks = true,
                         .run = run};
