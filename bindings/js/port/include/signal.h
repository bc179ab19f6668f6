/* Signals for a module that receives none. */
#ifndef MALPAN_PORT_SIGNAL_H
#define MALPAN_PORT_SIGNAL_H

#define __NEED_sigset_t
#include <bits/alltypes.h>

typedef int sig_atomic_t;

enum { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };

static inline int sigfillset(sigset_t *set) {
    (void)set;
    return 0;
}

static inline int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) {
    (void)how, (void)set, (void)before;
    return 0;
}

#endif
