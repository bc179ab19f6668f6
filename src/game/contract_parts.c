/* The promises of the optional parts. Each check returns at once if the game lacks the part. */
#include <math.h>
#include <stdlib.h>

#include "game/benches.h"
#include "game/cells.h"
#include "game/census.h"
#include "game/commands.h"
#include "game/contract_scene.h"
#include "game/endings.h"
#include "game/estimate.h"
#include "game/inputs.h"
#include "game/learning.h"
#include "game/line_text.h"
#include "game/move_score.h"
#include "game/outcomes.h"
#include "game/paths.h"
#include "game/perft.h"
#include "game/repetition.h"
#include "game/sampler.h"
#include "game/search.h"
#include "game/solver.h"
#include "game/stored.h"

/* --- parts that make promises about a state --- */

/* An estimate is the same with memory of the last state, here of itself. */
static Status check_estimate_near(const ContractScene *scene, const double estimates[]) {
    const GameEstimate *estimate = scene->game->estimate;
    size_t size = (estimate->memory_bytes + 63) / 64 * 64;
    if (!estimate->values_near)
        return status_ok();
    void *memory = aligned_alloc(64, size);
    if (!memory)
        return status_make(STATUS_FAILED, "out of memory");
    memset(memory, 0, size);
    bool same = true;
    for (int time = 0; time < 2; time++) {
        double near[GAME_PLAYERS_MAX];
        estimate->values_near(memory, scene->rules, &scene->state, near);
        for (int i = 0; i < scene->game->rules.player_count(scene->rules); i++)
            same = same && near[i] == estimates[i];
    }
    free(memory);
    return same ? status_ok() : contract_broken(scene, "an estimate depends on the one before");
}

/* An estimate is finite, and the payoff at the end, where it has no error. */
static Status check_estimate(const ContractScene *scene) {
    const Game *game = scene->game;
    double estimates[GAME_PLAYERS_MAX], payoffs[GAME_PLAYERS_MAX];
    if (!game->estimate)
        return status_ok();
    game->estimate->values(scene->rules, &scene->state, estimates);
    bool over = game->tree.actor(scene->rules, &scene->state) == GAME_END;
    if (over)
        game->tree.payoff(scene->rules, &scene->state, payoffs);
    for (int i = 0; i < game->rules.player_count(scene->rules); i++) {
        if (!isfinite(estimates[i]))
            return contract_broken(scene, "an estimate is not a number");
        if (over && estimates[i] != payoffs[i])
            return contract_broken(scene, "the estimate of an ended game is not its payoff");
    }
    double error = game->estimate->typical_error
                       ? game->estimate->typical_error(scene->rules, &scene->state)
                       : 0;
    if (!isfinite(error) || error < 0 || (over && error != 0))
        return contract_broken(scene, "the typical error of an estimate is not a distance");
    return check_estimate_near(scene, estimates);
}

/* A normalized state has the same actor and the same moves; normalizing twice changes nothing. */
static Status check_repetition(const ContractScene *scene) {
    const Game *game = scene->game;
    if (!game->repetition)
        return status_ok();
    State normal = scene->state;
    game->repetition->normalize(scene->rules, &normal);
    State again = normal;
    game->repetition->normalize(scene->rules, &again);
    if (!contract_same_state(&normal, &again))
        return contract_broken(scene, "a state normalized twice is another");
    int actor = game->tree.actor(scene->rules, &scene->state);
    if (game->tree.actor(scene->rules, &normal) != actor)
        return contract_broken(scene, "normalizing changes whose turn it is");
    if (actor < 0)
        return status_ok();
    Move moves[GAME_MOVES_MAX], same[GAME_MOVES_MAX];
    size_t count = game->tree.moves(scene->rules, &scene->state, moves);
    if (game->tree.moves(scene->rules, &normal, same) != count ||
        memcmp(moves, same, count * sizeof moves[0]) != 0)
        return contract_broken(scene, "a normalized state has other moves");
    return status_ok();
}

/* A path fits its buffer and consists of names separated by single spaces. */
static Status check_paths(const ContractScene *scene) {
    const Game *game = scene->game;
    Move steps[GAME_MOVES_MAX];
    if (!game->paths)
        return status_ok();
    size_t count = variant_steps(scene->variant, &scene->state, steps);
    for (size_t i = 0; i < count; i++) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        game->paths->trace(scene->rules, &scene->state, steps[i], &text);
        bool neat = text.length == 0 ||
                    (bytes[0] != ' ' && bytes[text.length - 1] != ' ' && !strstr(bytes, "  "));
        if (text.truncated || !neat)
            return contract_broken(scene, "a path is not squares separated by spaces");
    }
    return status_ok();
}

