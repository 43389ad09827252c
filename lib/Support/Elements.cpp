// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies bytes, or assigns strings.
#include "lib/Support/Elements.h"

#include <algorithm>
#include <cstring>

namespace kiln {

void copyElements(Tensor &to, int64_t at, const Tensor &from, int64_t begin,
                  int64_t count) noexcept {
  if (count <= 0)
    return;
  if (to.dtype() == DType::String) {
    std::copy_n(from.data<String>().begin() + begin, count,
                to.mutableData<String>().begin() + at);
    return;
  }
  auto size = static_cast<int64_t>(dtypeSize(to.dtype()));
  std::memcpy(static_cast<char *>(to.mutableRawData()) + at * size,
              static_cast<const char *>(from.rawData()) + begin * size,
              static_cast<size_t>(count * size));
}

} // namespace kiln
