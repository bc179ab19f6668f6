/* malpan help */
#include <string.h>

#include "ui/cli/cli.h"

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

static void print_examples(const char *const examples[]) {
    printf("\nexamples:\n");
    for (; *examples; examples++)
        printf("  malpan %s\n", *examples);
}

void help_overview(void) {
    static const char *const examples[] = {"", "play box", "eval box \"13456789 1 17 12\"",
                                           "eval --help", NULL};
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
    for (size_t i = 0; i < games_count(); i++)
        printf("  %-10s %s: %s\n", games_at(i)->name, games_at(i)->title.in[LANG_EN],
               games_at(i)->about.in[LANG_EN]);
    print_options("options of every verb", cli_common_options, CLI_COMMON_COUNT);
    print_examples(examples);
    printf("\nexit codes: 0 fine; 1 failed, or a line of the input was bad; 2 wrong usage;\n"
           "3 not supported; 4 a table is missing or damaged; 5 stopped, can be resumed\n");
}

void help_verb(const Verb *verb, const Game *game) {
    printf("malpan %s: %s\n\nusage: malpan %s %s%s[OPTIONS]\n", verb->name, verb->summary,
           verb->name, verb->arguments, verb->arguments[0] ? " " : "");
    if (verb->details)
        printf("\n%s", verb->details);
    print_options("options", verb->options, verb->option_count);
    for (size_t i = 0; i < games_count() && verb->game != VERB_GAME_NONE; i++) {
        if (game && game != games_at(i))
            continue;
        char title[64];
        snprintf(title, sizeof title, "rules of %s", games_at(i)->name);
        print_options(title, games_at(i)->options, games_at(i)->option_count);
    }
    print_options("options of every verb", cli_common_options, CLI_COMMON_COUNT);
    print_examples(verb->examples);
}

static Status run(Cli *cli) {
    if (cli->word_count == 0) {
        help_overview();
        return status_ok();
    }
    const Verb *verb;
    Status status = verbs_find(cli->words[0], &verb);
    if (status_is_ok(&status))
        help_verb(verb, NULL);
    return status;
}

static const char *const examples[] = {"help", "help eval", NULL};

const Verb verb_help = {.name = "help",
                        .arguments = "[VERB]",
                        .summary = "this overview, or all about one verb",
                        .examples = examples,
                        .words_max = 1,
                        .run = run};
