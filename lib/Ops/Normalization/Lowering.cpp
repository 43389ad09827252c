// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers normalizations: sums over places, and arithmetic that fuses with what
// is around it.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// An image and what belongs to its channels.
struct Channels {
  Channels(Context &ctx, int imageInput)
      : ctx(ctx), ir(ctx.ir()), image(ctx.input(imageInput)),
        type(IrBuilder::typeOf(image)) {
    axis = ctx.stringAttr("data_format")[1] == 'C' ? 1 : type.getRank() - 1;
    Dims places = ctx.inputDims(imageInput);
    places.erase(places.begin() + axis);
    count = ctx.dims().product(places);
  }

  Value everywhere(Value vector) { return ir.broadcast(vector, type, {axis}); }
  Value sum(Value x) {
    llvm::SmallVector<int64_t> axes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != axis)
        axes.push_back(dim);
    return ir.reduce(ir::ReduceKind::sum, x, axes);
  }
  Value number(Dim dim, Value like) {
    return ir.broadcast(ir.dimScalar(dim, IrBuilder::elementOf(like)),
                        IrBuilder::typeOf(like));
  }
  Value mean(Value x) {
    Value total = sum(x);
    return ir.div(total, number(count, total));
  }
  /// The gradients of what nothing was taken from are zeros, too.
  Value zeroWithoutPlaces(Value statistic) {
    if (count.isKnown() && count.value > 0)
      return statistic;
    return ir.select(
        ir.compare(ir::Predicate::eq, number(count, statistic), 0.0),
        ir.like(statistic, 0), statistic);
  }
  Value inverseDeviation(Value variance, double epsilon) {
    return ir.unary<ir::RsqrtOp>(ir.add(variance, ir.like(variance, epsilon)));
  }

  Context &ctx;
  IrBuilder &ir;
  Value image;
  RankedTensorType type;
  int64_t axis = 0;
  Dim count; ///< of places
};

/// f * batch + (1 - f) * running.
Value mixed(IrBuilder &ir, double factor, Value batch, Value running) {
  return factor == 1 ? batch
                     : ir.add(ir.mul(batch, ir.like(batch, factor)),
                              ir.mul(running, ir.like(running, 1 - factor)));
}

Status lowerBatchNorm(Context &ctx) {
  Channels c(ctx, 0);
  IrBuilder &ir = ctx.ir();
  Value mean = ctx.input(3), variance = ctx.input(4);
  const double epsilon = ctx.floatAttr("epsilon");
  if (ctx.boolAttr("is_training")) {
    const double factor = ctx.floatAttr("exponential_avg_factor");
    Value running = mean, runningVariance = variance;
    mean = c.mean(c.image);
    Value centered = ir.sub(c.image, c.everywhere(mean));
    variance = c.mean(ir.mul(centered, centered));
    // What is remembered is unbiased.
    DimSpace &dims = ctx.dims();
    Dim less = dims.max(dims.sub(c.count, Dim::known(1)), Dim::known(1));
    Value unbiased = ir.mul(variance, ir.div(c.number(c.count, variance),
                                             c.number(less, variance)));
    ctx.setOutput(1, mixed(ir, factor, mean, running));
    ctx.setOutput(2, mixed(ir, factor, unbiased, runningVariance));
    ctx.setOutput(3, c.zeroWithoutPlaces(mean));
    ctx.setOutput(4, c.zeroWithoutPlaces(variance));
  } else {
    ctx.setOutput(1, mean);
    ctx.setOutput(2, variance);
    ctx.setOutput(3, ir.like(mean, 0));
    ctx.setOutput(4, ir.like(mean, 0));
  }
  Value scale = ir.mul(c.inverseDeviation(variance, epsilon), ctx.input(1));
  ctx.setOutput(0, ir.add(ir.mul(ir.sub(c.image, c.everywhere(mean)),
                                 c.everywhere(scale)),
                          c.everywhere(ctx.input(2))));
  if (ctx.numOutputs() > 5)
    ctx.setOutput(5, ir.splat(ctx.outputType(5), 0));
  return okStatus();
}

