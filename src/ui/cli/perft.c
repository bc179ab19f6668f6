/* malpan perft: counts the move paths of a given length. */
#include "values/perft.h"

#include <inttypes.h>

#include "base/number.h"
#include "ui/cli/cli.h"
#include "ui/json/build.h"

typedef struct Paths {
    State state;
    int depth;
    uint64_t total;
    size_t count; /* number of first steps, each with its path count */
    Move moves[GAME_MOVES_MAX];
    uint64_t counts[GAME_MOVES_MAX];
} Paths;

static void add_move(const Cli *cli, const Paths *paths, size_t at, Text *text) {
    cli->variant.game->text.print_move(&cli->variant.rules, &paths->state, paths->moves[at],
                                       LANG_EN, text);
}

/* The first steps, each with its path count. */
static json_t *json_of_moves(const Cli *cli, const Paths *paths) {
    json_t *moves = json_array();
    for (size_t i = 0; i < paths->count; i++) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        add_move(cli, paths, i, &text);
        moves = json_with_item(
            moves, json_pack("{s:s, s:o}", "move", bytes, "paths", encode_count(paths->counts[i])));
    }
    return moves;
}

static json_t *json_of(const Cli *cli, const Paths *paths) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    cli->variant.game->text.print_state(&cli->variant.rules, &paths->state, &text);
    json_t *json = json_pack("{s:s, s:o, s:s, s:i, s:o}", "game", cli->variant.game->identity.name,
                             "rules", encode_rules(&cli->variant), "position", bytes, "depth",
                             paths->depth, "paths", encode_count(paths->total));
    return options_find(&cli->line, "divide") ? json_with(json, "moves", json_of_moves(cli, paths))
                                              : json;
}

static void print_paths(const Cli *cli, const Paths *paths) {
    if (options_find(&cli->line, "divide")) {
        for (size_t i = 0; i < paths->count; i++) {
            char bytes[2 * GAME_TEXT_BYTES];
            Text text = text_over(bytes, sizeof bytes);
            add_move(cli, paths, i, &text);
            text_addf(&text, " %" PRIu64, paths->counts[i]);
            puts(bytes);
        }
    }
    if (cli->value)
        printf("%" PRIu64 "\n", paths->total);
    else
        printf("paths of %d step%s: %" PRIu64 "\n", paths->depth, paths->depth == 1 ? "" : "s",
               paths->total);
}

static Status run(Cli *cli) {
    static Paths paths;
    uint64_t depth = 0;
    if (cli->word_count != 1)
        return status_make(STATUS_USAGE, "perft: expected a number of steps, such as 4");
    Status status = number_parse("perft: steps", cli->words[0], 0, 64, &depth);
    if (!status_is_ok(&status))
        return status;
    paths.depth = (int)depth;
    paths.state = cli->state;
    paths.count = perft_divide(&cli->variant, &paths.state, paths.depth, cli->threads, paths.moves,
                               paths.counts);
    paths.total = depth == 0;
    for (size_t i = 0; i < paths.count; i++)
        paths.total += paths.counts[i];
    if (cli->json)
        return cli_print_json(json_of(cli, &paths));
    print_paths(cli, &paths);
    return status;
}

static const char *const examples[] = {"perft {game} 3", "perft {game} 2 --divide",
                                       "perft {game} 3 --position {position} --value", NULL};

static const OptionSpec options[] = {
    {.name = "position",
     .argument = "TEXT",
     .help = "count from this position (the start)",
     .help_ko = "이 국면에서부터 셈 (시작)"},
    {.name = "divide",
     .help = "also print the paths after each first move",
     .help_ko = "첫 수마다 그 뒤의 수순이 몇 가지인지도 보임"},
};

const Verb verb_perft = {
    .name = "perft",
    .arguments = "GAME STEPS",
    .summary = "count the move paths of a given length",
    .summary_ko = "주어진 길이의 수순이 몇 가지인지 셈",
    .details =
        "A step is a move or a chance event. An ended game has one path of length 0 and none\n"
        "that is longer.\n",
    .details_ko = "던지기도 한 수로 칩니다. 끝난 게임에는 길이 0인 수순 하나만 있습니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .game = VERB_GAME_MUST,
    .takes_rules = true,
    .position_option = "position",
    .words_max = 1,
    .takes_json = true,
    .takes_value = true,
    .run = run};
