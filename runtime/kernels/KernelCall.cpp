// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates outputs of kernels that find out sizes.
#include "runtime/kernels/KernelCall.h"

#include "runtime/memory/ArenaTail.h"

namespace kiln {

void *KernelCall::allocate(int i) const noexcept {
  KilnTensor &out = call.outs[i];
  std::span<int64_t> dims(out.dims, static_cast<size_t>(out.rank));
  for (int64_t &dim : dims)
    if (dim < 0)
      dim = call.bound[-1 - dim];
  out.data =
      call.allocator
          ? static_cast<KernelOutputs *>(call.allocator)->allocate(i, dims)
          : allocateInTail(call.state, call.node, dims,
                           static_cast<int64_t>(dtypeSize(outputDType(i))));
  return out.data;
}

} // namespace kiln
