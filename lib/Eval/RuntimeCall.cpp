// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the kernels of the runtime, the same functions as native code, and
// binds what they find out.
#include "lib/Eval/Interpreter.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/abi/RunState.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/KernelRegistry.h"

#include <algorithm>
#include <deque>

namespace kiln::eval {
namespace {

/// The operands and results of one call, as the kernel sees them.
class Arguments : public KernelOutputs {
public:
  Arguments(const Op &op, const RuntimeCallOp &called, Interpreter &interpreter)
      : op(op), interpreter(interpreter),
        numbers(interpreter.program.numbersOf(called.numbers)),
        binds(interpreter.program.numbersOf(called.binds)),
        bound(binds.size()) {}

  Status prepare() {
    for (ValueId operand : interpreter.operandsOf(op)) {
      KILN_ASSIGN_OR_RETURN(Tensor tensor, interpreter.dense(operand));
      KILN_RETURN_IF_ERROR(add(tensor, operand, ins));
      inputs.push_back(std::move(tensor));
    }
    for (ValueId result : interpreter.resultsOf(op)) {
      Tensor tensor;
      if (!isFoundOut(result)) {
        KILN_ASSIGN_OR_RETURN(tensor, interpreter.allocateFor(result));
      }
      KILN_RETURN_IF_ERROR(add(tensor, result, outs));
      outputs.push_back(std::move(tensor));
    }
    return okStatus();
  }

  KilnKernelCall call() {
    return {.state = nullptr,
            .ins = ins.data(),
            .outs = outs.data(),
            .numbers = numbers.data(),
            .bound = bound.data(),
            .allocator = static_cast<KernelOutputs *>(this),
            .numIns = static_cast<int32_t>(ins.size()),
            .numOuts = static_cast<int32_t>(outs.size()),
            .numNumbers = static_cast<int32_t>(numbers.size()),
            .node = -1};
  }

  void *allocate(int output,
                 std::span<const int64_t> extents) noexcept override {
    Shape shape;
    for (int64_t extent : extents)
      shape.appendDim(extent);
    auto index = static_cast<size_t>(output);
    auto made =
        interpreter.allocate(interpreter.program.dtypeOf(interpreter.resultOf(
                                 op, static_cast<uint32_t>(output))),
                             shape);
    if (!made.ok()) {
      failure = made.status();
      return nullptr;
    }
    outputs[index] = *std::move(made);
    // No elements have an address, too.
    void *data = outputs[index].mutableRawData();
    return data ? data : &failure;
  }

  /// Why an output could not be allocated.
  Status failure;

  Status bindResults() {
    for (size_t i = 0; i < binds.size(); ++i)
      KILN_RETURN_IF_ERROR(interpreter.setSymbol(binds[i], bound[i]));
    for (uint32_t i = 0; i < op.results.size; ++i)
      interpreter.bindOwned(interpreter.resultOf(op, i), std::move(outputs[i]));
    return okStatus();
  }

private:
  Status add(const Tensor &tensor, ValueId value,
             std::vector<KilnTensor> &list) {
    auto &own = dims.emplace_back();
    for (const Dim &dim : interpreter.program.dimsOf(value)) {
      // What the call binds is -1 - j, as runtime/abi/Abi.h has it.
      if (int64_t place = boundPlace(dim); place >= 0) {
        own.push_back(-1 - place);
        continue;
      }
      KILN_ASSIGN_OR_RETURN(int64_t extent, interpreter.numberOf(dim));
      own.push_back(extent);
    }
    void *data =
        tensor.isValid() ? const_cast<void *>(tensor.rawData()) : nullptr;
    list.push_back({data, own.data(),
                    static_cast<int32_t>(interpreter.program.dtypeOf(value)),
                    static_cast<int32_t>(own.size())});
    return okStatus();
  }
  /// The place in `binds` of a dimension's symbol, or -1.
  int64_t boundPlace(const Dim &dim) const {
    auto found =
        dim.isSymbol() ? std::ranges::find(binds, dim.symbol) : binds.end();
    return found == binds.end() ? -1 : found - binds.begin();
  }
  /// Whether the call binds a symbol of the value's shape.
  bool isFoundOut(ValueId value) const {
    return std::ranges::any_of(
        interpreter.program.dimsOf(value),
        [&](const Dim &dim) { return boundPlace(dim) >= 0; });
  }

  const Op &op;
  Interpreter &interpreter;
  std::span<const int64_t> numbers, binds;
  std::vector<Tensor> inputs, outputs;
  std::vector<KilnTensor> ins, outs;
  std::deque<std::vector<int64_t>> dims;
  std::vector<int64_t> bound;
};

/// Calls the kernel in the run's own state, where it finds what it needs of the
/// run; its error is returned, not left there.
Status call(const kiln::Kernel &kernel, KilnKernelCall arguments,
            KilnRunState *runState) {
  RunContext noContext;
  KilnRunState ownState = makeRunState(&noContext);
  arguments.state = runState ? runState : &ownState;
  arguments.node = -1;
  if (kernel.run(&arguments) == 0)
    return okStatus();
  Status status = runStatus(*arguments.state, {});
  arguments.state->errorCode = 0;
  return status;
}

} // namespace

Status evaluateOp(const Op &op, const RuntimeCallOp &called,
                  Interpreter &interpreter) {
  const kiln::Kernel &kernel = *called.kernel;
  if (kernel.hasEffects && !kernel.effectsEndWithRun)
    KILN_RETURN_IF_ERROR(interpreter.beforeEffect(op, -1));
  Arguments arguments(op, called, interpreter);
  KILN_RETURN_IF_ERROR(arguments.prepare());
  Status status =
      call(kernel, arguments.call(), interpreter.environment().state);
  KILN_RETURN_IF_ERROR(arguments.failure);
  KILN_RETURN_IF_ERROR(status);
  return arguments.bindResults();
}

} // namespace kiln::eval
