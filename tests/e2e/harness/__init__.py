"""Boots a real Home Assistant on loopback and talks to it as people do: for the demo and the end-to-end tests."""
