"""Serve the Compare page: learners' curves on shared axes, their exact results, and a comparison of two policies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple, get_args

from datasette.utils.asgi import Response

from menace.analysis import groups, learning_curves, matchups
from menace.drawing.boards import board_svg
from menace.errors import InvalidGame, InvalidSetting
from menace.explorer.content.curves import Plane, Points, curve_points
from menace.explorer.server.requests import Request, get
from menace.explorer.server.threads_and_caches import LARGE, LIBRARY
from menace.games.base import Game, Side
from menace.learners.opponents.fixed import STANDARD, is_fixed
from menace.learners.policy import PolicyName, check_policy_name
from menace.ledger.positions import positions_of
from menace.ledger.store import LearnerRow, Store
from menace.text.wording import OPPONENTS, counted, percent

MAX_LEARNERS = 24
MAX_BOXES_SHOWN = 24
BANDS = ("all", "half")  # the bands of a family; a single learner has no bands


def comparison_report(
    store: Store, names: Sequence[str], policy: PolicyName, opponent: str, wanted: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the comparison that the Compare page shows.

    Args:
        store: the database.
        names: names or patterns of learners; if empty, the first MAX_LEARNERS learners.
        policy: the policy of the learners.
        opponent: the opponent for the curves, a key of `wording.OPPONENTS`.
        wanted: two learners whose policies are compared; if empty, the first two that play the same side.

    Raises:
        UnknownLearner, InvalidSetting, InvalidPlayer, InvalidGame: if there is no such learner, policy or opponent, the
            two learners play different sides, or the game is too large for a page.

    >>> report = comparison_report(store, ["menace-*"], "behaviour", "random")
    >>> len(report["curves"]["menace-x"]), len(report["pairs"]), report["two"]
    (8, 9, None)
    """
    check_policy_name(policy)
    if opponent not in OPPONENTS:
        raise InvalidSetting(f"unknown opponent {opponent!r}; choose one of {', '.join(OPPONENTS)}")
    if store.position_count() > LARGE:
        raise InvalidGame(f"this page supports games with at most {LARGE:,} positions; use `menace compare`")
    everybody = store.learners()
    rows = _chosen(store, everybody, names)
    pairs = matchups.comparison(store, [*(row.name for row in rows), *STANDARD], policy)
    curves = [learning_curves.thinned_curve(store, row, policy) for row in rows]
    two = [store.learner(name) for name in wanted[:2]] if wanted[1:] else _first_two_of_one_side(rows)
    machines = [LIBRARY.learner(store, row.name) for row in two]
    return {
        "policy": policy,
        "opponent": opponent,
        "everybody": everybody,
        "chosen": [row.name for row in rows],
        "curves": {curve.name: curve.against(opponent) for curve in curves},
        "families": families(store, curves, opponent),
        "pairs": pairs,
        "two": [row.name for row in two] or None,
        "differences": matchups.differences(machines[0], machines[1], policy) if machines else [],
        "game": positions_of(store).game,
        "has_draws": positions_of(store).has_draws,
    }


class Family(NamedTuple):
    """One learner with its curve, or a group of learners that differ only in name and seed, with the median curve.

    Attributes:
        name: the name of the learner or of the group.
        names: the names of the learners.
        points: the curve, or the median of the curves.
        bands: for a group, the edges of the band that contains all of its curves and of the band that contains half of
            them.
    """

    name: str
    names: list[str]
    points: Points
    bands: list[tuple[Points, Points]]


def families(store: Store, curves: Sequence[learning_curves.Curve], opponent: str) -> list[Family]:
    """Group learners into families.

    Three or more learners that differ only in name and seed form a family.
    """
    shown = []
    for curves_of_group in groups.grouped(
        learning_curves.with_facts(store, [curve for curve in curves if curve.points])
    ):
        group = groups.Group.of([curve.against(opponent) for curve in curves_of_group])
        games = group.games
        middle, lower, upper, _ = zip(*group.estimates, strict=True)
        edges = (group.scores.min(axis=-1).tolist(), group.scores.max(axis=-1).tolist()), (lower, upper)
        bands = [(_points(games, low), _points(games, high)) for low, high in edges] if curves_of_group[1:] else []
        names = [curve.name for curve in curves_of_group]
        shown.append(Family(groups.group_name(curves_of_group), names, _points(games, middle), bands))
    return shown


