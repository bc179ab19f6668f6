/* What `malpan` does in a terminal: choose a game and play. */
#include <string.h>

#include "base/number.h"
#include "game/resolve.h"
#include "players/player.h"
#include "ui/cli/cli.h"

static void show_menu(Lang lang) {
    static const Phrase tour = {
        {"the tour: every game's headline results", "둘러보기: 게임마다 주요 결과"}};
    static const Phrase leave = {{"leave", "나가기"}};
    static const Phrase title = {{"malpan: which game?", "말판: 무슨 게임을 할까요?"}};
    printf("\n%s\n\n", title.in[lang]);
    for (size_t i = 0; i < registry_count(); i++) {
        const Game *game = registry_at(i);
        char bytes[4 * GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        text_addf(&text, "  %zu  ", i + 1);
        text_add_left(&text, game->identity.title.in[lang], 20);
        text_add(&text, game->identity.about.in[lang]);
        puts(bytes);
    }
    printf("  t  %s\n  q  %s\n\n", tour.in[lang], leave.in[lang]);
}

/* The game that a number or a name stands for. */
static Status pick_game(const char *word, const Game **game) {
    uint64_t number;
    if (number_read(word, &number) && number >= 1 && number <= registry_count()) {
        *game = registry_at((size_t)number - 1);
        return status_ok();
    }
    return registry_find(word, game);
}

/* Asks until the answer is empty or `accept` takes it. False at the end of the input. */
static bool ask(Cli *cli, const char *question, Status (*accept)(Cli *cli, const char *answer)) {
    char line[CLI_LINE_BYTES];
    bool answered = false;
    while (!answered) {
        fputs(question, stdout);
        fflush(stdout);
        CliInput input = cli_read_line(cli, line);
        if (input == CLI_INPUT_END)
            break;
        Status status = input == CLI_INPUT_LONG_LINE ? cli_long_line() : accept(cli, line);
        answered = status_is_ok(&status);
        if (!answered)
            puts(status.message);
    }
    return answered;
}

static Status accept_rules(Cli *cli, const char *answer) {
    return resolve_text(cli->variant.game, answer, NULL, &cli->variant, &cli->state);
}

static Status accept_seats(Cli *cli, const char *answer) {
    return play_set_seats(cli, *answer ? answer : NULL);
}

/* Rules and seats, each with a usual answer; then the game itself. */
static Status set_up_and_play(Cli *cli, const Game *game) {
    static const Phrase rules = {
        {"rules, such as {0} [the usual ones]: ", "규칙, 예: {0} [보통 규칙]: "}};
    static const Phrase seats = {
        {"who plays, seat by seat ({0}) [{1}]: ", "누가 둘까요, 자리마다 ({0}) [{1}]: "}};
    char example[GAME_TEXT_BYTES], kinds[GAME_TEXT_BYTES], question[4 * GAME_TEXT_BYTES];
    cli->variant = variant_default(game);

    Text text = text_over(example, sizeof example);
    text_addf(&text, "--%s%s", game->rules.options[0].name,
              game->rules.options[0].argument ? " " : "");
    game->rules.get(&cli->variant.rules, game->rules.options[0].name, &text);
    text = text_over(question, sizeof question);
    phrase_add(&text, rules, cli->lang, (const char *const[]){example});
    if (!ask(cli, question, accept_rules))
        return status_ok();

    text = text_over(kinds, sizeof kinds);
    for (size_t i = 0; i < player_kind_count(); i++)
        text_addf(&text, "%s%s%s", i > 0 ? ", " : "", player_kind_at(i)->name,
                  player_kind_at(i)->setting ? "[:...]" : "");
    text = text_over(question, sizeof question);
    phrase_add(&text, seats, cli->lang, (const char *const[]){kinds, play_usual_seats(cli)});
    if (!ask(cli, question, accept_seats))
        return status_ok();
    return play_run(cli);
}

Status chooser_run(Cli *cli) {
    char line[CLI_LINE_BYTES];
    bool again = true;
    Status status = status_ok();
    while (again) {
        show_menu(cli->lang);
        fputs("> ", stdout);
        fflush(stdout);
        CliInput input = cli_read_line(cli, line);
        if (input == CLI_INPUT_END) {
            putchar('\n');
            break;
        }
        if (input == CLI_INPUT_LONG_LINE) {
            puts(cli_long_line().message);
            continue;
        }
        char storage[GAME_TEXT_BYTES];
        char *words[1];
        if (text_split(line, storage, sizeof storage, words, 1) != 1)
            continue;
        if (strcmp(words[0], "q") == 0 || strcmp(words[0], "quit") == 0)
            break;
        if (strcmp(words[0], "t") == 0 || strcmp(words[0], "tour") == 0) {
            cli->variant.game = NULL;
            status = tour_run(cli);
        } else {
            const Game *game;
            status = pick_game(words[0], &game);
            if (status_is_ok(&status))
                status = set_up_and_play(cli, game);
        }
        if (!status_is_ok(&status))
            puts(status.message);
        cli->seed++; /* the next game is another one */
    }
    return cli_check_input(cli);
}
