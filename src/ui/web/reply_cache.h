/* A cache of replies, by the text of the request. Many people may look at the same position. */
#ifndef MALPAN_UI_WEB_REPLY_CACHE_H
#define MALPAN_UI_WEB_REPLY_CACHE_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum {
    REPLY_CACHE_ENTRIES = 4096,
    REPLY_CACHE_BYTES_MAX = 16 << 20,
    REPLY_CACHE_ENTRY_BYTES_MAX = 16 << 10
};

typedef struct ReplyCacheEntry {
    char *key, *reply; /* NULL: empty */
    uint64_t hash;     /* of the key */
    uint64_t stored;   /* in the order in which replies were stored; 0: empty */
    double expires_s;
} ReplyCacheEntry;

/* Shared by all request threads and workers; `lock` guards everything else. It is a leaf. */
typedef struct ReplyCache {
    pthread_mutex_t lock;
    size_t bytes; /* of all keys and replies */
    uint64_t stored;
    /* A hash table by key. A new reply replaces the oldest of the few near its place. */
    ReplyCacheEntry entries[REPLY_CACHE_ENTRIES];
} ReplyCache;

void reply_cache_init(ReplyCache *cache);
void reply_cache_free(ReplyCache *cache);

/* Returns a copy of the reply, which the caller frees; NULL if there is none, or it has expired.
 * Thread-safe. */
char *reply_cache_find(ReplyCache *cache, const char *key);

/* Stores copies of key and reply for `seconds`; 0 removes what is there. A reply that is too long
 * is not stored. When the cache is full, it is emptied. Thread-safe. */
void reply_cache_store(ReplyCache *cache, const char *key, const char *reply, double seconds);

#endif
