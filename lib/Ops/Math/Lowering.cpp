// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers elementwise ops, comparisons, selections, casts and the neural network
// functions.
//
// Formulas keep TensorFlow's order of operations (checked bit by bit
// against 2.21 where it is not plain).
#include "lib/Ops/TensorArray/Lowering.h"
#include "lib/Import/LoweringRegistry.h"
#include "lib/OpDefs/QuantizedTypes.h"
#include "lib/Ops/Math/LoweringElements.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln {
namespace {

using ir::Predicate;
using Context = LoweringContext;

//===--- One op each ------------------------------------------------------===//

template <class Op> Value unaryOp(IrBuilder &ir, Value x) {
  return ir.unary<Op>(x);
}
template <class Op> Value binaryOp(IrBuilder &ir, Value x, Value y) {
  return ir.binary<Op>(x, y);
}
template <Predicate predicate>
Value compareOp(IrBuilder &ir, Value x, Value y) {
  return ir.compare(predicate, x, y);
}

template <class Op> constexpr LowerFn unary = lowerOne<unaryOp<Op>>;
template <class Op> constexpr LowerFn binary = lowerTwo<binaryOp<Op>>;
template <Predicate predicate>
constexpr LowerFn comparison = lowerTwo<compareOp<predicate>>;

//===--- Formulas ---------------------------------------------------------===//

Value square(IrBuilder &ir, Value x) { return ir.mul(x, x); }
Value reciprocal(IrBuilder &ir, Value x) { return ir.div(ir.like(x, 1), x); }
/// Integers stay.
Value roundToEven(IrBuilder &ir, Value x) {
  return IrBuilder::isFloat(x) ? ir.unary<ir::RoundEvenOp>(x) : x;
}
Value onesLike(IrBuilder &ir, Value x) { return ir.like(x, 1); }

Value isNan(IrBuilder &ir, Value x) { return ir.compare(Predicate::ne, x, x); }
Value isInf(IrBuilder &ir, Value x) {
  return ir.compare(Predicate::eq, ir.unary<ir::AbsOp>(x),
                    std::numeric_limits<double>::infinity());
}
Value isFinite(IrBuilder &ir, Value x) {
  return ir.compare(Predicate::lt, ir.unary<ir::AbsOp>(x),
                    std::numeric_limits<double>::infinity());
}

/// Counts by pairs, fours and bytes of bits at once; a product adds up the
/// bytes. **Source**: H. S. Warren, Hacker's Delight, chapter 5.
Value populationCount(IrBuilder &ir, Value x) {
  const unsigned width = IrBuilder::elementOf(x).getIntOrFloatBitWidth();
  const mlir::Type element = mlir::IntegerType::get(
      ir.opBuilder().getContext(), width, mlir::IntegerType::Unsigned);
  Value bits = ir.cast(x, element);
  const RankedTensorType type = IrBuilder::typeOf(bits);
  auto every = [&](uint64_t byte) {
    const uint64_t all = (byte * 0x0101010101010101) >> (64 - width);
    return ir.splatInt(type, static_cast<int64_t>(all));
  };
  auto shifted = [&](Value value, unsigned by) {
    return ir.binary<ir::ShiftRightOp>(value, ir.splatInt(type, by));
  };
  auto masked = [&](Value value, uint64_t mask) {
    return ir.binary<ir::AndOp>(value, every(mask));
  };
  bits = ir.sub(bits, masked(shifted(bits, 1), 0x55));
  bits = ir.add(masked(bits, 0x33), masked(shifted(bits, 2), 0x33));
  bits = masked(ir.add(bits, shifted(bits, 4)), 0x0f);
  if (width > 8)
    bits = shifted(ir.mul(bits, every(0x01)), width - 8);
  return ir.cast(bits, ir.elementType(DType::UInt8));
}

/// Floats of 16 bits are rounded before they are rounded down.
Value floorDiv(IrBuilder &ir, Value x, Value y) {
  return ir.roundsSteps() ? ir.unary<ir::FloorOp>(ir.div(x, y))
                          : ir.binary<ir::FloorDivOp>(x, y);
}
/// Floats of 16 bits are rounded before they are truncated; a zero has the sign
/// of the quotient.
Value truncateDiv(IrBuilder &ir, Value x, Value y) {
  Value quotient = ir.div(x, y);
  if (!IrBuilder::isFloat(x))
    return quotient;
  return ir.select(ir.compare(Predicate::lt, quotient, 0.0),
                   ir.unary<ir::CeilOp>(quotient),
                   ir.unary<ir::FloorOp>(quotient));
}
Value squaredDifference(IrBuilder &ir, Value x, Value y) {
  return square(ir, ir.sub(x, y));
}
// x itself where it is 0: a -0 stays, whatever y is.
Value unlessZero(IrBuilder &ir, Value x, Value result) {
  return ir.select(ir.compare(Predicate::eq, x, 0.0), x, result);
}
Value xdivy(IrBuilder &ir, Value x, Value y) {
  return unlessZero(ir, x, ir.div(x, y));
}
Value xlogy(IrBuilder &ir, Value x, Value y) {
  return unlessZero(ir, x, ir.mul(x, ir.log(y)));
}
Value xlog1py(IrBuilder &ir, Value x, Value y) {
  return unlessZero(ir, x, ir.mul(x, ir.unary<ir::Log1pOp>(y)));
}
Value divNoNan(IrBuilder &ir, Value x, Value y) {
  return ir.select(ir.compare(Predicate::eq, y, 0.0), ir.like(x, 0),
                   ir.div(x, y));
}
Value mulNoNan(IrBuilder &ir, Value x, Value y) {
  return ir.select(ir.compare(Predicate::eq, y, 0.0), ir.like(x, 0),
                   ir.mul(x, y));
}

Value tanhGrad(IrBuilder &ir, Value y, Value dy) {
  return ir.mul(dy, ir.sub(ir.like(y, 1), ir.mul(y, y)));
}
Value sigmoidGrad(IrBuilder &ir, Value y, Value dy) {
  return ir.mul(dy, ir.mul(y, ir.sub(ir.like(y, 1), y)));
}
/// 0 where y is 0, whatever else the product or quotient would be: an input
/// that nothing depends on gets no NaN from a root or a quotient at 0.
Value zeroWhereZero(IrBuilder &ir, Value y, Value result) {
  return ir.select(ir.compare(Predicate::eq, y, 0.0), ir.like(y, 0), result);
}
Value sqrtGrad(IrBuilder &ir, Value y, Value dy) {
  return zeroWhereZero(ir, dy, ir.mul(dy, ir.div(ir.like(y, 0.5), y)));
}
Value rsqrtGrad(IrBuilder &ir, Value y, Value dy) {
  Value slope = ir.mul(ir.like(y, -0.5), ir.mul(y, y));
  Value product = zeroWhereZero(ir, dy, ir.mul(dy, y));
  return zeroWhereZero(ir, product, ir.mul(slope, product));
}
Value reciprocalGrad(IrBuilder &ir, Value y, Value dy) {
  return zeroWhereZero(ir, dy, ir.mul(ir.neg(dy), ir.mul(y, y)));
}

//===--- Ops with inputs of their own -------------------------------------===//

/// Adds inputs [begin, end) from left to right.
Value addRange(Context &ctx, int begin, int end) {
  Value sum = ctx.input(begin);
  for (int i = begin + 1; i < end; ++i)
    sum = ctx.ir().add(sum, ctx.input(i));
  return sum;
}

/// TensorFlow's kernel adds groups of 8 after a first group of 2 to 9.
Status lowerAddN(Context &ctx) {
  if (ctx.inputDType(0) == DType::Variant)
    return lowerSlotOp(ctx);
  IrBuilder::RoundSteps rounding(ctx.ir(), elementOfInput(ctx));
  int count = ctx.numInputs();
  int first = count % 8;
  if (first < 2)
    first += 8;
  first = std::min(first, count);
  Value sum = addRange(ctx, 0, first);
  for (int begin = first; begin < count; begin += 8)
    sum = ctx.ir().add(sum, addRange(ctx, begin, begin + 8));
  ctx.setOutput(0, sum);
  return okStatus();
}

/// A vector condition of the old Select chooses rows.
Status lowerSelect(Context &ctx) {
  Value condition = ctx.input(0), onTrue = ctx.input(1), onFalse = ctx.input(2);
  auto type =
      ir::withElementType(ctx.outputType(), IrBuilder::elementOf(condition));
  int64_t rank = IrBuilder::typeOf(condition).getRank();
  condition = rank == 1 && type.getRank() > 1
                  ? ctx.ir().broadcast(condition, type, {0})
                  : ctx.ir().broadcast(condition, type);
  ctx.setOutput(0, ctx.ir().select(condition, onTrue, onFalse));
  return okStatus();
}

Status lowerSelectV2(Context &ctx) {
  Value condition = broadcastInput(ctx, 0), onTrue = broadcastInput(ctx, 1),
        onFalse = broadcastInput(ctx, 2);
  ctx.setOutput(0, ctx.ir().select(condition, onTrue, onFalse));
  return okStatus();
}

/// Strings are joined.
Status lowerAdd(Context &ctx) {
  if (ctx.inputDType(0) != DType::String)
    return binary<ir::AddOp>(ctx);
  Value x = broadcastInput(ctx, 0), y = broadcastInput(ctx, 1);
  ctx.setOutput(
      0, ctx.ir().kernelCall("StringConcat", {x, y}, ctx.outputType(), {}));
  return okStatus();
}

Status lowerZerosLike(Context &ctx) {
  if (ctx.inputDType(0) == DType::Variant)
    return lowerSlotOp(ctx);
  KILN_ASSIGN_OR_RETURN(Value zero, ctx.zero(ctx.inputDType(0)));
  ctx.setOutput(0, ctx.ir().broadcast(zero, ctx.outputType()));
  return okStatus();
}

/// Integers of one size keep their bits.
Status lowerCast(Context &ctx) {
  DType from = ctx.inputDType(0),
        to = ctx.node().attrOr<DType>("DstT", DType::Invalid);
  if (from != to && (from == DType::String || to == DType::String))
    return ctx.unimplemented(strCat("Cast ", dtypeTfName(from), " to ",
                                    dtypeTfName(to), " is not supported"));
  IrBuilder &ir = ctx.ir();
  Value x = ctx.input(0);
  for (DType quantized : {from, to})
    if (DType number = integerOf(quantized); number != quantized)
      x = ir.cast(x, ir.elementType(number));
  ctx.setOutput(0, ir.cast(x, ctx.outputType().getElementType()));
  return okStatus();
}

/// A bound of ClipByValue, which a NaN leaves open.
Value boundOf(Context &ctx, int input, double open) {
  IrBuilder &ir = ctx.ir();
  Value bound = ctx.input(input);
  mlir::Type element = IrBuilder::elementOf(bound);
  if (mlir::isa<mlir::FloatType>(element))
    bound = ir.select(ir.compare(Predicate::ne, bound, bound),
                      ir.like(bound, open), bound);
  return ir.broadcast(bound, ctx.outputType());
}

/// max(low, min(high, t)): with low > high the result is low, and of zeros of
/// two signs it is t.
Status lowerClipByValue(Context &ctx) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value t = broadcastInput(ctx, 0), low = boundOf(ctx, 1, -infinity),
        high = boundOf(ctx, 2, infinity);
  IrBuilder &ir = ctx.ir();
  ctx.setOutput(0, ir.binary<ir::MaxOp>(low, ir.binary<ir::MinOp>(high, t)));
  return okStatus();
}

