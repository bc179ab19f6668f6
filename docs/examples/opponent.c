/* An opponent: plays any game of the library at the terminal, a person against a computer player.
 *
 *     opponent GAME [PLAYER [OPTIONS]]      opponent valley alphabeta:1s
 *                                           opponent yut greedy "--pieces 2"
 *
 * A person types moves as the list shows them. At the end of the input the computer plays on for
 * both, so the program can be tried without a person: opponent box perfect </dev/null
 */
#include <malpan.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { STEPS_MAX = 2000 };

typedef struct Table {
    MalpanGame *game;
    MalpanPlayer *player;
    MalpanPosition position;
    MalpanRandom random;
    int is_alone; /* the person has left */
} Table;

static int report(const MalpanError *error) {
    fprintf(stderr, "opponent: %s\n", error->message);
    return error->code;
}

/* Lists the legal moves in one line. */
static void show_moves(const Table *table) {
    static MalpanMove moves[MALPAN_MOVES_MAX];
    char text[MALPAN_TEXT_BYTES];
    size_t count = malpan_moves(table->game, &table->position, moves, MALPAN_MOVES_MAX);
    printf("moves:");
    for (size_t i = 0; i < count; i++) {
        malpan_print_move(table->game, &table->position, moves[i], MALPAN_EN, text, sizeof text);
        printf(" %s", text);
    }
    printf("\n> ");
    fflush(stdout);
}

/* Asks the person until the answer is a legal move. False at the end of the input. */
static int ask(const Table *table, MalpanMove *move) {
    char line[MALPAN_TEXT_BYTES];
    MalpanError error;
    for (;;) {
        show_moves(table);
        if (!fgets(line, sizeof line, stdin))
            return 0;
        line[strcspn(line, "\n")] = '\0';
        if (malpan_parse_move(table->game, &table->position, line, MALPAN_EN, move, &error) ==
            MALPAN_OK)
            return 1;
        printf("%s\n", error.message);
    }
}

/* Makes the next move or throw, and tells it. */
static int step(Table *table, MalpanError *error) {
    char text[MALPAN_DRAW_BYTES];
    MalpanMove move;
    int actor = malpan_actor(table->game, &table->position), code = MALPAN_OK;
    if (actor == 0 && !table->is_alone) {
        malpan_draw(table->game, &table->position, NULL, text, sizeof text);
        printf("\n%s", text);
        table->is_alone = !ask(table, &move);
    }
    if (actor == MALPAN_CHANCE)
        code = malpan_draw_chance(table->game, &table->position, &table->random, &move, error);
    else if (actor != 0 || table->is_alone)
        code = malpan_player_choose(table->player, &table->position, &table->random, &move, error);
    if (code != MALPAN_OK)
        return code;
    malpan_narrate(table->game, &table->position, move, MALPAN_EN, text, sizeof text);
    printf("%s\n", text);
    return malpan_apply(table->game, &table->position, move, error);
}

int main(int argc, char **argv) {
    MalpanError error;
    Table table = {0};
    char text[MALPAN_DRAW_BYTES];
    table.game =
        malpan_open(argc > 1 ? argv[1] : "valley", argc > 3 ? argv[3] : NULL, NULL, &error);
    if (!table.game)
        return report(&error);
    malpan_random_seed(&table.random, (uint64_t)time(NULL), 0);
    int code =
        malpan_player_open(table.game, argc > 2 ? argv[2] : "random", NULL, &table.player, &error);
    if (code == MALPAN_OK)
        code = malpan_start(table.game, &table.position, &error);
    for (int i = 0; code == MALPAN_OK && i < STEPS_MAX &&
                    malpan_actor(table.game, &table.position) != MALPAN_END;
         i++)
        code = step(&table, &error);
    if (code == MALPAN_OK) {
        malpan_narrate_end(table.game, &table.position, MALPAN_EN, text, sizeof text);
        printf("%s\n", text);
    } else {
        report(&error);
    }
    malpan_player_close(&table.player);
    malpan_close(&table.game);
    return code;
}
