"""Write the tables with which a site's scripts play a game and train its learners.

The scripts do not know the rules of the game; they use tables of boards, pieces and moves.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menace.analysis.bead_names import BeadNames
from menace.drawing.boards import cell_names
from menace.errors import InvalidGame, InvalidPlayer, InvalidSetting
from menace.exporting.board_html import move_drawing
from menace.games.base import Board, moves_are_cells
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import STANDARD, fixed_weights, opponents_for
from menace.text.wording import VERDICTS, counted

MAX_POSITIONS = 6_000
MAX_BOARDS = 20_000  # the tables of this many boards take a few megabytes
FIRST_PIECE = 48  # the character code of the digit 0, which stands for the first kind of piece


def check_size(positions: Positions) -> None:
    """Raise an error if a game is too large for a site.

    Raises:
        InvalidGame: If the game has more than MAX_POSITIONS positions.
    """
    if len(positions) > MAX_POSITIONS:
        raise InvalidGame(
            f"{positions.title} has {counted(len(positions), 'position')}, but a site can have at"
            f" most {MAX_POSITIONS:,}; run `menace serve`, or export a graph or table in a format such as .gexf or .csv"
        )


def game_tables(positions: Positions, every: bool = True) -> dict[str, Any]:
    """Return the tables of a game. If `every` is False, include only the tables for an exam.

    Raises:
        InvalidGame: If the game is too large for a site.

    >>> from menace.games.enumeration import tictactoe
    >>> tables = game_tables(tictactoe())
    >>> tables["title"], len(tables["boards"].split()), len(tables["graph"]["next"])
    ('tictactoe 3x3x3', 5478, 2096)
    """
    check_size(positions)
    game, opponents = positions.game, opponents_in(positions) if every else STANDARD
    return {
        "title": positions.title,
        "shape": game.shape,
        "draws": positions.has_draws,
        "verdicts": VERDICTS,
        "cells": cell_names(game),
        "of_cells": moves_are_cells(game, game.initial, game.actions(game.initial)),
        "graph": graph_tables(positions),
        "players": {name: fixed_weights(name, positions).tolist() for name in opponents},
        **board_tables(positions, every),
    }


def opponents_in(positions: Positions) -> list[str]:
    """Return the names of a game's fixed opponents whose policies do not change from game to game."""
    opponents = opponents_for(positions.title, len(positions))
    return [name for name, opponent in opponents.items() if not opponent.later]


def graph_tables(positions: Positions) -> dict[str, Any]:
    """Return the tables of positions and moves that the kernel uses; `minimax` is from X's point of view."""
    return {
        "first": positions.first_move.tolist(),
        "next": positions.next_position.tolist(),
        "multiplicity": positions.multiplicity.tolist(),
        "outcome": positions.outcome.tolist(),
        "to_move": positions.to_move.tolist(),
        "ply": positions.ply.tolist(),
        "minimax": positions.minimax.tolist(),
        "rest": positions.plies_to_end.tolist(),
        "longest": positions.longest,
    }


def board_tables(positions: Positions, every: bool = True) -> dict[str, Any]:
    """Return the tables of a game's boards: all reachable boards, and the canonical boards that name boxes.

    Args:
        positions: The positions of the game.
        every: Whether to include every board. Otherwise, only the canonical boards and the boards one move later are
            included, and the latter have no moves.

    Returns:
        A dict. `boards` contains the texts of the boards, and `start` is the number of the initial board. `home`
            contains the position of each board, and `canonical` the board of each position. `kinds` lists the kinds of
            pieces, and `pieces` contains a character for each cell of each board. `looks` lists the appearances of
            moves. `moves` contains three numbers for each move of each board: its look, its index among the moves of
            the position, and the difference between the numbers of the two boards. This difference compresses better
            than the number of the next board.

    Raises:
        InvalidGame: If there are more than MAX_BOARDS boards.
    """
    game, canonical = positions.game, set(positions.boards)
    numbers, homes = _boards(positions, lambda board: every or board in canonical)
    kinds: dict[str, int] = {}
    looks: dict[str, int] = {}  # each as JSON
    pieces, moves = [], []
    places_by_action = cache(lambda home: _places_by_action(positions, home))
    for board, home in zip(numbers, homes, strict=True):
        pieces += [chr(FIRST_PIECE + kinds.setdefault(piece, len(kinds))) for piece in game.pieces(board)]
        carry, stands = positions.symmetry_to_canonical(board), places_by_action(home)
        entries: list[int] = []
        for action in game.actions(board) if every or board in canonical else ():
            drawn = json.dumps({**move_drawing(game, board, action), "action": action})
            look = looks.setdefault(drawn, len(looks))
            entries += [look, stands[carry.action(action)], numbers[game.play(board, action)] - numbers[board]]
        moves.append(entries)
    return {
        "boards": " ".join(numbers),
        "start": numbers[game.initial],
        "home": homes,
        "canonical": [numbers[board] for board in positions.boards],
        "kinds": list(kinds),
        "pieces": "".join(pieces),
        "looks": list(map(json.loads, looks)),
        "moves": moves,
    }


