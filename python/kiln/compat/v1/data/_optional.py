"""Elements that may be missing. Source: tf.data.experimental.Optional."""

from kiln._generated import raw_ops


class Optional:
    """A value, or nothing: what an iterator gives behind its last element in place of an error.
    Source: tf.data.experimental.Optional."""

    def __init__(self, variant_tensor, spec):
        self._optional, self._of = variant_tensor, spec

    def has_value(self, name=None):
        """Whether there is one, as a bool tensor."""
        return raw_ops.optional_has_value(self._optional, name=name)

    def get_value(self, name=None):
        """The value, in its structure. Errors in a run: InvalidArgumentError where there is none."""
        return self._of.element(raw_ops.optional_get_value(self._optional, name=name, **self._of.attributes()))

    def __repr__(self):
        return f"<Optional types: {self._of.output_types}, shapes: {self._of.output_shapes}>"

    value_structure = property(lambda self: self._of)


def get_next_as_optional(iterator):
    """The next element of an iterator, or nothing behind the last one. Source:
    tf.data.experimental.get_next_as_optional."""
    spec = iterator._spec
    return Optional(raw_ops.iterator_get_next_as_optional(iterator._resource, **spec.attributes()), spec)
