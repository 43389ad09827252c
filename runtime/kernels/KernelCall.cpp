// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates outputs of kernels that find out sizes.
#include "runtime/kernels/KernelCall.h"

#include "runtime/memory/ArenaTail.h"

namespace kiln {

void KernelCall::bindDims(int i) const noexcept {
  const KilnTensor &out = call.outs[i];
  for (int64_t &dim : std::span(out.dims, static_cast<size_t>(out.rank)))
    if (dim < 0)
      dim = call.bound[-1 - dim];
}

void *KernelCall::allocate(int i) const noexcept {
  bindDims(i);
  KilnTensor &out = call.outs[i];
  const std::span<const int64_t> dims = dimsOf(out);
  out.data =
      call.allocator
          ? static_cast<KernelOutputs *>(call.allocator)->allocate(i, dims)
          : allocateInTail(call.state, call.node, dims,
                           static_cast<int64_t>(dtypeSize(outputDType(i))));
  return out.data;
}

bool KernelCall::adopt(int i, Tensor tensor) const noexcept {
  bindDims(i);
  call.outs[i].data = adoptInTail(call.state, call.node, std::move(tensor));
  return call.outs[i].data;
}

} // namespace kiln
