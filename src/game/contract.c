#include "game/contract.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/random.h"

enum { FOREIGN_MOVES = 16, SPARE = 4096 };

/* What is being checked, and where. */
typedef struct Scene {
    const Variant *variant;
    const Game *game;
    const Rules *rules;
    State state;
    Random random;
    char foreign[FOREIGN_MOVES][GAME_TEXT_BYTES]; /* texts of moves of other states */
    size_t foreign_count;
} Scene;

static Status broken(const Scene *scene, const char *promise) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    scene->game->print_state(scene->rules, &scene->state, &text);
    return status_make(STATUS_FAILED, "%s: %s, at %s", scene->game->name, promise, bytes);
}

static bool same_state(const State *a, const State *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static Status check_state_text(const Scene *scene) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    scene->game->print_state(scene->rules, &scene->state, &text);
    if (text.truncated)
        return broken(scene, "the text of a state is too long");
    State read;
    memset(&read, 0xA5, sizeof read);
    Status status = scene->game->parse_state(scene->rules, bytes, &read);
    if (!status_is_ok(&status))
        return broken(scene, "the text of a state does not read back");
    if (!same_state(&read, &scene->state))
        return broken(scene, "the text of a state reads back as another state");
    /* A text with one byte changed is refused, or is the text of a legal state. */
    Random random = scene->random;
    bytes[random_below(&random, text.length)] = (char)(1 + random_below(&random, 255));
    status = scene->game->parse_state(scene->rules, bytes, &read);
    if (status_is_ok(&status)) {
        status = scene->game->check(scene->rules, &read);
        if (!status_is_ok(&status))
            return broken(scene, "a changed text reads as a state that fails its check");
    } else if (status.message[0] == '\0') {
        return broken(scene, "a text is refused without a word");
    }
    return status_ok();
}

static Status check_move_text(const Scene *scene, Move move) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    scene->game->print_move(scene->rules, &scene->state, move, &text);
    if (text.truncated || text.length == 0)
        return broken(scene, "the text of a move is empty or too long");
    Move read;
    Status status = scene->game->parse_move(scene->rules, &scene->state, bytes, &read);
    if (!status_is_ok(&status))
        return broken(scene, "the text of a move does not read back");
    if (read != move)
        return broken(scene, "the text of a move reads back as another move");

    char story[GAME_DRAW_BYTES];
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        text = text_over(story, sizeof story);
        scene->game->narrate(scene->rules, &scene->state, move, (Lang)lang, &text);
        if (text.truncated || text.length == 0)
            return broken(scene, "a move's story is empty or too long");
    }

    State next = scene->state;
    scene->game->apply(scene->rules, &next, move);
    status = scene->game->check(scene->rules, &next);
    if (!status_is_ok(&status))
        return broken(scene, "a move leads to a state that fails its check");
    State again = scene->state;
    scene->game->apply(scene->rules, &again, move);
    if (!same_state(&next, &again))
        return broken(scene, "the same move leads to two different states");
    return status_ok();
}

/* Moves that are legal at some other state of the game, and not here, are refused as text. */
static Status check_foreign_moves(const Scene *scene, const Move moves[], size_t count) {
    for (size_t i = 0; i < scene->foreign_count; i++) {
        Move read;
        Status status =
            scene->game->parse_move(scene->rules, &scene->state, scene->foreign[i], &read);
        bool listed = false;
        for (size_t j = 0; j < count; j++)
            listed = listed || (status_is_ok(&status) && moves[j] == read);
        if (status_is_ok(&status) && !listed)
            return broken(scene, "a move of another state is taken");
    }
    return status_ok();
}

/* Keeps the text of a move for later states. */
static void remember_foreign(Scene *scene, Move move) {
    size_t at = scene->foreign_count < FOREIGN_MOVES ? scene->foreign_count++
                                                     : random_below(&scene->random, FOREIGN_MOVES);
    Text text = text_over(scene->foreign[at], GAME_TEXT_BYTES);
    scene->game->print_move(scene->rules, &scene->state, move, &text);
}

