/* The weights in the program: the file beside this one, made by `malpan learn yut`. */
#include "games/yut/net/network.h"

#ifndef __wasm__ /* there the Makefile makes an object of each file */
__asm__(".section .rodata\n"
        ".balign 64\nyut_weights_duel:\n.incbin \"src/games/yut/net/duel.weights\"\n"
        ".previous\n");
#endif

extern const unsigned char yut_weights_duel[];

Network network_shipped(void) {
    return network_view(yut_weights_duel);
}
