/* The rules (board.h has those of a single move): variants, start, moves, ends, values. */
#include <math.h>

#include "base/number.h"
#include "games/valley/valley.h"

/* --- variants --- */

const OptionSpec valley_options[VALLEY_OPTION_COUNT] = {
    {.name = "soldiers",
     .argument = "N",
     .help = "soldiers a side, 0 to 4 (4)",
     .help_ko = "한 편의 병사, 0–4"},
    {.name = "start",
     .argument = "SETUP",
     .choices = "standard retrieve",
     .is_start = true,
     .help = "standard, or retrieve: Retrieve the King, with the kings exchanged (standard)",
     .help_ko = "처음 배치: standard, 또는 retrieve(두 왕의 자리를 바꿈) (standard)"}};

static const char *const start_names[VALLEY_START_COUNT] = {
    [VALLEY_STANDARD] = "standard", [VALLEY_RETRIEVE] = "retrieve"};

Rules valley_rules_default(void) {
    return valley_rules_pack(&(ValleyRules){.soldiers = VALLEY_SOLDIERS_MAX});
}

static Status set_start(ValleyRules *valley, const char *value) {
    for (int i = 0; i < VALLEY_START_COUNT; i++) {
        if (strcmp(value, start_names[i]) == 0) {
            valley->start = (ValleyStart)i;
            return status_ok();
        }
    }
    return status_make(STATUS_USAGE, "--start: expected standard or retrieve, not %s",
                       quote(value).text);
}

Status valley_rules_set(Rules *rules, const char *option, const char *value) {
    ValleyRules valley = valley_rules(rules);
    uint64_t soldiers = (uint64_t)valley.soldiers;
    Status status = strcmp(option, "start") == 0
                        ? set_start(&valley, value)
                        : number_parse("--soldiers", value, 0, VALLEY_SOLDIERS_MAX, &soldiers);
    valley.soldiers = (int)soldiers;
    if (status_is_ok(&status))
        *rules = valley_rules_pack(&valley);
    return status;
}

Status valley_rules_check(const Rules *rules) {
    (void)rules;
    return status_ok();
}

void valley_rules_get(const Rules *rules, const char *option, Text *value) {
    ValleyRules valley = valley_rules(rules);
    if (strcmp(option, "start") == 0)
        text_add(value, start_names[valley.start]);
    else
        text_addf(value, "%d", valley.soldiers);
}

/* The number of soldiers is that of white's in the position. A position that is a start names the
 * setup. */
void valley_rules_infer(Rules *rules, const char *position) {
    ValleyRules valley = valley_rules(rules);
    int soldiers = 0;
    size_t length = strcspn(position, " \t");
    for (size_t i = 0; i < length; i++)
        soldiers += position[i] == 'S';
    if (soldiers <= VALLEY_SOLDIERS_MAX)
        valley.soldiers = soldiers;
    for (int i = 0; i < VALLEY_START_COUNT; i++) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        ValleyRules setup = {.soldiers = valley.soldiers, .start = (ValleyStart)i};
        Rules packed = valley_rules_pack(&setup);
        State start = valley_start(&packed);
        valley_print_state(&packed, &start, &text);
        if (strcspn(bytes, " ") == length && strncmp(bytes, position, length) == 0)
            valley.start = setup.start;
    }
    *rules = valley_rules_pack(&valley);
}

int valley_player_count(const Rules *rules) {
    (void)rules;
    return 2;
}

/* --- a game --- */

State valley_start(const Rules *rules) {
    /* On file b first, then d, a, e. */
    static const uint32_t soldiers[VALLEY_SOLDIERS_MAX + 1] = {0, 0x02, 0x0a, 0x0b, 0x1b};
    const int last_rank = VALLEY_SQUARES - VALLEY_WIDTH;
    ValleyRules variant = valley_rules(rules);
    uint32_t line = soldiers[variant.soldiers], c1 = 2, c5 = 2 + (uint32_t)last_rank;
    bool is_exchanged = variant.start == VALLEY_RETRIEVE;
    ValleyState valley = {
        .board = {{line, line << last_rank}, {is_exchanged ? c5 : c1, is_exchanged ? c1 : c5}},
        .ply = 1,
        .turn = VALLEY_WHITE};
    return valley_state_pack(&valley);
}

