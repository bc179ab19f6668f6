/* `malpan` without arguments in a terminal: choose a game and play. */
#include <strings.h>

#include "base/number.h"
#include "game/resolve.h"
#include "players/player.h"
#include "ui/cli/full_screen.h"
#include "values/policy.h"

static void show_menu(const Cli *cli) {
    static const Phrase tour = {
        {"the tour: headline results of every game", "둘러보기: 게임마다 주요 결과"}};
    static const Phrase leave = {{"quit", "나가기"}};
    static const Phrase title = {{"malpan: which game?", "말판: 무슨 게임을 할까요?"}};
    printf("\n%s\n\n", title.in[cli->lang]);
    for (size_t i = 0; i < registry_count(); i++) {
        const Game *game = registry_at(i);
        char name[GAME_TEXT_BYTES];
        snprintf(name, sizeof name, "  %zu  %s", i + 1, game->identity.title.in[cli->lang]);
        help_print_entry(cli, name, 21, game->identity.about.in[cli->lang]);
    }
    printf("  t  %s\n  q  %s\n\n", tour.in[cli->lang], leave.in[cli->lang]);
}

static bool is_one_of(const char *word, const char *const words[]) {
    for (size_t i = 0; words[i]; i++)
        if (strcasecmp(word, words[i]) == 0)
            return true;
    return false;
}

/* Whether the line is a single word that means quit. */
static bool is_quit(const char *line) {
    char storage[GAME_TEXT_BYTES];
    char *words[1];
    return text_split(line, storage, sizeof storage, words, 1) == 1 &&
           is_one_of(words[0], (const char *const[]){"q", "quit", "exit", "끝", "나가기", NULL});
}

/* Finds the game by its number in the menu or by its name. */
static Status pick_game(const char *word, const Game **game) {
    uint64_t number;
    if (number_read(word, &number) && number >= 1 && number <= registry_count()) {
        *game = registry_at((size_t)number - 1);
        return status_ok();
    }
    return registry_find(word, game);
}

/* Asks until `accept` accepts the answer. False if the person quits or the input ends. */
static bool ask_until_accepted(Cli *cli, const char *question,
                               Status (*accept)(Cli *cli, const char *answer)) {
    char line[CLI_LINE_BYTES];
    for (;;) {
        fputs(question, stdout);
        fflush(stdout);
        CliInput input = cli_read_line(cli, line);
        if (input == CLI_INPUT_END || (input == CLI_INPUT_LINE && is_quit(line)))
            return false;
        Status status = input == CLI_INPUT_LONG_LINE ? cli_long_line() : accept(cli, line);
        if (status_is_ok(&status))
            return true;
        puts(status.message);
    }
}

static Status accept_rules(Cli *cli, const char *answer) {
    return resolve_text(cli->variant.game, answer, NULL, &cli->variant, &cli->state);
}

static Status accept_seats(Cli *cli, const char *answer) {
    return play_set_seats(cli, *answer ? answer : NULL);
}

/* Adds the first rule option that has a default value, as an example. */
static void add_example(const Variant *variant, Text *text) {
    const GameRules *rules = &variant->game->rules;
    for (size_t i = 0; i < rules->option_count; i++) {
        char value[GAME_TEXT_BYTES];
        Text value_text = text_over(value, sizeof value);
        rules->get(&variant->rules, rules->options[i].name, &value_text);
        if (rules->options[i].argument && !value[0])
            continue; /* a preset, which stands for other options */
        text_addf(text, "--%s%s%s", rules->options[i].name, rules->options[i].argument ? " " : "",
                  rules->options[i].argument ? value : "");
        return;
    }
}

/* Adds the players that can play the variant. */
static void add_players(Cli *cli, Text *text) {
    SolveLimits limits = cli_limits(cli);
    size_t shown = 0;
    for (size_t i = 0; i < player_kind_count(); i++) {
        const PlayerKind *kind = player_kind_at(i);
        Status status = kind->supports ? kind->supports(&cli->variant) : status_ok();
        if (status_is_ok(&status) && kind->uses_solver)
            status = values_check(&cli->variant, VALUES_EXACT, &limits);
        if (!status_is_ok(&status))
            continue;
        text_addf(text, "%s%s", shown++ > 0 ? ", " : "", kind->name);
        if (kind->setting)
            text_addf(text, "[:%s]", kind->setting);
    }
}

/* Asks for rules and seats, where Enter selects the defaults; then plays the game. */
static Status set_up_and_play(Cli *cli, const Game *game) {
    static const Phrase rules = {
        {"rules, such as {0} [Enter: the usual ones]: ", "규칙, 예: {0} [Enter: 보통 규칙]: "}};
    static const Phrase seats = {{"players: {0}\nwho plays, seat by seat [Enter: {1}]: ",
                                  "선수: {0}\n자리마다 누가 둘까요? [Enter: {1}]: "}};
    char example[GAME_TEXT_BYTES], players[GAME_TEXT_BYTES], question[4 * GAME_TEXT_BYTES];
    cli->variant = variant_default(game);

    Text text = text_over(example, sizeof example);
    add_example(&cli->variant, &text);
    text = text_over(question, sizeof question);
    phrase_add(&text, rules, cli->lang, (const char *const[]){example});
    if (!ask_until_accepted(cli, question, accept_rules))
        return status_ok();

    text = text_over(players, sizeof players);
    add_players(cli, &text);
    text = text_over(question, sizeof question);
    phrase_add(&text, seats, cli->lang, (const char *const[]){players, play_usual_seats(cli)});
    if (!ask_until_accepted(cli, question, accept_seats))
        return status_ok();
    return play_run(cli);
}

/* Carries out a choice from the menu. */
static Status run_choice(Cli *cli, const char *word) {
    const Game *game;
    if (is_one_of(word, (const char *const[]){"t", "tour", "둘러보기", NULL})) {
        cli->variant.game = NULL;
        return tour_run(cli);
    }
    Status status = pick_game(word, &game);
    return status_is_ok(&status) ? set_up_and_play(cli, game) : status;
}

/* Asks line by line. */
static Status ask_for_games(Cli *cli) {
    char line[CLI_LINE_BYTES];
    for (;;) {
        show_menu(cli);
        fputs("> ", stdout);
        fflush(stdout);
        CliInput input = cli_read_line(cli, line);
        if (input == CLI_INPUT_END) {
            putchar('\n');
            return cli_check_input(cli);
        }
        char storage[GAME_TEXT_BYTES];
        char *words[1];
        size_t count = text_split(line, storage, sizeof storage, words, 1);
        Status status = status_ok();
        if (input == CLI_INPUT_LONG_LINE)
            status = cli_long_line();
        else if (is_quit(line))
            return status;
        else if (count > 0)
            status = run_choice(cli, count == 1 ? words[0] : line);
        if (!status_is_ok(&status))
            puts(status.message);
        cli->seed++; /* the next game must be different */
    }
}

Status chooser_run(Cli *cli) {
    return full_screen_is_wanted(cli) ? full_screen_run(cli, NULL, NULL) : ask_for_games(cli);
}

static const OptionSpec options[] = {FULL_SCREEN_OPTIONS};

const Verb verb_lobby = {.name = "tour",
                         .options = options,
                         .option_count = sizeof options / sizeof options[0],
                         .takes_json = true};
