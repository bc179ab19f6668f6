/* The file of a game: saving and continuing it. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "ui/cli/play.h"

enum { RECORD_BYTES_MAX = 16 << 20 };

/* Fails if another program has continued this game, since its moves must not be overwritten. */
static Status check_unchanged(const TerminalGame *game) {
    char *text;
    size_t size;
    if (!game->saved || !file_exists(game->file))
        return status_ok();
    Status status = file_read(game->file, RECORD_BYTES_MAX, &text, &size);
    if (!status_is_ok(&status))
        return status;
    if (strcmp(text, game->saved) != 0)
        status = status_make(STATUS_FAILED,
                             "%s was changed by another program; the game continues there",
                             quote(game->file).text);
    free(text);
    return status;
}

Status play_save(TerminalGame *game) {
    if (!game->file)
        return status_ok();
    char *text = record_print(&game->session.record);
    if (!text)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = check_unchanged(game);
    if (status_is_ok(&status))
        status = file_replace(game->file, text, strlen(text));
    free(game->saved);
    game->saved = text;
    return status;
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
    char *text;
    size_t size;
    Status status = check_nothing_given(cli, file);
    if (!status_is_ok(&status))
        return status;
    status = file_read(file, RECORD_BYTES_MAX, &text, &size);
    if (!status_is_ok(&status))
        return status;
    status = strlen(text) == size ? record_parse(text, record)
                                  : status_make(STATUS_FAILED, "not a game record");
    free(text);
    if (!status_is_ok(&status))
        return status_make(STATUS_FAILED, "%s: %s", quote(file).text, status.message);
    if (record->variant.game != cli->variant.game) {
        status = status_make(STATUS_USAGE, "%s is a game of %s, not of %s", quote(file).text,
                             record->variant.game->identity.name, cli->variant.game->identity.name);
        record_close(record);
    }
    return status;
}
