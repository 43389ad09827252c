// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the kernels of slots with tensors that are between parts of a run.
#include "lib/Exec/SlotOps.h"

#include "lib/OpDefs/SlotCalls.h"
#include "lib/Plan/cut/CutKind.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/KernelRegistry.h"
#include "runtime/memory/RunStrings.h"
#include "runtime/slots/Slots.h"

#include <algorithm>
#include <set>

namespace kiln {
namespace {

/// What a unit fixes.
struct SlotOp final : BlockingOp {
  explicit SlotOp(const CutUnit &unit)
      : node(*unit.node), calls(slotCallsOf(node)) {
    for (int i = 0; i < node.numOutputs(); ++i)
      dtypes.push_back(node.outputDType(i));
    if (!calls)
      return;
    name = Tensor::scalar(std::string_view(calls->name));
    for (const SlotKernelCall &call : calls->calls) {
      kernels.push_back(KernelRegistry::process().find(call.kernel));
      for (const SlotNumber &number : call.numbers)
        if (number.kind != SlotNumber::Kind::Constant)
          (number.kind == SlotNumber::Kind::Input ? slotInputs : slotOutputs)
              .insert(static_cast<int>(number.value));
    }
    if (calls->changesList)
      slotInputs.insert(0);
  }

  std::unique_ptr<BlockingAttempt> makeAttempt() const override;
  std::string_view cancelledText() const override { return "Cancelled"; }

  /// What kernels call a slot while the op is at work: outputs, then inputs.
  int64_t place(const SlotNumber &number) const {
    switch (number.kind) {
    case SlotNumber::Kind::Constant:
      return number.value;
    case SlotNumber::Kind::Output:
      return -1 - number.value;
    case SlotNumber::Kind::Input:
      return -1 - static_cast<int64_t>(dtypes.size()) - number.value;
    }
  }

  const Node &node;
  const std::optional<SlotCalls> calls; ///< none: passes on what it is given
  std::vector<const Kernel *> kernels;  ///< of `calls`
  const Kernel *const copyList = KernelRegistry::process().find("ListCopy");
  std::set<int> slotInputs, slotOutputs;
  Tensor name;
  std::vector<DType> dtypes; ///< of the outputs
};

class SlotAttempt final : public BlockingAttempt, public KernelOutputs {
public:
  explicit SlotAttempt(const SlotOp &op) : op(op) {}

  StatusOr<bool> begin(std::span<Tensor> inputs, std::span<Tensor> outputs,
                       RunContext &run) override {
    if (!op.calls) {
      for (size_t i = 0; i < outputs.size(); ++i)
        outputs[i] = inputs[static_cast<size_t>(
            passedInput(op.node, static_cast<int>(i)))];
      return true;
    }
    failure = okStatus();
    results.assign(op.dtypes.size(), Tensor());
    KILN_RETURN_IF_ERROR(findSlots(inputs, run));
    for (size_t i = 0; i < op.kernels.size(); ++i) {
      const SlotKernelCall &call = op.calls->calls[i];
      std::vector<int64_t> numbers;
      for (const SlotNumber &number : call.numbers)
        numbers.push_back(op.place(number));
      KILN_RETURN_IF_ERROR(prepare(call, inputs, run));
      first = static_cast<size_t>(std::max(call.firstOutput, 0));
      KILN_RETURN_IF_ERROR(runKernel(*op.kernels[i], numbers, run));
    }
    KILN_RETURN_IF_ERROR(give(inputs, outputs, run));
    return true;
  }
  bool hasEnded() const override { return true; }
  Status end(std::span<Tensor>) override { return okStatus(); }
  void abandon() override {}

