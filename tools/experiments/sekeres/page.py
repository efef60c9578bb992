"""Sekeres 2025: Zhang's TD(0) from other starts and against a random player, three million games each, all against all.

All strengths are exact, of greedy play; every learner meets every other learner of every seed.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.claims import ENOUGH, Claim, Finding
from experiments.common import UNBEATEN, Bench, Machine, percent, seeds_where
from experiments.page import Page, ranged
from experiments.sekeres.figures import LEVELS, PRINTED, matrix_figure, ranks, values_figure
from experiments.sekeres.learners import (
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
MANY = tuple(range(1, ENOUGH + 1))  # seeds, where ten would leave it open
NEAR_STATES = 110  # of 5,478, 2 %: how far our curve of values may be from the printed one
TIMES_FASTER = 10  # than his fastest, if we are to say so: computers differ less than that
PRINTED_SECONDS = {"Python": 37.33, "Julia": 3.29, "Julia, without printing": 2.53}  # for 100,000 games
SAMPLE_GAMES = 20_000
OTHERS = (BASELINE, MINIMAX, NO_TIES, AGAINST_RANDOM)
SLIDES, CODE = "slides, Competition Results", "tic_tac_toe_main.jl"


THREE = (BASELINE, MINIMAX, NO_TIES)
TIE = "“were able to attain 100% tie rate”"


class Meeting(NamedTuple):
    """A claim of what came of all games between some learners: his one run of each, ours of a seed.

    Attributes:
        claim: in his words.
        xs, os: who played X, and who O.
        outcome: 0 if X won all of them, 1 if all were drawn, 2 if O won all.
    """

    claim: Claim
    xs: tuple[str, ...]
    os: tuple[str, ...]
    outcome: int


MEETINGS = (
    Meeting(Claim(f"Baseline, Minimax, No Ties {TIE} (O: Baseline, Minimax)", SLIDES, "all are sure to be drawn"),
            THREE, (BASELINE, MINIMAX), 1),
    Meeting(Claim(f"Against Random {TIE}, as X", SLIDES, "all are sure to be drawn"),
            (AGAINST_RANDOM,), (BASELINE, MINIMAX), 1),
    Meeting(Claim("the same, as O", SLIDES, "all are sure to be drawn"), THREE, (AGAINST_RANDOM,), 1),
    Meeting(Claim("“The exception is minimax p1 vs no ties p2, where minimax always wins”", CODE, "X is sure to win"),
            (MINIMAX,), (NO_TIES,), 0),
    Meeting(Claim("“In general, baseline, minimax, and no ties all get ties against each other”: Baseline as X, No "
                  "Ties as O", CODE, "all are sure to be drawn"), (BASELINE,), (NO_TIES,), 1),
    Meeting(Claim("Random “lost every game against the other models”, as X", SLIDES, "sure to lose all"),
            (RANDOM,), OTHERS, 2),
    Meeting(Claim("the same, as O", SLIDES, "sure to lose all"), OTHERS, (RANDOM,), 0),
)  # fmt: skip
CURVE = Claim(
    f"Baseline's sorted values: how many are below {LEVELS[0]}, ... {LEVELS[-1]}",
    "p1_estimations_3.png and p2_..., read off to 30 states",
    f"at most {NEAR_STATES} states apart at each of {len(LEVELS)} levels, in the mean of our runs",
    "number",
)
GUARANTEE = "“guarantee at least a tie if it goes second” (asked)"
WAYS = (
    f"no symmetry, epsilon 0.01, {OWN_GAMES:,} games: as it comes",
    "with symmetry, which it has not",
    f"no symmetry, epsilon {EPSILON}, {GAMES:,} games: Baseline",
    f"with symmetry, epsilon {EPSILON}, {GAMES:,} games",
)
GUARANTEES = tuple(
    Claim(f"{'the same' if k else GUARANTEE}: {way}", "Zhang's program, play()", "nobody beats its O", "law")
    for k, way in enumerate(WAYS)
)
NOTHING_CHANGES = Claim(
    "“Nothing changes, interestingly, when we train against a random player”, said of the pairs above; asked of the "
    "opponent made for it",
    CODE,
    "of X and of O, it can be beaten where Baseline of the same seed can, and not elsewhere",
)


# What he asks (slides, Questions), by the learner that he answers it with, and what he says came out.
TIED = "draws with all"
QUESTIONS = {
    NO_TIES: ("1. A tie treated as a loss?", f"{TIED}, except as O"),
    MINIMAX: ("2. From the minimax values?", TIED),
    RANDOM: ("3. From random values?", "loses every game"),
    AGAINST_RANDOM: ("4. Trained against a random player?", TIED),
}


def meetings(games: NDArray[np.float64], xs: tuple[str, ...], os: tuple[str, ...]) -> NDArray[np.float64]:
    """Return [X's learners, O's learners, X's seed, O's seed, outcome] of some learners."""
    return games[np.ix_([NAMES.index(x) for x in xs], [NAMES.index(o) for o in os])]


def findings_of_meetings(games: NDArray[np.float64]) -> list[Finding]:
    """Compare what he says of all against all; a run is X and O of the same seed."""
    findings = []
    for claim, xs, os, outcome in MEETINGS:
        shares = meetings(games, xs, os)[..., outcome]
        pairs = int((shares > SURE).sum())
        text = (
            f"as claimed in {100 * shares.mean():.1f} % of the games; "
            f"with certainty in {pairs:,} of {shares.size:,} pairs of seeds"
        )
        same_seed = shares[..., range(len(TEN)), range(len(TEN))]
        findings.append(claim.counted(text, (same_seed > SURE).all(axis=(0, 1))))
    return findings


def beaten(bench: Bench, pairs: list[list[Machine]]) -> list[list[bool]]:
    """Return of X and of O, by seeds, whether the opponent made for it ever wins."""
    return [[bench.worst(learner).loss > UNBEATEN for learner in side] for side in zip(*pairs, strict=True)]


def findings_of_worst_case(bench: Bench, folded: Bench, pairs: Pairs) -> list[Finding]:
    """Compare the claims and questions about opponents that it was not trained against."""
    trained = (
        (bench, [as_it_comes(bench, seed) for seed in TEN]),
        (folded, [as_it_comes(folded, seed) for seed in TEN]),
        (bench, [pairs[seed][BASELINE] for seed in TEN]),
        (folded, [train(folded, BASELINE, seed) for seed in TEN]),
    )
    findings = []
    for claim, learners in zip(GUARANTEES, trained, strict=True):
        of_x, of_o = beaten(*learners)
        measured = f"O can be beaten in {seeds_where(of_o)}, X in {seeds_where(of_x)}"
        findings.append(claim.counted(measured, (not flag for flag in of_o)))
    many = {
        name: [pairs[seed][name] if seed in pairs else train(bench, name, seed) for seed in MANY]
        for name in (AGAINST_RANDOM, BASELINE)
    }
    (of_x, of_o), (of_base_x, of_base_o) = (beaten(bench, learners) for learners in many.values())
    same = [x == base_x and o == base_o for x, o, base_x, base_o in zip(of_x, of_o, of_base_x, of_base_o, strict=True)]
    measured = (
        f"Against Random can be beaten: O in {seeds_where(of_o)}, X in {seeds_where(of_x)}; Baseline: O in"
        f" {seeds_where(of_base_o)}, X in {seeds_where(of_base_x)}"
    )
    return [*findings, NOTHING_CHANGES.counted(measured, same)]


def finding_of_curve(pairs: Pairs) -> Finding:
    """Compare the curve of Baseline's values with the printed one."""
    gaps = []
    for side, name in enumerate(("p1", "p2")):
        mean = np.mean([ranks(pairs[seed][BASELINE][side]) for seed in TEN], axis=0)
        gaps.append(int(np.abs(mean - np.array(PRINTED[name])).max()))
    measured = f"at most {gaps[0]} states from the printed curve for X, {gaps[1]} for O (mean of {len(TEN)} seeds)"
    return CURVE.judged(measured, max(gaps) <= NEAR_STATES)


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
    page.text(f"""The slide says “Zhang code”, and not how many games; his program and Zhang's train for {OWN_GAMES:,}
        games, and then play 1,000 (his 10,000). His times are of his computer, ours is of ours and
        rounded up to the next power of ten, so
        that it says the same on another: {faster}. A ratio in one run, against a program in the style of Zhang's, is
        measured by `python tools/benchmarks/measure_peers.py` (docs/development/peers.md).""")


