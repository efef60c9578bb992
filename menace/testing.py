"""Functions for the tests of other projects that define games.

from menace.testing import check_game

def test_chomp():
    check_game(Chomp("3x4"))
"""

from menace.games.contract import Checked, check_game, laws_of

__all__ = ["Checked", "check_game", "laws_of"]
