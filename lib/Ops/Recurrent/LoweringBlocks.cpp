// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers long short-term memories over sequences: one loop over the steps, that
// carries the state and what is kept of each step.
#include "lib/Import/CountedLoop.h"
#include "lib/Ops/Array/LoweringSlices.h"
#include "lib/Ops/Recurrent/LoweringLstm.h"

namespace kiln {
namespace {

using Context = LoweringContext;

constexpr int numOutputs = 7;

/// A sequence op's sizes, and its tensors step by step.
class Sequence {
public:
  explicit Sequence(Context &ctx)
      : ctx(ctx), time(ctx.inputDims(1)[0]), batch(ctx.inputDims(1)[1]),
        input(ctx.inputDims(1)[2]), cell(ctx.inputDims(2)[1]),
        lstm(ctx, /*weights=*/4, batch, cell, ctx.node().op().ends_with("V2")) {
  }

  IrBuilder &ir() { return ctx.ir(); }
  mlir::Type element() { return IrBuilder::elementOf(lstm.weight(0)); }
  RankedTensorType type(const Dims &dims) {
    return ir().tensorType(dims, element());
  }
  RankedTensorType stepsType(Dim width) { return type({time, batch, width}); }
  /// As many steps as the op takes, an i64 scalar. More than there are end the
  /// run.
  Value numSteps() {
    Value all = ir().dimScalar(time, ir().opBuilder().getI64Type());
    return ir().kernelCall("StepCount", {ctx.input(0), all},
                           IrBuilder::typeOf(all));
  }
  Value zeros(RankedTensorType type) { return ir().splat(type, 0); }
  /// Step `number` of all of them: [batch, width].
  Value at(Value steps, Value number, Dim width) {
    Value one = ir().gather(steps, place(number), 0,
                            type({Dim::known(1), batch, width}));
    return ir().reshape(one, type({batch, width}));
  }
  Value put(Value steps, Value number, Value step, Dim width) {
    Value row = ir().reshape(step, type({Dim::known(1), batch, width}));
    return ir().scatter(ir::ScatterKind::update, steps, place(number), row,
                        IrBuilder::typeOf(steps));
  }
  /// What was before each step: the state that the op begins with, then the
  /// steps; one more than there are of these.
  Value before(int state, Value steps) {
    Value first =
        ir().reshape(ctx.input(state), type({Dim::known(1), batch, cell}));
    const Dim more = ctx.dims().add(time, Dim::known(1));
    return ir().concat({first, steps}, 0, type({more, batch, cell}));
  }
  Value state(int i) { return lstm.state(i); }
  Value steps(int i) { return ir().reshape(ctx.input(i), stepsType(cell)); }

