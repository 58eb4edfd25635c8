/* Results of line-game positions for books without lengths (books.py compiles and runs this).

   The search of core/engine/proofs.py, ten times as fast: depth-first proof numbers, with the
   same cuts. The tables are kept from position to position and take 1.3 gigabytes.

   Input: squares, number of sets, the sets, then pairs of bitboards (who moves next, the other).
   Output: a line for each pair: 0 for a draw, 253 if who moves next wins, 254 if it loses, 255 if
   that isn't found out in time. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t bits;
typedef uint32_t number;

enum { MOST_SETS = 128, MOST_SQUARES = 64, TABLE = 1 << 24, FULL = TABLE / 2, FAILED = 1 << 24 };
enum { NEVER = 1000000000, ATTACKER_BIAS = 100, DEFENDER_BIAS = 20, PATIENCE = 4 };
/* How many positions may be asked about for one. */
enum { MOST_ASKED = 3000000, DRAW = 0, WON = 253, LOST = 254, UNKNOWN = 255 };
#define ONE (1 << 20)
#define HALF (ONE >> 1)

static int squares, set_count;
static bits sets[MOST_SETS], full;

/* The squares that a win depends on, the defender's answers in it, and its moves that threaten
   nothing. */
struct plan { bits zone, answers; int quiet; };

/* Whether the attacker can own a set, with the defender to move if `reply`; the squares on which
   who is to move need look for a move. */
struct question {
    bits attacker, defender, relevant;
    struct plan plan;
    number proof, disproof;
    uint8_t reply, used, looked;
};
static struct question *table;
static bits (*failed)[2];
static uint64_t used, last;

struct option { struct question *asked; bits bit, forces; number bias; };

