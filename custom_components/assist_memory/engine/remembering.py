"""Facts and what was said: remember, recall, correct, forget. What a person says is data, never an instruction."""

from collections.abc import Iterator

from .changes import FactReplaced, FactStated, ForgetScope, Forgotten, QuestionKind
from .command_words import command_words
from .fact_words import fact_words
from .facts import (
    corrected,
    indexed,
    keywords,
    make_fact,
    one_line,
    recall,
    repeated,
    replaced_by,
    said_back,
    scattered,
    traces,
)
from .kept import Fact, PendingItem
from .models import Command, CommandKind, Reading
from .outcome import Outcome, View, asked
from .picking import by_words, covered
from .rights import for_all, nothing_personal
from .text import fold_in
from .times import cut

MOST_TOLD = 5
"""So many facts are told at once."""


def remember(command: Command, reading: Reading, view: View) -> Outcome | None:
    """Propose to keep a fact; nothing is kept for somebody who is not known."""
    shared, words = for_all(command, reading, view)
    said = _meant(words, view)
    if view.owner is None and not (shared and view.may_share):
        return nothing_personal(view) or Outcome(code="remember_nobody")
    if not said:
        return Outcome(code="remember_what")
    fact = make_fact(said, view.now, view.pack, id_=view.new_id(), source=view.turn)
    if not fact.text:
        return Outcome(code="remember_what")
    known = view.shared if shared else view.facts
    if old := repeated(fact, known):
        return Outcome(code="remember_same", facts=(old,))
    return _kept(fact, replaced_by(fact, known), shared=shared)


def _meant(words: str, view: View) -> str:
    """Return what is to be kept; "remember that" means what was said before."""
    folded = fold_in(words, view.pack).strip(" .!?。！？")
    return (
        view.statement
        if not folded or folded in fact_words(view.pack).last_said
        else words
    )


def _kept(fact: Fact, old: Fact | None, *, shared: bool = False) -> Outcome:
    if old is None:
        stated = FactStated(fact=fact, shared=shared)
        return Outcome(code="remembered", changes=(stated,), facts=(fact,))
    replaced = FactReplaced(fact=fact, before=old, shared=shared)
    return Outcome(code="replaced", changes=(replaced,), facts=(fact, old))


def correct(reading: Reading, view: View) -> Outcome | None:
    """Propose a new fact in the place of the one that a statement takes back ("actually …", "… now")."""
    words = command_words(view.pack)
    folded = fold_in(reading.text, view.pack)
    if view.owner is None or not view.facts or not words.corrections.search(folded):
        return None
    lead = words.corrections.match(folded)
    plain = reading.text[lead.end() :].lstrip(" ,.，。:：") if lead else reading.text
    old = corrected(plain, view.facts, view.pack)
    if old is None or not plain:
        return None
    fact = make_fact(plain, view.now, view.pack, id_=view.new_id(), source=view.turn)
    return None if fact.text == old.text else _kept(fact, old)


def recall_asked(command: Command, _reading: Reading, view: View) -> Outcome | None:
    """Tell what is remembered of something, honestly also that it is nothing."""
    folded = fold_in(command.object, view.pack).strip(" .!?。！？")
    if not folded or folded in fact_words(view.pack).about_me:
        return nothing_personal(view) or _everything(view)
    if facts := _recalled(command.object, view, asked=True):
        return Outcome(code="recall", facts=facts)
    return nothing_personal(view) or _no_fact(command.object, folded, view)


def _everything(view: View) -> Outcome:
    facts = (*reversed(view.facts), *reversed(view.shared))
    code = "recall_all" if facts else "recall_empty"
    return Outcome(code=code, facts=facts, count=len(facts))


def _no_fact(words: str, folded: str, view: View) -> Outcome | None:
    """Tell what was said of something that no fact is about, or that it was nothing."""
    if said := _said_of(words, view):
        return Outcome(code="recall_said", text=said)
    if fact_words(view.pack).topics.search(folded):
        # "What did we talk about?" is answered by the model, from its brief.
        return None
    return Outcome(code="recall_none", text=said_back(words.strip(" ?？"), view.pack))


