"""The order of effects: each runs behind those before it by control edges."""

import tensorflow.compat.v1 as tf


class Order:
    """What ran last in a block: of all effects together, or of each variable, the queue and the host apart."""

    def __init__(self, one_chain, start=()):
        self.one_chain = one_chain
        self.start = list(start)
        self.last = {}

    def next(self, name, make):
        """What `make` builds, behind what last concerned this name."""
        key = "all" if self.one_chain else name
        with tf.control_dependencies(self.last.get(key, self.start)):
            made = make()
        self.last[key] = [made if isinstance(made, tf.Operation) else made.op]
        return made

    def ends(self):
        """The last ops of all chains."""
        operations = [operation for chain in self.last.values() for operation in chain]
        return list(dict.fromkeys(operations + self.start))

    def after_all(self):
        return tf.control_dependencies(self.ends())

    def record_all(self, operations):
        """Everything that follows runs behind these ops."""
        self.start = list(operations)
        self.last = {}
