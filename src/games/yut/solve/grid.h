/* Memory for large tables of numbers: cleared, aligned for vectors, on huge pages where it is
 * large; or, for what memory has no room for, in a file that the system keeps in memory as far as
 * it can.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_GRID_H
#define MALPAN_GAMES_YUT_SOLVE_GRID_H

#include <stdbool.h>
#include <stddef.h>

/* Plain memory for a table; not cleared. NULL when there is none. */
void *grid_new(size_t bytes);
void grid_free(void *grid);

typedef struct Grid {
    void *bytes; /* NULL: none */
    void *mapped;
    size_t mapped_size;
} Grid;

/* False when there is no room. `scratch` is the folder for a file without a name, which is gone
 * with the grid; NULL: memory. */
bool grid_open(Grid *grid, size_t bytes, const char *scratch);
void grid_close(Grid *grid);

/* These bytes of a grid will be read soon. Only worth it for one in a file. */
void grid_prefetch(const void *bytes, size_t size);

#endif
