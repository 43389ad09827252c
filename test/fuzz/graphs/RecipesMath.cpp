// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops, reductions, scans and counts.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>
#include <numeric>

namespace kiln::fuzz {
namespace {

bool unary(Call &call) {
  call.any();
  return call.done();
}

bool broadcast(Call &call) {
  // The other way the run alone finds the rank out.
  call.setIf("incompatible_shape_error", true);
  Value x = call.any();
  call.in(call.maker.broadcastable(call.next(), x.dims));
  if (call.random.chance(15)) // the smaller one first
    std::swap(call.inputs[0], call.inputs[1]);
  return call.done();
}

/// Integers must not be divided by zero, but once in a while.
bool divide(Call &call) {
  Value x = call.any();
  if (isFloating(call.next()) || call.maker.isHostile) {
    call.maker.isHostile = call.maker.isHostile && isFloating(call.next());
    call.in(call.maker.broadcastable(call.next(), x.dims));
  } else {
    Extents dims = call.random.chance(50) ? x.dims : Extents();
    call.fresh(dims, between(1, 7));
  }
  return call.done();
}

bool power(Call &call) {
  Value x = call.any();
  if (isFloating(call.next()))
    call.in(call.maker.broadcastable(call.next(), x.dims));
  else
    call.fresh(call.random.chance(50) ? x.dims : Extents(), between(0, 5));
  return call.done();
}

bool shift(Call &call) {
  Value x = call.any();
  if (call.random.chance(50))
    call.fresh(x.dims, between(0, 7));
  else
    call.in(call.maker.broadcastable(call.next(), x.dims));
  return call.done();
}

bool sameShape(Call &call) {
  Value x = call.any();
  call.like(x.dims);
  return call.done();
}

/// Special functions of positive numbers.
bool positive(Call &call) {
  Extents dims = call.maker.randomDims();
  call.fresh(dims, between(0.25, 6));
  call.fresh(call.random.chance(50) ? dims : Extents(), between(0.5, 9));
  return call.done();
}

bool polygamma(Call &call) {
  Extents dims = call.maker.randomDims();
  call.fresh(dims, exactly(Extents(size_t(mostElements(dims)), 2)));
  call.fresh(dims, between(0.5, 9));
  return call.done();
}

bool addMany(Call &call) {
  int64_t number = call.random.between(1, 5);
  call.set("N", number);
  Value x = call.any();
  for (int64_t i = 1; i < number; ++i)
    call.like(x.dims);
  return call.done();
}

bool accumulate(Call &call) {
  int64_t number = call.random.between(1, 5);
  call.set("N", number);
  call.set("shape", Shape::unknownRank());
  Value x = call.any();
  for (int64_t i = 1; i < number; ++i)
    call.like(x.dims);
  return call.done();
}

bool select(Call &call) {
  DType dtype = call.type("T");
  Value x = call.maker.any(dtype);
  Extents cond = x.dims;
  if (call.random.chance(30))
    cond.clear();
  else if (!cond.empty() && call.random.chance(30))
    cond.resize(1);
  call.like(cond);
  call.in(x);
  call.like(x.dims);
  return call.done();
}

bool selectV2(Call &call) {
  DType dtype = call.type("T");
  Value x = call.maker.any(dtype);
  call.in(call.maker.broadcastable(DType::Bool, x.dims));
  call.in(x);
  call.in(call.maker.broadcastable(dtype, x.dims));
  return call.done();
}

bool biasAdd(Call &call) {
  bool isFirst = call.text("data_format") == "NCHW";
  Value x = call.any(isFirst ? 3 : 2, 5);
  call.like({isFirst ? x.dims[1] : x.dims.back()});
  return call.done();
}

bool biasAddV1(Call &call) {
  Value x = call.any(2, 5);
  call.like({x.dims.back()});
  return call.done();
}

bool biasAddGrad(Call &call) {
  call.any(call.text("data_format") == "NCHW" ? 3 : 2, 5);
  return call.done();
}

bool softmax(Call &call) {
  call.any(1, 4);
  return call.done();
}

bool clip(Call &call) {
  Value x = call.any();
  Extents dims = call.random.chance(60) ? Extents() : x.dims;
  call.fresh(dims, between(0, 1));
  call.fresh(dims, between(2, 5));
  return call.done();
}

bool cast(Call &call) {
  call.any();
  return call.done();
}

/// Axes of a reduction, some counted from the end; null: one that is none.
Extents someAxes(Call &call, int rank) {
  std::vector<int64_t> axes(size_t(rank), 0);
  std::iota(axes.begin(), axes.end(), 0);
  std::ranges::shuffle(axes, call.random.engine);
  axes.resize(size_t(call.random.below(rank + 1)));
  if (!axes.empty() && call.maker.isHostile) {
    call.maker.isHostile = false;
    axes[0] = rank + 1;
  }
  for (int64_t &axis : axes)
    if (call.random.chance(30) && axis < rank)
      axis -= rank;
  return Extents(axes.begin(), axes.end());
}

bool reduce(Call &call) {
  Value x = call.any();
  Extents axes = someAxes(call, x.rank());
  if (axes.size() == 1 && call.random.chance(40))
    call.scalar(axes[0]);
  else
    call.integers(axes);
  return call.done();
}

bool onAxis(Call &call) {
  Value x = call.any(1);
  int64_t axis = call.random.between(-x.rank(), x.rank() - 1);
  if (call.random.chance(60)) // what the reduction is over must not be empty
    for (int i = 0; i < x.rank(); ++i)
      if (x.dims[size_t(i)].least() > 0)
        axis = i;
  call.scalar(axis);
  return call.done();
}

bool bucketize(Call &call) {
  std::vector<float> boundaries(size_t(call.random.below(6)));
  for (float &boundary : boundaries)
    boundary = static_cast<float>(call.random.between(-8, 8)) / 2;
  std::ranges::sort(boundaries);
  call.set("boundaries",
           boundaries.empty() ? AttrValue(EmptyList()) : AttrValue(boundaries));
  call.any();
  return call.done();
}

bool bincount(Call &call) {
  Extents dims = call.maker.randomDims(call.def.name == "Bincount" ? 0 : 1,
                                       call.def.name == "Bincount" ? 3 : 2);
  int64_t size = call.random.between(1, 9);
  if (std::exchange(call.maker.isHostile, false))
    call.fresh(dims, hostileIndices(size));
  else
    call.fresh(dims, between(0, 9));
  call.scalar(size);
  if (call.random.chance(50))
    call.fresh({0}, anything());
  else
    call.like(dims);
  return call.done();
}

bool range(Call &call) {
  int64_t delta = call.random.between(1, 3);
  bool isDown = !isInteger(call.type("Tidx")) && call.random.chance(30);
  int64_t start = call.random.between(0, 4);
  Extent length = call.maker.randomExtent();
  DType dtype = call.type("Tidx");
  int64_t sign = isDown ? -1 : 1;
  Extent limit = each(
      [&](int64_t n) {
        return std::min<int64_t>(start + sign * n * delta, 120);
      },
      length);
  call.in(call.maker.scalarInteger(dtype, start));
  call.in(call.maker.scalarInteger(dtype, limit));
  call.in(call.maker.scalarInteger(dtype, sign * delta));
  return call.done();
}

bool linSpace(Call &call) {
  call.set("T", call.random.among({DType::Float32, DType::Float64}));
  call.fresh({}, between(-9, 9));
  call.fresh({}, between(-9, 9));
  call.scalar(each([](int64_t n) { return std::max<int64_t>(n, 1); },
                   call.maker.randomExtent()));
  return call.done();
}

constexpr Recipe recipes[] = {
    {"Neg Abs Sign Square Sqrt Rsqrt Reciprocal Inv Exp Expm1 Log Log1p Sin "
     "Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Sigmoid Erf Erfc "
     "Lgamma Digamma Erfinv Ndtri BesselI0 BesselI0e BesselI1 BesselI1e Floor "
     "Ceil Rint Round Relu Relu6 Elu Selu LeakyRelu Softsign Softplus Invert "
     "PopulationCount "
     "LogicalNot ToBool ZerosLike OnesLike IsNan IsInf IsFinite L2Loss "
     "Identity "
     "StopGradient PreventGradient GuaranteeConst Snapshot Shape Size Rank "
     "DeepCopy Copy CopyHost",
     unary},
    {"Add AddV2 Sub Mul Maximum Minimum SquaredDifference Atan2 Xdivy Xlogy "
     "Xlog1py DivNoNan MulNoNan Equal NotEqual ApproximateEqual Less LessEqual "
     "Greater GreaterEqual LogicalAnd LogicalOr BitwiseAnd BitwiseOr "
     "BitwiseXor",
     broadcast},
    {"Div RealDiv FloorDiv FloorMod Mod TruncateDiv TruncateMod", divide},
    {"Pow", power},
    {"LeftShift RightShift", shift},
    {"ReluGrad Relu6Grad EluGrad SeluGrad LeakyReluGrad SoftplusGrad "
     "SoftsignGrad TanhGrad SigmoidGrad SqrtGrad RsqrtGrad ReciprocalGrad "
     "InvGrad",
     sameShape},
    {"Igamma Igammac Zeta", positive},
    {"Polygamma", polygamma},
    {"AddN", addMany},
    {"Select", select},
    {"SelectV2", selectV2},
    {"BiasAdd", biasAdd},
    {"BiasAddV1", biasAddV1},
    {"AccumulateNV2", accumulate},
    {"BiasAddGrad", biasAddGrad},
    {"Softmax LogSoftmax", softmax},
    {"ClipByValue", clip},
    {"Cast", cast},
    {"Sum Mean Prod Max Min All Any EuclideanNorm", reduce},
    {"ArgMax ArgMin Cumsum Cumprod CumulativeLogsumexp", onAxis},
    {"Bucketize", bucketize},
    {"Bincount DenseBincount", bincount},
    {"Range", range},
    {"LinSpace", linSpace},
};

} // namespace

std::span<const Recipe> mathRecipes() { return recipes; }

} // namespace kiln::fuzz
