// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel sees of one call: tensors, numbers, the run that it stops.
#ifndef KILN_RUNTIME_KERNELS_KERNELCALL_H
#define KILN_RUNTIME_KERNELS_KERNELCALL_H

#include "kiln/DType.h"
#include "runtime/abi/RunState.h"

#include <span>

namespace kiln {

class Tensor;

/// What gives memory for the outputs whose sizes a kernel finds out, where that
/// is not the run's tail.
class KernelOutputs {
public:
  virtual ~KernelOutputs() = default;
  /// Null where there is none; an error is recorded or kept then.
  virtual void *allocate(int output,
                         std::span<const int64_t> dims) noexcept = 0;
};

/// Reads the ABI's KilnKernelCall. **Ownership**: borrows everything. Thread
/// safety: that of the run's state.
class KernelCall {
public:
  explicit KernelCall(const KilnKernelCall *call) noexcept : call(*call) {}

  template <class T> const T *input(int i) const noexcept {
    return static_cast<const T *>(call.ins[i].data);
  }
  template <class T> T *output(int i) const noexcept {
    return static_cast<T *>(call.outs[i].data);
  }
  DType inputDType(int i) const noexcept { return dtypeOf(call.ins[i]); }
  DType outputDType(int i) const noexcept { return dtypeOf(call.outs[i]); }
  std::span<const int64_t> inputDims(int i) const noexcept {
    return dimsOf(call.ins[i]);
  }
  std::span<const int64_t> outputDims(int i) const noexcept {
    return dimsOf(call.outs[i]);
  }
  int64_t inputElements(int i) const noexcept {
    return elementsOf(call.ins[i]);
  }
  int64_t outputElements(int i) const noexcept {
    return elementsOf(call.outs[i]);
  }
  /// Says what the kernel found out as its number j.
  void bind(int j, int64_t value) const noexcept { call.bound[j] = value; }
  /// Allocates output i, of a shape with what was bound; null, with the error
  /// recorded, where there is no memory.
  void *allocate(int i) const noexcept;
  /// Makes a tensor's memory that of output i, of a shape with what was bound;
  /// false, with the error recorded, for too many bytes.
  bool adopt(int i, Tensor tensor) const noexcept;
  /// Whether adopt() may be called.
  bool takesTensors() const noexcept { return !call.allocator; }
  template <class T> T *allocateOutput(int i) const noexcept {
    return static_cast<T *>(allocate(i));
  }
  /// Whether the caller takes output i of whatever shape, which allocateAs()
  /// says.
  bool hasAnyShape(int i) const noexcept { return call.outs[i].rank < 0; }
  void *allocateAs(int i, std::span<const int64_t> dims) const noexcept {
    return static_cast<KernelOutputs *>(call.allocator)->allocate(i, dims);
  }
  int64_t bound(int j) const noexcept { return call.bound[j]; }
  int numInputs() const noexcept { return call.numIns; }
  int numOutputs() const noexcept { return call.numOuts; }
  /// What the call fixes.
  int64_t number(int i) const noexcept { return call.numbers[i]; }
  int numNumbers() const noexcept { return call.numNumbers; }

  KilnRunState *state() const noexcept { return call.state; }
  int32_t node() const noexcept { return call.node; }
  RunContext &context() const noexcept {
    return *static_cast<RunContext *>(call.state->context);
  }
  /// Records an error of the kernel's node; returns false.
  bool fail(ErrorKind kind, int64_t v0 = 0, int64_t v1 = 0,
            int64_t v2 = 0) const noexcept {
    recordError(call.state, kind, call.node, v0, v1, v2);
    return false;
  }
  /// The same in a run, with a text of its own.
  bool fail(Status error) const noexcept {
    recordError(call.state, call.node, std::move(error));
    return false;
  }

  /// Calls body(i) for i in [0, count) until it returns false or the run is to
  /// stop. Returns what a kernel does.
  template <class Body>
  int32_t forEach(int64_t count, Body &&body) const noexcept {
    constexpr int64_t elementsBetweenPolls = 1 << 12;
    for (int64_t i = 0; i < count; ++i)
      if ((i % elementsBetweenPolls == 0 && mustStop(call.state)) || !body(i))
        return 1;
    return mustStop(call.state);
  }

private:
  void bindDims(int i) const noexcept;
  static DType dtypeOf(const KilnTensor &tensor) noexcept {
    return static_cast<DType>(tensor.dtype);
  }
  static std::span<const int64_t> dimsOf(const KilnTensor &tensor) noexcept {
    return {tensor.dims, static_cast<size_t>(tensor.rank)};
  }
  static int64_t elementsOf(const KilnTensor &tensor) noexcept {
    int64_t elements = 1;
    for (int64_t dim : dimsOf(tensor))
      elements *= dim;
    return elements;
  }

  const KilnKernelCall &call;
};

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_KERNELCALL_H