/* A board fits the least room there can be; the spots of a move and of a path are on it. */
static Status check_spots(const ContractScene *scene, const CellBoard *board, const char *names) {
    enum { NAMES_MAX = GAME_TEXT_BYTES / 2 };
    char storage[GAME_TEXT_BYTES];
    char *words[NAMES_MAX];
    size_t count = text_split(names, storage, sizeof storage, words, NAMES_MAX);
    for (size_t i = 0; i < count; i++)
        if (cells_find_spot(board, words[i]) < 0)
            return contract_broken(scene, "a move passes a square that is not on the board");
    return status_ok();
}

static Status check_cells(const ContractScene *scene) {
    const Game *game = scene->game;
    static const CellStyle rooms[] = {
        {.rows = CELLS_ROWS_MAX, .columns = CELLS_COLUMNS_MAX, .numbers = true},
        {.rows = 20, .columns = 48},
        {.rows = CELLS_ROWS_LEAST, .columns = CELLS_COLUMNS_LEAST}};
    CellBoard board;
    Move steps[GAME_MOVES_MAX];
    if (!game->cells)
        return status_ok();
    enum { ROOMS = sizeof rooms / sizeof rooms[0], SAMPLE = 16 };
    /* The least room, where all spots must be, at every state; the others at some of them. */
    Random random = scene->random;
    for (size_t i = random_below(&random, SAMPLE) == 0 ? 0 : ROOMS - 1; i < ROOMS; i++) {
        cells_clear(&board);
        game->cells->draw(scene->rules, &scene->state, rooms[i], &board);
        if (board.rows > rooms[i].rows || board.columns > rooms[i].columns)
            return contract_broken(scene, "the board is larger than its room");
    }
    size_t count = variant_steps(scene->variant, &scene->state, steps);
    bool has_moves = game->tree.actor(scene->rules, &scene->state) >= 0;
    Status status = status_ok();
    for (size_t i = 0; i < count && status_is_ok(&status); i++) {
        char picks[GAME_TEXT_BYTES], path[GAME_TEXT_BYTES];
        Text picks_text = text_over(picks, sizeof picks), path_text = text_over(path, sizeof path);
        if (has_moves)
            game->cells->picks(scene->rules, &scene->state, steps[i], &picks_text);
        if (game->paths)
            game->paths->trace(scene->rules, &scene->state, steps[i], &path_text);
        status = check_spots(scene, &board, picks);
        if (status_is_ok(&status))
            status = check_spots(scene, &board, path);
    }
    return status;
}

static Status check_move_score(const ContractScene *scene) {
    const Game *game = scene->game;
    Move moves[GAME_MOVES_MAX];
    if (!game->move_score || game->tree.actor(scene->rules, &scene->state) < 0)
        return status_ok();
    size_t count = game->tree.moves(scene->rules, &scene->state, moves);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(game->move_score->score(scene->rules, &scene->state, moves[i])))
            return contract_broken(scene, "the score of a move is not a number");
    return status_ok();
}

/* The sampler picks the move that random_below picks from the list. */
static Status check_sampler(const ContractScene *scene) {
    const Game *game = scene->game;
    Move moves[GAME_MOVES_MAX], picked = 0;
    if (!game->sampler || game->tree.actor(scene->rules, &scene->state) < 0)
        return status_ok();
    Random random = scene->random, twin = scene->random;
    size_t count = game->tree.moves(scene->rules, &scene->state, moves);
    Move expected = moves[random_below(&random, count)];
    if (game->sampler->pick(scene->rules, &scene->state, &twin, &picked) != count ||
        picked != expected)
        return contract_broken(scene, "the sampled move is not the one picked from the list");
    return status_ok();
}

static uint64_t count_paths(const Variant *variant, const State *state, int depth) {
    Move steps[GAME_MOVES_MAX];
    size_t count = variant_steps(variant, state, steps);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        variant->game->tree.apply(&variant->rules, &next, steps[i]);
        sum += depth > 1 ? count_paths(variant, &next, depth - 1) : 1;
    }
    return sum;
}

/* The fast counter agrees with counting through the tree. */
static Status check_perft(const ContractScene *scene) {
    enum { DEPTH = 2 };
    if (!scene->game->perft)
        return status_ok();
    if (scene->game->perft->count(scene->rules, &scene->state, 0) != 1)
        return contract_broken(scene, "there is not exactly one path of length 0");
    for (int depth = 1; depth <= DEPTH; depth++)
        if (scene->game->perft->count(scene->rules, &scene->state, depth) !=
            count_paths(scene->variant, &scene->state, depth))
            return contract_broken(scene, "the perft count differs from the tree's");
    return status_ok();
}

