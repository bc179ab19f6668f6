/* The list of verbs, and of all options. */
#include <assert.h>
#include <string.h>

#include "ui/cli/cli.h"

static const Verb *const verbs[] = {&verb_play,  &verb_watch,    &verb_serve,  &verb_eval,
                                    &verb_match, &verb_rate,     &verb_perft,  &verb_solve,
                                    &verb_fetch, &verb_verify,   &verb_learn,  &verb_tour,
                                    &verb_games, &verb_stats,    &verb_review, &verb_engine,
                                    &verb_bench, &verb_complete, &verb_help,   &verb_version};

size_t verbs_count(void) {
    return sizeof verbs / sizeof verbs[0];
}

const Verb *verbs_at(size_t index) {
    return verbs[index];
}

Status verbs_find(const char *name, const Verb **verb) {
    enum { NAMES_MAX = 64 };
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < verbs_count(); i++) {
        names[count++] = verbs[i]->name;
        if (strcmp(name, verbs[i]->name) == 0) {
            *verb = verbs[i];
            return status_ok();
        }
    }
    for (size_t i = 0; i < registry_count(); i++)
        names[count++] = registry_at(i)->identity.name;
    assert(count <= NAMES_MAX);
    return options_unknown("verb", name, names, count, "`malpan help` lists them");
}

bool command_accepts(const GameCommand *command, const Game *game, const char *option) {
    if (strcmp(option, "json") == 0)
        return command->takes_json;
    if (strcmp(option, "value") == 0)
        return false;
    return options_has(cli_common_options, CLI_COMMON_COUNT, option) ||
           options_has(command->options, command->option_count, option) ||
           (game && command->takes_rules &&
            options_has(game->rules.options, game->rules.option_count, option));
}

bool verb_accepts(const Verb *verb, const Game *game, const char *option) {
    if (strcmp(option, "json") == 0)
        return verb->takes_json;
    if (strcmp(option, "value") == 0)
        return verb->takes_value;
    return options_has(cli_common_options, CLI_COMMON_COUNT, option) ||
           options_has(verb->options, verb->option_count, option) ||
           (game && verb->takes_rules &&
            options_has(game->rules.options, game->rules.option_count, option));
}

size_t cli_list_options(const OptionSpec *specs[CLI_OPTIONS_MAX]) {
    size_t count = 0;
    for (size_t i = 0; i < CLI_COMMON_COUNT; i++)
        specs[count++] = &cli_common_options[i];
    for (size_t i = 0; i < verbs_count(); i++)
        for (size_t j = 0; j < verbs_at(i)->option_count; j++)
            specs[count++] = &verbs_at(i)->options[j];
    for (size_t i = 0; i < registry_count(); i++) {
        const Game *game = registry_at(i);
        for (size_t j = 0; j < game->rules.option_count; j++)
            specs[count++] = &game->rules.options[j];
        for (size_t j = 0; j < game_command_count(game); j++)
            for (size_t k = 0; k < game->commands->list[j].option_count; k++)
                specs[count++] = &game->commands->list[j].options[k];
    }
    assert(count <= CLI_OPTIONS_MAX);
    return count;
}

bool cli_is_universal(const OptionSpec *option) {
    for (size_t i = 0; i < verbs_count(); i++)
        if (!verb_accepts(verbs_at(i), NULL, option->name))
            return false;
    return true;
}
