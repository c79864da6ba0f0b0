"""Two memories made one: two speakers turned out to be the same person."""

from dataclasses import replace

from .settings import Settings
from .state import MemoryState
from .talk import MOST_DONE, Talk


def joined(own: MemoryState, other: MemoryState, settings: Settings) -> MemoryState:
    """Return a state with what the other one holds of things, topics and facts; what both hold stays as it is.

    Rounds are counted anew, so that nothing of the other one seems fresher than it is.
    """
    shift = own.round - other.round
    things = {
        name: replace(
            thing,
            first_round=thing.first_round + shift,
            last_round=thing.last_round + shift,
        )
        for name, thing in other.entity_map.items()
    }
    topics = [
        replace(topic, last_round=topic.last_round + shift)
        for topic in other.topic_chain
    ]
    facts = sorted((*other.facts, *own.facts), key=lambda fact: fact.time)
    return replace(
        own,
        entity_map={**things, **own.entity_map},
        topic_chain=(*topics, *own.topic_chain)[-settings.max_topics :],
        facts=tuple(facts)[-settings.max_facts :],
        own_name=own.own_name or other.own_name,
    )


def joined_talk(own: Talk, other: Talk) -> Talk:
    """Return a talk that also knows what was done in the other one; its questions are over."""
    done = sorted((*other.done, *own.done), key=lambda deed: deed.time)
    return replace(own, done=tuple(done)[-MOST_DONE:])
