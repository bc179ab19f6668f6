/* malpan engine: the engine protocol on standard input and output. */
#include "ui/engine/engine.h"

#include "ui/cli/cli.h"

static Status run(Cli *cli) {
    SolveLimits limits = cli_limits(cli);
    return engine_run(&cli->variant, &limits, stdin, stdout);
}

static const char *const examples[] = {"engine {game} < commands.txt", NULL};

const Verb verb_engine = {
    .name = "engine",
    .arguments = "GAME",
    .summary = "speak UGI, a protocol for other programs, on stdin",
    .summary_ko = "다른 프로그램과 UGI 프로토콜로 대화",
    .details = "Reads commands such as `position startpos` and `go movetime 1000` until `quit` or\n"
               "the end of the input.\n",
    .details_ko = "`position startpos`, `go movetime 1000` 같은 명령을 `quit`이나 입력의 "
                  "끝까지 읽습니다.",
    .examples = examples,
    .game = VERB_GAME_MUST,
    .takes_rules = true,
    .run = run};
