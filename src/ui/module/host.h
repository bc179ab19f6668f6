/* The host of the API in a module, as in request.h: one request at a time, on the only thread there
 * is, and games kept by the page.
 *
 * Nothing of a game stays in the module. With a request about a game the page passes the game as it
 * has stored it, and a change is handed to the page before the request is answered. So several
 * pages may have a module each, and one that ends in the middle of its work loses nothing.
 *
 *               host_begin          the API suspends         host_stored
 *     IDLE ----> RUNNING ----> the change waits: STORING ----> RUNNING ----> ANSWERED
 *      ^                                                                        |
 *      '------------------------------ host_end --------------------------------'
 */
#ifndef MALPAN_UI_MODULE_HOST_H
#define MALPAN_UI_MODULE_HOST_H

#include "ui/web/request.h"

typedef enum HostPhase { HOST_IDLE, HOST_RUNNING, HOST_STORING, HOST_ANSWERED } HostPhase;

struct Server {
    HostPhase phase;
    SolverPool pool;
    ReplyCache replies;
    char *games_text;
    Service service;

    /* Of the request that is being answered. */
    Request request;
    GameRegistry registry;
    json_t *query;
    json_t *stored;    /* the game of the path as the page has stored it; NULL: it has none */
    Commit *commit;    /* the change that waits to be stored */
    char *commit_text; /* that change, for the page */
    /* Who goes on, if the request tells. */
    bool is_next_known, is_computer_next, has_person;
};

/* Prepares an idle host. False if out of memory. */
bool host_open(Server *host, size_t memory_bytes);

/* Begins to answer a request. `query` is a JSON object of texts, `body` the body, "" for none,
 * `stored` what commit_text once was, "" for none; all end with a zero byte. */
void host_begin(Server *host, const char *method, const char *path, const char *query,
                const char *body, const char *stored);

/* Goes on after the page has stored commit_text, or could not. */
void host_stored(Server *host, bool is_stored);

/* Forgets the request and its reply. */
void host_end(Server *host);

/* --- routes.c --- */

/* Finds the function for the request and reads its body. NULL: the reply is set to an error. */
void (*host_find_route(Request *request))(Request *request);

/* --- store.c --- */

/* The change as the text that the page keeps; NULL if out of memory. The caller frees it. */
char *store_print(const Commit *commit);

#endif
