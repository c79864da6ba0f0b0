"""Walks through config flows as a person does: forms come filled in, a few answers are changed."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from .client import Client

ENTRY_FLOWS: Final = "/api/config/config_entries/flow"
OPTION_FLOWS: Final = "/api/config/config_entries/options/flow"
SUBENTRY_FLOWS: Final = "/api/config/config_entries/subentries/flow"
MOST_STEPS: Final = 12

type Form = Mapping[str, Any]
type Answers = Mapping[str, Mapping[str, Any] | Callable[[Form], Mapping[str, Any]]]
"""Step → what is filled in beside the suggestions; a function sees the form first."""


class FlowError(Exception):
    """A flow did not come to its end."""


async def walk(
    client: Client, flows: str, start: Mapping[str, Any], answers: Answers
) -> tuple[Mapping[str, Any], list[Form]]:
    """Go through a flow; return how it ended, and the forms that were shown."""
    step: Mapping[str, Any] = await client.post(flows, start)
    forms: list[Form] = []
    while step["type"] == "form":
        forms.append(step)
        if len(forms) > MOST_STEPS:
            raise FlowError(f"step {step['step_id']} comes again: {step['errors']}")
        filled = suggested(step) | dict(_answer(answers, step))
        step = await client.post(f"{flows}/{step['flow_id']}", filled)
    return step, forms


def suggested(form: Form) -> dict[str, Any]:
    """Return what a form has filled in already."""
    filled = {}
    for field in form["data_schema"] or ():
        value = (field.get("description") or {}).get(
            "suggested_value", field.get("default")
        )
        if value is not None:
            filled[field["name"]] = value
    return filled


def offered(form: Form, name: str) -> list[str]:
    """Return the values that a field of a form lets one choose from."""
    for field in form["data_schema"]:
        if field["name"] == name:
            options = field["selector"]["select"]["options"]
            return [
                option["value"] if isinstance(option, Mapping) else option
                for option in options
            ]
    return []


def _answer(answers: Answers, form: Form) -> Mapping[str, Any]:
    """Return what is to be filled in on a form."""
    answer = answers.get(form["step_id"], {})
    return answer(form) if callable(answer) else answer
