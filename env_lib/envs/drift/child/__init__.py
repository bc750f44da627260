"""What runs in the sandbox beside a script: trusted, loaded once by the helper that forks runs.

These files import the standard library alone, and one another by relative names, since the child
knows them as a package of another name. `runner.py` sends their sources.
"""
