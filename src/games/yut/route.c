/* The routes over the board. */
#include <assert.h>

#include "games/yut/yut.h"

enum { ROUTE_MAX = 23 };

typedef struct Route {
    int length;
    uint8_t squares[ROUTE_MAX]; /* the last one is home */
} Route;

#define RING_FROM_15 15, 16, 17, 18, 19, 29, YUT_ARRIVED

static const Route outer_ring = {22,
                                 {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, RING_FROM_15}};
static const Route from_5 = {13, {5, 20, 21, 22, 23, 24, RING_FROM_15}};
static const Route from_10 = {8, {10, 25, 26, 22, 27, 28, 29, YUT_ARRIVED}};
static const Route from_22 = {5, {22, 27, 28, 29, YUT_ARRIVED}};
static const Route cow_route = {18, {0, 1, 2, 3, 4, 5, 20, 21, 22, 23, 24, RING_FROM_15}};

static int place_on(const Route *route, int square) {
    for (int i = 0; i < route->length; i++)
        if (route->squares[i] == square)
            return i;
    return -1;
}

bool yut_on_cow_route(int square) {
    return place_on(&cow_route, square) >= 0;
}

/* The route of a piece on `square`. */
static const Route *route_ahead(int square, bool cow, bool ring) {
    if (cow)
        return &cow_route;
    if (square == 22)
        return &from_22;
    if (square == 5 && !ring)
        return &from_5;
    if (square == 10 && !ring)
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

int yut_destination(int square, YutResult result, bool cow, bool ring) {
    if (square == YUT_ARRIVED)
        return YUT_ARRIVED;
    if (result == YUT_BACK_DO)
        return one_back(square, cow);
    const Route *route = route_ahead(square, cow, ring);
    assert(place_on(route, square) >= 0);
    int place = place_on(route, square) + (int)result; /* do is 1 step, ... mo is 5 */
    return place < route->length ? route->squares[place] : YUT_ARRIVED;
}
