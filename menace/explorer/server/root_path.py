"""The root path of the explorer's pages."""

ROOT = "/-/menace"
