// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers are copied as bytes, strings one by one.
#include "lib/Pipelines/Rows.h"

#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <cstring>

namespace kiln {

void copyElements(const Tensor &part, Tensor &whole, int64_t begin) {
  if (part.dtype() == DType::String) {
    std::ranges::copy(part.data<String>(),
                      whole.mutableData<String>().begin() + begin);
    return;
  }
  if (part.byteSize() != 0)
    std::memcpy(static_cast<char *>(whole.mutableRawData()) +
                    static_cast<size_t>(begin) * dtypeSize(part.dtype()),
                part.rawData(), part.byteSize());
}

StatusOr<Tensor> rowOf(const Tensor &tensor, int64_t row) {
  const Shape shape(tensor.shape().dims().subspan(1));
  KILN_ASSIGN_OR_RETURN(Tensor made, Tensor::create(tensor.dtype(), shape));
  const int64_t count = made.numElements();
  if (tensor.dtype() == DType::String)
    std::ranges::copy(
        tensor.data<String>().subspan(static_cast<size_t>(row * count),
                                      static_cast<size_t>(count)),
        made.mutableData<String>().begin());
  else if (made.byteSize() != 0)
    std::memcpy(made.mutableRawData(),
                static_cast<const char *>(tensor.rawData()) +
                    static_cast<size_t>(row) * made.byteSize(),
                made.byteSize());
  return made;
}

} // namespace kiln