def _recalled(words: str, view: View, *, asked: bool = False) -> tuple[Fact, ...]:
    """Return what is remembered of something: what is personal comes before what is everyone's."""
    for facts in (view.facts, view.shared):
        if found := recall(facts, words, view.pack, asked=asked):
            return found
    return ()


def _said_of(words: str, view: View) -> str:
    """Return the newest turn's words about something, as far as they are kept."""
    wanted = keywords(words, view.pack)
    for snapshot in reversed(view.state.snapshots):
        having = indexed(snapshot.preview, view.pack)
        if (
            wanted
            and wanted <= having
            and not snapshot.preview.rstrip().endswith(("?", "？"))
        ):
            return one_line(snapshot.preview)
    return ""


def recall_unasked(reading: Reading, view: View) -> Outcome | None:
    """Answer a question from the facts, if one fits well."""
    if was_done := _done(reading, view):
        return was_done
    facts = _recalled(cut(reading.text, reading.time.spans), view)
    return Outcome(code="recall", facts=facts) if facts else None


def _done(reading: Reading, view: View) -> Outcome | None:
    """Answer "did I take my tablets?" from what was said to be done."""
    if not command_words(view.pack).did_i.search(fold_in(reading.text, view.pack)):
        return None
    wanted = scattered(reading.text, view.pack)
    for fact in reversed(view.done):
        if fact.keywords and fact.keywords <= wanted:
            return Outcome(code="was_done", facts=(fact,))
    waiting = covered(view.items, reading.text, view.pack)
    return Outcome(code="not_done", items=waiting[:1]) if waiting else None


def forget_last(_command: Command, _reading: Reading, view: View) -> Outcome | None:
    """Propose to forget the turn before this one, with all that came of it."""
    last = view.state.turns[-1] if view.state.turns else None
    if last is None:
        return Outcome(code="forget_none")
    ids = (last.id, *(fact.id for fact in view.facts if fact.source_ref == last.id))
    made = tuple(
        item.id for item in view.items if item.id in view.made.get(last.id, ())
    )
    change = Forgotten(scope=ForgetScope.LAST, ids=(*ids, *made))
    return Outcome(code="forgot_last", changes=(change,))


def forget_about(command: Command, reading: Reading, view: View) -> Outcome | None:
    """Propose to forget all that is kept of something; several facts or reminders need a yes."""
    about = command.object
    facts, items, refs, names = covered_by(about, view)
    text = said_back(about, view.pack)
    if not (facts or items or refs or names):
        return Outcome(code="forget_none_about", text=text)
    if len(facts) + len(items) > 1:
        ids = (*(fact.id for fact in facts), *(item.id for item in items))
        question = asked(
            view,
            reading,
            QuestionKind.CONFIRM,
            CommandKind.FORGET_ABOUT,
            text=about,
            candidates=ids,
        )
        return Outcome(
            code="confirm_forget_about", question=question, text=text, count=len(ids)
        )
    return forgotten_about(about, view)


def forgotten_about(about: str, view: View) -> Outcome:
    """Propose the forgetting of something, once it is clear."""
    facts, items, refs, names = covered_by(about, view)
    others = [fact for fact in view.facts if fact not in facts]
    told = [
        word for fact in facts for word in traces(fact, others, view.state.entity_map)
    ]
    names = tuple(dict.fromkeys([*names, *told]))
    ids = (*(fact.id for fact in facts), *(item.id for item in items), *refs)
    change = Forgotten(
        scope=ForgetScope.ABOUT,
        about=about,
        ids=tuple(dict.fromkeys(ids)),
        entities=names,
    )
    return Outcome(
        code="forgot_about",
        changes=(change,),
        facts=facts,
        text=said_back(about, view.pack),
        dropped=True,
    )


