"""Define the design of a study: a grid of settings, opponents and seeds."""

from __future__ import annotations

import itertools
import json
import os
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from menace.arena.play import check_games, check_seed, whole_number
from menace.arena.run_schedule import Marks, parse_phases
from menace.errors import InvalidPlayer, InvalidSetting, MenaceError, OutputError
from menace.games import get_game
from menace.games.base import Side, SideText
from menace.games.symmetry import SymmetryUse
from menace.learners.algorithm import Algorithm
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_weights
from menace.learners.opponents.functions import tabulate
from menace.learners.player_to_policy import policy_of
from menace.learners.policy import PolicyName, check_policy_name
from menace.learners.settings import to_json
from menace.studies.runner import create_players, positions_of
from menace.text.wording import counted

MAX_GAMES = 10**9  # maximum number of games that each machine plays
MAX_SEEDS = 10**7
MAX_SETTINGS = 100_000

GRID_NAMES = ("plays", "preset", "symmetry", "phases")  # names of factors, other than settings, that a grid may vary
KINDS: Mapping[str, tuple[Any, str]] = {
    **dict.fromkeys(("game", "symmetry", "plays", "preset", "marks"), (str, "text")),
    "variant": (str | None, "text, such as 4x4x3"),
    "settings": (Mapping, "a table of settings, such as [settings] with win = 1"),
    "against": (Sequence, "a list of opponents"),
    "grid": (Mapping, "a table of lists, such as [grid] with win = [1, 3]"),
    "phases": (str, "text, such as 500:1:1,500:0.1:0.1"),
    "policies": (Sequence, "a list of policies"),
}


@dataclass(frozen=True)
class Setting:
    """A cell of the grid. The machines of a cell differ only in their seeds.

    Attributes:
        definition: the game, side, preset, settings and opponent, as values that JSON can represent.
        factors: the grid values and the opponent, which distinguish this cell from others in the design.
        algorithm: the algorithm of the machines.
        revision: the revision of that algorithm.
        weights: the weights of an unnamed opponent, int32 [moves], as bytes; empty for other opponents.
    """

    definition: dict[str, Any]
    factors: dict[str, Any]
    algorithm: str
    revision: int
    weights: bytes = b""

    @property
    def text(self) -> str:
        """The definition as JSON. Equal settings always give the same text."""
        return json.dumps(self.definition, sort_keys=True, ensure_ascii=False)

    @property
    def label(self) -> str:
        """The factors on one line, such as `win=3, against perfect`."""
        own = {name: value for name, value in self.factors.items() if name != "against"}
        return ", ".join(
            [*(f"{name}={value_text(value)}" for name, value in own.items()), f"against {self.factors['against']}"]
        )