static Status check_refusals(Scene *scene, const Move moves[], size_t count) {
    static const char *const nonsense[] = {"",
                                           "?",
                                           "zzz",
                                           "-1",
                                           "99999999999999999999",
                                           "\xff\xfe",
                                           "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1"};
    Move read;
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        Status status = scene->game->parse_move(scene->rules, &scene->state, nonsense[i], &read);
        if (status_is_ok(&status))
            return broken(scene, "nonsense reads as a move");
        if (status.message[0] == '\0')
            return broken(scene, "a move is refused without a word");
    }
    for (int i = 0; i < 4; i++) {
        Move move = (Move)(random_next(&scene->random) >> (random_next(&scene->random) % 64));
        bool listed = false;
        for (size_t j = 0; j < count; j++)
            listed = listed || moves[j] == move;
        State state = scene->state;
        Status status = variant_play(scene->variant, &state, move);
        if (status_is_ok(&status) != listed)
            return broken(scene, listed ? "a listed move is refused" : "an illegal move is taken");
        if (!listed && !same_state(&state, &scene->state))
            return broken(scene, "a refused move changes the state");
    }
    return status_ok();
}

static Status check_numbering(const Scene *scene) {
    const Game *game = scene->game;
    uint64_t count = game->index_count ? game->index_count(scene->rules) : 0;
    if (count == 0)
        return status_ok();
    uint64_t index = game->index(scene->rules, &scene->state);
    if (index >= count)
        return broken(scene, "the number of a state is out of range");
    State read;
    memset(&read, 0xA5, sizeof read);
    if (!game->unindex(scene->rules, index, &read))
        return broken(scene, "the number of a state has no state");
    if (!same_state(&read, &scene->state))
        return broken(scene, "the number of a state is another state's");
    return status_ok();
}

static Status check_drawing(const Scene *scene) {
    char bytes[GAME_DRAW_BYTES];
    for (unsigned i = 0; i < 4u * LANG_COUNT; i++) {
        DrawStyle style = {.color = (i & 1u) != 0,
                           .ascii = (i & 2u) != 0,
                           .lang = (Lang)(i / 4),
                           .columns = i < 4 ? 80 : 24};
        Text text = text_over(bytes, sizeof bytes);
        scene->game->draw(scene->rules, &scene->state, style, &text);
        if (text.truncated || text.length == 0)
            return broken(scene, "a drawn board is empty or too long");
        if (!style.color && strchr(bytes, '\x1b'))
            return broken(scene, "a board without colour has colour");
        if (style.ascii && style.lang == LANG_EN)
            for (const char *at = bytes; *at; at++)
                if ((unsigned char)*at >= 0x80u)
                    return broken(scene, "an ASCII board is not ASCII");
    }
    return status_ok();
}

