/* Parses the command line and runs the verb. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "game/commands.h"
#include "play/match.h"
#include "ui/cli/cli.h"
#include "ui/cli/stop.h"
#include "values/services.h"

static Status check_options(const Cli *cli) {
    const Game *game = cli->variant.game;
    for (size_t i = 0; i < cli->line.given_count; i++) {
        const char *name = cli->line.given[i].spec->name;
        if (!verb_accepts(cli->verb, game, name))
            return status_make(STATUS_USAGE, "--%s is not an option of %s%s%s", name,
                               cli->verb->name, game ? " " : "", game ? game->identity.name : "");
    }
    return status_ok();
}

/* Reads the name of the game, if the verb takes one. */
static Status read_game(Cli *cli) {
    if (cli->verb->game == VERB_GAME_NONE)
        return status_ok();
    if (cli->word_count == 0) {
        if (cli->verb->game == VERB_GAME_MAY)
            return status_ok();
        return cli_need_game(cli);
    }
    const Game *game;
    Status status = registry_find(cli->words[0], &game);
    if (!status_is_ok(&status))
        return status;
    cli->variant.game = game;
    cli->words++;
    cli->word_count--;
    return status;
}

static const Game *find_game(const char *name) {
    for (size_t i = 0; i < registry_count(); i++)
        if (strcmp(name, registry_at(i)->identity.name) == 0)
            return registry_at(i);
    return NULL;
}

static Status check_command_options(const Cli *cli, const Game *game, const GameCommand *command) {
    for (size_t i = 0; i < cli->line.given_count; i++) {
        const char *name = cli->line.given[i].spec->name;
        if (!command_accepts(command, game, name))
            return status_make(STATUS_USAGE, "--%s is not an option of %s %s", name,
                               game->identity.name, command->name);
    }
    return status_ok();
}

/* For commands of games, which are below the players (game/services.h). */
static Status play_match(const Variant *variant, const char *const players[2], uint64_t games,
                         uint64_t seed, const SolveLimits *limits, double *mean, double *margin) {
    MatchPlan plan = {.pairs = games / 2, .seed = seed};
    MatchResult result;
    Status status = status_ok();
    for (int i = 0; i < 2 && status_is_ok(&status); i++)
        status = seat_parse(players[i], &plan.players[i]);
    if (status_is_ok(&status))
        status = match_run(variant, &plan, limits, &result);
    if (status_is_ok(&status)) {
        *mean = result.mean;
        *margin = result.margin;
    }
    return status;
}

static Status call_command(Cli *cli, const GameCommand *command) {
    static char bytes[GAME_COMMAND_BYTES];
    Text output = text_over(bytes, sizeof bytes);
    SolveLimits limits = cli_limits(cli);
    limits.stop = stop_on_signals();
    GameServices services = values_services;
    services.match = play_match;
    GameCall call = {.line = &cli->line,
                     .words = cli->words + 2,
                     .word_count = cli->word_count - 2,
                     .rules = cli->variant.rules,
                     .limits = &limits,
                     .services = &services,
                     .seed = cli->seed_given ? cli->seed : 1,
                     .json = cli->json};
    Status status = command->run(&call, &output);
    assert(!output.truncated);
    if (status_is_ok(&status))
        fputs(bytes, stdout);
    return stop_without_resuming(status);
}

/* `malpan GAME COMMAND ...` */
static Status run_command(Cli *cli, const Game *game) {
    const char *names[CLI_OPTIONS_MAX];
    const GameCommand *command = NULL;
    if (cli->word_count < 2) {
        help_game(cli, game);
        return status_ok();
    }
    for (size_t i = 0; i < game_command_count(game); i++) {
        names[i] = game->commands->list[i].name;
        if (strcmp(cli->words[1], names[i]) == 0)
            command = &game->commands->list[i];
    }
    if (!command) {
        char hint[GAME_TEXT_BYTES];
        snprintf(hint, sizeof hint, "see `malpan help %s`", game->identity.name);
        return options_unknown("command", cli->words[1], names, game_command_count(game), hint);
    }
    if (options_find(&cli->line, "help")) {
        help_command(cli, game, command);
        return status_ok();
    }
    Status status = check_command_options(cli, game, command);
    if (!status_is_ok(&status))
        return status;
    size_t words = cli->word_count - 2;
    if (words != command->word_count && (words < command->word_count || words > command->words_max))
        return status_make(STATUS_USAGE, "%s %s: expected %s, not %zu words", game->identity.name,
                           command->name,
                           command->word_count ? command->arguments : "no more words", words);
    cli->variant = variant_default(game);
    if (command->takes_rules)
        status = cli_resolve(cli, NULL, &cli->variant, &cli->state);
    return status_is_ok(&status) ? call_command(cli, command) : status;
}