  void *allocate(int output, std::span<const int64_t> dims) noexcept override {
    auto place = first + static_cast<size_t>(output);
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

  /// Puts slots where kernels look for them.
  Status findSlots(std::span<Tensor> inputs, RunContext &run) {
    for (int i : op.slotOutputs)
      run.slots->vacate(op.place(SlotNumber::output(i)));
    for (int i : op.slotInputs)
      KILN_RETURN_IF_ERROR(recall(inputs[static_cast<size_t>(i)],
                                  op.place(SlotNumber::input(i)), run));
    changesInPlace = op.calls->changesList && inputs.front().isUnique();
    if (!op.calls->changesList)
      return okStatus();
    int64_t to = op.place(SlotNumber::output(0));
    if (changesInPlace)
      return recall(inputs.front(), to, run);
    ins.clear();
    outs.clear();
    return runKernel(*op.copyList, {to, op.place(SlotNumber::input(0))}, run);
  }

  static Status recall(const Tensor &slot, int64_t place, RunContext &run) {
    bool isNumber = slot.dtype() == DType::Int64 && slot.rank() == 0;
    int64_t number = isNumber ? slot.data<int64_t>()[0] : noSlot;
    return run.slots->recall(place, number)
               ? okStatus()
               : internalError(
                     strCat("expected a slot of the run, got ", number));
  }

  Status runKernel(const Kernel &kernel, const std::vector<int64_t> &numbers,
                   RunContext &run) {
    KilnRunState state = makeRunState(&run);
    KilnKernelCall call = {.state = &state,
                           .ins = ins.data(),
                           .outs = outs.data(),
                           .numbers = numbers.data(),
                           .bound = nullptr,
                           .allocator = static_cast<KernelOutputs *>(this),
                           .numIns = static_cast<int32_t>(ins.size()),
                           .numOuts = static_cast<int32_t>(outs.size()),
                           .numNumbers = static_cast<int32_t>(numbers.size()),
                           .node = -1};
    bool hasFailed = kernel.run(&call) != 0;
    KILN_RETURN_IF_ERROR(failure);
    return hasFailed ? runStatus(state, {}) : okStatus();
  }

  Status prepare(const SlotKernelCall &call, std::span<Tensor> inputs,
                 RunContext &run) {
    ins.clear();
    outs.clear();
    stringInputs.clear();
    integers.clear();
    integers.reserve(call.inputs.size());
    shapes.resize(call.inputs.size());
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      const SlotInput &input = call.inputs[i];
      const Tensor *given = &op.name;
      if (input.kind == SlotInput::Kind::Input)
        given = &inputs[static_cast<size_t>(input.value)];
      else if (input.kind == SlotInput::Kind::Integer)
        given = &integers.emplace_back(Tensor::scalar<int32_t>(input.value));
      KILN_RETURN_IF_ERROR(add(*given, shapes[i], run));
    }
    if (call.firstOutput >= 0)
      for (auto i = static_cast<size_t>(call.firstOutput); i < op.dtypes.size();
           ++i)
        outs.push_back(
            {nullptr, nullptr, static_cast<int32_t>(op.dtypes[i]), -1});
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

  Status give(std::span<Tensor> inputs, std::span<Tensor> outputs,
              RunContext &run) {
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i].isValid() && results[i].dtype() == DType::String)
        std::transform(handles.handles().begin(), handles.handles().end(),
                       results[i].mutableData<String>().begin(), stringOf);
      outputs[i] = std::move(results[i]);
    }
    if (op.calls->beginsFlow)
      outputs.back() = Tensor::scalar(0.0f);
    if (op.calls->passed >= 0)
      outputs.back() = std::move(inputs[static_cast<size_t>(op.calls->passed)]);
    for (int i : op.slotOutputs) {
      const Slot *slot = run.slots->at(op.place(SlotNumber::output(i)));
      if (!slot)
        return errorStatus(ErrorKind::OutOfSlots, {});
      outputs[static_cast<size_t>(i)] = Tensor::scalar(slot->place);
    }
    if (changesInPlace)
      outputs.front() = std::move(inputs.front());
    return okStatus();
  }

  const SlotOp &op;
  bool changesInPlace = false;
  size_t first = 0; ///< of the outputs of the call at work
  std::vector<KilnTensor> ins, outs;
  std::vector<std::vector<int64_t>> shapes; ///< of `ins`
  std::vector<Tensor> integers;             ///< among `ins`
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
