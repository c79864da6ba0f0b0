"""The words left when the time words are cut out."""

from collections.abc import Sequence

import regex

from ..models import Span

_SPACES = regex.compile(r"\s++")
_MARKS = r",;、，；"
_LOOSE_MARKS = regex.compile(rf"^[\s{_MARKS}:.\-：。!?！？]++|[\s{_MARKS}:：\-]++$")
_DOUBLE_MARKS = regex.compile(rf"\s*+([{_MARKS}])(?:\s*+[{_MARKS}])++")
_MARK_AFTER_SPACE = regex.compile(rf"\s++([{_MARKS}.!?。！？])")


def cut(text: str, spans: Sequence[Span]) -> str:
    """Return the text without the spans, tidied: single spaces, no marks left over at the seams."""
    kept: list[str] = []
    start = 0
    for span in sorted(spans):
        kept.append(text[start : span.start])
        start = max(start, span.end)
    kept.append(text[start:])
    joined = _SPACES.sub(" ", " ".join(kept) if _spaced(text) else "".join(kept))
    joined = _MARK_AFTER_SPACE.sub(r"\1", _DOUBLE_MARKS.sub(r"\1", joined))
    return _LOOSE_MARKS.sub("", joined).strip()


def _spaced(text: str) -> bool:
    return " " in text
