/* Secrets: tokens that prove a seat, identifiers nobody can guess, and the promise about a seed. */
#ifndef MALPAN_UI_WEB_SECRET_H
#define MALPAN_UI_WEB_SECRET_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SECRET_TEXT_BYTES = 23, /* 128 bits as 22 letters, and the end */
    SECRET_PRINT_BYTES = 32,
    SECRET_COMMITMENT_BYTES = 65 /* 256 bits in hex, and the end */
};

/* What a token is remembered by: its hash. */
typedef struct SecretPrint {
    unsigned char bytes[SECRET_PRINT_BYTES];
} SecretPrint;

/* To be called once, before all else; false: this machine has no random numbers. */
bool secret_init(void);

/* 128 random bits as text that fits into an address. */
void secret_draw(char text[SECRET_TEXT_BYTES]);

/* Whether it could be the text of one. */
bool secret_is_text(const char *text);

uint64_t secret_seed(void);

SecretPrint secret_print_of(const char *token);

/* Whether the token is the one; takes as long whatever it is. */
bool secret_matches(const SecretPrint *print, const char *token);

/* The SHA-256 of `SALT:SEED` in hex. */
void secret_commit(const char *salt, uint64_t seed, char commitment[SECRET_COMMITMENT_BYTES]);

/* A print as hex and back. */
void secret_print_text(const SecretPrint *print, char text[SECRET_COMMITMENT_BYTES]);
bool secret_print_parse(const char *text, SecretPrint *print);

#endif
