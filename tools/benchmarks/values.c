/* Learners with values, favourite colours and odds, as a C programmer would write them: one game and preset each.
 *
 * tools/benchmarks/kernel.py compiles this program and compares it with menace/kernel/loop.py. The program shares no
 * code with menace. It reads the same arrays and learns like the presets `zhang`, `q-table`, `sala`, `article-code`,
 * `michie-1963` and those named after their algorithm. Values, counts, epsilon and outcomes must therefore agree to the
 * bit. LONGEST is the maximum number of moves in a game.
 */
#include <math.h>
#include <stdint.h>

#ifndef LONGEST
#define LONGEST 9
#endif
enum { CELLS = LONGEST, ONGOING = 2, X = 0, O = 1 };

struct game {
    const int32_t *first_move;    /* [positions + 1] */
    const int32_t *next_position; /* [moves] */
    const int32_t *multiplicity;  /* [moves], the number of equivalent actions */
    const int32_t *action_counts; /* [positions], the number of actions */
    const int8_t *outcome;        /* [positions] */
};

struct learner {
    double *value;    /* [positions] for TD and TD(lambda), otherwise [moves]; beads or odds in some learners */
    int64_t *updates; /* of the same length */
    double *epsilon;
    double *half; /* Double Q-learning: half of first value - second value; `value` is their mean */
};

struct record {
    int plies, outcome;
    int32_t position[CELLS + 1], move[CELLS];
    int8_t explored[CELLS];
};

struct score {
    int64_t games, numbers; /* games played, random numbers used */
};

/* How a learner plays. Always a constant, so that the compiler can specialize the code. */
struct style {
    int of_positions; /* a move has the value of the position after it */
    int first_of_ties;
};

static inline uint64_t threshold(double epsilon)
{
    return (uint64_t)(int64_t)(epsilon * 4294967296.0);
}

/* Pick a random cell: the move at which the running sum of multiplicities exceeds a random share of the total. */
static inline int32_t pick_any(const struct game *game, int32_t position, uint64_t number)
{
    int32_t move = game->first_move[position];
    int32_t left = (int32_t)((number & 0xFFFFFFFF) * (uint64_t)game->action_counts[position] >> 32);
    while ((left -= game->multiplicity[move]) >= 0)
        move++;
    return move;
}

static inline double worth(const struct game *game, const double *value, struct style style, int32_t move)
{
    return value[style.of_positions ? game->next_position[move] : move];
}

static inline int32_t pick_best(const struct game *game, const double *value, struct style style, int32_t position,
                                uint64_t number)
{
    int32_t best_move = game->first_move[position], end = game->first_move[position + 1];
    double best = worth(game, value, style, best_move);
    uint64_t ties = game->multiplicity[best_move];
    for (int32_t move = best_move + 1; move < end; move++) {
        double one = worth(game, value, style, move);
        if (one > best) {
            best = one;
            best_move = move;
            ties = game->multiplicity[move];
        } else if (one == best) {
            ties += game->multiplicity[move];
        }
    }
    if (style.first_of_ties)
        return best_move;
    int32_t left = (int32_t)((number & 0xFFFFFFFF) * ties >> 32) - game->multiplicity[best_move];
    while (left >= 0)
        if (worth(game, value, style, ++best_move) == best)
            left -= game->multiplicity[best_move];
    return best_move;
}

/* Make a move and return 0 if the game is over. */
static inline int make_move(const struct game *game, struct record *record, int32_t move)
{
    int32_t next = game->next_position[move];
    record->move[record->plies] = move;
    record->position[++record->plies] = next;
    record->outcome = game->outcome[next];
    return record->outcome == ONGOING;
}

static inline int move_greedily(const struct game *game, struct record *record, const double *value,
                                struct style style, uint64_t explore, uint64_t number)
{
    int32_t position = record->position[record->plies];
    int exploring = number >> 32 < explore;
    record->explored[record->plies] = exploring;
    return make_move(game, record, exploring ? pick_any(game, position, number)
                                             : pick_best(game, value, style, position, number));
}

