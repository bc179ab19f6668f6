#include "game/contract.h"

#include <math.h>
#include <string.h>

#include "game/contract_scene.h"
#include "game/move_ids.h"

enum { SPARE = 4096 };

Status contract_broken(const ContractScene *scene, const char *promise) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    scene->game->text.print_state(scene->rules, &scene->state, &text);
    return status_make(STATUS_FAILED, "%s: %s, at %s", scene->game->identity.name, promise, bytes);
}

static Status check_state_text(const ContractScene *scene) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    scene->game->text.print_state(scene->rules, &scene->state, &text);
    if (text.truncated)
        return contract_broken(scene, "the text of a state is too long");
    State read;
    memset(&read, 0xA5, sizeof read);
    Status status = scene->game->text.parse_state(scene->rules, bytes, &read);
    if (!status_is_ok(&status))
        return contract_broken(scene, "the text of a state does not read back");
    if (!contract_same_state(&read, &scene->state))
        return contract_broken(scene, "the text of a state reads back as another state");
    /* A text with one byte changed is refused, or is the text of a legal state. */
    Random random = scene->random;
    bytes[random_below(&random, text.length)] = (char)(1 + random_below(&random, 255));
    status = scene->game->text.parse_state(scene->rules, bytes, &read);
    if (status_is_ok(&status)) {
        status = scene->game->tree.check(scene->rules, &read);
        if (!status_is_ok(&status))
            return contract_broken(scene, "a changed text reads as a state that fails its check");
    } else if (status.message[0] == '\0') {
        return contract_broken(scene, "a text is rejected without a message");
    }
    return status_ok();
}

/* What a move is called in a language reads back, whatever language the errors are in. */
static Status check_move_text(const ContractScene *scene, Move move, Lang lang) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    scene->game->text.print_move(scene->rules, &scene->state, move, lang, &text);
    if (text.truncated || text.length == 0)
        return contract_broken(scene, "the text of a move is empty or too long");
    Move read;
    Status status =
        scene->game->text.parse_move(scene->rules, &scene->state, bytes, LANG_EN, &read);
    if (!status_is_ok(&status))
        return contract_broken(scene, "the text of a move does not read back");
    if (read != move)
        return contract_broken(scene, "the text of a move reads back as another move");
    return status;
}

static Status check_move(const ContractScene *scene, Move move) {
    char story[GAME_DRAW_BYTES];
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        Status status = check_move_text(scene, move, (Lang)lang);
        if (!status_is_ok(&status))
            return status;
        Text text = text_over(story, sizeof story);
        scene->game->text.narrate(scene->rules, &scene->state, move, (Lang)lang, &text);
        if (text.truncated || text.length == 0)
            return contract_broken(scene, "the narration of a move is empty or too long");
    }

    State next = scene->state;
    scene->game->tree.apply(scene->rules, &next, move);
    Status status = scene->game->tree.check(scene->rules, &next);
    if (!status_is_ok(&status))
        return contract_broken(scene, "a move leads to a state that fails its check");
    State again = scene->state;
    scene->game->tree.apply(scene->rules, &again, move);
    if (!contract_same_state(&next, &again))
        return contract_broken(scene, "the same move leads to two different states");
    return status_ok();
}

/* Moves that are legal at some other state of the game, and not here, are refused as text. */
static Status check_foreign_moves(const ContractScene *scene, const Move moves[], size_t count) {
    for (size_t i = 0; i < scene->foreign_count; i++) {
        Move read;
        Status status = scene->game->text.parse_move(scene->rules, &scene->state, scene->foreign[i],
                                                     LANG_EN, &read);
        bool listed = false;
        for (size_t j = 0; j < count; j++)
            listed = listed || (status_is_ok(&status) && moves[j] == read);
        if (status_is_ok(&status) && !listed)
            return contract_broken(scene, "a move of another state is taken");
    }
    return status_ok();
}

