// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the operations of loops, as numbers and as code.
#include "passes/analysis/LoopWork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace mlir;

namespace kiln::passes {

Work &Work::operator+=(Work other) {
  least = llvm::SaturatingAdd(least, other.least);
  most = llvm::SaturatingAdd(most, other.most);
  return *this;
}

Work Work::operator*(Work other) const {
  return {llvm::SaturatingMultiply(least, other.least),
          llvm::SaturatingMultiply(most, other.most)};
}

static constexpr StringLiteral mostIterationsName = "kiln.most_iterations";

void setMostIterations(scf::ForOp loop, int64_t iterations) {
  loop->setAttr(
      mostIterationsName,
      IntegerAttr::get(IndexType::get(loop.getContext()), iterations));
}

static std::optional<int64_t> mostIterations(scf::ForOp loop) {
  auto iterations = loop->getAttrOfType<IntegerAttr>(mostIterationsName);
  return iterations ? std::optional(iterations.getInt()) : std::nullopt;
}

Work iterationsOf(scf::ForOp loop) {
  auto low = getConstantIntValue(loop.getLowerBound()),
       high = getConstantIntValue(loop.getUpperBound()),
       step = getConstantIntValue(loop.getStep());
  if (!low || !high || !step || *step <= 0)
    return {0, mostIterations(loop)
                   ? static_cast<uint64_t>(*mostIterations(loop))
                   : UINT64_MAX};
  uint64_t iterations =
      *high > *low
          ? llvm::divideCeil(uint64_t(*high) - uint64_t(*low), uint64_t(*step))
          : 0;
  return {iterations, iterations};
}

Work workOf(Operation &op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return iterationsOf(loop) * workOf(*loop.getBody());
  // The one while loop of Kiln's passes, the binary counter of sums, iterates
  // as often as a number has bits.
  Work work{1, 1};
  for (Region &region : op.getRegions())
    for (Block &block : region)
      work += workOf(block);
  return work;
}

Work workOf(Block &block) {
  Work work{1, 1};
  for (Operation &op : block.without_terminator())
    work += workOf(op);
  return work;
}

Value emitIterations(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value range = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(),
                                                    loop.getLowerBound());
  return builder.createOrFold<arith::CeilDivUIOp>(loc, range, loop.getStep());
}

namespace {

/// Iterations of a loop inside that are not known.
constexpr int64_t assumedIterations = 64;

/// workOf() as code in front of a loop.
struct WorkEmitter {
  OpBuilder &builder;
  scf::ForOp root;
  Location loc = root.getLoc();

  Value emit(Block &block) {
    int64_t plain = 0;
    Value inLoops;
    count(block, plain, inLoops);
    Value base = arith::ConstantIndexOp::create(builder, loc, plain);
    return inLoops ? builder.createOrFold<arith::AddIOp>(loc, inLoops, base)
                   : base;
  }

private:
  void count(Block &block, int64_t &plain, Value &inLoops) {
    ++plain;
    for (Operation &op : block.without_terminator()) {
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        Value work = builder.createOrFold<arith::MulIOp>(loc, iterations(loop),
                                                         emit(*loop.getBody()));
        inLoops = inLoops
                      ? builder.createOrFold<arith::AddIOp>(loc, inLoops, work)
                      : work;
        continue;
      }
      ++plain;
      for (Region &region : op.getRegions())
        for (Block &nested : region)
          count(nested, plain, inLoops);
    }
  }

  bool isKnown(Value value) { return root.isDefinedOutsideOfLoop(value); }

  /// From 0 to at most a known number: the last iteration of the root does
  /// less.
  Value knownLimit(scf::ForOp loop) {
    auto least = loop.getUpperBound().getDefiningOp<arith::MinUIOp>();
    if (!least || !isConstantIntValue(loop.getLowerBound(), 0) ||
        !isConstantIntValue(loop.getStep(), 1))
      return {};
    for (Value limit : least->getOperands())
      if (isKnown(limit))
        return limit;
    return {};
  }

  Value iterations(scf::ForOp loop) {
    if (isKnown(loop.getLowerBound()) && isKnown(loop.getUpperBound()) &&
        isKnown(loop.getStep()))
      return emitIterations(builder, loop);
    if (Value limit = knownLimit(loop))
      return limit;
    return arith::ConstantIndexOp::create(
        builder, loc, mostIterations(loop).value_or(assumedIterations));
  }
};

} // namespace

Value emitWorkOfTurn(OpBuilder &builder, scf::ForOp loop) {
  return WorkEmitter{builder, loop}.emit(*loop.getBody());
}

} // namespace kiln::passes