def _points(games: Sequence[int], values: Sequence[float]) -> Points:
    return list(zip(games, values, strict=True))


def _chosen(store: Store, everybody: Sequence[LearnerRow], names: Sequence[str]) -> list[LearnerRow]:
    chosen_names = [name for name in store.expand_names(names) if not is_fixed(name)] if names else []
    rows = [store.learner(name) for name in dict.fromkeys(chosen_names)] if chosen_names else list(everybody)
    if chosen_names and len(rows) > MAX_LEARNERS:
        raise InvalidSetting(f"{counted(len(rows), 'machine')} are too many for a page; choose at most {MAX_LEARNERS}")
    return rows[:MAX_LEARNERS]


def _first_two_of_one_side(rows: Sequence[LearnerRow]) -> Sequence[LearnerRow]:
    """Return the names of the first two learners that play the same side, or no names if there are none."""
    return next((pair for pair in combinations(rows, 2) if pair[0].plays is pair[1].plays), ())


@dataclass(frozen=True)
class CompareParams:
    """The parameters of the page; see `comparison_report`."""

    learner: list[str]
    two: list[str]
    policy: str = "behaviour"
    opponent: str = "random"


def _report(store: Store, params: CompareParams) -> dict[str, Any]:
    policy: Any = params.policy
    return comparison_report(store, params.learner, policy, params.opponent, params.two)


@get("/{database}/compare")
async def compare(request: Request, params: CompareParams) -> Response:
    """Show the comparison of learners."""
    report = await request.ask(lambda store: _report(store, params))
    shown = report["families"]
    series = {family.name: family.points for family in shown}
    return await request.page(
        "compare",
        title="Compare machines",
        plane=Plane.of(series.values()),
        series=series,
        label=f"value {OPPONENTS[params.opponent]} against the number of games, for {', '.join(series)}",
        bands={family.name: family.bands for family in shown},
        keys={name: number for number, family in enumerate(shown) for name in family.names},
        banded=[family for family in shown if family.bands],
        policies=get_args(PolicyName),
        opponents=OPPONENTS,
        sides=[list(dict.fromkeys(pair[side.number] for pair in report["pairs"])) for side in Side],
        boards=[
            _difference_for_page(request, report["game"], report["two"], difference)
            for difference in report["differences"][:MAX_BOXES_SHOWN]
        ],
        is_fixed=is_fixed,
        query=request.http.query_string,
        **report,
    )


def _difference_for_page(
    request: Request, game: Game, two: Sequence[str], difference: matchups.BoxDifference
) -> dict[str, Any]:
    """Return a position with a link to its Explore page, and with a board that shows each learner's policy there."""
    pictures = []
    for number in range(len(two)):
        shares = {action: both[number] for action, both in difference.shares.items()}
        texts = {action: percent(share).strip() for action, share in shares.items() if share > 0}
        pictures.append(board_svg(game, difference.board, texts, shares))
    address = request.path("explore", difference.board, learner=two)
    return {**difference._asdict(), "pictures": pictures, "address": address}


@get("/{database}/compare.json")
def compare_json(_: Request, store: Store, params: CompareParams) -> dict[str, Any]:
    """Return the comparison of learners as JSON."""
    report = _report(store, params)
    return {
        "learners": report["chosen"],
        "policy": report["policy"],
        "opponent": report["opponent"],
        "curves": {name: curve_points(points) for name, points in report["curves"].items()},
        "families": [
            {**family._asdict(), "bands": dict(zip(BANDS, family.bands, strict=False))} for family in report["families"]
        ],
        "pairs": report["pairs"].table().records(),
        "two": report["two"],
        "differences": [
            {**difference._asdict(), "shares": {str(action): both for action, both in difference.shares.items()}}
            for difference in report["differences"]
        ],
    }
