/* Every game contributes results from its parts: path counts, random games and values of its
 * examples; searches of fixed depth; checksums of the tables that are solved within seconds; and
 * matches between all players that can play it. The tables are written to a temporary folder. */
#include "ui/cli/signature.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "game/resolve.h"
#include "game/search.h"
#include "game/stored.h"
#include "play/match.h"
#include "play/rating.h"
#include "ui/cli/stop.h"
#include "values/evaluate.h"
#include "values/perft.h"
#include "values/playout.h"
#include "values/policy.h"
#include "values/store.h"

enum {
    SEED = 1,
    PERFT_PATHS_MAX = 20000, /* stop after the first depth with more paths */
    PERFT_DEPTH_MAX = 30,
    PLAYOUT_GAMES = 200,
    SEARCH_DEPTH = 6,
    MATCH_PAIRS = 5,
    MATCH_OPENING = 4, /* only in games without chance */
    RATING_POSITIONS = 20
};

typedef struct Signature {
    SolveLimits limits;
    char folder[PATH_MAX]; /* where the tables are written */
    uint64_t hash;         /* FNV-1a of all lines so far */
} Signature;

/* A variant of a game, and its options as printed in a line. */
typedef struct Subject {
    Variant variant;
    const char *options;
} Subject;

/* --- lines --- */

