// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers recurrent steps; those of long short-term memories have files of their
// own.
#include "lib/Ops/Array/LoweringSlices.h"
#include "lib/Ops/Recurrent/LoweringLstm.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// What the ops on gated units have in common: [batch, input] and [batch, cell]
/// side by side, times weights.
class Units {
public:
  explicit Units(Context &ctx)
      : ctx(ctx), batch(ctx.inputDims(0)[0]), input(ctx.inputDims(0)[1]),
        cell(ctx.inputDims(1)[1]) {}

  IrBuilder &ir() { return ctx.ir(); }
  RankedTensorType type(Dim width) {
    return ir().tensorType({batch, width}, DType::Float32);
  }
  Dim gatesWidth() { return ctx.dims().mul(cell, Dim::known(2)); }
  Dim depth() { return ctx.inputDims(2)[0]; }
  /// Input i as a state of each sequence.
  Value state(int i) { return ir().reshape(ctx.input(i), type(cell)); }
  Value beside(Value x, Value h, Dim width) {
    return ir().concat({x, h}, 1, type(width));
  }
  /// Columns of x from a place on.
  Value columns(Value x, Dim from, Dim width) {
    return sliceAt(ctx, x, {Dim::known(0), from}, {1, 1}, type(width));
  }
  /// [x, h] times weights plus a bias.
  Value apply(Value h, int weights, int bias, Dim width) {
    Value product = ir().matmul(beside(ctx.input(0), h, depth()),
                                ctx.input(weights), false, false, type(width));
    return ir().add(product, ir().broadcast(ctx.input(bias), type(width), {1}));
  }
  /// What flows back through apply() to [x, h].
  Value back(Value gradient, int weights) {
    return ir().matmul(gradient, ctx.input(weights), false, true,
                       type(depth()));
  }
  Value rest(Value y) { return ir().sub(ir().like(y, 1), y); }

  Context &ctx;
  Dim batch, input, cell;
};

Status lowerGruCell(Context &ctx) {
  Units units(ctx);
  IrBuilder &ir = ctx.ir();
  Value h = units.state(1);
  Value gates = ir.unary<ir::SigmoidOp>(
      units.apply(h, /*weights=*/2, /*bias=*/4, units.gatesWidth()));
  Value r = units.columns(gates, Dim::known(0), units.cell),
        u = units.columns(gates, units.cell, units.cell);
  Value c = ir.unary<ir::TanhOp>(
      units.apply(ir.mul(h, r), /*weights=*/3, /*bias=*/5, units.cell));
  ctx.setOutput(0, r);
  ctx.setOutput(1, u);
  ctx.setOutput(2, c);
  ctx.setOutput(3, ir.add(ir.mul(u, h), ir.mul(units.rest(u), c)));
  return okStatus();
}

Status lowerGruCellGrad(Context &ctx) {
  Units units(ctx);
  IrBuilder &ir = ctx.ir();
  Value h = units.state(1), r = units.state(6), u = units.state(7),
        c = units.state(8), dh = units.state(9);
  Value dc = ir.mul(ir.mul(dh, units.rest(u)), units.rest(ir.mul(c, c)));
  Value du = ir.mul(ir.mul(dh, ir.sub(h, c)), ir.mul(u, units.rest(u)));
  Value second = units.back(dc, 3);
  Value dhr = units.columns(second, units.input, units.cell);
  Value dr = ir.mul(ir.mul(dhr, h), ir.mul(r, units.rest(r)));
  Value gates = units.beside(dr, du, units.gatesWidth());
  Value first = units.back(gates, 2);
  auto ofInput = [&](Value x) {
    return units.columns(x, Dim::known(0), units.input);
  };
  ctx.setOutput(0, ir.add(ofInput(first), ofInput(second)));
  Value dhFirst = units.columns(first, units.input, units.cell);
  ctx.setOutput(1, ir.add(ir.add(dhFirst, ir.mul(dhr, r)), ir.mul(dh, u)));
  ctx.setOutput(2, dc);
  ctx.setOutput(3, gates);
  return okStatus();
}

} // namespace

void registerRecurrentLowerings(LoweringRegistry &registry) {
  registry.add({{"LSTMBlockCell", lowerLstmCell},
                {"LSTMBlockCellGrad", lowerLstmCellGrad},
                {"BlockLSTM", lowerBlockLstm},
                {"BlockLSTMV2", lowerBlockLstm},
                {"BlockLSTMGrad", lowerBlockLstmGrad},
                {"BlockLSTMGradV2", lowerBlockLstmGrad},
                {"GRUBlockCell", lowerGruCell},
                {"GRUBlockCellGrad", lowerGruCellGrad}});
}

} // namespace kiln
