#include "base/options.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

enum {
    NAME_BYTES = 64,
    SPECS_MAX = 128,
    NAME_LETTERS_MIN = 3 /* this many letters after a single dash are read as a long name */
};

Status options_unknown(const char *what, const char *typed, const char *const known[],
                       size_t known_count, const char *hint) {
    const char *nearest = suggest_word(typed, known, known_count);
    if (nearest)
        return status_make(STATUS_USAGE, "unknown %s %s; did you mean '%s'?", what,
                           quote(typed).text, nearest);
    return status_make(STATUS_USAGE, "unknown %s %s; %s", what, quote(typed).text, hint);
}

/* Compares names only: without the dashes and a value after `=`. A single dash before a whole name,
 * as in -json, gets a suggestion as well; a few letters, as in -qx, get none. */
static Status unknown_option(const OptionSpec *const specs[], size_t spec_count,
                             const char *typed) {
    const char *known[SPECS_MAX];
    char name[NAME_BYTES];
    size_t count = spec_count < SPECS_MAX ? spec_count : SPECS_MAX;
    for (size_t i = 0; i < count; i++)
        known[i] = specs[i]->name;
    const char *bare = typed + strspn(typed, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    const char *nearest = suggest_word(name, known, count);
    if (nearest && (typed[1] == '-' || strlen(name) >= NAME_LETTERS_MIN))
        return status_make(STATUS_USAGE, "unknown option %s; did you mean '--%s'?",
                           quote(typed).text, nearest);
    return status_make(STATUS_USAGE, "unknown option %s; see --help", quote(typed).text);
}

static Status add_given(CommandLine *line, const OptionSpec *spec, const char *value) {
    if (line->given_count == OPTIONS_GIVEN_MAX)
        return status_make(STATUS_USAGE, "more than %d options", OPTIONS_GIVEN_MAX);
    line->given[line->given_count++] = (OptionGiven){.spec = spec, .value = value};
    return status_ok();
}

static const OptionSpec *find_name(const OptionSpec *const specs[], size_t spec_count,
                                   const char *name, size_t length) {
    for (size_t i = 0; i < spec_count; i++)
        if (strlen(specs[i]->name) == length && memcmp(specs[i]->name, name, length) == 0)
            return specs[i];
    return NULL;
}

static const OptionSpec *find_letter(const OptionSpec *const specs[], size_t spec_count,
                                     char letter) {
    for (size_t i = 0; i < spec_count; i++)
        if (specs[i]->letter != 0 && specs[i]->letter == letter)
            return specs[i];
    return NULL;
}

Status options_parse(const OptionSpec *const specs[], size_t spec_count,
                     const char *const arguments[], size_t argument_count, CommandLine *line) {
    *line = (CommandLine){.given_count = 0};
    bool words_only = false;
    for (size_t i = 0; i < argument_count; i++) {
        const char *argument = arguments[i];
        Status status = status_ok();
        if (words_only || argument[0] != '-' || argument[1] == '\0' || argument[1] == ' ') {
            if (line->word_count == OPTIONS_WORDS_MAX)
                return status_make(STATUS_USAGE, "more than %d words", OPTIONS_WORDS_MAX);
            line->words[line->word_count++] = argument;
        } else if (strcmp(argument, "--") == 0) {
            words_only = true;
        } else if (argument[1] == '-') {
            const char *name = argument + 2;
            const char *equals = strchr(name, '=');
            size_t length = equals ? (size_t)(equals - name) : strlen(name);
            const OptionSpec *spec = find_name(specs, spec_count, name, length);
            if (!spec)
                return unknown_option(specs, spec_count, argument);
            const char *value = equals ? equals + 1 : NULL;
            if (!spec->argument && value)
                return status_make(STATUS_USAGE, "--%s takes no value", spec->name);
            if (spec->argument && !value) {
                if (++i == argument_count)
                    return status_make(STATUS_USAGE, "--%s: expected %s after it", spec->name,
                                       spec->argument);
                value = arguments[i];
            }
            status = add_given(line, spec, value);
        } else {
            for (const char *letter = argument + 1; *letter && status_is_ok(&status); letter++) {
                const OptionSpec *spec = find_letter(specs, spec_count, *letter);
                if (!spec)
                    return unknown_option(specs, spec_count, argument);
                if (spec->argument) { /* the rest of the word, or the next one */
                    if (letter[1] == '\0' && ++i == argument_count)
                        return status_make(STATUS_USAGE, "-%c: expected %s after it", *letter,
                                           spec->argument);
                    status = add_given(line, spec, letter[1] ? letter + 1 : arguments[i]);
                    break;
                }
                status = add_given(line, spec, NULL);
            }
        }
        if (!status_is_ok(&status))
            return status;
    }
    return status_ok();
}

const OptionGiven *options_find(const CommandLine *line, const char *name) {
    for (size_t i = line->given_count; i-- > 0;)
        if (strcmp(line->given[i].spec->name, name) == 0)
            return &line->given[i];
    return NULL;
}

bool options_has(const OptionSpec options[], size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(options[i].name, name) == 0)
            return true;
    return false;
}