static Status check_endings(const ContractScene *scene) {
    const Game *game = scene->game;
    if (!game->endings || game->tree.actor(scene->rules, &scene->state) != GAME_END)
        return status_ok();
    if (game->endings->count > GAME_ENDINGS_MAX ||
        game->endings->classify(scene->rules, &scene->state) >= game->endings->count)
        return contract_broken(scene, "an ending of no known kind");
    return status_ok();
}

/* Payoffs decode as wins and losses that are over, and a move delays the end by one ply. */
static Status check_outcomes(const ContractScene *scene) {
    const Game *game = scene->game;
    double payoffs[GAME_PLAYERS_MAX];
    if (!game->outcomes || game->tree.actor(scene->rules, &scene->state) != GAME_END)
        return status_ok();
    game->tree.payoff(scene->rules, &scene->state, payoffs);
    for (int i = 0; i < game->rules.player_count(scene->rules); i++) {
        Outcome end = game->outcomes->decode(payoffs[i]);
        Outcome before = game->outcomes->decode(game->outcomes->before_move(payoffs[i]));
        if (end.kind == OUTCOME_ENDLESS || end.plies != 0)
            return contract_broken(scene, "the payoff of an ended game is not an outcome in 0");
        if (before.kind != end.kind || before.plies != 1)
            return contract_broken(scene, "the outcome before the last move is not in 1 ply");
    }
    return status_ok();
}

/* A move in a line is worded in every language. */
static Status check_line_text(const ContractScene *scene) {
    const Game *game = scene->game;
    Move moves[GAME_MOVES_MAX];
    if (!game->line_text || game->tree.actor(scene->rules, &scene->state) < 0)
        return status_ok();
    game->tree.moves(scene->rules, &scene->state, moves);
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        char bytes[GAME_DRAW_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        game->line_text->narrate(scene->rules, &scene->state, moves, 1, (Lang)lang, &text);
        if (text.truncated || text.length == 0)
            return contract_broken(scene, "a move of a line has no text, or too much");
    }
    return status_ok();
}

Status contract_check_parts(const ContractScene *scene) {
    static Status (*const checks[])(const ContractScene *) = {
        check_estimate, check_repetition, check_paths,   check_cells,    check_move_score,
        check_sampler,  check_perft,      check_endings, check_outcomes, check_line_text};
    Status status = status_ok();
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status_is_ok(&status); i++)
        status = checks[i](scene);
    return status;
}

/* --- parts that make promises about a variant --- */

static Status broken_part(const Variant *variant, const char *promise) {
    return status_make(STATUS_FAILED, "%s: %s", variant->game->identity.name, promise);
}

/* Of all placements some are legal, and of those some are in progress. Random placements are legal
 * about as often as the counts say: within six standard deviations. */
static Status check_census(const Variant *variant) {
    enum { DRAWS = 4096 };
    const GameCensus *census = variant->game->census;
    if (!census)
        return status_ok();
    double placements = (double)census->placements(&variant->rules);
    uint64_t legal = census->legal(&variant->rules);
    if (legal == 0 || (double)legal > placements || census->in_progress(&variant->rules) > legal)
        return broken_part(variant, "the census does not count subsets");
    Random random = random_from_seed(1, 0);
    int drawn = 0;
    for (int i = 0; i < DRAWS; i++)
        drawn += census->draw(&variant->rules, &random);
    double share = (double)legal / placements;
    if (fabs(drawn - DRAWS * share) > 6 * sqrt(DRAWS * share * (1 - share)) + 1)
        return broken_part(variant, "random placements are legal more or less often than counted");
    return status_ok();
}

/* Different inputs have different texts. */
static Status check_inputs(const Variant *variant) {
    const GameInputs *inputs = variant->game->inputs;
    if (!inputs)
        return status_ok();
    uint64_t count = inputs->count(&variant->rules);
    char first[GAME_TEXT_BYTES], last[GAME_TEXT_BYTES];
    Text text = text_over(first, sizeof first);
    if (count == 0)
        return broken_part(variant, "there are no inputs");
    inputs->print(&variant->rules, 0, &text);
    text = text_over(last, sizeof last);
    inputs->print(&variant->rules, count - 1, &text);
    if (!first[0] || text.truncated || (count > 1 && strcmp(first, last) == 0))
        return broken_part(variant, "the text of an input is empty, too long or not its own");
    return status_ok();
}

