/* The weights in the program: the files beside this one, made by `malpan learn yut`. */
#include <math.h>

#include "games/yut/net/network.h"

/* Puts a file into the program as the array `name`. Only the assembler can. */
#ifdef __wasm__
#define EMBED(name, file)                                                                          \
    __asm__(".section .rodata." #name ",\"\",@\n.globl " #name "\n.p2align 6\n" #name ":\n"        \
            ".incbin \"" file "\"\n.size " #name ", .-" #name "\n")
#else
#define EMBED(name, file)                                                                          \
    __asm__(".section .rodata\n.balign 64\n" #name ":\n.incbin \"" file "\"\n.previous\n")
#endif

EMBED(yut_weights_duel, "src/games/yut/net/duel.weights");
EMBED(yut_weights_korean, "src/games/yut/net/korean.weights");
EMBED(yut_weights_family, "src/games/yut/net/family.weights");
EMBED(yut_weights_table, "src/games/yut/net/table.weights");

extern const unsigned char yut_weights_duel[], yut_weights_korean[], yut_weights_family[],
    yut_weights_table[];

Network network_usual(void) {
    return network_view(yut_weights_duel);
}

Network network_shipped(const YutRules *rules) {
    const Network networks[] = {network_usual(), network_view(yut_weights_korean),
                                network_view(yut_weights_family), network_view(yut_weights_table)};
    size_t nearest = 0;
    double least = INFINITY;
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        YutRules learned;
        if (networks[i].kind != features_kind(rules))
            continue;
        (void)learned_rules_unpack(networks[i].learned, &learned);
        const double distance = learned_rules_distance(rules, &learned);
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return networks[nearest];
}
