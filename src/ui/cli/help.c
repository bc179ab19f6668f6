/* malpan help */
#include <string.h>

#include "game/commands.h"
#include "ui/cli/cli.h"
#include "values/policy.h"

static void print_options(const char *title, const OptionSpec options[], size_t count) {
    if (count == 0)
        return;
    printf("\n%s:\n", title);
    for (size_t i = 0; i < count; i++) {
        char bytes[64];
        Text left = text_over(bytes, sizeof bytes);
        text_addf(&left, "  --%s", options[i].name);
        if (options[i].argument)
            text_addf(&left, " %s", options[i].argument);
        if (options[i].letter)
            text_addf(&left, ", -%c", options[i].letter);
        printf("%-20s %s\n", bytes, options[i].help);
    }
}

/* The game that examples are about where none is asked for: one that has values at once. */
static const Game *example_game(void) {
    const SolveLimits no_tables = {.threads = 1};
    for (size_t i = 0; i < registry_count(); i++) {
        Variant variant = variant_default(registry_at(i));
        Status solvable = values_check(&variant, VALUES_EXACT, &no_tables);
        if (registry_at(i)->solver && status_is_ok(&solvable))
            return registry_at(i);
    }
    return registry_at(0);
}

/* Replaces every `mark` in `text` by `words`. */
static void fill_in(char *text, size_t capacity, const char *mark, const char *words) {
    char *at;
    while ((at = strstr(text, mark)) != NULL) {
        char rest[2 * GAME_TEXT_BYTES];
        snprintf(rest, sizeof rest, "%s", at + strlen(mark));
        snprintf(at, capacity - (size_t)(at - text), "%s%s", words, rest);
    }
}

static void print_examples(const char *const examples[], const Game *game) {
    const GameExample *shown = &game->identity.examples[game->identity.example_count > 1 ? 1 : 0];
    char position[2 * GAME_TEXT_BYTES];
    snprintf(position, sizeof position, "%s%s\"%s\"", shown->options, shown->options[0] ? " " : "",
             shown->position);
    printf("\nexamples:\n");
    for (; *examples; examples++) {
        char line[4 * GAME_TEXT_BYTES];
        snprintf(line, sizeof line, "  malpan %s", *examples);
        fill_in(line, sizeof line, "{game}", game->identity.name);
        fill_in(line, sizeof line, "{position}", position);
        puts(line);
    }
}

void help_overview(void) {
    static const char *const examples[] = {"play {game}", "eval {game} {position}", "eval --help",
                                           NULL};
    printf("malpan plays board games and knows the exact value of every move.\n"
           "\n"
           "usage: malpan [VERB] [GAME] [OPTIONS]\n"
           "\n"
           "Without a verb: in a terminal, choose a game and play; otherwise, the tour.\n"
           "\n"
           "verbs:\n");
    for (size_t i = 0; i < verbs_count(); i++) {
        char bytes[64];
        Text left = text_over(bytes, sizeof bytes);
        text_addf(&left, "  %s %s", verbs_at(i)->name, verbs_at(i)->arguments);
        printf("%-32s %s\n", bytes, verbs_at(i)->summary);
    }
    printf("\ngames:\n");
    for (size_t i = 0; i < registry_count(); i++)
        printf("  %-10s %s: %s\n", registry_at(i)->identity.name,
               registry_at(i)->identity.title.in[LANG_EN],
               registry_at(i)->identity.about.in[LANG_EN]);
    print_options("options of every verb", cli_common_options, CLI_COMMON_COUNT);
    print_examples(examples, example_game());
    printf("\nexit codes: 0 fine; 1 failed, or a line of the input was bad; 2 wrong usage;\n"
           "3 not supported; 4 a table is missing or damaged; 5 stopped, can be resumed\n");
}

void help_verb(const Verb *verb, const Game *game) {
    printf("malpan %s: %s\n\nusage: malpan %s %s%s[OPTIONS]\n", verb->name, verb->summary,
           verb->name, verb->arguments, verb->arguments[0] ? " " : "");
    if (verb->details)
        printf("\n%s", verb->details);
    print_options("options", verb->options, verb->option_count);
    for (size_t i = 0; i < registry_count() && verb->game != VERB_GAME_NONE; i++) {
        if (game && game != registry_at(i))
            continue;
        char title[64];
        snprintf(title, sizeof title, "rules of %s", registry_at(i)->identity.name);
        print_options(title, registry_at(i)->rules.options, registry_at(i)->rules.option_count);
    }
    print_options("options of every verb", cli_common_options, CLI_COMMON_COUNT);
    print_examples(verb->examples, game ? game : example_game());
}

void help_game(const Game *game) {
    printf("%s (%s): %s\n", game->identity.title.in[LANG_EN], game->identity.name,
           game->identity.about.in[LANG_EN]);
    printf("\npositions: %s\n", game->text.position_shape);
    print_options("rules, for every verb", game->rules.options, game->rules.option_count);
    if (game_command_count(game) > 0)
        printf("\ncommands of its own:\n");
    for (size_t i = 0; i < game_command_count(game); i++) {
        const GameCommand *command = &game->commands->list[i];
        char bytes[64];
        Text left = text_over(bytes, sizeof bytes);
        text_addf(&left, "  %s %s %s", game->identity.name, command->name, command->arguments);
        for (size_t j = 0; j < command->option_count; j++)
            text_addf(&left, "%s[--%s]", j > 0 || command->arguments[0] ? " " : "",
                      command->options[j].name);
        printf("%-38s %s\n", bytes, command->summary);
    }
    printf("\nexamples:\n  malpan play %s\n", game->identity.name);
    for (size_t i = 0; i < game_command_count(game); i++)
        for (const char *const *at = game->commands->list[i].examples; *at; at++)
            printf("  malpan %s\n", *at);
}

static Status run(Cli *cli) {
    if (cli->word_count == 0) {
        help_overview();
        return status_ok();
    }
    for (size_t i = 0; i < registry_count(); i++) {
        if (strcmp(cli->words[0], registry_at(i)->identity.name) == 0) {
            help_game(registry_at(i));
            return status_ok();
        }
    }
    const Verb *verb;
    Status status = verbs_find(cli->words[0], &verb);
    if (status_is_ok(&status))
        help_verb(verb, NULL);
    return status;
}

static const char *const examples[] = {"help", "help eval", "help {game}", NULL};

const Verb verb_help = {.name = "help",
                        .arguments = "[VERB | GAME]",
                        .summary = "this overview, or all about a verb or a game",
                        .examples = examples,
                        .words_max = 1,
                        .run = run};
