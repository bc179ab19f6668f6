/* malpan complete: lists what a shell may offer after the words typed so far, from the tables that
 * the help is printed from; and prints the shell scripts that run it. */
#include <stdlib.h>
#include <string.h>

#include "ui/cli/cli.h"

/* --- the scripts --- */

static const char bash_script[] =
    "# Completion of malpan's command line for bash, printed by `malpan complete --shell bash`.\n"
    "_malpan() {\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} line\n"
    "    local -a lines\n"
    "    COMPREPLY=()\n"
    "    mapfile -t lines <<<\"$(\"${COMP_WORDS[0]}\" complete --lang en -- "
    "\"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\"\n"
    "    [[ ${lines[0]} != :files ]] || mapfile -t lines <<<\"$(compgen -f -- \"$current\")\"\n"
    "    for line in \"${lines[@]}\"; do\n"
    "        line=${line%%$'\\t'*}\n"
    "        # A value such as sum<=6 must not become a redirection.\n"
    "        [[ $line != *[\\<\\>\\&\\;\\|\\(\\)\\$]* ]] || printf -v line %q \"$line\"\n"
    "        [[ -z $line ]] || COMPREPLY+=(\"$line\")\n"
    "    done\n"
    "}\n"
    "complete -F _malpan malpan\n";

static const char zsh_script[] =
    "#compdef malpan\n"
    "# Completion of malpan's command line for zsh, printed by `malpan complete --shell zsh`.\n"
    "_malpan() {\n"
    "    local line name about\n"
    "    local -a names abouts\n"
    "    for line in \"${(@f)$(\"${words[1]}\" complete -- \"${(@)words[2,CURRENT]}\" "
    "2>/dev/null)}\"; do\n"
    "        if [[ $line == :files ]]; then\n"
    "            _files\n"
    "            return\n"
    "        fi\n"
    "        name=${line%%$'\\t'*} about=${line#*$'\\t'}\n"
    "        [[ -n $name ]] || continue\n"
    "        names+=(\"$name\")\n"
    "        abouts+=(\"$name${about:+  -- $about}\")\n"
    "    done\n"
    "    (( $#names )) && compadd -l -d abouts -a names\n"
    "}\n"
    "if [ \"$funcstack[1]\" = _malpan ]; then _malpan; else compdef _malpan malpan; fi\n";

static const char fish_script[] =
    "# Completion of malpan's command line for fish, printed by `malpan complete --shell fish`.\n"
    "function __malpan_complete\n"
    "    set -l typed (commandline -opc) (commandline -ct)\n"
    "    for line in ($typed[1] complete -- $typed[2..-1] 2>/dev/null)\n"
    "        if test \"$line\" = :files\n"
    "            __fish_complete_path (commandline -ct)\n"
    "        else\n"
    "            echo $line\n"
    "        end\n"
    "    end\n"
    "end\n"
    "complete -c malpan -f -a '(__malpan_complete)'\n";

static Status print_script(const char *shell) {
    static const struct {
        const char *shell, *script;
    } scripts[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        if (strcmp(shell, scripts[i].shell) == 0) {
            fputs(scripts[i].script, stdout);
            return status_ok();
        }
    }
    return status_make(STATUS_USAGE, "--shell: expected bash, zsh or fish, not %s",
                       quote(shell).text);
}

/* --- what was typed --- */

/* The words before the one that is completed, without options and their values. */
typedef struct Typed {
    const char *words[OPTIONS_WORDS_MAX];
    size_t count;
    const OptionSpec *pending; /* an option that the current word is the value of */
    const Verb *verb;          /* of the first word, or NULL */
    const Game *game;          /* the verb's game, or that of the first word */
    bool is_command;           /* the first word is a game */
    const GameCommand *command;
    const char *current;  /* the word that is completed */
    const char *before;   /* what of it stays in front of every offer, such as `you,`, */
    size_t before_length; /* and its length */
    Lang lang;
} Typed;

static const Verb *find_verb(const char *name) {
    for (size_t i = 0; i < verbs_count(); i++)
        if (strcmp(name, verbs_at(i)->name) == 0)
            return verbs_at(i);
    return NULL;
}

static const Game *find_game(const char *name) {
    for (size_t i = 0; i < registry_count(); i++)
        if (strcmp(name, registry_at(i)->identity.name) == 0)
            return registry_at(i);
    return NULL;
}

/* The option of a typed word such as `--seed` or `-o`, or NULL. The game's own comes first, since
 * two games may have an option of the same name. */
