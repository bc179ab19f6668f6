#include "games/yut/solve/grid.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, HUGE_PAGE = 2 << 20 };

void *grid_new(size_t bytes) {
    size_t alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : PAGE;
    void *grid = aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
#ifdef MADV_HUGEPAGE
    if (grid && alignment == HUGE_PAGE)
        (void)madvise(grid, bytes, MADV_HUGEPAGE); /* failure only costs speed */
#endif
    return grid;
}

void grid_free(void *grid) {
    free(grid);
}

/* Opens an unnamed file of this size in the folder, with all its space reserved. -1: no room. */
static int open_scratch(const char *folder, size_t size) {
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 && posix_fallocate(file, 0, (off_t)size) != 0) {
        close(file);
        return -1;
    }
    return file;
}

bool grid_open(Grid *grid, size_t bytes, const char *scratch) {
    size_t alignment = bytes >= HUGE_PAGE && !scratch ? HUGE_PAGE : PAGE;
    size_t size = bytes + alignment;
    int file = scratch ? open_scratch(scratch, size) : -1;
    *grid = (Grid){.bytes = NULL};
    if (scratch && file < 0)
        return false;
    void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        scratch ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file, 0);
    if (file >= 0)
        close(file); /* the mapping keeps it */
    if (mapped == MAP_FAILED)
        return false;
    uintptr_t start = ((uintptr_t)mapped + alignment - 1) / alignment * alignment;
    *grid = (Grid){.bytes = (char *)mapped + (start - (uintptr_t)mapped),
                   .mapped = mapped,
                   .mapped_size = size};
#ifdef MADV_HUGEPAGE
    if (alignment == HUGE_PAGE)
        (void)madvise(grid->bytes, bytes, MADV_HUGEPAGE); /* failure only costs speed */
#endif
    return true;
}

void grid_close(Grid *grid) {
    if (grid->bytes)
        (void)munmap(grid->mapped, grid->mapped_size);
    *grid = (Grid){.bytes = NULL};
}

void grid_prefetch(const void *bytes, size_t size) {
    uintptr_t start = (uintptr_t)bytes / PAGE * PAGE;
    (void)madvise((char *)bytes - ((uintptr_t)bytes - start), size + ((uintptr_t)bytes - start),
                  MADV_WILLNEED);
}
