"""Commands for a machine of real matchboxes: physical, recount."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

import click

from menace.cli.options import ask, database_option, examples, naming_options, recorded

if TYPE_CHECKING:
    from menace.colours import Scheme
    from menace.naming import BeadNames
    from menace.physical import Opening
    from menace.play import Finished, Ply, Sitting
    from menace.recount import Comparison

MACHINE_HELP = "type the bead's colour, or the number of its cell on the box; undo or quit"
PERSON_HELP = "type the opponent's cell (its number on the board, or row,column); undo or quit"
SHOWN = 60  # differences that are listed


@click.command(epilog=examples("menace physical menace-x", "menace physical adam --colours michie --numbering michie"))
@click.argument("name")
@naming_options
@database_option
def physical(name: str, colours: Scheme, numbering: Scheme, db: str) -> None:
    """Lead an operator through a game with the real boxes of the learner NAME, and keep its database in step.

    It says which box to open, asks which bead rolled out, shows the move on the actual board, and at the end which
    beads to add or to take away. A game that is broken off changes nothing.
    """
    from menace.colours import Naming
    from menace.database import open_database
    from menace.naming import BeadNames
    from menace.play import sit_down_at_boxes

    with open_database(db) as store:
        sitting = sit_down_at_boxes(store, name)
        names = BeadNames(sitting.game, sitting.symmetry, Naming(colours, numbering))
        names.describe(0)  # refuses a board with too many cells before the game begins
        click.echo(f"{name} plays {'XO'[sitting.side]}, the opponent {sitting.person}")
        finished = recorded(sitting) if _lead(sitting, names) else None
        if finished is None:
            click.echo("nothing was recorded; put every bead back into the box it came from")
            return
        click.echo(_instructions(sitting, names, finished))


def _lead(sitting: Sitting, names: BeadNames) -> bool:
    """Lead the operator through a game; return whether it was finished."""
    while sitting.outcome is None:
        click.echo(f"\n{names.draw(sitting.board)}\n")
        if not (_opponents_turn(sitting, names) if sitting.persons_turn else _machines_turn(sitting, names)):
            return False
    click.echo(f"\n{names.draw(sitting.board)}\n")
    return True


def _opponents_turn(sitting: Sitting, names: BeadNames) -> bool:
    """Ask for the opponent's cell; return False if the operator quits."""
    from menace.errors import IllegalMove

    while True:
        answer = ask(f"the opponent's move ({sitting.person})")
        try:
            if answer in {"quit", "q"}:
                return False
            if answer == "undo":
                _take_back(sitting, names)
            elif answer in {"", "?"}:
                click.echo(PERSON_HELP)
                continue
            else:
                sitting.person_moves(names.cell(answer))
        except IllegalMove as error:
            click.echo(str(error))
            continue
        return True


def _machines_turn(sitting: Sitting, names: BeadNames) -> bool:
    """Open the box and ask for the bead, or move without one; return False if the operator quits."""
    from menace.errors import IllegalMove, InvalidBeads
    from menace.physical import box_to_open

    opening = box_to_open(sitting)
    if opening is None:
        _move_without_bead(sitting, names)
        return True
    click.echo(_opening_text(opening, names))
    while True:
        answer = ask("which bead rolled out")
        try:
            if answer in {"quit", "q"}:
                return False
            if answer == "undo":
                _take_back(sitting, names)
                return True
            if answer in {"", "?"}:
                click.echo(MACHINE_HELP)
                continue
            cell, colour = (answer, "") if answer.isdecimal() else ("", answer)
            ply = sitting.bead_drawn(names.action(opening.box.board, cell, colour))
        except (IllegalMove, InvalidBeads) as error:
            click.echo(f"{error} (if the real box does hold one: quit, and `menace recount`)")
            continue
        click.echo(f"{sitting.opponent} plays cell {names.number(ply.action)}{_same_cells(names, ply)}")
        return True


def _same_cells(names: BeadNames, ply: Ply) -> str:
    """Say which other cells would have been the same move."""
    moves = ply.saw.moves if ply.saw is not None else ()
    same = next((move.cells for move in moves if ply.action in move.cells), ())
    others = [names.number(cell) for cell in same if cell != ply.action]
    return f" (or {' or '.join(others)}, which is the same)" if others else ""


def _move_without_bead(sitting: Sitting, names: BeadNames) -> None:
    name, empty = sitting.opponent, sitting.arena.table.cells[sitting.position]
    ply = sitting.machine_moves()
    if ply is None:
        click.echo(f"{name}'s box for this board is empty: it gives the game up")
        return
    cell = names.number(ply.action)
    if empty == 1:
        click.echo(f"{name} plays cell {cell}, the only one that is left; it needs no box for it")
    elif not ply.learned:
        click.echo(f"{name}'s box for this board is empty: it takes any cell, {cell}")
    else:
        click.echo(f"{name} has no box for this board: it takes any cell, {cell}")


