#include "ui/web/reply_cache.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"

enum { PROBES = 8 };

void reply_cache_init(ReplyCache *cache) {
    memset(cache, 0, sizeof *cache);
    pthread_mutex_init(&cache->lock, NULL);
}

static void clear_entry(ReplyCacheEntry *entry) {
    free(entry->key);
    free(entry->reply);
    *entry = (ReplyCacheEntry){.key = NULL};
}

static void clear_all(ReplyCache *cache) {
    for (size_t i = 0; i < REPLY_CACHE_ENTRIES; i++)
        clear_entry(&cache->entries[i]);
    cache->bytes = 0;
}

void reply_cache_free(ReplyCache *cache) {
    clear_all(cache);
    pthread_mutex_destroy(&cache->lock);
}

static size_t entry_bytes(const ReplyCacheEntry *entry) {
    return entry->key ? strlen(entry->key) + strlen(entry->reply) + 2 : 0;
}

static uint64_t hash_key(const char *key) {
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * 0x100000001b3;
    return hash;
}

/* The entry of the key. If it has none, the one that a new reply replaces: an empty one if
 * possible. The caller holds the lock. */
static ReplyCacheEntry *find_entry(ReplyCache *cache, const char *key, uint64_t hash) {
    ReplyCacheEntry *oldest = NULL;
    for (size_t i = 0; i < PROBES; i++) {
        ReplyCacheEntry *entry = &cache->entries[(hash + i) % REPLY_CACHE_ENTRIES];
        if (entry->key && entry->hash == hash && strcmp(entry->key, key) == 0)
            return entry;
        if (!oldest || entry->stored < oldest->stored)
            oldest = entry;
    }
    return oldest;
}

char *reply_cache_find(ReplyCache *cache, const char *key) {
    char *copy = NULL;
    uint64_t hash = hash_key(key);
    pthread_mutex_lock(&cache->lock);
    const ReplyCacheEntry *entry = find_entry(cache, key, hash);
    if (entry->key && strcmp(entry->key, key) == 0 && progress_clock_s() < entry->expires_s)
        copy = strdup(entry->reply);
    pthread_mutex_unlock(&cache->lock);
    return copy;
}

void reply_cache_store(ReplyCache *cache, const char *key, const char *reply, double seconds) {
    if (strlen(key) + strlen(reply) > REPLY_CACHE_ENTRY_BYTES_MAX)
        return;
    ReplyCacheEntry fresh = {.key = strdup(key),
                             .reply = strdup(reply),
                             .hash = hash_key(key),
                             .expires_s = progress_clock_s() + seconds};
    if (!fresh.key || !fresh.reply) {
        clear_entry(&fresh);
        return;
    }
    pthread_mutex_lock(&cache->lock);
    if (cache->bytes + entry_bytes(&fresh) > REPLY_CACHE_BYTES_MAX)
        clear_all(cache);
    ReplyCacheEntry *entry = find_entry(cache, key, fresh.hash);
    fresh.stored = ++cache->stored;
    cache->bytes += entry_bytes(&fresh) - entry_bytes(entry);
    clear_entry(entry);
    *entry = fresh;
    pthread_mutex_unlock(&cache->lock);
}
