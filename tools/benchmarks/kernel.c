/* MENACE against MENACE and against random play, as a C programmer would write it for one game.
 *
 * tools/benchmarks/kernel.py compiles this program and compares it with menace/kernel/loop.py. The program shares no
 * code with menace. It reads the same arrays and plays like the preset `menace`: win +3, draw +1, loss -1, at least 0
 * beads; an empty box gets its first beads back; a position with one move has no box. Beads, counts and outcomes must
 * therefore agree to the bit.
 *
 * Define LONGEST, the maximum number of moves in a game, for any game but tic-tac-toe. In tic-tac-toe, only the last
 * cell has no box.
 */
#include <stdint.h>

#ifdef LONGEST
enum { CELLS = LONGEST, ONLY_LAST_BOXLESS = 0 };
#else
enum { CELLS = 9, ONLY_LAST_BOXLESS = 1 };
#endif
enum { ONGOING = 2, WIN = 3, DRAW = 1, LOSS = -1, MAX_BEADS = (1 << 26) - 1 };

struct game {
    const int32_t *first_move;    /* [positions + 1] */
    const int32_t *next_position; /* [moves] */
    const int8_t *outcome;        /* [positions] */
    const int8_t *choice;         /* [positions], 1 if there is a box */
};

struct player {
    int32_t *weight;            /* [moves], beads, or multiplicities for a player that does not learn */
    int32_t *total;             /* [positions], the sums of weights */
    const int32_t *first_beads; /* [moves] */
    int64_t *drawn;             /* [moves] */
};

struct score {
    int64_t games, numbers; /* games played, random numbers used */
};

static inline int32_t pick(const struct game *game, const struct player *player, int32_t position, uint64_t number)
{
    int32_t move = game->first_move[position];
    int32_t left = (int32_t)((number & 0xFFFFFFFF) * (uint64_t)player->total[position] >> 32);
    while ((left -= player->weight[move]) >= 0)
        move++;
    return move;
}

static inline void restock(const struct game *game, const struct player *player, int32_t position)
{
    for (int32_t move = game->first_move[position]; move < game->first_move[position + 1]; move++) {
        player->weight[move] = player->first_beads[move];
        player->total[position] += player->first_beads[move];
    }
}

static inline int32_t draw_bead(const struct game *game, const struct player *player, int32_t position, uint64_t number)
{
    if (player->total[position] == 0)
        restock(game, player, position);
    return pick(game, player, position, number);
}

static inline void learn(const struct game *game, const struct player *player, const int32_t *position,
                         const int32_t *move, int first, int end, int32_t change)
{
    for (int ply = first; ply < end; ply += 2) {
        if (!ONLY_LAST_BOXLESS && !game->choice[position[ply]])
            continue;
        int32_t before = player->weight[move[ply]];
        int32_t after = before + change;
        if (after < 0)
            after = 0;
        if (after > MAX_BEADS)
            after = MAX_BEADS;
        player->weight[move[ply]] = after;
        player->total[position[ply]] += after - before;
        player->drawn[move[ply]]++;
    }
}

static inline struct score play(const struct game *game, const struct player *x, const struct player *o, int o_learns,
                                const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    int32_t position[CELLS + 1], move[CELLS];
    int64_t used = 0, played = 0;
    for (; played < games && used + CELLS <= count; played++) {
        int ply = 0, outcome;
        position[0] = 0;
        for (;;) {
            move[ply] = draw_bead(game, x, position[ply], numbers[used++]);
            position[ply + 1] = game->next_position[move[ply]];
            outcome = game->outcome[position[++ply]];
            if (outcome != ONGOING)
                break;
            move[ply] = o_learns ? draw_bead(game, o, position[ply], numbers[used++])
                                 : pick(game, o, position[ply], numbers[used++]);
            position[ply + 1] = game->next_position[move[ply]];
            outcome = game->outcome[position[++ply]];
            if (outcome != ONGOING)
                break;
        }
        int boxes = ONLY_LAST_BOXLESS && ply == CELLS ? CELLS - 1 : ply;
        learn(game, x, position, move, 0, boxes, outcome == 1 ? WIN : outcome == 0 ? DRAW : LOSS);
        if (o_learns)
            learn(game, o, position, move, 1, boxes, outcome == -1 ? WIN : outcome == 0 ? DRAW : LOSS);
        outcomes[1 - outcome]++;
    }
    return (struct score){played, used};
}

/* Adds the games that X won, the draws and the games that O won to `outcomes`. */
struct score play_menace(const struct game *game, const struct player *x, const struct player *o,
                           const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    return play(game, x, o, 1, numbers, count, games, outcomes);
}

struct score play_random(const struct game *game, const struct player *x, const struct player *o,
                         const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    return play(game, x, o, 0, numbers, count, games, outcomes);
}
