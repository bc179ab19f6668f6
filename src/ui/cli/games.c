/* malpan games */
#include "ui/cli/cli.h"

static void print_game(const Game *game, Lang lang) {
    printf("%s  %s\n  %s\n  position: %s\n", game->name, game->title.in[lang], game->about.in[lang],
           game->position_shape);
    printf("  rules:\n");
    for (size_t i = 0; i < game->option_count; i++) {
        char bytes[64];
        Text left = text_over(bytes, sizeof bytes);
        text_addf(&left, "--%s %s", game->options[i].name, game->options[i].argument);
        printf("    %-18s %s\n", bytes, game->options[i].help);
    }
    printf("  positions to try:\n");
    for (size_t i = 0; i < game->example_count; i++) {
        const GameExample *example = &game->examples[i];
        printf("    malpan eval %s %s%s\"%s\"\n      %s\n", game->name, example->options,
               example->options[0] ? " " : "", example->position, example->what.in[lang]);
    }
}

static json_t *json_of(const Game *game, Lang lang) {
    json_t *options = json_array();
    for (size_t i = 0; i < game->option_count; i++)
        json_array_append_new(options, json_pack("{s:s, s:s?, s:s}", "name", game->options[i].name,
                                                 "argument", game->options[i].argument, "help",
                                                 game->options[i].help));
    json_t *examples = json_array();
    for (size_t i = 0; i < game->example_count; i++)
        json_array_append_new(examples,
                              json_pack("{s:s, s:s, s:s}", "what", game->examples[i].what.in[lang],
                                        "options", game->examples[i].options, "position",
                                        game->examples[i].position));
    Variant variant = variant_default(game);
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "game", game->name, "title",
                     game->title.in[lang], "about", game->about.in[lang], "position",
                     game->position_shape, "defaults", cli_json_rules(&variant), "options", options,
                     "examples", examples);
}

static Status run(Cli *cli) {
    for (size_t i = 0; i < games_count(); i++) {
        const Game *game = games_at(i);
        if (cli->variant.game && cli->variant.game != game)
            continue;
        if (cli->json)
            cli_print_json(json_of(game, cli->lang));
        else
            print_game(game, cli->lang);
    }
    return status_ok();
}

static const char *const examples[] = {"games", "games {game} --json", NULL};

const Verb verb_games = {.name = "games",
                         .arguments = "[GAME]",
                         .summary = "the games, their rule options, positions to try",
                         .examples = examples,
                         .game = VERB_GAME_MAY,
                         .takes_json = true,
                         .run = run};
