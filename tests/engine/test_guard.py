"""The guard: reasoning and marks go, false claims are put right, cuts do not matter."""

from datetime import UTC, datetime
from itertools import pairwise
import time

from hypothesis import given, strategies as st
import pytest

from assist_memory.changes import (
    Change,
    FactStated,
    ForgetScope,
    Forgotten,
    ReminderCancelled,
    ReminderSet,
)
from assist_memory.guard import Deed, Guard, briefing, claim_words, deeds_of, notice
from assist_memory.kept import Fact, PendingItem
from assist_memory.language import read_pack

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
ITEM = PendingItem(id="r1", owner="anna", text="water the plants", created=NOW)


def guarded(
    *pieces: str, language: str = "en", done: frozenset[Deed] = frozenset()
) -> str:
    """Return what is said of an answer that came in these pieces."""
    guard = Guard(read_pack(language), done)
    return "".join(map(guard.feed, pieces)) + guard.finish()


def honest(deed: Deed, language: str = "en") -> str:
    """Return what is said instead of a false claim."""
    claims = claim_words(read_pack(language)).claims
    return next(claim.honest for claim in claims if claim.deed is deed)


@pytest.mark.parametrize(
    ("sentence", "deed"),
    [
        ("I've set a reminder for tomorrow at 10 a.m. to measure your pulse.", Deed.REMINDER),
        ("Okay! I will remind you at nine.", Deed.REMINDER),
        ("Your reminder has been created.", Deed.REMINDER),
        ("Reminder set for Tuesday.", Deed.REMINDER),
        ("I’ll let you know when the laundry is done.", Deed.REMINDER),
        ("I have saved that your sister lives in Ghent.", Deed.MEMORY),
        ("I'll make a note of that.", Deed.MEMORY),
        ("I've deleted everything you told me.", Deed.DELETION),
        ("Your reminders have been cancelled.", Deed.DELETION),
        ("I've turned off the kitchen light.", Deed.ACTION),
        ("I'm dimming the lamp now.", Deed.ACTION),
        ("The message has been sent.", Deed.ACTION),
    ],
)  # fmt: skip
def test_a_false_claim_is_replaced(sentence: str, deed: Deed) -> None:
    """What did not happen is not said; what is said instead is honest."""
    said = guarded(sentence)
    assert honest(deed) in said
    assert sentence not in said


@pytest.mark.parametrize(
    ("sentence", "deed"),
    [
        ("好的，我已经为您设置了明天十点的提醒。", Deed.REMINDER),
        ("到时候我会提醒您的。", Deed.REMINDER),
        ("我會在九點提醒你吃藥。", Deed.REMINDER),
        ("我记住了，您住在苏州。", Deed.MEMORY),
        ("已为您保存。", Deed.MEMORY),
        ("已经帮您删除了所有内容。", Deed.DELETION),
        ("已为您关闭客厅的灯。", Deed.ACTION),
        ("正在帮您打开空调。", Deed.ACTION),
    ],
)
def test_a_false_claim_in_chinese_is_replaced(sentence: str, deed: Deed) -> None:
    """The same, in simplified and traditional characters."""
    said = guarded(sentence, language="zh")
    assert honest(deed, "zh") in said
    assert sentence not in said


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("A reminder can be set by saying when and what.", "en"),
        ("You have a reminder tomorrow at ten.", "en"),
        ("Would you like me to remind you?", "en"),
        ("I can't set an alarm by myself.", "en"),
        ("If you like, I will remind you.", "en"),
        ("Remember that swollen feet should be looked at by a doctor.", "en"),
        ("The light in the kitchen is switched off at night.", "en"),
        ("Li Bai wrote about a thousand poems.", "en"),
        ("您明天十点有一个提醒。", "zh"),
        ("要我提醒您吗？", "zh"),
        ("我没有设置提醒。", "zh"),
        ("如果您愿意，我会提醒您。", "zh"),
        ("脚肿的时候请把脚抬高。", "zh"),
        ("记住，每天按时吃药很重要。", "zh"),
    ],
)
def test_an_honest_sentence_is_left_alone(sentence: str, language: str) -> None:
    """Offers, conditions, refusals and plain talk pass unchanged."""
    assert guarded(sentence, language=language) == sentence


def test_a_claim_that_is_true_may_be_said() -> None:
    """What code has committed, or a tool has done, is for the model to tell."""
    claim = "I've set a reminder for ten."
    assert guarded(claim, done=deeds_of([ReminderSet(item=ITEM)])) == claim
    guard = Guard(read_pack("en"))
    guard.tool_ran()
    assert guard.feed(claim) + guard.finish() == claim


def test_a_stated_fact_is_no_leave_to_claim_a_reminder() -> None:
    """Each claim needs a deed of its own kind."""
    fact = Fact(id="f1", text="my cat is called Mo", time=NOW)
    done = deeds_of([FactStated(fact=fact)])
    assert honest(Deed.REMINDER) in guarded("I have set a reminder for you.", done=done)


@pytest.mark.parametrize(
    ("change", "deed"),
    [
        (ReminderSet(item=ITEM), Deed.REMINDER),
        (ReminderCancelled(item=ITEM), Deed.DELETION),
        (Forgotten(scope=ForgetScope.ALL), Deed.DELETION),
    ],
)
def test_what_was_done_allows_its_claim(change: Change, deed: Deed) -> None:
    """Every kind of change belongs to one kind of claim."""
    assert deeds_of([change]) == {deed}


