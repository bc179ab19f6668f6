/* The common options, the environment, and code shared by several verbs: input and values. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"
#include "base/random.h"
#include "game/resolve.h"
#include "game/value_text.h"
#include "terminal/color.h"
#include "ui/cli/cli.h"

const OptionSpec cli_common_options[CLI_COMMON_COUNT] = {
    {.name = "json",
     .help = "print JSON, one value to a line",
     .help_ko = "JSON으로 출력, 한 줄에 값 하나"},
    {.name = "value", .help = "print one number and nothing else", .help_ko = "숫자 하나만 출력"},
    {.name = "seed",
     .argument = "N",
     .help = "make chance repeatable",
     .help_ko = "같은 시드면 늘 같은 결과"},
    {.name = "threads",
     .argument = "N",
     .help = "how many threads to use (all cores)",
     .help_ko = "쓸 스레드 수 (모든 코어)"},
    {.name = "memory",
     .argument = "SIZE",
     .help = "how much memory to use, such as 4G (2G)",
     .help_ko = "쓸 메모리, 예: 4G (2G)"},
    {.name = "tables",
     .argument = "DIR",
     .help = "the folder of solved tables (the cache folder)",
     .help_ko = "푼 테이블을 두는 폴더 (캐시 폴더)"},
    {.name = "color",
     .argument = "WHEN",
     .choices = "always never auto",
     .help = "always, never or auto (auto)",
     .help_ko = "색: always(항상), never(안 씀), auto(터미널에서만) (auto)"},
    {.name = "ascii", .help = "draw with ASCII characters only", .help_ko = "ASCII 문자로만 그림"},
    {.name = "lang",
     .argument = "LANG",
     .choices = "en ko",
     .help = "en or ko (from the environment)",
     .help_ko = "en(영어) 또는 ko(한국어) (환경 변수에 따름)"},
    {.name = "progress",
     .help = "report progress even when not on a terminal",
     .help_ko = "터미널이 아니어도 진행 상황을 알림"},
    {.name = "quiet",
     .letter = 'q',
     .help = "no progress, no hints",
     .help_ko = "진행 상황과 안내 없이"},
    {.name = "help", .letter = 'h', .help = "print this help", .help_ko = "이 도움말 출력"},
    {.name = "version", .letter = 'V', .help = "print the version", .help_ko = "버전 출력"},
};

/* The locale that the environment sets for a category. It need not be installed. */
static const char *locale_of(const char *category) {
    const char *const names[] = {"LC_ALL", category, "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return value;
    }
    return "C";
}

/* Whether the environment's character set is UTF-8. The locale need not be installed. */
static bool is_utf8(void) {
    const char *locale = locale_of("LC_CTYPE");
    return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
}

/* The language: from --lang, or else from the environment. Korean is printed as UTF-8, so with
 * another character set it must be requested with --lang. */
static Status read_lang(const Cli *cli, Lang *lang) {
    const OptionGiven *given = options_find(&cli->line, "lang");
    const char *name = given ? given->value : locale_of("LC_MESSAGES");
    if (given && strcmp(name, "en") != 0 && strcmp(name, "ko") != 0)
        return status_make(STATUS_USAGE, "--lang: expected en or ko, not %s", quote(name).text);
    *lang = strncmp(name, "ko", 2) == 0 && (given || is_utf8()) ? LANG_KO : LANG_EN;
    return status_ok();
}

static int terminal_columns(void) {
    struct winsize size;
    uint64_t columns;
    const char *environment = getenv("COLUMNS");
    if (environment && number_read(environment, &columns) && columns >= 10 && columns <= 1000)
        return (int)columns;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 10)
        return size.ws_col;
    return 80;
}

static Status read_numbers(Cli *cli) {
    Status status = status_ok();
    const OptionGiven *given = options_find(&cli->line, "seed");
    cli->seed_given = given != NULL;
    if (given)
        status = number_parse("--seed", given->value, 0, UINT64_MAX, &cli->seed);
    else
        cli->seed = random_system_seed();
    if (!status_is_ok(&status))
        return status;

    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    long ranks = exchange_neighbors(cli->exchange); /* that share these cores */
    uint64_t threads = cores > ranks ? (uint64_t)(cores / ranks) : 1;
    given = options_find(&cli->line, "threads");
    if (given)
        status = number_parse("--threads", given->value, 1, 1024, &threads);
    cli->threads = (int)threads;
    if (!status_is_ok(&status))
        return status;

    cli->memory_bytes = (size_t)2 << 30;
    given = options_find(&cli->line, "memory");
    cli->memory_given = given != NULL;
    if (given)
        status = number_parse_size("--memory", given->value, &cli->memory_bytes);
    return status;
}

/* --tables, $MALPAN_TABLES, or malpan/ in the user's cache folder. */
static Status find_tables(Cli *cli) {
    const OptionGiven *given = options_find(&cli->line, "tables");
    const char *named = given ? given->value : getenv("MALPAN_TABLES");
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    Text text = text_over(cli->tables, sizeof cli->tables);
    if (named && *named)
        text_add(&text, named);
    else if (cache && *cache == '/') /* its specification ignores relative paths */
        text_addf(&text, "%s/malpan", cache);
    else if (home && *home)
        text_addf(&text, "%s/.cache/malpan", home);
    if (text.truncated)
        return status_make(STATUS_USAGE, "the name of the tables' folder is too long");
    return status_ok();
}