static inline int move_randomly(const struct game *game, struct record *record, uint64_t number)
{
    return make_move(game, record, pick_any(game, record->position[record->plies], number));
}

/* Return the result for a side: 1, 0 or -1. */
static inline double reward(const struct record *record, int side)
{
    return side == X ? record->outcome : -record->outcome;
}

static inline void update(const struct learner *learner, int32_t place, double alpha, double target)
{
    double value = learner->value[place];
    learner->value[place] = value + alpha * (target - value);
    learner->updates[place]++;
}

/* TD(0): update every position from the end of the game, except those in which the learner explored. */

static inline void learn_td(const struct learner *learner, const struct record *record, int side)
{
    const double alpha = 0.1;
    double target = learner->value[record->position[record->plies]];
    for (int ply = record->plies - 1; ply >= 0; ply--) {
        int32_t position = record->position[ply];
        double value = learner->value[position];
        if (!record->explored[ply] || (ply & 1) != side) {
            value += alpha * (target - value);
            learner->value[position] = value;
            learner->updates[position]++;
        }
        target = value;
    }
}

/* Each play_ function plays a preset against itself or `random`. It adds the games that X won, the draws and the games
 * that O won to `outcomes`. */
struct score play_zhang(const struct game *game, const struct learner *x, const struct learner *o,
                        const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    const struct style style = {.of_positions = 1, .first_of_ties = 0};
    const uint64_t explore_x = threshold(*x->epsilon), explore_o = threshold(*o->epsilon);
    struct record record = {.position = {0}};
    int64_t used = 0, played = 0;
    for (; played < games && used + CELLS <= count; played++) {
        record.plies = 0;
        while (move_greedily(game, &record, x->value, style, explore_x, numbers[used++]) &&
               move_greedily(game, &record, o->value, style, explore_o, numbers[used++]))
            ;
        learn_td(x, &record, X);
        learn_td(o, &record, O);
        outcomes[1 - record.outcome]++;
    }
    return (struct score){played, used};
}

/* SARSA: the last move is updated first, and set to the reward if it ends the game. Epsilon decays before each game. */

static inline void learn_sarsa(const struct learner *learner, const struct record *record)
{
    const double alpha = 0.2;
    int last = (record->plies - 1) & ~1;
    int32_t move = record->move[last];
    if (last == record->plies - 1) {
        learner->value[move] = reward(record, X);
        learner->updates[move]++;
    } else {
        update(learner, move, alpha, reward(record, X));
    }
    for (int ply = 0; ply < last; ply += 2)
        update(learner, record->move[ply], alpha, learner->value[record->move[ply + 2]]);
}

struct score play_q_table(const struct game *game, const struct learner *x, const struct learner *o,
                          const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    const struct style style = {.of_positions = 0, .first_of_ties = 1};
    struct record record = {.position = {0}};
    int64_t used = 0, played = 0;
    (void)o;
    for (; played < games && used + CELLS <= count; played++) {
        *x->epsilon *= 0.9999;
        uint64_t explore = threshold(*x->epsilon);
        record.plies = 0;
        while (move_greedily(game, &record, x->value, style, explore, numbers[used++]) &&
               move_randomly(game, &record, numbers[used++]))
            ;
        learn_sarsa(x, &record);
        outcomes[1 - record.outcome]++;
    }
    return (struct score){played, used};
}

/* Q-learning: updates are in the order of play. Epsilon decays after each game, down to 0.5. */

static inline void learn_q(const struct game *game, const struct learner *learner, const struct record *record,
                           int side)
{
    const double alpha = 0.1, gamma = 1.0;
    int ply = side;
    for (; ply + 2 < record->plies; ply += 2) {
        int32_t turn = record->position[ply + 2], move = game->first_move[turn], end = game->first_move[turn + 1];
        double best = learner->value[move];
        while (++move < end)
            if (learner->value[move] > best)
                best = learner->value[move];
        update(learner, record->move[ply], alpha, gamma * best);
    }
    if (ply < record->plies) /* the learner has moved */
        update(learner, record->move[ply], alpha, reward(record, side));
    *learner->epsilon *= 0.9999;
    if (*learner->epsilon < 0.5)
        *learner->epsilon = 0.5;
}