def test_honesty_is_said_once() -> None:
    """A second false claim of the same answer is dropped; what is true around it stays."""
    said = guarded(
        "Sure. I've set a reminder. I will remind you at ten. Anything else?"
    )
    assert said == f"Sure. {honest(Deed.REMINDER)} Anything else?"


def test_sentences_leave_as_soon_as_they_are_whole() -> None:
    """The voice can begin with the first sentence while the model goes on."""
    guard = Guard(read_pack("en"))
    assert guard.feed("It is warm") == ""
    assert guard.feed(" today. And") == "It is warm today. "
    assert guard.feed(" it is 3.5 degrees") == ""
    assert guard.finish() == "And it is 3.5 degrees"


@pytest.mark.parametrize("echo", ["[{}]", "{}", " [{}]\n\n", "({})"])
def test_a_brief_that_is_repeated_is_dropped(echo: str) -> None:
    """Small models read out what they were given; what they say besides stays."""
    brief = "According to the current conversation: tea is liked. Pending: call Pat."
    guard = Guard(read_pack("en"), brief=brief)
    said = guard.feed(echo.format(brief) + " Tea it is. call Pat")
    assert (said + guard.finish()).strip(" ()") == "Tea it is. call Pat"


def test_a_claim_beside_a_tool_call_waits_for_the_tool() -> None:
    """The message that calls a tool does not say that it is done; the next one may."""
    guard = Guard(read_pack("en"), may_act=True)
    assert guard.feed("One moment. I've turned on the lamp. Fine") == "One moment. "
    assert guard.finish(acting=True) == "Fine"
    guard.tool_ran()
    assert guard.feed("I've turned on the lamp. ") == "I've turned on the lamp. "


def test_a_claim_beside_no_tool_call_is_put_right_at_the_end() -> None:
    """Tools were at hand, and none was called."""
    guard = Guard(read_pack("en"), may_act=True)
    assert guard.feed("I've turned on the lamp. Bye. ") == ""
    assert guard.finish() == f"{honest(Deed.ACTION)} Bye. "


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("<think>The user wants tea.</think>Tea is ready.", "Tea is ready."),
        ("<THINKING>hm</THINKING>\n\nYes.", "Yes."),
        ("<think>never closed", ""),
        ("It is 2 < 3 and 4 > 3.", "It is 2 < 3 and 4 > 3."),
        ("hm, what now</think>Hello.", "Hello."),
        ("**Bold** and `code`.", "Bold and code."),
        ("## Plan\n- one\n* two\n", "Plan\none\ntwo\n"),
        ("Fine.<|im_end|>", "Fine."),
        (" [It is me.]", "It is me."),
        ("[1] is a footnote.", "[1] is a footnote."),
        ("[It is me. Who else?] Well.", "It is me. Who else? Well."),
        ("See [1]. Or [2].", "See [1]. Or [2]."),
    ],
)
def test_what_is_not_for_ears_is_taken_out(raw: str, said: str) -> None:
    """Reasoning, markdown and the marks of chat templates are not read out."""
    assert guarded(raw) == said


def test_reasoning_that_only_ends_takes_its_claims_along() -> None:
    """A template may open the tag itself; what was held before its end is reasoning."""
    guard = Guard(read_pack("en"), may_act=True)
    said = guard.feed("I've set a reminder. ") + guard.feed("hm</think>Hello.")
    assert said + guard.finish() == "Hello."
    assert not guard.corrected


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_a_pack_says_beside_the_claims(language: str) -> None:
    """What the model is told, and what is said of turns that it had no say in."""
    pack = read_pack(language)
    assert briefing(pack)
    for code in ("busy", "not_allowed", "failed", "done"):
        assert guarded(notice(code, pack), language=language) == notice(code, pack)


_ANSWERS = [
    "<think>a < b</think>Good morning. I've set a reminder for 10 a.m. tomorrow. Bye!",
    "Well <think>hm</think> then.\n\n**Rest** a bit; drink 0.5 l of water. Yes?",
    "好的。<think>要提醒</think>我已经为您设置了提醒。多喝水！“休息。”好吗？",
]


@given(data=st.data())
def test_the_cuts_of_the_stream_do_not_matter(data: st.DataObject) -> None:
    """Wherever the network cuts, the same is said."""
    answer = data.draw(st.sampled_from(_ANSWERS))
    language = "zh" if "好" in answer else "en"
    cuts = sorted(data.draw(st.sets(st.integers(0, len(answer)))))
    edges = [0, *cuts, len(answer)]
    pieces = [answer[a:b] for a, b in pairwise(edges)]
    assert guarded(*pieces, language=language) == guarded(answer, language=language)


@pytest.mark.parametrize(
    "unit", ["i have set ", "我已经为您", "<", "<think", "a. ", "**"]
)
def test_hostile_answers_are_quick(unit: str) -> None:
    """A long answer of nothing but beginnings costs no more than a long answer."""
    guard = Guard(read_pack("zh" if unit[0] == "我" else "en"))
    answer = unit * (20_000 // len(unit))
    start = time.perf_counter()
    for begin in range(0, len(answer), 40):
        guard.feed(answer[begin : begin + 40])
    guard.finish()
    assert time.perf_counter() - start < 1.0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_honest_sentence_is_no_claim_itself(language: str) -> None:
    """What is put in passes the guard."""
    for deed in Deed:
        said = honest(deed, language)
        assert guarded(said, language=language) == said