def worst_table(page: Page, bench: Bench, pairs: Pairs) -> None:
    """Add the exact worst case of every kind."""
    page.heading("Exact worst case")
    page.text("Greedy play against the opponent made for it; a learner is unbeaten if that opponent never wins.")
    rows = []
    for name in NAMES:
        worst = [[bench.worst(pairs[seed][name][side]).loss for seed in TEN] for side in (0, 1)]
        rows.append([name] + [text for w in worst for text in (seeds_where(x < UNBEATEN for x in w), percent(w))])
    page.table(("learner", "X unbeaten", "X loses at worst", "O unbeaten", "O loses at worst"), rows)


def answer_questions(page: Page, bench: Bench, pairs: Pairs, games: NDArray[np.float64]) -> None:
    """Add his four questions, his answers and ours."""
    page.heading("His four questions")
    rows = []
    for name, (question, his) in QUESTIONS.items():
        of_x, of_o = beaten(bench, [pairs[seed][name] for seed in TEN])
        results = [
            meetings(games, *sides).mean(axis=(0, 1, 2, 3)) for sides in (((name,), THREE[:2]), (THREE[:2], (name,)))
        ]
        met = [" / ".join(f"{100 * share:.0f}" for share in result) for result in results]
        unbeaten = [f"{of_side.count(False)} of {len(TEN)}" for of_side in (of_x, of_o)]
        rows.append([question, his, *met, *unbeaten])
    page.table(("asked", "his answer", "its X plays", "its O plays", "X unbeaten", "O unbeaten"), rows)
    known = [of_side.count(False) for of_side in beaten(bench, [pairs[seed][KNOWN_ENDS] for seed in TEN])]
    page.text(f"""X wins / draws / O wins, in percent, against Baseline and Minimax of all seeds; and in how many seeds
        the opponent made for it never wins. So, in our runs: a tie treated as a loss spoils O and not X; the minimax
        values change nothing; random values spoil both only because the ends are drawn, too: where the ends are known,
        X is unbeaten in {known[0]} of {len(TEN)} seeds and O in {known[1]}; and who is trained against a random player
        is as safe as X, but as O it can be beaten.""")


