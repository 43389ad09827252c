// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain arithmetic becomes LLVM's one for one, without MLIR's conversion
// framework, which takes most of the lowering's time: the loops of a graph are
// little else, and their types are LLVM's already.
#include "passes/to-llvm/LowerKilnToLlvm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace kiln::passes {
namespace {

/// Whether LLVM has the types as they are: no index, no vector of two
/// dimensions.
bool hasPlainTypes(Operation *op) {
  auto isPlain = [](Type type) { return LLVM::isCompatibleType(type); };
  return llvm::all_of(op->getOperandTypes(), isPlain) &&
         llvm::all_of(op->getResultTypes(), isPlain);
}

/// The LLVM op that does the same, before \p op; null where it is not plain.
/// Ops that allow reassociation and the like, or promise no overflow, are
/// left to the framework.
Operation *lowerPlain(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  ValueRange in = op->getOperands();
  Type type = op->getResult(0).getType();
  auto exact = [](auto op) {
    return op.getFastmath() == arith::FastMathFlags::none;
  };
  auto wraps = [](auto op) {
    return op.getOverflowFlags() == arith::IntegerOverflowFlags::none;
  };
#define KILN_PLAIN(From, To, Condition)                                        \
  .Case<From>([&](From from) -> Operation * {                                  \
    (void)from;                                                                \
    return Condition ? To::create(builder, loc, type, in) : nullptr;           \
  })
  return TypeSwitch<Operation *, Operation *>(op)
      // clang-format off
      KILN_PLAIN(arith::AddFOp, LLVM::FAddOp, exact(from))
      KILN_PLAIN(arith::SubFOp, LLVM::FSubOp, exact(from))
      KILN_PLAIN(arith::MulFOp, LLVM::FMulOp, exact(from))
      KILN_PLAIN(arith::DivFOp, LLVM::FDivOp, exact(from))
      KILN_PLAIN(arith::NegFOp, LLVM::FNegOp, exact(from))
      KILN_PLAIN(math::AbsFOp, LLVM::FAbsOp, exact(from))
      KILN_PLAIN(math::SqrtOp, LLVM::SqrtOp, exact(from))
      KILN_PLAIN(math::FloorOp, LLVM::FFloorOp, exact(from))
      KILN_PLAIN(math::CeilOp, LLVM::FCeilOp, exact(from))
      KILN_PLAIN(math::FmaOp, LLVM::FMAOp, exact(from))
      KILN_PLAIN(arith::AddIOp, LLVM::AddOp, wraps(from))
      KILN_PLAIN(arith::SubIOp, LLVM::SubOp, wraps(from))
      KILN_PLAIN(arith::MulIOp, LLVM::MulOp, wraps(from))
      KILN_PLAIN(arith::AndIOp, LLVM::AndOp, true)
      KILN_PLAIN(arith::OrIOp, LLVM::OrOp, true)
      KILN_PLAIN(arith::XOrIOp, LLVM::XOrOp, true)
      KILN_PLAIN(arith::BitcastOp, LLVM::BitcastOp, true)
      KILN_PLAIN(arith::SelectOp, LLVM::SelectOp, true)
      .Case<arith::ConstantOp>(
          [&](arith::ConstantOp from) -> Operation * {
            return LLVM::ConstantOp::create(
                builder, loc, type, from.getValue());
          })
      .Case<arith::CmpFOp>(
          [&](arith::CmpFOp from) -> Operation * {
            // The predicates have the same numbers.
            if (!exact(from))
              return nullptr;
            return LLVM::FCmpOp::create(
                builder, loc,
                static_cast<LLVM::FCmpPredicate>(
                    from.getPredicate()),
                from.getLhs(), from.getRhs());
          })
      .Case<arith::CmpIOp>(
          [&](arith::CmpIOp from) -> Operation * {
            return LLVM::ICmpOp::create(
                builder, loc,
                static_cast<LLVM::ICmpPredicate>(
                    from.getPredicate()),
                from.getLhs(), from.getRhs());
          })
      .Default([](Operation *) { return nullptr; });
  // clang-format on
#undef KILN_PLAIN
}

} // namespace

void lowerPlainOps(ModuleOp module) {
  OpBuilder builder(module.getContext());
  module.walk([&](Operation *op) {
    if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
        op->getNumResults() != 1 || !hasPlainTypes(op))
      return;
    builder.setInsertionPoint(op);
    Operation *lowered = lowerPlain(builder, op);
    if (!lowered)
      return;
    op->getResult(0).replaceAllUsesWith(lowered->getResult(0));
    op->erase();
  });
}

} // namespace kiln::passes
