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
                raise AssertionError(
                    "When passing a callable `tensor` to a SaveSpec, an explicit dtype and device must be provided."
                )
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
        tensor = var.value() if var._is_resource() else var._ref()
        super().__init__(var, [SaveSpec(tensor, slice_spec, name, dtype=var.dtype.base_dtype)], name)

    def restore(self, restored_tensors, restored_shapes):
        value = restored_tensors[0]
        if restored_shapes is not None:
            from kiln._generated import raw_ops

            value = raw_ops.reshape(value, restored_shapes[0])
        return self._variable.assign(value, read_value=False)


class NodeSaveable(SaveableObject):
    """A variable that is a node of an imported graph, without a collection that has it."""

    def __init__(self, tensor, name):
        self._is_handle = tensor.op.type == "VarHandleOp"
        dtype = tensor.op.get_attr("dtype")
        spec = SaveSpec(self._value if self._is_handle else tensor, "", name, dtype, tensor.device)
        super().__init__(tensor, [spec], name)

    def _value(self):
        from kiln._generated import raw_ops

        return raw_ops.read_variable_op(self.op, self.specs[0].dtype)

    def restore(self, restored_tensors, restored_shapes):
        from kiln._generated import raw_ops

        value = restored_tensors[0]
        if restored_shapes is not None:
            value = raw_ops.reshape(value, restored_shapes[0])
        if self._is_handle:
            return raw_ops.assign_variable_op(self.op, value)
        validate = restored_shapes is None and self.op.shape.is_fully_defined()
        return raw_ops.assign(self.op, value, validate_shape=validate)