def _boards(positions: Positions, has_moves: Callable[[Board], bool]) -> tuple[dict[Board, int], list[int]]:
    """Return each board's number (boards are ordered by ply, then by text), and a list of the boards' positions.

    The boards are the canonical ones, and all that result from a move on a board for which `has_moves` is true.
    """
    game = positions.game
    homes: dict[Board, int] = {}
    waiting = [*reversed(positions.boards), game.initial]
    while waiting:
        board = waiting.pop()
        if board in homes:
            continue
        if len(homes) == MAX_BOARDS:
            raise InvalidGame(
                f"{positions.title} has more than {MAX_BOARDS:,} boards, too many for a site; run `menace"
                " serve`, or export a graph or table in a format such as .gexf or .csv"
            )
        homes[board] = positions.number_of(board)
        if has_moves(board):
            waiting += [game.play(board, action) for action in game.actions(board)]
    boards = sorted(homes, key=lambda board: (positions.ply[homes[board]], board))
    return {board: number for number, board in enumerate(boards)}, [homes[board] for board in boards]


def _places_by_action(positions: Positions, position: int) -> dict[int, int]:
    """Return, for each action on a canonical board, the index of its move among the position's moves."""
    first = positions.moves_of(position).start
    return {action: move - first for action, move in positions.moves_by_action(positions.boards[position]).items()}


def site_learner_record(machine: Machine, names: BeadNames) -> dict[str, Any]:
    """Return a learner's table in the form that the scripts use.

    Args:
        machine: the learner.
        names: the names of its beads and moves.

    Raises:
        InvalidPlayer: If the learner's algorithm has no rule for sites.

    >>> from menace.text.bead_colours import OWN
    >>> machine = Machine("scroggs", "X")
    >>> table = site_learner_record(machine, BeadNames(machine.positions, OWN))
    >>> table["rule"]["kind"], table["weight"][:3], table["learns"]
    ('beads', [8, 8, 8], True)
    """
    positions = machine.positions
    rule, entries = _rule(machine), machine.entries_of(range(positions.move_count))
    learns = rule.pop("learns", False)
    numbers = names.numbers_of_cells if names.of_cells else ()
    table = {
        "name": machine.name,
        "plays": machine.plays,
        "side": machine.side,
        "unit": machine.algorithm.unit,
        "games": machine.learned.games,
        "learns": learns,
        "counted": not machine.algorithm.values_positions,
        "rule": rule,
        "weight": machine.amounts_of(entries),
        "picked": machine.counts_of(entries),
        "epsilon": machine.learned.epsilon or 0.0,
        "numbers": [] if list(numbers) == list(range(len(numbers))) else list(numbers),
        **_colours(machine, names),
    }
    return {**table, "print": fingerprint(positions, table)}


def fingerprint(positions: Positions, table: Mapping[str, Any]) -> str:
    """Return a hash of a learner's exact state.

    Data that a browser saved is used only if the hash is still the same.
    """
    identity = {key: table[key] for key in ("name", "plays", "rule", "weight", "picked", "epsilon")}
    content = json.dumps([positions.title, positions.symmetry, identity], sort_keys=True)
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:16]


def _rule(machine: Machine) -> dict[str, Any]:
    """Return the rule that static/players.js uses to play for a learner and to train it."""
    algorithm = machine.algorithm
    if algorithm.site_rule is None:
        raise InvalidPlayer(
            f"machine {machine.name} cannot be on a site, because the site's scripts do not support {algorithm.name};"
            " choose other machines with --learner"
        )
    rule = algorithm.site_rule(machine.settings, machine)
    return {**rule, "boxed": _bits(rule["boxed"])}


def _bits(flags: NDArray[np.bool_]) -> str:
    return "".join("1" if flag else "0" for flag in flags.tolist())


def _colours(machine: Machine, names: BeadNames) -> dict[str, Any]:
    """Return the colours of a learner's beads and moves, or an empty dict if there are no beads or too few colours."""
    positions = machine.positions
    colours: dict[tuple[str, str], int] = {}
    of_moves = [-1] * positions.move_count
    boxed = machine.boxed.nonzero()[0].tolist() if machine.has_beads else []
    try:
        for position in boxed:
            span = positions.moves_of(position)
            actions = [int(positions.action[move]) for move in span]
            beads = names.beads(positions.boards[position], actions)
            for move, action in zip(span, actions, strict=True):
                colour = beads[action].colour
                of_moves[move] = colours.setdefault((colour.name, colour.hex), len(colours))
    except InvalidSetting:
        return {"colours": [], "colour_of_move": []}
    return {"colours": list(colours), "colour_of_move": of_moves if colours else []}
