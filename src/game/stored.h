/* How a game solves all positions of a variant and keeps them in a table (src/table): the optional
 * part of a Game behind `malpan solve`, `malpan verify` and everything that looks values up. */
#ifndef MALPAN_GAME_STORED_H
#define MALPAN_GAME_STORED_H

#include "game/solver.h"
#include "table/table.h"

/* What to solve, and where to put it. */
typedef struct StoredJob {
    double error; /* wanted: no value is to be further from the truth */
    const SolveLimits *limits;
    const char *path;       /* of the table */
    const char *checkpoint; /* where a run that is stopped leaves what it has; NULL: nowhere */
    double checkpoint_s;    /* how many seconds of work a kill may lose, about */
} StoredJob;

typedef struct StoredReport {
    TableInfo info; /* of the table that was written */
    int sweeps;
} StoredReport;

typedef struct VerifyReport {
    uint64_t checked; /* equations */
    double residual;  /* the largest difference between a value and what its equation says, */
    double within;    /* which was computed to within this */
    bool is_proof;    /* all equations were checked and prove that */
    double error;     /* no value is further from the truth than this */
} VerifyReport;

typedef struct GameStored {
    const char *rounds; /* what the work is done in: "sweeps" */
    /* Whether these rules can be solved at all. */
    Status (*check)(const Rules *rules);
    /* The error bound to reach by default; 0 if values are exact, so that none can be chosen. */
    double (*usual_error)(const Rules *rules);
    /* How long solving takes on two cores, roughly, as measured. */
    double (*seconds)(const Rules *rules);
    /* Rule options of variants that are solved within seconds, ending with NULL. Their checksums
     * are part of `malpan bench --signature`. */
    const char *const *quick_variants;
    /* What it takes: bytes of memory, and of disk for table, checkpoint and scratch files together,
     * at most. */
    Status (*needs)(const Rules *rules, double error, const SolveLimits *limits, uint64_t *memory,
                    uint64_t *disk);
    Status (*solve)(const Rules *rules, const StoredJob *job, StoredReport *report);
    /* A solver that looks values up. It closes the table when it is freed; not when this fails. */
    Status (*open)(const Rules *rules, Table *table, const SolveLimits *limits, Solver **solver);
    /* Recomputes the equations of `sample` positions picked with the seed, or of all (0). */
    Status (*verify)(const Rules *rules, const Table *table, uint64_t sample, uint64_t seed,
                     const SolveLimits *limits, VerifyReport *report);
} GameStored;

#endif
