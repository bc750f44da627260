"""Names the packages; everything else about the distribution is in pyproject.toml.

`data/` is installed as the package `env_lib_data`, so that a wheel holds the bundled facts.
pyproject.toml can either search for packages or list them, not search and add one.
"""

from setuptools import find_namespace_packages, setup

LIBRARY = find_namespace_packages(include=["env_lib", "env_lib.*"], exclude=["*.__pycache__"])

setup(packages=[*LIBRARY, "env_lib_data"])