static const OptionSpec *find_option(const Game *game, const char *word, size_t length) {
    const OptionSpec *specs[CLI_OPTIONS_MAX], *found = NULL;
    size_t count = cli_list_options(specs);
    bool is_long = length > 2 && strncmp(word, "--", 2) == 0;
    for (size_t i = 0; i < count; i++) {
        bool is_own = game && specs[i] >= game->rules.options &&
                      specs[i] < game->rules.options + game->rules.option_count;
        bool fits = is_long ? strlen(specs[i]->name) == length - 2 &&
                                  strncmp(specs[i]->name, word + 2, length - 2) == 0
                            : length == 2 && word[0] == '-' && specs[i]->letter == word[1];
        if (fits && (!found || is_own))
            found = specs[i];
    }
    return found;
}

/* Finds out what the words before the last one are. */
static void read_typed(const char *const words[], size_t count, Typed *typed) {
    for (size_t i = 0; i + 1 < count; i++) {
        const char *word = words[i];
        bool is_option = word[0] == '-' && word[1] != '\0' && word[1] != ' ';
        if (typed->pending && strcmp(word, "=") == 0)
            continue; /* bash makes a word of it */
        if (typed->pending) {
            typed->pending = NULL;
        } else if (is_option) {
            const OptionSpec *option = find_option(NULL, word, strlen(word));
            typed->pending = option && option->argument ? option : NULL;
        } else {
            typed->words[typed->count++] = word;
        }
    }
    typed->current = count > 0 ? words[count - 1] : "";
    if (typed->pending && strcmp(typed->current, "=") == 0)
        typed->current = "";
    if (typed->count > 0) {
        typed->verb = find_verb(typed->words[0]);
        typed->game = find_game(typed->words[0]);
        typed->is_command = typed->game != NULL;
    }
    if (typed->verb && typed->verb->game != VERB_GAME_NONE && typed->count > 1)
        typed->game = find_game(typed->words[1]);
    for (size_t i = 0; typed->is_command && typed->count > 1 && i < game_command_count(typed->game);
         i++)
        if (strcmp(typed->words[1], typed->game->commands->list[i].name) == 0)
            typed->command = &typed->game->commands->list[i];
}

/* --- offers --- */

