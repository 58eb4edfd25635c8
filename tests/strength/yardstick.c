/* A plain gomoku player: alpha-beta of a fixed depth over patterns, candidates within two squares of a mark.
 *
 * It reads positions, "columns rows line depth board", the board as rows*columns letters from a1 row by row ('x' to
 * move, 'o' the other, '.' empty), and answers each with the index of its move. It is a yardstick: what a programmer
 * writes in an afternoon, without threat search, transposition table or deepening.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100, WIN = 1000000 };

static int columns, rows, line, squares;
static char board[MOST + 1];
static const int STEPS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

static int on(int c, int r) { return c >= 0 && c < columns && r >= 0 && r < rows; }

/* The worth of all patterns of `own`, who is to move if `turn`: a run of `line` without the other's mark counts by the
 * own marks in it; one more mark than needed for a three (or a four) counts much more if both its ends are open. */
static int worth(char own, char other, int turn) {
    int total = 0, fours = 0, open_fours = 0, open_threes = 0;
    for (int d = 0; d < 4; d++) {
        int dc = STEPS[d][0], dr = STEPS[d][1];
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++) {
                if (!on(c + dc * (line - 1), r + dr * (line - 1))) continue;
                int count = 0, blocked = 0;
                for (int i = 0; i < line; i++) {
                    char mark = board[(r + dr * i) * columns + c + dc * i];
                    count += mark == own;
                    blocked |= mark == other;
                }
                if (!blocked) {
                    if (count == line) return WIN;
                    fours += count == line - 1;
                    total += 1 << 2 * count;
                }
                /* A window of line + 1 squares with empty ends. */
                if (!on(c + dc * line, r + dr * line)) continue;
                if (board[r * columns + c] != '.' || board[(r + dr * line) * columns + c + dc * line] != '.') continue;
                count = blocked = 0;
                for (int i = 1; i < line; i++) {
                    char mark = board[(r + dr * i) * columns + c + dc * i];
                    count += mark == own;
                    blocked |= mark == other;
                }
                if (blocked) continue;
                open_fours += count == line - 1;
                open_threes += count == line - 2;
            }
    }
    if (turn && fours) return WIN / 2;
    if (open_fours || fours > 1) return WIN / 4;
    if (turn && open_threes) total += WIN / 8;
    return total + 900 * fours + 700 * open_threes + (open_threes > 1 ? 4000 : 0);
}

static int completes(int square, char own) {
    int c = square % columns, r = square / columns;
    for (int d = 0; d < 4; d++) {
        int dc = STEPS[d][0], dr = STEPS[d][1], run = 1;
        for (int i = 1; on(c + dc * i, r + dr * i) && board[(r + dr * i) * columns + c + dc * i] == own; i++) run++;
        for (int i = 1; on(c - dc * i, r - dr * i) && board[(r - dr * i) * columns + c - dc * i] == own; i++) run++;
        if (run >= line) return 1;
    }
    return 0;
}

/* How much a mark of either side on `square` would matter, for the order of moves. */
static int urgency(int square, char own, char other) {
    int c = square % columns, r = square / columns, total = 0;
    for (int d = 0; d < 4; d++)
        for (int back = 0; back < line; back++) {
            int c0 = c - STEPS[d][0] * back, r0 = r - STEPS[d][1] * back, mine = 0, theirs = 0;
            if (!on(c0, r0) || !on(c0 + STEPS[d][0] * (line - 1), r0 + STEPS[d][1] * (line - 1))) continue;
            for (int i = 0; i < line; i++) {
                char mark = board[(r0 + STEPS[d][1] * i) * columns + c0 + STEPS[d][0] * i];
                mine += mark == own;
                theirs += mark == other;
            }
            if (!theirs) total += 2 << 2 * mine;
            if (!mine) total += 1 << 2 * theirs;
        }
    return total;
}

static int candidates(int *moves, char own, char other) {
    int count = 0, keys[MOST], empty = 1;
    for (int i = 0; i < squares; i++) empty &= board[i] == '.';
    for (int i = 0; i < squares; i++) {
        if (board[i] != '.') continue;
        int c = i % columns, r = i / columns, near = empty;
        for (int dr = -2; dr <= 2; dr++)
            for (int dc = -2; dc <= 2; dc++)
                near |= on(c + dc, r + dr) && board[(r + dr) * columns + c + dc] != '.';
        if (!near) continue;
        int key = urgency(i, own, other), at = count++;
        for (; at && keys[at - 1] < key; at--) keys[at] = keys[at - 1], moves[at] = moves[at - 1];
        keys[at] = key, moves[at] = i;
    }
    return count;
}

static int search(int depth, int alpha, int beta, char own, char other, int *best) {
    if (!depth) return worth(own, other, 1) - worth(other, own, 0);
    int moves[MOST], count = candidates(moves, own, other);
    if (!count) return 0;
    *best = moves[0];
    for (int i = 0; i < count; i++) {
        int won = completes(moves[i], own), below;
        board[moves[i]] = own;
        int score = won ? WIN * 4 + depth : -search(depth - 1, -beta, -alpha, other, own, &below);
        board[moves[i]] = '.';
        if (score > alpha) alpha = score, *best = moves[i];
        if (alpha >= beta) break;
    }
    return alpha;
}

int main(void) {
    int depth;
    while (scanf("%d %d %d %d %100s", &columns, &rows, &line, &depth, board) == 5) {
        int best = -1;
        squares = columns * rows;
        search(depth, -WIN * 8, WIN * 8, 'x', 'o', &best);
        printf("%d\n", best);
        fflush(stdout);
    }
    return 0;
}
