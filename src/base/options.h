/* The command line, read in one place: switches and options anywhere, in any order.
 *
 *     --name            a switch             --name=value, --name value    an option
 *     -q, -hV           letters              -o value, -ovalue             a letter's option
 *     --                only words follow
 *
 * A single `-` is a word, and so is what begins with `- `, as a position may.
 */
#ifndef MALPAN_BASE_OPTIONS_H
#define MALPAN_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct OptionSpec {
    const char *name;     /* "seed" for --seed */
    const char *argument; /* what its value is, for the help: "N"; NULL for a switch */
    const char *help;     /* one line */
    const char *help_ko;  /* the same in Korean, where people are shown it; may be NULL */
    const char *choices;  /* all values there are, separated by spaces; NULL: too many to list */
    char letter;          /* 'q' for -q; 0 for none */
    bool is_preset;       /* sets several other options, which may still be given beside it */
} OptionSpec;

enum { OPTIONS_GIVEN_MAX = 64, OPTIONS_WORDS_MAX = 64 };

typedef struct OptionGiven {
    const OptionSpec *spec;
    const char *value; /* NULL for a switch */
} OptionGiven;

/* A command line taken apart; the texts stay those of argv. */
typedef struct CommandLine {
    OptionGiven given[OPTIONS_GIVEN_MAX];
    size_t given_count;
    const char *words[OPTIONS_WORDS_MAX];
    size_t word_count;
} CommandLine;

/* Takes `arguments` apart by the options in `specs`. An unknown option gets a suggestion. */
Status options_parse(const OptionSpec *const specs[], size_t spec_count,
                     const char *const arguments[], size_t argument_count, CommandLine *line);

/* The option as last given, or NULL. */
const OptionGiven *options_find(const CommandLine *line, const char *name);

/* Reads the value of --color: always, never, or auto, which means colour on a terminal unless
 * NO_COLOR is set and not empty, or the terminal is dumb. */
Status options_color(const char *when, bool *color);

/* Whether one of `options` has this name. */
bool options_has(const OptionSpec options[], size_t count, const char *name);

/* "unknown WHAT 'typed'", with the nearest of the known words where one is near, else `hint`. */
Status options_unknown(const char *what, const char *typed, const char *const known[],
                       size_t known_count, const char *hint);

#endif
