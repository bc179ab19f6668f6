/* malpan serve: serves the web page. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "ui/cli/cli.h"
#include "ui/cli/stop.h"
#include "ui/web/serve.h"
#include "values/store.h"

enum { PORT_DEFAULT = 8017, MEMORY_MB = 1024, DAY_SECONDS = 24 * 60 * 60 };

/* Finds the folder of saved games: --data, or malpan/ in the user's data folder. */
static Status find_data_folder(const Cli *cli, char data[PATH_MAX]) {
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
        return status_make(STATUS_USAGE, "no folder for saved games: give --data, or set HOME");
    if (text.truncated)
        return status_make(STATUS_USAGE, "--data: the name is too long");
    return store_make_folder(data);
}

/* Accepts `http://NAME` or `https://NAME`, with or without a port, as browsers write it. */
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

/* Accepts the name of a header. */
static Status check_client_header(const char *name, bool has_origin) {
    if (!has_origin)
        return status_make(STATUS_USAGE,
                           "--client-header: only a proxy sets it, so give --origin as well");
    if (!name[0] || name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789-_")])
        return status_make(STATUS_USAGE,
                           "--client-header: expected a name such as X-Forwarded-For, not %s",
                           quote(name).text);
    return status_ok();
}

static void announce(const char *address, const char *why_read_only) {
    if (why_read_only)
        fprintf(stderr, "malpan: games can be viewed but not changed: %s\n", why_read_only);
    printf("%s\n", address);
    fflush(stdout);
}

static Status run(Cli *cli) {
    const OptionGiven *port = options_find(&cli->line, "port"),
                      *bind = options_find(&cli->line, "bind"),
                      *origin = options_find(&cli->line, "origin"),
                      *client_header = options_find(&cli->line, "client-header"),
                      *rate = options_find(&cli->line, "rate"),
                      *log = options_find(&cli->line, "log"),
                      *timeout = options_find(&cli->line, "request-timeout"),
                      *keep = options_find(&cli->line, "keep"),
                      *backup = options_find(&cli->line, "backup");
    uint64_t number = PORT_DEFAULT, changes = 100, seconds = 10, days = 0;
    char data[PATH_MAX];
    Status status = port ? number_parse("--port", port->value, 0, 65535, &number) : status_ok();
    if (status_is_ok(&status) && rate)
        status = number_parse("--rate", rate->value, 0, 1000000, &changes);
    if (status_is_ok(&status) && timeout)
        status = number_parse("--request-timeout", timeout->value, 1, 3600, &seconds);
    if (status_is_ok(&status) && keep)
        status = number_parse("--keep", keep->value, 1, 36500, &days);
    if (status_is_ok(&status) && origin)
        status = check_origin(origin->value);
    if (status_is_ok(&status) && client_header)
        status = check_client_header(client_header->value, origin != NULL);
    if (status_is_ok(&status))
        status = find_data_folder(cli, data);
    if (!status_is_ok(&status))
        return status;
    if (backup)
        return serve_back_up(data, backup->value);
    if (options_find(&cli->line, "list"))
        return serve_list(data);
    ServeSettings settings = {
        .bind = bind ? bind->value : "127.0.0.1",
        .port = (int)number,
        .data = data,
        .origin = origin ? origin->value : NULL,
        .client_header = client_header ? client_header->value : NULL,
        .shared_tables =
            options_find(&cli->line, "share-tables") && cli->tables[0] ? cli->tables : NULL,
        .is_relaxed = options_find(&cli->line, "relaxed") != NULL,
        .keep_seconds = days * DAY_SECONDS,
        .rate = (double)changes,
        .request_timeout_s = (double)seconds,
        .threads = cli->threads,
        .limits = cli_limits(cli),
        .announce = announce,
        .stop = stop_on_signals()};
    settings.log = log ? log->value : NULL;
    if (log && strcmp(log->value, "-") != 0)
        settings.reopen_log = stop_reopen_on_hangup();
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
    {.name = "port",
     .argument = "N",
     .help = "the port to listen on; 0 for any free one (8017)",
     .help_ko = "접속을 받을 포트; 0이면 비어 있는 아무 포트 (8017)"},
    {.name = "bind",
     .argument = "ADDRESS",
     .help = "the address to listen on; 0.0.0.0 lets other machines connect (127.0.0.1)",
     .help_ko = "접속을 받을 주소; 0.0.0.0이면 다른 컴퓨터도 접속할 수 있음 (127.0.0.1)"},
    {.name = "origin",
     .argument = "URL",
     .help = "another address of the page, behind a TLS-terminating proxy for example",
     .help_ko = "페이지의 다른 주소, 예를 들어 TLS 프록시 뒤에서 쓸 때"},
    {.name = "data",
     .argument = "DIR",
     .help = "the folder of saved games (malpan in $XDG_DATA_HOME or ~/.local/share)",
     .help_ko = "게임을 저장할 폴더 ($XDG_DATA_HOME 또는 ~/.local/share의 malpan)"},
    {.name = "client-header",
     .argument = "NAME",
     .help = "behind a proxy (--origin): the header in which it puts the client's address, such as "
             "X-Forwarded-For; limits then count for each client",
     .help_ko =
         "프록시 뒤에서(--origin): 프록시가 클라이언트 주소를 적는 헤더, 예: X-Forwarded-For; "
         "제한을 클라이언트마다 따로 셈"},
    {.name = "relaxed",
     .help =
         "do not wait for the disk: moves are answered faster, but the last ones may be lost if "
         "the power fails",
     .help_ko = "디스크를 기다리지 않음: 응답이 빨라지지만 정전되면 마지막 수를 잃을 수 있음"},
    {.name = "keep",
     .argument = "DAYS",
     .help = "delete games that nobody has changed for so many days (never)",
     .help_ko = "이 일수 동안 바뀌지 않은 게임을 지움 (지우지 않음)"},
    {.name = "backup",
     .argument = "FILE",
     .help =
         "copy all games to FILE, also while a server is running, and stop; to restore, put the "
         "file into the --data folder as games.sqlite",
     .help_ko =
         "모든 게임을 FILE로 복사하고 끝냄, 서버가 실행 중이어도 됨; 되돌리려면 --data 폴더에 "
         "games.sqlite로 넣음"},
    {.name = "list",
     .help = "print a line for each game, also while a server is running, and stop: when it was "
             "last changed, its id, its name and how many steps it has",
     .help_ko = "게임마다 한 줄을 출력하고 끝냄, 서버가 실행 중이어도 됨: 마지막으로 바뀐 때, id, "
                "게임 이름, 단계 수"},
    {.name = "share-tables",
     .help = "let clients fetch the tables of the --tables folder, by `malpan fetch`",
     .help_ko = "--tables 폴더의 테이블을 `malpan fetch`로 가져가게 함"},
    {.name = "rate",
     .argument = "N",
     .help = "how many changes one client may make per second, and a hundred times as many "
             "queries; 0 for no limit (100)",
     .help_ko = "한 클라이언트가 1초에 할 수 있는 변경 수, 조회는 그 백 배; 0이면 제한 없음 (100)"},
    {.name = "request-timeout",
     .argument = "S",
     .help = "how many seconds a request may take to arrive (10)",
     .help_ko = "요청이 다 도착할 때까지 기다리는 시간, 초 (10)"},
    {.name = "log",
     .argument = "FILE",
     .help = "log each request to this file as a line of JSON; SIGHUP reopens it; - for standard "
             "error",
     .help_ko = "요청마다 JSON 한 줄을 이 파일에 기록; SIGHUP을 받으면 다시 엶; -는 표준 오류"}};

const Verb verb_serve = {
    .name = "serve",
    .arguments = "",
    .summary = "the games in a browser: play, explore, review",
    .summary_ko = "브라우저에서 두고, 분석하고, 복기하기",
    .details = "Prints the address of the page and serves it until stopped. Only this machine can "
               "connect unless --bind says otherwise. Games are saved after every move. Values "
               "and computer players use at most 1 GiB of memory, or what --memory says.",
    .details_ko = "페이지의 주소를 출력하고 멈출 때까지 서비스합니다. --bind로 바꾸지 않으면 이 "
                  "컴퓨터에서만 접속할 수 있습니다. 게임은 한 수마다 저장됩니다. 값 계산과 컴퓨터 "
                  "선수는 메모리를 1 GiB, 또는 --memory만큼까지 씁니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run};