/* Keeps the text of a move for later states. */
static void remember_foreign(ContractScene *scene, Move move) {
    size_t at = scene->foreign_count < CONTRACT_FOREIGN_MOVES
                    ? scene->foreign_count++
                    : random_below(&scene->random, CONTRACT_FOREIGN_MOVES);
    Text text = text_over(scene->foreign[at], GAME_TEXT_BYTES);
    scene->game->text.print_move(scene->rules, &scene->state, move, LANG_EN, &text);
}

static Status check_refusals(ContractScene *scene, const Move moves[], size_t count) {
    static const char *const nonsense[] = {"",
                                           "?",
                                           "zzz",
                                           "-1",
                                           "99999999999999999999",
                                           "\xff\xfe",
                                           "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1"};
    Move read;
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        for (int lang = 0; lang < LANG_COUNT; lang++) {
            Status status = scene->game->text.parse_move(scene->rules, &scene->state, nonsense[i],
                                                         (Lang)lang, &read);
            if (status_is_ok(&status))
                return contract_broken(scene, "nonsense reads as a move");
            if (status.message[0] == '\0')
                return contract_broken(scene, "a move is rejected without a message");
        }
    }
    for (int i = 0; i < 4; i++) {
        Move move = (Move)(random_next(&scene->random) >> (random_next(&scene->random) % 64));
        bool listed = false;
        for (size_t j = 0; j < count; j++)
            listed = listed || moves[j] == move;
        State state = scene->state;
        Status status = variant_play(scene->variant, &state, move);
        if (status_is_ok(&status) != listed)
            return contract_broken(scene, listed ? "a listed move is refused"
                                                 : "an illegal move is taken");
        if (!listed && !contract_same_state(&state, &scene->state))
            return contract_broken(scene, "a refused move changes the state");
    }
    return status_ok();
}

static Status check_drawing(const ContractScene *scene) {
    char bytes[GAME_DRAW_BYTES];
    for (unsigned i = 0; i < 8u * LANG_COUNT; i++) {
        DrawStyle style = {.color = (i & 1u) != 0,
                           .ascii = (i & 2u) != 0,
                           .numbers = (i & 4u) != 0,
                           .lang = (Lang)(i / 8),
                           .columns = i < 8 ? 80 : 24};
        Text text = text_over(bytes, sizeof bytes);
        scene->game->text.draw(scene->rules, &scene->state, style, &text);
        if (text.truncated || text.length == 0)
            return contract_broken(scene, "a drawn board is empty or too long");
        if (!style.color && strchr(bytes, '\x1b'))
            return contract_broken(scene, "a board without color has color");
        if (style.ascii && style.lang == LANG_EN)
            for (const char *at = bytes; *at; at++)
                if ((unsigned char)*at >= 0x80u)
                    return contract_broken(scene, "an ASCII board is not ASCII");
    }
    return status_ok();
}

