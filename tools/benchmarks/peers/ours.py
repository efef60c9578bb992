"""Programs that use menace itself: its Python functions, and the uncompiled kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.peers.measuring import Do
    from menace.games.positions import Positions

TIC_TAC_TOE = ("tictactoe", "3x3x3")


def positions_of(game: tuple[str, str]) -> Positions:
    """Return the positions of a game, given its name and variant."""
    import menace

    return menace.enumerate_positions(menace.get_game(*game))


def playouts(game: tuple[str, str] = TIC_TAC_TOE) -> Do:
    """Return a function that plays random games with `menace.play_games`."""
    import menace

    positions = positions_of(game)
    x, o = menace.policy_of("random", "X", positions), menace.policy_of("random", "O", positions)
    return lambda count: menace.play_games(x, o, games=count).games


def training(x: str, o: str, game: tuple[str, str] = TIC_TAC_TOE, **settings: float) -> Do:
    """Return a function that trains machines with two presets by calling `menace.play_games`.

    O may also be `random`.
    """
    import menace

    positions = positions_of(game)
    machine = menace.Machine(x, "X", positions, **settings)
    other = o if o == "random" else menace.Machine(o, "O", positions, **settings)
    return lambda count: menace.play_games(machine, other, games=count).games


def uncompiled(x: str, o: str, game: tuple[str, str] = TIC_TAC_TOE) -> Do:
    """Return a function that uses the uncompiled kernel to train two presets or to play random games."""
    from benchmarks.kernel import Match, kernel_factory, load_uncompiled_kernel

    program = kernel_factory(load_uncompiled_kernel())(positions_of(game), Match(x, o, "", 0))

    def do(count: int) -> int:
        program.play(count)
        return count

    return do


def nash_conv(game: tuple[str, str] = TIC_TAC_TOE) -> Do:
    """Return a function that computes the NashConv of uniform play, using positions that are already in memory."""
    positions = positions_of(game)
    return lambda count: sum(bool(uniform_nash_conv(positions)) for _ in range(count))


def nash_conv_with_enumeration(game: tuple[str, str] = TIC_TAC_TOE) -> Do:
    """Return a function that, on each call, enumerates the game and computes the NashConv of uniform play."""
    return lambda count: sum(bool(uniform_nash_conv(positions_of(game))) for _ in range(count))


def uniform_nash_conv(positions: Positions) -> float:
    """Return the NashConv of uniform play, which is the sum of what each side could gain by playing a best response."""
    import menace

    policies = [menace.policy_of("random", side, positions) for side in ("X", "O")]
    responses = [menace.strength(policy).against_best_response for policy in policies]
    return sum(case.loss - case.win for case in responses)
