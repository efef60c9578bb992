# The one list of what `import menace` offers: __init__.py reads it when one of these names is first used.
from menace.analysis.matchups import Matchup as Matchup
from menace.analysis.matchups import compare as compare
from menace.analysis.matchups import evaluate as evaluate
from menace.analysis.exam import Exam as Exam
from menace.analysis.grades import Grade as Grade
from menace.analysis.grades import grade as grade
from menace.analysis.grades import mistakes as mistakes
from menace.analysis.grades import strength as strength
from menace.arena.exact_strength import Outcomes as Outcomes
from menace.arena.exact_strength import Strength as Strength
from menace.arena.exact_strength import best_response as best_response
from menace.arena.play import Played as Played
from menace.arena.play import play_games as play_games
from menace.errors import MenaceError as MenaceError
from menace.games import get_game as get_game
from menace.games.enumeration import enumerate_positions as enumerate_positions
from menace.games.networkx_graph import build_graph as build_graph
from menace.games.positions import Positions as Positions
from menace.labels.kit import LabelSheet as LabelSheet
from menace.learners.box import Box as Box
from menace.learners.box import Move as Move
from menace.learners.machine import Machine as Machine
from menace.learners.player_to_policy import policy_of as policy_of
from menace.learners.policy import Policy as Policy
from menace.learners.registry import PRESETS as PRESETS
from menace.notebook.database_api import Database as Database
from menace.notebook.learner import Learner as Learner
from menace.notebook.learner import StrengthCurve as StrengthCurve
from menace.people.session import Session as Session
from menace.studies.study import Study as Study

__version__: str
