/* Values of line-game positions with their distances, for books of first moves.

   The depth-limited search of core/engine/lines/and_or.py without zones, symmetry and null moves,
   fifty times as fast: a second solver, with which the tests compare the first.

   Input: the number of squares, the number of sets, the sets, then pairs of bitboards (the seat to
   move, the other one). Output: a line for each pair, 0 for a draw, otherwise the plies to the end,
   odd if the seat to move wins. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint64_t bits;

enum { MOST_SETS = 128, MOST_SQUARES = 64, FOREVER = 100, TABLE = 1 << 22 };
#define ONE (1 << 20)
#define HALF (ONE >> 1)

static int squares, set_count;
static bits sets[MOST_SETS], full;

static struct entry { bits attacker, defender; int refuted, proved; } table[TABLE];

static struct entry *look_up(bits attacker, bits defender) {
    uint64_t hash = attacker * 0x9E3779B97F4A7C15u ^ defender * 0xC2B2AE3D27D4EB4Fu;
    struct entry *found = &table[(hash ^ hash >> 29) >> 20 & (TABLE - 1)];
    int blank = !found->proved;
    if (blank || found->attacker != attacker || found->defender != defender)
        *found = (struct entry){attacker, defender, 0, FOREVER + 1};
    return found;
}

static int only(bits set) { return !(set & (set - 1)); }

/* The squares on which `mine` would complete a set. */
static bits completing(bits mine, bits theirs) {
    bits found = 0;
    for (int i = 0; i < set_count; i++)
        if (!(sets[i] & theirs) && only(sets[i] & ~mine)) found |= sets[i] & ~mine;
    return found;
}

/* The Erdos-Selfridge sum over the attacker's sets, and the share of each square, in 1/ONE. */
static int potential(bits attacker, bits defender, int moves, int *weights) {
    bits lacking[MOST_SETS];
    int count = 0, total = 0;
    for (int i = 0; i < set_count; i++)
        if (!(sets[i] & defender) && __builtin_popcountll(sets[i] & ~attacker) <= moves)
            lacking[count++] = sets[i] & ~attacker;
    for (int i = 0; i < squares; i++) weights[i] = 0;
    for (int i = 0; i < count; i++) {
        int weight = ONE >> __builtin_popcountll(lacking[i]);
        total += weight;
        for (bits rest = lacking[i]; rest; rest &= rest - 1)
            weights[__builtin_ctzll(rest)] += weight;
    }
    return total;
}

static int heaviest(const int *weights, bits among) {
    int best = -1;
    for (; among; among &= among - 1) {
        int square = __builtin_ctzll(among);
        if (best < 0 || weights[square] > weights[best]) best = square;
    }
    return best;
}

static int attack(bits attacker, bits defender, int moves);

/* Whether the attacker, with `moves` moves left, wins with the defender to move. */
static int defended(bits attacker, bits defender, int moves) {
    int weights[MOST_SQUARES];
    if (completing(defender, attacker)) return 0;
    bits threats = completing(attacker, defender);
    if (threats && moves >= 1)
        return !only(threats) || attack(attacker, defender | threats, moves);
    if (moves < 2) return 0;
    int total = potential(attacker, defender, moves, weights);
    bits untried = full & ~(attacker | defender);
    if (!untried || total < HALF || total - weights[heaviest(weights, untried)] < HALF) return 0;
    while (untried) {
        int square = heaviest(weights, untried);
        untried ^= (bits)1 << square;
        if (!attack(attacker, defender | (bits)1 << square, moves)) return 0;
    }
    return 1;
}

/* Whether the attacker, to move, can force a set within `moves` moves of its own. */
static int attack(bits attacker, bits defender, int moves) {
    int weights[MOST_SQUARES];
    if (moves < 1) return 0;
    if (completing(attacker, defender)) return 1;
    if (moves < 2) return 0;
    bits threats = completing(defender, attacker);
    if (threats) return only(threats) && defended(attacker | threats, defender, moves - 1);
    int total = potential(attacker, defender, moves, weights);
    bits untried = full & ~(attacker | defender);
    if (!untried || total < HALF) return 0;
    struct entry *known = look_up(attacker, defender);
    if (known->refuted >= moves) return 0;
    if (known->proved <= moves) return 1;
    int first = heaviest(weights, untried), won = 0;
    int top = weights[first];
    while (untried && !won) {
        int square = heaviest(weights, untried);
        untried ^= (bits)1 << square;
        /* The defender's reply on the heaviest square blocks all that is left. */
        if (square != first && total + weights[square] - top < HALF) break;
        won = defended(attacker | (bits)1 << square, defender, moves - 1);
    }
    known = look_up(attacker, defender);
    if (won && moves < known->proved) known->proved = moves;
    if (!won && moves > known->refuted) known->refuted = moves;
    return won;
}

/* Whether some move keeps the other from forcing a set within `moves` moves. */
static int can_hold(bits mine, bits theirs, int moves) {
    bits must = completing(theirs, mine);
    bits untried = must ? must & -must : full & ~(mine | theirs);
    if (!only(must)) return 0;
    for (; untried; untried &= untried - 1)
        if (!attack(theirs, mine | (untried & -untried), moves)) return 1;
    return 0;
}

static int value(bits mine, bits theirs) {
    if ((mine | theirs) == full) return 0;
    int moves = 1, winning = 1, losing = 1;
    for (;; moves++) {
        if (moves == 4) {
            winning = attack(mine, theirs, FOREVER);
            losing = !winning && !can_hold(mine, theirs, FOREVER);
            if (!winning && !losing) return 0;
        }
        if (winning && attack(mine, theirs, moves)) return 2 * moves - 1;
        if (losing && !can_hold(mine, theirs, moves)) return 2 * moves;
    }
}

int main(void) {
    bits mine, theirs;
    if (scanf("%d %d", &squares, &set_count) != 2) return EXIT_FAILURE;
    if (squares > MOST_SQUARES || set_count > MOST_SETS) return EXIT_FAILURE;
    full = squares == 64 ? ~(bits)0 : ((bits)1 << squares) - 1;
    for (int i = 0; i < set_count; i++)
        if (scanf("%" SCNu64, &sets[i]) != 1) return EXIT_FAILURE;
    while (scanf("%" SCNu64 " %" SCNu64, &mine, &theirs) == 2) printf("%d\n", value(mine, theirs));
    return EXIT_SUCCESS;
}
