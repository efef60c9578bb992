"""Programs that test releases: wheels, the lowest versions of libraries, Firefox and Pyodide."""
