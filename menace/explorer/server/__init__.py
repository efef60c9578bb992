"""Requests and answers: routes and parameters, access and security headers, connections and workers.

It imports no page; pages import it. Start with routes.py, which declares what a route is, and continue with
requests.py.
"""
