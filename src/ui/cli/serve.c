/* malpan serve: the page, in a browser. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "ui/cli/cli.h"
#include "ui/cli/stop.h"
#include "ui/web/serve.h"
#include "values/store.h"

enum { PORT_USUAL = 8017, MEMORY_MB = 1024 };

/* The folder of the games: as given, or malpan/ in the data folder. */
static Status find_data(const Cli *cli, char data[PATH_MAX]) {
    const OptionGiven *given = options_find(&cli->line, "data");
    const char *shared = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    Text text = text_over(data, PATH_MAX);
    if (given)
        text_add(&text, given->value);
    else if (shared && shared[0] == '/')
        text_addf(&text, "%s/malpan", shared);
    else if (home && home[0] == '/')
        text_addf(&text, "%s/.local/share/malpan", home);
    else
        return status_make(STATUS_USAGE, "no folder for games: neither --data nor the environment "
                                         "names one");
    if (text.truncated)
        return status_make(STATUS_USAGE, "--data: the name is too long");
    return store_make_folder(data);
}

/* `http://NAME` or `https://NAME`, with a port or without one, as browsers write it. */
static Status check_origin(const char *text) {
    const char *name = strncmp(text, "http://", 7) == 0    ? text + 7
                       : strncmp(text, "https://", 8) == 0 ? text + 8
                                                           : "";
    if (!name[0] || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789.-:[]")])
        return status_make(STATUS_USAGE,
                           "--origin: expected an address such as https://games.example, not %s",
                           quote(text).text);
    return status_ok();
}

static void announce(const char *address) {
    printf("%s\n", address);
    fflush(stdout);
}

static Status run(Cli *cli) {
    const OptionGiven *port = options_find(&cli->line, "port"),
                      *bind = options_find(&cli->line, "bind"),
                      *origin = options_find(&cli->line, "origin"),
                      *rate = options_find(&cli->line, "rate"),
                      *patience = options_find(&cli->line, "patience");
    uint64_t number = PORT_USUAL, changes = 100, seconds = 10;
    char data[PATH_MAX];
    Status status = port ? number_parse("--port", port->value, 0, 65535, &number) : status_ok();
    if (status_is_ok(&status) && rate)
        status = number_parse("--rate", rate->value, 0, 1000000, &changes);
    if (status_is_ok(&status) && patience)
        status = number_parse("--patience", patience->value, 1, 3600, &seconds);
    if (status_is_ok(&status) && origin)
        status = check_origin(origin->value);
    if (status_is_ok(&status))
        status = find_data(cli, data);
    if (!status_is_ok(&status))
        return status;
    ServeSettings settings = {.bind = bind ? bind->value : "127.0.0.1",
                              .port = (int)number,
                              .data = data,
                              .origin = origin ? origin->value : NULL,
                              .rate = (double)changes,
                              .request_timeout_s = (double)seconds,
                              .threads = cli->threads,
                              .limits = cli_limits(cli),
                              .announce = announce,
                              .stop = stop_on_signals()};
    settings.limits.progress = NULL;
    settings.limits.threads = 1;
    settings.limits.seconds = 2;
    settings.limits.stop = settings.stop;
    if (!cli->memory_given)
        settings.limits.memory_bytes = (size_t)MEMORY_MB << 20;
    return serve_run(&settings);
}

static const char *const examples[] = {"serve --port 0 --data games & sleep 1; kill $!", NULL};

static const OptionSpec options[] = {
    {.name = "port", .argument = "N", .help = "listen there; 0 for any that is free (8017)"},
    {.name = "bind", .argument = "ADDRESS", .help = "for others than this machine (127.0.0.1)"},
    {.name = "origin",
     .argument = "URL",
     .help = "another address of the page, as where a server that encrypts stands in front"},
    {.name = "data",
     .argument = "DIR",
     .help = "where games are kept (malpan in $XDG_DATA_HOME or ~/.local/share)"},
    {.name = "rate",
     .argument = "N",
     .help = "changes a second that one client may make, and a hundred times as many questions; 0 "
             "for any number (100)"},
    {.name = "patience",
     .argument = "S",
     .help = "seconds that a request may take to arrive (10)"}};

const Verb verb_serve = {
    .name = "serve",
    .arguments = "",
    .summary = "the games in a browser: play, explore, review",
    .details =
        "Prints the address of the page, and serves it until it is stopped. Only this machine\n"
        "can see it unless --bind says otherwise. Games are kept after every move. Values and\n"
        "computer players use 1 GiB of memory at most, or what --memory says.\n",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run};