Status lowerBatchNormGradient(Context &ctx) {
  Channels c(ctx, 1);
  IrBuilder &ir = ctx.ir();
  Value gradient = ctx.input(0), scale = ctx.input(2), mean = ctx.input(3),
        variance = ctx.input(4);
  const double epsilon = ctx.floatAttr("epsilon");
  Value inverse = c.inverseDeviation(variance, epsilon);
  Value centered = ir.sub(c.image, c.everywhere(mean));
  Value gradientSum = c.sum(gradient);
  Value product = c.sum(ir.mul(gradient, centered));
  ctx.setOutput(1, ir.mul(product, inverse));
  ctx.setOutput(2, gradientSum);
  Value inner = gradient;
  if (ctx.boolAttr("is_training")) {
    Value count = c.number(c.count, gradientSum);
    Value ofCentered = ir.div(
        ir.mul(ir.div(product, count), inverse),
        ir.unary<ir::SqrtOp>(ir.add(variance, ir.like(variance, epsilon))));
    inner = ir.sub(ir.sub(gradient, c.everywhere(ir.div(gradientSum, count))),
                   ir.mul(centered, c.everywhere(ofCentered)));
  }
  ctx.setOutput(0, ir.mul(inner, c.everywhere(ir.mul(scale, inverse))));
  for (int i : {3, 4})
    ctx.setOutput(i, ir.splat(ctx.outputType(i), 0));
  return okStatus();
}

Status lowerGlobalNorm(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Value x = ctx.input(0), mean = ctx.input(1), variance = ctx.input(2);
  auto type = IrBuilder::typeOf(x);
  auto everywhere = [&](Value vector) {
    return ir.broadcast(vector, type, {type.getRank() - 1});
  };
  Value scale = ir.unary<ir::RsqrtOp>(
      ir.add(variance, ir.like(variance, ctx.floatAttr("variance_epsilon"))));
  if (ctx.boolAttr("scale_after_normalization"))
    scale = ir.mul(scale, ctx.input(4));
  ctx.setOutput(0,
                ir.add(ir.mul(ir.sub(x, everywhere(mean)), everywhere(scale)),
                       everywhere(ctx.input(3))));
  return okStatus();
}

Status lowerGlobalNormGradient(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Value x = ctx.input(0), mean = ctx.input(1), gamma = ctx.input(3),
        gradient = ctx.input(4);
  auto type = IrBuilder::typeOf(x);
  const int64_t last = type.getRank() - 1;
  auto everywhere = [&](Value vector) {
    return ir.broadcast(vector, type, {last});
  };
  auto sum = [&](Value of) {
    return ir.reduce(ir::ReduceKind::sum, of,
                     llvm::to_vector(llvm::seq<int64_t>(last)));
  };
  const bool scales = ctx.boolAttr("scale_after_normalization");
  auto scaled = [&](Value of) { return scales ? ir.mul(of, gamma) : of; };
  Value variance = ir.add(
      ctx.input(2), ir.like(ctx.input(2), ctx.floatAttr("variance_epsilon")));
  Value inverse = ir.unary<ir::RsqrtOp>(variance);
  Value product = sum(ir.mul(gradient, ir.sub(x, everywhere(mean)))),
        total = sum(gradient);
  ctx.setOutput(0, ir.mul(gradient, everywhere(scaled(inverse))));
  ctx.setOutput(1, ir.mul(ir.neg(total), scaled(inverse)));
  Value slope = ir.div(ir.mul(inverse, ir.like(inverse, -0.5)), variance);
  ctx.setOutput(2, ir.mul(product, scaled(slope)));
  ctx.setOutput(3, total);
  ctx.setOutput(4, scales ? ir.mul(product, inverse) : ir.like(product, 0));
  return okStatus();
}

//===--- Local responses --------------------------------------------------===//

/// One channel around each is a slice in the code.
constexpr int64_t maxRadius = 2048;

