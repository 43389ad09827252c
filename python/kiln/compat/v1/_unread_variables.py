"""Resource variables as assignments left them."""

from kiln._kiln import front as _c
from kiln.compat.v1._variables import Variable


class UnreadVariable(Variable):
    """A variable behind an assignment: what reads it waits for that.

    A session gives the value that it has then. name, op: the assignment's. Further assignments stand behind
    this one. Source: resource_variable_ops._UnreadVariable.
    """

    op = property(_c.variable_assignment)

    @property
    def name(self):
        return self.op.name


# C++ asks for it.
Variable._behind_assignment = UnreadVariable
