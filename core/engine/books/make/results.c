/* Results of line-game positions, for books without distances.

   The depth-first proof-number search of core/engine/lines/dfpn.py with the same bounds, ten times
   as fast. Its tables are kept from position to position and take 1.3 gigabytes.

   Input: the number of squares, the number of sets, the sets, then pairs of bitboards (the seat to
   move, the other one). Output: a line for each pair, 0 for a draw, 253 for a win of the seat to
   move, 254 for a loss, 255 for a position beyond the budget. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t bits;
typedef uint32_t number;

enum { MOST_SETS = 128, MOST_SQUARES = 64, TABLE = 1 << 24, FULL = TABLE / 2, FAILED = 1 << 24 };
enum { INFINITE = 1000000000, ATTACKER_BIAS = 100, DEFENDER_BIAS = 20, SLACK_DIVISOR = 4 };
/* The budget of one position, in nodes. */
enum { MOST_NODES = 3000000, DRAW = 0, WON = 253, LOST = 254, UNKNOWN = 255 };
#define ONE (1 << 20)
#define HALF (ONE >> 1)

static int squares, set_count;
static bits sets[MOST_SETS], full;

/* A forced win: the squares on which it depends, the defender's replies in it, and its number of
   quiet moves. */
struct win { bits zone, replies; int quiet; };

/* Whether the attacker can force a set: an OR node, or an AND node if `reply`. `useful` are the
   squares on which the side to move has to be searched. */
struct node {
    bits attacker, defender, useful;
    struct win win;
    number proof, disproof;
    uint8_t reply, used, expanded;
};
static struct node *table;
static bits (*failed)[2];
static uint64_t used, last;

struct child { struct node *node; bits bit, forces; number bias; };