int valley_actor(const Rules *rules, const State *state) {
    (void)rules;
    ValleyState valley = valley_state(state);
    return valley_state_end(&valley) == VALLEY_ONGOING ? (int)valley.turn : GAME_END;
}

int valley_turn(const Rules *rules, const State *state) {
    int actor = valley_actor(rules, state);
    return actor == GAME_END ? 1 - (int)valley_state(state).turn : actor;
}

size_t valley_destinations(const ValleyState *valley, uint32_t from[VALLEY_SOLDIERS_MAX + 1],
                           uint32_t to[VALLEY_SOLDIERS_MAX + 1]) {
    uint32_t occupied = valley_occupied(&valley->board);
    uint32_t king = valley->board.kings[valley->turn];
    uint32_t soldiers = valley->board.soldiers[valley->turn];
    uint32_t any = 0;
    size_t count = 0, king_index = 0;
    for (uint32_t pieces = soldiers | valley_bit(king); pieces; pieces &= pieces - 1, count++) {
        uint32_t square = valley_lowest(pieces);
        from[count] = square;
        to[count] =
            square == king ? valley_slides(occupied, king) : valley_soldier_moves(occupied, square);
        if (square == king)
            king_index = count;
        else
            any |= to[count];
    }
    /* White's very first move must be a soldier's, if one can move. */
    if (valley->ply == 1 && valley->turn == VALLEY_WHITE && any)
        to[king_index] = 0;
    return count;
}

size_t valley_moves(const Rules *rules, const State *state, Move moves[]) {
    (void)rules;
    ValleyState valley = valley_state(state);
    uint32_t from[VALLEY_SOLDIERS_MAX + 1], to[VALLEY_SOLDIERS_MAX + 1];
    size_t pieces = valley_destinations(&valley, from, to), count = 0;
    for (size_t i = 0; i < pieces; i++)
        for (uint32_t set = to[i]; set; set &= set - 1)
            moves[count++] = valley_move_pack(from[i], valley_lowest(set));
    return count;
}

size_t valley_pick(const Rules *rules, const State *state, Random *random, Move *move) {
    (void)rules;
    ValleyState valley = valley_state(state);
    uint32_t from[VALLEY_SOLDIERS_MAX + 1], to[VALLEY_SOLDIERS_MAX + 1];
    uint32_t counts[VALLEY_SOLDIERS_MAX + 1] = {0}, total = 0;
    size_t pieces = valley_destinations(&valley, from, to), i = 0;
    for (size_t piece = 0; piece < pieces; piece++)
        total += counts[piece] = valley_count(to[piece]);
    uint32_t chosen = (uint32_t)random_below(random, total);
    while (chosen >= counts[i])
        chosen -= counts[i++];
    uint32_t set = to[i];
    for (; chosen > 0; chosen--)
        set &= set - 1;
    *move = valley_move_pack(from[i], valley_lowest(set));
    return total;
}

size_t valley_chances(const Rules *rules, const State *state, Chance chances[],
                      uint64_t *denominator) {
    (void)rules, (void)state, (void)chances;
    *denominator = 1;
    return 0;
}

void valley_apply(const Rules *rules, State *state, Move move) {
    (void)rules;
    ValleyState valley = valley_state(state);
    valley_move(&valley.board, (int)valley.turn, valley_move_from(move), valley_move_to(move));
    valley.turn = 1 - valley.turn;
    if (valley.ply < VALLEY_PLY_MAX)
        valley.ply++;
    memcpy(state->bytes, &valley, sizeof valley);
}

/* --- the end --- */

