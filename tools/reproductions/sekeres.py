"""Sekeres 2025: Zhang's TD(0) from other starts and against a random player, three million games each, all against all.

All strengths are exact, of greedy play; every learner meets every other learner of every seed.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reproductions.common import UNBEATEN, Bench, Claim, Machine, Page, percent, seeds_where, verdict
from reproductions.sekeres_figures import LEVELS, PRINTED, matrix_figure, ranks, values_figure
from reproductions.sekeres_learners import (
    AGAINST_RANDOM,
    BASELINE,
    EPSILON,
    GAMES,
    KNOWN_ENDS,
    MEANT,
    MINIMAX,
    NAMES,
    NO_TIES,
    OWN_GAMES,
    RANDOM,
    TEN,
    Pairs,
    all_against_all,
    as_it_comes,
    fresh,
    minimax_as_run,
    train,
)

SURE = 1 - UNBEATEN
NEARLY = 0.95  # of the games, where a claim is of all
NEAR_STATES = 110  # of 5,478, 2 %: how far our curve of values may be from the printed one
TIMES_FASTER = 10  # than his fastest, if we are to say so: computers differ less than that
PRINTED_SECONDS = {"Python": 37.33, "Julia": 3.29, "Julia, without printing": 2.53}  # for 100,000 games
SAMPLE_GAMES = 20_000
OTHERS = (BASELINE, MINIMAX, NO_TIES, AGAINST_RANDOM)
SLIDES, CODE = "slides, Competition Results", "tic_tac_toe_main.jl"


def meetings(games: NDArray[np.float64], xs: tuple[str, ...], os: tuple[str, ...]) -> NDArray[np.float64]:
    """Return [meetings, outcome] of some learners."""
    part = games[np.ix_([NAMES.index(x) for x in xs], [NAMES.index(o) for o in os])]
    return part.reshape(-1, 3)


def claim_of_all(claim: str, place: str, shares: NDArray[np.float64], what: str) -> Claim:
    """Return a claim that something is so in every game."""
    sure, mean = (shares > SURE).sum(), f"{100 * shares.mean():.1f} %"
    holds = "yes" if sure == len(shares) else f"nearly: {mean}" if shares.mean() >= NEARLY else f"no: {mean}"
    measured = f"{mean} of the games; for sure in {sure:,} of {len(shares):,} pairs"
    holds_if = f"sure to {what} in every pair; nearly: in {100 * NEARLY:.0f} % of the games"
    return Claim(claim, measured, holds, place, holds_if)


def claims_of_slides(games: NDArray[np.float64]) -> list[Claim]:
    """Compare what he says of all against all."""
    three = (BASELINE, MINIMAX, NO_TIES)
    tie = "“were able to attain 100% tie rate”"

    def drawn(xs: tuple[str, ...], os: tuple[str, ...]) -> NDArray[np.float64]:
        return meetings(games, xs, os)[:, 1]

    as_x, as_o = meetings(games, (RANDOM,), OTHERS)[:, 2], meetings(games, OTHERS, (RANDOM,))[:, 0]
    return [
        claim_of_all(
            f"Baseline, Minimax, No Ties {tie} (O: Baseline, Minimax)",
            SLIDES,
            drawn(three, (BASELINE, MINIMAX)),
            "draw",
        ),
        claim_of_all(f"Against Random {tie}, as X", SLIDES, drawn((AGAINST_RANDOM,), (BASELINE, MINIMAX)), "draw"),
        claim_of_all("the same, as O", SLIDES, drawn(three, (AGAINST_RANDOM,)), "draw"),
        claim_of_all(
            "Minimax as X beats No Ties: “minimax always wins”",
            CODE,
            meetings(games, (MINIMAX,), (NO_TIES,))[:, 0],
            "be won",
        ),
        claim_of_all(
            "and is the only exception: Baseline as X draws against No Ties (the slides except all games with No Ties "
            "as O, “of course”)",
            CODE,
            drawn((BASELINE,), (NO_TIES,)),
            "draw",
        ),
        claim_of_all("Random “lost every game against the other models”, as X", SLIDES, as_x, "be lost"),
        claim_of_all("the same, as O", SLIDES, as_o, "be lost"),
    ]


def beaten(bench: Bench, pairs: list[list[Machine]]) -> list[list[bool]]:
    """Return of X and of O, by seeds, whether the opponent made for it ever wins."""
    return [[bench.worst(learner).loss > UNBEATEN for learner in side] for side in zip(*pairs, strict=True)]


def claims_of_worst_case(bench: Bench, folded: Bench, pairs: Pairs) -> list[Claim]:
    """Compare the claims and questions about opponents that it was not trained against."""
    every = "nobody beats it, in every seed"
    claims = []
    for text, trained in (
        (f"no symmetry, epsilon 0.01, {OWN_GAMES:,} games: as it comes", (bench, [as_it_comes(bench, s) for s in TEN])),
        ("the same with symmetry, which it has not", (folded, [as_it_comes(folded, s) for s in TEN])),
        (f"no symmetry, epsilon {EPSILON}, {GAMES:,} games: Baseline", (bench, [pairs[s][BASELINE] for s in TEN])),
        ("the same with symmetry", (folded, [train(folded, BASELINE, s) for s in TEN])),
    ):
        of_x, of_o = beaten(*trained)
        measured = f"{text}: O can be beaten in {seeds_where(of_o)}, X in {seeds_where(of_x)}"
        claim = "“guarantee at least a tie if it goes second” (asked)" if not claims else "the same"
        claims.append(Claim(claim, measured, verdict(not any(of_o)), "Zhang's program, play()", every))
    of_x, of_o = beaten(bench, [pairs[seed][AGAINST_RANDOM] for seed in TEN])
    base_x, base_o = beaten(bench, [pairs[seed][BASELINE] for seed in TEN])
    same = abs(sum(of_x) - sum(base_x)) <= 1 and abs(sum(of_o) - sum(base_o)) <= 1
    claims.append(
        Claim(
            "“Nothing changes, interestingly, when we train against a random player”, said of the pairs above; asked of"
            " the opponent made for it",
            f"Against Random can be beaten: O in {seeds_where(of_o)}, X in {seeds_where(of_x)}; Baseline: O in"
            f" {seeds_where(base_o)}, X in {seeds_where(base_x)}",
            verdict(same, "it can be beaten by others than he let it meet" if sum(of_o) > sum(base_o) else ""),
            CODE,
            "as many seeds can be beaten as of Baseline, give or take one",
        )
    )
    return claims


def claim_of_curve(pairs: Pairs) -> Claim:
    """Compare the curve of Baseline's values with the printed one."""
    gaps = []
    for side, name in enumerate(("p1", "p2")):
        mean = np.mean([ranks(pairs[seed][BASELINE][side]) for seed in TEN], axis=0)
        gaps.append(int(np.abs(mean - np.array(PRINTED[name])).max()))
    return Claim(
        f"Baseline's sorted values: how many are below {LEVELS[0]}, ... {LEVELS[-1]}",
        f"at most {gaps[0]} states from the printed curve for X, {gaps[1]} for O (mean of ten seeds)",
        verdict(max(gaps) <= NEAR_STATES),
        "p1_estimations_3.png and p2_..., read off to 30 states",
        f"at most {NEAR_STATES} states apart at each of {len(LEVELS)} levels",
    )