/// The sum of the channels around each, up to `radius` away.
StatusOr<Value> sumAround(Context &ctx, Value x, Dims dims, int64_t radius) {
  IrBuilder &ir = ctx.ir();
  Dim channels = ctx.dims().resolve(dims.back());
  if (channels.isKnown())
    radius = std::min(radius, std::max<int64_t>(channels.value - 1, 0));
  if (radius < 0 || radius > maxRadius)
    return ctx.unimplemented(
        strCat("a depth_radius that is not in [0, ", maxRadius, "]"));
  RankedTensorType type = IrBuilder::typeOf(x);
  auto last = static_cast<size_t>(type.getRank()) - 1;
  llvm::SmallVector<int64_t> starts(last + 1, 0), ones(last + 1, 1);
  starts[last] = radius;
  dims.back() = ctx.dims().add(channels, Dim::known(2 * radius));
  Value padded = ir.pad(x, ir.scalar(type.getElementType(), 0), starts,
                        ir.tensorType(dims, type.getElementType()));
  Value sum;
  for (starts[last] = 0; starts[last] <= 2 * radius; ++starts[last]) {
    Value one = ir.slice(padded, starts, ones, type);
    sum = sum ? ir.add(sum, one) : one;
  }
  return sum;
}

struct Response {
  explicit Response(Context &ctx)
      : radius(ctx.intAttr("depth_radius")), bias(ctx.floatAttr("bias")),
        alpha(ctx.floatAttr("alpha")), beta(ctx.floatAttr("beta")) {}

  /// bias + alpha * the squares around.
  StatusOr<Value> norm(Context &ctx, Value x, const Dims &dims) const {
    IrBuilder &ir = ctx.ir();
    KILN_ASSIGN_OR_RETURN(Value squares,
                          sumAround(ctx, ir.mul(x, x), dims, radius));
    return ir.add(ir.mul(squares, ir.like(squares, alpha)),
                  ir.like(squares, bias));
  }
  /// norm to the power of -beta.
  Value factor(IrBuilder &ir, Value norm) const {
    if (beta == 1)
      return ir.div(ir.like(norm, 1), norm);
    if (beta == 0.5)
      return ir.unary<ir::RsqrtOp>(norm);
    return ir.binary<ir::PowOp>(norm, ir.like(norm, -beta));
  }

  int64_t radius;
  double bias, alpha, beta;
};

Status lowerResponseNorm(Context &ctx) {
  Response response(ctx);
  Value x = ctx.input(0);
  KILN_ASSIGN_OR_RETURN(Value norm, response.norm(ctx, x, ctx.inputDims(0)));
  ctx.setOutput(0, ctx.ir().mul(x, response.factor(ctx.ir(), norm)));
  return okStatus();
}

Status lowerResponseNormGradient(Context &ctx) {
  Response response(ctx);
  IrBuilder &ir = ctx.ir();
  Value gradient = ctx.input(0), x = ctx.input(1), y = ctx.input(2);
  KILN_ASSIGN_OR_RETURN(Value norm, response.norm(ctx, x, ctx.inputDims(1)));
  KILN_ASSIGN_OR_RETURN(Value around,
                        sumAround(ctx, ir.div(ir.mul(gradient, y), norm),
                                  ctx.inputDims(1), response.radius));
  Value others = ir.mul(
      ir.mul(x, ir.like(x, -2 * response.alpha * response.beta)), around);
  ctx.setOutput(0, ir.add(ir.mul(gradient, response.factor(ir, norm)), others));
  return okStatus();
}

} // namespace

void registerNormalizationLowerings(LoweringRegistry &registry) {
  registry.add(
      {{"FusedBatchNorm", lowerBatchNorm},
       {"FusedBatchNormV2", lowerBatchNorm},
       {"FusedBatchNormV3", lowerBatchNorm},
       {"FusedBatchNormGrad", lowerBatchNormGradient},
       {"FusedBatchNormGradV2", lowerBatchNormGradient},
       {"FusedBatchNormGradV3", lowerBatchNormGradient},
       {"BatchNormWithGlobalNormalization", lowerGlobalNorm},
       {"BatchNormWithGlobalNormalizationGrad", lowerGlobalNormGradient},
       {"LRN", lowerResponseNorm},
       {"LRNGrad", lowerResponseNormGradient}});
}

} // namespace kiln
