"""Compute grades by brute force on boards. Rules, players and results do not use symmetry or code from menace."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from trial_games import brute_force

from menace.games import get_game

Answer = dict[str, int]
Player = Callable[[str, list[str]], Answer]
Results = tuple[float, float, float]  # the probabilities of a win, a draw and a loss for the player
GAMES = (
    "tictactoe 3x3x3",
    "tictactoe 2x3x2",
    "tictactoe 3x2x3-misere",
    "tictactoe 2x2x2-wild",
    "connect 3x3x3",
    "hexapawn 3x3",
    "nim 1-2-3",
    "nim 1-2-3-misere",
)
WIN, DRAW, LOSS = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class Answers(dict[str, Any]):
    """The answers of a function for boards, which are computed at their first use."""

    def __init__(self, function: Callable[[str], Any]) -> None:
        self.function = function

    def __missing__(self, board: str) -> Any:
        self[board] = self.function(board)
        return self[board]


class Solved:
    """A game solved by brute force with the rules in trial_games.py. Only the names of moves come from menace."""

    def __init__(self, title: str) -> None:
        name, variant = title.split()
        self.rules, names = brute_force((name, variant)), get_game(name, variant).name_of
        self.start = self.rules.empty
        self.order = list(self.rules.boards())  # every board, before all boards after it
        # Images of a board may be unreachable, but players are asked for moves on them.
        self.moves = Answers(
            lambda board: [(names(board, n), after) for n, after in self.rules.children(board).items()]
        )
        self.value = Answers(self.rules.minimax)  # for X
        self.kind = Answers(self.rules.canonical)  # the same for all images of a board

    def result(self, board: str) -> int | None:
        """Return 1 if X has won, -1 if O has won, 0 for a draw, and None if the game is not over."""
        outcome = self.rules.outcome(board)
        return None if outcome is None else {"X": 1, "draw": 0, "O": -1}[outcome]


def random_player(solved: Solved, seed: int, symmetric: bool) -> Player:
    """Return a player that makes one move or several; a symmetric one gives images of a move the same weight."""

    def play(board: str, moves: list[str]) -> Answer:
        after = dict(solved.moves[board])
        assert sorted(moves) == sorted(after)
        kinds = {move: solved.kind[after[move]] if symmetric else move for move in moves}
        chance = random.Random(f"{seed} {solved.kind[board] if symmetric else board}")
        weights = {kind: chance.randint(0, 3) if seed % 2 else 0 for kind in sorted(set(kinds.values()))}
        if not any(weights.values()):
            weights[chance.choice(sorted(weights))] = 1
        return {move: weights[kind] for move, kind in kinds.items()}

    return play


class OracleGrade:
    """The grade of a player for a side, computed board by board."""

    def __init__(self, solved: Solved, player: Player, side: str) -> None:
        self.solved, self.player, self.side = solved, player, side
        self.sign = 1 if side == "X" else -1
        self.answers: dict[str, dict[str, float]] = {}  # the probability of each next board, by board
        opponents = ("random", "optimal", "best_response")
        self.against = {name: self._results(name, solved.start, {}) for name in opponents}
        self.refuted = self._refuted(solved.start, {})  # the probability of the most likely refutation
        self.erring: set[str] = set()  # the kinds of boards on which the player errs
        self.costs = {name: self._cost(name) for name in ("random", "optimal")}

    def _branches(self, name: str, board: str) -> list[tuple[str, float]]:
        """Return the boards after a board with their probabilities, against an opponent that has a policy."""
        moves = self.solved.moves[board]
        if moves and self.solved.rules.to_move(board) == self.side:
            if board not in self.answers:
                weights = self.player(board, [move for move, _ in moves])
                total = sum(weights.values())
                self.answers[board] = {after: weights[move] / total for move, after in moves if weights[move]}
            return list(self.answers[board].items())
        after = [child for _, child in moves]
        if name == "optimal":
            after = [child for child in after if self.solved.value[child] == self.solved.value[board]]
        return [(child, 1 / len(after)) for child in after]

    def _results(self, name: str, board: str, known: dict[str, Results]) -> Results:
        if board in known:
            return known[board]
        outcome = self.solved.result(board)
        if outcome is not None:
            known[board] = {1: WIN, 0: DRAW, -1: LOSS}[outcome * self.sign]
        elif self.solved.rules.to_move(board) != self.side and name == "best_response":
            replies = [self._results(name, child, known) for _, child in self.solved.moves[board]]
            known[board] = max(replies, key=lambda reply: (round(reply[2] - reply[0], 9), reply[2]))
        else:
            parts = [(share, self._results(name, child, known)) for child, share in self._branches(name, board)]
            win, draw, loss = (sum(share * part[i] for share, part in parts) for i in range(3))
            known[board] = (win, draw, loss)
        return known[board]

    def _refuted(self, board: str, known: dict[str, float]) -> float:
        if board not in known:
            outcome = self.solved.result(board)
            if outcome is not None:
                return float(outcome * self.sign == -1)
            own = self.solved.rules.to_move(board) == self.side
            branches = self._branches("any", board)
            known[board] = max((share if own else 1.0) * self._refuted(child, known) for child, share in branches)
        return known[board]

    def _cost(self, name: str) -> float:
        """Return the cost of the player's mistakes against an opponent, computed board by board."""
        chance, cost = {self.solved.start: 1.0}, 0.0
        for board in self.solved.order:
            if board not in chance:
                continue
            for child, share in self._branches(name, board):
                chance[child] = chance.get(child, 0.0) + chance[board] * share
                lost = (self.solved.value[board] - self.solved.value[child]) * self.sign
                if lost > 0:
                    cost += chance[board] * share * lost
                    self.erring.add(self.solved.kind[board])
        return cost

    @property
    def contradicting(self) -> set[str]:
        """The kinds of boards on which the player contradicts itself."""
        answers: dict[str, list[dict[str, float]]] = {}
        for board, made in self.answers.items():
            kinds: dict[str, float] = {}
            for child, share in made.items():
                kind = self.solved.kind[child]
                kinds[kind] = kinds.get(kind, 0.0) + share
            rounded = {kind: round(share, 9) for kind, share in kinds.items()}
            answers.setdefault(self.solved.kind[board], []).append(rounded)
        return {kind for kind, given in answers.items() if any(other != given[0] for other in given)}
