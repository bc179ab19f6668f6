/* Dice Yut as an implementation of the Game interface. */
#include "games/dice/dice.h"
#include "game/benches.h"
#include "game/commands.h"
#include "game/inputs.h"
#include "game/line_text.h"
#include "game/move_ids.h"
#include "game/paths.h"
#include "game/solver.h"

static const GameExample examples[] = {
    {{{"the puzzle: the mean of the best scores", "퍼즐: 최고 점수의 평균"}},
     "",
     "0,0,0,0 0 ?,?,?,?,?,?,?,?,?,?"},
    {{{"ten known throws", "미리 아는 열 번의 던지기"}}, "", "1 2 3 4 1 2 3 4 1 2"},
    {{{"each throw seen when it is made: the expected score", "던질 때마다 알게 될 때: 기대 점수"}},
     "--online",
     "0,0,0,0 0 10"},
    {{{"online, four throws left, the first is a 3", "네 번 남았고 3이 나왔을 때"}},
     "--online",
     "0,0,10,25 37 4 3"},
    {{{"online, two pieces, twelve throws with the odds of yut sticks",
       "말 둘, 윷가락의 확률로 열두 번, 던질 때마다 알게 될 때"}},
     "--online --throw-count 12 --pieces 2 --faces 4,6,4,1,1",
     "0,0 0 12"},
};

static const GameLineText line_text = {.narrate = dice_narrate_line};
static const GamePaths paths = {.trace = dice_trace};
static const GameSolver solver = {.open = dice_solver_new};
static const GameCommands commands = {.list = dice_commands, .count = DICE_COMMAND_COUNT};
static const GameBenches benches = {.list = dice_benches, .count = DICE_BENCH_COUNT};

/* A move is the square it comes from; a throw is smaller. */
static uint32_t bound_moves(const Rules *rules) {
    (void)rules;
    return DICE_SQUARES;
}

static const GameMoveIds move_ids = {.bound = bound_moves};

const Game dice_game = {
    .identity = {.name = "dice",
                 .title = {{"Dice Yut", "주사위 윷놀이"}},
                 .about = {{"ten throws, four pieces: collect the numbers you stop on",
                            "열 번 던져 말 넷으로 멈춘 칸의 점수 모으기"}},
                 .examples = examples,
                 .example_count = sizeof examples / sizeof examples[0]},
    .rules = {.options = dice_options,
              .option_count = DICE_OPTION_COUNT,
              .defaults = dice_rules_default,
              .set = dice_rules_set,
              .check = dice_rules_check,
              .get = dice_rules_get,
              .infer = dice_rules_infer,
              .player_count = dice_player_count,
              .value_info = dice_value_info},
    .tree = {.start = dice_start,
             .actor = dice_actor,
             .turn = dice_turn,
             .moves = dice_moves,
             .chances = dice_chances,
             .apply = dice_apply,
             .payoff = dice_payoff,
             .check = dice_check},
    .text = {.position_shape = "PIECES SCORE THROWS",
             .parse_state = dice_parse_state,
             .print_state = dice_print_state,
             .parse_move = dice_parse_move,
             .print_move = dice_print_move,
             .draw = dice_draw,
             .narrate = dice_narrate,
             .narrate_end = dice_narrate_end},
    .move_ids = &move_ids,
    .cells = &dice_cells,
    .line_text = &line_text,
    .paths = &paths,
    .solver = &solver,
    .commands = &commands,
    .benches = &benches,
    .inputs = &dice_inputs,
};
