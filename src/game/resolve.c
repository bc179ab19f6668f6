#include "game/resolve.h"

#include <string.h>

/* Sets the presets (or everything but the presets) that were given, in the order of the game's
 * option list, so that the typing order does not matter. */
static Status set_options(const Game *game, const OptionGiven given[], size_t given_count,
                          bool presets, Rules *rules) {
    for (size_t i = 0; i < game->rules.option_count; i++) {
        const OptionSpec *option = &game->rules.options[i];
        const OptionGiven *last = NULL;
        for (size_t j = 0; j < given_count; j++)
            if (strcmp(given[j].spec->name, option->name) == 0)
                last = &given[j];
        if (!last || option->is_preset != presets)
            continue;
        Status status = game->rules.set(rules, option->name, last->value);
        if (!status_is_ok(&status))
            return status;
    }
    return status_ok();
}

Status resolve_rules(const Game *game, const OptionGiven given[], size_t given_count,
                     const char *position, Variant *variant) {
    *variant = variant_default(game);
    Status status = set_options(game, given, given_count, true, &variant->rules);
    if (!status_is_ok(&status))
        return status;
    if (position && game->rules.infer)
        game->rules.infer(&variant->rules, position);
    status = set_options(game, given, given_count, false, &variant->rules);
    return status_is_ok(&status) ? game->rules.check(&variant->rules) : status;
}

Status resolve_position(const Game *game, const OptionGiven given[], size_t given_count,
                        const char *position, Variant *variant, State *state) {
    Status status = resolve_rules(game, given, given_count, position, variant);
    if (!status_is_ok(&status))
        return status;
    if (position)
        return game->text.parse_state(&variant->rules, position, state);
    *state = game->tree.start(&variant->rules);
    return status;
}

/* A text of rule options, split; the texts of `line` point into `storage`. */
typedef struct OptionText {
    char storage[2 * GAME_TEXT_BYTES];
    CommandLine line;
} OptionText;

static Status split_options(const Game *game, const char *options, OptionText *split) {
    enum { WORDS = 2 * OPTIONS_GIVEN_MAX };
    char *words[WORDS];
    const OptionSpec *specs[OPTIONS_GIVEN_MAX];
    size_t count =
        text_split(options ? options : "", split->storage, sizeof split->storage, words, WORDS);
    if (count > WORDS)
        return status_make(STATUS_USAGE, "the rule options are too long");
    for (size_t i = 0; i < game->rules.option_count; i++)
        specs[i] = &game->rules.options[i];
    Status status = options_parse(specs, game->rules.option_count, (const char *const *)words,
                                  count, &split->line);
    if (status_is_ok(&status) && split->line.word_count > 0)
        return status_make(STATUS_USAGE, "%s is not a rule option",
                           quote(split->line.words[0]).text);
    return status;
}

Status resolve_text(const Game *game, const char *options, const char *position, Variant *variant,
                    State *state) {
    OptionText split;
    Status status = split_options(game, options, &split);
    return status_is_ok(&status) ? resolve_position(game, split.line.given, split.line.given_count,
                                                    position, variant, state)
                                 : status;
}

Status variant_parse(const Game *game, const char *options, Variant *variant) {
    OptionText split;
    Status status = split_options(game, options, &split);
    return status_is_ok(&status)
               ? resolve_rules(game, split.line.given, split.line.given_count, NULL, variant)
               : status;
}
