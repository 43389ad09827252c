// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy arrays and Kiln's tensors, each on the other's memory.
#ifndef KILN_PYTHON_BIND_ARRAYS_H
#define KILN_PYTHON_BIND_ARRAYS_H

#include "kiln/Tensor.h"

#include <nanobind/nanobind.h>

namespace kiln::python {

/// Loads NumPy's C interface; before anything else here. Throws.
void importNumPy();

/// Makes a tensor of a value that is fed. An array of the dtype, in row-major
/// order, is borrowed: the tensor holds a reference to it, which any thread may
/// drop, with the GIL or without. Anything else becomes such an array as
/// numpy.asarray() makes it; strings are copied. dtype Invalid: as the array
/// is. Throws. Holds the GIL.
Tensor tensorFromPython(PyObject *value, DType dtype);

/// What a tensor of a quantized type becomes: an array of the integers, as
/// TensorFlow's sessions give it, or of structures of them, which say the type.
enum class QuantizedForm { Integers, Structures };

/// Makes an array on the tensor's buffer, which it keeps alive; a NumPy scalar
/// of a tensor of rank 0, bytes of strings. Read-only where something else
/// holds the buffer. Null with an exception. Holds the GIL.
PyObject *arrayFromTensor(Tensor &&tensor,
                          QuantizedForm form = QuantizedForm::Integers);

/// NumPy's dtype; strings are objects. Throws for a type that NumPy has not.
nanobind::object numpyDType(DType dtype);
/// Kiln's for anything that numpy.dtype() takes. Throws.
DType dtypeFromPython(nanobind::handle dtype);

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_ARRAYS_H
