/* malpan games */
#include "ui/cli/cli.h"

static void print_game(const Game *game, Lang lang) {
    printf("%s  %s\n  %s\n  position: %s\n", game->identity.name, game->identity.title.in[lang],
           game->identity.about.in[lang], game->text.position_shape);
    printf("  rules:\n");
    for (size_t i = 0; i < game->rules.option_count; i++) {
        char bytes[64];
        Text left = text_over(bytes, sizeof bytes);
        text_addf(&left, "--%s %s", game->rules.options[i].name, game->rules.options[i].argument);
        printf("    %-18s %s\n", bytes, game->rules.options[i].help);
    }
    printf("  positions to try:\n");
    for (size_t i = 0; i < game->identity.example_count; i++) {
        const GameExample *example = &game->identity.examples[i];
        printf("    malpan eval %s %s%s\"%s\"\n      %s\n", game->identity.name, example->options,
               example->options[0] ? " " : "", example->position, example->what.in[lang]);
    }
}

static json_t *json_of(const Game *game, Lang lang) {
    json_t *options = json_array();
    for (size_t i = 0; i < game->rules.option_count; i++)
        json_array_append_new(options,
                              json_pack("{s:s, s:s?, s:s}", "name", game->rules.options[i].name,
                                        "argument", game->rules.options[i].argument, "help",
                                        game->rules.options[i].help));
    json_t *examples = json_array();
    for (size_t i = 0; i < game->identity.example_count; i++)
        json_array_append_new(examples, json_pack("{s:s, s:s, s:s}", "what",
                                                  game->identity.examples[i].what.in[lang],
                                                  "options", game->identity.examples[i].options,
                                                  "position", game->identity.examples[i].position));
    Variant variant = variant_default(game);
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "game", game->identity.name, "title",
                     game->identity.title.in[lang], "about", game->identity.about.in[lang],
                     "position", game->text.position_shape, "defaults", cli_json_rules(&variant),
                     "options", options, "examples", examples);
}

static Status run(Cli *cli) {
    for (size_t i = 0; i < registry_count(); i++) {
        const Game *game = registry_at(i);
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
                         .summary_ko = "게임 목록, 규칙 옵션, 살펴볼 국면",
                         .examples = examples,
                         .game = VERB_GAME_MAY,
                         .takes_json = true,
                         .run = run};