  Context &ctx;
  Dim time, batch, input, cell;
  Lstm lstm;

private:
  Value place(Value number) {
    return ir().reshape(number, ir().tensorType({Dim::known(1)}, DType::Int64));
  }
};

/// What flows back from step to step, beside what is kept of all of them.
struct Back {
  Value csPrev, hPrev, gates;
};

/// From the last step to the first.
Back walkBack(Sequence &block, Value count, Value memories) {
  IrBuilder &ir = block.ir();
  Context &ctx = block.ctx;
  const Dim width = ctx.dims().mul(block.cell, Dim::known(4));
  const Dims rows = {block.cell, width};
  Value upper = sliceAt(ctx, block.lstm.weight(0), {block.input, Dim::known(0)},
                        {1, 1}, block.type(rows));
  Value i = block.steps(9), cs = block.steps(10), f = block.steps(11),
        o = block.steps(12), ci = block.steps(13), co = block.steps(14),
        csGrad = block.steps(16), hGrad = block.steps(17);
  const RankedTensorType stateType = block.lstm.stateType(block.batch);
  Value none = block.zeros(stateType);
  llvm::SmallVector<Value> last = countedLoop(
      ir, count, {none, none, block.zeros(block.stepsType(width))},
      [&](Value number, mlir::ValueRange carried) {
        Value t = ir.sub(ir.sub(count, number), ir.like(number, 1));
        auto at = [&](Value steps) { return block.at(steps, t, block.cell); };
        const LstmStep step = {.i = at(i),
                               .cs = at(cs),
                               .f = at(f),
                               .o = at(o),
                               .ci = at(ci),
                               .co = at(co),
                               .h = {}};
        const LstmGradients back =
            block.lstm.back(step, at(memories), ir.add(at(csGrad), carried[0]),
                            ir.add(at(hGrad), carried[1]));
        Value gates = block.lstm.columns(back.gates, block.batch);
        Value hPrev =
            ir.rounded(ir.matmul(gates, upper, false, true, stateType));
        return llvm::SmallVector<Value>{back.csPrev, hPrev,
                                        block.put(carried[2], t, gates, width)};
      });
  return {last[0], last[1], last[2]};
}

/// Zeros in the steps that the op does not take.
Value taken(Sequence &block, Value steps, Value count) {
  IrBuilder &ir = block.ir();
  const RankedTensorType type = IrBuilder::typeOf(steps);
  Value numbers = ir.iota(
      ir::withElementType(type, ir.opBuilder().getI64Type()), /*axis=*/0);
  Value isTaken = ir.compare(ir::Predicate::lt, numbers,
                             ir.broadcast(count, IrBuilder::typeOf(numbers)));
  return ir.select(isTaken, steps, ir.like(steps, 0));
}

} // namespace

Status lowerBlockLstm(Context &ctx) {
  Sequence block(ctx);
  IrBuilder &ir = ctx.ir();
  IrBuilder::RoundSteps rounding(ir, ir.elementType(ctx.inputDType(1)));
  llvm::SmallVector<int> kept;
  llvm::SmallVector<Value> first = {block.state(2), block.state(3)};
  for (int i = 0; i < numOutputs; ++i)
    if (ctx.isLive(i)) {
      kept.push_back(i);
      first.push_back(block.zeros(block.stepsType(block.cell)));
    }
  Value x = ctx.input(1);
  llvm::SmallVector<Value> last = countedLoop(
      ir, block.numSteps(), first, [&](Value number, mlir::ValueRange carried) {
        const LstmStep step = block.lstm.step(block.at(x, number, block.input),
                                              carried[0], carried[1]);
        const Value outputs[] = {step.i,  step.cs, step.f, step.o,
                                 step.ci, step.co, step.h};
        llvm::SmallVector<Value> next = {step.cs, step.h};
        for (auto [k, i] : llvm::enumerate(kept))
          next.push_back(
              block.put(carried[2 + k], number, outputs[i], block.cell));
        return next;
      });
  for (auto [k, i] : llvm::enumerate(kept))
    ctx.setOutput(i, last[2 + k]);
  for (int i = 0; i < numOutputs; ++i)
    if (!ctx.isLive(i))
      ctx.setOutput(i, block.zeros(block.stepsType(block.cell)));
  return okStatus();
}

/// The gates' gradients of all steps are found in a loop; those of the weights
/// and of x are products of all of them at once.
Status lowerBlockLstmGrad(Context &ctx) {
  Sequence block(ctx);
  IrBuilder &ir = ctx.ir();
  IrBuilder::RoundSteps rounding(ir, ir.elementType(ctx.inputDType(1)));
  Value count = block.numSteps();
  Value memories = block.before(2, block.steps(10)),
        outputs = block.before(3, block.steps(15));
  const Back back = walkBack(block, count, memories);
  const Dim rows = ctx.dims().mul(block.time, block.batch),
            width = ctx.dims().mul(block.cell, Dim::known(4)),
            depth = ctx.inputDims(4)[0];
  const RankedTensorType cellType = block.stepsType(block.cell);
  Value gates = ir.reshape(back.gates, block.type({rows, width}));
  auto first = [&](Value steps) {
    return ir.slice(steps, {0, 0, 0}, {1, 1, 1}, cellType);
  };
  Value both = ir.concat({taken(block, ctx.input(1), count), first(outputs)}, 2,
                         block.stepsType(depth));
  both = ir.reshape(both, block.type({rows, depth}));
  Value lower =
      sliceAt(ctx, block.lstm.weight(0), {Dim::known(0), Dim::known(0)}, {1, 1},
              block.type({block.input, width}));
  Value x = ir.rounded(
      ir.matmul(gates, lower, false, true, block.type({rows, block.input})));
  ctx.setOutput(0, ir.reshape(x, block.stepsType(block.input)));
  ctx.setOutput(1, back.csPrev);
  ctx.setOutput(2, back.hPrev);
  ctx.setOutput(
      3, ir.matmul(both, gates, true, false, block.type({depth, width})));
  auto flat = [&](Value steps) {
    return ir.reshape(steps, block.lstm.stateType(rows));
  };
  Value gatesApart = ir.reshape(gates, block.lstm.gatesType(rows));
  int output = 4;
  for (Value sum : block.lstm.peepholes(gatesApart, rows, flat(first(memories)),
                                        flat(block.steps(10))))
    ctx.setOutput(output++, sum);
  ctx.setOutput(7, ir.reduce(ir::ReduceKind::sum, gates, {0}));
  return okStatus();
}

} // namespace kiln
