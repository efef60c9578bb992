"""Compute grades by brute force on boards. The rules, players and results use neither symmetry nor code from menace.

Boards and moves are written as in menace, so that menace and this module can call the same players. A player is a
function that takes a board and its moves and returns the weights of the moves.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from trial_games import brute_force

Answer = dict[str, int]
Player = Callable[[str, list[str]], Answer]
Results = tuple[float, float, float]  # the probabilities of a win, a draw and a loss for the player
WIN, DRAW, LOSS = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class Game:
    """A game from trial_games.py, with names for its moves."""

    def __init__(self, name: str, variant: str) -> None:
        self.name, self.rules = name, brute_force((name, variant))
        self.start, self.to_move, self.images = self.rules.empty, self.rules.to_move, self.rules.images

    def result(self, board: str) -> int | None:
        """Return 1 if X has won, -1 if O has won, 0 for a draw, and None if the game is not over."""
        return {"X": 1, "O": -1, "draw": 0, None: None}[self.rules.outcome(board)]

    def moves(self, board: str) -> list[tuple[str, str]]:
        """Return the name of each move and the board that it leads to."""
        return [(self._name(board, action), after) for action, after in self.rules.children(board).items()]

    def _name(self, board: str, action: int) -> str:
        rules = self.rules.game
        if self.name == "nim":
            heap, less = divmod(action, rules.heap_actions)
            return f"{less + 1} from heap {heap + 1}"
        if self.name == "hexapawn":  # on three rows
            cell, step = divmod(action, 3)
            target = cell + step - 1 + rules.shape[1] * (-1 if board[-1] == "X" else 1)
            files = ["abc"[place % 3] + "321"[place // 3] for place in (cell, target)]
            return ("-" if step == 1 else "x").join(files)
        if "wild" in rules.rules:
            return f"{'XO'[action % 2]}{action // 2}"
        return f"column {action + 1}" if rules.falls else str(action)


GAMES = {
    f"{name} {variant}": Game(name, variant)
    for name, variants in {
        "tictactoe": ("3x3x3", "2x3x2", "3x2x3-misere", "2x2x2-wild"),
        "connect": ("3x3x3",),
        "hexapawn": ("3x3",),
        "nim": ("1-2-3", "1-2-3-misere"),
    }.items()
    for variant in variants
}


class Solved:
    """A game, the moves on each of its boards, and the value of each board for X under perfect play."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves: dict[str, list[tuple[str, str]]] = {}
        self.value: dict[str, int] = {}
        self.kind: dict[str, str] = {}  # the same text for all images of a board
        self.order: list[str] = []  # every board, listed before all boards that follow it
        self._visit(game.start)
        self.order.reverse()

    def _visit(self, board: str) -> int:
        if board not in self.value:
            self.kind[board] = min(self.game.images(board))
            result = self.game.result(board)
            self.moves[board] = self.game.moves(board) if result is None else []
            values = [self._visit(after) for _, after in self.moves[board]]
            pick = max if self.game.to_move(board) == "X" else min
            self.value[board] = pick(values) if result is None else result
            self.order.append(board)
        return self.value[board]


def random_player(solved: Solved, seed: int, symmetric: bool) -> Player:
    """Return a player that always makes one move or chooses among several.

    A symmetric player gives all images of a move the same weight.
    """

    def play(board: str, moves: list[str]) -> Answer:
        after = dict(solved.game.moves(board))
        assert sorted(moves) == sorted(after)
        kinds = {move: min(solved.game.images(after[move])) if symmetric else move for move in moves}
        chance = random.Random(f"{seed} {min(solved.game.images(board)) if symmetric else board}")
        weights = {kind: chance.randint(0, 3) if seed % 2 else 0 for kind in sorted(set(kinds.values()))}
        if not any(weights.values()):
            weights[chance.choice(sorted(weights))] = 1
        return {move: weights[kind] for move, kind in kinds.items()}

    return play


class OracleGrade:
    """The grade of a player on a given side, computed board by board."""

    def __init__(self, solved: Solved, player: Player, side: str) -> None:
        self.solved, self.player, self.side = solved, player, side
        self.sign = 1 if side == "X" else -1
        self.answers: dict[str, dict[str, float]] = {}  # the probability of each next board, for every board
        opponents = ("random", "optimal", "best_response")
        self.against = {name: self._results(name, solved.game.start, {}) for name in opponents}
        # the probability of the most likely line of play that refutes the player
        self.refuted = self._refuted(solved.game.start, {})
        self.erring: set[str] = set()  # the boards on which the player makes a mistake, one per set of images
        self.costs = {name: self._cost(name) for name in ("random", "optimal")}

    def _branches(self, name: str, board: str) -> list[tuple[str, float]]:
        """Return each possible next board with its probability, if the opponent plays the named policy."""
        moves = self.solved.moves[board]
        if moves and self.solved.game.to_move(board) == self.side:
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
        outcome = self.solved.game.result(board)
        if outcome is not None:
            known[board] = {1: WIN, 0: DRAW, -1: LOSS}[outcome * self.sign]
        elif self.solved.game.to_move(board) != self.side and name == "best_response":
            replies = [self._results(name, child, known) for _, child in self.solved.moves[board]]
            known[board] = max(replies, key=lambda reply: (round(reply[2] - reply[0], 9), reply[2]))
        else:
            parts = [(share, self._results(name, child, known)) for child, share in self._branches(name, board)]
            win, draw, loss = (sum(share * part[i] for share, part in parts) for i in range(3))
            known[board] = (win, draw, loss)
        return known[board]

    def _refuted(self, board: str, known: dict[str, float]) -> float:
        if board not in known:
            outcome = self.solved.game.result(board)
            if outcome is not None:
                return float(outcome * self.sign == -1)
            own = self.solved.game.to_move(board) == self.side
            branches = self._branches("any", board)
            known[board] = max((share if own else 1.0) * self._refuted(child, known) for child, share in branches)
        return known[board]

    def _cost(self, name: str) -> float:
        """Return the cost of the player's mistakes against an opponent, computed board by board."""
        chance, cost = {self.solved.game.start: 1.0}, 0.0
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
        """The boards on which the player contradicts itself, with all images of a board counted once."""
        answers: dict[str, list[dict[str, float]]] = {}
        for board, made in self.answers.items():
            kinds: dict[str, float] = {}
            for child, share in made.items():
                kind = self.solved.kind[child]
                kinds[kind] = kinds.get(kind, 0.0) + share
            rounded = {kind: round(share, 9) for kind, share in kinds.items()}
            answers.setdefault(self.solved.kind[board], []).append(rounded)
        return {kind for kind, given in answers.items() if any(other != given[0] for other in given)}
