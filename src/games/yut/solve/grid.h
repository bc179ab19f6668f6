/* Memory for large tables of numbers: zeroed, aligned for vectors, on huge pages if large. Tables
 * that do not fit in memory are in a memory-mapped scratch file.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_GRID_H
#define MALPAN_GAMES_YUT_SOLVE_GRID_H

#include <stdbool.h>
#include <stddef.h>

/* Plain memory for a table, not zeroed. NULL if there is not enough. */
void *grid_new(size_t bytes);
void grid_free(void *grid);

typedef struct Grid {
    void *bytes; /* NULL: none */
    void *mapped;
    size_t mapped_size;
} Grid;

/* Opens a grid, in memory if `scratch` is NULL. Otherwise `scratch` is the folder for an unnamed
 * file, which disappears with the grid. False if there is no room. */
bool grid_open(Grid *grid, size_t bytes, const char *scratch);
void grid_close(Grid *grid);

/* Starts reading these bytes of a grid. Only useful for a scratch file. */
void grid_prefetch(const void *bytes, size_t size);

#endif
