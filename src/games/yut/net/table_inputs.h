/* The inputs of Yut's network for tables of players (features.h lists them).
 *
 * A catch is a result with which one seat can catch something of a seat of another side, however
 * much and in however many ways.
 *
 * A threat is a result that brings a piece of one seat, on the board or waiting, onto a piece of a
 * seat of another side. It is an input for the attacker, the seat attacked and the square, counted
 * for each piece there: once for do and geol, twice for gae, so roughly in units of 3/16 of a
 * chance. Back-do, yut and mo, 1/16 each, are counted by inputs of their own. Threats follow the
 * routes of the pieces, a cow's included, and the usual rules at 5, 10 and 22.
 *
 * Worked example: three players, `7/0/9,9 ...` with player 0 to throw. Seat 0 threatens seat 2 by a
 * gae: input (0 on 2, square 9, often) four times, for two pieces, and (0 on 2, gae) once. Seat 2
 * threatens nobody.
 *
 * Thread safety: pure functions.
 */
#ifndef MALPAN_GAMES_YUT_NET_TABLE_INPUTS_H
#define MALPAN_GAMES_YUT_NET_TABLE_INPUTS_H

#include "games/yut/net/features.h"

/* Lists the inputs of a position as features_list. */
int table_inputs_list(const YutRules *rules, const YutState *state, uint16_t inputs[FEATURES_MAX]);

/* The square, 0 to 30, on which a result brings a piece; 0 where a piece waits or cannot be. */
int table_stop(int square, YutResult result, bool cow);

enum { TABLE_HITS = 8 }; /* the results, and as many more as make a vector */

/* The bits of the squares on which each result can bring one of the pieces. */
void table_hits(const YutRules *rules, const uint8_t pieces[], bool cow, uint32_t hits[TABLE_HITS]);

/* The bits of the squares 1 to 29 that the pieces are on. */
uint32_t table_occupied(const YutRules *rules, const uint8_t pieces[]);

#endif
