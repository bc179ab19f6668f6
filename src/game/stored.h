/* Optional part: solving all positions of a variant into a table (src/table), opening that table
 * and verifying it. */
#ifndef MALPAN_GAME_STORED_H
#define MALPAN_GAME_STORED_H

#include "game/solver.h"
#include "table/table.h"

/* What to aim for, and where to write it. */
typedef struct StoredJob {
    double error; /* the error bound to reach */
    const SolveLimits *limits;
    const char *path;          /* of the table */
    const char *checkpoint;    /* where a stopped run saves its state; NULL: nowhere */
    double checkpoint_s;       /* roughly how many seconds of work a kill may lose */
    struct Exchange *exchange; /* the ranks that all solve it (kernel/exchange.h), of which rank 0
                                  has the files; NULL: this process alone */
} StoredJob;

typedef struct StoredReport {
    TableInfo info; /* of the table that was written */
    int sweeps;
} StoredReport;

typedef struct VerifyReport {
    uint64_t checked; /* how many equations */
    double residual;  /* the largest difference between the two sides of an equation */
    double within;    /* the precision to which equations were computed */
    bool is_proof;    /* all equations were checked, and they prove the next field */
    double error;     /* no value is further from the truth than this */
} VerifyReport;

typedef struct GameStored {
    const char *rounds; /* what an iteration of the work is called: "sweeps" */
    /* Whether these rules can be solved. */
    Status (*check)(const Rules *rules);
    /* The error bound to reach by default; 0 if values are exact, so that none can be chosen. */
    double (*usual_error)(const Rules *rules);
    /* How long solving takes on two cores, roughly, as measured. */
    double (*seconds)(const Rules *rules);
    /* Rule options of variants that are solved within seconds, ending with NULL. Their checksums
     * are part of `malpan bench --signature`. */
    const char *const *quick_variants;
    bool is_distributed; /* solve() can work on several ranks */
    /* Upper bounds on the bytes of memory of each of so many ranks, and of disk for table,
     * checkpoint and temporary files together. */
    Status (*needs)(const Rules *rules, double error, const SolveLimits *limits, int ranks,
                    uint64_t *memory, uint64_t *disk);
    Status (*solve)(const Rules *rules, const StoredJob *job, StoredReport *report);
    /* Opens a solver that looks values up. It owns the table from then on; on failure the caller
     * still does. */
    Status (*open)(const Rules *rules, Table *table, const SolveLimits *limits, Solver **solver);
    /* Recomputes the equations of `sample` random positions, or of all positions if it is 0. */
    Status (*verify)(const Rules *rules, const Table *table, uint64_t sample, uint64_t seed,
                     const SolveLimits *limits, VerifyReport *report);
} GameStored;

#endif