/// From left to right: TensorFlow adds to what is there, in any order.
Status lowerAccumulated(Context &ctx) {
  IrBuilder::RoundSteps rounding(ctx.ir(), elementOfInput(ctx));
  ctx.setOutput(0, addRange(ctx, 0, ctx.numInputs()));
  return okStatus();
}

/// The dimension of the channels.
int64_t channelAxis(Context &ctx, int rank) {
  return ctx.opDef().findAttr("data_format") &&
                 ctx.stringAttr("data_format") == "NCHW"
             ? 1
             : rank - 1;
}

Status lowerBiasAdd(Context &ctx) {
  Value bias = ctx.ir().broadcast(ctx.input(1), ctx.outputType(),
                                  {channelAxis(ctx, ctx.inputRank(0))});
  ctx.setOutput(0, ctx.ir().add(ctx.input(0), bias));
  return okStatus();
}

Status lowerBiasAddGrad(Context &ctx) {
  llvm::SmallVector<int64_t> axes;
  for (int64_t i = 0; i < ctx.inputRank(0); ++i)
    if (i != channelAxis(ctx, ctx.inputRank(0)))
      axes.push_back(i);
  ctx.setOutput(0, ctx.ir().reduce(ir::ReduceKind::sum, ctx.input(0), axes));
  return okStatus();
}

