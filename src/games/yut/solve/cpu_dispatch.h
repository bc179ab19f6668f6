#ifndef MALPAN_GAMES_YUT_SOLVE_CPU_DISPATCH_H
#define MALPAN_GAMES_YUT_SOLVE_CPU_DISPATCH_H

/* Marks functions that are compiled for several CPU levels; the best one for the machine is
 * selected when the program is loaded. That is too early for ThreadSanitizer, so under it only the
 * default is compiled. clang 14 requires such functions to be static, with names unique to the
 * program. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define CPU_DISPATCH_NONE
#endif
#endif
#if defined(__x86_64__) && !defined(CPU_DISPATCH_NONE) && !defined(__SANITIZE_THREAD__)
#define CPU_DISPATCH __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CPU_DISPATCH
#endif

#endif
