"""Where our pages are."""

ROOT = "/-/menace"
