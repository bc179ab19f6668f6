/* Yut as an implementation of the Game interface. */
#include "games/yut/yut.h"
#include "game/benches.h"
#include "game/commands.h"
#include "game/estimate.h"
#include "game/move_ids.h"
#include "game/paths.h"
#include "game/solver.h"
#include "game/stored.h"
#include "games/yut/net/learn.h"

static const GameExample examples[] = {
    {{{"two players, four pieces each: the start", "두 사람, 말 넷: 시작"}},
     "",
     "0,0,0,0/0,0,0,0 0 -"},
    {{{"one piece each: the first player's chance", "말 하나씩: 먼저 던지는 쪽의 승률"}},
     "--pieces 1",
     "0/0 0 -"},
    {{{"one piece each, gae and yut to play", "말 하나씩, 개와 윷을 둘 차례"}},
     "--pieces 1",
     "9/13 0 gae,yut"},
    {{{"four players, two pieces each", "네 사람, 말 둘"}},
     "--players 4 --pieces 2",
     "0,0/0,5/3,22/0,100 2 do"},
    {{{"a pig against a sheep", "돼지 대 양"}}, "--animals ps", "0,0,2,2/0,0,0,5 1 gae,yut ps"},
    {{{"two against two", "두 편, 두 사람씩"}},
     "--preset teams",
     "0,0,0,7/0,0,3,3/0,0,0,7/0,0,0,12 0 do,geol"},
};

static const GamePaths paths = {.trace = yut_trace};
static const GameEstimate estimate = {.values = yut_estimate,
                                      .typical_error = yut_estimate_error,
                                      .plain = yut_heuristic,
                                      .values_near = yut_estimate_near,
                                      .memory_bytes = YUT_ESTIMATE_BYTES};
static const GameSolver solver = {.check = yut_solver_check, .open = yut_solver_new};
static const GameCommands commands = {.list = yut_commands, .count = YUT_COMMAND_COUNT};
static const GameBenches benches = {.list = yut_benches, .count = YUT_BENCH_COUNT};

/* As yut_move_pack: five bits, three bits and one. */
static uint32_t bound_moves(const Rules *rules) {
    (void)rules;
    return 1u << 9;
}

static const GameMoveIds move_ids = {.bound = bound_moves};

const Game yut_game = {
    .identity = {.name = "yut",
                 .title = {{"Yut", "윷놀이"}},
                 .about = {{"throw four sticks, catch, stack, bring all pieces home",
                            "윷을 던져 말을 잡고 업으며 모두 나게 하기"}},
                 .examples = examples,
                 .example_count = sizeof examples / sizeof examples[0]},
    .rules = {.options = yut_options,
              .option_count = YUT_OPTION_COUNT,
              .defaults = yut_rules_default,
              .set = yut_rules_set,
              .check = yut_rules_check,
              .get = yut_rules_get,
              .infer = yut_rules_infer,
              .player_count = yut_player_count,
              .value_info = yut_value_info},
    .tree = {.has_cycles = true,
             .start = yut_start,
             .actor = yut_actor,
             .turn = yut_turn,
             .moves = yut_moves,
             .chances = yut_chances,
             .apply = yut_apply,
             .payoff = yut_payoff,
             .check = yut_check},
    .text = {.position_shape = "PIECES/PIECES TURN LIST [ANIMALS]",
             .parse_state = yut_parse_state,
             .print_state = yut_print_state,
             .parse_move = yut_parse_move,
             .print_move = yut_print_move,
             .draw = yut_draw,
             .narrate = yut_narrate,
             .narrate_end = yut_narrate_end},
    .move_ids = &move_ids,
    .cells = &yut_cells,
    .paths = &paths,
    .estimate = &estimate,
    .solver = &solver,
    .commands = &commands,
    .benches = &benches,
    .stored = &yut_stored,
    .learning = &yut_learning,
};
