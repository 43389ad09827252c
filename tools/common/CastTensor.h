// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of one numeric type as another, for data that comes from files.
#ifndef KILN_TOOLS_COMMON_CASTTENSOR_H
#define KILN_TOOLS_COMMON_CASTTENSOR_H

#include "kiln/Tensor.h"

namespace kiln {

/// True for bool, integers and floats.
bool isCastable(DType dtype) noexcept;

/// Converts each element as NumPy's astype() does: integers wrap, floats round
/// to the nearest and lose their fraction on the way to an integer, what is not
/// zero (NaN as well) is true. **Types**: isCastable() both; the tensor itself
/// where they are the same. **Errors**: INVALID_ARGUMENT for a float that the
/// integer type does not hold, NaN and infinities too, where NumPy warns and
/// gives what the processor happens to make of it; RESOURCE_EXHAUSTED.
/// **Source**: numpy.ndarray.astype(dtype, casting="unsafe").
StatusOr<Tensor> castTensor(const Tensor &tensor, DType dtype);

} // namespace kiln

#endif // KILN_TOOLS_COMMON_CASTTENSOR_H
