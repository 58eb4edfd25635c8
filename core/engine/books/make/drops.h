/* Connect four on 7 columns of 6 rows: its bitboards and the bounds that come from the board alone, as
   core/engine/drops/geometry.py and solver.py have them. */

#include <stdint.h>

typedef uint64_t bits;

/* With fewer than MIRRORED_UP_TO pieces, a position and its mirror image are stored as one. */
enum { WIDTH = 7, HEIGHT = 6, UP = HEIGHT + 1, CELLS = WIDTH * HEIGHT, MIRRORED_UP_TO = 22 };

static bits bottom, board, lower, column[WIDTH];
static int order[WIDTH];

static void lay_out(void) {
    for (int c = 0; c < WIDTH; c++) {
        bottom |= (bits)1 << c * UP;
        column[c] = (((bits)1 << HEIGHT) - 1) << c * UP;
        board |= column[c];
        for (int r = HEIGHT % 2; r < HEIGHT; r += 2) lower |= (bits)1 << (c * UP + r);
        order[c] = WIDTH / 2 + (1 - 2 * (c % 2)) * (c + 1) / 2;
    }
}

static bits along(bits own, int step) {
    bits before = own << step, after = own >> step;
    return (before & own << 2 * step & (own << 3 * step | after)) |
           (after & own >> 2 * step & (own >> 3 * step | before));
}

/* The free squares that complete a line of `own`. */
static bits completing(bits own, bits taken) {
    bits found = own << 1 & own << 2 & own << 3;
    return (found | along(own, UP - 1) | along(own, UP) | along(own, UP + 1)) & (board ^ taken);
}

static int has_line(bits own) {
    for (int step = UP - 1; step <= UP + 1; step++) {
        bits pairs = own & own >> step;
        if (pairs & pairs >> 2 * step) return 1;
    }
    bits pairs = own & own >> 1;
    return (pairs & pairs >> 2) != 0;
}

static bits playable(bits taken) { return (taken + bottom) & board; }

static bits mirrored(bits own) {
    bits found = 0;
    for (int c = 0; c < WIDTH; c++)
        found |= (own >> c * UP & (((bits)1 << UP) - 1)) << (WIDTH - 1 - c) * UP;
    return found;
}

static bits number(bits mine, bits taken) {
    bits key = mine + taken, other = mirrored(mine) + mirrored(taken);
    return other < key ? other : key;
}

/* An upper bound of the sign of the score, 1 if nothing is known: see solver.py. */
static int by_follow_up(bits mine, bits taken, bits next, bits threats) {
    bits upper = board ^ lower, empty = board ^ taken, later = threats & lower & ~next;
    if (!(__builtin_popcountll(next & upper) & 1)) {
        if (has_line(mine | (empty & lower) | next)) return 1;
        return has_line((mine ^ taken) | (empty & upper & ~next)) ? -1 : 0;
    }
    for (int c = 0; later && c < WIDTH; c++) {
        bits threat = later & column[c];
        if (!threat) continue;
        bits below = column[c] & ((threat & -threat) - 1) & empty;
        if (!has_line(mine | (empty & lower & ~column[c]) | next | (below & upper))) return -1;
    }
    return 1;
}