@dataclass(frozen=True)
class Design:
    """The design of a study, which combines all values of the grid with every opponent and every seed.

    Attributes:
        game: the name of the game.
        variant: the variant of the game; None selects the default.
        symmetry: whether positions are merged by symmetry.
        plays: the side of the machines.
        preset: the preset that provides their settings.
        settings: values that replace the preset's settings.
        against: the opponents, each given as the name of a fixed opponent, as a preset that also learns, such as
            `{"preset": "zhang", "alpha": 0.2}`, or as a policy `{"policy": hash, "name": name}`.
        grid: for each varied setting, its list of values. `plays`, `preset`, `symmetry` and `phases` can also vary.
        games: the number of games that each machine learns from.
        first_seed: the first seed.
        seeds: the number of seeds, which are consecutive.
        marks: the numbers of games after which machines are measured, in the form of arena/run_schedule.py.
        policies: the policies to measure for each machine.
        phases: the exploration phases in the form of arena/run_schedule.py; empty for none.

    >>> design = Design(grid={"win": [1, 3], "draw": [0, 1]}, against=["perfect", "random"])
    >>> [setting.label for setting in design.all_settings()][:3]
    ['win=1, draw=0, against perfect', 'win=1, draw=0, against random', 'win=1, draw=1, against perfect']
    """

    game: str = "tictactoe"
    variant: str | None = None
    symmetry: SymmetryUse = "full"
    plays: SideText = "X"
    preset: str = "menace"
    settings: Mapping[str, Any] = field(default_factory=dict)
    against: Sequence[Any] = ("random",)
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    games: int = 220
    first_seed: int = 1
    seeds: int = 100
    marks: str = "1-2-5"
    policies: Sequence[PolicyName] = ("behaviour",)
    phases: str = ""

    def __post_init__(self) -> None:
        for name, (kind, words) in KINDS.items():
            if not isinstance(getattr(self, name), kind):
                raise InvalidSetting(f"{name}={getattr(self, name)!r} is not {words}")
        check_games(self.games, MAX_GAMES)
        if whole_number(self.seeds) is None or not 1 <= self.seeds <= MAX_SEEDS:
            raise InvalidSetting(f"seeds={self.seeds!r} is not an integer from 1 to {MAX_SEEDS:,}")
        check_seed(check_seed(self.first_seed) + self.seeds - 1)
        for policy in self.policies:
            check_policy_name(policy)
        defined = [_opponent_definition(against) for against in self.against]
        _check_values("against", [entry if isinstance(entry, str) else entry["name"] for entry in defined])
        _check_values("policies", self.policies)
        for name, values in self.grid.items():
            _check_values(f"grid {name}", values)
            if name in GRID_NAMES and not all(isinstance(value, str) for value in values):
                raise InvalidSetting(f"grid {name}={values!r} is not a list of strings")
        for name in {"plays", "symmetry"} & set(self.grid):
            if any("policy" in entry for entry in defined if not isinstance(entry, str)):
                raise InvalidSetting(f"a grid that varies {name} accepts only named opponents and presets")
        if self.size > MAX_SETTINGS:
            raise InvalidSetting(f"the grid has {counted(self.size, 'setting')}; at most {MAX_SETTINGS:,} are allowed")
        object.__setattr__(self, "variant", get_game(self.game, self.variant).variant)
        _ = self.all_marks

    @property
    def size(self) -> int:
        """The number of cells in the grid. Each cell has one opponent."""
        cells = 1
        for values in self.grid.values():
            cells *= len(values)
        return cells * len(self.against)

    @property
    def machine_count(self) -> int:
        """The number of machines in the study."""
        return self.size * self.seeds

    @property
    def all_marks(self) -> tuple[int, ...]:
        """The numbers of games after which each machine is measured, from 0 to the end."""
        return tuple(Marks.parse(self.marks).list_up_to(self.games))

    def check_mark(self, games: int) -> int:
        """Return the number of games, after checking that machines are measured after that many games.

        Raises:
            InvalidSetting: if `games` is not a mark.
        """
        if games not in self.all_marks:
            raise InvalidSetting(
                f"{counted(games, 'game')} is not a mark; the marks are {', '.join(map(str, self.all_marks))}"
            )
        return games

    @property
    def all_seeds(self) -> range:
        """The seeds of each setting."""
        return range(self.first_seed, self.first_seed + self.seeds)

    @property
    def about(self) -> str:
        """The settings that all machines share, such as `menace, X; win=3; against perfect`."""
        varied = {*self.grid}
        game = "" if (self.game, self.variant) == ("tictactoe", "3x3x3") else f"{self.game} {self.variant}"
        settings = [f"{name}={value_text(value)}" for name, value in self.settings.items() if name not in varied]
        own = [value for name, value in (("preset", self.preset), ("plays", str(self.plays))) if name not in varied]
        labels = [entry if isinstance(entry, str) else _opponent_definition(entry)["name"] for entry in self.against]
        teacher = f"against {labels[0]}" if len(labels) == 1 else ""
        return "; ".join(filter(None, [", ".join(own), game, *settings, self.phases, teacher]))

    @property
    def title(self) -> str:
        """The size of the study, such as `6 settings x 2 opponents x 1,000 seeds = 12,000 machines, 2.6 M games`."""
        cells = self.size // len(self.against)
        total = self.machine_count * self.games
        games = f"{total / 1e6:,.1f} M games" if total >= 10**6 else counted(total, "game")
        factors = (
            f"{counted(cells, 'setting')} x {counted(len(self.against), 'opponent')} x {counted(self.seeds, 'seed')}"
        )
        return f"{factors} = {counted(self.machine_count, 'machine')}, {games}"

    def to_json(self) -> str:
        """Return the design as a JSON object that keeps the order of the grid."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any]) -> Design:
        """Return the design that a mapping describes, such as one read from TOML or JSON.

        Raises:
            InvalidSetting: if the mapping contains an unknown name or an invalid value.
        """
        names = set(cls.__dataclass_fields__)
        unknown = [name for name in table if name not in names]
        if unknown:
            raise InvalidSetting(
                f"a study design has no {unknown[0]!r}, only {', '.join(cls.__dataclass_fields__)}; "
                "put the preset's settings into [settings] or [grid]"
            )
        values = dict(table)
        if isinstance(values.get("marks"), list):
            values["marks"] = ",".join(map(str, values["marks"]))
        for name in ("against", "policies"):
            if isinstance(values.get(name), str | Mapping):
                values[name] = [values[name]]
        return cls(**values)

    @classmethod
    def from_toml(cls, path: str | Path) -> Design:
        """Read a design from a TOML file.

        Raises:
            OutputError: if the file cannot be read, or is not TOML.
            InvalidSetting: if the design is invalid.
        """
        table = read_toml(path)
        if table and not table.keys() & cls.__dataclass_fields__.keys():
            raise InvalidSetting(
                f"{path} is not a study design: it contains {', '.join(map(repr, itertools.islice(table, 3)))}"
                f"; a design contains {', '.join(cls.__dataclass_fields__)}"
            )
        return cls.from_mapping(table)

    def all_settings(self, weights: Mapping[str, bytes] | None = None) -> Iterator[Setting]:
        """Yield every cell of the grid, after checking it.

        Args:
            weights: the weights of unnamed opponents, by hash.

        Raises:
            MenaceError: if a cell is invalid. The message identifies the cell.
        """
        for values in itertools.product(*self.grid.values()):
            chosen = dict(zip(self.grid, values, strict=True))
            for against in self.against:
                yield self._setting(chosen, against, weights or {})

    def _setting(self, chosen: dict[str, Any], against: Any, weights: Mapping[str, bytes]) -> Setting:
        definition = {
            "game": self.game,
            "variant": self.variant,
            "symmetry": self.symmetry,
            "plays": str(self.plays),
            "preset": self.preset,
            "settings": {**self.settings, **{name: value for name, value in chosen.items() if name not in GRID_NAMES}},
            "against": _opponent_definition(against),
            "phases": self.phases,
            **{name: value for name, value in chosen.items() if name in GRID_NAMES},
        }
        label = against if isinstance(against, str) else definition["against"]["name"]
        hidden = b"" if isinstance(against, str) else weights.get(against.get("policy", ""), b"")
        setting = Setting(definition, {**chosen, "against": label}, "", 0, hidden)
        try:
            algorithm = complete_definition(definition, hidden, self.games)
        except MenaceError as error:
            raise type(error)(f"{setting.label}: {error}") from error
        factors = {name: definition["settings"].get(name, value) for name, value in setting.factors.items()}
        return replace(setting, factors=factors, algorithm=algorithm.name, revision=algorithm.revision)


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the contents of a TOML file. Raises OutputError if the file cannot be read, or is not TOML."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise OutputError(f"{path} cannot be read ({error.strerror}); choose a TOML file with a study design") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise OutputError(f"{path} cannot be read as TOML: {error}; choose a file with a study design") from None


def complete_definition(definition: dict[str, Any], weights: bytes, games: int) -> Algorithm:
    """Add every setting and the numeric phases to a definition, so that later changes to presets do not affect it.

    Args:
        definition: the definition of a cell, which is changed in place.
        weights: the weights of an unnamed opponent.
        games: the number of games that the machines learn from.

    Returns:
        The algorithm of the machines.

    Raises:
        MenaceError: if the definition does not describe valid machines.
    """
    machine, opponent = create_players(definition, weights, 0)
    definition["settings"] = _all_settings(machine)
    if isinstance(opponent, str):
        fixed_weights(opponent, machine.positions)
    elif isinstance(opponent, Machine):
        definition["against"]["settings"] = _all_settings(opponent)
    if phases := definition.pop("phases"):
        parts = parse_phases(phases, games)
        definition["phases"] = ",".join(f"{phase.games}:{float(phase.x)}:{float(phase.o)}" for phase in parts)
    return machine.algorithm


def _all_settings(machine: Machine) -> dict[str, Any]:
    """Return all settings of a machine as JSON values, with 1 written as 1.0 for settings that allow fractions."""
    defaults = {field.name: field.default for field in fields(machine.settings)}
    values = json.loads(to_json(machine.settings)).items()
    return {name: float(value) if isinstance(defaults[name], float) else value for name, value in values}


def _check_values(name: str, values: Any) -> None:
    if isinstance(values, str) or not isinstance(values, Sequence) or not values:
        raise InvalidSetting(f"{name}={values!r} is not a list of values; write at least one, as in [1, 2]")
    twice = [text for text, count in Counter(map(value_text, values)).items() if count > 1]
    if twice:
        raise InvalidSetting(f"{name} contains {twice[0]} twice; values and names must be unique")


def _opponent_definition(against: Any) -> Any:
    """Describe an opponent in a definition: by its name, by its preset, settings and name, or by its hash and name."""
    if isinstance(against, str):
        return against
    if not isinstance(against, Mapping) or (not {"policy", "name"} <= against.keys() and "preset" not in against):
        raise InvalidPlayer(
            f"{against!r} is not an opponent for a study; use a fixed opponent's name, or a preset with settings, as in"
            ' {preset = "zhang", alpha = 0.2}'
        )
    if "policy" in against:
        return dict(against)
    settings = {name: value for name, value in against.items() if name != "preset"}
    shown = ", ".join(f"{name}={value_text(value)}" for name, value in settings.items())
    return {
        "preset": against["preset"],
        "settings": settings,
        "name": f"{against['preset']}" + (f" ({shown})" if shown else ""),
    }


def convert_opponent(
    player: Any, plays: Side, game: str, variant: str | None, symmetry: SymmetryUse
) -> tuple[Any, bytes]:
    """Return an opponent in the form used by `Design.against`, together with the opponent's weights if it is unnamed.

    Args:
        player: a fixed opponent's name, a preset with settings, or any player that never learns.
        plays: the side of the opponent.
        game: the name of the game.
        variant: the variant of the game; None selects the default.
        symmetry: whether positions are merged by symmetry.

    Raises:
        InvalidPlayer: if the player is a machine, or cannot play this game or side.
    """
    if isinstance(player, str) or (isinstance(player, Mapping) and "preset" in player):
        return (player if isinstance(player, str) else dict(player)), b""
    if isinstance(player, Machine):
        raise InvalidPlayer(
            f"{player!r} cannot be an opponent in a study, because its opponents start anew for each seed; give its"
            " preset and settings, as in against=[{'preset': 'menace', 'win': 1}], or its policy, machine.policy()"
        )
    policy = policy_of(player, plays, positions_of(game, variant, symmetry))
    table = tabulate(policy)
    return {"policy": table.hash, "name": policy.name}, table.weights.astype("<i4").tobytes()


def value_text(value: object) -> str:
    """Return a grid value as text; if the value is a list, separate its numbers with spaces."""
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