def _opening_text(opening: Opening, names: BeadNames) -> str:
    """Say which box to open, how it looks, and what should be in it."""
    box = opening.box
    drawing = [f"     {line}" for line in names.draw(box.board).splitlines()]
    piles = ", ".join(f"{pile.beads:,} {names.describe(pile.action)}" for pile in box.piles)
    lines = [f"open box {box.number} (stage {box.stage}); it shows", *drawing]
    if opening.turning is not None:
        lines.append(f"     (the board after a {opening.turning})")
    if opening.restocked:
        lines.append(f"it is empty: put its first beads back, {piles}; then shake it, and draw")
    else:
        lines.append(f"it holds {piles}")
    return "\n".join(lines)


def _take_back(sitting: Sitting, names: BeadNames) -> None:
    """Take back what the operator entered last, with what the machine did by itself since."""
    ply = sitting.take_back()
    while ply.by_machine and ply.numbers and sitting.plies:
        ply = sitting.take_back()
    who = sitting.opponent if ply.by_machine else "the opponent"
    beads = "; put its bead back, and first beads that were put into an empty box out again" if ply.by_machine else ""
    click.echo(f"{who}'s move {names.number(ply.action)} is taken back{beads}")


def _instructions(sitting: Sitting, names: BeadNames, finished: Finished) -> str:
    """Say how the game ended, and box by box what to add or to take away."""
    from menace.physical import bead_changes

    winner = sitting.opponent if finished.outcome not in {sitting.person, "draw"} else "the opponent"
    title = "a draw" if finished.outcome == "draw" else f"{winner} has won"
    lines = [f"{title}; recorded as game {finished.game_id}"]
    changes = bead_changes(sitting, finished)
    if changes:
        lines.append("put each bead back into the box that it rolled out of, and then:")
    else:
        lines.append("put each bead back into the box that it rolled out of; nothing else changes")
    for change in changes:
        verb = "add" if change.beads > 0 else "take away"
        which = f"box {change.box.number} ({change.box.board})"
        lines.append(f"  {which}: {verb} {abs(change.beads)} {names.describe(change.action)}")
    if finished.taught_meanwhile:
        lines.append(
            f"others have taught {sitting.opponent} meanwhile: its real boxes and the database differ"
            " (`menace contents` and `menace recount`)"
        )
    return "\n".join(lines)


@click.command(epilog=examples("menace recount menace-x count.csv", "menace contents menace-x --csv > count.csv"))
@click.argument("name")
@click.argument("file", type=click.File("rb"))
@click.option("--yes", is_flag=True, help="Record the differences without asking.")
@naming_options
@database_option
def recount(name: str, file: BinaryIO, yes: bool, colours: Scheme, numbering: Scheme, db: str) -> None:
    """Compare FILE, a count of real beads as CSV, with the boxes of the learner NAME, and record what differs.

    Its columns: board or box, cell or colour, and beads; `menace contents NAME --csv` prints such a table to fill in. A
    line whose beads are empty was not counted. What is recorded is a step of the log, which `menace verify` replays.
    """
    from menace.colours import Naming
    from menace.database import game_of, open_database, symmetry_of
    from menace.naming import BeadNames
    from menace.recount import compare_count, record_count

    text = file.read().decode("utf-8-sig")
    with open_database(db) as store:
        names = BeadNames(game_of(store), symmetry_of(store), Naming(colours, numbering))
        comparison = compare_count(store, name, text, names)
        click.echo(_comparison_text(name, comparison, names))
        if not comparison.different:
            return
        if not yes and not click.confirm(f"make the database's boxes of {name} so", default=False):
            click.echo("nothing was recorded")
            return
        block_id = record_count(store, name, comparison.different)
    click.echo(f"recorded as block {block_id}")


def _comparison_text(name: str, comparison: Comparison, names: BeadNames) -> str:
    from menace.cli.text import table

    if not comparison.counted:
        return "nothing was counted: every line has its beads empty"
    different = comparison.different
    if not different:
        return f"{comparison.counted:,} piles counted, all as the database has them"
    rows = [
        (d.box.number, d.box.board, names.describe(d.action), d.beads, d.counted, f"{d.counted - d.beads:+d}")
        for d in different[:SHOWN]
    ]
    more = f"\n... and {len(different) - SHOWN:,} more" if len(different) > SHOWN else ""
    title = f"{comparison.counted:,} piles counted, {len(different):,} of them not as {name} has them in the database"
    return f"{title}\n\n{table(['box', 'board', 'bead', 'beads', 'counted', ''], rows)}{more}"


COMMANDS = [physical, recount]
