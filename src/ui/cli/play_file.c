/* The file of a game: saving and continuing it. */
#include <string.h>

#include "ui/cli/play.h"

Status play_save(TerminalGame *game) {
    return saved_game_write(&game->saved, &game->session.record);
}

/* A saved game has its own rules, seats and seed. Rejects options that set them. */
static Status check_nothing_given(const Cli *cli, const char *file) {
    const GameRules *rules = &cli->variant.game->rules;
    for (size_t i = 0; i < cli->line.given_count; i++) {
        const char *name = cli->line.given[i].spec->name;
        if (strcmp(name, "seats") == 0 || strcmp(name, "from") == 0 || strcmp(name, "seed") == 0 ||
            options_has(rules->options, rules->option_count, name))
            return status_make(STATUS_USAGE,
                               "--%s: %s holds a game already; leave the option out, or choose "
                               "another file",
                               name, quote(file).text);
    }
    return status_ok();
}

Status play_load(const Cli *cli, const char *file, Record *record) {
    Status status = check_nothing_given(cli, file);
    if (status_is_ok(&status))
        status = saved_game_read(file, record);
    if (!status_is_ok(&status))
        return status;
    if (record->variant.game != cli->variant.game) {
        status = status_make(STATUS_USAGE, "%s is a game of %s, not of %s", quote(file).text,
                             record->variant.game->identity.name, cli->variant.game->identity.name);
        record_close(record);
    }
    return status;
}
