/* Optional part: commands specific to one game, `malpan GAME COMMAND ...`, for what no generic verb
 * covers. */
#ifndef MALPAN_GAME_COMMANDS_H
#define MALPAN_GAME_COMMANDS_H

#include "game/services.h"

enum { GAME_COMMAND_BYTES = 1 << 16 }; /* buffer for a command's output */

/* The arguments of a call. */
typedef struct GameCall {
    const CommandLine *line;
    const char *const *words; /* after the command */
    size_t word_count;
    Rules rules; /* the defaults, or as given where the command takes rule options */
    const SolveLimits *limits;
    const GameServices *services;
    uint64_t seed; /* 1 unless given */
    bool json;     /* print JSON */
} GameCall;

typedef struct GameCommand {
    const char *name;
    const char *arguments;
    const char *summary;
    const char *summary_ko;      /* the same in Korean; may be NULL */
    const char *const *examples; /* what follows `malpan `; ends with NULL */
    const OptionSpec *options;
    size_t option_count;
    size_t word_count; /* how many words it takes, at least */
    size_t words_max;  /* and at most, if that is more */
    bool takes_rules;  /* accepts the game's rule options */
    bool takes_json;
    Status (*run)(const GameCall *call, Text *output);
} GameCommand;

typedef struct GameCommands {
    const GameCommand *list;
    size_t count;
} GameCommands;

/* How many commands the game has; 0 without the part. */
static inline size_t game_command_count(const Game *game) {
    return game->commands ? game->commands->count : 0;
}

#endif
