"""The design of a study: a grid of settings, opponents and seeds; and the settings that follow from it."""

from __future__ import annotations

import itertools
import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from menace.arena.marks_and_phases import Marks, parse_phases
from menace.arena.play import check_games, check_seed, whole_number
from menace.errors import InvalidPlayer, InvalidSetting, MenaceError, OutputError
from menace.games import get_game
from menace.games.base import Side, SideText
from menace.games.symmetry import SymmetryUse
from menace.learners.algorithm import Algorithm
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_weights
from menace.learners.opponents.functions import tabulate
from menace.learners.player import policy_of
from menace.learners.policy import PolicyName, check_policy_name
from menace.learners.settings import to_json
from menace.studies.runner import machines_of, positions_of
from menace.text.wording import counted

GAMES_MOST = 10**9  # of a machine
SEEDS_MOST = 10**7
SETTINGS_MOST = 100_000

ALWAYS = ("plays", "preset", "symmetry", "phases")  # what a grid may vary besides settings
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
    """A cell of the grid: machines that differ by their seed alone.

    Attributes:
        definition: game, side, preset, settings and opponent; JSON can say it.
        factors: what tells it from the other settings of its design: values of the grid, and the opponent.
        algorithm: that the machines learn by.
        revision: of that algorithm.
        weights: int32 [moves], of an opponent without a name, as bytes; else empty.
    """

    definition: dict[str, Any]
    factors: dict[str, Any]
    algorithm: str
    revision: int
    weights: bytes = b""

    @property
    def text(self) -> str:
        """The definition as JSON, always the same text for the same setting."""
        return json.dumps(self.definition, sort_keys=True, ensure_ascii=False)

    @property
    def label(self) -> str:
        """Its factors in a line, such as `win=3, against perfect`."""
        own = {name: value for name, value in self.factors.items() if name != "against"}
        return ", ".join(
            [*(f"{name}={show(value)}" for name, value in own.items()), f"against {self.factors['against']}"]
        )


