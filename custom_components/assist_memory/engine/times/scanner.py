"""From text to typed time atoms: words get their roles, then each stage of the grammar joins tokens to larger ones."""

from collections.abc import Sequence
from typing import NamedTuple

from ..numbers import number_run
from .atoms import Atom
from .build import build
from .grammar import END, OTHER, START, Stage, Template
from .pieces import MOST_DIGITS, Piece, number_roles, pieces_of, short_roles
from .words import Lexeme, Roles, TimeWords, group_of


class Token(NamedTuple):
    """A stretch of the text, what it may be, and the letter of that."""

    start: int
    end: int
    roles: Roles
    letter: str
    atom: Atom | None = None
    family: str = ""


_NOTHING: Roles = {}


def scan(folded: str, words: TimeWords) -> list[Token]:
    """Return the sentence as tokens; those with an atom are time expressions."""
    tokens = tokens_of(folded, words)
    if not any(token.roles for token in tokens):
        return []
    for stage in words.stages:
        tokens = _reduced(tokens, stage, words)
    return tokens


def tokens_of(folded: str, words: TimeWords) -> list[Token]:
    """Return the words of a sentence with their roles, between two marks for its ends."""
    pieces = pieces_of(folded)
    said = [piece.text for piece in pieces]
    tokens = [Token(0, 0, _NOTHING, START)]
    index = 0
    while index < len(pieces):
        used, token = _token_at(pieces, said, index, words)
        tokens.append(token)
        index += used
    tokens.append(Token(len(folded), len(folded), _NOTHING, END))
    return tokens


def _token_at(
    pieces: Sequence[Piece], said: Sequence[str], index: int, words: TimeWords
) -> tuple[int, Token]:
    """Return how many pieces the token here takes, and the token: the longer of phrase and number, or both in one."""
    piece = pieces[index]
    if piece.kind not in {"word", "sign"}:
        return _written(pieces, index, words)
    lexeme = _longest(said, index, words)
    run = number_run(said, index, words.numbers) if piece.kind == "word" else None
    length = len(lexeme.words) if lexeme else 0
    if run is None or run.words < length:
        if lexeme is None:
            return 1, Token(piece.start, piece.end, _NOTHING, OTHER)
        return length, Token(
            piece.start, pieces[index + length - 1].end, lexeme.roles, lexeme.letter
        )
    roles: Roles = dict.fromkeys(
        number_roles(run.value, ordinal=run.ordinal), run.value
    )
    if lexeme and length == run.words:
        roles = {**lexeme.roles, **roles}
    return run.words, _token(
        piece.start, pieces[index + run.words - 1].end, roles, words
    )


def _longest(said: Sequence[str], index: int, words: TimeWords) -> Lexeme | None:
    for lexeme in words.lexicon.get(said[index], ()):
        length = len(lexeme.words)
        if length == 1 or tuple(said[index : index + length]) == lexeme.words:
            return lexeme
    return None


def _token(start: int, end: int, roles: Roles, words: TimeWords) -> Token:
    return Token(start, end, roles, words.letters.known(frozenset(roles)))


def _written(
    pieces: Sequence[Piece], index: int, words: TimeWords
) -> tuple[int, Token]:
    """Return the token of digits; glued to a name before them they are part of it ("B12")."""
    piece = pieces[index]
    if _is_glued(pieces, index, words):
        return 1, Token(piece.start, piece.end, _NOTHING, OTHER)
    if (
        piece.kind == "number"
        and piece.text.isdecimal()
        and (suffix := _suffix(pieces, index, words))
    ):
        value = int(piece.text[:MOST_DIGITS])
        roles: Roles = dict.fromkeys(number_roles(value, ordinal=True), value)
        return 2, _token(piece.start, suffix.end, roles, words)
    return 1, _token(piece.start, piece.end, _written_roles(piece), words)


def _is_glued(pieces: Sequence[Piece], index: int, words: TimeWords) -> bool:
    """Tell whether letters that are no time word stand right before the digits."""
    before = pieces[index - 1] if index else None
    if before is None or before.end != pieces[index].start or before.kind != "word":
        return False
    return before.text not in words.lexicon and (
        len(before.text) > 1 or before.text.isascii()
    )


def _suffix(pieces: Sequence[Piece], index: int, words: TimeWords) -> Piece | None:
    after = pieces[index + 1] if index + 1 < len(pieces) else None
    fits = (
        after is not None
        and after.start == pieces[index].end
        and after.text in words.numbers.suffixes
    )
    return after if fits else None


def _written_roles(piece: Piece) -> Roles:
    text = piece.text.replace("：", ":")
    match piece.kind:
        case "date":
            return {"date_digits": text}
        case "clock":
            hour, minute, second = ([int(part) for part in text.split(":")] + [0])[:3]
            valid = hour <= 24 and minute <= 59 and second <= 59
            return {
                "clock_digits" if valid else "bad_clock": (
                    hour,
                    minute,
                    second,
                    text[0] == "0",
                )
            }
        case "odd":
            return {"bad_clock": text}
        case "spelled":
            hour, minute = (int(part) for part in text.split("h"))
            return {
                "spelled_clock" if hour <= 24 and minute <= 59 else "bad_clock": (
                    hour,
                    minute,
                    0,
                )
            }
    return (
        short_roles(text)
        if piece.kind == "short"
        else _number_roles(text.replace(",", ""))
    )


def _number_roles(text: str) -> Roles:
    if len(text) > MOST_DIGITS:
        return _NOTHING
    value: int | float = int(text) if text.isdecimal() else float(text)
    return dict.fromkeys(number_roles(value, text if text.isdecimal() else ""), value)


def _reduced(tokens: list[Token], stage: Stage, words: TimeWords) -> list[Token]:
    """Replace what the templates of a stage match, from left to right, by one token each."""
    text = "".join(token.letter for token in tokens)
    by_letter = stage.by_letter
    if by_letter.keys().isdisjoint(text):
        return tokens
    result: list[Token] = []
    index = 0
    while index < len(tokens):
        templates = by_letter.get(text[index])
        made = _made(tokens, text, index, templates, words) if templates else None
        if made is None:
            result.append(tokens[index])
            index += 1
        else:
            end, token = made
            result.append(token)
            index = end
    return result


def _made(
    tokens: Sequence[Token],
    text: str,
    index: int,
    templates: Sequence[Template],
    words: TimeWords,
) -> tuple[int, Token] | None:
    """Return the end and the token of the longest template that matches here and makes sense."""
    matches = [
        (match, template)
        for template in templates
        if (match := template.pattern.match(text, index))
    ]
    matches.sort(key=lambda pair: -pair[0].end())
    for match, template in matches:
        slots = [
            (role, tokens[match.start(group)])
            for group, names in enumerate(template.slots, 1)
            if match.start(group) >= 0
            for role in [
                next(name for name in names if name in tokens[match.start(group)].roles)
            ]
        ]
        values = [(role, token.roles[role]) for role, token in slots]
        if (
            atom := build(template.family, values, dict(template.constants))
        ) is not None:
            role = group_of(template.family)
            letter = words.letters.known(frozenset({role}))
            start, end = tokens[index].start, tokens[match.end() - 1].end
            return match.end(), Token(
                start, end, {role: atom}, letter, atom, template.family
            )
    return None
