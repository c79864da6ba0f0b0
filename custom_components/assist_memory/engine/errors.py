"""Errors of the engine; each has a short code that a caller may translate."""


class EngineError(Exception):
    """Base of all errors of the engine."""

    code = "engine_error"


class LanguagePackError(EngineError):
    """A file of a language pack is missing, unreadable or says something it may not."""

    code = "language_pack"


class SettingsError(EngineError):
    """A setting is out of range (A20)."""

    code = "settings"


class StateFormatError(EngineError):
    """Saved data is not in a format that this version reads."""

    code = "state_format"
