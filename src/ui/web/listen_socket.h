/* The socket on which the server accepts connections. */
#ifndef MALPAN_UI_WEB_LISTEN_SOCKET_H
#define MALPAN_UI_WEB_LISTEN_SOCKET_H

#include <stdbool.h>

#include "base/status.h"
#include "base/text.h"

typedef struct ListenSocket {
    int descriptor; /* -1: closed */
    char host[64];  /* for the address of the page: `127.0.0.1` or `[::1]` */
    int port;
} ListenSocket;

/* Takes the socket that a service manager has opened and passed on (LISTEN_FDS, as systemd does),
 * or else binds one to the IP address and port; port 0 is any free one. */
Status listen_socket_open(const char *address, int port, ListenSocket *listener);
/* Whether only this computer can connect. */
bool listen_socket_is_loopback(const ListenSocket *listener);

/* Writes the hosts under which other computers may reach the socket, separated by spaces: the
 * address that it is bound to, or if that is any, the IPv4 addresses of this computer. */
void listen_socket_print_hosts(const ListenSocket *listener, Text *text);

void listen_socket_close(ListenSocket *listener);

#endif
