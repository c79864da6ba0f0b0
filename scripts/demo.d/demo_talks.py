"""The seven-turn talk, in two languages, and what memory has to hold after each turn."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A sentence, and what must be seen in memory after it."""

    text: str
    topics: Sequence[str] = ()
    """Words that the topic chain has by now."""
    disliked: str = ""
    """What is spoken of with a negative attitude by now."""
    due_hour: int | None = None
    """There is a reminder for tomorrow at this hour by now."""


@dataclass(frozen=True, kw_only=True)
class Talk:
    """A talk of one person."""

    language: str
    turns: Sequence[Turn]
    quick_reminder: str
    """Asked for on the person's satellite; due in ten seconds."""
    quick_words: str
    """What its announcement has to hold."""


ENGLISH = Talk(
    language="en",
    turns=(
        Turn(
            text="My name is Anna, I am 68 years old and I have hypertension.",
            topics=("hypertension",),
        ),
        Turn(
            text="I take amlodipine once a day.", topics=("hypertension", "amlodipine")
        ),
        Turn(
            text="This medicine makes my feet swell.",
            topics=("hypertension", "amlodipine"),
            disliked="amlodipine",
        ),
        Turn(
            text="Remind me tomorrow at 10 am to measure my blood pressure.",
            disliked="amlodipine",
            due_hour=10,
        ),
        Turn(text="By the way, my son works in Hangzhou.", due_hour=10),
        Turn(text="He came to see me last month.", topics=("Hangzhou",), due_hour=10),
        Turn(
            text="Now my feet swell badly, what shall I do?",
            topics=("hypertension", "amlodipine"),
            disliked="amlodipine",
            due_hour=10,
        ),
    ),
    quick_reminder="Remind me in ten seconds to take the cake out of the oven.",
    quick_words="cake",
)

CHINESE = Talk(
    language="zh-CN",
    turns=(
        Turn(text="我叫李明，今年六十五岁，有高血压。", topics=("高血压",)),
        Turn(text="我每天吃一次氨氯地平。", topics=("高血压", "氨氯地平")),
        Turn(
            text="这个药让我脚肿。",
            topics=("高血压", "氨氯地平"),
            disliked="氨氯地平",
        ),
        Turn(
            text="明天上午十点提醒我量血压。",
            disliked="氨氯地平",
            due_hour=10,
        ),
        Turn(text="对了，我儿子在杭州工作。", due_hour=10),
        Turn(text="他上个月来看过我。", topics=("杭州",), due_hour=10),
        Turn(
            text="现在脚肿得厉害，怎么办？",
            topics=("高血压", "氨氯地平"),
            disliked="氨氯地平",
            due_hour=10,
        ),
    ),
    quick_reminder="十秒后提醒我关火。",
    quick_words="关火",
)
