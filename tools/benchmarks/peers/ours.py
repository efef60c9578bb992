"""menace: as it is called from Python, and its kernel's source, uncompiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.peers.measuring import Do
    from menace.games.positions import Positions

TIC_TAC_TOE = ("tictactoe", "3x3x3")


def positions_of(game: tuple[str, str]) -> Positions:
    """Return the positions of a game, by name and variant."""
    import menace

    return menace.enumerate_positions(menace.get_game(*game))


def playouts(game: tuple[str, str] = TIC_TAC_TOE) -> Do:
    """Return random playouts by `menace.play_games`."""
    import menace

    positions = positions_of(game)
    x, o = menace.policy_of("random", "X", positions), menace.policy_of("random", "O", positions)
    return lambda count: menace.play_games(x, o, games=count).games


def training(x: str, o: str, game: tuple[str, str] = TIC_TAC_TOE, **settings: float) -> Do:
    """Return training of two machines, by their presets, by `menace.play_games`; O may be `random`."""
    import menace

    positions = positions_of(game)
    machine = menace.Machine(x, "X", positions, **settings)
    other = o if o == "random" else menace.Machine(o, "O", positions, **settings)
    return lambda count: menace.play_games(machine, other, games=count).games


def uncompiled(x: str, o: str, game: tuple[str, str] = TIC_TAC_TOE) -> Do:
    """Return training of two machines, or playouts, by the kernel's source as Python runs it."""
    from benchmarks.kernel import Match, kernel_program, uncompiled_kernel

    program = kernel_program(uncompiled_kernel())(positions_of(game), Match(x, o, "", 0))

    def do(count: int) -> int:
        program.play(count)
        return count

    return do


def nash_conv(game: tuple[str, str] = TIC_TAC_TOE) -> Do:
    """Return the NashConv of uniform play, by positions that are in memory."""
    positions = positions_of(game)
    return lambda count: sum(bool(nash_conv_of(positions)) for _ in range(count))


def nash_conv_afresh(game: tuple[str, str] = TIC_TAC_TOE) -> Do:
    """Return the NashConv of uniform play, with the game enumerated and solved each time."""
    return lambda count: sum(bool(nash_conv_of(positions_of(game))) for _ in range(count))


def nash_conv_of(positions: Positions) -> float:
    """Return the NashConv of uniform play: what both sides lose to their best responses."""
    import menace

    policies = [menace.policy_of("random", side, positions) for side in ("X", "O")]
    worst = [menace.strength(policy).against_best_response for policy in policies]
    return sum(case.loss - case.win for case in worst)
