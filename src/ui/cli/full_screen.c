#include "ui/cli/full_screen.h"

#include <signal.h>
#include <stdlib.h>

#include "base/number.h"
#include "ui/screen/screen.h"
#include "ui/screen/store.h"

bool full_screen_is_wanted(const Cli *cli) {
    return cli->interactive && !options_find(&cli->line, "line") && screen_is_possible();
}

/* The folder for unfinished games: $XDG_STATE_HOME/malpan or ~/.local/state/malpan. */
static bool find_state_folder(char folder[PATH_MAX]) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    Text text = text_over(folder, PATH_MAX);
    if (state && *state == '/') /* its specification ignores relative paths */
        text_addf(&text, "%s/malpan", state);
    else if (home && *home == '/')
        text_addf(&text, "%s/.local/state/malpan", home);
    return text.length > 0 && !text.truncated;
}

/* Ends by the signal that ended the screen, as if it had not been caught. */
static void end_by(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

static Status read_pace(const Cli *cli, int *pace_ms) {
    enum { WATCH_MS = 800 };
    double seconds;
    const OptionGiven *given = options_find(&cli->line, "pace");
    *pace_ms = cli->verb == &verb_watch ? WATCH_MS : -1;
    if (!given)
        return status_ok();
    Status status = number_parse_time("--pace", given->value, &seconds);
    if (status_is_ok(&status))
        *pace_ms = (int)(seconds * 1000);
    return status;
}

/* One of the record and the connection is to be played; neither: the lobby. */
static Status run(Cli *cli, Record *record, const char *file, Connection *connection) {
    static const Phrase kept = {{"the game is saved in {0}", "{0}에 저장했습니다"}};
    char folder[PATH_MAX], saved[PATH_MAX];
    int ending = 0;
    ScreenOptions options = {.lang = cli->lang,
                             .ascii = cli->ascii,
                             .color = cli->color,
                             .animation = !options_find(&cli->line, "no-animation"),
                             .can_korean = !cli->ascii || cli->lang == LANG_KO,
                             .hints = options_find(&cli->line, "hint") != NULL,
                             .limits = cli_limits(cli),
                             .seed = cli->seed,
                             .state = find_state_folder(folder) ? folder : NULL,
                             .record = record,
                             .file = file,
                             .connection = connection};
    options.limits.seconds = 1; /* for a search; a person waits */
    Status status = cli_read_numbers(cli, false, &options.numbers);
    if (status_is_ok(&status))
        status = read_pace(cli, &options.pace_ms);
    if (!status_is_ok(&status)) {
        if (record)
            record_close(record);
        if (connection)
            connection_close(connection);
        return status;
    }
    status = screen_run(&options, saved, &ending);
    if (ending)
        end_by(ending);
    if (status_is_ok(&status) && saved[0] && !cli->quiet) {
        char bytes[PATH_MAX + GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        phrase_add(&text, kept, cli->lang, (const char *const[]){saved});
        puts(bytes);
    }
    return status;
}

Status full_screen_run(Cli *cli, Record *record, const char *file) {
    return run(cli, record, file, NULL);
}

/* Options that say what the server knows already. */
static Status check_join(const Cli *cli) {
    static const char *const others[] = {"seats", "from", "file", "line"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (options_find(&cli->line, others[i]))
            return status_make(STATUS_USAGE, "--%s does not go with --server", others[i]);
    if (cli->variant.game)
        return status_make(STATUS_USAGE, "play --server: the server knows the game; leave out %s",
                           cli->variant.game->identity.name);
    if (!full_screen_is_wanted(cli))
        return status_make(STATUS_USAGE, "play --server needs a terminal for the full screen");
    return status_ok();
}

Status full_screen_join(Cli *cli) {
    char folder[PATH_MAX], key[SECRET_TEXT_BYTES];
    const OptionGiven *token = options_find(&cli->line, "seat");
    ServerLink link;
    Connection *connection;
    Status status = check_join(cli);
    if (status_is_ok(&status))
        status = server_link_parse(options_find(&cli->line, "server")->value,
                                   token ? token->value : NULL, &link);
    if (!status_is_ok(&status))
        return status;
    if (!store_read_key(find_state_folder(folder) ? folder : NULL, key) && link.token[0])
        fprintf(stderr, "malpan: the key to this seat cannot be kept; it is lost when you leave\n");
    status = connection_open(&link, key, cli->lang, &connection);
    return status_is_ok(&status) ? run(cli, NULL, NULL, connection) : status;
}
