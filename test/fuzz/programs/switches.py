"""Programs of bare Switch and Merge: a web of values and ops that may be dead, with control edges between them.

Letters of their own keep them apart from all that must be alive: d a number, e a
predicate, j which input a Merge took, c an op, n the counters that ops count in.
"""

import tensorflow.compat.v1 as tf

from program import Block, Statement, Variable

KINDS = {"raw_switch": 25, "raw_merge": 20, "raw_compute": 30, "raw_compare": 8, "raw_count": 12, "raw_trigger": 5}
COUNTERS = Variable("R0n", resource=False, initialized=True)


class Web:
    """Draws the statements of such a program."""

    def __init__(self, generator):
        self.generator = generator
        self.random = generator.random
        self.names = ["s0", "b0", "b1"]
        self.sides = []  # of each Switch
        self.counters = 0

    def body(self):
        return Block([], [self.draw() for _ in range(self.random.randrange(8, 30))], [])

    def pick(self, letters):
        return self.random.choice([name for name in self.names if name[0] in letters])

    def draw(self):
        kind = self.random.choices(list(KINDS), list(KINDS.values()))[0]
        if kind == "raw_merge" and not self.sides:
            kind = "raw_switch"
        operations = [name for name in self.names if name[0] == "c"]
        controls = self.random.sample(operations, min(len(operations), self.random.choice([0, 0, 0, 1, 1, 2])))
        letters, arguments, options = getattr(self, "draw_" + kind)()
        results = [self.generator.new(letter) for letter in letters + "c"]
        if kind == "raw_switch":
            self.sides.append(results[:2])
        self.names += results
        return Statement(kind, results, arguments, {"controls": controls, **options})

    def draw_raw_switch(self):
        return "dd", [self.pick("sd"), self.pick("be")], {}

    def draw_raw_merge(self):
        sides = list(self.random.choice(self.sides))
        self.random.shuffle(sides)
        return "dj", sides, {"scale": self.random.choice([None, 3.0])}

    def draw_raw_compute(self):
        return "d", [self.pick("sd"), self.pick("sd")], {}

    def draw_raw_compare(self):
        return "e", [self.pick("sdj")], {}

    def draw_raw_count(self):
        self.counters += 1
        return "", [self.pick("sd")] if self.random.random() < 0.5 else [], {"counter": self.counters}

    def draw_raw_trigger(self):
        return "", [], {"plain": self.random.random() < 0.6}


def waiting(scope, statement):
    """A context in which ops run behind the statement's control inputs."""
    return tf.control_dependencies([scope.values[name] for name in statement.options["controls"] if name in scope.values])


def build_raw_switch(builder, scope, statement):
    data, predicate = builder.arguments(scope, statement)
    with waiting(scope, statement):
        sides = tf.raw_ops.Switch(data=data, pred=predicate)
    return [*sides, sides.output_false.op]


def build_raw_merge(builder, scope, statement):
    """Of both sides of a Switch, one of them scaled; nothing else makes a Merge wait."""
    first, second = builder.arguments(scope, statement)
    if statement.options["scale"]:
        with waiting(scope, statement):
            first = first * statement.options["scale"]
    merged = tf.raw_ops.Merge(inputs=[first, second])
    return [merged.output, merged.value_index, merged.output.op]


def build_raw_compute(builder, scope, statement):
    a, b = builder.arguments(scope, statement)
    with waiting(scope, statement):
        result = tf.tanh(a * 0.5 + b)
    return [result, result.op]


def build_raw_compare(builder, scope, statement):
    value, = builder.arguments(scope, statement)
    with waiting(scope, statement):
        result = tf.greater(tf.cast(value, tf.float32), 0.3)
    return [result, result.op]


def build_raw_count(builder, scope, statement):
    """Adds one to a counter of its own: which ops have run is what the variable says."""
    with waiting(scope, statement):
        updates = tf.constant([1.0])
        for value in builder.arguments(scope, statement):
            updates = tf.reshape(value, [1]) * 0.0 + 1.0
        counted = tf.scatter_add(builder.variables[COUNTERS.name], tf.constant([statement.options["counter"]]), updates)
    return [counted.op]


def build_raw_trigger(builder, scope, statement):
    with waiting(scope, statement):
        return [tf.no_op() if statement.options["plain"] else tf.raw_ops.ControlTrigger()]
