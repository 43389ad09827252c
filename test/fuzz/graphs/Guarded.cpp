// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole pages for the elements, and one without access on each side.
#include "test/fuzz/graphs/Guarded.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace kiln::fuzz {

Tensor guardedCopy(const Tensor &tensor, Side side) {
  if (tensor.dtype() == DType::String)
    return tensor;
  auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  size_t bytes = tensor.byteSize(),
         inside = (std::max<size_t>(bytes, 1) + page - 1) / page * page,
         all = inside + 2 * page;
  void *mapped =
      ::mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED)
    return tensor;
  char *begin = static_cast<char *>(mapped) + page;
  if (::mprotect(begin, inside, PROT_READ | PROT_WRITE) != 0)
    return tensor;
  char *data = side == Side::Before ? begin : begin + inside - bytes;
  std::memcpy(data, tensor.rawData(), bytes);
  auto made = Tensor::borrow(tensor.dtype(), tensor.shape(),
                             static_cast<const void *>(data),
                             [=] { ::munmap(mapped, all); });
  return made.ok() ? *std::move(made) : tensor;
}

} // namespace kiln::fuzz
