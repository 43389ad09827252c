// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the kernels of slots with tensors that are between parts of a run.
#include "lib/Session/SlotOps.h"

#include "lib/Ops/TensorArray/SlotKernel.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/KernelCall.h"
#include "runtime/KernelRegistry.h"
#include "runtime/RunStrings.h"

#include <algorithm>

namespace kiln {
namespace {

/// What a unit fixes.
struct SlotOp final : BlockingOp {
  explicit SlotOp(const CutUnit &unit)
      : call(slotKernelOf(*unit.node)), makes(makesSlot(*unit.node)),
        kernel(KernelRegistry::process().find(call.name)),
        text(Tensor::scalar(std::string_view(call.text))) {
    for (int slot : {unit.madeSlot, unit.slot})
      if (slot >= 0)
        numbers.push_back(slot);
    numbers.insert(numbers.end(), call.numbers.begin(), call.numbers.end());
    for (int i = 0; i < unit.node->numOutputs(); ++i)
      dtypes.push_back(unit.node->outputDType(i));
  }

  std::unique_ptr<BlockingAttempt> makeAttempt() const override;
  std::string_view cancelledText() const override { return "Cancelled"; }

  const SlotKernel call;
  const bool makes; ///< not of another one
  const Kernel *const kernel;
  const Tensor text; ///< what the slot is called
  std::vector<int64_t> numbers;
  std::vector<DType> dtypes; ///< of the outputs
};

class SlotAttempt final : public BlockingAttempt, public KernelOutputs {
public:
  explicit SlotAttempt(const SlotOp &op) : op(op) {}

  StatusOr<bool> begin(std::span<Tensor> inputs, std::span<Tensor> outputs,
                       RunContext &run) override {
    KILN_RETURN_IF_ERROR(prepare(inputs, run));
    KilnRunState state = makeRunState(&run);
    KilnKernelCall call = {.state = &state,
                           .ins = ins.data(),
                           .outs = outs.data(),
                           .numbers = op.numbers.data(),
                           .bound = nullptr,
                           .allocator = static_cast<KernelOutputs *>(this),
                           .numIns = static_cast<int32_t>(ins.size()),
                           .numOuts = static_cast<int32_t>(outs.size()),
                           .numNumbers =
                               static_cast<int32_t>(op.numbers.size()),
                           .node = -1};
    bool hasFailed = op.kernel->run(&call) != 0;
    KILN_RETURN_IF_ERROR(failure);
    if (hasFailed)
      return runStatus(state, {}, run.variableNames);
    give(inputs, outputs);
    return true;
  }
  bool hasEnded() const override { return true; }
  Status end(std::span<Tensor>) override { return okStatus(); }
  void abandon() override {}

  void *allocate(int output, std::span<const int64_t> dims) noexcept override {
    auto place = static_cast<size_t>(output);
    Shape shape;
    for (int64_t dim : dims)
      shape.appendDim(dim);
    auto made = Tensor::create(op.dtypes[place], shape);
    if (!made.ok()) {
      failure = made.status();
      return nullptr;
    }
    results[place] = *std::move(made);
    if (op.dtypes[place] == DType::String) {
      failure =
          handles.resize(static_cast<size_t>(results[place].numElements()));
      return failure.ok() && !handles.handles().empty()
                 ? static_cast<void *>(handles.handles().data())
                 : nothing(failure.ok());
    }
    void *data = results[place].mutableRawData();
    return data ? data : nothing(true);
  }

private:
  /// No elements have an address, too.
  void *nothing(bool isAllocated) noexcept {
    return isAllocated ? &failure : nullptr;
  }

  Status prepare(std::span<Tensor> inputs, RunContext &run) {
    failure = okStatus();
    ins.clear();
    outs.clear();
    stringInputs.clear();
    results.assign(op.call.gives ? op.dtypes.size() : 0, Tensor());
    const size_t handle = op.makes ? 0 : 1;
    std::vector<const Tensor *> given;
    if (op.call.lacksLimit)
      given.push_back(&noLimit);
    for (int i : op.call.inputs)
      given.push_back(&inputs[static_cast<size_t>(i) - handle]);
    if (op.call.textAt >= 0)
      given.insert(given.begin() + op.call.textAt, &op.text);
    shapes.resize(given.size());
    for (size_t i = 0; i < given.size(); ++i)
      KILN_RETURN_IF_ERROR(add(*given[i], shapes[i], run));
    for (DType dtype : op.dtypes)
      if (op.call.gives)
        outs.push_back({nullptr, nullptr, static_cast<int32_t>(dtype), -1});
    return okStatus();
  }

  /// The run keeps the strings of a tensor: the slot will hold their handles.
  Status add(const Tensor &tensor, std::vector<int64_t> &dims,
             RunContext &run) {
    dims.assign(tensor.shape().dims().begin(), tensor.shape().dims().end());
    void *data = const_cast<void *>(tensor.rawData());
    if (tensor.dtype() == DType::String) {
      auto strings = tensor.data<String>();
      StringLack lack;
      if (!run.strings->reserve(strings.size(), lack))
        return lack.status();
      for (const String &text : strings)
        run.strings->keep(text);
      auto &own = stringInputs.emplace_back();
      KILN_RETURN_IF_ERROR(own.resize(strings.size()));
      std::transform(strings.begin(), strings.end(), own.handles().begin(),
                     handleOf);
      data = own.handles().data();
    }
    ins.push_back({data, dims.data(), static_cast<int32_t>(tensor.dtype()),
                   static_cast<int32_t>(dims.size())});
    return okStatus();
  }

  void give(std::span<Tensor> inputs, std::span<Tensor> outputs) {
    const size_t last = outputs.empty() ? 0 : outputs.size() - 1;
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i].dtype() == DType::String)
        std::transform(handles.handles().begin(), handles.handles().end(),
                       results[i].mutableData<String>().begin(), stringOf);
      outputs[i] = std::move(results[i]);
    }
    if (op.makes && last > 0)
      outputs[last] = Tensor::scalar(0.0f); // the flow
    if (op.call.passes >= 0 && !outputs.empty() &&
        last >= static_cast<size_t>(op.call.makesGradient))
      outputs[last] =
          std::move(inputs[static_cast<size_t>(op.call.passes) - 1]);
  }

  const SlotOp &op;
  const Tensor noLimit = Tensor::scalar<int32_t>(-1);
  std::vector<KilnTensor> ins, outs;
  std::vector<std::vector<int64_t>> shapes; ///< of `ins`
  std::vector<HandleMemory> stringInputs;
  HandleMemory handles; ///< of an output: no kernel gives two of strings
  std::vector<Tensor> results;
  Status failure; ///< why an output could not be allocated
};

std::unique_ptr<BlockingAttempt> SlotOp::makeAttempt() const {
  return std::make_unique<SlotAttempt>(*this);
}

} // namespace

std::unique_ptr<BlockingOp> bindSlotOp(const CutUnit &unit) {
  return std::make_unique<SlotOp>(unit);
}

} // namespace kiln