/* Lists the moves or chance events, checks the list, and picks one by chance. */
static Status check_choices(Scene *scene, Move *picked) {
    const Game *game = scene->game;
    /* A list that is longer than promised is noticed here before it does harm elsewhere. */
    Move moves[GAME_MOVES_MAX + SPARE];
    size_t count;
    if (game->actor(scene->rules, &scene->state) == GAME_CHANCE) {
        Chance chances[GAME_CHANCES_MAX + SPARE];
        uint64_t denominator = 0;
        uint64_t sum = 0;
        count = game->chances(scene->rules, &scene->state, chances, &denominator);
        for (size_t i = 0; i < count; i++) {
            moves[i] = chances[i].move;
            sum += chances[i].weight;
            if (chances[i].weight == 0)
                return broken(scene, "a chance event has no weight");
        }
        if (count > GAME_CHANCES_MAX)
            return broken(scene, "more chance events than promised");
        if (count == 0 || sum != denominator)
            return broken(scene, "the chance weights do not sum to the denominator");
    } else {
        count = game->moves(scene->rules, &scene->state, moves);
        if (count == 0)
            return broken(scene, "a player has no move");
        if (count > GAME_MOVES_MAX)
            return broken(scene, "more moves than promised");
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (moves[i] == moves[j])
                return broken(scene, "a move is listed twice");
    for (size_t i = 0; i < count; i++) {
        Status status = check_move_text(scene, moves[i]);
        if (!status_is_ok(&status))
            return status;
    }
    Random twin = scene->random;
    *picked = moves[random_below(&scene->random, count)];
    Move other = *picked;
    if (game->pick && game->actor(scene->rules, &scene->state) >= 0 &&
        (game->pick(scene->rules, &scene->state, &twin, &other) != count || other != *picked))
        return broken(scene, "picking a move is not picking it from the list");
    Status status = check_foreign_moves(scene, moves, count);
    if (status_is_ok(&status))
        status = check_refusals(scene, moves, count);
    remember_foreign(scene, moves[random_below(&scene->random, count)]);
    return status;
}

static Status check_end(const Scene *scene) {
    double payoffs[GAME_PLAYERS_MAX];
    scene->game->payoff(scene->rules, &scene->state, payoffs);
    for (int i = 0; i < scene->game->player_count(scene->rules); i++)
        if (!isfinite(payoffs[i]))
            return broken(scene, "a payoff is not a number");
    if (scene->game->ending &&
        scene->game->ending(scene->rules, &scene->state) >= scene->game->ending_count)
        return broken(scene, "an end of no known kind");
    char bytes[GAME_DRAW_BYTES];
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        Text text = text_over(bytes, sizeof bytes);
        scene->game->narrate_end(scene->rules, &scene->state, (Lang)lang, &text);
        if (text.truncated || text.length == 0)
            return broken(scene, "the story of the end is empty or too long");
    }
    Move read;
    Status status = scene->game->parse_move(scene->rules, &scene->state, "1", &read);
    if (status_is_ok(&status) || variant_allows(scene->variant, &scene->state, 1))
        return broken(scene, "a move is possible after the end");
    return status_ok();
}

/* A guess is a number, and at the end the truth. */
static Status check_estimate(const Scene *scene) {
    const Game *game = scene->game;
    double guess[GAME_PLAYERS_MAX], payoffs[GAME_PLAYERS_MAX];
    if (!game->estimate)
        return status_ok();
    game->estimate(scene->rules, &scene->state, guess);
    bool over = game->actor(scene->rules, &scene->state) == GAME_END;
    if (over)
        game->payoff(scene->rules, &scene->state, payoffs);
    for (int i = 0; i < game->player_count(scene->rules); i++) {
        if (!isfinite(guess[i]))
            return broken(scene, "an estimate is not a number");
        if (over && guess[i] != payoffs[i])
            return broken(scene, "the estimate of an ended game is not its payoff");
    }
    return status_ok();
}

/* What has no bearing on the future may be wiped: the same moves are there, and who moves. */
static Status check_strip(const Scene *scene) {
    const Game *game = scene->game;
    if (!game->strip)
        return status_ok();
    State stripped = scene->state;
    game->strip(scene->rules, &stripped);
    State again = stripped;
    game->strip(scene->rules, &again);
    if (!same_state(&stripped, &again))
        return broken(scene, "a state stripped twice is another");
    int actor = game->actor(scene->rules, &scene->state);
    if (game->actor(scene->rules, &stripped) != actor)
        return broken(scene, "a stripped state is somebody else's turn");
    if (actor < 0)
        return status_ok();
    Move moves[GAME_MOVES_MAX], left[GAME_MOVES_MAX];
    size_t count = game->moves(scene->rules, &scene->state, moves);
    if (game->moves(scene->rules, &stripped, left) != count ||
        memcmp(moves, left, count * sizeof moves[0]) != 0)
        return broken(scene, "a stripped state has other moves");
    return status_ok();
}

