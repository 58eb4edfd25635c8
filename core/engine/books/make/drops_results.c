/* Connect four on 7 columns of 6 rows: the results of all positions with PIECES pieces.

   `drops_results PIECES PART PARTS` writes nine bytes for each of them: its number
   (core/engine/drops/book.py), the least significant byte first, and 0, 1 or 2 if the side to move
   loses, draws or wins. Of a position and its mirror image it writes one, and none that is over or
   decided at sight: where a line can be completed at once, or where every move lets the other side
   complete one. In the order of their numbers, the positions are cut into PARTS, of which it writes
   one, counted from 0.

   Only who wins is asked, not how soon, so a bound is a result. A search meets 25,000 positions on
   average and waits for memory more than it computes: bounds of early positions, which others share,
   stay in a large table, and those of later ones in a table that fits into a processor's own. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drops.h"

/* The tables' sizes as powers of two, the pieces up to which a position is early, and the pieces
   from which the positions after the moves aren't looked up before any of them is searched. */
enum { LARGE = 27, SMALL = 15, EARLY = 24, LATE = 33 };
enum { LOSS, DRAW, WIN, BITS = 4 };

struct position { bits number, mine, taken; };

/* Entries: a position's number, its least result (two bits) and its greatest (two bits). */
static uint64_t *large, *small;

static uint64_t *entry_of(bits key, int count) {
    uint64_t hash = key * 0x9E3779B97F4A7C15u;
    return count <= EARLY ? &large[hash >> (64 - LARGE)] : &small[hash >> (64 - SMALL)];
}

static bits key_of(bits mine, bits taken, int count) {
    return count < MIRRORED_UP_TO ? number(mine, taken) : mine + taken;
}

/* Sort `moves` by the threats that they make, best first, and return their number; 0 if one of them
   wins in three plies. A threat is worth more on the rows that follow-up gives to its side, and less
   above the move itself, where the other side stops it at once. */
static int in_order(bits mine, bits taken, bits moves, bits *ordered) {
    bits given = __builtin_popcountll(taken) & 1 ? board ^ lower : lower;
    int worth[WIDTH], found = 0;
    for (int i = 0; i < WIDTH; i++) {
        bits move = moves & column[order[i]];
        if (!move) continue;
        bits made = completing(mine | move, taken | move), now = made & playable(taken | move);
        if (now & (now - 1) || now & made >> 1) return 0;
        int worth_here = 4 * __builtin_popcountll(made) + __builtin_popcountll(made & given);
        if (made & move << 1) worth_here -= 2;
        int j = found++;
        for (; j && worth[j - 1] < worth_here; j--) {
            worth[j] = worth[j - 1];
            ordered[j] = ordered[j - 1];
        }
        worth[j] = worth_here;
        ordered[j] = move;
    }
    return found;
}

static int known(bits key, int count, int *least, int *most) {
    uint64_t entry = *entry_of(key, count);
    if (entry >> BITS != key) return 0;
    *least = entry >> 2 & 3;
    *most = entry & 3;
    return 1;
}

/* Whether the side of `mine`, to move, gets at least `goal`, DRAW or WIN. It can't complete a line at
   once. */
static int reaches(bits mine, bits taken, int count, int goal) {
    bits theirs = mine ^ taken, free = board ^ taken, next = playable(taken);
    bits threats = completing(theirs, taken), forced = threats & next;
    bits moves = (forced ? forced : next) & ~(threats >> 1);
    if (forced & (forced - 1) || !moves) return 0;
    if (count >= CELLS - 2) return goal == DRAW;
    bits key = key_of(mine, taken, count);
    int least = LOSS, most = WIN;
    if (known(key, count, &least, &most)) {
        if (least >= goal) return 1;
        if (most < goal) return 0;
    }
    if (!has_line((goal == WIN ? mine : theirs) | free)) return goal == DRAW;
    if (by_follow_up(mine, taken, next, threats) < goal - DRAW) return 0;
    if (count < EARLY)
        for (bits left = moves; left; left &= left - 1)
            __builtin_prefetch(
                entry_of(key_of(theirs, taken | (left & -left), count + 1), count + 1));
    bits ordered[WIDTH];
    int found = in_order(mine, taken, moves, ordered), other = WIN - goal + 1;
    if (!found) return 1;
    for (int i = 0; count < LATE && i < found; i++) {
        int theirs_least, theirs_most;
        bits after = key_of(theirs, taken | ordered[i], count + 1);
        if (known(after, count + 1, &theirs_least, &theirs_most) && theirs_most < other) return 1;
    }
    int reached = 0;
    for (int i = 0; i < found && !reached; i++)
        reached = !reaches(theirs, taken | ordered[i], count + 1, other);
    if (reached) least = goal;
    else most = goal - 1;
    *entry_of(key, count) = key << BITS | least << 2 | most;
    return reached;
}

static int by_number(const void *one, const void *other) {
    bits a = ((const struct position *)one)->number, b = ((const struct position *)other)->number;
    return a < b ? -1 : a > b;
}

/* Replace `level` by the positions one move later, one of each mirrored pair. */
static void play_on(struct position **level, size_t *size) {
    struct position *later = malloc((*size * WIDTH + 1) * sizeof *later);
    size_t count = 0, kept = 0;
    if (!later) exit(1);
    for (size_t i = 0; i < *size; i++) {
        bits theirs = (*level)[i].mine, before = (*level)[i].taken;
        for (int c = 0; c < WIDTH; c++) {
            bits move = playable(before) & column[c];
            bits mine = theirs ^ before, taken = before | move;
            if (!move || has_line(theirs | move)) continue;
            if (number(mine, taken) != mine + taken) mine = mirrored(mine), taken = mirrored(taken);
            later[count++] = (struct position){mine + taken, mine, taken};
        }
    }
    qsort(later, count, sizeof *later, by_number);
    for (size_t i = 0; i < count; i++)
        if (!kept || later[kept - 1].number != later[i].number) later[kept++] = later[i];
    free(*level);
    *level = later;
    *size = kept;
}

static int decided_at_sight(struct position at) {
    bits next = playable(at.taken), threats = completing(at.mine ^ at.taken, at.taken);
    bits forced = threats & next, safe = (forced ? forced : next) & ~(threats >> 1);
    return next & completing(at.mine, at.taken) || forced & (forced - 1) || !safe;
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    int pieces = atoi(arguments[1]), part = atoi(arguments[2]), parts = atoi(arguments[3]);
    large = calloc((size_t)1 << LARGE, sizeof *large);
    small = calloc((size_t)1 << SMALL, sizeof *small);
    struct position *level = calloc(1, sizeof *level);
    size_t size = 1, open = 0;
    if (!large || !small || !level) return 1;
    lay_out();
    for (int i = 0; i < pieces; i++) play_on(&level, &size);
    for (size_t i = 0; i < size; i++)
        if (!decided_at_sight(level[i])) level[open++] = level[i];
    for (size_t i = open * part / parts; i < open * (part + 1) / parts; i++) {
        struct position at = level[i];
        int result = reaches(at.mine, at.taken, pieces, WIN)    ? WIN
                     : reaches(at.mine, at.taken, pieces, DRAW) ? DRAW
                                                                : LOSS;
        for (int byte = 0; byte < 8; byte++) putchar(at.number >> 8 * byte & 255);
        putchar(result);
    }
    return 0;
}
