"""Names for the arguments of sessions, for type checkers."""

from __future__ import annotations

import typing
from collections.abc import Mapping

if typing.TYPE_CHECKING:
    from kiln._kiln import Operation, Tensor

# A tensor's or an operation's name or handle, or any nesting of them.
Fetches = typing.Union[
    str, "Tensor", "Operation", "list[Fetches]", "tuple[Fetches, ...]", "dict[typing.Any, Fetches]"
]
# Values by tensor: whatever numpy.asarray() takes.
FeedDict = Mapping[typing.Union[str, "Tensor"], typing.Any]
# Shapes (None for what is not known), or values, by tensor.
FeedInfos = Mapping[typing.Union[str, "Tensor"], typing.Any]
