/* malpan help: the overview, and the help of a verb, a game or a game's own command.
 *
 * scripts/check-help parses the English text: a section is a line that ends with a colon, and its
 * entries are indented by two columns.
 */
#include <string.h>

#include "ui/cli/cli.h"
#include "values/policy.h"

enum { OPTION_COLUMNS = 22, VERB_COLUMNS = 30, PLAYER_COLUMNS = 24, NARROW_COLUMNS = 24 };

/* Prints words, breaking lines before the last column. The cursor is at column `indent`, where all
 * further lines also begin. */
static void print_wrapped(const char *words, int indent, int columns) {
    int at = indent;
    while (*words) {
        char word[GAME_TEXT_BYTES];
        size_t length = strcspn(words, " \n");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        int width = text_columns(word);
        if (at > indent && at + 1 + width > columns) {
            printf("\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            putchar(' ');
            at++;
        }
        fputs(word, stdout);
        at += width;
        words += length;
        words += strspn(words, " \n");
    }
    putchar('\n');
}

void help_print_entry(const Cli *cli, const char *name, int width, const char *meaning) {
    int indent = width;
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    text_add_left(&text, name, width);
    if (text_columns(name) >= width || cli->columns - width < NARROW_COLUMNS) {
        indent = 6;
        printf("%s\n%*s", name, indent, "");
    } else {
        fputs(bytes, stdout);
    }
    print_wrapped(meaning, indent, cli->columns);
}

/* Prints the paragraphs of a text, each after an empty line. */
static void print_paragraphs(const Cli *cli, const char *paragraphs) {
    while (*paragraphs) {
        char bytes[4 * GAME_TEXT_BYTES];
        const char *end = strstr(paragraphs, "\n\n");
        size_t length = end ? (size_t)(end - paragraphs) : strlen(paragraphs);
        snprintf(bytes, sizeof bytes, "%.*s", (int)length, paragraphs);
        putchar('\n');
        print_wrapped(bytes, 0, cli->columns);
        paragraphs += length;
        paragraphs += strspn(paragraphs, "\n");
    }
}

static void print_heading(const Cli *cli, Phrase heading, const char *about) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    phrase_add(&text, heading, cli->lang, (const char *const[]){about});
    printf("\n%s:\n", bytes);
}

static const char *in_lang(const Cli *cli, const char *english, const char *korean) {
    return cli->lang == LANG_KO && korean ? korean : english;
}

static void print_option(const Cli *cli, const OptionSpec *option) {
    char bytes[64];
    Text name = text_over(bytes, sizeof bytes);
    text_addf(&name, "  --%s", option->name);
    if (option->argument)
        text_addf(&name, " %s", option->argument);
    if (option->letter)
        text_addf(&name, ", -%c", option->letter);
    help_print_entry(cli, bytes, OPTION_COLUMNS, in_lang(cli, option->help, option->help_ko));
}

static void print_options(const Cli *cli, Phrase heading, const char *about,
                          const OptionSpec options[], size_t count) {
    if (count == 0)
        return;
    print_heading(cli, heading, about);
    for (size_t i = 0; i < count; i++)
        print_option(cli, &options[i]);
}

static const Phrase own_options = {{"options", "옵션"}};
static const Phrase rules_of = {{"rules of {0}", "{0}의 규칙"}};
static const Phrase examples_heading = {{"examples", "예"}};

static void print_usage(const Cli *cli, const char *name, const char *arguments) {
    static const Phrase usage = {
        {"usage: malpan {0} {1} [OPTIONS]", "사용법: malpan {0} {1} [옵션]"}};
    char line[GAME_TEXT_BYTES];
    Text text = text_over(line, sizeof line);
    phrase_add(&text, usage, cli->lang, (const char *const[]){name, arguments});
    putchar('\n');
    print_wrapped(line, 0, cli->columns);
}

/* Prints the common options that the verb or the command accepts. One of the two is NULL. */
static void print_common(const Cli *cli, const Verb *verb, const GameCommand *command) {
    static const Phrase common = {{"common options", "공통 옵션"}};
    print_heading(cli, common, NULL);
    for (size_t i = 0; i < CLI_COMMON_COUNT; i++) {
        const OptionSpec *option = &cli_common_options[i];
        if (verb ? verb_accepts(verb, NULL, option->name)
                 : command_accepts(command, NULL, option->name))
            print_option(cli, option);
    }
}

