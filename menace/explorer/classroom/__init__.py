"""Teach a class on one computer: pupils play on their phones, and the teacher's page shows all machines.

This folder imports the explorer's other folders except pages/. Start with lesson.py, which contains the pupils and
their games. server.py answers the pupils, who reach nothing else, and the teacher.
"""