__attribute__((format(printf, 2, 3))) static void print_line(Signature *signature,
                                                             const char *format, ...) {
    char line[4 * GAME_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    puts(line);
    for (const char *c = line;; c++) {
        signature->hash = (signature->hash ^ (*c ? (unsigned char)*c : '\n')) * 0x100000001b3u;
        if (!*c)
            return;
    }
}

/* "yut --pieces 1" */
static const char *name_subject(const Subject *subject, char name[GAME_TEXT_BYTES]) {
    Text text = text_over(name, GAME_TEXT_BYTES);
    text_addf(&text, "%s%s%s", subject->variant.game->identity.name, subject->options[0] ? " " : "",
              subject->options);
    return name;
}

static Status find_subject(const Game *game, const char *options, Subject *subject) {
    subject->options = options;
    return variant_parse(game, options, &subject->variant);
}

/* Whether the status means that the result does not exist, rather than that something failed. */
static bool is_absent(const Status *status) {
    return status->code == STATUS_UNSUPPORTED || status->code == STATUS_TABLE;
}

/* --- positions --- */

static void print_perft(Signature *signature, const Subject *subject, const State *state,
                        const char *position) {
    char name[GAME_TEXT_BYTES];
    uint64_t paths = 1;
    int depth = 0;
    /* Until there are many paths or all games have ended. */
    while (paths <= PERFT_PATHS_MAX && depth < PERFT_DEPTH_MAX) {
        uint64_t longer = perft_count(&subject->variant, state, depth + 1);
        if (longer == 0)
            break;
        paths = longer;
        depth++;
    }
    print_line(signature, "perft %s \"%s\" %d: %" PRIu64, name_subject(subject, name), position,
               depth, paths);
}

static Status print_search(Signature *signature, const Subject *subject, const State *state,
                           const char *position) {
    const Variant *variant = &subject->variant;
    const SearchBudget budget = {
        .depth = SEARCH_DEPTH, .threads = 1, .stop = signature->limits.stop};
    char name[GAME_TEXT_BYTES], move[GAME_TEXT_BYTES];
    SearchResult result;
    Search *search;
    if (!variant->game->search || variant->game->tree.actor(&variant->rules, state) == GAME_END)
        return status_ok();
    Status status = variant->game->search->open(&variant->rules, &signature->limits, &search);
    if (!status_is_ok(&status))
        return status;
    search->think(search, state, &budget, &result);
    search->free(search);
    Text text = text_over(move, sizeof move);
    variant->game->text.print_move(&variant->rules, state, result.line[0], LANG_EN, &text);
    print_line(signature, "search %s \"%s\" depth %d: %s%.9f %s, %" PRIu64 " nodes",
               name_subject(subject, name), position, SEARCH_DEPTH, result.is_proven ? "" : "~",
               result.value, move, result.nodes);
    return status;
}

/* Prints the value to each player and the best move; an estimate is marked with `~`. Omits values
 * that come from a search with a time limit. */
static Status print_value(Signature *signature, const Subject *subject, const State *state,
                          const char *position) {
    static Evaluation evaluation;
    const Variant *variant = &subject->variant;
    char name[GAME_TEXT_BYTES], values[GAME_TEXT_BYTES];
    Text text = text_over(values, sizeof values);
    Solver *solver;
    Status status = values_open(variant, VALUES_ANY, &signature->limits, &solver, NULL);
    if (!status_is_ok(&status))
        return is_absent(&status) ? status_ok() : status;
    bool is_timed = solver->kind == VALUE_PROVEN;
    if (!is_timed)
        status = evaluate_state(variant, solver, state, &evaluation);
    solver->free(solver);
    if (is_timed || !status_is_ok(&status))
        return status;
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        text_addf(&text, " %s%.6f", evaluation.kind == VALUE_ESTIMATE ? "~" : "",
                  evaluation.values[i]);
    if (evaluation.move_count > 0) {
        text_add_char(&text, ' ');
        variant->game->text.print_move(&variant->rules, state, evaluation.moves[0].move, LANG_EN,
                                       &text);
    }
    print_line(signature, "value %s \"%s\":%s", name_subject(subject, name), position, values);
    return status;
}

static Status print_position(Signature *signature, const Game *game, const GameExample *example) {
    Subject subject;
    State state;
    Status status = find_subject(game, example->options, &subject);
    if (status_is_ok(&status))
        status = game->text.parse_state(&subject.variant.rules, example->position, &state);
    if (!status_is_ok(&status))
        return status;
    print_perft(signature, &subject, &state, example->position);
    status = print_search(signature, &subject, &state, example->position);
    return status_is_ok(&status) ? print_value(signature, &subject, &state, example->position)
                                 : status;
}

/* --- variants --- */

static Status print_table(Signature *signature, const Subject *subject) {
    char name[GAME_TEXT_BYTES], path[PATH_MAX];
    Table *table;
    Status status = store_path(signature->folder, &subject->variant, path);
    if (status_is_ok(&status))
        status = store_solve(path, &subject->variant, &signature->limits);
    if (status_is_ok(&status))
        status = store_open(path, &subject->variant, &table);
    if (!status_is_ok(&status))
        return status;
    const TableInfo *info = table_info(table);
    print_line(signature, "table %s: %" PRIu64 " positions, error %.3g, checksum %016" PRIx64,
               name_subject(subject, name), info->count, info->error, info->content);
    table_close(table);
    return status;
}

static Status print_playout(Signature *signature, const Subject *subject) {
    const PlayoutPlan plan = {.games = PLAYOUT_GAMES, .seed = SEED};
    char name[GAME_TEXT_BYTES];
    PlayoutStats *stats;
    Status status = playout_run(&subject->variant, &plan, &signature->limits, &stats);
    if (!status_is_ok(&status))
        return status;
    print_line(signature,
               "playout %s: %d games, %" PRIu64 " moves of %" PRIu64 ", %" PRIu64
               " chance events, payoff %.9f",
               name_subject(subject, name), PLAYOUT_GAMES, stats->moves, stats->branches,
               stats->events, stats->payoffs[0]);
    free(stats);
    return status;
}

/* Lists the computer players in order, each at its first level. */
static size_t list_seats(Seat seats[], size_t capacity) {
    size_t count = 0;
    for (size_t i = 0; i < player_kind_count() && count < capacity; i++) {
        const PlayerKind *kind = player_kind_at(i);
        if (!kind->open)
            continue;
        seats[count] = (Seat){.kind = kind};
        if (kind->levels)
            snprintf(seats[count].setting, sizeof seats[count].setting, "%s", kind->levels[0]);
        count++;
    }
    return count;
}

static Status print_match(Signature *signature, const Subject *subject, const Seat *first,
                          const Seat *second) {
    const Variant *variant = &subject->variant;
    const MatchPlan plan = {.players = {*first, *second},
                            .pairs = MATCH_PAIRS,
                            .seed = SEED,
                            .opening = variant->game->tree.is_deterministic ? MATCH_OPENING : 0};
    char name[GAME_TEXT_BYTES], seats[GAME_TEXT_BYTES];
    Text text = text_over(seats, sizeof seats);
    MatchResult result;
    Status status = match_run(variant, &plan, &signature->limits, &result);
    if (!status_is_ok(&status))
        return status;
    seat_print(first, &text);
    text_add_char(&text, ' ');
    seat_print(second, &text);
    print_line(signature, "match %s %s: %.1f of %" PRIu64 " games, %" PRIu64 " steps",
               name_subject(subject, name), seats, result.points, result.games, result.steps);
    return status;
}

static Status print_rating(Signature *signature, const Subject *subject, const Seat *seat) {
    const RatingPlan plan = {.player = *seat, .positions = RATING_POSITIONS, .seed = SEED};
    char name[GAME_TEXT_BYTES], player[GAME_TEXT_BYTES];
    Text text = text_over(player, sizeof player);
    Rating rating;
    Status status = rating_run(&subject->variant, &plan, &signature->limits, &rating);
    if (!status_is_ok(&status))
        return status;
    seat_print(seat, &text);
    print_line(signature, "rate %s %s: %" PRIu64 " of %" PRIu64 " best, %.6f given away",
               name_subject(subject, name), player, rating.best, rating.positions,
               rating.given_away);
    return status;
}

/* Rates every player that can play the variant, and matches it against the previous one that
 * can. */
static Status print_players(Signature *signature, const Subject *subject) {
    enum { SEATS_MAX = 32 };
    Seat seats[SEATS_MAX];
    const Seat *before = NULL;
    size_t count = list_seats(seats, SEATS_MAX);
    for (size_t i = 0; i < count; i++) {
        Solver *solver = NULL;
        Player *player;
        Status status =
            seat_open(&seats[i], &subject->variant, &signature->limits, &solver, &player);
        if (status_is_ok(&status))
            player->free(player);
        if (solver)
            solver->free(solver);
        if (is_absent(&status))
            continue;
        if (status_is_ok(&status) && before)
            status = print_match(signature, subject, &seats[i], before);
        if (status_is_ok(&status) || is_absent(&status))
            status = print_rating(signature, subject, &seats[i]);
        if (!status_is_ok(&status) && !is_absent(&status))
            return status;
        before = &seats[i];
    }
    return status_ok();
}

static Status print_game(Signature *signature, const Game *game) {
    static const char *const none[] = {NULL};
    const char *const *quick = game->stored ? game->stored->quick_variants : none;
    Subject subject;
    Status status = find_subject(game, "", &subject);
    for (const char *const *options = quick; *options && status_is_ok(&status); options++) {
        status = find_subject(game, *options, &subject);
        if (status_is_ok(&status))
            status = print_table(signature, &subject);
        if (status_is_ok(&status))
            status = print_players(signature, &subject);
    }
    if (status_is_ok(&status))
        status = find_subject(game, "", &subject);
    if (status_is_ok(&status))
        status = print_playout(signature, &subject);
    if (status_is_ok(&status))
        status = print_players(signature, &subject);
    for (size_t i = 0; i < game->identity.example_count && status_is_ok(&status); i++)
        status = print_position(signature, game, &game->identity.examples[i]);
    return status;
}

/* --- the whole signature --- */

static Status make_folder(Signature *signature) {
    const char *parent = getenv("TMPDIR");
    Text text = text_over(signature->folder, sizeof signature->folder);
    text_addf(&text, "%s/malpan-signature-XXXXXX", parent && *parent ? parent : "/tmp");
    if (text.truncated || !mkdtemp(signature->folder))
        return status_make(STATUS_FAILED, "cannot make the folder %s: %s",
                           quote(signature->folder).text, strerror(errno));
    signature->limits.tables = signature->folder;
    return status_ok();
}

static void remove_folder(const Signature *signature) {
    DIR *folder = opendir(signature->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        (void)unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    (void)rmdir(signature->folder);
}

Status signature_print(Cli *cli) {
    Signature signature = {.limits = {.memory_bytes = (size_t)1 << 30,
                                      .threads = cli->threads,
                                      .stop = stop_on_signals()},
                           .hash = 0xcbf29ce484222325u};
    Status status = make_folder(&signature);
    if (!status_is_ok(&status))
        return status;
    for (size_t i = 0; i < registry_count() && status_is_ok(&status); i++)
        if (!cli->variant.game || cli->variant.game == registry_at(i))
            status = print_game(&signature, registry_at(i));
    remove_folder(&signature);
    if (status_is_ok(&status))
        printf("signature %016" PRIx64 "\n", signature.hash);
    return stop_without_resuming(status);
}