struct score play_q_learning(const struct game *game, const struct learner *x, const struct learner *o,
                             const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    const struct style style = {.of_positions = 0, .first_of_ties = 0};
    struct record record = {.position = {0}};
    int64_t used = 0, played = 0;
    for (; played < games && used + CELLS <= count; played++) {
        uint64_t explore_x = threshold(*x->epsilon), explore_o = threshold(*o->epsilon);
        record.plies = 0;
        while (move_greedily(game, &record, x->value, style, explore_x, numbers[used++]) &&
               move_greedily(game, &record, o->value, style, explore_o, numbers[used++]))
            ;
        learn_q(game, x, &record, X);
        learn_q(game, o, &record, O);
        outcomes[1 - record.outcome]++;
    }
    return (struct score){played, used};
}

/* Play two learners with constant epsilon. */
typedef void learn_function(const struct game *, const struct learner *, const struct record *, int side);

static inline struct score play_pair(const struct game *game, const struct learner *x, const struct learner *o,
                                     const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes,
                                     struct style style, learn_function learn)
{
    const uint64_t explore_x = threshold(*x->epsilon), explore_o = threshold(*o->epsilon);
    struct record record = {.position = {0}};
    int64_t used = 0, played = 0;
    for (; played < games && used + CELLS <= count; played++) {
        record.plies = 0;
        while (move_greedily(game, &record, x->value, style, explore_x, numbers[used++]) &&
               move_greedily(game, &record, o->value, style, explore_o, numbers[used++]))
            ;
        learn(game, x, &record, X);
        learn(game, o, &record, O);
        outcomes[1 - record.outcome]++;
    }
    return (struct score){played, used};
}

/* Monte Carlo: update each own move towards the reward. */

static inline void learn_monte_carlo(const struct game *game, const struct learner *learner,
                                     const struct record *record, int side)
{
    const double alpha = 0.1, target = reward(record, side);
    (void)game;
    for (int ply = side; ply < record->plies; ply += 2)
        update(learner, record->move[ply], alpha, target);
}

struct score play_monte_carlo(const struct game *game, const struct learner *x, const struct learner *o,
                              const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    const struct style style = {.of_positions = 0, .first_of_ties = 0};
    return play_pair(game, x, o, numbers, count, games, outcomes, style, learn_monte_carlo);
}

/* n-step SARSA, n = 2: update each move towards the value of the move two turns later, or the reward. */

static inline void learn_two_steps(const struct game *game, const struct learner *learner,
                                   const struct record *record, int side)
{
    const double alpha = 0.1, paid = reward(record, side);
    (void)game;
    for (int ply = side; ply < record->plies; ply += 2)
        update(learner, record->move[ply], alpha,
               ply + 4 < record->plies ? learner->value[record->move[ply + 4]] : paid);
}

struct score play_n_step_sarsa(const struct game *game, const struct learner *x, const struct learner *o,
                               const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    const struct style style = {.of_positions = 0, .first_of_ties = 0};
    return play_pair(game, x, o, numbers, count, games, outcomes, style, learn_two_steps);
}

/* Expected SARSA: update towards the mean of the next turn's values, weighted by the probabilities of the moves. */