/* Prints the players that the verb takes: those of `game`, or all if it is NULL. */
static void print_players(const Cli *cli, const Verb *verb, const Game *game) {
    static const Phrase players = {{"players", "선수"}};
    print_heading(cli, players, NULL);
    for (size_t i = 0; i < player_kind_count(); i++) {
        const PlayerKind *kind = player_kind_at(i);
        char bytes[64];
        Text name = text_over(bytes, sizeof bytes);
        if (!kind->open && verb->players != VERB_PLAYERS_ALL)
            continue;
        if (game && kind->supports) {
            Variant variant = variant_default(game);
            Status status = kind->supports(&variant);
            if (!status_is_ok(&status))
                continue;
        }
        text_addf(&name, "  %s", kind->name);
        if (kind->setting)
            text_addf(&name, "[:%s]", kind->setting);
        help_print_entry(cli, bytes, PLAYER_COLUMNS, kind->about.in[cli->lang]);
    }
}

/* The game used in the examples by default: the first that can be solved without a table. */
static const Game *example_game(void) {
    const SolveLimits no_tables = {.threads = 1};
    for (size_t i = 0; i < registry_count(); i++) {
        Variant variant = variant_default(registry_at(i));
        Status solvable = values_check(&variant, VALUES_EXACT, &no_tables);
        if (registry_at(i)->solver && status_is_ok(&solvable))
            return registry_at(i);
    }
    return registry_at(0);
}

/* Replaces every `mark` in `text` by `words`. */
static void fill_in(char *text, size_t capacity, const char *mark, const char *words) {
    char *at;
    while ((at = strstr(text, mark)) != NULL) {
        char rest[2 * GAME_TEXT_BYTES];
        snprintf(rest, sizeof rest, "%s", at + strlen(mark));
        snprintf(at, capacity - (size_t)(at - text), "%s%s", words, rest);
    }
}

static void print_examples(const Cli *cli, const char *const examples[], const Game *game) {
    const GameExample *shown = &game->identity.examples[game->identity.example_count > 1 ? 1 : 0];
    char position[2 * GAME_TEXT_BYTES];
    snprintf(position, sizeof position, "%s%s\"%s\"", shown->options, shown->options[0] ? " " : "",
             shown->position);
    print_heading(cli, examples_heading, NULL);
    for (; *examples; examples++) {
        char line[4 * GAME_TEXT_BYTES];
        snprintf(line, sizeof line, "  malpan %s", *examples);
        fill_in(line, sizeof line, "{game}", game->identity.name);
        fill_in(line, sizeof line, "{position}", position);
        puts(line);
    }
}

void help_overview(const Cli *cli) {
    static const char *const examples[] = {"play {game}", "eval {game} {position}", "eval --help",
                                           NULL};
    static const Phrase about = {
        {"malpan plays board games and knows the exact value of every move.",
         "말판(malpan)은 보드게임을 함께 하고, 모든 수의 정확한 값을 알려 줍니다."}};
    static const Phrase line = {
        {"usage: malpan [VERB] [GAME] [OPTIONS]", "사용법: malpan [명령] [게임] [옵션]"}};
    static const Phrase bare = {
        {"Without a verb: in a terminal, choose a game and play; otherwise, the tour.",
         "명령을 적지 않으면 터미널에서는 게임을 골라 시작하고, 아니면 둘러보기를 보여 줍니다."}};
    static const Phrase verbs = {{"verbs", "명령"}}, games = {{"games", "게임"}};
    static const Phrase every = {{"options of every verb", "모든 명령의 옵션"}};
    static const Phrase some = {{"options of many verbs (see `malpan VERB --help`)",
                                 "여러 명령의 옵션 (`malpan 명령 --help` 참고)"}};
    static const Phrase codes = {
        {"exit codes: 0 success; 1 failure, or a bad input line; 2 wrong usage; 3 not supported; 4 "
         "a "
         "table is missing or damaged; 5 stopped, can be resumed",
         "종료 코드: 0 성공; 1 실패, 또는 잘못된 입력 줄; 2 잘못된 사용법; 3 지원하지 않음; 4 "
         "테이블이 없거나 손상됨; 5 중단됨, 이어서 할 수 있음"}};
    print_wrapped(about.in[cli->lang], 0, cli->columns);
    printf("\n%s\n\n", line.in[cli->lang]);
    print_wrapped(bare.in[cli->lang], 0, cli->columns);
    print_heading(cli, verbs, NULL);
    for (size_t i = 0; i < verbs_count(); i++) {
        const Verb *verb = verbs_at(i);
        char bytes[64];
        Text name = text_over(bytes, sizeof bytes);
        text_addf(&name, "  %s %s", verb->name, verb->arguments);
        help_print_entry(cli, bytes, VERB_COLUMNS, in_lang(cli, verb->summary, verb->summary_ko));
    }
    print_heading(cli, games, NULL);
    for (size_t i = 0; i < registry_count(); i++) {
        const GameIdentity *game = &registry_at(i)->identity;
        char name[64], meaning[2 * GAME_TEXT_BYTES];
        snprintf(name, sizeof name, "  %s", game->name);
        snprintf(meaning, sizeof meaning, "%s: %s", game->title.in[cli->lang],
                 game->about.in[cli->lang]);
        help_print_entry(cli, name, 12, meaning);
    }
    for (int universal = 1; universal >= 0; universal--) {
        print_heading(cli, universal ? every : some, NULL);
        for (size_t i = 0; i < CLI_COMMON_COUNT; i++)
            if (cli_is_universal(&cli_common_options[i]) == universal)
                print_option(cli, &cli_common_options[i]);
    }
    print_examples(cli, examples, example_game());
    putchar('\n');
    print_wrapped(codes.in[cli->lang], 0, cli->columns);
}

