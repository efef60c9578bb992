"""Every X against every O among some players, exactly: in memory, and of a database."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar, cast

from menace.analysis.strength import PAIRS, loaded_player
from menace.arena.exact_strength import Outcomes, outcomes
from menace.errors import InvalidPlayer
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_opponent
from menace.learners.player import policy_of
from menace.learners.policy import Policy, PolicyFunction, PolicyName
from menace.ledger.store import Store
from menace.ledger.stored_positions import positions_of
from menace.tables import Table, Tabular
from menace.wording import OUTCOMES, ends_of

P = TypeVar("P")
Named: TypeAlias = str | Machine | Policy | PolicyFunction  # a player with a name


class Comparison(dict[tuple[str, str], Outcomes], Tabular):
    """The exact outcomes of every X against every O, by the names of both.

    Attributes:
        policy: how machines play.
        draws: whether the game can end in a draw.

    >>> compare(["random", "optimal"]).in_words().rows[0]
    ('random', '58.5/12.7/28.8', '0.0/22.3/77.7')
    """

    def __init__(self, pairs: Mapping[tuple[str, str], Outcomes], policy: PolicyName, draws: bool) -> None:
        super().__init__(pairs)
        self.policy, self.draws = policy, draws

    __repr__ = Tabular.__repr__

    def table(self) -> Table:
        """Return a row for each pair of X and O, with the probabilities of the outcomes, as `--json` has them."""
        return Table(PAIRS, [(x, o, self.policy, *outcomes) for (x, o), outcomes in self.items()])

    def in_words(self) -> Table:
        """Return a row for each X, and a column for each O."""
        x_names, o_names = (list(dict.fromkeys(pair[side] for pair in self)) for side in (0, 1))
        # The fastest way: a thousand learners are a quarter of a million pairs.
        shape = "/".join(ends_of(["%.1f"] * 3, self.draws))
        rows = [
            (x, *(shape % tuple([100 * share for share in ends_of(self[x, o], self.draws)]) for o in o_names))
            for x in x_names
        ]
        return Table(("X \\ O", *o_names), rows, f"{' / '.join(ends_of(OUTCOMES, self.draws))}, in percent")


def compare(
    *players: Named | Iterable[Named], policy: PolicyName = "behaviour", positions: Positions | None = None
) -> Comparison:
    """Return the exact outcomes of every X against every O among some players, by their names.

    Args:
        players: machines and policies, each of which plays its side, and names of fixed opponents and functions, which
            play both; or lists of them.
        policy: as for `evaluate`.
        positions: likewise.

    Raises:
        InvalidPlayer: if there is no such player, or no player of X, or of O.
        InvalidGame: if the players are of two games.

    >>> pairs = compare([Machine("menace", "X"), "perfect"])
    >>> {pair: round(outcomes.draw, 3) for pair, outcomes in pairs.items()}
    {('menace', 'perfect'): 0.236, ('perfect', 'perfect'): 1.0}
    """
    listed: list[Named] = list(each_of(players))
    for player in listed:
        if not (isinstance(player, str | Machine | Policy) or callable(player)):
            raise InvalidPlayer(
                f"{player!r} has no name to stand in a table; take a learner's `machine()`, and of a table by board or"
                " an array what `menace.policy_of` makes of it"
            )
    own = [player.positions for player in listed if isinstance(player, Machine | Policy)]
    game = positions or next(iter(own), None)
    policies: list[dict[str, Policy]] = []
    for side in Side:
        of_side = [player for player in dict.fromkeys(listed) if _plays(player) in {None, side}]
        # Machines and functions first, then fixed opponents, each in the order in which they were named.
        named = [policy_of(player, side, game, policy) for player in sorted(of_side, key=lambda p: isinstance(p, str))]
        if not named:
            raise InvalidPlayer(f"nobody plays {side}; name a player that does, such as random")
        policies.append({played.name: played for played in named})
        if len(policies[-1]) < len(named):
            raise InvalidPlayer(f"two players of {side} have the same name; give each its own, as in `machine.name`")
    xs, os = policies
    table = [[outcomes(x, o) for o in os.values()] for x in xs.values()]
    pairs = dict(zip(itertools.product(xs, os), itertools.chain.from_iterable(table), strict=True))
    return Comparison(pairs, policy, policies[0][next(iter(xs))].positions.has_draws)


def each_of(players: Iterable[P | Iterable[P]]) -> Iterator[P]:
    """Yield players that are given one by one, or in lists.

    >>> list(each_of(["random", ["perfect", "optimal"]]))
    ['random', 'perfect', 'optimal']
    """
    for player in players:
        if isinstance(player, list | tuple | set | frozenset | Iterator):
            yield from player
        else:
            yield cast(P, player)


def _plays(player: Named) -> Side | None:
    """Return the only side that a player plays; None of one that plays both."""
    return fixed_opponent(player).plays if isinstance(player, str) else getattr(player, "plays", None)


def comparison(store: Store, players: Sequence[Named] = (), policy: PolicyName = "behaviour") -> Comparison:
    """Return what `compare` does in the game of a database.

    Args:
        store: the database.
        players: learners by their names, or patterns of names, and other players; none stands for every learner.
        policy: as for `evaluate`.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player, or no player of X, or of O.

    >>> for (x, o), outcomes in comparison(store, ["menace-x", "menace-o", "optimal"]).items():
    ...     print(f"{x} wins {outcomes.x_wins:.3f} against {o}")
    menace-x wins 0.442 against menace-o
    menace-x wins 0.000 against optimal
    optimal wins 0.943 against menace-o
    optimal wins 0.000 against optimal
    """
    with store.copied() as copy:
        positions = positions_of(copy)
        names = copy.names_like([player for player in players if isinstance(player, str)])
        if not players:
            names = [row.name for row in copy.learners()]
        loaded = [loaded_player(copy, positions, name) for name in names]
    in_memory = [player for player in players if not isinstance(player, str)]
    return compare(loaded, in_memory, policy=policy, positions=positions)
