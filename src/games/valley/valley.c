/* King's Valley as the common interface sees it. */
#include "games/valley/valley.h"
#include "games/valley/facts.h"
#include "games/valley/solver.h"

static const GameExample examples[] = {
    {{{"the start: white wins", "처음: 백이 이깁니다"}}, "", "sskss/5/5/5/SSKSS w 1"},
    {{{"a king that reaches the valley at once", "왕이 바로 골짜기에 닿는 자리"}},
     "",
     "sskss/2S2/5/5/1SKSS w 3"},
    {{{"one soldier a side", "병사 하나씩"}}, "--soldiers 1", "1sk2/5/5/5/1SK2 w 1"},
};

const Game valley_game = {
    .name = "valley",
    .title = {{"King's Valley", "킹스 밸리"}},
    .about = {{"slide as far as you can; a king that stops in the middle wins",
               "끝까지 미끄러지는 말, 왕이 한가운데 멈추면 승리"}},
    .position_shape = "BOARD SIDE PLY",
    .options = valley_options,
    .option_count = VALLEY_OPTION_COUNT,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .commands = valley_commands,
    .command_count = VALLEY_COMMAND_COUNT,
    .benches = valley_benches,
    .bench_count = VALLEY_BENCH_COUNT,
    .has_cycles = true,
    .has_no_chance = true,
    .ends_are_refused = true,

    .rules_default = valley_rules_default,
    .rules_set = valley_rules_set,
    .rules_check = valley_rules_check,
    .rules_get = valley_rules_get,
    .rules_fit = valley_rules_fit,
    .player_count = valley_player_count,
    .value_info = valley_value_info,

    .start = valley_start,
    .actor = valley_actor,
    .turn = valley_turn,
    .moves = valley_moves,
    .chances = valley_chances,
    .apply = valley_apply,
    .payoff = valley_payoff,
    .check = valley_check,

    .parse_state = valley_parse_state,
    .print_state = valley_print_state,
    .parse_move = valley_parse_move,
    .print_move = valley_print_move,
    .draw = valley_draw,
    .narrate = valley_narrate,
    .narrate_end = valley_narrate_end,
    .trace = valley_trace,

    .strip = valley_strip,
    .endings = valley_endings,
    .ending_count = VALLEY_ENDING_COUNT,
    .ending = valley_ending,
    .judge = valley_judge,
    .pick = valley_pick,
    .perft = valley_perft,
    .census = &valley_census,
    .search_new = valley_search_new,
    .solver_check = valley_solver_check,
    .solver_new = valley_solver_new,
    .stored = &valley_stored,
};