/* A search of one ply finds a legal move and a finite value. */
static Status check_search(const Variant *variant) {
    enum { MEMORY_BYTES = 1 << 22 };
    const Game *game = variant->game;
    if (!game->search)
        return status_ok();
    if (!game->tree.is_deterministic)
        return broken_part(variant, "a search needs a game without chance");
    SolveLimits limits = {.memory_bytes = MEMORY_BYTES, .threads = 1};
    SearchBudget budget = {.depth = 1, .threads = 1};
    SearchResult result = {.line_length = 0};
    Search *search;
    Status status = game->search->open(&variant->rules, &limits, &search);
    if (!status_is_ok(&status))
        return status;
    State start = game->tree.start(&variant->rules);
    search->think(search, &start, &budget, &result);
    search->free(search);
    if (result.line_length == 0 || !variant_allows(variant, &start, result.line[0]))
        return broken_part(variant, "a search of one ply finds no legal move");
    if (!isfinite(result.value))
        return broken_part(variant, "the value of a search is not a number");
    return status_ok();
}

/* A solver that refuses rules says why. */
static Status check_solver(const Variant *variant) {
    const GameSolver *solver = variant->game->solver;
    if (!solver)
        return status_ok();
    if (!solver->open)
        return broken_part(variant, "a solver that cannot be opened");
    Status status = solver->check ? solver->check(&variant->rules) : status_ok();
    if (!status_is_ok(&status) && status.message[0] == '\0')
        return broken_part(variant, "a solver refuses rules without a reason");
    return status_ok();
}

/* Where a variant can be stored, its cost is known beforehand and an error is aimed at. */
static Status check_stored(const Variant *variant) {
    const GameStored *stored = variant->game->stored;
    if (!stored)
        return status_ok();
    Status status = stored->check(&variant->rules);
    if (!status_is_ok(&status))
        return status.message[0] ? status_ok()
                                 : broken_part(variant, "a table is refused without a reason");
    SolveLimits limits = {.memory_bytes = SIZE_MAX / 2, .threads = 1};
    uint64_t memory = 0, disk = 0;
    double error = stored->usual_error(&variant->rules);
    status = stored->needs(&variant->rules, error, &limits, 1, &memory, &disk);
    if (!status_is_ok(&status) || memory == 0 || disk == 0 || !(error >= 0) || !stored->seconds ||
        !(stored->seconds(&variant->rules) > 0))
        return broken_part(variant, "the cost of a table is not known beforehand");
    if (!stored->quick_variants)
        return broken_part(variant, "no variants are named that are solved within seconds");
    return status_ok();
}

/* What can be learned is for an estimate, and it is known how long that takes. */
static Status check_learning(const Variant *variant) {
    const GameLearning *learning = variant->game->learning;
    if (!learning)
        return status_ok();
    Status status = learning->check(&variant->rules);
    if (!status_is_ok(&status))
        return status.message[0] ? status_ok()
                                 : broken_part(variant, "learning is refused without a reason");
    if (!variant->game->estimate)
        return broken_part(variant, "weights are learned that nothing uses");
    if (!learning->learn || !learning->measure || learning->usual_steps(&variant->rules) == 0)
        return broken_part(variant, "it is not known how long to learn, or how");
    return status_ok();
}

/* Commands have distinct names, and their examples call them. */
static Status check_commands(const Variant *variant) {
    const GameCommands *commands = variant->game->commands;
    for (size_t i = 0; commands && i < commands->count; i++) {
        const GameCommand *command = &commands->list[i];
        char prefix[GAME_TEXT_BYTES];
        Text text = text_over(prefix, sizeof prefix);
        text_addf(&text, "%s %s", variant->game->identity.name, command->name);
        for (size_t j = 0; j < i; j++)
            if (strcmp(commands->list[j].name, command->name) == 0)
                return broken_part(variant, "two commands have one name");
        for (const char *const *example = command->examples; *example; example++)
            if (strncmp(*example, prefix, text.length) != 0)
                return broken_part(variant, "an example of a command calls another");
        if (!command->run || !command->summary[0])
            return broken_part(variant, "a command does nothing, or says nothing");
    }
    return status_ok();
}

/* Benchmarks have a goal and name what bounds them. */
static Status check_benches(const Variant *variant) {
    const GameBenches *benches = variant->game->benches;
    for (size_t i = 0; benches && i < benches->count; i++) {
        const GameBench *bench = &benches->list[i];
        if (!bench->run || !(bench->goal_seconds > 0) || !bench->what[0] || !bench->limit[0])
            return broken_part(variant, "a benchmark without a goal or a limit");
    }
    return status_ok();
}

Status contract_check_fixed_parts(const Variant *variant) {
    static Status (*const checks[])(const Variant *) = {
        check_census, check_inputs,   check_search,   check_solver,
        check_stored, check_learning, check_commands, check_benches};
    Status status = status_ok();
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status_is_ok(&status); i++)
        status = checks[i](variant);
    return status;
}
