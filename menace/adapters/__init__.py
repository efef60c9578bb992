"""Games and players in the interfaces of other libraries: PettingZoo, Gymnasium and OpenSpiel."""