def covered_by(
    about: str, view: View
) -> tuple[tuple[Fact, ...], tuple[PendingItem, ...], tuple[str, ...], tuple[str, ...]]:
    """Return what is kept of something: facts, reminders, turns and names of entities."""
    wanted = keywords(about, view.pack)
    known = view.facts if view.owner is None else (*view.facts, *view.shared)
    facts = tuple(fact for fact in known if wanted and wanted <= fact.keywords)
    facts = facts or recall(known, about, view.pack, asked=True)[:1]
    items = tuple(
        item
        for item in by_words(view.items, about, view.pack)
        if wanted <= indexed(item.text, view.pack)
    )
    refs = dict.fromkeys(fact.source_ref for fact in facts)
    refs |= dict.fromkeys(_turns_about(wanted, view))
    names = tuple(
        name
        for name in view.state.entity_map
        if wanted and wanted <= indexed(name, view.pack)
    )
    return facts, items, tuple(refs), names


def _turns_about(wanted: frozenset[str], view: View) -> Iterator[str]:
    """Yield the ids of turns whose kept words speak of something."""
    if not wanted:
        return
    for snapshot in view.state.snapshots:
        if wanted <= indexed(snapshot.preview, view.pack):
            yield snapshot.source_ref
    for entity in view.state.entity_map.values():
        for shot in entity.snapshots:
            if wanted <= indexed(shot.context, view.pack):
                yield shot.source_ref


def forget_all(command: Command, reading: Reading, view: View) -> Outcome | None:
    """Ask for a yes before everything goes; cut off after "except", ask what is to stay."""
    if command.keep is None:
        ids = things(view)
        question = asked(
            view, reading, QuestionKind.CONFIRM, CommandKind.FORGET_ALL, candidates=ids
        )
        return Outcome(code="confirm_forget_all", question=question, count=len(ids))
    if confirmed := confirm_rest(command.keep, reading, view):
        return confirmed
    question = asked(view, reading, QuestionKind.WHICH, CommandKind.FORGET_ALL)
    return Outcome(code="ask_except", question=question)


def confirm_rest(keep: str, reading: Reading, view: View) -> Outcome | None:
    """Ask for a yes before all but something goes; None if nothing is known of that."""
    kept = _matching(keep, view) if keep else frozenset()
    if not kept:
        return None
    ids = tuple(id_ for id_ in things(view) if id_ not in kept)
    question = asked(
        view,
        reading,
        QuestionKind.CONFIRM,
        CommandKind.FORGET_ALL,
        candidates=ids,
        text=keep,
    )
    text = said_back(keep, view.pack)
    return Outcome(
        code="confirm_forget_rest", question=question, text=text, count=len(ids)
    )


def _matching(words: str, view: View) -> frozenset[str]:
    facts = recall(view.facts, words, view.pack, asked=True)
    items = by_words(view.items, words, view.pack)
    return frozenset((*(fact.id for fact in facts), *(item.id for item in items)))


def things(view: View) -> tuple[str, ...]:
    """Return the ids of all facts and reminders of the person.

    The household's reminders are not a guest's to forget.
    """
    items = view.items if view.owner is not None else ()
    return (*(fact.id for fact in view.facts), *(item.id for item in items))


def forgotten_all(keep: str, view: View) -> Outcome:
    """Propose the forgetting of everything, or of everything but something."""
    kept = _matching(keep, view) if keep else frozenset()
    ids = tuple(id_ for id_ in things(view) if id_ not in kept)
    # What somebody unknown has told goes; the household's reminders stay.
    scope = ForgetScope.ABOUT if kept or view.owner is None else ForgetScope.ALL
    turns = [turn.id for turn in view.state.turns]
    held = {fact.source_ref for fact in view.facts if fact.id in kept}
    refs = tuple(dict.fromkeys([*turns, *(s.source_ref for s in view.state.snapshots)]))
    refs = tuple(ref for ref in refs if ref not in held)
    names = () if kept else tuple(view.state.entity_map)
    change = Forgotten(scope=scope, ids=(*ids, *refs), entities=names)
    code = "forgot_rest" if kept else "forgot_all"
    text = said_back(keep, view.pack)
    return Outcome(
        code=code, changes=(change,), text=text, count=len(ids), dropped=True
    )