const Phrase valley_endings[VALLEY_ENDING_COUNT] = {
    {{"a king reached the valley", "왕이 골짜기에 닿음"}},
    {{"the other king was walled in", "상대 왕을 가둠"}},
    {{"a player walled in its own king", "자기 왕을 가둠"}}};

size_t valley_ending(const Rules *rules, const State *state) {
    (void)rules;
    ValleyState valley = valley_state(state);
    return (size_t)valley_state_end(&valley) - VALLEY_REACHED;
}

void valley_payoff(const Rules *rules, const State *state, double payoffs[]) {
    (void)rules;
    ValleyState valley = valley_state(state);
    uint32_t mover = 1 - valley.turn;
    uint32_t winner = valley_state_end(&valley) == VALLEY_TRAPPED ? valley.turn : mover;
    payoffs[winner] = 1;
    payoffs[1 - winner] = 0;
}

/* --- values --- */

static const double value_per_ply = 1e-4;

double valley_value_of_win(int plies) {
    return 1 - value_per_ply * plies;
}

double valley_value_of_loss(int plies) {
    return value_per_ply * plies;
}

static Outcome decode(double value) {
    if (value == VALLEY_ENDLESS)
        return (Outcome){.kind = OUTCOME_ENDLESS};
    if (value > VALLEY_ENDLESS)
        return (Outcome){.kind = OUTCOME_WIN, .plies = (int)lround((1 - value) / value_per_ply)};
    return (Outcome){.kind = OUTCOME_LOSS, .plies = (int)lround(value / value_per_ply)};
}

static double before_move(double value) {
    return value == VALLEY_ENDLESS  ? value
           : value > VALLEY_ENDLESS ? value - value_per_ply
                                    : value + value_per_ply;
}

ValueInfo valley_value_info(const Rules *rules) {
    (void)rules;
    return (ValueInfo){.name = {{"outcome", "결과"}}};
}

const GameOutcomes valley_outcomes = {.decode = decode, .before_move = before_move};

/* --- validity --- */

/* The ply number matters only for the first move. */
void valley_normalize(const Rules *rules, State *state) {
    (void)rules;
    ValleyState valley = valley_state(state);
    if (valley.ply > 2)
        valley.ply = 2;
    *state = valley_state_pack(&valley);
}

const char *const valley_colours[2] = {"white", "black"};

static Status check_side(const ValleyBoard *board, int colour, int soldiers) {
    int count = (int)valley_count(board->soldiers[colour]);
    if (board->kings[colour] >= VALLEY_SQUARES || board->soldiers[colour] & ~VALLEY_ALL)
        return status_make(STATUS_USAGE, "%s: a piece is off the board", valley_colours[colour]);
    if (count != soldiers)
        return status_make(STATUS_USAGE, "%s: expected %d soldiers, not %d", valley_colours[colour],
                           soldiers, count);
    if (board->soldiers[colour] & VALLEY_CENTRE_BIT)
        return status_make(STATUS_USAGE, "c3: a soldier of %s's, but no soldier may stop there",
                           valley_colours[colour]);
    return status_ok();
}

Status valley_check(const Rules *rules, const State *state) {
    ValleyState valley = valley_state(state);
    int soldiers = valley_rules(rules).soldiers;
    const ValleyBoard *board = &valley.board;
    Status status = check_side(board, VALLEY_WHITE, soldiers);
    if (status_is_ok(&status))
        status = check_side(board, VALLEY_BLACK, soldiers);
    if (!status_is_ok(&status))
        return status;
    if ((int)valley_count(valley_occupied(board)) != 2 * soldiers + 2)
        return status_make(STATUS_USAGE, "two pieces stand on one square");
    if (valley.turn > 1)
        return status_make(STATUS_USAGE, "side to move: expected w or b");
    if (valley.ply == 0)
        return status_make(STATUS_USAGE, "ply: expected a number from 1");
    if (board->kings[valley.turn] == VALLEY_CENTRE)
        return status_make(STATUS_USAGE,
                           "the game is over: %s's king is in the valley, so it is not its turn",
                           valley_colours[valley.turn]);
    return status_ok();
}
