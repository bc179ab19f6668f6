/* The facts as text and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "games/yut/facts/facts.h"

static const char *const kind_names[MOVE_KINDS] = {"enters", "runs", "catches", "stacks",
                                                   "arrives"};

/* Adds 29791 as 29,791. */
static void add_count(uint64_t count, Text *text) {
    if (count >= 1000) {
        add_count(count / 1000, text);
        text_addf(text, ",%03d", (int)(count % 1000));
    } else {
        text_addf(text, "%d", (int)count);
    }
}

static void add_position(const Facts *facts, const State *state, Text *text) {
    yut_print_state(&facts->variant.rules, state, text);
}

/* --- text --- */

static void print_list(const Facts *facts, const FactsList *list, const char *title, int digits,
                       Text *text) {
    text_addf(text, "\n%s:\n", title);
    for (int i = 0; i < list->count; i++) {
        text_addf(text, "  %9.*f  ", digits, list->numbers[i]);
        add_position(facts, &list->states[i], text);
        text_add_char(text, '\n');
    }
}

static void print_positions(const Facts *facts, Text *text) {
    const FactsPositions *found = &facts->positions;
    add_count(found->count, text);
    text_addf(text, " positions about to throw; in %.1f %% the thrower's chance is 0.45 to 0.55\n",
              100 * (double)found->even / (double)found->count);
    print_list(facts, &found->closest, "closest to even, every piece on the board", 6, text);
    print_list(facts, &found->best, "best for the thrower", 6, text);
    print_list(facts, &found->worst, "worst for the thrower", 6, text);
    print_list(facts, &found->hottest, "where throwing first makes the largest difference", 6,
               text);
    if (found->has_turns)
        print_list(facts, &found->longest, "longest, in turns still to come", 2, text);
}

/* Prints the board with the worth of each square in percentage points, three columns to a cell. */
static void print_board(const Facts *facts, Text *text) {
    char bytes[YUT_SQUARES][16];
    const char *cells[YUT_SQUARES];
    for (int square = 0; square < YUT_SQUARES; square++) {
        snprintf(bytes[square], sizeof bytes[square], "%3.0f", 100 * facts->worth[square]);
        cells[square] = bytes[square];
    }
    yut_draw_grid(cells, " <- 29", text);
}

