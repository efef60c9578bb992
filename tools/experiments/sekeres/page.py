"""Write the page about Sekeres 2025: variants of Zhang's TD(0) learn for three million games and play each other."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.claims import ENOUGH, Claim, Finding
from experiments.common import UNBEATEN, Bench, Machine, percent, seeds_where
from experiments.page import LEAST_TO_MOST, RANGE, VALUES, Page, ranged
from experiments.sekeres.figures import LEVELS, PRINTED, matrix_figure, ranks, values_figure
from experiments.sekeres.learners import (
    AGAINST_RANDOM,
    BASELINE,
    EPSILON,
    GAMES,
    KNOWN_ENDS,
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
MANY = tuple(range(1, ENOUGH + 1))  # the seeds for a claim that ten seeds would not decide
NEAR_STATES = 110  # the maximum distance between our curve of values and the printed one: 2 % of 5,478 states
SAMPLE_GAMES = 20_000
OTHERS = (BASELINE, MINIMAX, NO_TIES, AGAINST_RANDOM)
SLIDES, CODE = "slides", "tic_tac_toe_main.jl"


THREE = (BASELINE, MINIMAX, NO_TIES)
TIE = "“were able to attain 100% tie rate”"


class Meeting(NamedTuple):
    """A claim about all games between certain learners, each trained in a single run.

    Attributes:
        claim: the claim in his words.
        xs: the learners that play X.
        os: the learners that play O.
        outcome: 0 if X wins all games, 1 if all are draws, 2 if O wins all.
    """

    claim: Claim
    xs: tuple[str, ...]
    os: tuple[str, ...]
    outcome: int


MEETINGS = (
    Meeting(Claim(f"Baseline, Minimax and No Ties as X {TIE} (against Baseline and Minimax as O)", SLIDES,
                  "all games are draws"), THREE, (BASELINE, MINIMAX), 1),
    Meeting(Claim(f"Against Random {TIE}: as X", SLIDES, "all games are draws"),
            (AGAINST_RANDOM,), (BASELINE, MINIMAX), 1),
    Meeting(Claim("the same, as O", SLIDES, "all games are draws"), THREE, (AGAINST_RANDOM,), 1),
    Meeting(Claim("“The exception is minimax p1 vs no ties p2, where minimax always wins”", CODE, "X wins all games"),
            (MINIMAX,), (NO_TIES,), 0),
    Meeting(Claim("“In general, baseline, minimax, and no ties all get ties against each other”: Baseline as X, No "
                  "Ties as O", CODE, "all games are draws"), (BASELINE,), (NO_TIES,), 1),
    Meeting(Claim("Random “lost every game against the other models”, as X", SLIDES, "Random loses all games"),
            (RANDOM,), OTHERS, 2),
    Meeting(Claim("the same, as O", SLIDES, "Random loses all games"), OTHERS, (RANDOM,), 0),
)  # fmt: skip
CURVE = Claim(
    f"the printed counts of Baseline's values below {LEVELS[0]}, ... {LEVELS[-1]}",
    "p1_estimations_3.png and p2_estimations_3.png, read to within 30 states",
    f"at each of {len(LEVELS)} levels, our mean count differs from the printed count by at most {NEAR_STATES} states",
    "number",
)
GUARANTEE = "our question: can it “guarantee at least a tie if it goes second”"
WAYS = (
    f"the unchanged program (no symmetry, epsilon 0.01, {OWN_GAMES:,} games)",
    "this program with symmetry added",
    f"Baseline (no symmetry, epsilon {EPSILON}, {GAMES:,} games)",
    f"Baseline with symmetry (epsilon {EPSILON}, {GAMES:,} games)",
)
GUARANTEES = tuple(
    Claim(f"{'the same' if k else GUARANTEE}: {way}", "Zhang's program, play()", "its O is unbeatable", "law")
    for k, way in enumerate(WAYS)
)
NOTHING_CHANGES = Claim(
    "“Nothing changes, interestingly, when we train against a random player”: our question about the best response",
    CODE,
    "on each side, Against Random is beatable exactly if Baseline with the same seed is beatable",
)


# The questions and answers on Sekeres' slide "Questions", keyed by the learner that answers each question.
TIED = "draws with all others"
QUESTIONS = {
    NO_TIES: ("1. ties count as losses", f"{TIED}, except as O"),
    MINIMAX: ("2. initial values from minimax", TIED),
    RANDOM: ("3. random initial values", "loses every game"),
    AGAINST_RANDOM: ("4. trained against a random player", TIED),
}


def meetings(games: NDArray[np.float64], xs: tuple[str, ...], os: tuple[str, ...]) -> NDArray[np.float64]:
    """Return the results for the given learners, as an array [X, O, seed of X, seed of O, outcome]."""
    return games[np.ix_([NAMES.index(x) for x in xs], [NAMES.index(o) for o in os])]


def findings_of_meetings(games: NDArray[np.float64]) -> list[Finding]:
    """Check the claims about games between learners. A run consists of an X and an O with the same seed."""
    findings = []
    for claim, xs, os, outcome in MEETINGS:
        shares = meetings(games, xs, os)[..., outcome]
        pairs = int((shares > SURE).sum())
        text = f"this is true in {pairs:,} of {shares.size:,} pairs of machines"
        same_seed = shares[..., range(len(TEN)), range(len(TEN))]
        findings.append(claim.counted(text, (same_seed > SURE).all(axis=(0, 1))))
    return findings


def beaten(bench: Bench, pairs: list[list[Machine]]) -> list[list[bool]]:
    """Return whether X is beatable and whether O is beatable, for each seed."""
    return [[bench.worst(learner).loss > UNBEATEN for learner in side] for side in zip(*pairs, strict=True)]


def findings_of_best_response(bench: Bench, folded: Bench, pairs: Pairs) -> list[Finding]:
    """Check the claims about the best response."""
    trained = (
        (bench, [as_it_comes(bench, seed) for seed in TEN]),
        (folded, [as_it_comes(folded, seed) for seed in TEN]),
        (bench, [pairs[seed][BASELINE] for seed in TEN]),
        (folded, [train(folded, BASELINE, seed) for seed in TEN]),
    )
    findings = []
    for claim, learners in zip(GUARANTEES, trained, strict=True):
        of_x, of_o = beaten(*learners)
        measured = f"O is beatable in {seeds_where(of_o)}, X in {seeds_where(of_x)}"
        findings.append(claim.counted(measured, (not flag for flag in of_o)))
    many = {
        name: [pairs[seed][name] if seed in pairs else train(bench, name, seed) for seed in MANY]
        for name in (AGAINST_RANDOM, BASELINE)
    }
    (of_x, of_o), (of_base_x, of_base_o) = (beaten(bench, learners) for learners in many.values())
    same = [x == base_x and o == base_o for x, o, base_x, base_o in zip(of_x, of_o, of_base_x, of_base_o, strict=True)]
    measured = f"as O, Against Random is beatable in {seeds_where(of_o)}, and Baseline in {seeds_where(of_base_o)}"
    return [*findings, NOTHING_CHANGES.counted(measured, same)]


def finding_of_curve(pairs: Pairs) -> Finding:
    """Compare our curve of Baseline's values with the printed curve."""
    gaps = []
    for side, name in enumerate(("p1", "p2")):
        mean = np.mean([ranks(pairs[seed][BASELINE][side]) for seed in TEN], axis=0)
        gaps.append(int(np.abs(mean - np.array(PRINTED[name])).max()))
    measured = f"the counts differ by at most {gaps[0]} states for X and {gaps[1]} for O (mean of {len(TEN)} seeds)"
    return CURVE.judged(measured, max(gaps) <= NEAR_STATES)


