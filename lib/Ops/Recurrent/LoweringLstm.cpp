// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers single steps of long short-term memories.
#include "lib/Ops/Recurrent/LoweringLstm.h"

namespace kiln {
namespace {

Value sigmoidGrad(IrBuilder &ir, Value y) {
  return ir.mul(y, ir.sub(ir.like(y, 1), y));
}
Value tanhGrad(IrBuilder &ir, Value y) {
  return ir.sub(ir.like(y, 1), ir.mul(y, y));
}

} // namespace

Lstm::Lstm(LoweringContext &ctx, int weights, Dim batch, Dim cell,
           bool isSecondVersion)
    : ctx(ctx), weights(weights), batch(batch), cell(cell),
      usesPeepholes(ctx.boolAttr("use_peephole")),
      forgetPlace(isSecondVersion ? 1 : 2),
      inputPlace(isSecondVersion ? 2 : 1) {}

RankedTensorType Lstm::stateType(Dim rows) {
  return ir().tensorType({rows, cell}, element());
}
RankedTensorType Lstm::gatesType(Dim rows) {
  return ir().tensorType({rows, Dim::known(4), cell}, element());
}

Value Lstm::state(int i) {
  return ir().reshape(ctx.input(i), stateType(batch));
}

Value Lstm::columns(Value gates, Dim rows) {
  return ir().reshape(
      gates,
      ir().tensorType({rows, ctx.dims().mul(cell, Dim::known(4))}, element()));
}

Value Lstm::gate(Value gates, int64_t place, Dim rows) {
  Value part =
      ir().slice(gates, {0, place, 0}, {1, 1, 1},
                 ir().tensorType({rows, Dim::known(1), cell}, element()));
  return ir().reshape(part, stateType(rows));
}

LstmStep Lstm::step(Value x, Value csPrev, Value hPrev) {
  IrBuilder &ir = this->ir();
  const Dim width = ctx.inputDims(weights)[0],
            depth = ctx.inputDims(weights)[1];
  Value both =
      ir.concat({x, hPrev}, 1, ir.tensorType({batch, width}, element()));
  const RankedTensorType type = ir.tensorType({batch, depth}, element());
  Value gates = ir.rounded(ir.matmul(both, weight(0), false, false, type));
  gates = ir.add(gates, ir.broadcast(weight(4), type, {1}));
  gates = ir.reshape(gates, gatesType(batch));
  Value i = gate(gates, 0, batch), f = gate(gates, forgetPlace, batch),
        ci = gate(gates, inputPlace, batch), o = gate(gates, 3, batch);
  if (ctx.opDef().findAttr("forget_bias"))
    f = ir.add(f, ir.like(f, ctx.floatAttr("forget_bias")));
  if (usesPeepholes) {
    i = ir.add(i, ir.mul(csPrev, peephole(0, csPrev)));
    f = ir.add(f, ir.mul(csPrev, peephole(1, csPrev)));
  }
  LstmStep step;
  step.i = ir.unary<ir::SigmoidOp>(i);
  step.f = ir.unary<ir::SigmoidOp>(f);
  step.ci = ir.unary<ir::TanhOp>(ci);
  Value cs = ir.add(ir.mul(step.i, step.ci), ir.mul(step.f, csPrev));
  const double clip = ctx.floatAttr("cell_clip");
  if (clip > 0)
    cs = ir.binary<ir::MaxOp>(ir.binary<ir::MinOp>(cs, ir.like(cs, clip)),
                              ir.like(cs, -clip));
  step.cs = cs;
  step.co = ir.unary<ir::TanhOp>(cs);
  if (usesPeepholes)
    o = ir.add(o, ir.mul(cs, peephole(2, cs)));
  step.o = ir.unary<ir::SigmoidOp>(o);
  step.h = ir.mul(step.o, step.co);
  return step;
}

LstmGradients Lstm::back(const LstmStep &step, Value csPrev, Value csGrad,
                         Value hGrad) {
  IrBuilder &ir = this->ir();
  Value dOut = ir.mul(sigmoidGrad(ir, step.o), ir.mul(hGrad, step.co));
  Value dCs =
      ir.add(ir.mul(tanhGrad(ir, step.co), ir.mul(hGrad, step.o)), csGrad);
  if (usesPeepholes)
    dCs = ir.add(dCs, ir.mul(dOut, peephole(2, dOut)));
  Value dCi = ir.mul(tanhGrad(ir, step.ci), ir.mul(dCs, step.i));
  Value dF = ir.mul(sigmoidGrad(ir, step.f), ir.mul(dCs, csPrev));
  Value dI = ir.mul(sigmoidGrad(ir, step.i), ir.mul(dCs, step.ci));
  LstmGradients result;
  result.csPrev = ir.mul(dCs, step.f);
  if (usesPeepholes)
    result.csPrev = ir.add(ir.add(result.csPrev, ir.mul(dI, peephole(0, dI))),
                           ir.mul(dF, peephole(1, dF)));
  const bool isSecondVersion = forgetPlace == 1;
  llvm::SmallVector<Value> parts = {dI, isSecondVersion ? dF : dCi,
                                    isSecondVersion ? dCi : dF, dOut};
  for (Value &part : parts)
    part = ir.reshape(part,
                      ir.tensorType({batch, Dim::known(1), cell}, element()));
  result.gates = ir.concat(parts, 1, gatesType(batch));
  return result;
}

std::array<Value, 3> Lstm::peepholes(Value gates, Dim rows, Value csPrev,
                                     Value cs) {
  IrBuilder &ir = this->ir();
  std::array<Value, 3> sums;
  for (int i = 0; i < 3; ++i) {
    Value &sum = sums[static_cast<size_t>(i)];
    if (!usesPeepholes) {
      sum = ir.like(weight(1 + i), 0);
      continue;
    }
    const int64_t place = i == 0 ? 0 : i == 1 ? forgetPlace : 3;
    Value products = ir.mul(gate(gates, place, rows), i == 2 ? cs : csPrev);
    sum = ir.rounded(ir.reduce(ir::ReduceKind::sum, products, {0}));
  }
  return sums;
}

Status lowerLstmCell(LoweringContext &ctx) {
  const Dim batch = ctx.outputDims()[0], cell = ctx.outputDims()[1];
  Lstm lstm(ctx, /*weights=*/3, batch, cell, /*isSecondVersion=*/false);
  IrBuilder::RoundSteps rounding(ctx.ir(),
                                 ctx.ir().elementType(ctx.inputDType(0)));
  const LstmStep step = lstm.step(ctx.input(0), lstm.state(1), lstm.state(2));
  const Value outputs[] = {step.i,  step.cs, step.f, step.o,
                           step.ci, step.co, step.h};
  for (int i = 0; i < 7; ++i)
    ctx.setOutput(i, outputs[i]);
  return okStatus();
}

Status lowerLstmCellGrad(LoweringContext &ctx) {
  IrBuilder &ir = ctx.ir();
  const Dim batch = ctx.outputDims()[0], cell = ctx.outputDims()[1];
  Lstm lstm(ctx, /*weights=*/3, batch, cell, /*isSecondVersion=*/false);
  IrBuilder::RoundSteps rounding(ir, ir.elementType(ctx.inputDType(0)));
  Value csPrev = lstm.state(1);
  const LstmStep step = {.i = lstm.state(8),
                         .cs = lstm.state(9),
                         .f = lstm.state(10),
                         .o = lstm.state(11),
                         .ci = lstm.state(12),
                         .co = lstm.state(13),
                         .h = {}};
  const LstmGradients back =
      lstm.back(step, csPrev, lstm.state(14), lstm.state(15));
  ctx.setOutput(0, back.csPrev);
  ctx.setOutput(1, lstm.columns(back.gates, batch));
  int output = 2;
  for (Value sum : lstm.peepholes(back.gates, batch, csPrev, step.cs))
    ctx.setOutput(output++, sum);
  return okStatus();
}

} // namespace kiln