static int by_worth(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Prints the squares in descending order of worth, a few on each line. */
static void print_squares(const Facts *facts, Text *text) {
    enum { ON_LINE = 8 };
    struct Square {
        double worth; /* first, for by_worth */
        int square;
    } squares[YUT_SQUARES];
    size_t count = 0;
    for (int square = 1; square < YUT_SQUARES; square++)
        if (square < YUT_ARRIVED || yut_rules(&facts->variant.rules).pieces > 1)
            squares[count++] = (struct Square){facts->worth[square], square};
    qsort(squares, count, sizeof *squares, by_worth);
    for (size_t i = 0; i < count; i++) {
        int square = squares[i].square;
        text_addf(text, "%s%3d %+5.1f", i % ON_LINE ? "  " : "",
                  square == YUT_ARRIVED ? YUT_ARRIVED_TEXT : square, 100 * squares[i].worth);
        if ((i + 1) % ON_LINE == 0 || i + 1 == count)
            text_add_char(text, '\n');
    }
}

static void print_worths(const Facts *facts, Text *text) {
    text_add(text, "\nwhat a piece adds to the chance of winning, in hundredths, when all others "
                   "are not on\nthe board yet and who throws is drawn by lot:\n\n");
    print_board(facts, text);
    text_add_char(text, '\n');
    print_squares(facts, text);
}

static void add_share(Share share, int columns, Text *text) {
    char bytes[64];
    Text cell = text_over(bytes, sizeof bytes);
    if (share.known)
        text_addf(&cell, "%.1f +- %.1f", 100 * share.mean, 100 * share.margin);
    else
        text_add_char(&cell, '-');
    text_add_right(text, bytes, columns);
}

static void print_games(const Facts *facts, Text *text) {
    const PerfectGames *games = &facts->games;
    text_add_char(text, '\n');
    add_count(games->games, text);
    text_addf(text,
              " games between perfect players (seed %" PRIu64 "; +- holds for 95 %%):\n"
              "  a game takes %.2f +- %.2f turns\n\n",
              games->seed, games->turns.mean, games->turns.margin);
    text_add(text, "  the best move    % of all moves   % where it is a choice\n");
    for (int kind = 0; kind < MOVE_KINDS; kind++) {
        text_addf(text, "  %-8s", kind_names[kind]);
        add_share(games->done[kind], 22, text);
        add_share(games->chosen[kind], 25, text);
        text_add_char(text, '\n');
    }
    text_addf(text, "\n  %.1f %% of the moves are a choice; of these\n", 100 * games->choices.mean);
    text_addf(text, "    %.1f +- %.1f %% have one good move: every other costs 1 %% or more\n",
              100 * games->only.mean, 100 * games->only.margin);
    text_addf(text, "    %.1f +- %.1f %% have two that are the same within 0.01 %%\n",
              100 * games->same.mean, 100 * games->same.margin);
    text_addf(text,
              "    the second best costs %.2f +- %.2f %% on average, the worst %.2f +- %.2f\n",
              100 * games->second.mean, 100 * games->second.margin, 100 * games->last.mean,
              100 * games->last.margin);
}

/* Prints the rule options that differ from the defaults, and always the number of pieces. */
static void print_rules(const Variant *variant, Text *text) {
    Rules usual = yut_rules_default();
    text_add(text, "yut");
    for (size_t i = 0; i < YUT_OPTION_COUNT; i++) {
        const char *option = yut_options[i].name;
        char bytes[GAME_TEXT_BYTES], usual_bytes[GAME_TEXT_BYTES];
        Text value = text_over(bytes, sizeof bytes),
             usual_value = text_over(usual_bytes, sizeof usual_bytes);
        yut_rules_get(&variant->rules, option, &value);
        yut_rules_get(&usual, option, &usual_value);
        if (strcmp(bytes, usual_bytes) != 0 || strcmp(option, "pieces") == 0)
            text_addf(text, " --%s %s", option, bytes);
    }
    text_add_char(text, '\n');
}

void facts_print(const Facts *facts, Text *text) {
    print_rules(&facts->variant, text);
    text_addf(text, "the first player's chance: %.6f (error at most %.1e)\n", facts->start,
              facts->error);
    if (facts->has_positions && facts->positions.has_turns)
        text_addf(text, "a game takes %.2f turns on average\n", facts->positions.start_turns);
    if (facts->has_positions)
        print_positions(facts, text);
    print_worths(facts, text);
    print_games(facts, text);
}

/* --- JSON --- */

static void json_list(const Facts *facts, const char *name, const FactsList *list, Text *text) {
    text_addf(text, ",\"%s\":[", name);
    for (int i = 0; i < list->count; i++) {
        text_addf(text, "%s{\"position\":\"", i > 0 ? "," : "");
        add_position(facts, &list->states[i], text);
        text_addf(text, "\",\"number\":%.9g}", list->numbers[i]);
    }
    text_add_char(text, ']');
}

static void json_positions(const Facts *facts, Text *text) {
    const FactsPositions *found = &facts->positions;
    text_addf(text, ",\"positions\":%" PRIu64 ",\"even\":%" PRIu64, found->count, found->even);
    json_list(facts, "closest", &found->closest, text);
    json_list(facts, "best", &found->best, text);
    json_list(facts, "worst", &found->worst, text);
    json_list(facts, "hottest", &found->hottest, text);
    if (!found->has_turns)
        return;
    text_addf(text, ",\"turns\":%.9g", found->start_turns);
    json_list(facts, "longest", &found->longest, text);
}

static void json_share(const char *before, const char *name, Share share, Text *text) {
    text_addf(text, "%s\"%s\":", before, name);
    if (share.known)
        text_addf(text, "{\"mean\":%.9g,\"margin\":%.9g}", share.mean, share.margin);
    else
        text_add(text, "null");
}

static void json_games(const PerfectGames *games, Text *text) {
    text_addf(text, ",\"games\":{\"count\":%" PRIu64 ",\"seed\":\"%" PRIu64 "\",\"moves\":%" PRIu64,
              games->games, games->seed, games->moves);
    json_share(",", "turns", games->turns, text);
    json_share(",", "first_won", games->first_won, text);
    json_share(",", "choices", games->choices, text);
    json_share(",", "only", games->only, text);
    json_share(",", "same", games->same, text);
    json_share(",", "second", games->second, text);
    json_share(",", "last", games->last, text);
    for (int kind = 0; kind < MOVE_KINDS; kind++) {
        text_addf(text, ",\"%s\":{", kind_names[kind]);
        json_share("", "of_all", games->done[kind], text);
        json_share(",", "of_choices", games->chosen[kind], text);
        text_add_char(text, '}');
    }
    text_add_char(text, '}');
}

void facts_print_json(const Facts *facts, Text *text) {
    text_add(text, "{\"game\":\"yut\",\"rules\":\"");
    variant_print(&facts->variant, text);
    text_addf(text, "\",\"start\":%.17g,\"error\":%.9g", facts->start, facts->error);
    if (facts->has_positions)
        json_positions(facts, text);
    text_add(text, ",\"worth\":{");
    for (int square = 1; square < YUT_ARRIVED; square++)
        text_addf(text, "%s\"%d\":%.9g", square > 1 ? "," : "", square, facts->worth[square]);
    if (yut_rules(&facts->variant.rules).pieces > 1)
        text_addf(text, ",\"%d\":%.9g", YUT_ARRIVED_TEXT, facts->worth[YUT_ARRIVED]);
    text_add_char(text, '}');
    json_games(&facts->games, text);
    text_add(text, "}\n");
}
