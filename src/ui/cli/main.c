/* malpan: takes the command line apart and calls the verb. */
#include <stdlib.h>
#include <string.h>

#include "ui/cli/cli.h"

enum { SPECS_MAX = 128 };

/* Every option of the program: the common ones, the verbs', the games'. A name means the same kind
 * of thing everywhere, so that options may stand before the verb. */
static size_t list_all_options(const OptionSpec *specs[]) {
    size_t count = 0;
    for (size_t i = 0; i < CLI_COMMON_COUNT; i++)
        specs[count++] = &cli_common_options[i];
    for (size_t i = 0; i < verbs_count(); i++)
        for (size_t j = 0; j < verbs_at(i)->option_count; j++)
            specs[count++] = &verbs_at(i)->options[j];
    for (size_t i = 0; i < games_count(); i++)
        for (size_t j = 0; j < games_at(i)->option_count; j++)
            specs[count++] = &games_at(i)->options[j];
    return count;
}

static bool has_option(const OptionSpec options[], size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(options[i].name, name) == 0)
            return true;
    return false;
}

/* Hands each option to whom it belongs: nobody's is an error. */
static Status read_options(Cli *cli) {
    const Game *game = cli->variant.game;
    for (size_t i = 0; i < cli->line.given_count; i++) {
        const OptionGiven *given = &cli->line.given[i];
        const char *name = given->spec->name;
        if (has_option(cli_common_options, CLI_COMMON_COUNT, name) ||
            has_option(cli->verb->options, cli->verb->option_count, name))
            continue;
        if (!game || !has_option(game->options, game->option_count, name))
            return status_make(STATUS_USAGE, "--%s is not an option of %s%s%s", name,
                               cli->verb->name, game ? " " : "", game ? game->name : "");
        Status status = game->rules_set(&cli->variant.rules, name, given->value);
        if (!status_is_ok(&status))
            return status;
    }
    if (cli->json && !cli->verb->takes_json)
        return status_make(STATUS_USAGE, "--json is not for %s", cli->verb->name);
    if (cli->value && !cli->verb->takes_value)
        return status_make(STATUS_USAGE, "--value is not for %s", cli->verb->name);
    return game ? game->rules_check(&cli->variant.rules) : status_ok();
}

/* Reads the game's name, where the verb takes one. */
static Status read_game(Cli *cli) {
    if (cli->verb->game == VERB_GAME_NONE)
        return status_ok();
    if (cli->word_count == 0) {
        if (cli->verb->game == VERB_GAME_MAY)
            return status_ok();
        return status_make(STATUS_USAGE, "%s: expected a game (`malpan games` lists them)",
                           cli->verb->name);
    }
    const Game *game;
    Status status = games_find(cli->words[0], &game);
    if (!status_is_ok(&status))
        return status;
    cli->variant = variant_default(game);
    cli->words++;
    cli->word_count--;
    return status;
}

static Status run_verb(Cli *cli) {
    Status status = verbs_find(cli->words[0], &cli->verb);
    if (!status_is_ok(&status))
        return status;
    cli->words++;
    cli->word_count--;
    if (options_find(&cli->line, "help")) {
        const Game *game = NULL;
        if (cli->verb->game != VERB_GAME_NONE && cli->word_count > 0)
            status = games_find(cli->words[0], &game);
        if (status_is_ok(&status))
            help_verb(cli->verb, game);
        return status;
    }
    status = read_game(cli);
    if (status_is_ok(&status))
        status = read_options(cli);
    if (status_is_ok(&status) && cli->word_count > cli->verb->words_max)
        status = status_make(STATUS_USAGE, "%s: %s is one word too many", cli->verb->name,
                             quote(cli->words[cli->verb->words_max]).text);
    return status_is_ok(&status) ? cli->verb->run(cli) : status;
}

static Status run(Cli *cli, size_t argument_count, const char *const arguments[]) {
    const OptionSpec *specs[SPECS_MAX];
    size_t spec_count = list_all_options(specs);
    Status status = options_parse(specs, spec_count, arguments, argument_count, &cli->line);
    /* Known before all else, so that every error comes out in the form that was asked for. */
    cli->json = options_find(&cli->line, "json") != NULL;
    if (status_is_ok(&status))
        status = cli_read_common(cli);
    if (!status_is_ok(&status))
        return status;
    cli->words = cli->line.words;
    cli->word_count = cli->line.word_count;
    if (options_find(&cli->line, "version"))
        return verb_version.run(cli);
    if (cli->word_count > 0)
        return run_verb(cli);
    if (options_find(&cli->line, "help")) {
        help_overview();
        return status_ok();
    }
    bool choose = cli->interactive && !cli->json;
    cli->verb = choose ? &verb_play : &verb_tour;
    status = read_options(cli);
    if (!status_is_ok(&status))
        return status;
    return choose ? chooser_run(cli) : tour_run(cli);
}

static void report(const Cli *cli, const Status *status) {
    if (cli->json)
        cli_print_json(json_pack("{s:{s:s, s:s}}", "error", "code", status_name(status->code),
                                 "message", status->message));
    else
        fprintf(stderr, "malpan: %s\n", status->message);
}

int main(int argc, char **argv) {
    static Cli cli;
    size_t count = argc > 0 ? (size_t)argc - 1 : 0;
    Status status = run(&cli, count, (const char *const *)argv + 1);
    if (!status_is_ok(&status) && status.message[0])
        report(&cli, &status);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "malpan: cannot write to standard output\n");
        return STATUS_FAILED;
    }
    return (int)status.code;
}
