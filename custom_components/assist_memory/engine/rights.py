"""Who may do what: what is for everyone, what a person's own word is enough for, and getting to know somebody."""

from collections.abc import Callable
from dataclasses import replace

from .changes import OpenQuestion, QuestionKind, SpeakerMet
from .command_words import command_words
from .models import Command, CommandKind, Reading
from .outcome import Outcome, View, asked
from .text import fold_in

type Proposal = Callable[[Command, Reading, View], Outcome | None]

_FORGETTING = frozenset({CommandKind.FORGET_ABOUT, CommandKind.FORGET_ALL})
_CHANGING = frozenset({CommandKind.CANCEL, CommandKind.MOVE, CommandKind.SKIP})
_MOST_NAME = 40
"""Characters; more is no name."""


def nothing_personal(view: View) -> Outcome | None:
    """Refuse what is personal where only the person's own word says who speaks; None: it is no matter of that."""
    return None if view.claimed is None else Outcome(code="word_not_enough")


def within_rights(
    proposal: Proposal, command: Command, reading: Reading, view: View
) -> Outcome | None:
    """Return what a command comes to, as far as whoever speaks may ask for it (DESIGN section 5).

    Somebody who is known by a stated name alone changes only the reminders that they have set in this talk.
    """
    if view.claimed is None or command.kind not in _FORGETTING | _CHANGING:
        return proposal(command, reading, view)
    if command.kind in _FORGETTING:
        return nothing_personal(view)
    made = {id_ for ids in view.made.values() for id_ in ids}
    own = tuple(item for item in view.items if item.id in made)
    outcome = proposal(command, reading, replace(view, items=own))
    if outcome is not None and (outcome.changes or outcome.question):
        return outcome
    whole = proposal(command, reading, view)
    asks = whole is not None and (whole.changes or whole.question)
    return nothing_personal(view) if asks else whole


def for_all(command: Command, reading: Reading, view: View) -> tuple[bool, str]:
    """Tell whether a fact is for everyone of the household, and return it without the words that say so."""
    shared = command_words(view.pack).shared
    words = command.object
    if shared.search(fold_in(command.span.of(reading.text), view.pack)):
        return True, words
    match = shared.match(fold_in(words, view.pack))
    if match is None or match.end() == len(words):
        return False, words
    return True, words[match.end() :].lstrip(" ,:，：")


def introduce(command: Command, reading: Reading, view: View) -> Outcome | None:
    """Ask whether somebody wants to be known from now on ("I'm Carl, remember me")."""
    name = command.object.strip(" ,.!，。！")
    if not name or len(name) > _MOST_NAME:
        return None
    if view.owner is not None or fold_in(name, view.pack) in view.speakers:
        return Outcome(code="introduce_known", text=name)
    if not view.may_share:
        return Outcome(code="introduce_guest")
    question = asked(
        view, reading, QuestionKind.CONFIRM, CommandKind.INTRODUCE, text=name
    )
    return Outcome(code="confirm_introduce", question=question, text=name)


def introduced(question: OpenQuestion) -> Outcome:
    """Propose a new speaker, after the yes."""
    met = SpeakerMet(name=question.text)
    return Outcome(code="introduced", changes=(met,), text=question.text, dropped=True)
