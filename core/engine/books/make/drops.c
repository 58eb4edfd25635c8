/* Connect four on 7 columns of 6 rows: a book of the best moves of one seat, and scores.

   The alpha-beta of core/engine/drops/solver.py with the same bounds, sixty times as fast. Of a
   position and its mirror image it stores one. Its table takes 1.2 gigabytes.

   `book SEAT` writes a line for each position in which that seat is to move: the number of the
   position (core/engine/drops/book.py), the sign of its score, and the column of a best move. These
   positions arise if the seat plays by the book and the other side makes any moves. Those that a
   small search solves are left out: from there on, the book isn't needed.

   `scores` reads sequences of columns, 1 to 7, and writes for each the score: how many pieces the
   winner has left at the end and one more, negative if the side to move loses. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drops.h"

/* The tables' sizes as powers of two, and the nodes of the small search. */
enum { BIG = 27, SMALL = 16, SEEN = 22, EASY_NODES = 5000 };

struct table { bits *keys; int8_t *bounds; int log; };

static struct table big, small, *table;
static uint64_t nodes, limit = UINT64_MAX;
static int stopped;

static void make(struct table *made, int log) {
    made->log = log;
    made->keys = malloc(sizeof(bits) << log);
    made->bounds = malloc((size_t)1 << log);
    if (!made->keys || !made->bounds) exit(1);
    memset(made->keys, 0xff, sizeof(bits) << log);
}

static void prepare(void) {
    lay_out();
    make(&big, BIG);
    make(&small, SMALL);
    table = &big;
}

/* Sort `moves` by the threats that they make, most first; return their number. */
static int in_order(bits mine, bits taken, bits moves, bits *ordered) {
    int threatened[WIDTH], found = 0;
    for (int i = 0; i < WIDTH; i++) {
        bits move = moves & column[order[i]];
        if (!move) continue;
        int made = __builtin_popcountll(completing(mine | move, taken)), j = found++;
        for (; j && threatened[j - 1] < made; j--) {
            threatened[j] = threatened[j - 1];
            ordered[j] = ordered[j - 1];
        }
        threatened[j] = made;
        ordered[j] = move;
    }
    return found;
}

static int column_of(bits move) { return __builtin_ctzll(move) / UP; }

/* Bounds are stored as 32 + an upper or 96 + a lower one. */
static int search(bits mine, bits taken, int count, int alpha, int beta) {
    if (++nodes > limit) {
        stopped = 1;
        return 0;
    }
    bits theirs = mine ^ taken, next = playable(taken), threats = completing(theirs, taken);
    bits forced = threats & next, moves = (forced ? forced : next) & ~(threats >> 1);
    if (forced & (forced - 1) || !moves) return -(CELLS - count) / 2;
    if (count >= CELLS - 2) return 0;
    int lowest = -(CELLS - 2 - count) / 2, highest = (CELLS - 1 - count) / 2;
    bits key = count < MIRRORED_UP_TO ? number(mine, taken) : mine + taken;
    uint64_t at = key * 0x9E3779B97F4A7C15u >> (64 - table->log);
    if (table->keys[at] == key) {
        int bound = table->bounds[at];
        if (bound > 64 && bound - 96 > lowest) lowest = bound - 96;
        if (bound <= 64 && bound - 32 < highest) highest = bound - 32;
    }
    if (highest > 0 && !has_line(mine | (board ^ taken))) highest = 0;
    if (lowest < 0 && !has_line(theirs | (board ^ taken))) lowest = 0;
    if (highest >= 0) {
        int sign = by_follow_up(mine, taken, next, threats);
        if (sign < 1 && sign < highest) highest = sign;
    }
    if (lowest >= beta) return lowest;
    if (highest <= alpha) return highest;
    if (lowest > alpha) alpha = lowest;
    if (highest < beta) beta = highest;
    if (alpha >= beta) return alpha;
    bits ordered[WIDTH];
    int found = in_order(mine, taken, moves, ordered);
    for (int i = 0; i < found; i++) {
        int score = -search(theirs, taken | ordered[i], count + 1, -beta, -alpha);
        if (stopped) return 0;
        if (score >= beta) {
            table->keys[at] = key;
            table->bounds[at] = (int8_t)(score + 96);
            return score;
        }
        if (score > alpha) alpha = score;
    }
    table->keys[at] = key;
    table->bounds[at] = (int8_t)(alpha + 32);
    return alpha;
}

/* The score within a window, also where a line can be completed at once or the board is full. */
static int score_within(bits mine, bits taken, int count, int alpha, int beta) {
    if (playable(taken) & completing(mine, taken)) return (CELLS + 1 - count) / 2;
    return count == CELLS ? 0 : search(mine, taken, count, alpha, beta);
}

