/* Optional part: learning the weights of the game's estimate (estimate.h) from exact values and
 * self-play. */
#ifndef MALPAN_GAME_LEARNING_H
#define MALPAN_GAME_LEARNING_H

#include "game/services.h"

typedef struct LearnJob {
    uint64_t seed;
    uint64_t steps; /* how long to learn */
    const SolveLimits *limits;
    const GameServices *services;
    const char *path;       /* of the weights */
    const char *checkpoint; /* where a stopped run saves its state; NULL: nowhere */
    double checkpoint_s;    /* roughly how many seconds of work a kill may lose */
    bool validate;          /* use the validation positions, by which networks are chosen,
                             * instead of the test positions */
} LearnJob;

enum { LEARN_ERRORS_MAX = 8 };

/* How far estimates are from the truth, on held-out positions of one kind. */
typedef struct LearnError {
    const char *what;               /* the kind of positions */
    uint64_t positions;             /* how many; 0: none were measured */
    double mean, rms;               /* of the distance from the truth, after a lookahead */
    double direct_mean, direct_rms; /* of the estimate itself */
} LearnError;

typedef struct LearnReport {
    uint64_t samples; /* that were learned from */
    uint64_t games;   /* of self-play */
    uint64_t bytes;   /* of the weights */
    uint64_t checksum;
    const char *exact; /* which exact values were used, in a few words */
    size_t error_count;
    LearnError errors[LEARN_ERRORS_MAX];
} LearnReport;

typedef struct GameLearning {
    /* Whether there is something to learn for these rules. */
    Status (*check)(const Rules *rules);
    /* How many steps the weights in the program have learned. */
    uint64_t (*usual_steps)(const Rules *rules);
    /* Learns the weights that estimate games by these rules, and writes them. The bytes depend on
     * the seed, the steps and the tables that exist, not on the number of threads or on stops. */
    Status (*learn)(const Rules *rules, const LearnJob *job, LearnReport *report);
    /* Measures the weights in the file job->path, or those in the program if it is NULL.
     * STATUS_TABLE says what is wrong with a file. */
    Status (*measure)(const Rules *rules, const LearnJob *job, LearnReport *report);
} GameLearning;

#endif
