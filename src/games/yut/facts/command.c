/* `malpan yut facts`. */
#include <stdlib.h>

#include "base/file.h"
#include "base/number.h"
#include "games/yut/facts/facts.h"

enum { GAMES_USUAL = 1000, GAMES_MAX = 1000000, PLOT_BYTES = 1 << 16 };

const OptionSpec facts_options[FACTS_OPTION_COUNT] = {
    {.name = "games",
     .argument = "N",
     .help = "how many games perfect players play (1000)",
     .help_ko = "최선으로 두는 선수끼리 둘 게임 수 (1000)"},
    {.name = "turns",
     .help = "count the turns also with three pieces, which takes minutes",
     .help_ko = "말이 셋일 때도 차례 수를 셈 (몇 분 걸림)"},
    {.name = "plot",
     .argument = "FILE",
     .help = "draw the board with the worth of its squares",
     .help_ko = "자리마다 값을 적은 말판을 그려 저장"}};

static Status plot_facts(const Facts *facts, const char *path) {
    char *bytes = malloc(PLOT_BYTES);
    if (!bytes)
        return status_make(STATUS_FAILED, "out of memory");
    Text text = text_over(bytes, PLOT_BYTES);
    facts_plot(facts, &text);
    assert(!text.truncated);
    Status status = file_replace(path, bytes, text.length);
    free(bytes);
    return status;
}

Status facts_run(const GameCall *call, Text *output) {
    FactsRequest request = {.services = call->services,
                            .games = GAMES_USUAL,
                            .seed = call->seed,
                            .turns = options_find(call->line, "turns") != NULL};
    Variant variant = {.game = &yut_game, .rules = call->rules};
    const OptionGiven *games = options_find(call->line, "games"),
                      *path = options_find(call->line, "plot");
    Status status = status_ok();
    if (games)
        status = number_parse("--games", games->value, 2, GAMES_MAX, &request.games);
    if (!status_is_ok(&status))
        return status;
    Facts facts;
    status = facts_find(&variant, &request, call->limits, &facts);
    if (status_is_ok(&status) && path)
        status = plot_facts(&facts, path->value);
    if (!status_is_ok(&status))
        return status;
    if (call->json)
        facts_print_json(&facts, output);
    else
        facts_print(&facts, output);
    return status;
}