def losses_table(page: Page, bench: Bench, pairs: Pairs) -> None:
    """Report how often every variant loses to its best response."""
    page.heading("Exact losses to the best response")
    header = ("learner", "X unbeatable", "X loses", "O unbeatable", "O loses")
    rows, ranges = [], []
    for name in NAMES:
        worst = [[bench.worst(pairs[seed][name][side]).loss for seed in TEN] for side in (0, 1)]
        safe = [f"{sum(loss < UNBEATEN for loss in losses)} of {len(TEN)}" for losses in worst]
        rows.append((name, *(cell for k in (0, 1) for cell in (safe[k], f"{np.mean(worst[k]):.0%}"))))
        ranges.append((name, percent(worst[0]), percent(worst[1])))
    page.table(header, rows)
    page.keep_ranges("Exact losses to the best response", (header[0], *header[2::2]), ranges, LEAST_TO_MOST)


def answer_questions(page: Page, bench: Bench, pairs: Pairs, games: NDArray[np.float64]) -> None:
    """Add Sekeres' four questions with his answers and ours."""
    page.heading("Sekeres' four questions")
    rows = []
    for name, (question, his) in QUESTIONS.items():
        of_x, of_o = beaten(bench, [pairs[seed][name] for seed in TEN])
        results = [
            meetings(games, *sides).mean(axis=(0, 1, 2, 3)) for sides in (((name,), THREE[:2]), (THREE[:2], (name,)))
        ]
        met = [" / ".join(f"{100 * share:.0f}" for share in result) for result in results]
        unbeaten = [f"{of_side.count(False)} of {len(TEN)}" for of_side in (of_x, of_o)]
        rows.append([question, his, *met, *unbeaten])
    page.table(("change", "his result", "as X", "as O", "X unbeatable", "O unbeatable"), rows)
    known = [of_side.count(False) for of_side in beaten(bench, [pairs[seed][KNOWN_ENDS] for seed in TEN])]
    page.text(f"""*As X* and *as O* show X's wins / draws / O's wins in percent, against Baseline and Minimax. If draws
        count as losses, O plays carelessly, because a draw is worth nothing to O. If a random player teaches O, O can
        be beaten, because such a teacher does not punish most mistakes. Random initial values make both sides weak,
        because a *Random* learner also begins with random values on finished boards, and no game corrects these values.
        A learner that knows the values of finished boards is unbeatable as X in {known[0]} of {len(TEN)} seeds and as O
        in {known[1]}.""")


