/* diceyut: ten throws on standard input, the best score of Dice Yut on standard output.
 *
 *     echo 1 2 3 4 1 2 3 4 1 2 | diceyut         190
 */
#include <ctype.h>
#include <stdio.h>

#include "compat/common/program.h"
#include "games/dice/dice.h"
#include "values/evaluate.h"

static const char usage[] =
    "usage: diceyut < THROWS\n"
    "\n"
    "Reads ten throws, numbers from 1 to 5, and prints the best score of Dice Yut.\n"
    "\n"
    "examples:\n"
    "  echo 1 2 3 4 1 2 3 4 1 2 | diceyut\n";

enum { WORDS_MAX = DICE_THROWS + 1, WORD_BYTES = 32 };

/* Reads a word of standard input; false at the end of the input. */
static bool read_word(char word[WORD_BYTES]) {
    int byte = getchar();
    size_t length = 0;
    while (byte != EOF && isspace(byte))
        byte = getchar();
    for (; byte != EOF && !isspace(byte); byte = getchar())
        if (length + 1 < WORD_BYTES)
            word[length++] = byte ? (char)byte : '\x01'; /* a NUL byte must not end the word */
    word[length] = '\0';
    return length > 0;
}

static Status read_throws(uint8_t throws[DICE_THROWS_MAX]) {
    char bytes[WORDS_MAX][WORD_BYTES];
    char *words[WORDS_MAX];
    size_t count = 0;
    while (count < WORDS_MAX && read_word(bytes[count])) {
        words[count] = bytes[count];
        count++;
    }
    if (ferror(stdin))
        return status_make(STATUS_FAILED, "cannot read standard input");
    return dice_parse_throws(words, count, DICE_THROWS, throws);
}

static Status run(const CommandLine *line, void *context) {
    (void)context;
    DiceState dice = {.left = DICE_THROWS};
    Rules rules = dice_rules_default();
    SolveLimits limits = {.memory_bytes = SIZE_MAX, .threads = 1};
    Solver *solver;
    double score;
    if (line->word_count > 0)
        return status_make(STATUS_USAGE, "expected the throws on standard input, not as words");
    Status status = read_throws(dice.throws);
    if (status_is_ok(&status))
        status = dice_solver_new(&rules, &limits, &solver);
    if (!status_is_ok(&status))
        return status;
    State state = dice_state_pack(&dice);
    status = solver->values(solver, &state, &score);
    solver->free(solver);
    if (status_is_ok(&status))
        printf("%.0f\n", score);
    return status;
}

int main(int argc, char **argv) {
    static const CompatProgram program = {.name = "diceyut", .usage = usage, .run = run};
    return program_main(&program, NULL, argc, argv);
}
