"""Requests and answers: routes and parameters, access and security headers, connections and workers.

Pages import this folder, and it imports no page. Start with routes.py, which declares what a route is, and continue
with requests.py.
"""