/* The way of a piece fits, and is of squares with one space between. */
static Status check_trace(const Scene *scene) {
    const Game *game = scene->game;
    Move steps[GAME_MOVES_MAX];
    if (!game->trace)
        return status_ok();
    size_t count = variant_steps(scene->variant, &scene->state, steps);
    for (size_t i = 0; i < count; i++) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        game->trace(scene->rules, &scene->state, steps[i], &text);
        bool neat = text.length == 0 ||
                    (bytes[0] != ' ' && bytes[text.length - 1] != ' ' && !strstr(bytes, "  "));
        if (text.truncated || !neat)
            return broken(scene, "the way of a piece is not squares with spaces between");
    }
    return status_ok();
}

/* A rule of thumb says a number of every move. */
static Status check_judge(const Scene *scene) {
    const Game *game = scene->game;
    Move moves[GAME_MOVES_MAX];
    if (!game->judge || game->actor(scene->rules, &scene->state) < 0)
        return status_ok();
    size_t count = game->moves(scene->rules, &scene->state, moves);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(game->judge(scene->rules, &scene->state, moves[i])))
            return broken(scene, "the judgement of a move is not a number");
    return status_ok();
}

static Status check_one_state(Scene *scene, Move *picked) {
    const Game *game = scene->game;
    int players = game->player_count(scene->rules);
    int actor = game->actor(scene->rules, &scene->state);
    int turn = game->turn(scene->rules, &scene->state);
    if (actor < GAME_END || actor >= players || turn < 0 || turn >= players ||
        (actor >= 0 && turn != actor))
        return broken(scene, "nobody's turn");
    if (actor == GAME_CHANCE && game->has_no_chance)
        return broken(scene, "chance in a game that has none");
    Status status = game->check(scene->rules, &scene->state);
    if (!status_is_ok(&status))
        return broken(scene, "a state fails its own check");
    status = check_state_text(scene);
    if (status_is_ok(&status))
        status = check_numbering(scene);
    if (status_is_ok(&status))
        status = check_drawing(scene);
    if (status_is_ok(&status))
        status = check_estimate(scene);
    if (status_is_ok(&status))
        status = check_strip(scene);
    if (status_is_ok(&status))
        status = check_judge(scene);
    if (status_is_ok(&status))
        status = check_trace(scene);
    if (status_is_ok(&status))
        status = actor == GAME_END ? check_end(scene) : check_choices(scene, picked);
    return status;
}

Status contract_check(const Variant *variant, uint64_t seed, int games, int steps_max, int *ended) {
    int ends = 0;
    for (int i = 0; i < games; i++) {
        Scene scene = {.variant = variant,
                       .game = variant->game,
                       .rules = &variant->rules,
                       .state = variant->game->start(&variant->rules),
                       .random = random_from_seed(seed, (uint64_t)i)};
        for (int step = 0; step < steps_max; step++) {
            Move picked = 0;
            Status status = check_one_state(&scene, &picked);
            if (!status_is_ok(&status))
                return status;
            if (scene.game->actor(scene.rules, &scene.state) == GAME_END) {
                ends++;
                break;
            }
            scene.game->apply(scene.rules, &scene.state, picked);
        }
    }
    if (ended)
        *ended = ends;
    return status_ok();
}

Status contract_check_numbering(const Variant *variant, uint64_t limit, uint64_t *legal) {
    const Game *game = variant->game;
    const Rules *rules = &variant->rules;
    uint64_t count = game->index_count ? game->index_count(rules) : 0;
    uint64_t states = 0;
    for (uint64_t i = 0; i < count && i < limit; i++) {
        State state;
        memset(&state, 0xA5, sizeof state);
        if (!game->unindex(rules, i, &state))
            continue;
        Status status = game->check(rules, &state);
        if (!status_is_ok(&status))
            return status_make(STATUS_FAILED, "%s: the state numbered %" PRIu64 ": %s", game->name,
                               i, status.message);
        if (game->index(rules, &state) != i)
            return status_make(STATUS_FAILED, "%s: number %" PRIu64 " does not come back",
                               game->name, i);
        states++;
    }
    if (legal)
        *legal = states;
    return status_ok();
}
