/* A library to preload (LD_PRELOAD) that measures how long locks are held.
 *
 * The file that LOCK_WATCH names is mapped into memory, here and by the test, as a Control. While
 * it is armed, the longest time for which any thread had a lock of the program, not of a library,
 * is kept there: time that the thread spent computing, so that a busy machine makes no difference.
 *
 * tests/web_paging.py uses it.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef struct Control {
    _Atomic uint64_t armed;      /* 0: nothing is measured */
    _Atomic uint64_t longest_ns; /* since it was set to 0 */
} Control;

enum { HELD_MAX = 8 }; /* locks that one thread has at a time */

static Control *control;                     /* NULL without a file */
static uintptr_t program_begin, program_end; /* where its code is */
static int (*real_lock)(pthread_mutex_t *);
static int (*real_unlock)(pthread_mutex_t *);

static _Thread_local struct {
    const pthread_mutex_t *mutex; /* NULL: unused */
    uint64_t since_ns;
} held[HELD_MAX];

/* Called for the program first: notes where it is. */
static int note_program(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    program_begin = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD)
            continue;
        program_begin = begin < program_begin ? begin : program_begin;
        program_end = begin + part->p_memsz > program_end ? begin + part->p_memsz : program_end;
    }
    return 1;
}

__attribute__((constructor)) static void start_watch(void) {
    const char *path = getenv("LOCK_WATCH");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    *(void **)&real_lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    *(void **)&real_unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    dl_iterate_phdr(note_program, NULL);
    if (file < 0)
        return;
    void *map = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (map != MAP_FAILED)
        control = map;
}

static uint64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!real_lock) /* before the library is loaded */
        return 0;
    int code = real_lock(mutex);
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    if (!control || !control->armed || caller < program_begin || caller >= program_end)
        return code;
    for (int i = 0; i < HELD_MAX; i++) {
        if (!held[i].mutex) {
            held[i].mutex = mutex;
            held[i].since_ns = clock_ns();
            break;
        }
    }
    return code;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (!real_unlock)
        return 0;
    for (int i = 0; control && i < HELD_MAX; i++) {
        if (held[i].mutex != mutex)
            continue;
        uint64_t spent_ns = clock_ns() - held[i].since_ns;
        held[i].mutex = NULL;
        if (control->armed && spent_ns > control->longest_ns)
            control->longest_ns = spent_ns; /* two at once: either will do */
        break;
    }
    return real_unlock(mutex);
}
