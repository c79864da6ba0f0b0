"""Frozen values as plain JSON data and back, by their annotations; a moment keeps the name of its zone (A11)."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from .errors import StateFormatError


def to_plain(value: Any) -> Any:  # noqa: PLR0911 - one line for each kind of value
    """Return a value as what JSON can hold."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: to_plain(getattr(value, field.name)) for field in fields(value)
        }
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        zone = getattr(value.tzinfo, "key", None)
        return value.isoformat() + (f"[{zone}]" if zone else "")
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(to_plain(item) for item in value)
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    return value


def from_plain[Value](wanted: type[Value], data: Any) -> Value:
    """Return the value that plain data stands for; unknown fields are ignored. Raises StateFormatError."""
    try:
        result: Value = _read(wanted, data)
    except (
        TypeError,
        ValueError,
        KeyError,
        AttributeError,
        ZoneInfoNotFoundError,
    ) as error:
        raise StateFormatError(
            f"no {wanted.__name__}: {type(error).__name__}"
        ) from error
    return result


def _read(wanted: Any, data: Any) -> Any:  # noqa: PLR0911 - one line for each kind of value
    origin = get_origin(wanted)
    if origin in {Union, UnionType}:
        return _read_optional(wanted, data)
    if origin in {tuple, frozenset}:
        return origin(_read(get_args(wanted)[0], item) for item in _listed(data))
    if origin is not None and issubclass(origin, Mapping):
        return {key: _read(get_args(wanted)[1], item) for key, item in data.items()}
    if isinstance(wanted, type) and is_dataclass(wanted):
        hints = _hints(wanted)
        return wanted(
            **{
                name: _read(hint, data[name])
                for name, hint in hints.items()
                if name in data
            }
        )
    if wanted is datetime:
        return _moment(data)
    if wanted is timedelta:
        return timedelta(seconds=data)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return wanted(data)
    return _checked(wanted, data)


def _read_optional(wanted: Any, data: Any) -> Any:
    if data is None and NoneType in get_args(wanted):
        return None
    return _read(next(part for part in get_args(wanted) if part is not NoneType), data)


def _listed(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise TypeError
    return data


def _checked(wanted: Any, data: Any) -> Any:
    if wanted is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if not isinstance(data, wanted) or (wanted is int and isinstance(data, bool)):
        raise TypeError
    return data


def _moment(text: str) -> datetime:
    written, _, zone = text.partition("[")
    moment = datetime.fromisoformat(written)
    if moment.tzinfo is None:
        raise ValueError
    return moment.astimezone(ZoneInfo(zone.removesuffix("]"))) if zone else moment


@cache
def _hints(wanted: type) -> dict[str, Any]:
    return get_type_hints(wanted)
