"""Figures of the engine, printed by `scripts/bench`."""