static inline void learn_expected_sarsa(const struct game *game, const struct learner *learner,
                                        const struct record *record, int side)
{
    const double alpha = 0.1, gamma = 1.0, explores = (double)threshold(*learner->epsilon) / 4294967296.0;
    int ply = side;
    for (; ply + 2 < record->plies; ply += 2) {
        int32_t turn = record->position[ply + 2], move = game->first_move[turn], end = game->first_move[turn + 1];
        double best = learner->value[move], sum = 0.0;
        for (; move < end; move++) {
            if (learner->value[move] > best)
                best = learner->value[move];
            sum += game->multiplicity[move] * learner->value[move];
        }
        double mean = explores * (sum / game->action_counts[turn]) + (1.0 - explores) * best;
        update(learner, record->move[ply], alpha, gamma * mean);
    }
    if (ply < record->plies)
        update(learner, record->move[ply], alpha, reward(record, side));
}

struct score play_expected_sarsa(const struct game *game, const struct learner *x, const struct learner *o,
                                 const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    const struct style style = {.of_positions = 0, .first_of_ties = 0};
    return play_pair(game, x, o, numbers, count, games, outcomes, style, learn_expected_sarsa);
}

/* TD(lambda) on afterstates: each step also updates earlier afterstates, back to the last exploratory move. */

static inline void share_step(const struct game *game, const struct learner *learner, const struct record *record,
                              int first, int ply, double target)
{
    const double alpha = 0.1, lambda = 0.8;
    int32_t place = game->next_position[record->move[ply]];
    double step = alpha * (target - learner->value[place]);
    learner->updates[place]++;
    for (; ply >= first; ply -= 2, step *= lambda)
        learner->value[record->position[ply + 1]] += step;
}

static inline void learn_td_lambda(const struct game *game, const struct learner *learner,
                                   const struct record *record, int side)
{
    int first = side, ply = side;
    for (; ply + 2 < record->plies; ply += 2) {
        if (record->explored[ply + 2])
            first = ply + 2;
        else
            share_step(game, learner, record, first, ply, learner->value[record->position[ply + 3]]);
    }
    if (ply + 1 < record->plies) /* the opponent moved last */
        share_step(game, learner, record, first, ply, reward(record, side));
}

struct score play_td_lambda(const struct game *game, const struct learner *x, const struct learner *o,
                            const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    const struct style style = {.of_positions = 1, .first_of_ties = 0};
    return play_pair(game, x, o, numbers, count, games, outcomes, style, learn_td_lambda);
}

/* Double Q-learning: alternately updates two values, which are stored as their mean and half of their difference. */

static inline void learn_double_q(const struct game *game, const struct learner *learner,
                                  const struct record *record, int side)
{
    const double alpha = 0.1, gamma = 1.0, paid = reward(record, side);
    double *value = learner->value, *half = learner->half;
    for (int ply = side; ply < record->plies; ply += 2) {
        int32_t made = record->move[ply];
        double sign = learner->updates[made] % 2 ? -1.0 : 1.0, target = paid;
        if (ply + 2 < record->plies) {
            int32_t turn = record->position[ply + 2], chosen = game->first_move[turn];
            for (int32_t move = chosen + 1; move < game->first_move[turn + 1]; move++)
                if (value[move] + sign * half[move] > value[chosen] + sign * half[chosen])
                    chosen = move;
            target = gamma * (value[chosen] - sign * half[chosen]);
        }
        double step = 0.5 * (alpha * (target - (value[made] + sign * half[made])));
        value[made] += step;
        half[made] += sign * step;
        learner->updates[made]++;
    }
}

struct score play_double_q(const struct game *game, const struct learner *x, const struct learner *o,
                           const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    const struct style style = {.of_positions = 0, .first_of_ties = 0};
    return play_pair(game, x, o, numbers, count, games, outcomes, style, learn_double_q);
}

/* UCB1: the mean reward plus c sqrt(ln N / n). Tables contain the roots for the leading eleven bits of a count. */

enum { EXACT_COUNTS = 2048, MAX_LOST_BITS = 32, RANKS = EXACT_COUNTS + MAX_LOST_BITS * (EXACT_COUNTS / 2) };

struct roots {
    double reach[RANKS], root[RANKS];
};