/// x reduced along its last dimension and repeated to x's shape.
Value rowReduce(IrBuilder &ir, ir::ReduceKind kind, Value x) {
  int64_t last = IrBuilder::typeOf(x).getRank() - 1;
  return ir.reduce(kind, x, {last});
}
Value alongRows(IrBuilder &ir, Value rows, RankedTensorType type) {
  llvm::SmallVector<int64_t> map;
  for (int64_t i = 0; i + 1 < type.getRank(); ++i)
    map.push_back(i);
  return ir.broadcast(rows, type, map);
}

/// Logits less the largest of their row, so that exp does not overflow.
Value shiftedLogits(IrBuilder &ir, Value logits) {
  Value largest = rowReduce(ir, ir::ReduceKind::max, logits);
  return ir.sub(logits, alongRows(ir, largest, IrBuilder::typeOf(logits)));
}

/// TensorFlow multiplies by the reciprocal of the sum. float16 and bfloat16 are
/// rounded at each step, but their sum only in the end. A row with NaN or
/// +infinity, or of -infinity alone, is NaN. (On some processors TensorFlow
/// takes oneDNN's kernels, which give 0 to some elements of such rows, and
/// compute bfloat16 in float32.)
Status lowerSoftmax(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  IrBuilder::RoundSteps rounding(ir, elementOfInput(ctx));
  Value logits = ctx.input(0);
  Value powers = ir.exp(shiftedLogits(ir, logits));
  Value sum = ir.rounded(rowReduce(ir, ir::ReduceKind::sum, powers));
  ctx.setOutput(0, ir.mul(powers, alongRows(ir, reciprocal(ir, sum),
                                            IrBuilder::typeOf(logits))));
  return okStatus();
}

