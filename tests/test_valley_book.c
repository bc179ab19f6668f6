/* The opening books of King's Valley: consistent, and right as far as the search can tell. */
#include "games/valley/search/book.h"
#include "valley_testing.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 2};

/* The code of a position by those of its successors, which are all in the book. */
static uint32_t code_by_book(const Book *book, const Rules *rules, const State *state) {
    Move moves[GAME_MOVES_MAX];
    size_t count = valley_moves(rules, state, moves);
    uint32_t win = 0, loss = 0;
    bool endless = false;
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        uint32_t after = 0;
        bool has_successors;
        valley_apply(rules, &next, moves[i]);
        if (valley_actor(rules, &next) == GAME_END) {
            double payoffs[2];
            valley_payoff(rules, &next, payoffs);
            if (payoffs[valley_turn(rules, state)] == 1)
                win = 1;
            continue;
        }
        assert_true(book_probe(book, &next, &after, &has_successors));
        endless = endless || after == VALLEY_ENDLESS_CODE;
        if (after % 2 == 1 && after + 1 > loss)
            loss = after + 1;
        if (after > 0 && after % 2 == 0 && (win == 0 || after + 1 < win))
            win = after + 1;
    }
    return win > 0 ? win : endless ? VALLEY_ENDLESS_CODE : loss;
}

/* The book belongs to these positions, its codes are consistent, and the search finds no wrong one.
 */
static void check_book(ValleyStart start, size_t count) {
    static Book book;
    ValleyRules rules = {.soldiers = VALLEY_SOLDIERS_MAX, .start = start};
    Variant variant = {.game = &valley_game, .rules = valley_rules_pack(&rules)};
    Random random = random_from_seed(33, 0);
    Search *search;
    int proven = 0;
    assert_ok(book_open(&book, start));
    assert_true(book_is_current(&book));
    assert_int_equal(book.count, count);
    for (size_t i = 0; i < book.expanded_count; i++)
        assert_int_equal(code_by_book(&book, &variant.rules, &book.states[i]), book.data->codes[i]);
    /* Only the start is in the book as a first position: another one has fewer moves, as kings do
     * not move first. */
    for (size_t i = 0; i < book.count; i += 500) {
        size_t number;
        ValleyState first = valley_state(&book.states[i]);
        assert_true(book_find(&book, &book.states[i], &number) && number == i);
        first.ply = 1;
        first.turn = VALLEY_WHITE;
        State position = valley_state_pack(&first);
        assert_int_equal(book_find(&book, &position, &number), i == 0);
    }
    assert_ok(valley_search_new(&variant.rules, &limits, &search));
    for (int i = 0; i < (test_times(500)); i++) {
        size_t number = random_below(&random, book.count);
        SearchBudget budget = {.depth = 5, .threads = 1},
                     ask = {.value_only = true, .may_look_up = true};
        SearchResult result, known;
        search->think(search, &book.states[number], &budget, &result);
        assert_null(result.source);
        search->think(search, &book.states[number], &ask, &known);
        assert_true(known.source && known.is_proven);
        assert_true(known.value == valley_value_of_code(book.data->codes[number]));
        if (result.is_proven)
            assert_true(result.value == known.value);
        proven += result.is_proven;
    }
    assert_true(proven > test_times(20));
    search->free(search);
    book_close(&book);
}

static void the_books_are_right(void **state) {
    (void)state;
    check_book(VALLEY_STANDARD, 55925);
    check_book(VALLEY_RETRIEVE, 58036);
}

/* A position is found in the book of its setup under the rules of either. */
static void either_setup_finds_both_books(void **state) {
    (void)state;
    static const struct {
        const char *options, *position;
        int plies;
    } asked[] = {{"--start standard", "ssKss/5/5/5/SSkSS w 1", 17},
                 {"--start retrieve", "sskss/5/5/5/SSKSS w 1", 9}};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        Variant variant;
        State position;
        Search *search;
        SearchResult result;
        const SearchBudget budget = {.threads = 1, .may_look_up = true};
        assert_ok(
            resolve_text(&valley_game, asked[i].options, asked[i].position, &variant, &position));
        assert_ok(valley_search_new(&variant.rules, &limits, &search));
        search->think(search, &position, &budget, &result);
        assert_non_null(result.source);
        assert_true(result.value == valley_value_of_win(asked[i].plies));
        search->free(search);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_books_are_right),
        cmocka_unit_test(either_setup_finds_both_books),
    };
    return cmocka_run_group_tests_name("valley_book", tests, NULL, NULL);
}