def values_table(page: Page, bench: Bench, pairs: Pairs) -> None:
    """Write the distances of all values from Baseline's values, and describe the error in his minimax values."""
    ongoing = bench.positions.to_move >= 0

    def apart(name: str, side: int) -> str:
        distances = []
        for k, seed in enumerate(TEN):
            other = pairs[TEN[(k + 1) % len(TEN)] if name == BASELINE else seed][BASELINE][side]
            distances.append(np.abs(pairs[seed][name][side].learned.amount - other.learned.amount)[ongoing].mean())
        return f"{np.mean(distances):.3f}" + ranged(f"{min(distances):.3f}", f"{max(distances):.3f}")

    rows = []
    for name in NAMES:
        label = f"{name}, next seed" if name == BASELINE else name
        rows.append([label, apart(name, 0), apart(name, 1)])
    link = page.numbers("values", ("learner", "X", "O"), [[RANGE.sub("", cell) for cell in row] for row in rows])
    page.keep_ranges("All values, compared with Baseline's", ("learner", "X", "O"), rows, LEAST_TO_MOST)
    as_run, meant = minimax_as_run(bench.positions), bench.positions.minimax
    wrong = int((as_run != meant)[ongoing].sum())
    x = fresh(bench, MINIMAX, TEN[0])[0].learned.amount
    own = bench.positions.to_move == 1  # positions after a move by X
    never = [int((machine.learned.count[ongoing] == 0).sum()) for machine in pairs[TEN[0]][MINIMAX]]
    page.text(f"""{link} lists the mean difference of each variant's values from Baseline's. Many of the source's “true
        minimax” values have the wrong sign. The function fill_minimax! starts with X's result but continues as if this
        were the result of the side to move. These values are wrong for {wrong:,} of {ongoing.sum():,} unfinished
        boards. For the boards after its own moves, a side never begins with a value below {x[own & ongoing].min():g}.
        Three million games correct these optimistic initial values. With seed {TEN[0]}, the number of boards that kept
        their initial value was {never[0]} for X and {never[1]} for O.""")


