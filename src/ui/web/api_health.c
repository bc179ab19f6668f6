/* The request for the health of the server. */
#include <stdio.h>

#include "malpan.h"
#include "ui/json/build.h"
#include "ui/web/server.h"

/* Addresses of the page for other computers; none if only this one can connect. */
static json_t *encode_addresses(const Server *server) {
    enum { HOSTS_MAX = 8 };
    char hosts[GAME_TEXT_BYTES], storage[GAME_TEXT_BYTES], address[GAME_TEXT_BYTES + 32];
    char *words[HOSTS_MAX];
    json_t *list = json_array();
    Text text = text_over(hosts, sizeof hosts);
    if (server->origin) { /* behind a proxy: its address is the only one */
        snprintf(address, sizeof address, "%s/", server->origin);
        return json_with_item(list, json_string(address));
    }
    listen_socket_print_hosts(&server->listener, &text);
    size_t count = text_split(hosts, storage, sizeof storage, words, HOSTS_MAX);
    for (size_t i = 0; i < count && i < HOSTS_MAX; i++) {
        snprintf(address, sizeof address, "http://%s:%d/", words[i], server->listener.port);
        list = json_with_item(list, json_string(address));
    }
    return list;
}

void api_health(Request *request) {
    Server *server = request->server;
    CommitterCounts stored = committer_counts(&server->registry.committer);
    WorkQueueCounts queue = work_queue_counts(server);
    pthread_mutex_lock(&server->registry.lock);
    uint64_t games = server->registry.created - stored.deleted;
    size_t listeners = server->streams.count;
    pthread_mutex_unlock(&server->registry.lock);
    size_t searches = queue.waiting[JOB_SHORT] + queue.waiting[JOB_LONG] + queue.running;
    reply_json(request, MHD_HTTP_OK,
               json_pack("{s:b, s:s, s:I, s:I, s:I, s:b, s:b, s:o}", "ok", 1, "version",
                         MALPAN_VERSION, "games", (json_int_t)games, "listeners",
                         (json_int_t)listeners, "searches", (json_int_t)searches, "read_only",
                         archive_why_read_only(server->registry.archive) != NULL, "loopback",
                         !server->origin && listen_socket_is_loopback(&server->listener),
                         "addresses", encode_addresses(server)));
}