static uint64_t hash(bits attacker, bits defender, int reply) {
    uint64_t mixed = attacker * 0x9E3779B97F4A7C15u ^ (defender * 2 + reply) * 0xC2B2AE3D27D4EB4Fu;
    return (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9u >> 32;
}

static struct node *node_of(bits attacker, bits defender, int reply) {
    for (uint64_t at = hash(attacker, defender, reply);; at++) {
        struct node *found = &table[at & (TABLE - 1)];
        if (!found->used) {
            *found = (struct node){.attacker = attacker, .defender = defender, .proof = 1,
                                       .disproof = 1, .reply = (uint8_t)reply, .used = 1};
            used++;
            return found;
        }
        if (found->attacker == attacker && found->defender == defender && found->reply == reply)
            return found;
    }
}

static void prove(struct node *node, struct win win) {
    node->proof = 0;
    node->disproof = INFINITE;
    node->win = win;
}

static void disprove(struct node *node) {
    node->proof = INFINITE;
    node->disproof = 0;
}

static int only(bits set) { return !(set & (set - 1)); }
static int lowest(bits set) { return __builtin_ctzll(set); }
static int count(bits set) { return __builtin_popcountll(set); }
static number least(number one, number other) { return one < other ? one : other; }

/* The squares on which `mine` would complete a set. */
static bits completing(bits mine, bits theirs) {
    bits found = 0;
    for (int i = 0; i < set_count; i++)
        if (!(sets[i] & theirs) && only(sets[i] & ~mine)) found |= sets[i] & ~mine;
    return found;
}

/* Find what the attacker's sets lack, without sets that hold others; return their number. */
static int lacking(bits attacker, bits defender, bits *found) {
    bits all[MOST_SETS];
    int alive = 0, kept = 0;
    for (int i = 0; i < set_count; i++)
        if (!(sets[i] & defender)) all[alive++] = sets[i] & ~attacker;
    for (int i = 0; i < alive; i++) {
        int needed = 1;
        for (int j = 0; j < alive && needed; j++)
            if (j != i && (all[j] & all[i]) == all[j]) needed = all[j] == all[i] && i < j;
        if (needed) found[kept++] = all[i];
    }
    return kept;
}

/* Leave out the sets of which two squares lie in no other; return how many remain. */
static int unpaired(bits *lack, int left) {
    for (;;) {
        bits once = 0, twice = 0;
        int kept = 0;
        for (int i = 0; i < left; i++) {
            twice |= once & lack[i];
            once |= lack[i];
        }
        for (int i = 0; i < left; i++)
            if (only(lack[i] & once & ~twice)) lack[kept++] = lack[i];
        if (kept == left) return left;
        left = kept;
    }
}

/* The Erdos-Selfridge sum in units of 1/ONE, and the share of each square in it. */
static int potential(const bits *lack, int left, int *weights) {
    int total = 0;
    memset(weights, 0, MOST_SQUARES * sizeof *weights);
    for (int i = 0; i < left; i++) {
        int weight = ONE >> count(lack[i]);
        total += weight;
        for (bits rest = lack[i]; rest; rest &= rest - 1) weights[lowest(rest)] += weight;
    }
    return total;
}

/* The attacker's moves that are worth a search. */
static bits attacks(bits attacker, bits defender, int *weights) {
    bits lack[MOST_SETS], paired = 0, found = 0;
    int left = lacking(attacker, defender, lack), best = 0;
    for (int i = 0; i < left; i++) paired |= lack[i];
    int total = potential(lack, unpaired(lack, left), weights);
    for (int i = 0; i < squares; i++) if (weights[i] > best) best = weights[i];
    if (total < HALF) return 0;
    int enough = HALF + best - total;
    if (enough <= 0) return full & ~(attacker | defender);
    for (int i = 0; i < squares; i++)
        if (weights[i] ? weights[i] >= enough || weights[i] == best : (int)(paired >> i & 1))
            found |= (bits)1 << i;
    return found;
}

/* The free squares on which the defender, moving first, could refute a win. */
static bits must_play(bits attacker, bits defender, struct win win) {
    bits found = win.zone, marks = defender | win.replies;
    for (int i = 0; i < set_count; i++)
        if (!(sets[i] & attacker) && count(sets[i] & ~marks) <= 2 + win.quiet) found |= sets[i];
    return found & full & ~(attacker | defender);
}

static struct win after(struct win win, bits bit, bits forces) {
    return (struct win){win.zone | bit | forces, win.replies | forces, win.quiet + !forces};
}

/* The win by a mark on `bit` that threatens to complete sets on several squares. */
static struct win fork_on(bits bit, bits threats) {
    bits rest = threats & (threats - 1), two = (threats & -threats) | (rest & -rest);
    return (struct win){bit | two, two, 0};
}

/* Whether the attacker, to move, wins by threats alone, and how. Nobody can complete a set at once
   but the defender on the squares of `blocks`. Failures are stored. */
static int threatens(bits attacker, bits defender, bits blocks, struct win *win) {
    bits(*kept)[2] = &failed[hash(attacker, defender, 0) & (FAILED - 1)];
    if ((*kept)[0] == attacker && (*kept)[1] == defender) return 0;
    bits moves = 0, forced[MOST_SQUARES];
    for (int i = 0; i < set_count; i++)
        if (!(sets[i] & defender) && count(sets[i] & ~attacker) == 2) moves |= sets[i] & ~attacker;
    if (blocks) moves &= only(blocks) ? blocks : 0;
    for (bits rest = moves; rest; rest &= rest - 1) {
        bits bit = rest & -rest, threats = completing(attacker | bit, defender);
        if (!only(threats)) {
            *win = fork_on(bit, threats);
            return 1;
        }
        forced[lowest(bit)] = threats;
    }
    for (bits rest = moves; rest; rest &= rest - 1) {
        bits bit = rest & -rest, forces = forced[lowest(bit)];
        bits next = completing(defender | forces, attacker | bit);
        if (threatens(attacker | bit, defender | forces, next, win)) {
            *win = after(*win, bit, forces);
            return 1;
        }
    }
    (*kept)[0] = attacker;
    (*kept)[1] = defender;
    return 0;
}

static number bias(int most, int weight, int factor) {
    return most ? (number)((int64_t)factor * (most - weight) / most) : 0;
}

static void defend(struct node *node, number proof, number disproof);

/* Search below an OR node until one of its numbers reaches its threshold. */
static void attack(struct node *node, number proof, number disproof) {
    bits attacker = node->attacker, defender = node->defender;
    bits blocks = completing(defender, attacker);
    int weights[MOST_SQUARES] = {0}, most = 0, left = 0;
    if (!node->expanded) {
        struct win win;
        node->expanded = 1;
        node->useful = full;
        if (!only(blocks)) { disprove(node); return; }
        if (!blocks && threatens(attacker, defender, 0, &win)) { prove(node, win); return; }
        if (!blocks && threatens(defender, attacker, 0, &win))
            node->useful = must_play(defender, attacker, win);
    }
    bits moves = blocks ? blocks : attacks(attacker, defender, weights) & node->useful;
    struct child children[MOST_SQUARES];
    for (int i = 0; i < squares; i++) if (weights[i] > most) most = weights[i];
    for (; moves; moves &= moves - 1) {
        bits bit = moves & -moves, threats = completing(attacker | bit, defender);
        if (!only(threats)) {
            prove(node, fork_on(bit, threats));
            return;
        }
        children[left++] = (struct child){
            node_of(attacker | bit, defender | threats, !threats), bit, threats,
            bias(most, weights[lowest(bit)], ATTACKER_BIAS)};
    }
    while (left) {
        number best = INFINITE, second = INFINITE, hardest = 1;
        struct child *chosen = 0;
        int open = 0;
        for (int i = 0; i < left; i++) {
            struct node *next = children[i].node;
            if (!next->proof) {
                prove(node, after(next->win, children[i].bit, children[i].forces));
                return;
            }
            if (next->disproof) children[open++] = children[i];
        }
        left = open;
        for (int i = 0; i < left; i++) {
            number hard = least(children[i].node->proof + children[i].bias, INFINITE - 1);
            if (children[i].node->disproof > hardest) hardest = children[i].node->disproof;
            if (hard < best) second = best, best = hard, chosen = &children[i];
            else if (hard < second) second = hard;
        }
        if (!chosen) break;
        node->proof = best;
        node->disproof = least(hardest + (number)left - 1, INFINITE - 1);
        if (best >= proof || node->disproof >= disproof || used >= last) return;
        struct node *next = chosen->node;
        number within = least(proof, second + 1 + second / SLACK_DIVISOR);
        within = within > chosen->bias + next->proof ? within - chosen->bias : next->proof + 1;
        number beyond = disproof - node->disproof + next->disproof;
        if (next->reply) defend(next, within, beyond);
        else attack(next, within, beyond);
    }
    disprove(node);
}

/* Search below an AND node until one of its numbers reaches its threshold. */
static void defend(struct node *node, number proof, number disproof) {
    bits attacker = node->attacker, defender = node->defender, lack[MOST_SETS];
    int weights[MOST_SQUARES], most = 0, left = 0;
    int total = potential(lack, lacking(attacker, defender, lack), weights);
    for (int i = 0; i < squares; i++) if (weights[i] > most) most = weights[i];
    if (total - most < HALF) { disprove(node); return; }
    if (!node->expanded) {
        node->expanded = 1;
        node->useful = full & ~(attacker | defender);
        if (threatens(defender, attacker, 0, &node->win)) { disprove(node); return; }
        /* If the attacker wins after a null move, the defender has to refute that. */
        node->win = (struct win){0};
        if (threatens(attacker, defender, 0, &node->win))
            node->useful = must_play(attacker, defender, node->win);
    }
    struct child children[MOST_SQUARES];
    struct win win = node->win;
    bits untried = node->useful;
    for (bits rest = untried; rest; rest &= rest - 1) {
        bits bit = rest & -rest;
        children[left++] = (struct child){node_of(attacker, defender | bit, 0), bit, 0,
                                          bias(most, weights[lowest(bit)], DEFENDER_BIAS)};
    }
    for (;;) {
        number best = INFINITE, second = INFINITE, hardest = 1;
        struct child *chosen = 0;
        int open = 0;
        for (int i = 0; i < left; i++) {
            struct node *next = children[i].node;
            bits bit = children[i].bit;
            if (!(bit & untried)) continue;
            if (!next->disproof) { disprove(node); return; }
            if (next->proof) continue;
            win.zone |= next->win.zone | bit;
            win.replies |= next->win.replies | bit;
            if (next->win.quiet > win.quiet) win.quiet = next->win.quiet;
            untried &= must_play(attacker, defender | bit, next->win) & ~bit;
        }
        for (int i = 0; i < left; i++)
            if (children[i].bit & untried) children[open++] = children[i];
        left = open;
        if (!left) { prove(node, win); return; }
        for (int i = 0; i < left; i++) {
            number hard = least(children[i].node->disproof + children[i].bias, INFINITE - 1);
            if (children[i].node->proof > hardest) hardest = children[i].node->proof;
            if (hard < best) second = best, best = hard, chosen = &children[i];
            else if (hard < second) second = hard;
        }
        node->proof = least(hardest + (number)left - 1, INFINITE - 1);
        node->disproof = best;
        if (best >= disproof || node->proof >= proof || used >= last) return;
        struct node *next = chosen->node;
        number within = least(disproof, second + 1 + second / SLACK_DIVISOR);
        within = within > chosen->bias + next->disproof ? within - chosen->bias : next->disproof + 1;
        attack(next, proof - node->proof + next->proof, within);
    }
}

/* Raise the thresholds by `further`; return 1 for a proof, -1 for a disproof, 0 for neither. */
static int searched(struct node *node, number further) {
    if (node->proof && node->disproof) {
        number proof = node->proof + further, disproof = node->disproof + further;
        if (node->reply) defend(node, proof, disproof);
        else attack(node, proof, disproof);
    }
    return !node->proof - !node->disproof;
}

static int result(bits mine, bits theirs) {
    if (completing(mine, theirs)) return WON;
    bits blocks = completing(theirs, mine);
    if (!only(blocks)) return LOST;
    if ((mine | theirs) == full) return DRAW;
    if (used > FULL) {
        memset(table, 0, (size_t)TABLE * sizeof *table);
        used = 0;
    }
    last = used + MOST_NODES;
    struct node *ours = node_of(mine, theirs, 0);
    struct node *other = node_of(theirs, mine | blocks, !blocks);
    for (number further = 16;; further = least(2 * further, INFINITE / 4)) {
        int won = searched(ours, further);
        if (won > 0) return WON;
        int lost = searched(other, further);
        if (lost > 0) return LOST;
        if (won < 0 && lost < 0) return DRAW;
        if (used >= last) return UNKNOWN;
    }
}

int main(void) {
    bits mine, theirs;
    if (scanf("%d %d", &squares, &set_count) != 2) return EXIT_FAILURE;
    if (squares > MOST_SQUARES || set_count > MOST_SETS) return EXIT_FAILURE;
    table = calloc(TABLE, sizeof *table);
    failed = calloc(FAILED, sizeof *failed);
    if (!table || !failed) return EXIT_FAILURE;
    full = squares == 64 ? ~(bits)0 : ((bits)1 << squares) - 1;
    for (int i = 0; i < set_count; i++)
        if (scanf("%" SCNu64, &sets[i]) != 1) return EXIT_FAILURE;
    while (scanf("%" SCNu64 " %" SCNu64, &mine, &theirs) == 2) {
        printf("%d\n", result(mine, theirs));
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