@dataclass(frozen=True)
class Design:
    """What a study asks: every combination of the grid's values, with every opponent and every seed.

    Attributes:
        game, variant, symmetry: which positions are played on.
        plays: the machines' side.
        preset: where their settings come from.
        settings: that replace some of the preset's.
        against: opponents: names of fixed ones; presets as `{"preset": "zhang", "alpha": 0.2}`, which learn, too; or
            policies that have no name, as `{"policy": hash, "name": name}`.
        grid: values by the name of a setting, or of `plays`, `preset`, `symmetry`, `phases`.
        games: that each machine learns from.
        first_seed, seeds: `seeds` of them, from the first on.
        marks: the numbers of games after which they are measured (arena/marks_and_phases.py).
        policies: which of their policies are measured.
        phases: of exploration (arena/marks_and_phases.py); empty for none.

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
        check_games(self.games, GAMES_MOST)
        if whole_number(self.seeds) is None or not 1 <= self.seeds <= SEEDS_MOST:
            raise InvalidSetting(f"seeds={self.seeds!r} is not an integer from 1 to {SEEDS_MOST:,}")
        check_seed(check_seed(self.first_seed) + self.seeds - 1)
        for policy in self.policies:
            check_policy_name(policy)
        defined = [_defined(against) for against in self.against]
        _check_values("against", [entry if isinstance(entry, str) else entry["name"] for entry in defined])
        _check_values("policies", self.policies)
        for name, values in self.grid.items():
            _check_values(f"grid {name}", values)
            if name in ALWAYS and not all(isinstance(value, str) for value in values):
                raise InvalidSetting(f"grid {name}={values!r} is not a list of texts")
        for name in {"plays", "symmetry"} & set(self.grid):
            if any("policy" in entry for entry in defined if not isinstance(entry, str)):
                raise InvalidSetting(f"a grid that varies {name} takes opponents that have a name, or a preset, alone")
        if self.size > SETTINGS_MOST:
            raise InvalidSetting(f"the grid has {counted(self.size, 'setting')}; take {SETTINGS_MOST:,} at most")
        object.__setattr__(self, "variant", get_game(self.game, self.variant).variant)
        _ = self.all_marks

    @property
    def size(self) -> int:
        """How many settings it has, each with one opponent."""
        cells = 1
        for values in self.grid.values():
            cells *= len(values)
        return cells * len(self.against)

    @property
    def machines(self) -> int:
        """How many machines are played."""
        return self.size * self.seeds

    @property
    def all_marks(self) -> tuple[int, ...]:
        """The numbers of games after which each machine is measured, from 0 to the end."""
        return tuple(Marks.parse(self.marks).upto(self.games))

    def check_mark(self, games: int) -> int:
        """Return a number of games after which machines are measured.

        Raises:
            InvalidSetting: if it is another one.
        """
        if games not in self.all_marks:
            raise InvalidSetting(
                f"{counted(games, 'game')} are no mark; measured after {', '.join(map(str, self.all_marks))}"
            )
        return games

    @property
    def all_seeds(self) -> range:
        """The seeds of each setting."""
        return range(self.first_seed, self.first_seed + self.seeds)

    @property
    def about(self) -> str:
        """Say what all its machines have in common, such as `menace, X; win=3; against perfect`."""
        varied = {*self.grid}
        game = "" if (self.game, self.variant) == ("tictactoe", "3x3x3") else f"{self.game} {self.variant}"
        settings = [f"{name}={show(value)}" for name, value in self.settings.items() if name not in varied]
        own = [value for name, value in (("preset", self.preset), ("plays", str(self.plays))) if name not in varied]
        labels = [entry if isinstance(entry, str) else _defined(entry)["name"] for entry in self.against]
        teacher = f"against {labels[0]}" if len(labels) == 1 else ""
        return "; ".join(filter(None, [", ".join(own), game, *settings, self.phases, teacher]))

    @property
    def title(self) -> str:
        """Say how much it is: `6 settings x 2 opponents x 1,000 seeds = 12,000 machines, 2.6 M games`."""
        cells = self.size // len(self.against)
        total = self.machines * self.games
        games = f"{total / 1e6:,.1f} M games" if total >= 10**6 else counted(total, "game")
        factors = (
            f"{counted(cells, 'setting')} x {counted(len(self.against), 'opponent')} x {counted(self.seeds, 'seed')}"
        )
        return f"{factors} = {counted(self.machines, 'machine')}, {games}"

    def to_json(self) -> str:
        """Return it as a JSON object. The order of the grid stays."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any]) -> Design:
        """Return the design of a table, as TOML and JSON have it.

        Raises:
            InvalidSetting: if it has a name that a design has not.
        """
        names = set(cls.__dataclass_fields__)
        unknown = [name for name in table if name not in names]
        if unknown:
            raise InvalidSetting(
                f"a study has no {unknown[0]!r}; it has {', '.join(cls.__dataclass_fields__)}, and settings of the"
                " preset stand in [settings] or [grid]"
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
            OutputError: if there is no such file, or it is not TOML.
            InvalidSetting: as the design itself.
        """
        try:
            table = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise OutputError(f"{path} cannot be read ({error.strerror}); name a design of a study, in TOML") from None
        except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
            raise OutputError(f"{path} cannot be read as TOML: {error}; name a design of a study") from None
        if table and not table.keys() & cls.__dataclass_fields__.keys():
            raise InvalidSetting(
                f"{path} is TOML of something else: it has {', '.join(map(repr, itertools.islice(table, 3)))}, and a"
                f" design of a study {', '.join(cls.__dataclass_fields__)}"
            )
        return cls.from_mapping(table)

    def all_settings(self, weights: Mapping[str, bytes] | None = None) -> Iterator[Setting]:
        """Yield every setting, each checked.

        Args:
            weights: of opponents that have no name, by their hash.

        Raises:
            MenaceError: naming the setting that cannot be.
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
            "settings": {**self.settings, **{name: value for name, value in chosen.items() if name not in ALWAYS}},
            "against": _defined(against),
            "phases": self.phases,
            **{name: value for name, value in chosen.items() if name in ALWAYS},
        }
        label = against if isinstance(against, str) else definition["against"]["name"]
        hidden = b"" if isinstance(against, str) else weights.get(against.get("policy", ""), b"")
        setting = Setting(definition, {**chosen, "against": label}, "", 0, hidden)
        try:
            algorithm = complete(definition, hidden, self.games)
        except MenaceError as error:
            raise type(error)(f"{setting.label}: {error}") from error
        factors = {name: definition["settings"].get(name, value) for name, value in setting.factors.items()}
        return replace(setting, factors=factors, algorithm=algorithm.name, revision=algorithm.revision)


