"""Programs that test releases: wheels, lowest versions of libraries, Firefox and Pyodide."""
