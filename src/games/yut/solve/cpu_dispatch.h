#ifndef MALPAN_GAMES_YUT_SOLVE_CPU_DISPATCH_H
#define MALPAN_GAMES_YUT_SOLVE_CPU_DISPATCH_H

/* The loops over rows are compiled for several kinds of machines, and the best is taken when the
 * program starts. That choice comes too early for ThreadSanitizer, so under it there is but one.
 * For clang 14, such a function has to be static, with a name that no other file has. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define ONE_MACHINE
#endif
#endif
#if defined(__x86_64__) && !defined(ONE_MACHINE) && !defined(__SANITIZE_THREAD__)
#define FOR_EACH_MACHINE                                                                           \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_EACH_MACHINE
#endif

#endif