static int exact_score(bits mine, bits taken, int count) {
    int low = -(CELLS - count) / 2, high = (CELLS + 1 - count) / 2;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (middle <= 0 && low / 2 < middle) middle = low / 2;
        else if (middle >= 0 && high / 2 > middle) middle = high / 2;
        int found = score_within(mine, taken, count, middle, middle + 1);
        if (found <= middle) high = found;
        else low = found;
    }
    return low;
}

/* The sign of the score, at least `least`, and a best move; of moves that lose, the one that took
   longest to refute. */
static int best_move(bits mine, bits taken, int count, int least, int *best) {
    bits next = playable(taken), threats = completing(mine ^ taken, taken);
    bits forced = next & threats, moves = (forced ? forced : next) & ~(threats >> 1);
    bits wins = next & completing(mine, taken);
    for (int c = WIDTH - 1; c >= 0; c--)
        if ((wins ? wins : moves ? moves : forced ? forced : next) & column[order[c]]) *best = order[c];
    if (wins) return 1;
    if (forced & (forced - 1) || !moves) return -1;
    bits ordered[WIDTH];
    int found = in_order(mine, taken, moves, ordered);
    uint64_t most = 0;
    for (int goal = 1; goal >= 0 && goal >= least; goal--) {
        for (int i = 0; i < found; i++) {
            uint64_t before = nodes;
            int kept = -score_within(mine ^ taken, taken | ordered[i], count + 1, -goal, 1 - goal);
            if (stopped) return 0;
            if (kept >= goal || (goal == 0 && nodes - before > most)) *best = column_of(ordered[i]);
            if (kept >= goal) return goal;
            if (nodes - before > most) most = nodes - before;
        }
        most = 0;
    }
    return -1;
}

/* Whether a search with empty tables finds the best move quickly. */
static int is_easy(bits mine, bits taken, int count) {
    int ignored;
    table = &small;
    memset(small.keys, 0xff, sizeof(bits) << SMALL);
    nodes = 0;
    limit = EASY_NODES;
    best_move(mine, taken, count, -1, &ignored);
    int easy = !stopped;
    stopped = 0;
    limit = UINT64_MAX;
    table = &big;
    return easy;
}

struct entry { bits mine, taken; int least; };
static struct entry *coming;
static uint64_t coming_count, room;
static bits *seen;

static void meet(bits mine, bits taken, int least) {
    bits key = number(mine, taken) + 1;
    uint64_t at = key * 0xC2B2AE3D27D4EB4Fu >> (64 - SEEN);
    for (; seen[at]; at = (at + 1) & (((uint64_t)1 << SEEN) - 1))
        if (seen[at] == key) return;
    seen[at] = key;
    if (coming_count == room) {
        room = room ? 2 * room : 1024;
        coming = realloc(coming, room * sizeof *coming);
        if (!coming) exit(1);
    }
    coming[coming_count++] = (struct entry){mine, taken, least};
}

/* Meet the positions after each reply of the side of `mine`, unless it can end the game. */
static void meet_replies(bits mine, bits taken, int least) {
    if (playable(taken) & completing(mine, taken)) return;
    for (int c = 0; c < WIDTH; c++) {
        bits move = playable(taken) & column[c];
        if (move) meet(mine ^ taken, taken | move, least);
    }
}

static void write_book(int seat) {
    seen = calloc((size_t)1 << SEEN, sizeof(bits));
    if (seat == 0) meet(0, 0, -1);
    else meet_replies(0, 0, -1);
    for (int count = seat; coming_count; count += 2) {
        struct entry *level = coming;
        uint64_t size = coming_count;
        coming = NULL;
        coming_count = room = 0;
        for (uint64_t i = 0; i < size; i++) {
            bits mine = level[i].mine, taken = level[i].taken;
            if (is_easy(mine, taken, count)) continue;
            int best, score = best_move(mine, taken, count, level[i].least, &best);
            bits key = number(mine, taken), move = playable(taken) & column[best];
            int told = key == mine + taken ? best : WIDTH - 1 - best;
            printf("%" PRIu64 " %d %d\n", key, score, told);
            meet_replies(mine ^ taken, taken | move, score);
        }
        fflush(stdout);
        free(level);
    }
}

static void write_scores(void) {
    char line[128];
    while (fgets(line, sizeof line, stdin)) {
        bits mine = 0, taken = 0;
        int count = 0;
        for (const char *c = line; *c >= '1' && *c <= '7'; c++, count++) {
            bits move = playable(taken) & column[*c - '1'];
            mine ^= taken;
            taken |= move;
        }
        printf("%d\n", exact_score(mine, taken, count));
        fflush(stdout);
    }
}

int main(int count, char **arguments) {
    prepare();
    if (count == 3 && !strcmp(arguments[1], "book")) write_book(atoi(arguments[2]));
    else if (count == 2 && !strcmp(arguments[1], "scores")) write_scores();
    else return 2;
    return 0;
}
