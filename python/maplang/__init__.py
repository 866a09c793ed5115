"""MAP in Python: dialogues of agents are checked, verified, played, and enforced.

>>> import maplang
>>> auction = maplang.library("english-auction")
>>> answer = auction.verify({"bidder": 2})
>>> answer.verdict
<Verdict.TERMINATES_IF_FAIR: 'terminates if fair'>
"""

from __future__ import annotations

from . import _native
from ._answers import Answer, Cost, Figures, Property, PropertyVerdict, Step, Trace, Verdict, Violation
from ._conform import Breach, Conformance, Conversation, Monitor, Standing
from ._diagnostics import Diagnostic, Edit, Fix, Label, Span
from ._errors import DecisionError, GuardRefusal, MapError
from ._flags import AnyNumber, any_number
from ._guard import Acceptance, Guard, Offer, Received, Suggestion
from ._pictures import Picture
from ._protocol import Procedure, Protocol, library
from ._runs import Columns, End, Run
from ._values import CHANCE, Agent, Constant, Fresh, Message, Role, Unknown, Value

__version__: str = _native.VERSION


def library_names() -> dict[str, str]:
    """The dialogues of the library, each with what it is about.

    >>> library_names()["send-info"]
    '...'
    """
    return dict(_native.library_names())


__all__ = [
    "CHANCE",
    "Acceptance",
    "Agent",
    "Answer",
    "AnyNumber",
    "Breach",
    "Columns",
    "Conformance",
    "Constant",
    "Conversation",
    "Cost",
    "DecisionError",
    "Diagnostic",
    "Edit",
    "End",
    "Figures",
    "Fix",
    "Fresh",
    "Guard",
    "GuardRefusal",
    "Label",
    "MapError",
    "Message",
    "Monitor",
    "Offer",
    "Picture",
    "Procedure",
    "Property",
    "PropertyVerdict",
    "Protocol",
    "Received",
    "Role",
    "Run",
    "Span",
    "Standing",
    "Step",
    "Suggestion",
    "Trace",
    "Unknown",
    "Value",
    "Verdict",
    "Violation",
    "any_number",
    "library",
    "library_names",
]
