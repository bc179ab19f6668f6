/* malpan games */
#include <string.h>

#include "ui/cli/cli.h"
#include "ui/json/build.h"

static const char *help_of(const OptionSpec *option, Lang lang) {
    return lang == LANG_KO && option->help_ko ? option->help_ko : option->help;
}

static void print_option(const OptionSpec *option, Lang lang) {
    char name[64], bytes[4 * GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    snprintf(name, sizeof name, "--%s%s%s", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    text_add(&text, "    ");
    text_add_left(&text, name, 19);
    text_add(&text, help_of(option, lang));
    puts(bytes);
}

static void print_game(const Game *game, Lang lang) {
    static const Phrase position = {{"position", "국면"}}, rules = {{"rules", "규칙"}};
    static const Phrase examples = {{"positions to try", "살펴볼 국면"}};
    printf("%s  %s\n  %s\n  %s: %s\n", game->identity.name, game->identity.title.in[lang],
           game->identity.about.in[lang], position.in[lang], game->text.position_shape);
    printf("  %s:\n", rules.in[lang]);
    for (size_t i = 0; i < game->rules.option_count; i++)
        print_option(&game->rules.options[i], lang);
    printf("  %s:\n", examples.in[lang]);
    for (size_t i = 0; i < game->identity.example_count; i++) {
        const GameExample *example = &game->identity.examples[i];
        printf("    malpan eval %s %s%s\"%s\"\n      %s\n", game->identity.name, example->options,
               example->options[0] ? " " : "", example->position, example->what.in[lang]);
    }
}

/* Describes an option, with all its values if there are few. */
static json_t *json_of_option(const OptionSpec *option, Lang lang) {
    json_t *json = json_pack("{s:s, s:s?, s:s}", "name", option->name, "argument", option->argument,
                             "help", help_of(option, lang));
    if (!option->choices)
        return json;
    json_t *choices = json_array();
    const char *at = option->choices;
    while (*at) {
        size_t length = strcspn(at, " ");
        choices = json_with_item(choices, json_stringn(at, length));
        at += length + (at[length] == ' ');
    }
    return json_with(json, "choices", choices);
}

static json_t *json_of(const Game *game, Lang lang) {
    json_t *options = json_array();
    for (size_t i = 0; i < game->rules.option_count; i++)
        options = json_with_item(options, json_of_option(&game->rules.options[i], lang));
    json_t *examples = json_array();
    for (size_t i = 0; i < game->identity.example_count; i++) {
        const GameExample *example = &game->identity.examples[i];
        examples = json_with_item(
            examples, json_pack("{s:s, s:s, s:s}", "what", example->what.in[lang], "options",
                                example->options, "position", example->position));
    }
    Variant variant = variant_default(game);
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "game", game->identity.name, "title",
                     game->identity.title.in[lang], "about", game->identity.about.in[lang],
                     "position", game->text.position_shape, "defaults", encode_rules(&variant),
                     "options", options, "examples", examples);
}

static Status run(Cli *cli) {
    Status status = status_ok();
    for (size_t i = 0; i < registry_count() && status_is_ok(&status); i++) {
        const Game *game = registry_at(i);
        if (cli->variant.game && cli->variant.game != game)
            continue;
        if (cli->json)
            status = cli_print_json(json_of(game, cli->lang));
        else
            print_game(game, cli->lang);
    }
    return status;
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
