/* A library to preload (LD_PRELOAD) that makes the main thread slow at removing a socket from an
 * epoll set, so that another thread that removes it as well is certain to come first.
 *
 * tests/web_stop.py uses it.
 */
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int epoll_ctl(int epfd, int op, int fd, struct epoll_event *event) {
    const struct timespec pause = {.tv_nsec = 20 * 1000000L};
    if (op == EPOLL_CTL_DEL && gettid() == getpid())
        nanosleep(&pause, NULL);
    return (int)syscall(SYS_epoll_ctl, epfd, op, fd, event);
}
