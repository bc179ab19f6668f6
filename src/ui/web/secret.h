/* Secrets: tokens that prove a seat, unguessable ids, and commitments to random seeds. Thread-safe
 * after secret_init. */
#ifndef MALPAN_UI_WEB_SECRET_H
#define MALPAN_UI_WEB_SECRET_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SECRET_TEXT_BYTES = 23, /* 128 bits as 22 base64 characters, and a zero byte */
    SECRET_HASH_BYTES = 32,
    SECRET_COMMITMENT_BYTES = 65 /* 256 bits in hex, and a zero byte */
};

/* The hash of a token; the server stores no tokens. */
typedef struct SecretHash {
    unsigned char bytes[SECRET_HASH_BYTES];
} SecretHash;

/* Call once before everything else. False if the system has no source of random numbers. */
bool secret_init(void);

/* Draws 128 random bits as URL-safe text: an id, a token or a salt. */
void secret_draw(char text[SECRET_TEXT_BYTES]);

/* Derives a text of the same form from two secrets and a label. Whoever lacks one of the secrets
 * cannot compute it. */
void secret_derive(const char *key, const char *secret, const char *label,
                   char text[SECRET_TEXT_BYTES]);

/* Whether the text has the form of an id or token. */
bool secret_is_text(const char *text);

/* Draws a seed for the throws of a game. */
uint64_t secret_draw_seed(void);

SecretHash secret_hash_token(const char *token);

/* Whether the token has this hash; takes the same time whether or not it has. */
bool secret_hash_matches(const SecretHash *hash, const char *token);

/* Computes the commitment to a seed: the SHA-256 of `SALT:SEED` in hex. */
void secret_commit(const char *salt, uint64_t seed, char commitment[SECRET_COMMITMENT_BYTES]);

/* Converts a hash to hex and back. secret_hash_parse returns false if the text is not one. */
void secret_hash_print(const SecretHash *hash, char text[SECRET_COMMITMENT_BYTES]);
bool secret_hash_parse(const char *text, SecretHash *hash);

#endif