/// float16 and bfloat16 are rounded at each step, but their sum only in the
/// end.
Status lowerLogSoftmax(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  IrBuilder::RoundSteps rounding(ir, elementOfInput(ctx));
  Value logits = ctx.input(0);
  Value shifted = shiftedLogits(ir, logits);
  Value sum = ir.rounded(rowReduce(ir, ir::ReduceKind::sum, ir.exp(shifted)));
  ctx.setOutput(0, ir.sub(shifted, alongRows(ir, ir.log(sum),
                                             IrBuilder::typeOf(logits))));
  return okStatus();
}

/// Calls the kernel of the op's name, element by element.
Status lowerSpecialFunction(Context &ctx) {
  llvm::SmallVector<Value> operands;
  for (int i = 0; i < ctx.numInputs(); ++i)
    operands.push_back(broadcastInput(ctx, i));
  ctx.setOutput(0, ctx.ir().kernelCall(ctx.opDef().canonicalName, operands,
                                       ctx.outputType()));
  return okStatus();
}

Status lowerL2Loss(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Value x = ctx.input(0);
  llvm::SmallVector<int64_t> axes;
  for (int64_t i = 0; i < IrBuilder::typeOf(x).getRank(); ++i)
    axes.push_back(i);
  Value sum = ir.reduce(ir::ReduceKind::sum, square(ir, x), axes);
  ctx.setOutput(0, ir.mul(sum, ir.like(sum, 0.5)));
  return okStatus();
}

Status lowerApproximateEqual(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Value distance = ir.unary<ir::AbsOp>(ir.sub(ctx.input(0), ctx.input(1)));
  ctx.setOutput(0, ir.compare(Predicate::le, distance,
                              static_cast<double>(ctx.floatAttr("tolerance"))));
  return okStatus();
}

} // namespace

