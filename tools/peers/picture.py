"""The picture of what was measured: games a second, ours and others', as bars on a logarithmic axis."""

from __future__ import annotations

from statistics import median

from menace.figures.style import BLUE, GREY, drawn, new_figure, styled
from peers.page import Record, figures

SHOWN = {  # rows, and what they are called in the picture
    "Random playouts, noughts and crosses": "Random play",
    "MENACE learns, both sides": "Matchboxes with beads learn",
    "TD(0) learns, both sides": "TD(0) learns",
    "Q-learning, both sides, noughts and crosses": "Q-learning learns",
}
BATCHED = "Random playouts, noughts and crosses, many at a time"
WIDTH, LINE, EDGES = 12.0, 0.36, 1.2  # inches: of the picture, a bar, and what stands around them
ROOM = 4.0  # times the longest bar, for its number


def bars(measured: Record) -> list[tuple[str, float, bool]]:
    """Return name, games a second and whether it is ours of each bar; a title has 0 games."""
    rows = {row["title"]: row for row in measured["rows"]}
    lines: list[tuple[str, float, bool]] = []
    for title, words in SHOWN.items():
        if title not in rows:
            continue
        programs = list(rows[title]["programs"])
        if "playouts" in title and BATCHED in rows:
            programs += rows[BATCHED]["programs"][1:]
        lines.append((words, 0.0, False))
        shown = [program for program in programs if program["seconds"]]
        lines += [
            (p["name"].replace("`", ""), 1 / median(p["seconds"]), p["name"].startswith("menace"))
            for p in sorted(shown, key=lambda program: median(program["seconds"]))
        ]
    return lines


def picture(measured: Record) -> bytes:
    """Return the picture as SVG."""
    lines = bars(measured)
    with styled():
        figure, axes = new_figure(size=(WIDTH, LINE * len(lines) + EDGES))
        ax = axes[0, 0]
        places = range(len(lines))
        ax.barh(places, [rate for _, rate, _ in lines], color=[BLUE if ours else GREY for *_, ours in lines])
        ax.set_xscale("log")
        ax.set_xlim(left=10, right=ROOM * max(rate for _, rate, _ in lines))
        for place, (_, rate, _) in zip(places, lines, strict=True):
            if rate:
                ax.text(rate * 1.1, place, figures(rate), va="center", fontsize=11)
        ax.set_yticks(places, [name for name, *_ in lines])
        for label, (_, rate, _) in zip(ax.get_yticklabels(), lines, strict=True):
            label.set_fontweight("normal" if rate else "bold")
        ax.tick_params(axis="y", length=0)
        ax.grid(visible=False, axis="y")
        ax.invert_yaxis()
        ax.margins(y=0.01)
        ax.set_xlabel("games a second on one core")
        ax.set_title("menace (blue) and others (grey)")
        return drawn(figure, "svg")
