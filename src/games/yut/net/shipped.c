/* The weights in the program: the file beside this one, made by `malpan learn yut`. */
#include "games/yut/net/network.h"

#ifdef __wasm__
__asm__(".section .rodata.yut_weights_duel,\"\",@\n"
        ".globl yut_weights_duel\n.p2align 6\nyut_weights_duel:\n"
        ".incbin \"src/games/yut/net/duel.weights\"\n"
        ".size yut_weights_duel, .-yut_weights_duel\n");
#else
__asm__(".section .rodata\n"
        ".balign 64\nyut_weights_duel:\n.incbin \"src/games/yut/net/duel.weights\"\n"
        ".previous\n");
#endif

extern const unsigned char yut_weights_duel[];

Network network_shipped(void) {
    return network_view(yut_weights_duel);
}