def seconds_of_ours() -> float:
    """Return the seconds of processor time that 100,000 games took, as the next power of ten above."""
    bench = Bench("none")
    start = time.thread_time()
    as_it_comes(bench, TEN[0])
    taken = time.thread_time() - start
    return float(10.0 ** np.ceil(np.log10(taken)))


def speeds(page: Page) -> None:
    """Add his speeds beside ours."""
    ours, fastest = seconds_of_ours(), min(PRINTED_SECONDS.values())
    python = PRINTED_SECONDS["Python"]
    page.heading("How long 100,000 games take")
    page.table(
        ("program", "seconds", "Python's time, divided by it"),
        [
            *((f"{name} (slides, Languages)", f"{s:.2f}", f"{python / s:.1f}") for name, s in PRINTED_SECONDS.items()),
            ("`menace`, compiled, the same work", f"less than {ours:g}", f"more than {python / ours:.0f}"),
        ],
    )
    faster = "ten times as fast as his fastest and more" if fastest / ours > TIMES_FASTER else "not clearly faster"
    page.text(f"""The slide does not say of what; his program and Zhang's train for {OWN_GAMES:,} games, and then play
        1,000 (his 10,000). His times are of his computer, ours is of ours and rounded up to the next power of ten, so
        that it says the same on another: {faster}. A ratio in one run, against a program in the style of Zhang's, is
        measured by `python tools/benchmark_textbook.py` (docs/development/performance.md).""")


def worst_table(page: Page, bench: Bench, pairs: Pairs) -> None:
    """Add the exact worst case of every kind."""
    page.heading("Exact worst case")
    page.text("Greedy play against the opponent made for it; a learner is unbeaten if that opponent never wins.")
    rows = []
    for name in NAMES:
        worst = [[bench.worst(pairs[seed][name][side]).loss for seed in TEN] for side in (0, 1)]
        rows.append([name] + [text for w in worst for text in (seeds_where(x < UNBEATEN for x in w), percent(w))])
    page.table(("learner", "X unbeaten", "X loses at worst", "O unbeaten", "O loses at worst"), rows)


