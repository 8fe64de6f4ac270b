"""The version, for whoever needs no more than that: the tag of the release, as the package was built."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("buildsearch")
except PackageNotFoundError:
    __version__ = "unknown"  # a folder of sources in the path, not installed
