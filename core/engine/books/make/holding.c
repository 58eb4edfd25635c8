/* Whether a side can be kept from owning a set, by replies and then by pairs of squares.

   The search of core/engine/lines/pairing.py, a hundred times as fast and with more than one reply.
   It proves boards that take Python minutes, and makes the books of core/engine/lines/held.py.

   Input: the number of squares, the number of sets, the sets, then pairs of bitboards (the
   attacker, the defender, who is to move). Output: a line for each pair, the square of a reply
   after which the attacker can't force a set, -1 if no reply is proved to be one. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint64_t bits;

enum { MOST_SETS = 256, MOST_SQUARES = 64, MOST_PAIRS = 45, TABLE = 1 << 23, FULL = TABLE / 4 * 3 };
/* How many replies a proof may take before there are pairs, how many are tried on each move, and
   the nodes of one search for pairs. */
enum { MOST_REPLIES = 5, TRIED = 8, PAIRING_NODES = 600, NEVER = 100 };

static int squares, set_count;
static bits sets[MOST_SETS];

/* The most replies with which a position isn't proved, the fewest with which it is, and the first
   of these if the defender is to move. Which side is to move follows from the numbers of marks. An
   entry without marks is blank. */
static struct entry { bits attacker, defender; int failed, proved, reply; } table[TABLE];
static int entries;

static struct entry *look_up(bits attacker, bits defender) {
    uint64_t hash = attacker * 0x9E3779B97F4A7C15u ^ defender * 0xC2B2AE3D27D4EB4Fu;
    for (hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u >> 32;; hash++) {
        struct entry *found = &table[hash & (TABLE - 1)];
        if (!(found->attacker | found->defender)) {
            if (entries++ == FULL) exit(EXIT_FAILURE);
            *found = (struct entry){attacker, defender, -1, NEVER, -1};
        }
        if (found->attacker == attacker && found->defender == defender) return found;
    }
}

static int count(bits set) { return __builtin_popcountll(set); }

static int lowest(bits set) { return __builtin_ctzll(set); }

static int only(bits set) { return !(set & (set - 1)); }

static int by_size(const void *one, const void *other) {
    bits first = *(const bits *)one, second = *(const bits *)other;
    int more = count(first) - count(second);
    return more ? more : (first > second) - (first < second);
}

/* What the attacker's sets lack, without sets that hold others, the smallest ones first. */
static int lacked(bits attacker, bits defender, bits *least) {
    bits every[MOST_SETS];
    int all = 0, kept = 0;
    for (int i = 0; i < set_count; i++)
        if (!(sets[i] & defender)) every[all++] = sets[i] & ~attacker;
    qsort(every, all, sizeof *every, by_size);
    for (int i = 0; i < all; i++) {
        int holds = 0;
        for (int j = 0; j < kept && !holds; j++) holds = (every[i] & least[j]) == least[j];
        if (!holds) least[kept++] = every[i];
    }
    return kept;
}

/* The squares of sets, those first that lie in the most sets and in the smallest. */
static int heaviest(const bits *lacking, int length, int *order) {
    double weights[MOST_SQUARES] = {0};
    int found = 0;
    for (int i = 0; i < length; i++)
        for (bits rest = lacking[i]; rest; rest &= rest - 1) {
            if (weights[lowest(rest)] == 0) order[found++] = lowest(rest);
            weights[lowest(rest)] += 1.0 / ((bits)1 << count(lacking[i]));
        }
    for (int i = 1; i < found; i++) {
        int square = order[i], j = i;
        for (; j > 0 && weights[order[j - 1]] < weights[square]; j--) order[j] = order[j - 1];
        order[j] = square;
    }
    return found;
}

/* Whether pairs beside the `used` squares are found, one in each of the sets. */
static int paired(const bits *lacking, int length, bits used, int *nodes) {
    struct { bits pair; int left; } pairs[MOST_PAIRS];
    bits tightest = ~(bits)0, rest[MOST_SETS];
    int found = 0;
    if (!length) return 1;
    if (--*nodes < 0) return 0;
    for (int i = 0; i < length; i++)
        if (count(lacking[i] & ~used) < count(tightest)) tightest = lacking[i] & ~used;
    /* Each pair of the set with the fewest squares left, those first that serve the most sets. */
    for (bits one = tightest; one; one &= one - 1)
        for (bits other = one & (one - 1); other; other &= other - 1) {
            bits pair = (one & -one) | (other & -other);
            int left = 0, j = found++;
            for (int i = 0; i < length; i++) left += (lacking[i] & pair) != pair;
            for (; j > 0 && pairs[j - 1].left > left; j--) pairs[j] = pairs[j - 1];
            pairs[j].pair = pair, pairs[j].left = left;
        }
    for (int k = 0; k < found && *nodes > 0; k++) {
        int left = 0;
        for (int i = 0; i < length; i++)
            if ((lacking[i] & pairs[k].pair) != pairs[k].pair) rest[left++] = lacking[i];
        if (paired(rest, left, used | pairs[k].pair, nodes)) return 1;
    }
    return 0;
}

static int answered(bits attacker, bits defender, int replies);

/* Whether it is proved, with this many replies, that the attacker, to move, can't force a set. */
static int held(bits attacker, bits defender, int replies) {
    bits lacking[MOST_SETS];
    int order[MOST_SQUARES], nodes = PAIRING_NODES;
    struct entry *known = look_up(attacker, defender);
    if (known->proved <= replies) return 1;
    if (known->failed >= replies) return 0;
    int length = lacked(attacker, defender, lacking);
    if (length && only(lacking[0])) {
        known->failed = NEVER;
        return 0;
    }
    if (known->failed < 0 && paired(lacking, length, 0, &nodes)) {
        known->proved = 0;
        return 1;
    }
    known->failed = replies;
    if (!replies) return 0;
    int moves = heaviest(lacking, length, order);
    for (int i = 0; i < moves; i++)
        if (!answered(attacker | (bits)1 << order[i], defender, replies)) return 0;
    known->proved = replies;
    return 1;
}

/* Whether the defender, to move, has a mark after which the position is held. */
static int answered(bits attacker, bits defender, int replies) {
    bits lacking[MOST_SETS], completing = 0;
    int order[MOST_SQUARES];
    struct entry *known = look_up(attacker, defender);
    if (known->proved <= replies) return 1;
    int length = lacked(attacker, defender, lacking);
    for (int i = 0; i < length; i++)
        if (only(lacking[i])) completing |= lacking[i];
    if (!only(completing)) return 0;
    int moves = heaviest(lacking, length, order);
    if (completing) order[0] = lowest(completing), moves = 1;
    while (known->failed < replies) {
        int fewer = known->failed < 0 ? 0 : known->failed;
        for (int i = 0; i < moves && i < TRIED; i++)
            if (held(attacker, defender | (bits)1 << order[i], fewer)) {
                known->proved = fewer + 1;
                known->reply = order[i];
                return 1;
            }
        known->failed = fewer + 1;
    }
    return 0;
}

int main(void) {
    bits attacker, defender;
    if (scanf("%d %d", &squares, &set_count) != 2) return EXIT_FAILURE;
    if (squares > MOST_SQUARES || set_count > MOST_SETS) return EXIT_FAILURE;
    for (int i = 0; i < set_count; i++)
        if (scanf("%" SCNu64, &sets[i]) != 1) return EXIT_FAILURE;
    while (scanf("%" SCNu64 " %" SCNu64, &attacker, &defender) == 2) {
        answered(attacker, defender, MOST_REPLIES);
        printf("%d\n", look_up(attacker, defender)->reply);
    }
    return EXIT_SUCCESS;
}