/* Prints a word, if it begins as the current one does, and what it is. */
static void offer(const Typed *typed, const char *prefix, const char *word, const char *about) {
    char bytes[2 * GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    text_addf(&text, "%.*s%s%s", (int)typed->before_length, typed->before, prefix, word);
    if (strncmp(bytes, typed->current, strlen(typed->current)) == 0)
        printf("%s\t%s\n", bytes, about ? about : "");
}

static void offer_list(const Typed *typed, const char *words) {
    char word[GAME_TEXT_BYTES];
    for (; *words; words += strspn(words, " ")) {
        size_t length = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        offer(typed, "", word, NULL);
        words += length;
    }
}

static const char *in_lang(const Typed *typed, const char *english, const char *korean) {
    return typed->lang == LANG_KO && korean ? korean : english;
}

static void offer_verbs(const Typed *typed) {
    for (size_t i = 0; i < verbs_count(); i++)
        offer(typed, "", verbs_at(i)->name,
              in_lang(typed, verbs_at(i)->summary, verbs_at(i)->summary_ko));
}

/* The games that a verb can do something with; all if it is NULL. */
static void offer_games(const Typed *typed, const Verb *verb) {
    for (size_t i = 0; i < registry_count(); i++)
        if (!verb || !verb->suits_game || verb->suits_game(registry_at(i)))
            offer(typed, "", registry_at(i)->identity.name,
                  registry_at(i)->identity.title.in[typed->lang]);
}

static void offer_commands(const Typed *typed) {
    for (size_t i = 0; i < game_command_count(typed->game); i++)
        offer(typed, "", typed->game->commands->list[i].name, NULL);
}

/* The players that play the game. */
static void offer_players(const Typed *typed, bool with_people) {
    for (size_t i = 0; i < player_kind_count(); i++) {
        const PlayerKind *kind = player_kind_at(i);
        Status status = status_ok();
        if (typed->game && kind->supports) {
            Variant variant = variant_default(typed->game);
            status = kind->supports(&variant);
        }
        if (status_is_ok(&status) && (kind->open || with_people))
            offer(typed, "", kind->name, kind->about.in[typed->lang]);
    }
}

static void offer_options(const Typed *typed) {
    const OptionSpec *specs[CLI_OPTIONS_MAX];
    size_t count = cli_list_options(specs);
    for (size_t i = 0; i < count; i++) {
        bool is_twice = false; /* games may share a name: the first that is accepted counts */
        for (size_t j = 0; j < i; j++)
            is_twice = is_twice || strcmp(specs[j]->name, specs[i]->name) == 0;
        bool fits = typed->command ? command_accepts(typed->command, typed->game, specs[i]->name)
                    : typed->verb  ? verb_accepts(typed->verb, typed->game, specs[i]->name)
                                   : cli_is_universal(specs[i]);
        if (!is_twice && fits)
            offer(typed, "--", specs[i]->name, in_lang(typed, specs[i]->help, specs[i]->help_ko));
    }
}

/* The values of an option: all, some of many, players, or files. */
static void offer_values(Typed *typed, const OptionSpec *option) {
    const char *argument = option->argument ? option->argument : "";
    if (strcmp(option->name, "seats") == 0) {
        const char *comma = strrchr(typed->current, ',');
        if (comma && typed->before_length == 0) { /* the last of a list */
            typed->before = typed->current;
            typed->before_length = (size_t)(comma + 1 - typed->current);
        }
        offer_players(typed, true);
    } else if (option->choices || option->suggestions) {
        offer_list(typed, option->choices ? option->choices : option->suggestions);
    } else if (strcmp(argument, "FILE") == 0 || strcmp(argument, "DIR") == 0) {
        puts(":files");
    }
}

/* What follows the verb and the words typed so far. */
static void offer_arguments(const Typed *typed) {
    const char *arguments = typed->verb->arguments;
    if (typed->count == 1) {
        if (strstr(arguments, "VERB"))
            offer_verbs(typed);
        if (strstr(arguments, "GAME"))
            offer_games(typed, typed->verb);
        if (strncmp(arguments, "FILE", 4) == 0)
            puts(":files");
    } else if ((strcmp(arguments, "GAME A B") == 0 && typed->count <= 3) ||
               (strcmp(arguments, "GAME PLAYER") == 0 && typed->count == 2)) {
        offer_players(typed, typed->verb->players == VERB_PLAYERS_ALL);
    }
}

static void offer_all(Typed *typed) {
    const char *sign = strchr(typed->current, '=');
    const OptionSpec *option = typed->pending;
    if (option) { /* the option of this game, not of another one */
        char word[GAME_TEXT_BYTES];
        snprintf(word, sizeof word, "--%s", option->name);
        option = find_option(typed->game, word, strlen(word));
    } else if (typed->current[0] == '-' && sign) { /* --color=al */
        option = find_option(typed->game, typed->current, (size_t)(sign - typed->current));
        typed->before = typed->current;
        typed->before_length = (size_t)(sign + 1 - typed->current);
    }
    if (option)
        offer_values(typed, option);
    else if (typed->current[0] == '-')
        offer_options(typed);
    else if (typed->count == 0) {
        offer_verbs(typed);
        offer_games(typed, NULL);
    } else if (typed->is_command && typed->count == 1)
        offer_commands(typed);
    else if (typed->verb)
        offer_arguments(typed);
}

static Status run(Cli *cli) {
    const OptionGiven *shell = options_find(&cli->line, "shell");
    Typed typed = {.lang = cli->lang, .before = ""};
    if (shell)
        return cli->word_count == 0 ? print_script(shell->value)
                                    : status_make(STATUS_USAGE, "--shell: no words may follow");
    read_typed(cli->words, cli->word_count, &typed);
    offer_all(&typed);
    return status_ok();
}

static const char *const examples[] = {"complete -- eval {game} --t", "complete --shell bash",
                                       NULL};

static const OptionSpec options[] = {
    {.name = "shell",
     .argument = "NAME",
     .choices = "bash zsh fish",
     .help = "print the script that makes bash, zsh or fish complete malpan's words",
     .help_ko = "bash, zsh, fish의 자동 완성 스크립트 출력"}};

const Verb verb_complete = {
    .name = "complete",
    .arguments = "[-- WORD ...]",
    .summary = "list what a shell may offer for the last of these words",
    .summary_ko = "셸이 마지막 낱말에 제안할 것",
    .details = "Each line is a word, a tab and its description; `:files` means file names. "
               "`make install` installs the shell scripts that run this command.",
    .details_ko = "줄마다 낱말, 탭, 설명입니다. `:files`는 파일 이름을 뜻합니다. `make install`이 "
                  "이 명령을 쓰는 스크립트를 설치합니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .words_max = OPTIONS_WORDS_MAX,
    .run = run};
