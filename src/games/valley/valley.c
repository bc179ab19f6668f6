/* King's Valley as the common interface sees it. */
#include "games/valley/valley.h"
#include "game/benches.h"
#include "game/census.h"
#include "game/commands.h"
#include "game/endings.h"
#include "game/move_ids.h"
#include "game/move_score.h"
#include "game/paths.h"
#include "game/perft.h"
#include "game/repetition.h"
#include "game/sampler.h"
#include "game/search.h"
#include "game/solver.h"
#include "game/stored.h"
#include "games/valley/solve/facts.h"
#include "games/valley/solve/solver.h"

static const GameExample examples[] = {
    {{{"the start: white wins", "처음: 백이 이깁니다"}}, "", "sskss/5/5/5/SSKSS w 1"},
    {{{"a king that reaches the valley at once", "왕이 바로 골짜기에 닿는 자리"}},
     "",
     "sskss/2S2/5/5/1SKSS w 3"},
    {{{"one soldier a side", "병사 하나씩"}}, "--soldiers 1", "1sk2/5/5/5/1SK2 w 1"},
    {{{"Retrieve the King, with the kings exchanged", "두 왕의 자리를 바꾼 배치"}},
     "--start retrieve",
     "ssKss/5/5/5/SSkSS w 1"},
};

static const GamePaths paths = {.trace = valley_trace};
static const GameRepetition repetition = {.normalize = valley_normalize};
static const GameMoveScore move_score = {.score = valley_move_score};
static const GameSampler sampler = {.pick = valley_pick};
static const GamePerft perft = {.count = valley_perft};
static const GameSearch search = {.open = valley_search_new};
static const GameEndings endings = {
    .names = valley_endings, .count = VALLEY_ENDING_COUNT, .classify = valley_ending};
static const GameSolver solver = {.check = valley_solver_check, .open = valley_solver_new};
static const GameCommands commands = {.list = valley_commands, .count = VALLEY_COMMAND_COUNT};
static const GameBenches benches = {.list = valley_benches, .count = VALLEY_BENCH_COUNT};

/* As valley_move_pack: the square it goes to above five bits. */
static uint32_t bound_moves(const Rules *rules) {
    (void)rules;
    return VALLEY_SQUARES << 5;
}

static const GameMoveIds move_ids = {.bound = bound_moves};

const Game valley_game = {
    .identity = {.name = "valley",
                 .title = {{"King's Valley", "킹스 밸리"}},
                 .about = {{"slide as far as you can; a king that stops in the middle wins",
                            "끝까지 미끄러지는 말, 왕이 한가운데 멈추면 승리"}},
                 .examples = examples,
                 .example_count = sizeof examples / sizeof examples[0]},
    .rules = {.options = valley_options,
              .option_count = VALLEY_OPTION_COUNT,
              .defaults = valley_rules_default,
              .set = valley_rules_set,
              .check = valley_rules_check,
              .get = valley_rules_get,
              .infer = valley_rules_infer,
              .player_count = valley_player_count,
              .value_info = valley_value_info},
    .tree = {.has_cycles = true,
             .is_deterministic = true,
             .start = valley_start,
             .actor = valley_actor,
             .turn = valley_turn,
             .moves = valley_moves,
             .chances = valley_chances,
             .apply = valley_apply,
             .payoff = valley_payoff,
             .check = valley_check},
    .text = {.position_shape = "BOARD SIDE PLY",
             .parse_state = valley_parse_state,
             .print_state = valley_print_state,
             .parse_move = valley_parse_move,
             .print_move = valley_print_move,
             .draw = valley_draw,
             .narrate = valley_narrate,
             .narrate_end = valley_narrate_end},
    .move_ids = &move_ids,
    .cells = &valley_cells,
    .paths = &paths,
    .repetition = &repetition,
    .move_score = &move_score,
    .sampler = &sampler,
    .perft = &perft,
    .search = &search,
    .outcomes = &valley_outcomes,
    .endings = &endings,
    .solver = &solver,
    .commands = &commands,
    .benches = &benches,
    .census = &valley_census,
    .stored = &valley_stored,
};
