"""Teach a class from one computer: pupils play on their phones, and the teacher's page shows all machines.

The modules in this folder may import the explorer's other folders, except pages/. Start with lesson.py, which manages
the pupils and their games. server.py handles requests from the teacher and from the pupils; the pupils cannot reach
anything else on the server.
"""
