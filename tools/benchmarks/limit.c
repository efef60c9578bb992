/* The fastest MENACE against itself at tic-tac-toe that we can write: it stores only the beads.
 *
 * tools/benchmarks/command.py compiles this program and compares the whole command with it. The program plays the same
 * games and generates its own random numbers. Both sides share one table, because they never move in the same position.
 * It does less than menace: it does not count drawn beads or limit piles, and it plays no other game.
 */
#include <stdint.h>

enum { CELLS = 9, ONGOING = 2, WIN = 3, DRAW = 1, LOSS = -1 };

struct game {
    const int32_t *first_move;    /* [positions + 1] */
    const int32_t *next_position; /* [moves] */
    const int8_t *outcome;        /* [positions] */
};

struct boxes {
    int32_t *beads;             /* [moves], of both sides */
    int32_t *total;             /* [positions], the sums of beads */
    const int32_t *first_beads; /* [moves] */
};

/* NumPy's PCG64: a 128-bit congruential generator with XSL-RR output (O'Neill, PCG, 2014). */
struct generator {
    unsigned __int128 state, increment;
};

static inline uint64_t next_number(struct generator *generator)
{
    const unsigned __int128 multiplier = (unsigned __int128)2549297995355413924ULL << 64 | 4865540595714422341ULL;
    generator->state = generator->state * multiplier + generator->increment;
    uint64_t folded = (uint64_t)(generator->state >> 64) ^ (uint64_t)generator->state;
    int turn = (int)(generator->state >> 122);
    return folded >> turn | folded << (-turn & 63);
}

static void restock(const struct game *game, const struct boxes *boxes, int32_t position)
{
    for (int32_t move = game->first_move[position]; move < game->first_move[position + 1]; move++) {
        boxes->beads[move] = boxes->first_beads[move];
        boxes->total[position] += boxes->first_beads[move];
    }
}

/* Play the given number of games. `seed` contains the generator's state and increment, high halves first. Adds the
 * games that X won, the draws and the games that O won to `outcomes`. */
void play_limit(const struct game *game, const struct boxes *boxes, const uint64_t *seed, int64_t games,
                int64_t *outcomes)
{
    const int32_t *first_move = game->first_move, *next_position = game->next_position;
    const int8_t *outcome = game->outcome;
    int32_t *beads = boxes->beads, *total = boxes->total;
    struct generator generator = {(unsigned __int128)seed[0] << 64 | seed[1], (unsigned __int128)seed[2] << 64 | seed[3]};
    for (; games > 0; games--) {
        int32_t opened[CELLS], drawn[CELLS], position = 0;
        int plies = 0;
        do {
            if (total[position] == 0)
                restock(game, boxes, position);
            int32_t move = first_move[position];
            int32_t left = (int32_t)((next_number(&generator) & 0xFFFFFFFF) * (uint64_t)total[position] >> 32);
            while ((left -= beads[move]) >= 0)
                move++;
            opened[plies] = position;
            drawn[plies++] = move;
            position = next_position[move];
        } while (outcome[position] == ONGOING);
        int result = outcome[position], with_box = plies < CELLS ? plies : CELLS - 1; /* the last cell has no box */
        int32_t change[2] = {result == 1 ? WIN : result ? LOSS : DRAW, result == -1 ? WIN : result ? LOSS : DRAW};
        for (int ply = 0; ply < with_box; ply++) {
            int32_t before = beads[drawn[ply]], after = before + change[ply & 1];
            if (after < 0)
                after = 0;
            beads[drawn[ply]] = after;
            total[opened[ply]] += after - before;
        }
        outcomes[1 - result]++;
    }
}
