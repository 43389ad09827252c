"""Draws a program from a seed."""

import dataclasses
import random

from formulas import FORMULAS
from program import FLOATS, PLACEHOLDERS, Block, Program, Run, Statement, Variable
from switches import COUNTERS, Web

DEEPEST = 3  # blocks in blocks
# How often a kind is drawn where it may stand.
WEIGHTS = {"formula": 30, "read": 12, "write": 18, "view": 2, "host": 3, "queue": 3, "assert": 1, "cond": 14, "case": 4,
           "loop": 12, "function": 4, "call": 6, "gradient": 5, "switch": 2}
WRITES = ("assign", "assign_add", "assign_sub", "halve_and_add", "scatter_add", "scatter_update")


@dataclasses.dataclass
class Place:
    """Where a statement is drawn: the names that it may use, and what may stand there."""

    names: list
    depth: int = 0
    loops: int = 0  # around it
    kinds: tuple = tuple(WEIGHTS)
    resources_alone: bool = False  # references reach neither functions nor regions of version 2
    gradients: bool = True  # not asked for in branches and loops

    def inside(self, names, **changes):
        return dataclasses.replace(self, **{"names": self.names + list(names), "depth": self.depth + 1, "gradients": False, **changes})


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.count = 9  # behind the placeholders
        self.budget = self.random.randrange(8, 40)  # statements
        self.functions = {}  # name: its block
        self.variables = []
        self.control_flow_v2 = self.random.random() < 0.4

    def program(self):
        one_chain = self.random.random() < 0.6
        if not self.control_flow_v2 and self.random.random() < 0.2:
            self.variables, body = [COUNTERS], Web(self).body()
        else:
            self.variables = [self.variable(index) for index in range(self.random.randrange(1, 4))]
            body = Block([], self.statements(Place(list(PLACEHOLDERS)), self.random.randrange(4, 20)), [])
        return Program(self.seed, self.control_flow_v2, one_chain, self.variables, body, self.runs(body.statements))

    def variable(self, index):
        resource = self.random.random() < 0.55
        return Variable(f"{'X' if resource else 'R'}{index}{self.random.choice('svv')}", resource, self.random.random() < 0.95)

    def new(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def pick(self, place, letter):
        """A name of the type that is visible; later ones are likelier."""
        names = [name for name in place.names if name[0] == letter]
        return self.random.choice(names[-3:] if names and self.random.random() < 0.4 else names or [letter + "0"])

    def types(self, most):
        return [self.random.choice("ssvvoib") for _ in range(self.random.randrange(1, most + 1))]

    def statements(self, place, number):
        drawn = []
        for _ in range(number):
            if self.budget <= 0:
                break
            self.budget -= 1
            kinds = [kind for kind in place.kinds if self.may_stand(kind, place)]
            kind = self.random.choices(kinds, [WEIGHTS[kind] for kind in kinds])[0]
            statement = getattr(self, "draw_" + kind)(place)
            drawn.append(statement)
            # The sides of a Switch can be fetched, but nothing is made of them: it would be dead as well.
            place.names += statement.results[:2] if kind == "switch" else statement.results
        return drawn

    def may_stand(self, kind, place):
        if kind in ("cond", "case", "loop"):
            return place.depth < DEEPEST
        if kind == "gradient":
            return place.gradients
        if kind in ("function", "switch"):
            return place.depth == 0 and (kind == "function" or not self.control_flow_v2)
        if kind == "call":
            return bool(self.functions)
        return kind not in ("read", "write", "view") or bool(self.visible_variables(place, kind))

    def visible_variables(self, place, kind):
        """Those that this kind of statement may name: TensorFlow assigns no reference in a loop in a loop."""
        references = not place.resources_alone and (kind == "read" or place.loops < 2)
        return [variable for variable in self.variables if variable.resource or references]

    def draw_formula(self, place):
        name = self.random.choice(list(FORMULAS))
        signature = FORMULAS[name][0].replace("t", self.random.choice("sv"))
        operands, result = signature.split("->")
        options = {"formula": name, "after": self.random.random() < 0.15, "joins": self.random.random() < 0.1}
        return Statement("formula", [self.new(result)], [self.pick(place, letter) for letter in operands], options)

    def draw_read(self, place):
        variable = self.random.choice(self.visible_variables(place, "read"))
        return Statement("read", [self.new(variable.type)], [], {"variable": variable.name})

    def draw_write(self, place):
        variable = self.random.choice(self.visible_variables(place, "write"))
        how = self.random.choice(WRITES[:6 if variable.type == "v" else 4])
        # A resource's assignment may be asked for the value that it leaves.
        results = [self.new(variable.type)] if self.random.random() < 0.3 else []
        return Statement("write", results, [self.pick(place, variable.type)], {"variable": variable.name, "how": how})

    def draw_view(self, place):
        variable = self.random.choice(self.visible_variables(place, "view"))
        arguments = [self.pick(place, letter) for letter in variable.type + self.random.choice(["", "b"])]
        return Statement("view", [self.new(variable.type)], arguments, {"variable": variable.name})

    def draw_host(self, place):
        letter = self.random.choice("svo")
        return Statement("host", [self.new(letter)], [self.pick(place, letter)], {"stateful": self.random.random() < 0.7})

    def draw_queue(self, place):
        return Statement("queue", [self.new("s"), self.new("i")], [self.pick(place, "s")])

    def draw_assert(self, place):
        return Statement("assert", [], [self.pick(place, "i")])

    def region_options(self):
        return {"direct": self.random.random() < 0.5}

    def block(self, place, returned, most=4, **changes):
        """A block whose parameters are named by changes["parameters"], that returns values of these types."""
        parameters = changes.pop("parameters", [])
        inner = place.inside(parameters, **changes)
        statements = self.statements(inner, self.random.randrange(0, most))
        return Block(parameters, statements, [self.pick(inner, letter) for letter in returned])

    def region_block(self, place, returned, version_2=False, **changes):
        resources_alone = place.resources_alone or self.control_flow_v2 or version_2
        return self.block(place, returned, resources_alone=resources_alone, **changes)

    def draw_cond(self, place):
        types = self.types(2)
        blocks = [self.region_block(place, types) for _ in range(2)]
        return Statement("cond", [self.new(letter) for letter in types], [self.pick(place, "b")], self.region_options(), blocks)

    def draw_case(self, place):
        """By a number, which TensorFlow always makes a Case, or by two predicates of which the first that holds decides."""
        types = self.types(2)
        arguments = [self.pick(place, letter) for letter in self.random.choice(["i", "bb"])]
        blocks = [self.region_block(place, types, version_2=len(arguments) == 1) for _ in range(3)]
        return Statement("case", [self.new(letter) for letter in types], arguments, self.region_options(), blocks)

    def draw_loop(self, place):
        types = self.types(3)
        arguments = [self.pick(place, letter) for letter in "i" + "".join(types)]
        parameters = [self.new(letter) for letter in "i" + "".join(types)]
        collects = self.random.random() < 0.25
        condition_kinds = tuple(kind for kind in place.kinds if kind in ("formula", "read"))
        loops = place.loops + 1
        blocks = [self.region_block(place, "b", most=3, parameters=parameters, loops=loops, kinds=condition_kinds),
                  self.region_block(place, types + ["s"] * collects, parameters=parameters, loops=loops)]
        if self.random.random() < 0.2 and len(types) > 1 and types[0] == types[1]:
            blocks[1].returns[:2] = [parameters[2], parameters[1]]
        options = {**self.region_options(), "parallel": self.random.choice([1, 10]), "collects": collects,
                   "asks": self.random.random() < 0.4}
        return Statement("loop", [self.new(letter) for letter in types + ["o"] * collects], arguments, options, blocks)

    def draw_function(self, place):
        """A definition; a Defun has formulas alone."""
        defun = self.random.random() < 0.3
        types = self.types(2)
        parameters = [self.new(letter) for letter in self.types(3)]
        kinds = ("formula",) if defun else tuple(kind for kind in place.kinds if kind not in ("assert", "queue"))
        block = self.block(place, types, parameters=parameters, kinds=kinds, resources_alone=True, gradients=not defun)
        name = self.new("f")
        self.functions[name] = block
        return Statement("function", [], [], {"name": name, "defun": defun}, [block])

    def draw_call(self, place):
        name = self.random.choice(list(self.functions))
        block = self.functions[name]
        arguments = [self.pick(place, parameter[0]) for parameter in block.parameters]
        return Statement("call", [self.new(returned[0]) for returned in block.returns], arguments,
                         {"function": name, **self.region_options()})

    def draw_gradient(self, place):
        """Of the squares of values by others; of gradients, too, which are values like all."""
        of = [self.pick(place, self.random.choice(FLOATS)) for _ in range(self.random.randrange(1, 3))]
        by = list(dict.fromkeys(self.pick(place, self.random.choice(FLOATS)) for _ in range(self.random.randrange(1, 4))))
        return Statement("gradient", [self.new(name[0]) for name in by], of + by, {"of": len(of)})

    def draw_switch(self, place):
        """A bare Switch, something on either side, and the Merge of both."""
        letter = self.random.choice("sv")
        options = {"crossed": self.random.random() < 0.3,
                   "variable": self.random.choice(self.variables).name if self.random.random() < 0.5 else None}
        return Statement("switch", [self.new(letter), self.new("i"), self.new(letter), self.new(letter)],
                         [self.pick(place, letter), self.pick(place, "b")], options)

    def runs(self, statements):
        results = [name for statement in statements for name in statement.results]
        # A side of a Switch that is fed gives its Merge two values at once, of which TensorFlow takes either; its value
        # is an error where the side is not taken, behind which nothing else is compared.
        sides = {name for statement in statements if statement.kind == "switch" for name in statement.results[2:]}
        fed = [name for name in results if name not in sides and name[0] != "c"]
        runs = []
        for index in range(self.random.randrange(2, 6)):
            feeds = {name: self.fed_value(name[0]) for name in PLACEHOLDERS if self.random.random() < 0.99}
            if index:
                for name in self.random.sample(fed, min(len(fed), self.random.choice([0, 0, 1, 1, 2, 4]))):
                    feeds[name] = self.fed_value(name[0])
            runs.append(Run(feeds, self.fetches(results, sides, feeds), self.random.random() < 0.7))
            if self.random.random() < 0.3:
                runs.append(Run({name: self.fed_value(name[0]) for name in feeds}, runs[-1].fetches, runs[-1].last))
        return runs

    def fetches(self, results, sides, feeds):
        """Some or most of the values that are not fed; few of those that may be dead."""
        share = self.random.choice([0.1, 0.5, 0.9])
        return [name for name in results
                if name not in feeds and self.random.random() < (0.05 if name in sides or name[0] in "dej" else share)]

    def fed_value(self, letter):
        def number():
            return round(self.random.uniform(-2, 2), 2)

        if letter == "j":
            return self.random.randrange(2)
        if letter == "i":
            return self.random.randrange(-1, 4)
        if letter in "be":
            return self.random.random() < 0.5
        if letter in "sd":
            return number()
        return [number() for _ in range(3 if letter == "v" else self.random.choice([0, 1, 2, 3, 5]))]
