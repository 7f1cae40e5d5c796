"""Where the data that ships is found."""

from __future__ import annotations

from cbai.places import shipped

DATA = shipped("data")
