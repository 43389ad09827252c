// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers random generators: what is drawn moves the state in the variable on.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Random/LoweringDraws.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// What `count` outputs take of the variable's stream: the state before it. The
/// algorithm is in front of the variable where there is none.
StatusOr<Value> take(Context &ctx, Value count, Value algorithm,
                     bool mayChoose = true) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  mlir::Type element = ctx.variableElement(variable);
  if (!element.isSignlessInteger(64))
    return ctx.invalid(strCat("dtype of RNG state variable must be int64, not ",
                              dtypeTfName(ir::dtypeOf(element))));
  Value before = ctx.readVariable(variable);
  if (const int64_t rank = IrBuilder::typeOf(before).getRank(); rank != 1)
    return ctx.invalid(
        strCat("RNG state must have one and only one dimension, not ", rank));
  llvm::SmallVector<Value> inputs = {before, count};
  if (algorithm)
    inputs.push_back(algorithm);
  auto call = ctx.ir().kernelCall(
      "TakeOfGenerator", inputs,
      mlir::TypeRange{stateType(ctx), before.getType()}, int64_t(mayChoose));
  KILN_RETURN_IF_ERROR(ctx.writeVariable(variable, call.getResult(1)));
  return Value(call.getResult(0));
}

StatusOr<Value> takeOutputs(Context &ctx, Value algorithm) {
  Dim count = ctx.dims().product(ctx.outputDims());
  return take(ctx,
              ctx.ir().dimScalar(count, ctx.ir().elementType(DType::Int64)),
              algorithm);
}

template <void (*draw)(Context &, Value), bool isTagged = false>
Status lowerGenerated(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Value state,
                        takeOutputs(ctx, isTagged ? Value() : ctx.input(1)));
  draw(ctx, state);
  return okStatus();
}

Status lowerGeneratedIntegers(Context &ctx) {
  Value low = ctx.input(3), high = ctx.input(4);
  checkRange(ctx, low, high);
  KILN_ASSIGN_OR_RETURN(Value state, takeOutputs(ctx, ctx.input(1)));
  drawInteger(ctx, state, low, high);
  return okStatus();
}

Status lowerGeneratedBinomial(Context &ctx) {
  DimSpace &dims = ctx.dims();
  const Dims &out = ctx.outputDims();
  const auto rank = std::max(ctx.inputRank(3), ctx.inputRank(4));
  Dim samples = dims.product(Dims(out.begin(), out.end() - rank)),
      batches = dims.product(Dims(out.end() - rank, out.end()));
  // How far TensorFlow moves the state on.
  Dim count = dims.floorDiv(dims.mul(dims.mul(batches, Dim::known(2 * 100)),
                                     dims.add(samples, Dim::known(3))),
                            Dim::known(4));
  KILN_ASSIGN_OR_RETURN(
      Value state,
      take(ctx, ctx.ir().dimScalar(count, ctx.ir().elementType(DType::Int64)),
           ctx.input(1), /*mayChoose=*/false));
  drawBinomial(ctx, state, 3);
  return okStatus();
}

Status lowerSkip(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  KILN_ASSIGN_OR_RETURN(
      Value state,
      take(ctx, ir.cast(ctx.input(2), ir.elementType(DType::Int64)),
           ctx.input(1)));
  if (ctx.numOutputs() == 1)
    ctx.setOutput(0, ir.kernelCall("CopyBytes", state, ctx.outputType()));
  return okStatus();
}

Status lowerSystemNumbers(Context &ctx) {
  ctx.callKernel("SystemNumbers", {});
  return okStatus();
}

} // namespace

void registerGeneratorsLowerings(LoweringRegistry &registry) {
  registry.add(
      {{"StatefulUniform", lowerGenerated<drawUniform>},
       {"StatefulStandardNormalV2", lowerGenerated<drawNormal>},
       {"StatefulStandardNormal", lowerGenerated<drawNormal, true>},
       {"StatefulTruncatedNormal", lowerGenerated<drawTruncatedNormal>},
       {"StatefulUniformFullInt", lowerGenerated<drawAnyInteger>},
       {"StatefulUniformInt", lowerGeneratedIntegers},
       {"StatefulRandomBinomial", lowerGeneratedBinomial},
       {"RngSkip", lowerSkip},
       {"RngReadAndSkip", lowerSkip},
       {"NonDeterministicInts", lowerSystemNumbers}});
}

} // namespace kiln