void registerMathLowerings(LoweringRegistry &registry) {
  registry.add({{"AddV2", lowerAdd},
                {"Sub", binary<ir::SubOp>},
                {"Mul", binary<ir::MulOp>},
                {"Div", binary<ir::DivOp>},
                {"RealDiv", binary<ir::DivOp>},
                {"TruncateDiv", lowerTwo<truncateDiv>},
                {"FloorDiv", lowerTwo<floorDiv>},
                {"FloorMod", binary<ir::FloorModOp>},
                {"TruncateMod", binary<ir::RemOp>},
                {"DivNoNan", lowerTwo<divNoNan>},
                {"MulNoNan", lowerTwo<mulNoNan>},
                {"Maximum", binary<ir::MaxOp>},
                {"Minimum", binary<ir::MinOp>},
                {"Pow", binary<ir::PowOp>},
                {"SquaredDifference", lowerTwo<squaredDifference>},
                {"Atan2", binary<ir::Atan2Op>},
                {"Xdivy", lowerTwo<xdivy>},
                {"Xlogy", lowerTwo<xlogy>},
                {"Xlog1py", lowerTwo<xlog1py>},
                {"AccumulateNV2", lowerAccumulated},
                {"AddN", lowerAddN}});
  registry.add({{"Neg", unary<ir::NegOp>},
                {"Abs", unary<ir::AbsOp>},
                {"Sign", unary<ir::SignOp>},
                {"Square", lowerOne<square>},
                {"Sqrt", unary<ir::SqrtOp>},
                {"Rsqrt", unary<ir::RsqrtOp>},
                {"Exp", unary<ir::ExpOp>},
                {"Expm1", unary<ir::Expm1Op>},
                {"Log", unary<ir::LogOp>},
                {"Log1p", unary<ir::Log1pOp>},
                {"Sin", unary<ir::SinOp>},
                {"Cos", unary<ir::CosOp>},
                {"Tan", unary<ir::TanOp>},
                {"Asin", unary<ir::AsinOp>},
                {"Acos", unary<ir::AcosOp>},
                {"Atan", unary<ir::AtanOp>},
                {"Sinh", unary<ir::SinhOp>},
                {"Cosh", unary<ir::CoshOp>},
                {"Tanh", unary<ir::TanhOp>},
                {"Asinh", unary<ir::AsinhOp>},
                {"Acosh", unary<ir::AcoshOp>},
                {"Atanh", unary<ir::AtanhOp>},
                {"Erf", unary<ir::ErfOp>},
                {"Erfc", unary<ir::ErfcOp>},
                {"Floor", unary<ir::FloorOp>},
                {"Ceil", unary<ir::CeilOp>},
                {"Rint", lowerOne<roundToEven>},
                {"Round", lowerOne<roundToEven>},
                {"Reciprocal", lowerOne<reciprocal>},
                {"LogicalNot", unary<ir::NotOp>},
                {"IsNan", lowerOne<isNan>},
                {"IsInf", lowerOne<isInf>},
                {"IsFinite", lowerOne<isFinite>}});
  registry.add({{"TanhGrad", lowerTwo<tanhGrad>},
                {"SigmoidGrad", lowerTwo<sigmoidGrad>},
                {"SqrtGrad", lowerTwo<sqrtGrad>},
                {"RsqrtGrad", lowerTwo<rsqrtGrad>},
                {"ReciprocalGrad", lowerTwo<reciprocalGrad>}});
  registry.add({{"Equal", comparison<Predicate::eq>},
                {"NotEqual", comparison<Predicate::ne>},
                {"Less", comparison<Predicate::lt>},
                {"LessEqual", comparison<Predicate::le>},
                {"Greater", comparison<Predicate::gt>},
                {"GreaterEqual", comparison<Predicate::ge>},
                {"ApproximateEqual", lowerApproximateEqual},
                {"LogicalAnd", binary<ir::AndOp>},
                {"LogicalOr", binary<ir::OrOp>},
                {"Cast", lowerCast},
                {"ClipByValue", lowerClipByValue}});
  registry.addMoves({{"Select", lowerSelect},
                     {"SelectV2", lowerSelectV2},
                     {"ZerosLike", lowerZerosLike},
                     {"OnesLike", lowerOne<onesLike>}});
  registry.add({{"BitwiseAnd", binary<ir::AndOp>},
                {"BitwiseOr", binary<ir::OrOp>},
                {"BitwiseXor", binary<ir::XorOp>},
                {"Invert", unary<ir::NotOp>},
                {"PopulationCount", lowerOne<populationCount>},
                {"LeftShift", binary<ir::ShiftLeftOp>},
                {"RightShift", binary<ir::ShiftRightOp>}});
  registry.add({{"BiasAdd", lowerBiasAdd},
                {"BiasAddV1", lowerBiasAdd},
                {"BiasAddGrad", lowerBiasAddGrad},
                {"Softmax", lowerSoftmax},
                {"LogSoftmax", lowerLogSoftmax},
                {"L2Loss", lowerL2Loss}});
  for (const char *function :
       {"BesselI0", "BesselI0e", "BesselI1", "BesselI1e", "Digamma", "Erfinv",
        "Igamma", "Igammac", "Lgamma", "Ndtri", "Polygamma", "Zeta"})
    registry.add({{function, lowerSpecialFunction}});
  registerActivationLowerings(registry);
}

} // namespace kiln