def values_table(page: Page, bench: Bench, pairs: Pairs) -> None:
    """Add how far the values of each kind are from Baseline's, and how the starts changed."""
    ongoing = bench.positions.to_move >= 0

    def apart(name: str, side: int) -> str:
        distances = []
        for k, seed in enumerate(TEN):
            other = pairs[TEN[(k + 1) % len(TEN)] if name == BASELINE else seed][BASELINE][side]
            distances.append(np.abs(pairs[seed][name][side].learned.amount - other.learned.amount)[ongoing].mean())
        return f"{np.mean(distances):.3f}" + ranged(f"{min(distances):.3f}", f"{max(distances):.3f}")

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
    unsafe = {
        name: beaten(bench, [pairs[seed][name] for seed in TEN])[1] for name in (BASELINE, NO_TIES, AGAINST_RANDOM)
    }
    page = Page(folder, "sekeres", "Sekeres 2025: one algorithm from different starts")
    page.summary(
        "In slides, who draws and who loses when learners of one algorithm, begun otherwise, all play each other.",
        f"{len(TEN)} runs of each of {len(NAMES)} learners, {GAMES:,} games each; all greedy pairs computed exactly.",
        f"""Two greedy learners that draw with each other may still be beaten by others. As O, the one trained against a
        random player can be beaten in {sum(unsafe[AGAINST_RANDOM])} of {len(TEN)} runs, the one that counts a draw as a
        loss in {sum(unsafe[NO_TIES])}, and Baseline in {sum(unsafe[BASELINE])}.""",
    )
    page.text("""G. Sekeres (github.com/gsekeres/cornell_theory_reading_group_RL, chapter01, 2025: slides, Julia,
        figures) runs S. Zhang's program for chapter 1 of Sutton and Barto, TD(0) over all boards of a game, and begins
        it otherwise: at 0.5 wherever the game goes on (Baseline), at the minimax values, with every estimation at
        random, with a draw worth as little as a loss (No Ties); and he trains it against a random player. Then each
        plays all the others, and their values are compared. All of it was read, and Zhang's program with it.""")
    answer_questions(page, bench, pairs, games)
    page.heading("How it is reproduced")
    page.text(f"""Presets `zhang`, `zhang-minimax`, `zhang-no-ties` and `zhang-random`, with epsilon {EPSILON} and
        {GAMES:,} games, X against O of the same kind; *Against Random* is `zhang`, each side trained against `random`.
        Every board is a position of its own, {len(bench.positions):,} of them, as in his and Zhang's programs; seeds
        {TEN[0]} to {TEN[-1]}, and {MANY[0]} to {MANY[-1]} for claim 13 (he ran one). *Random* draws each value from [0,
        1), those of finished boards too, which no game changes, so that winning may be worth less than losing.
        *Minimax* begins with the values that his program has, *{MEANT}* with the true ones, and *{KNOWN_ENDS}* knows
        what a finished game is worth. Each X then meets each O of every seed, both greedy, {len(TEN) ** 2} pairs an
        entry; probabilities are exact, nothing is sampled (he played 10,000 games a pair).""")
    page.figure(matrix_figure(games), "matrix", "All against all: X's learner by row, O's by column.")
    page.claims([*findings_of_meetings(games), finding_of_curve(pairs), *findings_of_worst_case(bench, folded, pairs)])
    page.heading("Why they lose")
    page.text("""*Random* never learns what a win is, unless its ends fall right by chance. As O, a draw worth nothing
        makes *No Ties* careless, since O can hope for little more than a draw. That two greedy players draw says
        little of either: Zhang's program plays as it should where its own opponent leads it, and O can still be
        beaten elsewhere.""")
    worst_table(page, bench, pairs)
    page.figure(
        values_figure(bench, pairs),
        "values",
        f"""Every board is a column, in the order of Baseline's values (seed {TEN[0]}; black); the darker, the more
        boards have that value. Circles: Baseline as printed. Against a random player both sides hope for too much;
        the values of Random say nothing of the game.""",
    )
    page.heading("All values, sorted by Baseline's")
    values_table(page, bench, pairs)
    speeds(page)
    page.sample(sample())
    page.write()