static inline int rank_of(int64_t count)
{
    int entry = 0;
    for (; count >= EXACT_COUNTS; count >>= 1)
        entry += EXACT_COUNTS / 2;
    return entry + (int)count;
}

static inline int move_by_bound(const struct game *game, struct record *record, const struct learner *learner,
                                const struct roots *roots, uint64_t number)
{
    int32_t position = record->position[record->plies], first = game->first_move[position];
    int32_t moves = game->first_move[position + 1] - first, chosen = 0;
    int64_t all = 0;
    for (int32_t move = first; move < first + moves; move++)
        all += learner->updates[move];
    double reach = roots->reach[rank_of(all)], bound[CELLS], best = -HUGE_VAL;
    uint64_t ties = 0;
    for (int32_t n = 0; n < moves; n++) {
        int64_t made = learner->updates[first + n];
        bound[n] = made ? learner->value[first + n] + reach / roots->root[rank_of(made)] : HUGE_VAL;
        if (bound[n] > best) {
            best = bound[n];
            chosen = n;
            ties = game->multiplicity[first + n];
        } else if (bound[n] == best) {
            ties += game->multiplicity[first + n];
        }
    }
    int32_t left = (int32_t)((number & 0xFFFFFFFF) * ties >> 32) - game->multiplicity[first + chosen];
    while (left >= 0)
        if (bound[++chosen] == best)
            left -= game->multiplicity[first + chosen];
    return make_move(game, record, first + chosen);
}

static inline void learn_mean(const struct learner *learner, const struct record *record, int side)
{
    for (int ply = side; ply < record->plies; ply += 2)
        update(learner, record->move[ply], 1.0 / (learner->updates[record->move[ply]] + 1.0), reward(record, side));
}

struct score play_ucb1(const struct game *game, const struct learner *x, const struct learner *o,
                       const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    static struct roots roots; /* shared by all calls */
    if (roots.root[1] == 0.0)
        for (int rank = 1; rank < RANKS; rank++) {
            int lost = rank < EXACT_COUNTS ? 0 : rank / (EXACT_COUNTS / 2) - 1;
            double made = ldexp(rank - lost * (EXACT_COUNTS / 2), lost);
            roots.reach[rank] = 2.8284271247461903 * sqrt((double)logl((long double)made));
            roots.root[rank] = sqrt(made);
        }
    struct record record = {.position = {0}};
    int64_t used = 0, played = 0;
    for (; played < games && used + CELLS <= count; played++) {
        record.plies = 0;
        while (move_by_bound(game, &record, x, &roots, numbers[used++]) &&
               move_by_bound(game, &record, o, &roots, numbers[used++]))
            ;
        learn_mean(x, &record, X);
        learn_mean(o, &record, O);
        outcomes[1 - record.outcome]++;
    }
    return (struct score){played, used};
}

/* The favourite colour: beads are added after a win and removed after a loss, and a draw changes nothing. There is one
 * bead for every two moves by which the game was shorter than the longest game, and one for every two moves that were
 * left at the pick. A position with one move has no box. */

enum { MIN_BEADS = 1, MAX_BEADS = (1 << 26) - 1 };

static inline void learn_favourite(const struct game *game, const struct learner *learner, const struct record *record,
                                   int side)
{
    int result = side == X ? record->outcome : -record->outcome;
    for (int ply = side; ply < record->plies; ply += 2) {
        if (game->action_counts[record->position[ply]] == 1)
            continue;
        int32_t move = record->move[ply];
        double beads = learner->value[move] +
                       result * ((CELLS - record->plies) / 2 + (CELLS - (record->plies - 1 - ply)) / 2);
        learner->value[move] = beads < MIN_BEADS ? MIN_BEADS : beads > MAX_BEADS ? MAX_BEADS : beads;
        learner->updates[move]++;
    }
}

