"""Handle requests: routes and parameters, access and security headers, connections and worker threads.

Pages import this folder, but this folder does not import any page. Start with requests.py, which defines routes.
"""

ROOT = "/-/menace"
