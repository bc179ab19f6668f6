/* malpan play: a game between people and computers in the terminal. */
#include <string.h>

#include "base/file.h"
#include "ui/cli/full_screen.h"
#include "ui/cli/play.h"
#include "values/policy.h"

/* --- the players --- */

const char *play_usual_seats(Cli *cli) {
    const Variant *variant = &cli->variant;
    SolveLimits limits = cli_limits(cli);
    if (variant->game->rules.player_count(&variant->rules) == 1)
        return "you";
    Status exact = values_check(variant, VALUES_EXACT, &limits);
    if (status_is_ok(&exact))
        return "you,perfect";
    return variant->game->search          ? "you,alphabeta"
           : variant->game->estimate      ? "you,expectimax"
           : values_has_estimate(variant) ? "you,best"
                                          : "you,random";
}

/* Reads a list such as `you,perfect`. The last player listed takes all remaining seats. */
Status play_set_seats(Cli *cli, const char *names) {
    if (!names)
        names = play_usual_seats(cli);
    int players = cli->variant.game->rules.player_count(&cli->variant.rules);
    char word[64];
    int count = 0;
    const char *at = names;
    for (;;) {
        size_t length = strcspn(at, ",");
        if (count == players)
            return status_make(STATUS_USAGE, "--seats: expected at most %d players, not %s",
                               players, quote(names).text);
        snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 63, at);
        Status status = seat_parse(word, &cli->seats[count]);
        if (!status_is_ok(&status))
            return status;
        count++;
        if (at[length] == '\0')
            break;
        at += length + 1;
    }
    for (int i = count; i < players; i++)
        cli->seats[i] = cli->seats[count - 1];
    return status_ok();
}

static Status new_record(const Cli *cli, Record *record) {
    Status status = status_ok();
    if (options_find(&cli->line, "from"))
        status = cli_check_goes_on(&cli->variant, &cli->state);
    return status_is_ok(&status)
               ? record_open(&cli->variant, cli->seats, cli->seed, &cli->state, record)
               : status;
}

/* --- the game --- */

/* Prints a computer player's comment on its move. */
static void print_thought(const TerminalGame *game, const Player *player) {
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    if (!player || !player->describe || game->cli->quiet)
        return;
    player->describe(player, &text);
    printf("  (%s)\n", bytes);
}

static void print_end(const TerminalGame *game) {
    const Variant *variant = play_variant(game);
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant->game->text.narrate_end(&variant->rules, record_state(&game->session.record),
                                    game->cli->lang, &text);
    puts(bytes);
}

static Status play_to_end(TerminalGame *game) {
    static const Phrase kept = {{"the game is saved in {0}; the same command continues it",
                                 "{0}에 저장했습니다. 같은 명령으로 이어서 둘 수 있습니다"}};
    static const Phrase endless = {{"The same position has occurred five times: nobody wins.",
                                    "같은 국면이 다섯 번 나왔습니다: 승자 없음."}};
    Session *session = &game->session;
    bool quit = false, goes_round = false;
    Status status = play_save(game);
    while (status_is_ok(&status) && !quit) {
        int waits_for = session_waits_for(session);
        goes_round = session_is_endless(session);
        if (waits_for == GAME_END || goes_round)
            break;
        if (waits_for == GAME_CHANCE) {
            const Player *player = session_computer(session);
            status = session_step(session);
            if (status_is_ok(&status)) {
                play_narrate_step(game, session->record.step_count - 1);
                print_thought(game, player);
                status = play_save(game);
            }
        } else {
            status = play_ask(game, waits_for, &quit);
        }
    }
    if (!status_is_ok(&status))
        return status;
    if (!quit) {
        play_show_board(game);
        if (goes_round)
            puts(endless.in[game->cli->lang]);
        else
            print_end(game);
    } else if (game->saved.path) {
        char bytes[PATH_MAX + GAME_TEXT_BYTES]; /* longer paths cannot be opened */
        Text text = text_over(bytes, sizeof bytes);
        const char *const words[] = {game->saved.path};
        phrase_add(&text, kept, game->cli->lang, words);
        puts(bytes);
    }
    return status;
}