struct score play_favourite(const struct game *game, const struct learner *x, const struct learner *o,
                            const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    const struct style style = {.of_positions = 0, .first_of_ties = 0};
    struct record record = {.position = {0}};
    int64_t used = 0, played = 0;
    (void)o;
    for (; played < games && used + CELLS <= count; played++) {
        record.plies = 0;
        do {
            int32_t position = record.position[record.plies];
            uint64_t number = numbers[used++];
            int several = game->action_counts[position] > 1;
            if (!make_move(game, &record, several ? pick_best(game, x->value, style, position, number)
                                                  : pick_any(game, position, number)))
                break;
        } while (move_randomly(game, &record, numbers[used++]));
        learn_favourite(game, x, &record, X);
        outcomes[1 - record.outcome]++;
    }
    return (struct score){played, used};
}

/* The odds: the weight of a move is multiplied after a win and divided after a loss. The factor is squared for each ply
 * nearer to the end. Then the weights of the position are divided by their sum. A forced last move does not count as a
 * ply. */

static inline int has_choice(const struct game *game, int32_t position)
{
    return game->first_move[position + 1] - game->first_move[position] > 1;
}

static inline double sum_of(const struct game *game, const double *weight, int32_t position)
{
    double sum = 0.0;
    for (int32_t move = game->first_move[position]; move < game->first_move[position + 1]; move++)
        sum += weight[move];
    return sum;
}

static inline int move_by_odds(const struct game *game, struct record *record, const double *weight, uint64_t number)
{
    int32_t position = record->position[record->plies];
    if (!has_choice(game, position))
        return make_move(game, record, pick_any(game, position, number));
    int32_t move = game->first_move[position], end = game->first_move[position + 1];
    double limit = (double)(number & 0xFFFFFFFF) / 4294967296.0 * sum_of(game, weight, position);
    double running = weight[move];
    while (running <= limit && move + 1 < end)
        running += weight[++move];
    return make_move(game, record, move);
}

static inline void learn_odds(const struct game *game, const struct learner *learner, const struct record *record,
                              const double *multiplier, int side)
{
    const double least = 1.0 / (1LL << 40);
    int result = side == X ? record->outcome : -record->outcome, plies = record->plies;
    if (game->action_counts[record->position[plies - 1]] == 1)
        plies--;
    for (int ply = side; ply < plies; ply += 2) {
        int32_t position = record->position[ply], chosen = record->move[ply];
        if (!has_choice(game, position))
            continue;
        if (result > 0)
            learner->value[chosen] *= multiplier[plies - ply];
        else if (result < 0)
            learner->value[chosen] /= multiplier[plies - ply];
        double sum = sum_of(game, learner->value, position);
        for (int32_t move = game->first_move[position]; move < game->first_move[position + 1]; move++) {
            double share = learner->value[move] / sum;
            learner->value[move] = share > least ? share : least;
        }
        learner->updates[chosen]++;
    }
}

struct score play_odds(const struct game *game, const struct learner *x, const struct learner *o,
                       const uint64_t *numbers, int64_t count, int64_t games, int64_t *outcomes)
{
    enum { AT = 8, LARGEST = CELLS > AT ? CELLS : AT };
    const double last = (double)(1LL << 40);
    double multiplier[LARGEST + 1];
    multiplier[AT] = 1.025;
    for (int n = AT + 1; n <= LARGEST; n++)
        multiplier[n] = sqrt(multiplier[n - 1]);
    for (int n = AT - 1; n > 0; n--) {
        double square = multiplier[n + 1] * multiplier[n + 1];
        multiplier[n] = square < last ? square : last;
    }
    multiplier[1] = last;
    struct record record = {.position = {0}};
    int64_t used = 0, played = 0;
    for (; played < games && used + CELLS <= count; played++) {
        record.plies = 0;
        while (move_by_odds(game, &record, x->value, numbers[used++]) &&
               move_by_odds(game, &record, o->value, numbers[used++]))
            ;
        learn_odds(game, x, &record, multiplier, X);
        learn_odds(game, o, &record, multiplier, O);
        outcomes[1 - record.outcome]++;
    }
    return (struct score){played, used};
}
