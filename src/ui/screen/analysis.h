/* Analysis: any position of the game, with the values of all moves, the best line, and variations.
 *
 * The positions looked at form a tree. Its root is where the analysis began, or a position that was
 * typed; trying a move goes to a child, which stays when one goes back.
 */
#ifndef MALPAN_UI_SCREEN_ANALYSIS_H
#define MALPAN_UI_SCREEN_ANALYSIS_H

#include "game/variant.h"
#include "ui/screen/keys.h"
#include "ui/screen/thinker.h"

typedef struct App App;

enum { ANALYSIS_NODES_MAX = 2048 };

typedef struct AnalysisNode {
    int parent; /* -1: the root */
    int last;   /* the child that was tried last; -1: none */
    Move move;  /* from the parent */
    State state;
} AnalysisNode;

typedef struct Analysis {
    AnalysisNode *nodes;
    int count, here;
    size_t chosen; /* in the list of moves or throws */
    size_t move_count;
    Move *moves;       /* at the position, best first once they are evaluated */
    ThinkResult known; /* the evaluation of known.state */
    ThinkResult line;  /* the best line from line.state */
    bool has_known, has_line;
    int first_row, rows; /* of the list on the screen */
    size_t first;
    bool is_typing;
    char entry[GAME_TEXT_BYTES];
    char message[STATUS_MESSAGE_BYTES];
} Analysis;

/* Begins at the position on the screen, in a game or its review. */
void analysis_enter(App *app);
void analysis_close(Analysis *analysis);
void analysis_draw(App *app);
void analysis_event(App *app, const Event *event);

#endif
