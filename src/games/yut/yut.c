/* Yut as the common interface sees it. */
#include "games/yut/yut.h"

static const GameExample examples[] = {
    {{{"two players, four pieces each: the start", "두 사람, 말 넷: 시작"}},
     "",
     "0,0,0,0/0,0,0,0 0 -"},
    {{{"two pieces each, player 0 has gae and yut to play", "말 둘, 선수 0이 개와 윷을 둘 차례"}},
     "--pieces 2",
     "9,21/4,20 0 gae,yut"},
    {{{"four players, two pieces each", "네 사람, 말 둘"}},
     "--players 4 --pieces 2",
     "0,0/0,5/3,22/0,100 2 do"},
    {{{"a pig against a sheep", "돼지 대 양"}}, "--animals ps", "0,0,2,2/0,0,0,5 1 gae,yut ps"},
    {{{"two against two", "두 편, 두 사람씩"}},
     "--preset teams",
     "0,0,0,7/0,0,3,3/0,0,0,7/0,0,0,12 0 do,geol"},
};

const Game yut_game = {
    .name = "yut",
    .title = {{"Yut", "윷놀이"}},
    .about = {{"throw four sticks, catch, stack, bring all pieces home",
               "윷을 던져 말을 잡고 업으며 모두 나게 하기"}},
    .position_shape = "PIECES/PIECES TURN LIST [ANIMALS]",
    .options = yut_options,
    .option_count = YUT_OPTION_COUNT,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .commands = yut_commands,
    .command_count = YUT_COMMAND_COUNT,
    .has_cycles = true,

    .rules_default = yut_rules_default,
    .rules_set = yut_rules_set,
    .rules_check = yut_rules_check,
    .rules_get = yut_rules_get,
    .rules_fit = yut_rules_fit,
    .player_count = yut_player_count,
    .value_info = yut_value_info,

    .start = yut_start,
    .actor = yut_actor,
    .turn = yut_turn,
    .moves = yut_moves,
    .chances = yut_chances,
    .apply = yut_apply,
    .payoff = yut_payoff,
    .check = yut_check,

    .parse_state = yut_parse_state,
    .print_state = yut_print_state,
    .parse_move = yut_parse_move,
    .print_move = yut_print_move,
    .draw = yut_draw,
    .narrate = yut_narrate,
    .narrate_end = yut_narrate_end,

    .solver_check = yut_solver_check,
    .solver_new = yut_solver_new,
};
