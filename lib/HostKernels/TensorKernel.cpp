// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the memory of a run and tensors.
#include "lib/HostKernels/TensorKernel.h"

#include "lib/HostKernels/ImmediateOp.h"
#include "lib/Support/CallWithMemory.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/memory/RunStrings.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace kiln {
namespace {

/// In memory of the run, whose handles are the bits of strings; or a copy.
StatusOr<Tensor> inputOf(const KernelCall &call, int i, DType dtype,
                         bool owns) {
  const Shape shape(call.inputDims(i));
  if (call.inputElements(i) == 0)
    return Tensor::create(dtype, shape);
  KILN_ASSIGN_OR_RETURN(Tensor lent,
                        Tensor::borrow(dtype, shape, call.input<void>(i)));
  return owns ? lent.clone() : lent;
}

/// Checks a shape against what was known of it, and binds what was not.
Status bindShape(const KernelCall &call, int i, const Shape &shape,
                 std::vector<bool> &isBound) {
  std::span<const int64_t> known = call.outputDims(i);
  bool fits = static_cast<size_t>(shape.rank()) == known.size();
  for (int d = 0; fits && d < shape.rank(); ++d) {
    int64_t extent = known[static_cast<size_t>(d)];
    if (extent >= 0) {
      fits = extent == shape.dim(d);
      continue;
    }
    auto place = static_cast<size_t>(-1 - extent);
    if (place >= isBound.size())
      isBound.resize(place + 1);
    if (isBound[place])
      fits = call.bound(static_cast<int>(place)) == shape.dim(d);
    isBound[place] = true;
    call.bind(static_cast<int>(place), shape.dim(d));
  }
  if (fits)
    return okStatus();
  std::string text;
  for (int64_t extent : known)
    text += strCat(text.empty() ? "" : ",",
                   extent < 0 ? "?" : std::to_string(extent));
  return internalError(strCat("expected output ", i, " of shape [", text,
                              "], got ", shape.toString()));
}

/// The same of an output that nothing reads, which need not be what is known of
/// it: TensorFlow's kernels make other shapes of some than its shape functions
/// say, where only another device's kernel looks at them.
void bindUnread(const KernelCall &call, int i, const Shape &shape,
                std::vector<bool> &isBound) {
  std::span<const int64_t> known = call.outputDims(i);
  bool fits = static_cast<size_t>(shape.rank()) == known.size();
  for (int d = 0; d < static_cast<int>(known.size()); ++d) {
    int64_t extent = known[static_cast<size_t>(d)];
    auto place = static_cast<size_t>(-1 - extent);
    if (extent >= 0 || (place < isBound.size() && isBound[place]))
      continue;
    isBound.resize(std::max(isBound.size(), place + 1));
    isBound[place] = true;
    call.bind(static_cast<int>(place), fits ? shape.dim(d) : 0);
  }
}

Status giveStrings(const KernelCall &call, StringHandle *handles,
                   const Tensor &tensor) {
  RunStrings *strings = call.context().strings;
  if (!strings)
    return internalError("expected a run that makes strings");
  return strings->share(tensor.data<String>(), handles);
}

/// Smaller ones are copied: a run's tail is in the cache.
constexpr size_t leastAdoptedBytes = 1 << 14;

/// Whether the run may have the memory of an output: nothing else shares it,
/// and it is not what an input was lent.
bool isAdoptable(const KernelCall &call, Tensor &output) {
  const auto data = reinterpret_cast<uintptr_t>(output.mutableRawData());
  if (!call.takesTensors() || output.byteSize() < leastAdoptedBytes ||
      output.dtype() == DType::String || !output.isUnique() || data == 0 ||
      data % abiBufferAlignment != 0)
    return false;
  for (int i = 0; i < call.numInputs(); ++i) {
    const auto begin = reinterpret_cast<uintptr_t>(call.input<void>(i));
    const auto size = static_cast<uintptr_t>(call.inputElements(i)) *
                      dtypeSize(call.inputDType(i));
    if (data - begin < size)
      return false;
  }
  return true;
}

Status run(const KernelCall &call, bool ownsInputs,
           const ComputeTensors &compute) {
  auto dtypeAt = [&](int i) {
    return static_cast<DType>(std::abs(call.number(1 + i)));
  };
  auto isRead = [&](int i) {
    return call.number(1 + call.numInputs() + i) > 0;
  };
  std::vector<Tensor> inputs;
  for (int i = 0; i < call.numInputs(); ++i) {
    KILN_ASSIGN_OR_RETURN(inputs.emplace_back(),
                          inputOf(call, i, dtypeAt(i), ownsInputs));
  }
  std::vector<DType> expected;
  for (int i = 0; i < call.numOutputs(); ++i)
    expected.push_back(dtypeAt(call.numInputs() + i));
  KILN_ASSIGN_OR_RETURN(std::vector<Tensor> outputs,
                        compute(std::move(inputs), expected));
  std::vector<bool> isBound, isFound;
  for (int i = 0; i < call.numOutputs(); ++i) {
    std::span<const int64_t> dims = call.outputDims(i);
    isFound.push_back(std::any_of(dims.begin(), dims.end(),
                                  [](int64_t dim) { return dim < 0; }));
    if (isRead(i))
      KILN_RETURN_IF_ERROR(
          bindShape(call, i, outputs[static_cast<size_t>(i)].shape(), isBound));
  }
  for (int i = 0; i < call.numOutputs(); ++i)
    if (!isRead(i))
      bindUnread(call, i, outputs[static_cast<size_t>(i)].shape(), isBound);
  for (int i = 0; i < call.numOutputs(); ++i) {
    Tensor &output = outputs[static_cast<size_t>(i)];
    if (isFound[static_cast<size_t>(i)] && isRead(i) &&
        isAdoptable(call, output)) {
      if (!call.adopt(i, std::move(output)))
        return okStatus(); // the error is recorded
      continue;
    }
    void *data = isFound[static_cast<size_t>(i)] ? call.allocate(i)
                                                 : call.output<void>(i);
    if (output.numElements() == 0 || !isRead(i))
      continue;
    if (!data)
      return okStatus(); // the error is recorded
    if (output.dtype() == DType::String)
      KILN_RETURN_IF_ERROR(
          giveStrings(call, static_cast<StringHandle *>(data), output));
    else
      std::memcpy(data, output.rawData(), output.byteSize());
  }
  return okStatus();
}

} // namespace

int32_t computeOnTensors(const KernelCall &call, bool ownsInputs,
                         const ComputeTensors &compute) noexcept {
  Status status =
      callWithMemory([&] { return run(call, ownsInputs, compute); });
  if (!status.ok())
    (void)call.fail(std::move(status));
  return mustStop(call.state());
}

} // namespace kiln
