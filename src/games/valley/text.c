/* Positions and moves as text: `sskss/5/5/5/SSKSS w 1`, `a1d4`. */
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "games/valley/valley.h"

/* --- squares and moves --- */

static void add_square(Text *text, uint32_t square) {
    text_add_char(text, (char)('a' + square % VALLEY_WIDTH));
    text_add_char(text, (char)('1' + square / VALLEY_WIDTH));
}

/* Reads a square from two characters. Returns VALLEY_SQUARES if they name none. */
static uint32_t read_square(const char *text) {
    if (text[0] < 'a' || text[0] > 'e' || text[1] < '1' || text[1] > '5')
        return VALLEY_SQUARES;
    return (uint32_t)(text[0] - 'a') + VALLEY_WIDTH * (uint32_t)(text[1] - '1');
}

void valley_print_move(const Rules *rules, const State *state, Move move, Lang lang, Text *text) {
    (void)rules, (void)state, (void)lang;
    add_square(text, valley_move_from(move));
    add_square(text, valley_move_to(move));
}

void valley_trace(const Rules *rules, const State *before, Move move, Text *text) {
    (void)rules, (void)before;
    int from = (int)valley_move_from(move), to = (int)valley_move_to(move);
    int files = to % VALLEY_WIDTH - from % VALLEY_WIDTH;
    int ranks = to / VALLEY_WIDTH - from / VALLEY_WIDTH;
    int steps = abs(files) > abs(ranks) ? abs(files) : abs(ranks);
    for (int i = 0; i <= steps; i++) {
        text_add(text, i > 0 ? " " : "");
        add_square(text, (uint32_t)(from + i * (files + ranks * VALLEY_WIDTH) / steps));
    }
}

/* Explains why a move is illegal, and what would be legal instead. */
static Status explain_illegal_move(const ValleyState *valley, const char *typed, uint32_t from,
                                   uint32_t to, Lang lang) {
    static const Phrase colours[2] = {{{"white", "백"}}, {{"black", "흑"}}};
    static const Phrase nobody = {
        {"{0}: no piece of {2}'s on {1}", "{0}: {1}에 {2}의 말이 없습니다"}};
    static const Phrase soldier_first = {
        {"{0}: the very first move must be a soldier's", "{0}: 첫 수는 병사로 두어야 합니다"}};
    static const Phrase only_king = {
        {"{0}: only a king may stop on c3", "{0}: c3에는 왕만 멈출 수 있습니다"}};
    static const Phrase stuck = {
        {"{0}: the piece on {1} cannot move", "{0}: {1}의 말은 움직일 수 없습니다"}};
    static const Phrase farther = {
        {"{0}: a piece goes as far as it can; from {1} to {3}",
         "{0}: 말은 갈 수 있는 데까지 갑니다. {1}에서 갈 수 있는 칸: {3}"}};
    uint32_t pieces[VALLEY_SOLDIERS_MAX + 1], sets[VALLEY_SOLDIERS_MAX + 1];
    size_t count = valley_destinations(valley, pieces, sets), i = 0;
    char start[8], squares[64];
    Text text = text_over(squares, sizeof squares);
    snprintf(start, sizeof start, "%.2s", typed);
    const char *const words[] = {typed, start, colours[valley->turn].in[lang], squares};
    while (i < count && pieces[i] != from)
        i++;
    if (i == count)
        return phrase_failure(STATUS_USAGE, nobody, lang, words);
    bool is_king = valley->board.kings[valley->turn] == from;
    if (sets[i] == 0 && is_king && valley->ply == 1)
        return phrase_failure(STATUS_USAGE, soldier_first, lang, words);
    if (to == VALLEY_CENTRE && !is_king &&
        valley_slides(valley_occupied(&valley->board), from) & VALLEY_CENTRE_BIT)
        return phrase_failure(STATUS_USAGE, only_king, lang, words);
    size_t number = 0, square_count = (size_t)__builtin_popcount(sets[i]);
    for (uint32_t set = sets[i]; set; set &= set - 1) {
        phrase_add_separator(&text, number++, square_count, lang);
        add_square(&text, valley_lowest(set));
    }
    return phrase_failure(STATUS_USAGE, square_count == 0 ? stuck : farther, lang, words);
}

Status valley_parse_move(const Rules *rules, const State *state, const char *text, Lang lang,
                         Move *move) {
    static const Phrase over = {{"the game is over", "이미 끝난 게임입니다"}};
    static const Phrase expected = {{"move: expected two squares, such as a1d4, not {0}",
                                     "{0}: 두 칸을 이어 적어야 합니다. 예: a1d4"}};
    ValleyState valley = valley_state(state);
    if (valley_actor(rules, state) == GAME_END)
        return phrase_failure(STATUS_USAGE, over, lang, NULL);
    bool four = strlen(text) == 4;
    uint32_t from = four ? read_square(text) : VALLEY_SQUARES;
    uint32_t to = four ? read_square(text + 2) : VALLEY_SQUARES;
    if (from == VALLEY_SQUARES || to == VALLEY_SQUARES)
        return phrase_failure(STATUS_USAGE, expected, lang,
                              (const char *const[]){quote(text).text});
    uint32_t pieces[VALLEY_SOLDIERS_MAX + 1], sets[VALLEY_SOLDIERS_MAX + 1];
    size_t count = valley_destinations(&valley, pieces, sets);
    for (size_t i = 0; i < count; i++) {
        if (pieces[i] == from && sets[i] & valley_bit(to)) {
            *move = valley_move_pack(from, to);
            return status_ok();
        }
    }
    return explain_illegal_move(&valley, text, from, to, lang);
}

/* --- positions --- */