/* Lists the moves or chance events, checks the list, and picks one by chance. */
static Status check_choices(ContractScene *scene, Move *picked) {
    const Game *game = scene->game;
    /* A list that is longer than promised is noticed here before it does harm elsewhere. */
    Move moves[GAME_MOVES_MAX + SPARE];
    size_t count;
    if (game->tree.actor(scene->rules, &scene->state) == GAME_CHANCE) {
        Chance chances[GAME_CHANCES_MAX + SPARE];
        uint64_t denominator = 0;
        uint64_t sum = 0;
        count = game->tree.chances(scene->rules, &scene->state, chances, &denominator);
        for (size_t i = 0; i < count; i++) {
            moves[i] = chances[i].move;
            sum += chances[i].weight;
            if (chances[i].weight == 0)
                return contract_broken(scene, "a chance event has no weight");
        }
        if (count > GAME_CHANCES_MAX)
            return contract_broken(scene, "more chance events than promised");
        if (count == 0 || sum != denominator)
            return contract_broken(scene, "the chance weights do not sum to the denominator");
    } else {
        count = game->tree.moves(scene->rules, &scene->state, moves);
        if (count == 0)
            return contract_broken(scene, "a player has no move");
        if (count > GAME_MOVES_MAX)
            return contract_broken(scene, "more moves than promised");
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (moves[i] == moves[j])
                return contract_broken(scene, "a move is listed twice");
    for (size_t i = 0; i < count; i++) {
        if (game->move_ids && moves[i] >= game->move_ids->bound(scene->rules))
            return contract_broken(scene, "a move is not below the bound of the moves");
        Status status = check_move(scene, moves[i]);
        if (!status_is_ok(&status))
            return status;
    }
    *picked = moves[random_below(&scene->random, count)];
    Status status = check_foreign_moves(scene, moves, count);
    if (status_is_ok(&status))
        status = check_refusals(scene, moves, count);
    remember_foreign(scene, moves[random_below(&scene->random, count)]);
    return status;
}

static Status check_end(const ContractScene *scene) {
    double payoffs[GAME_PLAYERS_MAX];
    scene->game->tree.payoff(scene->rules, &scene->state, payoffs);
    for (int i = 0; i < scene->game->rules.player_count(scene->rules); i++)
        if (!isfinite(payoffs[i]))
            return contract_broken(scene, "a payoff is not a number");
    char bytes[GAME_DRAW_BYTES];
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        Text text = text_over(bytes, sizeof bytes);
        scene->game->text.narrate_end(scene->rules, &scene->state, (Lang)lang, &text);
        if (text.truncated || text.length == 0)
            return contract_broken(scene, "the narration of the end is empty or too long");
    }
    Move read;
    Status status = scene->game->text.parse_move(scene->rules, &scene->state, "1", LANG_EN, &read);
    if (status_is_ok(&status) || variant_allows(scene->variant, &scene->state, 1))
        return contract_broken(scene, "a move is possible after the end");
    return status_ok();
}

static Status check_one_state(ContractScene *scene, Move *picked) {
    const Game *game = scene->game;
    int players = game->rules.player_count(scene->rules);
    int actor = game->tree.actor(scene->rules, &scene->state);
    int turn = game->tree.turn(scene->rules, &scene->state);
    if (actor < GAME_END || actor >= players || turn < 0 || turn >= players ||
        (actor >= 0 && turn != actor))
        return contract_broken(scene, "a state has no actor");
    if (actor == GAME_CHANCE && game->tree.is_deterministic)
        return contract_broken(scene, "chance in a game that has none");
    Status status = game->tree.check(scene->rules, &scene->state);
    if (!status_is_ok(&status))
        return contract_broken(scene, "a state fails its own check");
    status = check_state_text(scene);
    if (status_is_ok(&status))
        status = check_drawing(scene);
    /* The lists of moves are checked before the parts, which rely on them. */
    if (status_is_ok(&status))
        status = actor == GAME_END ? check_end(scene) : check_choices(scene, picked);
    if (status_is_ok(&status))
        status = contract_check_parts(scene);
    return status;
}

Status contract_check(const Variant *variant, uint64_t seed, int games, int steps_max, int *ended) {
    int ends = 0;
    Status fixed = contract_check_fixed_parts(variant);
    if (!status_is_ok(&fixed))
        return fixed;
    for (int i = 0; i < games; i++) {
        ContractScene scene = {.variant = variant,
                               .game = variant->game,
                               .rules = &variant->rules,
                               .state = variant->game->tree.start(&variant->rules),
                               .random = random_from_seed(seed, (uint64_t)i)};
        for (int step = 0; step < steps_max; step++) {
            Move picked = 0;
            Status status = check_one_state(&scene, &picked);
            if (!status_is_ok(&status))
                return status;
            if (scene.game->tree.actor(scene.rules, &scene.state) == GAME_END) {
                ends++;
                break;
            }
            scene.game->tree.apply(scene.rules, &scene.state, picked);
        }
    }
    if (ended)
        *ended = ends;
    return status_ok();
}