def sample() -> list[str]:
    """Return each variant's exact probability of losing to random play after a small number of games with seed 1."""
    bench, lines = Bench("none"), [f"seed {TEN[0]}, {SAMPLE_GAMES:,} games: losses to random play of X and of O"]
    for name in NAMES:
        x, o = train(bench, name, TEN[0], SAMPLE_GAMES)
        lost = [100 * bench.against(learner, "random").loss for learner in (x, o)]
        lines.append(f"{name}: {lost[0]:.4f} %, {lost[1]:.4f} %")
    return lines


def introduce(page: Page, boards: int) -> None:
    """Describe the source and our runs."""
    page.text(f"""We read Sekeres' slides, Julia programs and figures
        (github.com/gsekeres/cornell_theory_reading_group_RL, chapter01, 2025). Sekeres' algorithm comes from Shangtong
        Zhang's program for chapter 1 of Sutton and Barto's book. The program stores a value for each of {boards:,}
        boards. Presets `zhang`, `zhang-minimax`, `zhang-no-ties` and `zhang-random` play with epsilon {EPSILON}.""")
    page.text(f"""The seeds are {TEN[0]} to {TEN[-1]}, or {MANY[0]} to {MANY[-1]} for the last claim; Sekeres used one
        seed. The X of each seed plays against the O of every seed, which makes {len(TEN) ** 2} pairs.""")


def reproduce(folder: Path) -> None:
    """Train the learners, compare the results, and write the page."""
    bench, folded = Bench("none"), Bench("full")
    pairs: Pairs = {seed: {name: train(bench, name, seed) for name in NAMES} for seed in TEN}
    games = all_against_all(bench, pairs)
    unsafe = {name: beaten(bench, [pairs[seed][name] for seed in TEN])[1] for name in (BASELINE, AGAINST_RANDOM)}
    page = Page(folder, "sekeres", "Sekeres 2025: one algorithm from different starts", machine=VALUES)
    page.term("*Baseline*: a learner whose values begin at 0.5 on unfinished boards.")
    page.term("""*Minimax*: a learner that begins with the source's *minimax* values. These values should be the results
        of perfect play, but some are wrong. *Minimax as meant* begins with the correct values.""")
    page.term("*No Ties*: a learner for which a draw is worth as little as a loss.")
    page.term(
        "*Random*: a learner that begins with random values. *Random, ends known* begins with random values on"
        " unfinished boards only."
    )
    page.term("*Against Random*: Baseline trained against `random`.")
    page.term("*Run*: all learners with the same seed. A pair can combine learners with different seeds.")
    page.summary(
        """In his slides of 2025, Sekeres compares variants of one learning algorithm. He says that most variants draw
        all games against each other (claims 1 to 5), and that training against a random player changes nothing (claim
        13). We also ask whether O always learns to force a draw (claims 9 to 12).""",
        f"""We trained {len(TEN)} machines of each of {len(NAMES)} variants for {GAMES:,} games. We then computed the
        exact results of all greedy games between them.""",
        f"""Our runs show what Sekeres saw (claims 1 to 7), but learners that draw with each other can still lose to
        other players. Training against a random player does change O (claim 13: no): {sum(unsafe[AGAINST_RANDOM])} of
        {len(TEN)} such O machines can be beaten. Of the plain O machines, {sum(unsafe[BASELINE])} can be beaten after
        3,000,000 games (claims 11 and 12: yes), but some can after 100,000 (claims 9 and 10: no).""",
    )
    introduce(page, len(bench.positions))
    answer_questions(page, bench, pairs, games)
    page.figure(matrix_figure(games), "matrix", "Results of the games between all pairs of learners.")
    page.claims(
        [*findings_of_meetings(games), finding_of_curve(pairs), *findings_of_best_response(bench, folded, pairs)]
    )
    losses_table(page, bench, pairs)
    page.figure(
        values_figure(bench, pairs),
        "values",
        f"""Values of all boards, in the order of Baseline's values (seed {TEN[0]}, black). Darker areas contain more
        boards, and circles show the printed values of Baseline.""",
    )
    page.heading("All values, compared with Baseline's")
    values_table(page, bench, pairs)
    page.sample(sample())
    page.write()
