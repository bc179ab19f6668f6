/* malpan watch: a game between computers, at a pace that can be followed. */
#include "ui/cli/full_screen.h"

static Status run(Cli *cli) {
    const OptionGiven *names = options_find(&cli->line, "seats");
    Status status = play_set_seats(cli, names ? names->value : "strong");
    for (int i = 0; i < cli->variant.game->rules.player_count(&cli->variant.rules); i++)
        if (status_is_ok(&status) && !cli->seats[i].kind->open)
            status =
                status_make(STATUS_USAGE, "--seats: only computers play here; `malpan play` has %s",
                            cli->seats[i].kind->name);
    return status_is_ok(&status) ? play_run(cli) : status;
}

static const char *const examples[] = {"watch {game}", "watch {game} --seats random --pace 200ms",
                                       NULL};

static const OptionSpec options[] = {
    {.name = "seats",
     .argument = "LIST",
     .help = "which computers play, such as easy,strong (strong)",
     .help_ko = "어느 컴퓨터가 둘지, 예: easy,strong (strong)"},
    {.name = "from",
     .argument = "POSITION",
     .help = "begin at this position",
     .help_ko = "이 국면에서 시작"},
    {.name = "pace",
     .argument = "TIME",
     .help = "the time between two moves on the full screen, such as 200ms (800ms)",
     .help_ko = "화면에서 수와 수 사이의 시간, 예: 200ms (800ms)"},
    FULL_SCREEN_OPTIONS,
};

const Verb verb_watch = {
    .name = "watch",
    .arguments = "GAME",
    .summary = "watch two computers play",
    .summary_ko = "컴퓨터끼리 두는 게임 구경하기",
    .details = "On the full screen, p pauses, + and - change the pace, and h shows what every move "
               "is worth. In a pipe, or with --line, the game is printed at once.",
    .details_ko = "화면에서 p는 멈춤, +와 -는 빠르기, h는 수마다의 값입니다. 파이프로 이어졌거나 "
                  "--line을 쓰면 게임을 바로 출력합니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .game = VERB_GAME_MUST,
    .takes_rules = true,
    .players = VERB_PLAYERS_COMPUTERS,
    .position_option = "from",
    .run = run};
