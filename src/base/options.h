/* Parsing of the command line: switches and options anywhere, in any order. Pure functions.
 *
 *     --name            a switch             --name=value, --name value    an option
 *     -q, -hV           letters              -o value, -ovalue             an option by letter
 *     --                only words follow
 *
 * A single `-` is a word, and so is anything that begins with `- `, as some positions do.
 */
#ifndef MALPAN_BASE_OPTIONS_H
#define MALPAN_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct OptionSpec {
    const char *name;        /* "seed" for --seed */
    const char *argument;    /* name of its value in the help, such as "N"; NULL for a switch */
    const char *help;        /* one line */
    const char *help_ko;     /* the same in Korean; may be NULL */
    const char *choices;     /* all possible values, separated by spaces; NULL: too many to list */
    const char *suggestions; /* some of too many values, separated by spaces; may be NULL */
    char letter;             /* 'q' for -q; 0 for none */
    bool is_preset;          /* sets several other options; these may still be given explicitly */
    bool is_start;           /* changes the start position and nothing else, so no solved table */
    bool omits_default; /* left out of the text of a rule set while it has its default value, so
                           that texts from before the option existed stay the same */
} OptionSpec;

enum { OPTIONS_GIVEN_MAX = 64, OPTIONS_WORDS_MAX = 64 };

typedef struct OptionGiven {
    const OptionSpec *spec;
    const char *value; /* NULL for a switch */
} OptionGiven;

/* A parsed command line. The texts are those of argv, which must outlive it. */
typedef struct CommandLine {
    OptionGiven given[OPTIONS_GIVEN_MAX];
    size_t given_count;
    const char *words[OPTIONS_WORDS_MAX];
    size_t word_count;
} CommandLine;

/* Parses `arguments` with the options in `specs`. STATUS_USAGE for an unknown option, with a
 * suggestion if one is close. */
Status options_parse(const OptionSpec *const specs[], size_t spec_count,
                     const char *const arguments[], size_t argument_count, CommandLine *line);

/* The last occurrence of the option, or NULL. */
const OptionGiven *options_find(const CommandLine *line, const char *name);

/* Whether one of `options` has this name. */
bool options_has(const OptionSpec options[], size_t count, const char *name);

/* The error "unknown WHAT 'typed'", followed by the known word that was probably meant, else by
 * `hint`. */
Status options_unknown(const char *what, const char *typed, const char *const known[],
                       size_t known_count, const char *hint);

#endif
