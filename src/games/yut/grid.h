/* Memory for large tables of numbers, aligned for vectors and, where it is large, on huge pages. */
#ifndef MALPAN_GAMES_YUT_GRID_H
#define MALPAN_GAMES_YUT_GRID_H

#include <stddef.h>
#include <stdint.h>

/* Not cleared; NULL when there is no memory. */
void *grid_new(size_t bytes);
void grid_free(void *grid);

#endif
