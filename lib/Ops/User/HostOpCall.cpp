// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a user's kernel sees of its call.
#include "kiln/RegisterOp.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/resources/CallerLocks.h"

#include <bit>
#include <exception>

namespace kiln {

int OpCall::numInputs() const { return call.numIns; }
int OpCall::numOutputs() const { return call.numOuts; }
DType OpCall::inputDType(int i) const {
  return KernelCall(&call).inputDType(i);
}
DType OpCall::outputDType(int i) const {
  return KernelCall(&call).outputDType(i);
}
std::span<const int64_t> OpCall::inputShape(int i) const {
  return KernelCall(&call).inputDims(i);
}
std::span<const int64_t> OpCall::outputShape(int i) const {
  return KernelCall(&call).outputDims(i);
}
int64_t OpCall::intAttr(int i) const {
  return i >= 0 && i < call.numNumbers ? call.numbers[i] : 0;
}
double OpCall::floatAttr(int i) const {
  return std::bit_cast<double>(intAttr(i));
}
bool OpCall::mustStop() const { return kiln::mustStop(call.state); }
const void *OpCall::inputData(int i) const { return call.ins[i].data; }
void *OpCall::outputData(int i) const { return call.outs[i].data; }

int32_t runOpKernel(const KilnKernelCall *raw,
                    Status (*compute)(OpCall &)) noexcept {
  CallerLocks callers(raw->state); // the kernel may run sessions
  OpCall call(*raw);
  Status status;
  try {
    status = compute(call);
  } catch (const std::exception &exception) {
    status = internalError(exception.what());
  } catch (...) {
    status = internalError("the kernel threw something that is no "
                           "std::exception");
  }
  if (!status.ok())
    recordError(raw->state, raw->node, std::move(status));
  return mustStop(raw->state);
}

} // namespace kiln
