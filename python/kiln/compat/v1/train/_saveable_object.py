"""What a saver saves beside variables: objects of several tensors, such as tables."""

from kiln.compat.v1 import dtypes


class SaveSpec:
    """One tensor of a checkpoint, or a part of one. Source: saveable_object.SaveSpec.

    tensor: a tensor, or a function that makes it when it is saved; then dtype is needed. slice_spec: where a part
    lies, "" for a whole tensor. name: in the checkpoint.
    """

    def __init__(self, tensor, slice_spec, name, dtype=None, device=None):
        self._tensor, self.slice_spec, self.name = tensor, slice_spec, name
        if callable(tensor):
            if dtype is None or device is None:
                raise AssertionError("When passing a callable `tensor` to a SaveSpec, an explicit dtype and device must be provided.")
            self.dtype, self.device = dtypes.as_dtype(dtype), device
        else:
            self.dtype = dtypes.as_dtype(dtype) if dtype is not None else tensor.dtype.base_dtype
            self.device = device if device is not None else tensor.device

    @property
    def tensor(self):
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """A base of objects that savers save: tensors, and what restores it from those of a checkpoint.

    op: what it stands for; specs: SaveSpecs; name: in messages and for sorting. Source: saveable_object.SaveableObject.
    """

    def __init__(self, op, specs, name):
        self.op, self.specs, self.name = op, specs, name

    @property
    def device(self):
        return self.specs[0].device

    @property
    def optional_restore(self):
        return False

    def restore(self, restored_tensors, restored_shapes):
        """Adds an operation that restores it, and gives it.

        restored_tensors: one for each spec; restored_shapes: the shapes that they are to take, or None.
        """
        raise ValueError("Calling an abstract method.")


class VariableSaveable(SaveableObject):
    """A variable as an object that is saved. Source: BaseSaverBuilder.VariableSaveable."""

    def __init__(self, var, slice_spec, name):
        self._variable = var
        super().__init__(var, [SaveSpec(var._ref() if not var._is_resource() else var.value(), slice_spec, name,
                                        dtype=var.dtype.base_dtype)], name)

    def restore(self, restored_tensors, restored_shapes):
        value = restored_tensors[0]
        if restored_shapes is not None:
            from kiln._generated import raw_ops

            value = raw_ops.reshape(value, restored_shapes[0])
        return self._variable.assign(value, read_value=False)
