/* POSIX threads for a module that has only one: there is nobody to wait for, so locks do nothing,
 * and no thread can be created, which callers take as a reason to work alone. */
#ifndef MALPAN_PORT_PTHREAD_H
#define MALPAN_PORT_PTHREAD_H

#include <errno.h>
#include <sys/types.h>
#include <time.h>

static inline int pthread_mutex_init(pthread_mutex_t *mutex,
                                     const pthread_mutexattr_t *attributes) {
    (void)mutex, (void)attributes;
    return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_condattr_init(pthread_condattr_t *attributes) {
    (void)attributes;
    return 0;
}

static inline int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
    (void)attributes, (void)clock;
    return 0;
}

static inline int pthread_condattr_destroy(pthread_condattr_t *attributes) {
    (void)attributes;
    return 0;
}

static inline int pthread_cond_init(pthread_cond_t *condition,
                                    const pthread_condattr_t *attributes) {
    (void)condition, (void)attributes;
    return 0;
}

static inline int pthread_cond_destroy(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

static inline int pthread_cond_signal(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

static inline int pthread_cond_broadcast(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

/* Nobody could ever signal: the wait is over, without what was waited for. */
static inline int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                         const struct timespec *until) {
    (void)condition, (void)mutex, (void)until;
    return ETIMEDOUT;
}

/* What waits without a limit would wait forever: a mistake of the program. */
static inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    (void)condition, (void)mutex;
    __builtin_trap();
}

static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*run)(void *),
                                 void *context) {
    (void)thread, (void)attributes, (void)run, (void)context;
    return EAGAIN;
}

static inline int pthread_join(pthread_t thread, void **result) {
    (void)thread, (void)result;
    return 0;
}

static inline int pthread_detach(pthread_t thread) {
    (void)thread;
    return 0;
}

#endif
