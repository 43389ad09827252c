// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the kernels of the runtime, the same functions as native code, and
// binds what they find out.
#include "lib/Eval/Interpreter.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/KernelCall.h"
#include "runtime/KernelRegistry.h"
#include "runtime/RunState.h"

#include <deque>

using namespace mlir;

namespace kiln::eval {
namespace {

/// The operands and results of one call, as the kernel sees them.
class Arguments : public KernelOutputs {
public:
  Arguments(ir::RuntimeCallOp op, Interpreter &interpreter)
      : op(op), interpreter(interpreter) {}

  Status prepare() {
    for (Value operand : op.getIns()) {
      KILN_ASSIGN_OR_RETURN(Tensor tensor, interpreter.dense(operand));
      add(tensor, operand.getType(), ins);
      inputs.push_back(std::move(tensor));
    }
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      Tensor tensor;
      if (!op.isFoundOut(op.getIns().size() + i)) {
        KILN_ASSIGN_OR_RETURN(tensor, interpreter.allocateFor(result));
      }
      add(tensor, result.getType(), outs);
      outputs.push_back(std::move(tensor));
    }
    bound.resize(op.getBinds().size());
    return okStatus();
  }

  KilnKernelCall call() {
    ArrayRef<int64_t> numbers = op.getNumbers();
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
        interpreter.allocate(ir::dtypeOf(op.getResultTypes()[index]), shape);
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

  void bindResults() {
    for (auto [id, value] : llvm::zip_equal(op.getBinds(), bound))
      interpreter.environment().symbols[static_cast<size_t>(id)] = value;
    for (auto [result, tensor] : llvm::zip_equal(op.getResults(), outputs))
      interpreter.bindOwned(result, std::move(tensor));
  }

private:
  void add(const Tensor &tensor, Type type, std::vector<KilnTensor> &list) {
    auto &own = dims.emplace_back();
    for (const ir::Extent &extent : ir::extentsOf(cast<RankedTensorType>(type)))
      own.push_back(valueOf(extent));
    void *data =
        tensor.isValid() ? const_cast<void *>(tensor.rawData()) : nullptr;
    list.push_back({data, own.data(), static_cast<int32_t>(ir::dtypeOf(type)),
                    static_cast<int32_t>(own.size())});
  }
  /// What the call binds is -1 - j, as runtime/Abi.h has it.
  int64_t valueOf(const ir::Extent &extent) {
    if (extent.isKnown())
      return extent.value;
    int64_t place = op.boundPlace(extent);
    return place >= 0 ? -1 - place
                      : interpreter.environment()
                            .symbols[static_cast<size_t>(extent.symbol)];
  }

  ir::RuntimeCallOp op;
  Interpreter &interpreter;
  std::vector<Tensor> inputs, outputs;
  std::vector<KilnTensor> ins, outs;
  std::deque<std::vector<int64_t>> dims;
  std::vector<int64_t> bound;
};

/// Calls the kernel in the run's own state, where it finds what it needs of the
/// run; its error is returned, not left there.
Status call(const Kernel &kernel, KilnKernelCall arguments,
            KilnRunState *runState) {
  RunContext noContext;
  KilnRunState ownState = makeRunState(&noContext);
  arguments.state = runState ? runState : &ownState;
  arguments.node = -1;
  if (kernel.run(&arguments) == 0)
    return okStatus();
  const auto *run = static_cast<RunContext *>(arguments.state->context);
  Status status =
      runStatus(*arguments.state, {},
                run ? run->variableNames : std::span<const std::string>());
  arguments.state->errorCode = 0;
  return status;
}

} // namespace

Status evaluateOp(ir::RuntimeCallOp op, Interpreter &interpreter) {
  const Kernel *kernel = KernelRegistry::process().find(
      std::string_view(op.getCallee().data(), op.getCallee().size()));
  if (!kernel || !op.getOuts().empty())
    return internalError(strCat("expected a call of a kernel on tensors, got ",
                                op.getCallee().str()));
  auto numSymbols =
      static_cast<int64_t>(interpreter.environment().symbols.size());
  for (int64_t id : op.getBinds())
    if (id < 0 || id >= numSymbols)
      return internalError(
          strCat("expected a symbol below s", numSymbols, ", got s", id));
  if (kernel->hasEffects && !kernel->effectsEndWithRun)
    KILN_RETURN_IF_ERROR(interpreter.beforeEffect(op, -1));
  Arguments arguments(op, interpreter);
  KILN_RETURN_IF_ERROR(arguments.prepare());
  Status status =
      call(*kernel, arguments.call(), interpreter.environment().state);
  KILN_RETURN_IF_ERROR(arguments.failure);
  KILN_RETURN_IF_ERROR(status);
  arguments.bindResults();
  return okStatus();
}

} // namespace kiln::eval