def complete(definition: dict[str, Any], weights: bytes, games: int) -> Algorithm:
    """Write every setting of its machines into a definition, and the phases by number: presets and games may change.

    Args:
        definition: of a setting.
        weights: of an opponent that has no name.
        games: that its machines learn from.

    Returns:
        The algorithm of its machines.

    Raises:
        MenaceError: if there cannot be such machines.
    """
    machine, opponent = machines_of(definition, weights, 0)
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
    """Return every setting of a machine as JSON has it; 1 is written as 1.0 where fractions are allowed."""
    defaults = {field.name: field.default for field in fields(machine.settings)}
    values = json.loads(to_json(machine.settings)).items()
    return {name: float(value) if isinstance(defaults[name], float) else value for name, value in values}


def _check_values(name: str, values: Any) -> None:
    if isinstance(values, str) or not isinstance(values, Sequence) or not values:
        raise InvalidSetting(f"{name}={values!r} is not a list of values; give at least one, as in [1, 2]")
    twice = [text for text, count in Counter(map(show, values)).items() if count > 1]
    if twice:
        raise InvalidSetting(f"{name} has {twice[0]} twice; each of them needs a value, or a name, of its own")


def _defined(against: Any) -> Any:
    """Return an opponent as a definition has it: its name, or its preset, settings and name, or its hash and name."""
    if isinstance(against, str):
        return against
    if not isinstance(against, Mapping) or (not {"policy", "name"} <= against.keys() and "preset" not in against):
        raise InvalidPlayer(
            f"{against!r} is no opponent of a study; name a fixed one, or a preset with settings, as in"
            ' {preset = "zhang", alpha = 0.2}'
        )
    if "policy" in against:
        return dict(against)
    settings = {name: value for name, value in against.items() if name != "preset"}
    shown = ", ".join(f"{name}={show(value)}" for name, value in settings.items())
    return {
        "preset": against["preset"],
        "settings": settings,
        "name": f"{against['preset']}" + (f" ({shown})" if shown else ""),
    }


def as_opponent(player: Any, plays: Side, game: str, variant: str | None, symmetry: SymmetryUse) -> tuple[Any, bytes]:
    """Return an opponent as a design has it, with the weights of one that has no name.

    Args:
        player: a fixed opponent's name, a preset with settings, or any player that never learns.
        plays: its side.
        game: as `Design` has it.
        variant: likewise.
        symmetry: likewise.

    Raises:
        InvalidPlayer: if it is a machine, or cannot play.
    """
    if isinstance(player, str) or (isinstance(player, Mapping) and "preset" in player):
        return (player if isinstance(player, str) else dict(player)), b""
    if isinstance(player, Machine):
        raise InvalidPlayer(
            f"{player!r} cannot be an opponent of a study, whose opponents begin anew with each seed; name its preset"
            " and settings, as in against=[{'preset': 'menace', 'win': 1}], or take its policy: machine.policy()"
        )
    policy = policy_of(player, plays, positions_of(game, variant, symmetry))
    table = tabulate(policy)
    return {"policy": table.hash, "name": policy.name}, table.weights.astype("<i4").tobytes()


def show(value: object) -> str:
    """Return a value of a grid as people read it: numbers with spaces for a list, else as JSON without quotes."""
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