Status play_run(Cli *cli) {
    static TerminalGame game;
    const OptionGiven *file = options_find(&cli->line, "file");
    Record record = {.seed = 0};
    game = (TerminalGame){.cli = cli, .saved = {.path = file ? file->value : NULL}};
    Status status = cli_read_numbers(cli, true, &game.numbers);
    if (status_is_ok(&status))
        status = game.saved.path && file_exists(game.saved.path)
                     ? play_load(cli, game.saved.path, &record)
                     : new_record(cli, &record);
    if (!status_is_ok(&status))
        return status;
    if (full_screen_is_wanted(cli))
        return full_screen_run(cli, &record, game.saved.path);
    SolveLimits limits = cli_limits(cli);
    status = session_open(&game.session, &record, &limits);
    if (!status_is_ok(&status))
        return status;
    status = play_to_end(&game);
    saved_game_close(&game.saved);
    if (game.hints)
        game.hints->free(game.hints);
    session_close(&game.session);
    return status;
}

/* Without a game, a terminal shows the lobby. */
static Status run_without_game(Cli *cli) {
    static const char *const needing[] = {"seats", "from", "file"};
    bool may_choose = cli->interactive;
    for (size_t i = 0; i < sizeof needing / sizeof needing[0]; i++)
        may_choose = may_choose && !options_find(&cli->line, needing[i]);
    return may_choose ? chooser_run(cli) : cli_need_game(cli);
}

static Status run(Cli *cli) {
    const OptionGiven *names = options_find(&cli->line, "seats");
    if (options_find(&cli->line, "server"))
        return full_screen_join(cli);
    if (options_find(&cli->line, "seat"))
        return status_make(STATUS_USAGE, "--seat goes with --server");
    if (!cli->variant.game)
        return run_without_game(cli);
    Status status = play_set_seats(cli, names ? names->value : NULL);
    return status_is_ok(&status) ? play_run(cli) : status;
}

static const char *const examples[] = {"play {game}", "play {game} --seats you,random --seed 7",
                                       "play {game} --seats random --file game.txt", NULL};

static const OptionSpec options[] = {
    {.name = "seats",
     .argument = "LIST",
     .help = "who plays at each seat, such as you,random (you against the best player there is)",
     .help_ko = "자리마다 누가 둘지, 예: you,random (나와 가장 강한 상대)"},
    {.name = "from",
     .argument = "POSITION",
     .help = "begin at this position",
     .help_ko = "이 국면에서 시작"},
    {.name = "hint",
     .help = "show the best move and its value at every turn",
     .help_ko = "차례마다 최선의 수와 값을 보임"},
    {.name = "numbers",
     .argument = "ON",
     .choices = "on off",
     .help = "on or off: show the numbers of the squares on the board (on)",
     .help_ko = "판에 자리 번호를 보임: on 또는 off (on)"},
    {.name = "file",
     .argument = "FILE",
     .help = "save the game there; continue it if it exists",
     .help_ko = "게임을 저장할 파일; 이미 있으면 이어서 둠"},
    {.name = "server",
     .argument = "LINK",
     .help = "a game on a server: the link of a seat, or of the game (then --seat)",
     .help_ko = "서버에 있는 게임: 자리 링크, 또는 게임 링크와 --seat"},
    {.name = "seat",
     .argument = "TOKEN",
     .help = "with --server: the seat, as the last word of its link",
     .help_ko = "--server와 함께: 자리, 곧 자리 링크의 마지막 낱말"},
    FULL_SCREEN_OPTIONS,
};

const Verb verb_play = {
    .name = "play",
    .arguments = "[GAME]",
    .summary = "play against people and computers",
    .summary_ko = "사람이나 컴퓨터와 두기",
    .details =
        "At the prompt, type a move or its number in the list, such as #1. Enter plays the only "
        "legal move. ? shows all moves with their values. Other commands are hint, undo, board, "
        "help and quit.\n\n"
        "With --file the game is saved after every step and can be continued later.\n\n"
        "With --server, a game on a `malpan serve` is played on the full screen. LINK is what the "
        "page shows to invite others, in quotes: http://HOST:PORT/#/play/ID/TOKEN. Without a token "
        "one can only watch.",
    .details_ko =
        "프롬프트에 수를 적거나 목록의 번호를 적습니다(예: #1). 둘 수 있는 수가 하나뿐이면 Enter로 "
        "둡니다. ?는 모든 수와 값을 보여 줍니다. 그 밖의 명령: 힌트, 무르기, 판, 도움말, 끝.\n\n"
        "--file을 쓰면 한 수마다 저장되어 나중에 이어서 둘 수 있습니다.\n\n"
        "--server를 쓰면 `malpan serve`에 있는 게임을 화면 전체에서 둡니다. LINK는 초대할 때 쓰는 "
        "링크이며 따옴표로 묶습니다: http://HOST:PORT/#/play/ID/TOKEN. 토큰이 없으면 구경만 "
        "합니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .game = VERB_GAME_MAY,
    .takes_rules = true,
    .players = VERB_PLAYERS_ALL,
    .position_option = "from",
    .run = run};
