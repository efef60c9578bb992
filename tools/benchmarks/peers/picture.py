"""Draw the games per second of our programs and of other programs as bars on a logarithmic axis."""

from __future__ import annotations

from statistics import median

from benchmarks.peers.page import Record, format_significant
from menace.figures.panels import BLUE, GREY, menace_style, new_figure, render

SHOWN = {  # maps the titles of rows to the titles in the picture
    "Random playouts, noughts and crosses": "Random play",
    "MENACE learns, both sides": "Matchboxes with beads learn",
    "TD(0) learns, both sides": "TD(0) learns",
    "Q-learning, both sides, noughts and crosses": "Q-learning learns",
}
BATCHED = "Random playouts, noughts and crosses, many at a time"
WIDTH, LINE, EDGES = 12.0, 0.34, 1.1  # the picture's width, the height of a bar, and the margins, all in inches
SCALE = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)  # games per second
AXIS_MARGIN = 8.0  # the axis ends at this many times the largest value, to leave room for the number next to the bar


def bars(measured: Record) -> list[tuple[str, float, bool]]:
    """Return three values for each bar: the name, the games per second, and whether the program is ours.

    For a title, the number of games is 0.

    Each library has one bar, which shows its fastest program, and C also has one bar. Our compiled and uncompiled
    programs have separate bars.
    """
    rows = {row["title"]: row for row in measured["rows"]}
    lines: list[tuple[str, float, bool]] = []
    for title, words in SHOWN.items():
        if title not in rows:
            continue
        programs = list(rows[title]["programs"])
        if "playouts" in title and BATCHED in rows:
            programs += rows[BATCHED]["programs"][1:]
        lines.append((words, 0.0, False))
        seen = set()
        shown = [program for program in programs if program["seconds"]]
        for program in sorted(shown, key=lambda program: median(program["seconds"])):
            name, whose = program["name"].partition(" (")[0].replace("`", ""), program["name"].partition(",")[0]
            if whose == "menace" or whose not in seen:
                lines.append((name, 1 / median(program["seconds"]), whose == "menace"))
            seen.add(whose)
    return lines


def picture(measured: Record) -> bytes:
    """Draw the bars, and return the picture as SVG."""
    lines = bars(measured)
    with menace_style():
        figure, axes = new_figure(size=(WIDTH, LINE * len(lines) + EDGES))
        ax = axes[0, 0]
        places = range(len(lines))
        ax.barh(places, [rate for _, rate, _ in lines], color=[BLUE if ours else GREY for *_, ours in lines])
        ax.set_xscale("log")
        ax.set_xlim(left=SCALE[0], right=AXIS_MARGIN * max(rate for _, rate, _ in lines))
        ax.set_xticks(SCALE, [f"{rate:,}" for rate in SCALE])
        ax.minorticks_off()
        for place, (_, rate, _) in zip(places, lines, strict=True):
            if rate:
                ax.text(rate * 1.1, place, format_significant(rate), va="center", fontsize=11)
        ax.set_yticks(places, [name for name, *_ in lines])
        for label, (_, rate, _) in zip(ax.get_yticklabels(), lines, strict=True):
            label.set_fontweight("normal" if rate else "bold")
        ax.tick_params(axis="y", length=0)
        ax.grid(visible=False, axis="y")
        ax.invert_yaxis()
        ax.margins(y=0.01)
        ax.set_xlabel("games per second on one core; each line is ten times the previous one")
        ax.set_title("menace (blue) and others (grey)")
        return render(figure, "svg")
