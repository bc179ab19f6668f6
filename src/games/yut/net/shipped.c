/* The weights in the program: the files beside this one, made by `malpan learn yut`. */
#include "games/yut/net/network.h"

__asm__(".section .rodata\n"
        ".balign 64\nyut_weights_duel:\n.incbin \"src/games/yut/net/duel.weights\"\n"
        ".balign 64\nyut_weights_table:\n.incbin \"src/games/yut/net/table.weights\"\n"
        ".previous\n");

extern const unsigned char yut_weights_duel[], yut_weights_table[];

Network network_shipped(NetworkKind kind) {
    return network_view(kind == NETWORK_DUEL ? yut_weights_duel : yut_weights_table);
}