void valley_print_state(const Rules *rules, const State *state, Text *text) {
    (void)rules;
    ValleyState valley = valley_state(state);
    const ValleyBoard *board = &valley.board;
    for (uint32_t rank = VALLEY_WIDTH; rank-- > 0;) {
        int empty = 0;
        for (uint32_t file = 0; file < VALLEY_WIDTH; file++) {
            uint32_t square = VALLEY_WIDTH * rank + file;
            char piece = board->kings[0] == square                 ? 'K'
                         : board->kings[1] == square               ? 'k'
                         : board->soldiers[0] & valley_bit(square) ? 'S'
                         : board->soldiers[1] & valley_bit(square) ? 's'
                                                                   : '\0';
            if (piece && empty > 0)
                text_addf(text, "%d", empty);
            empty = piece ? 0 : empty + 1;
            if (piece)
                text_add_char(text, piece);
        }
        if (empty > 0)
            text_addf(text, "%d", empty);
        text_add_char(text, rank > 0 ? '/' : ' ');
    }
    text_addf(text, "%c %u", valley.turn == VALLEY_WHITE ? 'w' : 'b', valley.ply);
}

/* The pieces read so far, which may be more than a board allows. */
typedef struct Pieces {
    ValleyBoard board;
    int kings[2], soldiers[2];
} Pieces;

static void put_piece(Pieces *pieces, char letter, uint32_t square) {
    int colour = letter == 'K' || letter == 'S' ? VALLEY_WHITE : VALLEY_BLACK;
    if (letter == 'K' || letter == 'k') {
        pieces->board.kings[colour] = square;
        pieces->kings[colour]++;
    } else {
        pieces->board.soldiers[colour] |= valley_bit(square);
        pieces->soldiers[colour]++;
    }
}

/* Reads one rank up to the `/` or the end. */
static Status read_rank(const char **at, uint32_t rank, Pieces *pieces) {
    uint32_t file = 0;
    for (; **at && **at != '/'; (*at)++) {
        char c = **at;
        bool digit = c >= '1' && c <= '5';
        if (!digit && !strchr("KkSs", c))
            return status_make(STATUS_USAGE, "rank %u: expected K, S, k, s or 1 to 5, not %s",
                               rank + 1, quote((const char[]){c, '\0'}).text);
        if (!digit && file < VALLEY_WIDTH)
            put_piece(pieces, c, VALLEY_WIDTH * rank + file);
        file += digit ? (uint32_t)(c - '0') : 1;
        if (file > VALLEY_WIDTH)
            return status_make(STATUS_USAGE, "rank %u: more than five squares", rank + 1);
    }
    if (file < VALLEY_WIDTH)
        return status_make(STATUS_USAGE, "rank %u: expected five squares, not %u", rank + 1, file);
    return status_ok();
}

static Status read_board(const char *text, Pieces *pieces) {
    const char *at = text;
    for (uint32_t rank = VALLEY_WIDTH; rank-- > 0;) {
        Status status = read_rank(&at, rank, pieces);
        if (!status_is_ok(&status))
            return status;
        if ((*at == '/') != (rank > 0))
            return status_make(STATUS_USAGE, "board: expected five ranks, from 5 to 1, not %s",
                               quote(text).text);
        at += rank > 0;
    }
    return status_ok();
}

/* Checks the number of pieces. */
static Status check_counts(const Pieces *pieces, int soldiers) {
    for (int colour = 0; colour < 2; colour++) {
        if (pieces->kings[colour] != 1)
            return status_make(STATUS_USAGE, "%s: expected one king, not %d",
                               valley_colours[colour], pieces->kings[colour]);
        if (pieces->soldiers[colour] > VALLEY_SOLDIERS_MAX)
            return status_make(STATUS_USAGE, "%s: at most four soldiers, not %d",
                               valley_colours[colour], pieces->soldiers[colour]);
    }
    if (pieces->soldiers[0] != pieces->soldiers[1])
        return status_make(STATUS_USAGE,
                           "white has %d soldiers and black %d: expected as many on both sides",
                           pieces->soldiers[0], pieces->soldiers[1]);
    if (pieces->soldiers[0] != soldiers)
        return status_make(STATUS_USAGE, "expected %d soldiers a side, not %d", soldiers,
                           pieces->soldiers[0]);
    return status_ok();
}

Status valley_parse_state(const Rules *rules, const char *text, State *state) {
    enum { FIELDS = 3 };
    char storage[GAME_TEXT_BYTES];
    char *fields[FIELDS];
    Pieces pieces = {.kings = {0, 0}};
    if (text_split(text, storage, sizeof storage, fields, FIELDS) != FIELDS)
        return status_make(STATUS_USAGE,
                           "expected BOARD SIDE PLY, such as 'sskss/5/5/5/SSKSS w 1', not %s",
                           quote(text).text);
    Status status = read_board(fields[0], &pieces);
    if (status_is_ok(&status))
        status = check_counts(&pieces, valley_rules(rules).soldiers);
    if (!status_is_ok(&status))
        return status;
    if (strcmp(fields[1], "w") != 0 && strcmp(fields[1], "b") != 0)
        return status_make(STATUS_USAGE, "side to move: expected w or b, not %s",
                           quote(fields[1]).text);
    uint64_t ply = 0;
    status = number_parse("ply", fields[2], 1, VALLEY_PLY_MAX, &ply);
    if (!status_is_ok(&status))
        return status;
    ValleyState valley = {.board = pieces.board,
                          .ply = (uint32_t)ply,
                          .turn = fields[1][0] == 'w' ? VALLEY_WHITE : VALLEY_BLACK};
    *state = valley_state_pack(&valley);
    return valley_check(rules, state);
}