Status cli_read_common(Cli *cli) {
    cli->json = options_find(&cli->line, "json") != NULL;
    cli->value = options_find(&cli->line, "value") != NULL;
    cli->quiet = options_find(&cli->line, "quiet") != NULL;
    cli->interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    cli->columns = terminal_columns();
    cli->progress = progress_line_on(stderr, options_find(&cli->line, "progress") != NULL);
    if (cli->quiet || !exchange_is_root(cli->exchange))
        cli->progress.base.show = NULL;
    const OptionGiven *color = options_find(&cli->line, "color");
    Status status = color_parse(color ? color->value : "auto", &cli->color);
    if (status_is_ok(&status))
        status = read_lang(cli, &cli->lang);
    /* Korean needs UTF-8 anyway: here the locale is UTF-8, or --lang ko was given. */
    cli->ascii = options_find(&cli->line, "ascii") != NULL || (!is_utf8() && cli->lang != LANG_KO);
    if (status_is_ok(&status))
        status = read_numbers(cli);
    return status_is_ok(&status) ? find_tables(cli) : status;
}

Status cli_resolve(const Cli *cli, const char *position, Variant *variant, State *state) {
    return resolve_position(cli->variant.game, cli->line.given, cli->line.given_count, position,
                            variant, state);
}

bool cli_reads_positions(const Cli *cli) {
    return cli->verb->takes_position && cli->word_count == 1 && strcmp(cli->words[0], "-") == 0;
}

SolveLimits cli_limits(Cli *cli) {
    return (SolveLimits){.memory_bytes = cli->memory_bytes,
                         .threads = cli->threads,
                         .progress = &cli->progress.base,
                         .tables = cli->tables[0] ? cli->tables : NULL};
}

SolveLimits cli_limits_for_tables(Cli *cli) {
    SolveLimits limits = cli_limits(cli);
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (!cli->memory_given && pages > 0 && page > 0)
        limits.memory_bytes =
            (size_t)pages / 4 * 3 * (size_t)page / (size_t)exchange_neighbors(cli->exchange);
    return limits;
}

DrawStyle cli_style(const Cli *cli) {
    return (DrawStyle){
        .color = cli->color, .ascii = cli->ascii, .lang = cli->lang, .columns = cli->columns};
}

Status cli_read_numbers(const Cli *cli, bool usual, bool *numbers) {
    const OptionGiven *given = options_find(&cli->line, "numbers");
    *numbers = given ? strcmp(given->value, "on") == 0 : usual;
    if (given && !*numbers && strcmp(given->value, "off") != 0)
        return status_make(STATUS_USAGE, "--numbers: expected on or off, not %s",
                           quote(given->value).text);
    return status_ok();
}

/* The next byte of standard input, or EOF. Records a read error. */
static int read_byte(Cli *cli) {
    int byte = getc_unlocked(stdin);
    if (byte == EOF && ferror_unlocked(stdin))
        cli->input_error = errno;
    return byte;
}

CliInput cli_read_line(Cli *cli, char line[CLI_LINE_BYTES]) {
    size_t length = 0;
    int byte = read_byte(cli);
    while (cli->in_long_line && byte != EOF) {
        cli->in_long_line = byte != '\n';
        byte = read_byte(cli);
    }
    if (byte == EOF)
        return CLI_INPUT_END;
    while (byte != EOF && byte != '\n') {
        if (length == CLI_LINE_MAX) {
            cli->in_long_line = true;
            return CLI_INPUT_LONG_LINE;
        }
        line[length++] = byte == '\0' ? '\x01' : (char)byte;
        byte = read_byte(cli);
    }
    if (cli->input_error) /* the line is incomplete */
        return CLI_INPUT_END;
    if (length > 0 && line[length - 1] == '\r')
        length--;
    line[length] = '\0';
    return CLI_INPUT_LINE;
}

Status cli_long_line(void) {
    return status_make(STATUS_USAGE, "line too long (more than %d bytes)", CLI_LINE_MAX);
}

Status cli_check_input(const Cli *cli) {
    return cli->input_error ? status_make(STATUS_FAILED, "cannot read standard input: %s",
                                          strerror(cli->input_error))
                            : status_ok();
}

Status cli_need_game(const Cli *cli) {
    return status_make(STATUS_USAGE, "%s: expected a game (`malpan games` lists them)",
                       cli->verb->name);
}

Status cli_check_goes_on(const Variant *variant, const State *state) {
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    if (!variant->game->outcomes || variant->game->tree.actor(&variant->rules, state) != GAME_END)
        return status_ok();
    variant->game->text.narrate_end(&variant->rules, state, LANG_EN, &text);
    return status_make(STATUS_USAGE, "the game is over: %s", bytes);
}

void cli_add_typical_error(const Cli *cli, Text *text, double typical_error, const char *space) {
    if (isfinite(typical_error))
        text_addf(text, "%s%s%s%.3f", space, cli->ascii ? "+-" : "±", space, typical_error);
}

void cli_add_value_for_people(const Cli *cli, Text *text, const Variant *variant, double value,
                              bool is_estimate) {
    value_text_add_worded(text, variant, value, is_estimate, cli->lang);
}

void cli_print_note(const Cli *cli, const char *why) {
    static const Phrase note = {{"~ marks an estimate, not an exact value: {0}",
                                 "~ 표시는 정확한 값이 아닌 추정값입니다: {0}"}};
    char bytes[2 * SOLVER_NOTE_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    const char *const words[] = {why};
    phrase_add(&text, note, cli->lang, words);
    puts(bytes);
}
