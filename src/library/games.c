/* Games, options and their descriptions; opening and closing. */
#include <stdlib.h>
#include <string.h>

#include "game/outcomes.h"
#include "game/resolve.h"
#include "game/stored.h"
#include "library/library.h"
#include "values/registry.h"

static Status find_game(const char *name, const Game **game) {
    Status status = name ? registry_find(name, game) : library_expected("the name of a game");
    assert(*game || !status_is_ok(&status));
    return status;
}

const char *malpan_game_name(size_t index) {
    return index < registry_count() ? registry_at(index)->identity.name : NULL;
}

int malpan_game_info(const char *name, MalpanGameInfo *info, MalpanError *error) {
    const Game *game = NULL;
    Status status = info ? find_game(name, &game) : library_expected("room for the description");
    if (status_is_ok(&status)) {
        const GameIdentity *identity = &game->identity;
        *info =
            (MalpanGameInfo){.name = identity->name,
                             .title = {identity->title.in[LANG_EN], identity->title.in[LANG_KO]},
                             .about = {identity->about.in[LANG_EN], identity->about.in[LANG_KO]},
                             .position_shape = game->text.position_shape,
                             .option_count = game->rules.option_count,
                             .example_count = identity->example_count};
    }
    return library_finish(error, status);
}

/* The error for an item that a game does not have. */
static Status no_item(const Game *game, const char *what, size_t index) {
    return status_make(STATUS_USAGE, "%s has no %s number %zu", game->identity.name, what, index);
}

int malpan_option_info(const char *name, size_t index, MalpanOptionInfo *info, MalpanError *error) {
    const Game *game = NULL;
    Status status = info ? find_game(name, &game) : library_expected("room for the description");
    if (status_is_ok(&status) && index >= game->rules.option_count)
        status = no_item(game, "option", index);
    if (status_is_ok(&status)) {
        const OptionSpec *spec = &game->rules.options[index];
        *info = (MalpanOptionInfo){.name = spec->name,
                                   .argument = spec->argument,
                                   .help = {spec->help, spec->help_ko ? spec->help_ko : spec->help},
                                   .choices = spec->choices,
                                   .is_preset = spec->is_preset};
    }
    return library_finish(error, status);
}

int malpan_example_info(const char *name, size_t index, MalpanExampleInfo *info,
                        MalpanError *error) {
    const Game *game = NULL;
    Status status = info ? find_game(name, &game) : library_expected("room for the description");
    if (status_is_ok(&status) && index >= game->identity.example_count)
        status = no_item(game, "example", index);
    if (status_is_ok(&status)) {
        const GameExample *example = &game->identity.examples[index];
        *info = (MalpanExampleInfo){.what = {example->what.in[LANG_EN], example->what.in[LANG_KO]},
                                    .options = example->options,
                                    .position = example->position};
    }
    return library_finish(error, status);
}

/* --- opening --- */

MalpanGame *malpan_open(const char *name, const char *options, const char *position,
                        MalpanError *error) {
    const Game *found = NULL;
    State state;
    MalpanGame *game = calloc(1, sizeof *game);
    Status status = game ? find_game(name, &found) : library_out_of_memory();
    if (status_is_ok(&status))
        status = resolve_text(found, options, position, &game->variant, &state);
    if (status_is_ok(&status))
        game->tag = library_tag(&game->variant);
    else
        malpan_close(&game);
    library_finish(error, status);
    return game;
}

void malpan_close(MalpanGame **game) {
    if (!game)
        return;
    free(*game);
    *game = NULL;
}

const char *malpan_name(const MalpanGame *game) {
    return game ? game->variant.game->identity.name : "";
}

size_t malpan_rules(const MalpanGame *game, char *text, size_t capacity) {
    char bytes[GAME_RULES_TEXT_BYTES];
    Text rules = text_over(bytes, sizeof bytes);
    if (game)
        variant_print(&game->variant, &rules);
    return library_give_text(&rules, text, capacity);
}

size_t malpan_option(const MalpanGame *game, const char *option, char *text, size_t capacity) {
    char bytes[GAME_TEXT_BYTES];
    Text value = text_over(bytes, sizeof bytes);
    const GameRules *rules = game ? &game->variant.game->rules : NULL;
    if (rules && option && options_has(rules->options, rules->option_count, option))
        rules->get(&game->variant.rules, option, &value);
    return library_give_text(&value, text, capacity);
}

int malpan_player_count(const MalpanGame *game) {
    return game ? game->variant.game->rules.player_count(&game->variant.rules) : 0;
}

int malpan_traits(const MalpanGame *game, MalpanTraits *traits, MalpanError *error) {
    if (!game || !traits)
        return library_finish(error, library_expected(game ? "room for the traits" : "a game"));
    const Game *played = game->variant.game;
    ValueInfo info = played->rules.value_info(&game->variant.rules);
    Status can_store =
        played->stored ? played->stored->check(&game->variant.rules) : library_expected("a table");
    *traits = (MalpanTraits){.has_chance = !played->tree.is_deterministic,
                             .has_cycles = played->tree.has_cycles,
                             .has_outcomes = played->outcomes != NULL,
                             .has_table = status_is_ok(&can_store),
                             .lower_is_better = info.lower_is_better,
                             .is_counted = info.is_counted,
                             .value_name = {info.name.in[LANG_EN], info.name.in[LANG_KO]}};
    return library_finish(error, status_ok());
}
