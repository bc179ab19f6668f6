/* The routes over the board. */
#include <assert.h>

#include "games/yut/yut.h"

enum { ROUTE_MAX = 23 };

typedef struct Route {
    int length;
    uint8_t squares[ROUTE_MAX];  /* the last one is home */
    uint8_t places[YUT_SQUARES]; /* squares[places[square] - 1] == square; 0: not on the route */
} Route;

/* clang-format off */
#define RING_FROM_15 15, 16, 17, 18, 19, 29

static const Route outer_ring = {
    .length = 22,
    .squares = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, RING_FROM_15, YUT_ARRIVED},
    .places = {[0] = 1, [1] = 2, [2] = 3, [3] = 4, [4] = 5, [5] = 6, [6] = 7, [7] = 8, [8] = 9,
               [9] = 10, [10] = 11, [11] = 12, [12] = 13, [13] = 14, [14] = 15, [15] = 16,
               [16] = 17, [17] = 18, [18] = 19, [19] = 20, [29] = 21, [YUT_ARRIVED] = 22}};
static const Route from_5 = {
    .length = 13,
    .squares = {5, 20, 21, 22, 23, 24, RING_FROM_15, YUT_ARRIVED},
    .places = {[5] = 1, [20] = 2, [21] = 3, [22] = 4, [23] = 5, [24] = 6, [15] = 7, [16] = 8,
               [17] = 9, [18] = 10, [19] = 11, [29] = 12, [YUT_ARRIVED] = 13}};
static const Route from_10 = {
    .length = 8,
    .squares = {10, 25, 26, 22, 27, 28, 29, YUT_ARRIVED},
    .places = {[10] = 1, [25] = 2, [26] = 3, [22] = 4, [27] = 5, [28] = 6, [29] = 7,
               [YUT_ARRIVED] = 8}};
static const Route from_22 = {
    .length = 5,
    .squares = {22, 27, 28, 29, YUT_ARRIVED},
    .places = {[22] = 1, [27] = 2, [28] = 3, [29] = 4, [YUT_ARRIVED] = 5}};
static const Route cow_route = {
    .length = 18,
    .squares = {0, 1, 2, 3, 4, 5, 20, 21, 22, 23, 24, RING_FROM_15, YUT_ARRIVED},
    .places = {[0] = 1, [1] = 2, [2] = 3, [3] = 4, [4] = 5, [5] = 6, [20] = 7, [21] = 8, [22] = 9,
               [23] = 10, [24] = 11, [15] = 12, [16] = 13, [17] = 14, [18] = 15, [19] = 16,
               [29] = 17, [YUT_ARRIVED] = 18}};
/* clang-format on */

static int place_on(const Route *route, int square) {
    return route->places[square] - 1;
}

bool yut_on_cow_route(int square) {
    return place_on(&cow_route, square) >= 0;
}

/* The route that a piece on `square` follows. */
static const Route *route_ahead(int square, bool cow, bool detour) {
    if (cow)
        return &cow_route;
    if (square == YUT_CENTRE)
        return detour ? &from_5 : &from_22;
    if (square == 5 && !detour)
        return &from_5;
    if (square == 10 && !detour)
        return &from_10;
    static const Route *const routes[] = {&outer_ring, &from_5, &from_10};
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++)
        if (place_on(routes[i], square) >= 0)
            return routes[i];
    return &from_22;
}

static int one_back(int square, bool cow) {
    if (square == 0)
        return 0;
    if (square == 1)
        return 29;
    if (square == 29)
        return 19;
    assert(!cow || yut_on_cow_route(square));
    if (cow)
        return cow_route.squares[place_on(&cow_route, square) - 1];
    switch (square) {
    case 20:
        return 5;
    case 22:
        return 21;
    case 23:
    case 27:
        return 22;
    case 25:
        return 10;
    default:
        return square - 1;
    }
}

int yut_destination(int square, YutResult result, bool cow, bool detour) {
    if (square == YUT_ARRIVED)
        return YUT_ARRIVED;
    if (result == YUT_BACK_DO)
        return one_back(square, cow);
    const Route *route = route_ahead(square, cow, detour);
    assert(place_on(route, square) >= 0);
    int place = place_on(route, square) + (int)result; /* do is 1 step, ... mo is 5 */
    return place < route->length ? route->squares[place] : YUT_ARRIVED;
}