/* Resolves the rules, together with the position if the command line has one: some rules are only
 * possible with it. Positions read from standard input are resolved one by one later. */
static Status resolve_arguments(Cli *cli) {
    char words[2 * GAME_TEXT_BYTES];
    const char *position = NULL;
    if (!cli->variant.game || cli_reads_positions(cli))
        return status_ok();
    if (cli->verb->position_option) {
        const OptionGiven *given = options_find(&cli->line, cli->verb->position_option);
        position = given ? given->value : NULL;
    }
    if (cli->verb->takes_position && cli->word_count > 0) {
        /* A position may be typed as one quoted word or as several words. */
        Text text = text_over(words, sizeof words);
        for (size_t i = 0; i < cli->word_count; i++)
            text_addf(&text, "%s%s", i > 0 ? " " : "", cli->words[i]);
        if (text.truncated)
            return status_make(STATUS_USAGE, "the position is too long");
        position = words;
    }
    return cli_resolve(cli, position, &cli->variant, &cli->state);
}

static Status run_verb(Cli *cli) {
    const Game *game = find_game(cli->words[0]);
    if (game && !cli->exchange)
        return run_command(cli, game);
    Status status = verbs_find(cli->words[0], &cli->verb);
    if (!status_is_ok(&status))
        return status;
    cli->words++;
    cli->word_count--;
    if (options_find(&cli->line, "help")) {
        if (cli->verb->game != VERB_GAME_NONE && cli->word_count > 0)
            status = registry_find(cli->words[0], &game);
        if (status_is_ok(&status))
            help_verb(cli, cli->verb, game);
        return status;
    }
    status = read_game(cli);
    if (status_is_ok(&status))
        status = check_options(cli);
    if (status_is_ok(&status) && cli->word_count > cli->verb->words_max)
        status = status_make(STATUS_USAGE, "%s: %s is one word too many", cli->verb->name,
                             quote(cli->words[cli->verb->words_max]).text);
    if (status_is_ok(&status))
        status = resolve_arguments(cli);
    if (status_is_ok(&status))
        status = cli_check_ranks(cli);
    return status_is_ok(&status) ? cli->verb->run(cli) : status;
}

static Status run(Cli *cli, size_t argument_count, const char *const arguments[]) {
    const OptionSpec *specs[CLI_OPTIONS_MAX];
    size_t spec_count = cli_list_options(specs);
    Status status = cli_compare_ranks(cli, argument_count, arguments);
    if (!status_is_ok(&status))
        return status;
    /* Checked first, so that errors in the command line are also reported as JSON. */
    for (size_t i = 0; i < argument_count && strcmp(arguments[i], "--") != 0; i++)
        cli->json = cli->json || strcmp(arguments[i], "--json") == 0;
    status = options_parse(specs, spec_count, arguments, argument_count, &cli->line);
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
        help_overview(cli);
        return status_ok();
    }
    if (cli->exchange)
        return status_make(STATUS_USAGE, "malpan-mpi: expected solve, match, rate or stats");
    bool choose = cli->interactive && !cli->json;
    cli->verb = &verb_lobby; /* determines which options are accepted */
    status = check_options(cli);
    if (!status_is_ok(&status))
        return status;
    return choose ? chooser_run(cli) : tour_run(cli);
}

static void report_error(const Cli *cli, const Status *status) {
    if (cli->json)
        cli_print_json_error(status);
    else
        fprintf(stderr, "malpan: %s\n", status->message);
}

Status cli_run(int argc, char **argv, Exchange *exchange) {
    static Cli cli;
    size_t count = argc > 0 ? (size_t)argc - 1 : 0;
    cli.exchange = exchange;
    Status status = run(&cli, count, (const char *const *)argv + 1);
    /* The other ranks fail for the same reason, or rank 0 has the reason from them. */
    if (!status_is_ok(&status) && status.message[0] && exchange_is_root(exchange))
        report_error(&cli, &status);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "malpan: cannot write to standard output\n");
        return status_make(STATUS_FAILED, "cannot write to standard output");
    }
    return status;
}
