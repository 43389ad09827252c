"""What a random program is: variables, statements with blocks of their own, and runs; and its listing.

A name says its type by its first letter (TYPES), so that a statement whose operands were
taken away can still be built: a value that is missing is the constant of its type.
"""

import collections
import dataclasses

Type = collections.namedtuple("Type", "dtype shape constant")
# By the first letter of a name; the constant stands for a value that is missing.
TYPES = {
    "s": Type("float32", [], 0.5),
    "v": Type("float32", [3], [1.0, -2.0, 3.0]),
    "o": Type("float32", [None], [0.5, -1.5]),
    "i": Type("int32", [], 2),
    "b": Type("bool", [], True),
    # What a program of bare switches has (switches.py).
    "d": Type("float32", [], 0.5),
    "e": Type("bool", [], True),
    "j": Type("int32", [], 0),
    "n": Type("float32", [40], [0.0] * 40),
}
FLOATS = "svo"
# The placeholders that every program has.
PLACEHOLDERS = ("s0", "v0", "o0", "i0", "b0", "b1")


@dataclasses.dataclass
class Block:
    """The statements of a branch, a loop or a function: parameters, and the names of what it returns."""

    parameters: list
    statements: list
    returns: list


@dataclasses.dataclass
class Statement:
    """`results = kind(arguments)`, with what else was drawn for it, and the blocks that belong to it."""

    kind: str
    results: list
    arguments: list
    options: dict = dataclasses.field(default_factory=dict)
    blocks: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Variable:
    """A variable, a reference or a resource; its last letter is its type."""

    name: str
    resource: bool
    initialized: bool

    @property
    def type(self):
        return self.name[-1]


@dataclasses.dataclass
class Run:
    """One call of Session.run; `last` asks for the last effect of the program, too."""

    feeds: dict
    fetches: list
    last: bool


@dataclasses.dataclass
class Program:
    """A whole program: `control_flow_v2` says how TensorFlow builds branches and loops, `one_chain` whether all
    effects stand in one order or those of each variable in an order of their own."""

    seed: int
    control_flow_v2: bool
    one_chain: bool
    variables: list
    body: Block
    runs: list

    def variable(self, name):
        return next(variable for variable in self.variables if variable.name == name)


def all_blocks(block):
    """Yields a block and those inside of it."""
    yield block
    for statement in block.statements:
        for inner in statement.blocks:
            yield from all_blocks(inner)


def listing_of_block(block, indent):
    lines = []
    for statement in block.statements:
        options = "".join(f" {name}={value}" for name, value in statement.options.items() if value not in (None, False, []))
        results = ", ".join(statement.results)
        left = f"{results} = " if results else ""
        lines.append(f"{indent}{left}{statement.kind}({', '.join(statement.arguments)}){options}")
        for inner in statement.blocks:
            lines.append(f"{indent}  block({', '.join(inner.parameters)}):")
            lines += listing_of_block(inner, indent + "    ")
            lines.append(f"{indent}    return {', '.join(inner.returns)}")
    return lines


def listing(program):
    """The program as text."""
    lines = [f"# seed {program.seed}, control flow of version {2 if program.control_flow_v2 else 1}, "
             f"{'one order of all effects' if program.one_chain else 'an order of effects for each variable'}"]
    for variable in program.variables:
        kind = "resource" if variable.resource else "reference"
        lines.append(f"{variable.name}: {kind} variable{'' if variable.initialized else ', not initialized'}")
    lines += listing_of_block(program.body, "")
    for run in program.runs:
        feeds = ", ".join(f"{name}: {value}" for name, value in run.feeds.items())
        lines.append(f"run([{', '.join(run.fetches)}]{' and the last effects' if run.last else ''}, {{{feeds}}})")
    return "\n".join(lines)