static uint64_t hash(bits attacker, bits defender, int reply) {
    uint64_t mixed = attacker * 0x9E3779B97F4A7C15u ^ (defender * 2 + reply) * 0xC2B2AE3D27D4EB4Fu;
    return (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9u >> 32;
}

static struct question *question(bits attacker, bits defender, int reply) {
    for (uint64_t at = hash(attacker, defender, reply);; at++) {
        struct question *found = &table[at & (TABLE - 1)];
        if (!found->used) {
            *found = (struct question){.attacker = attacker, .defender = defender, .proof = 1,
                                       .disproof = 1, .reply = (uint8_t)reply, .used = 1};
            used++;
            return found;
        }
        if (found->attacker == attacker && found->defender == defender && found->reply == reply)
            return found;
    }
}

static void prove(struct question *asked, struct plan plan) {
    asked->proof = 0;
    asked->disproof = NEVER;
    asked->plan = plan;
}

static void refute(struct question *asked) {
    asked->proof = NEVER;
    asked->disproof = 0;
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

/* What the attacker's sets lack, without those that hold another; return how many there are. */
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

/* Leave out the sets of which two squares lie in no other. */
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

/* Erdos and Selfridge: the sum of 2^-lacking, and its share by square. */
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
    int left = lacking(attacker, defender, lack), best = 0, second = 0;
    for (int i = 0; i < left; i++) paired |= lack[i];
    int total = potential(lack, unpaired(lack, left), weights);
    for (int i = 0; i < squares; i++)
        if (weights[i] > best) second = best, best = weights[i];
        else if (weights[i] > second) second = weights[i];
    if (total < HALF || total + best - second < HALF) return 0;
    int enough = HALF + best - total;
    if (enough <= 0) return full & ~(attacker | defender);
    for (int i = 0; i < squares; i++)
        if (weights[i] ? weights[i] >= enough || weights[i] == best : (int)(paired >> i & 1))
            found |= (bits)1 << i;
    return found;
}

/* The free squares on which the defender could spoil a plan by moving first. */
static bits refuting(bits attacker, bits defender, struct plan plan) {
    bits found = plan.zone, marks = defender | plan.answers;
    for (int i = 0; i < set_count; i++)
        if (!(sets[i] & attacker) && count(sets[i] & ~marks) <= 2 + plan.quiet) found |= sets[i];
    return found & full & ~(attacker | defender);
}

static struct plan after(struct plan plan, bits bit, bits forces) {
    return (struct plan){plan.zone | bit | forces, plan.answers | forces, plan.quiet + !forces};
}

/* The plan of a mark on `bit` that threatens to complete sets on two squares or more. */
static struct plan forked(bits bit, bits threats) {
    bits rest = threats & (threats - 1), two = (threats & -threats) | (rest & -rest);
    return (struct plan){bit | two, two, 0};
}

/* Whether the attacker, to move, wins by threats alone, and how. Nobody can complete a set at once
   but the defender on the squares of `blocks`. Where it doesn't is kept. */
static int threatens(bits attacker, bits defender, bits blocks, struct plan *plan) {
    bits(*kept)[2] = &failed[hash(attacker, defender, 0) & (FAILED - 1)];
    if ((*kept)[0] == attacker && (*kept)[1] == defender) return 0;
    bits moves = 0, forced[MOST_SQUARES];
    for (int i = 0; i < set_count; i++)
        if (!(sets[i] & defender) && count(sets[i] & ~attacker) == 2) moves |= sets[i] & ~attacker;
    if (blocks) moves &= only(blocks) ? blocks : 0;
    for (bits rest = moves; rest; rest &= rest - 1) {
        bits bit = rest & -rest, threats = completing(attacker | bit, defender);
        if (!only(threats)) {
            *plan = forked(bit, threats);
            return 1;
        }
        forced[lowest(bit)] = threats;
    }
    for (bits rest = moves; rest; rest &= rest - 1) {
        bits bit = rest & -rest, forces = forced[lowest(bit)];
        bits next = completing(defender | forces, attacker | bit);
        if (threatens(attacker | bit, defender | forces, next, plan)) {
            *plan = after(*plan, bit, forces);
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

static void defend(struct question *asked, number proof, number disproof);

/* Follow the attacker's best options until a number reaches its bound. */
static void attack(struct question *asked, number proof, number disproof) {
    bits attacker = asked->attacker, defender = asked->defender;
    bits blocks = completing(defender, attacker);
    int weights[MOST_SQUARES] = {0}, most = 0, left = 0;
    if (!asked->looked) {
        struct plan plan;
        asked->looked = 1;
        asked->relevant = full;
        if (!only(blocks)) { refute(asked); return; }
        if (!blocks && threatens(attacker, defender, 0, &plan)) { prove(asked, plan); return; }
        if (!blocks && threatens(defender, attacker, 0, &plan))
            asked->relevant = refuting(defender, attacker, plan);
    }
    bits moves = blocks ? blocks : attacks(attacker, defender, weights) & asked->relevant;
    struct option options[MOST_SQUARES];
    for (int i = 0; i < squares; i++) if (weights[i] > most) most = weights[i];
    for (; moves; moves &= moves - 1) {
        bits bit = moves & -moves, threats = completing(attacker | bit, defender);
        if (!only(threats)) {
            prove(asked, forked(bit, threats));
            return;
        }
        options[left++] = (struct option){
            question(attacker | bit, defender | threats, !threats), bit, threats,
            bias(most, weights[lowest(bit)], ATTACKER_BIAS)};
    }
    while (left) {
        number best = NEVER, second = NEVER, hardest = 1;
        struct option *chosen = 0;
        int open = 0;
        for (int i = 0; i < left; i++) {
            struct question *next = options[i].asked;
            if (!next->proof) {
                prove(asked, after(next->plan, options[i].bit, options[i].forces));
                return;
            }
            if (next->disproof) options[open++] = options[i];
        }
        left = open;
        for (int i = 0; i < left; i++) {
            number hard = least(options[i].asked->proof + options[i].bias, NEVER - 1);
            if (options[i].asked->disproof > hardest) hardest = options[i].asked->disproof;
            if (hard < best) second = best, best = hard, chosen = &options[i];
            else if (hard < second) second = hard;
        }
        if (!chosen) break;
        asked->proof = best;
        asked->disproof = least(hardest + (number)left - 1, NEVER - 1);
        if (best >= proof || asked->disproof >= disproof || used >= last) return;
        struct question *next = chosen->asked;
        number within = least(proof, second + 1 + second / PATIENCE);
        within = within > chosen->bias + next->proof ? within - chosen->bias : next->proof + 1;
        number beyond = disproof - asked->disproof + next->disproof;
        if (next->reply) defend(next, within, beyond);
        else attack(next, within, beyond);
    }
    refute(asked);
}

/* Follow the defender's best options until a number reaches its bound. */
static void defend(struct question *asked, number proof, number disproof) {
    bits attacker = asked->attacker, defender = asked->defender, lack[MOST_SETS];
    int weights[MOST_SQUARES], most = 0, left = 0;
    int total = potential(lack, lacking(attacker, defender, lack), weights);
    for (int i = 0; i < squares; i++) if (weights[i] > most) most = weights[i];
    if (total - most < HALF) { refute(asked); return; }
    if (!asked->looked) {
        asked->looked = 1;
        asked->relevant = full & ~(attacker | defender);
        if (threatens(defender, attacker, 0, &asked->plan)) { refute(asked); return; }
        /* Where the attacker would win if the defender passed, it must be in the way of that. */
        asked->plan = (struct plan){0};
        if (threatens(attacker, defender, 0, &asked->plan))
            asked->relevant = refuting(attacker, defender, asked->plan);
    }
    struct option options[MOST_SQUARES];
    struct plan plan = asked->plan;
    bits untried = asked->relevant;
    for (bits rest = untried; rest; rest &= rest - 1) {
        bits bit = rest & -rest;
        options[left++] = (struct option){question(attacker, defender | bit, 0), bit, 0,
                                          bias(most, weights[lowest(bit)], DEFENDER_BIAS)};
    }
    for (;;) {
        number best = NEVER, second = NEVER, hardest = 1;
        struct option *chosen = 0;
        int open = 0;
        for (int i = 0; i < left; i++) {
            struct question *next = options[i].asked;
            bits bit = options[i].bit;
            if (!(bit & untried)) continue;
            if (!next->disproof) { refute(asked); return; }
            if (next->proof) continue;
            plan.zone |= next->plan.zone | bit;
            plan.answers |= next->plan.answers | bit;
            if (next->plan.quiet > plan.quiet) plan.quiet = next->plan.quiet;
            untried &= refuting(attacker, defender | bit, next->plan) & ~bit;
        }
        for (int i = 0; i < left; i++) if (options[i].bit & untried) options[open++] = options[i];
        left = open;
        if (!left) { prove(asked, plan); return; }
        for (int i = 0; i < left; i++) {
            number hard = least(options[i].asked->disproof + options[i].bias, NEVER - 1);
            if (options[i].asked->proof > hardest) hardest = options[i].asked->proof;
            if (hard < best) second = best, best = hard, chosen = &options[i];
            else if (hard < second) second = hard;
        }
        asked->proof = least(hardest + (number)left - 1, NEVER - 1);
        asked->disproof = best;
        if (best >= disproof || asked->proof >= proof || used >= last) return;
        struct question *next = chosen->asked;
        number within = least(disproof, second + 1 + second / PATIENCE);
        within = within > chosen->bias + next->disproof ? within - chosen->bias : next->disproof + 1;
        attack(next, proof - asked->proof + next->proof, within);
    }
}

/* Whether the attacker can own a set: looked at so far beyond what is known, 0 for as yet unknown. */
static int answer(struct question *asked, number further) {
    if (asked->proof && asked->disproof) {
        number proof = asked->proof + further, disproof = asked->disproof + further;
        if (asked->reply) defend(asked, proof, disproof);
        else attack(asked, proof, disproof);
    }
    return !asked->proof - !asked->disproof;
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
    last = used + MOST_ASKED;
    struct question *ours = question(mine, theirs, 0);
    struct question *other = question(theirs, mine | blocks, !blocks);
    for (number further = 16;; further = least(2 * further, NEVER / 4)) {
        int won = answer(ours, further);
        if (won > 0) return WON;
        int lost = answer(other, further);
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
        if (scanf("%lu", &sets[i]) != 1) return EXIT_FAILURE;
    while (scanf("%lu %lu", &mine, &theirs) == 2) {
        printf("%d\n", result(mine, theirs));
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
