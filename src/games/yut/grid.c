#include "games/yut/grid.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20 };

void *grid_new(size_t bytes) {
    size_t alignment = bytes >= 2 * (size_t)HUGE_PAGE ? HUGE_PAGE : LINE;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    void *grid = aligned_alloc(alignment, bytes > 0 ? bytes : alignment);
#ifdef MADV_HUGEPAGE
    if (grid && alignment == HUGE_PAGE)
        (void)madvise(grid, bytes, MADV_HUGEPAGE); /* without it, it is merely slower */
#endif
    return grid;
}

void grid_free(void *grid) {
    free(grid);
}
