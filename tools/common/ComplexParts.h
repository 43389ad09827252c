// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers as the real ones that they lie in memory as.
#ifndef KILN_TOOLS_COMMON_COMPLEXPARTS_H
#define KILN_TOOLS_COMMON_COMPLEXPARTS_H

#include "kiln/Tensor.h"

#include <vector>

namespace kiln {

/// A view of a tensor of complex numbers with a last dimension of two parts.
/// **Ownership**: borrows the tensor's memory.
inline StatusOr<Tensor> partsOf(const Tensor &tensor) {
  std::vector<int64_t> dims(tensor.shape().dims().begin(),
                            tensor.shape().dims().end());
  dims.push_back(2);
  const DType part =
      tensor.dtype() == DType::Complex64 ? DType::Float32 : DType::Float64;
  return Tensor::borrow(part, Shape(std::span<const int64_t>(dims)),
                        tensor.rawData());
}

} // namespace kiln

#endif // KILN_TOOLS_COMMON_COMPLEXPARTS_H
