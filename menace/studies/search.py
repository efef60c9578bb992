"""Search for the settings with the best score within given ranges.

Each round creates new settings from the best ones so far, and trains machines for all new settings with the same few
seeds. The better settings are then trained with more seeds, in two steps (successive halving). Finally, the best
settings are measured with fresh seeds, because settings that are chosen for their score owe part of this score to luck.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.analysis.groups import estimate, mean
from menace.arena.play import whole_number
from menace.errors import InvalidSetting, RevisionMismatch
from menace.files.tables import Table
from menace.learners.registry import LEARNERS
from menace.learners.settings import show
from menace.ledger.store.connection import path_of
from menace.ledger.store.study_file import StudyFile
from menace.studies.design import Design, Setting, read_toml
from menace.studies.runner import Chunk, default_workers, score_machines, worker_processes
from menace.text.wording import OPPONENTS, RESULTS

KEPT, SHARES = (64, 16, 4), (16, 4, 1)  # 64 new settings are tried with 1/16 of the seeds, 16 with 1/4, and 4 with all
RANDOM = 1 / 16  # the share of new settings that are drawn at random, not derived from the best ones
CROSSED, CHANGED = 0.3, 2  # share of values taken from the second parent; average number of changed values
FINEST = 6  # the smallest changes are at most 1/2**FINEST of a range, or 1 for integers

Point: TypeAlias = tuple[float, ...]  # one value for each range, or () for the preset's own settings


class Search:
    """A search for settings, described by a mapping such as one read from TOML.

    Args:
        path: the study's file, which stores the scores, so that a repeated search does not train the same machines
            again.
        table: a design with no grid, but with `minimise` or `maximise` set to a measure, `ranges` and, optionally,
            `rounds` and `fresh_seeds` (docs/studies.md).

    >>> search = Search(
    ...     "few.study", {"minimise": "training.losses", "ranges": {"win": [0, 9]}, "games": 9, "rounds": 1}
    ... )
    >>> [row[0] for row in search.run(workers=1).rows][-1]  # the preset's own
    '3'
    """

    def __init__(self, path: str | os.PathLike[str], table: Mapping[str, Any]) -> None:
        own = {"rounds": 40, "fresh_seeds": 1000, "ranges": {}, "minimise": None, "maximise": None}
        design = self.design = Design.from_mapping({name: value for name, value in table.items() if name not in own})
        self.rounds, fresh, ranges, *aims = (table.get(name, default) for name, default in own.items())
        measure, self.sign = str(aims[0] or aims[1]), -1 if aims[1] else 1
        whom, _, what = measure.partition(".")
        if all(aims) or whom not in ("training", *OPPONENTS) or what not in (*RESULTS, "value"):
            raise InvalidSetting("a search needs either minimise or maximise, as in minimise = 'training.losses'")
        if design.grid or len(design.policies) > 1 or not all((whole_number(n) or 0) > 0 for n in (self.rounds, fresh)):
            raise InvalidSetting(
                "a search must have exactly one policy, no grid, at least one round and at least one fresh seed"
            )
        self.path, self.measure = str(path_of(path)), f"{measure}, {design.policies[0]}"
        self.fresh = range(design.all_seeds.stop, design.all_seeds.stop + fresh)
        self._cells_of = cache(self._make_cells)
        self._scores: dict[str, dict[int, float]] = {}  # keyed by the definition of a setting, then by seed
        preset: dict[str, Any] = self._cells_of(())[0].definition["settings"]
        self.ranges: dict[str, list[Any]] = dict(ranges) if isinstance(ranges, Mapping) else {}
        lists = [ranged if isinstance(ranged, list) and ranged else [0] for ranged in self.ranges.values()]
        self._parts: list[Any] = [
            part for parts in lists for part in (parts if isinstance(parts[0], list) else [parts])
        ]
        if not {*self.ranges} <= {*preset} or not self._parts or not all(map(_is_range, self._parts)):
            raise InvalidSetting(
                "write ranges as in [ranges] with win = [0, 10] and beads = [[1, 20], [1, 10]];"
                f" {design.preset} has the settings {', '.join(preset)}"
            )
        self._whole = np.array([isinstance(part[0], int) for part in self._parts])
        self.own = {name: tuple(v) if isinstance(v := preset[name], list) else v for name in self.ranges}
        start = [number for value in self.own.values() for number in (value if isinstance(value, tuple) else [value])]
        if len(start) != len(self._parts) or any(type(number) not in (int, float) for number in start):
            raise InvalidSetting(f"give a range for each number in the preset's settings, which are {self.own}")
        self._start = tuple(np.clip(start, *np.transpose(self._parts)).tolist())

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str]) -> Self:
        """Return the search that a TOML file describes.

        The study's file has the same name, with the extension `.study`.
        """
        return cls(path_of(path).with_suffix(".study"), read_toml(path))

    def run(
        self, executor: Executor | None = None, *, workers: int | None = None, progress: Callable[[int], object] = bool
    ) -> Table:
        """Run the search, and return the mean scores of the best settings and of the preset's own settings.

        The first columns are the settings. `searched` is the score for the seeds of the search, and `fresh` is the
        score for fresh seeds. `difference` is the difference from the preset's own settings, paired by seed. The
        columns `fresh` and `difference` are each followed by a 95% interval. Takes the same arguments as `Study.run`,
        except that `progress` is called with 1 after each round.
        """
        count, seeds, best, tried = workers or default_workers(), self.design.all_seeds, list[Point](), {self._start}
        processes = worker_processes(count) if executor is None and count > 1 else nullcontext(executor)
        chance = np.random.default_rng(self.design.first_seed)
        with suppress(InvalidSetting):
            self._cells_of(self._start)
            best.append(self._start)
        with processes as running, StudyFile.open_or_create(self.path) as file:
            if any(row.revision != LEARNERS[row.algorithm].revision for row in file.settings()):
                raise RevisionMismatch(f"{self.path} was made by another revision of menace; start a new search")
            self._scores = file.scores(self.design.games, self.measure)
            for _ in range(self.rounds):
                points = self._new_points(chance, best, tried)
                for kept, share in zip(KEPT, SHARES, strict=True):
                    used = seeds[: max(1, len(seeds) // share)]
                    points = [*points[:kept], *(best if share == 1 else [])]
                    self._train(points, used, file, running)
                    score = {point: self.sign * float(self._of(point, used).mean()) for point in points}
                    points.sort(key=lambda point: (score[point], sum(map(abs, point)), point))
                distinct = {score[point]: point for point in reversed(points)}
                best = [distinct[value] for value in sorted(distinct)[: KEPT[-1]]]
                progress(1)
            if not best:
                raise InvalidSetting("no settings in these ranges are valid")
            self._train([*best, ()], range(seeds.start, self.fresh.stop), file, running)
            found = {**self.design.settings, **self.settings_of(best[0])}
            file.write_design(replace(self.design, settings=found).to_json())
        rows, preset = [], self._of((), self.fresh)
        for point in [*best, ()]:
            settings = self.settings_of(point) if point else self.own
            fresh = self._of(point, self.fresh)
            intervals = [number for values in (fresh, fresh - preset) for number in estimate(values, mean)[:3]]
            rows.append((*map(show, settings.values()), float(self._of(point, seeds).mean()), *intervals))
        columns = "searched", "fresh", "low", "high", "difference", "lowest", "highest"
        return Table((*self.ranges, *columns), rows)

    def settings_of(self, point: Point) -> dict[str, Any]:
        """Return the settings that have ranges, with their values at a point."""
        numbers = iter([int(n) if whole else n for n, whole in zip(point, self._whole, strict=True)])
        sizes = {name: len(ranged) if isinstance(ranged[0], list) else 0 for name, ranged in self.ranges.items()}
        return {name: tuple(islice(numbers, size)) if size else next(numbers) for name, size in sizes.items()}

    def _make_cells(self, point: Point) -> list[Setting]:
        """Return the settings of a point, one for each opponent. Raises InvalidSetting if the settings are invalid."""
        changed = {**self.design.settings, **(self.settings_of(point) if point else {})}
        return list(replace(self.design, settings=changed).all_settings())

    def _new_points(self, chance: np.random.Generator, best: Sequence[Point], tried: set[Point]) -> list[Point]:
        """Return new valid points, which are either random or modified copies of the best points."""
        (low, high), points = np.array(self._parts, float).T, list[Point]()
        for _ in range(20 * KEPT[0]):
            at, copied = chance.uniform(low, high + self._whole), len(best) > 1 and chance.random() >= RANDOM
            if copied:
                parents, steps = chance.integers(len(best), size=2), chance.uniform(-1, 1, len(low))
                finest, chances = chance.integers(1, FINEST + 1), chance.random((2, len(low)))
            if len(points) == KEPT[0]:
                continue  # keep drawing, so that later rounds do not depend on how quickly the points were found
            if copied:
                one, other = np.array([best[parent] for parent in parents])
                step = steps * (high - low) / 2.0**finest
                step = np.where(self._whole, np.copysign(np.ceil(np.abs(step)), step), step)
                at = np.where(chances[1] < CROSSED, other, one) + np.where(chances[0] < CHANGED / len(low), step, 0)
            at = np.where(self._whole, np.floor(at), [float(f"{number:.3g}") for number in at])
            point = tuple(np.clip(at, low, high).tolist())
            if point not in tried:
                tried.add(point)
                with suppress(InvalidSetting):
                    self._cells_of(point)
                    points.append(point)
        return points

    def _train(self, points: Sequence[Point], seeds: range, file: StudyFile, executor: Executor | None) -> None:
        """Train the machines of points that have no scores yet, and store their scores."""
        design, tasks = self.design, []
        for cell in (cell for point in points for cell in self._cells_of(point)):
            known = self._scores.get(cell.text, {})
            missing = tuple(seed for seed in seeds if seed not in known)
            chunk = Chunk(0, cell.text, cell.weights, design.games, (design.games,), tuple(design.policies), missing)
            task = partial(score_machines, chunk, self.measure.partition(",")[0])
            if missing:
                tasks.append((cell, missing, executor.submit(task).result if executor else task))
        scored = [(cell, dict(zip(missing, result(), strict=True))) for cell, missing, result in tasks]
        for cell, scores in scored:
            self._scores.setdefault(cell.text, {}).update(scores)
        file.add_settings([(cell.text, cell.algorithm, cell.revision) for cell, _ in scored])
        file.add_scores(design.games, self.measure, [(cell.text, scores) for cell, scores in scored])

    def _of(self, point: Point, seeds: range) -> NDArray[np.float64]:
        """Return the scores of a point by seed, averaged over the opponents."""
        scores = [self._scores[cell.text] for cell in self._cells_of(point)]
        return np.asarray(np.mean([[known[seed] for seed in seeds] for known in scores], axis=0))


def _is_range(part: Any) -> bool:
    return isinstance(part, list) and [*map(type, part)] in ([int, int], [float, float]) and bool(part[0] < part[1])
