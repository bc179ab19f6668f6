/* A library to preload (LD_PRELOAD) that lets workers of the server get stuck: whoever asks for the
 * CPU time of its thread, as a worker does before it evaluates a position, gets no answer for a
 * minute.
 *
 * tests/web_stop.py uses it.
 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STUCK_S = 60 };

int clock_gettime(clockid_t clock_id, struct timespec *tp) {
    const struct timespec pause = {.tv_sec = STUCK_S};
    if (clock_id == CLOCK_THREAD_CPUTIME_ID)
        nanosleep(&pause, NULL);
    return (int)syscall(SYS_clock_gettime, clock_id, tp);
}