def values_table(page: Page, bench: Bench, pairs: Pairs) -> None:
    """Add how far the values of each kind are from Baseline's, and how the starts changed."""
    ongoing = bench.positions.to_move >= 0

    def apart(name: str, side: int) -> str:
        distances = []
        for k, seed in enumerate(TEN):
            other = pairs[TEN[(k + 1) % len(TEN)] if name == BASELINE else seed][BASELINE][side]
            distances.append(np.abs(pairs[seed][name][side].learned.amount - other.learned.amount)[ongoing].mean())
        return f"{np.mean(distances):.3f} ({min(distances):.3f} to {max(distances):.3f})"

    page.text("Mean absolute difference from Baseline's over all boards that are not over, X and O; the first row"
              " compares two seeds of Baseline: chance alone.")  # fmt: skip
    rows = []
    for name in NAMES:
        label = f"{name}, next seed" if name == BASELINE else name
        rows.append([label, apart(name, 0), apart(name, 1)])
    page.table(("learner", "X", "O"), rows)
    as_run, meant = minimax_as_run(bench.positions), bench.positions.minimax
    wrong = int((as_run != meant)[ongoing].sum())
    x = fresh(bench, MINIMAX, TEN[0])[0].learned.amount
    own = bench.positions.to_move == 1  # to which X has moved
    never = [int((machine.learned.count[ongoing] == 0).sum()) for machine in pairs[TEN[0]][MINIMAX]]
    page.text(f"""His “true minimax” has a sign turned round (fill_minimax! begins with X's result and goes on as if it
        were the mover's): it is wrong for {wrong:,} of {ongoing.sum():,} boards that are not over, the empty one among
        them, which it takes for lost to X. Read as X's values, no board to which X has moved is worth less than
        {x[own & ongoing].min():g}, and O's likewise: a hopeful start, which three million games make up for; {never[0]}
        boards of X and {never[1]} of O, in seed {TEN[0]}, were never learned from and keep it.""")


def sample() -> list[str]:
    """Return each kind's exact play against random after some games of the first seed."""
    bench, lines = Bench("none"), []
    for name in NAMES:
        x, o = train(bench, name, TEN[0], SAMPLE_GAMES)
        lost = [100 * bench.against(learner, "random").loss for learner in (x, o)]
        lines.append(
            f"{name}, seed {TEN[0]}, after {SAMPLE_GAMES:,} games: X loses {lost[0]:.4f} % to random play, O"
            f" {lost[1]:.4f} %"
        )
    return lines


def reproduce(folder: Path) -> None:
    """Train, compare, and write the page."""
    bench, folded = Bench("none"), Bench("full")
    pairs: Pairs = {seed: {name: train(bench, name, seed) for name in NAMES} for seed in TEN}
    games = all_against_all(bench, pairs)
    page = Page(folder, "sekeres", "Sekeres 2025: one algorithm from different starts")
    page.text("""G. Sekeres (github.com/gsekeres/cornell_theory_reading_group_RL, chapter01, 2025: slides, Julia,
        figures) runs S. Zhang's program for chapter 1 of Sutton and Barto, TD(0) over all boards of a game, and begins
        it otherwise: at 0.5 wherever the game goes on (Baseline), at the minimax values, with every estimation at
        random, with a draw worth as little as a loss (No Ties); and he trains it against a random player. Then each
        plays all the others, and their values are compared. All of it was read, and Zhang's program with it.""")
    page.heading("How it is reproduced")
    page.text(f"""Presets `zhang`, `zhang-minimax`, `zhang-no-ties` and `zhang-random`, with epsilon {EPSILON} and
        {GAMES:,} games, X against O of the same kind; *Against Random* is `zhang`, each side trained against `random`.
        Every board is a position of its own, {len(bench.positions):,} of them, as in his and Zhang's programs; seeds
        {TEN[0]} to {TEN[-1]} (he ran one). *Random* draws each value from [0, 1), those of finished boards too, which
        no game changes, so that winning may be worth less than losing. *Minimax* begins with the values that his
        program has, *{MEANT}* with the true ones, and *{KNOWN_ENDS}* knows what a finished game is worth. Each X then
        meets each O of every seed, both greedy, {len(TEN) ** 2} pairs an entry; probabilities are exact, nothing is
        sampled (he played 10,000 games a pair).""")
    page.figure(matrix_figure(games), "matrix", "All against all: X's learner by row, O's by column.")
    page.claims([*claims_of_slides(games), claim_of_curve(pairs), *claims_of_worst_case(bench, folded, pairs)])
    lost = [
        meetings(games[:, :, [k]] if side == 0 else games[:, :, :, [k]], *where)[:, 2 - 2 * side].min() > SURE
        for side, where in enumerate((((RANDOM,), OTHERS), (OTHERS, (RANDOM,))))
        for k in range(len(TEN))
    ]
    page.text(f"""*Random* never learns what a win is, unless its ends fall right by chance: it lost every game against
        all others as X in {seeds_where(lost[: len(TEN)])}, as O in {seeds_where(lost[len(TEN) :])} (his is one run). As
        O, a draw worth nothing makes *No Ties* careless, since O can hope for little more than a draw. That two greedy
        players draw says little of either: Zhang's program plays as it should where its own opponent leads it, and O
        can still be beaten elsewhere.""")
    worst_table(page, bench, pairs)
    page.heading("His figure: all values, sorted by Baseline's")
    page.figure(
        values_figure(bench, pairs),
        "values",
        f"""Every board is a column, in the order of Baseline's values (seed {TEN[0]}; black); the darker, the more
        boards have that value. Circles: Baseline as printed. Against a random player both sides hope for too much;
        the values of Random say nothing of the game.""",
    )
    values_table(page, bench, pairs)
    speeds(page)
    page.sample(sample())
    page.write()
