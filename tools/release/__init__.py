"""Programs that try what is published: wheels, the lowest versions of libraries, Firefox and Pyodide."""