void help_verb(const Cli *cli, const Verb *verb, const Game *game) {
    const char *details = in_lang(cli, verb->details, verb->details_ko);
    char title[2 * GAME_TEXT_BYTES];
    snprintf(title, sizeof title, "malpan %s: %s", verb->name,
             in_lang(cli, verb->summary, verb->summary_ko));
    print_wrapped(title, 0, cli->columns);
    print_usage(cli, verb->name, verb->arguments);
    if (details)
        print_paragraphs(cli, details);
    print_options(cli, own_options, NULL, verb->options, verb->option_count);
    if (verb->players != VERB_PLAYERS_NONE)
        print_players(cli, verb, game);
    for (size_t i = 0; i < registry_count() && verb->takes_rules; i++) {
        const Game *other = registry_at(i);
        if (game ? game == other : !verb->suits_game || verb->suits_game(other))
            print_options(cli, rules_of, other->identity.name, other->rules.options,
                          other->rules.option_count);
    }
    print_common(cli, verb, NULL);
    print_examples(cli, verb->examples, game ? game : example_game());
}

void help_game(const Cli *cli, const Game *game) {
    static const Phrase positions = {{"positions", "국면"}};
    static const Phrase rules = {{"rules", "규칙"}};
    static const Phrase own = {{"commands", "이 게임의 명령"}};
    char title[2 * GAME_TEXT_BYTES];
    snprintf(title, sizeof title, "%s (%s): %s", game->identity.title.in[cli->lang],
             game->identity.name, game->identity.about.in[cli->lang]);
    print_wrapped(title, 0, cli->columns);
    printf("\n%s: %s\n", positions.in[cli->lang], game->text.position_shape);
    print_options(cli, rules, NULL, game->rules.options, game->rules.option_count);
    if (game_command_count(game) > 0)
        print_heading(cli, own, NULL);
    for (size_t i = 0; i < game_command_count(game); i++) {
        const GameCommand *command = &game->commands->list[i];
        char bytes[GAME_TEXT_BYTES];
        Text name = text_over(bytes, sizeof bytes);
        text_addf(&name, "  %s %s %s", game->identity.name, command->name, command->arguments);
        help_print_entry(cli, bytes, VERB_COLUMNS,
                         in_lang(cli, command->summary, command->summary_ko));
    }
    print_heading(cli, examples_heading, NULL);
    printf("  malpan play %s\n", game->identity.name);
    for (size_t i = 0; i < game_command_count(game); i++)
        for (const char *const *at = game->commands->list[i].examples; *at; at++)
            printf("  malpan %s\n", *at);
}

void help_command(const Cli *cli, const Game *game, const GameCommand *command) {
    char title[2 * GAME_TEXT_BYTES], line[GAME_TEXT_BYTES];
    snprintf(title, sizeof title, "malpan %s %s: %s", game->identity.name, command->name,
             in_lang(cli, command->summary, command->summary_ko));
    print_wrapped(title, 0, cli->columns);
    snprintf(line, sizeof line, "%s %s", game->identity.name, command->name);
    print_usage(cli, line, command->arguments);
    print_options(cli, own_options, NULL, command->options, command->option_count);
    if (command->takes_rules)
        print_options(cli, rules_of, game->identity.name, game->rules.options,
                      game->rules.option_count);
    print_common(cli, NULL, command);
    if (command->examples[0])
        print_heading(cli, examples_heading, NULL);
    for (const char *const *at = command->examples; *at; at++)
        printf("  malpan %s\n", *at);
}

static Status run(Cli *cli) {
    if (cli->word_count == 0) {
        help_overview(cli);
        return status_ok();
    }
    for (size_t i = 0; i < registry_count(); i++) {
        if (strcmp(cli->words[0], registry_at(i)->identity.name) == 0) {
            help_game(cli, registry_at(i));
            return status_ok();
        }
    }
    const Verb *verb;
    Status status = verbs_find(cli->words[0], &verb);
    if (status_is_ok(&status))
        help_verb(cli, verb, NULL);
    return status;
}

static const char *const examples[] = {"help", "help eval", "help {game}", NULL};

const Verb verb_help = {.name = "help",
                        .arguments = "[VERB | GAME]",
                        .summary = "this overview, or all about a verb or a game",
                        .summary_ko = "이 개요, 또는 명령이나 게임 하나의 도움말",
                        .examples = examples,
                        .words_max = 1,
                        .run = run};
