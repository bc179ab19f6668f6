/* Shut the Box as an implementation of the Game interface. */
#include "games/box/box.h"
#include "game/benches.h"
#include "game/move_ids.h"
#include "game/solver.h"

static const GameExample examples[] = {
    {{{"two players, nine tiles: the first player's chance",
       "두 사람, 숫자판 아홉: 선수 0의 승률"}},
     "",
     "123456789 0 - -"},
    {{{"player 1 rolled 12 against a score of 17", "선수 1, 17점을 상대로 주사위 12"}},
     "",
     "13456789 1 17 12"},
    {{{"alone, one die at the end: shutting the box", "혼자, 끝에 주사위 하나: 상자 닫기"}},
     "--players 1",
     "123456789 0 - -"},
    {{{"alone, always two dice: shutting the box", "혼자, 늘 주사위 둘: 상자 닫기"}},
     "--players 1 --one-die never",
     "123456789 0 - -"},
    {{{"alone, twelve tiles: the lowest expected score", "혼자, 숫자판 열둘: 가장 낮은 기대 점수"}},
     "--players 1 --tiles 12 --aim score",
     "1,2,3,4,5,6,7,8,9,10,11,12 0 - -"},
    {{{"four players: the first player's chance", "네 사람: 선수 0의 승률"}},
     "--players 4",
     "123456789 0 - -"},
    {{{"who reaches 100 points first is out", "먼저 100점이 되면 탈락"}},
     "--limit 100",
     "123456789 0 - - - 0,0"},
    {{{"lowest total of three rounds, an opening 2 loses, shutting scores 0",
       "세 판의 합, 첫 주사위 2는 패, 다 닫으면 0점"}},
     "--rounds 3 --two-to-go on --shut-wins off",
     "123456789 0 - - 1 0,0"},
};

static const GameSolver solver = {
    .check = box_solver_check, .open = box_solver_new, .estimate = box_many_estimator_new};
static const GameBenches benches = {.list = box_benches, .count = BOX_BENCH_COUNT};

/* A move is a set of tiles; a roll is a small number. */
static uint32_t bound_moves(const Rules *rules) {
    BoxRules box = box_rules(rules);
    uint32_t sets = box_all_tiles(&box) + 1;
    return sets > BOX_ROLL_MAX ? sets : BOX_ROLL_MAX + 1;
}

static const GameMoveIds move_ids = {.bound = bound_moves};

const Game box_game = {
    .identity = {.name = "box",
                 .title = {{"Shut the Box", "셧 더 박스"}},
                 .about = {{"close tiles that sum to your roll until you are stuck",
                            "주사위 합만큼 숫자판을 닫아 나가다 막히면 끝"}},
                 .examples = examples,
                 .example_count = sizeof examples / sizeof examples[0]},
    .rules = {.options = box_options,
              .option_count = BOX_OPTION_COUNT,
              .defaults = box_rules_default,
              .set = box_rules_set,
              .check = box_rules_check,
              .get = box_rules_get,
              .player_count = box_player_count,
              .value_info = box_value_info},
    .tree = {.start = box_start,
             .actor = box_actor,
             .turn = box_turn,
             .moves = box_moves,
             .chances = box_chances,
             .apply = box_apply,
             .payoff = box_payoff,
             .check = box_check},
    .text = {.position_shape = "OPEN PLAYER SCORES ROLL",
             .parse_state = box_parse_state,
             .print_state = box_print_state,
             .parse_move = box_parse_move,
             .print_move = box_print_move,
             .draw = box_draw,
             .narrate = box_narrate,
             .narrate_end = box_narrate_end},
    .move_ids = &move_ids,
    .cells = &box_cells,
    .solver = &solver,
    .benches = &benches,
};
