"""The slots of a matched template: what fills them, by role."""

from collections.abc import Mapping, Sequence

type Values = Sequence[tuple[str, object]]
type Constants = Mapping[str, str]


def texts(values: Values, *roles: str) -> list[str]:
    """Return the texts that fill slots of these roles."""
    return [value for role, value in values if role in roles and isinstance(value, str)]


def numbers(values: Values, *roles: str) -> list[float]:
    """Return the numbers that fill slots of these roles."""
    return [
        value
        for role, value in values
        if role in roles and isinstance(value, int | float)
    ]


def atoms[T](values: Values, kind: type[T]) -> list[T]:
    """Return the atoms of a kind among the slots."""
    return [value for _, value in values if isinstance(value, kind)]
