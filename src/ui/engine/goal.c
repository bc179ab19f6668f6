/* What `go` asks for: limits of depth, nodes and time. */
#include <string.h>

#include "base/number.h"
#include "ui/engine/engine.h"

enum { MS_MAX = 1000000000 };

/* What a clock has left, and what each move adds to it. */
typedef struct Clock {
    bool is_given;
    uint64_t left_ms, increment_ms;
} Clock;

/* Whose clock a word such as `p1time` or `p1inc` is about. */
typedef struct ClockName {
    int player;
    bool is_increment;
} ClockName;

static bool read_clock_name(const char *word, int players, ClockName *name) {
    if (word[0] != 'p' || word[1] < '1' || word[1] >= '1' + players)
        return false;
    name->player = word[1] - '1';
    name->is_increment = strcmp(word + 2, "inc") == 0;
    return name->is_increment || strcmp(word + 2, "time") == 0;
}

/* A clock may have run out: match runners that allow some delay send 0 or less. */
static Status read_clock(const char *word, const char *value, ClockName name, Clock clocks[]) {
    bool has_run_out = value[0] == '-' && !name.is_increment;
    uint64_t ms;
    Status status = number_parse(word, value + has_run_out, 0, MS_MAX, &ms);
    if (!status_is_ok(&status))
        return status;
    Clock *clock = &clocks[name.player];
    if (name.is_increment) {
        clock->increment_ms = ms;
    } else {
        clock->left_ms = has_run_out ? 0 : ms;
        clock->is_given = true;
    }
    return status;
}

/* The milliseconds of a clock to spend on this move. */
static double share_of_clock(const Clock *clock) {
    const double spare_ms = 50; /* for what lies between the engine and the clock */
    double share = (double)clock->left_ms / 20 + 0.8 * (double)clock->increment_ms;
    double most = (double)clock->left_ms - spare_ms;
    if (share > most)
        share = most;
    return share > 1 ? share : 1;
}

/* The seconds to think, so that the answer arrives within `ms`. */
static double seconds_within(uint64_t ms) {
    const double spare_ms = 5; /* for the way of the answer */
    double think_ms = (double)ms > 2 * spare_ms ? (double)ms - spare_ms : (double)ms / 2;
    return (think_ms > 0.5 ? think_ms : 0.5) / 1000;
}

/* Reads one limit and its value. */
static Status read_limit(const char *word, const char *value, int players, Clock clocks[],
                         EngineGoal *goal) {
    ClockName name;
    uint64_t number = 0;
    Status status;
    if (read_clock_name(word, players, &name))
        return read_clock(word, value, name, clocks);
    if (strcmp(word, "depth") == 0) {
        status = number_parse(word, value, 1, SEARCH_DEPTH_MAX, &number);
        goal->depth = (int)number;
    } else if (strcmp(word, "nodes") == 0) {
        status = number_parse(word, value, 1, UINT64_MAX / 2, &number);
        goal->nodes = number;
    } else if (strcmp(word, "movetime") == 0) {
        status = number_parse(word, value, 0, MS_MAX, &number);
        goal->seconds = seconds_within(number);
    } else {
        status = status_make(STATUS_USAGE, "go: unknown limit %s", quote(word).text);
    }
    return status;
}

Status engine_read_goal(const Variant *variant, int player, char *const words[], size_t count,
                        EngineGoal *goal) {
    Clock clocks[GAME_PLAYERS_MAX] = {{0}};
    int players = variant->game->rules.player_count(&variant->rules);
    bool has_clocks = false;
    *goal = (EngineGoal){.infinite = count == 0};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], "infinite") == 0) {
            goal->infinite = true;
            continue;
        }
        if (i + 1 == count)
            return status_make(STATUS_USAGE, "go: unknown or incomplete %s", quote(words[i]).text);
        Status status = read_limit(words[i], words[i + 1], players, clocks, goal);
        if (!status_is_ok(&status))
            return status;
        has_clocks |= words[i][0] == 'p';
        i++;
    }
    if (has_clocks && !clocks[player].is_given)
        return status_make(STATUS_USAGE, "go: expected p%dtime, the clock of the player who moves",
                           player + 1);
    if (has_clocks && goal->seconds == 0)
        goal->seconds = share_of_clock(&clocks[player]) / 1000;
    return status_ok();
}
