// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops a set of ops gets, which loop walks which dimension, and why
// some sets get none.
#include "passes/schedule/Schedule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"

#include <string>

namespace kiln::passes {
namespace {

using ::testing::ElementsAre;

/// What analyzeLoopNest() and orderLoops() say of the body of a function with
/// these arguments; the function returns the values that leave the set.
class LoopNests : public ::testing::Test {
protected:
  LoopNests() {
    context.loadDialect<ir::KilnDialect, mlir::func::FuncDialect>();
  }

  void analyze(const std::string &arguments, const std::string &results,
               const std::string &body) {
    ops.clear();
    std::string text = "func.func @f(" + arguments + ") -> (" + results +
                       ") {\n" + body + "\n}";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    mlir::func::FuncOp function = *module->getOps<mlir::func::FuncOp>().begin();
    mlir::Block &block = function.getBody().front();
    for (mlir::Operation &op : block.without_terminator())
      ops.push_back(&op);
    why.clear();
    nest = analyzeLoopNest(ops, &why);
    order = mlir::failure();
    if (mlir::succeeded(nest))
      order = orderLoops(*nest, &why);
    if (mlir::succeeded(order))
      checkInvariants(block.getTerminator()->getOperands());
  }

  /// The loops from the outside in, with their trip counts, and their form; or
  /// why there are none.
  std::string loops() const {
    if (mlir::failed(order))
      return why;
    std::string text;
    for (const Axis &axis : nest->axes) {
      const char *names[] = {"parallel ", "reduced ", "inner "};
      text += names[static_cast<int>(axis.level)];
      std::optional<int64_t> extent = axis.knownExtent();
      text += (extent ? std::to_string(*extent) : "?") + ", ";
    }
    return text + (order->form == LoopForm::Rows ? "rows" : "tiles");
  }

  /// The loops that walk the result of op number `index`.
  AxisList value(size_t index) const {
    return nest->values.lookup(ops[index]->getResult(0));
  }
  /// The loops that walk an operand from outside the set.
  AxisList leaf(size_t index, unsigned operand = 0) const {
    return nest->leaves.lookup(&ops[index]->getOpOperand(operand));
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::SmallVector<mlir::Operation *> ops;
  mlir::FailureOr<LoopNest> nest = mlir::failure();
  mlir::FailureOr<LoopOrder> order = mlir::failure();
  std::string why;

private:
  /// Invariants (1), (2) and (5) of LoopNest, and that of LoopOrder.
  void checkInvariants(mlir::ValueRange stored) const {
    for (const auto &[value, list] : nest->values) {
      ir::Extents extents = ir::extentsOf(value);
      ASSERT_EQ(list.size(), extents.size());
      llvm::SmallDenseSet<int> seen;
      for (size_t i = 0; i < list.size(); ++i) {
        if (list[i] >= 0)
          EXPECT_TRUE(seen.insert(list[i]).second);
        if (!extents[i].isKnown(1))
          EXPECT_NE(list[i], unwalked);
      }
    }
    int reduced = 0, inner = 0;
    for (const Axis &axis : nest->axes) {
      reduced += axis.level == Level::Reduced;
      inner += axis.level == Level::Inner;
    }
    EXPECT_LE(reduced, 1);
    EXPECT_LE(inner, 1);
    for (mlir::Value value : stored)
      for (int axis : order->storeAxes)
        EXPECT_TRUE(nest->has(nest->values.lookup(value), axis));
  }
};

//===--- Loops ------------------------------------------------------------===//

TEST_F(LoopNests, ElementwiseOpsAreOneLoop) {
  analyze("%x: tensor<4x6xf32>, %y: tensor<4x6xf32>", "tensor<4x6xf32>",
          R"(%0 = kiln.add %x, %y : tensor<4x6xf32>
             %1 = kiln.exp %0 : tensor<4x6xf32>
             return %1 : tensor<4x6xf32>)");
  EXPECT_EQ(loops(), "inner 24, rows");
  EXPECT_THAT(value(1), ElementsAre(collapsed, 0));
  EXPECT_THAT(leaf(0, 1), ElementsAre(collapsed, 0));
}

TEST_F(LoopNests, ScalarsNeedNoLoop) {
  analyze("%x: tensor<f32>", "tensor<1x1xf32>",
          R"(%0 = kiln.exp %x : tensor<f32>
             %1 = kiln.reshape %0 : tensor<f32> -> tensor<1x1xf32>
             return %1 : tensor<1x1xf32>)");
  EXPECT_EQ(loops(), "rows");
  EXPECT_THAT(value(1), ElementsAre(unwalked, unwalked));
}

TEST_F(LoopNests, ABroadcastRowKeepsTwoLoopsApart) {
  analyze("%x: tensor<4x6xf32>, %b: tensor<6xf32>", "tensor<4x6xf32>",
          R"(%0 = kiln.broadcast %b map [1] : tensor<6xf32> -> tensor<4x6xf32>
             %1 = kiln.add %x, %0 : tensor<4x6xf32>
             return %1 : tensor<4x6xf32>)");
  EXPECT_EQ(loops(), "parallel 4, inner 6, rows");
  EXPECT_THAT(leaf(0), ElementsAre(1));
}

TEST_F(LoopNests, ATransposedOperandIsWalkedTheOtherWay) {
  analyze("%x: tensor<4x6xf32>, %y: tensor<6x4xf32>", "tensor<4x6xf32>",
          R"(%0 = kiln.transpose %y permutation [1, 0]
                 : tensor<6x4xf32> -> tensor<4x6xf32>
             %1 = kiln.add %x, %0 : tensor<4x6xf32>
             return %1 : tensor<4x6xf32>)");
  EXPECT_EQ(loops(), "parallel 4, inner 6, rows");
  EXPECT_THAT(leaf(0), ElementsAre(1, 0));
}

TEST_F(LoopNests, AReductionOfRowsAndItsConsumersAreStages) {
  const char *body = R"(
      %0 = kiln.reduce max %x axes [1] : !m -> tensor<8xf32>
      %1 = kiln.broadcast %0 map [0] : tensor<8xf32> -> !m
      %2 = kiln.sub %x, %1 : !m
      return %2 : !m)";
  auto with = [&](const std::string &type) {
    std::string text = body;
    for (size_t at; (at = text.find("!m")) != std::string::npos;)
      text.replace(at, 2, type);
    analyze("%x: " + type, type, text);
  };
  with("tensor<8x100xf32>");
  EXPECT_EQ(loops(), "parallel 8, inner 100, rows");
  EXPECT_THAT(value(0), ElementsAre(0));
  EXPECT_EQ(order->innerRegisters, 0);
  // Rows that fit into registers are held there.
  with("tensor<8x33xf32>");
  EXPECT_EQ(loops(), "parallel 8, inner 33, tiles");
  EXPECT_EQ(order->innerRegisters, 3);
}

TEST_F(LoopNests, AReductionOfColumnsLoopsOverRowsInside) {
  analyze("%x: tensor<20x100xf32>", "tensor<100xf32>",
          R"(%0 = kiln.exp %x : tensor<20x100xf32>
             %1 = kiln.reduce sum %0 axes [0]
                 : tensor<20x100xf32> -> tensor<100xf32>
             %2 = kiln.neg %1 : tensor<100xf32>
             return %2 : tensor<100xf32>)");
  EXPECT_EQ(loops(), "reduced 20, inner 100, tiles");
  EXPECT_EQ(nest->reduced, 0);
  EXPECT_EQ(nest->inner, 1);
  EXPECT_THAT(value(2), ElementsAre(1));
}

TEST_F(LoopNests, AxesReducedTogetherAreOneLoop) {
  analyze("%x: tensor<4x5x100xf32>", "tensor<100xf32>",
          R"(%0 = kiln.reduce sum %x axes [0, 1]
                 : tensor<4x5x100xf32> -> tensor<100xf32>
             return %0 : tensor<100xf32>)");
  EXPECT_EQ(loops(), "reduced 20, inner 100, tiles");
  analyze("%x: tensor<3x4x50xf32>", "tensor<3xf32>",
          R"(%0 = kiln.reduce sum %x axes [1, 2]
                 : tensor<3x4x50xf32> -> tensor<3xf32>
             return %0 : tensor<3xf32>)");
  EXPECT_EQ(loops(), "parallel 3, inner 200, rows");
}

TEST_F(LoopNests, ANarrowNestMixesBothReductions) {
  analyze("%x: tensor<20x10xf32>", "tensor<20xf32>, tensor<10xf32>",
          R"(%0 = kiln.reduce max %x axes [1]
                 : tensor<20x10xf32> -> tensor<20xf32>
             %1 = kiln.broadcast %0 map [0]
                 : tensor<20xf32> -> tensor<20x10xf32>
             %2 = kiln.sub %x, %1 : tensor<20x10xf32>
             %3 = kiln.reduce sum %2 axes [0]
                 : tensor<20x10xf32> -> tensor<10xf32>
             return %0, %3 : tensor<20xf32>, tensor<10xf32>)");
  EXPECT_EQ(loops(), "reduced 20, inner 10, tiles");
}

TEST_F(LoopNests, SymbolsHaveNoKnownTripCount) {
  analyze("%x: tensor<?x2xf32, #kiln.sym<0>>", "tensor<?x2xf32, #kiln.sym<0>>",
          R"(%0 = kiln.exp %x : tensor<?x2xf32, #kiln.sym<0>>
             return %0 : tensor<?x2xf32, #kiln.sym<0>>)");
  EXPECT_EQ(loops(), "inner ?, rows");
  EXPECT_EQ(nest->axes[0].factors.size(), 2u);
  EXPECT_EQ(order->innerRegisters, 0);
}

TEST_F(LoopNests, ADimensionThatMayBeOneIsDecidedByTheAccess) {
  const char *broadcast = R"(
      %0 = kiln.broadcast %x map [0]
          : tensor<?xf32, #kiln.sym<1>> -> tensor<?xf32, #kiln.sym<0>>
      return %0 : tensor<?xf32, #kiln.sym<0>>)";
  analyze("%x: tensor<?xf32, #kiln.sym<1>>", "tensor<?xf32, #kiln.sym<0>>",
          broadcast);
  EXPECT_EQ(loops(), "inner ?, rows");
  EXPECT_THAT(leaf(0), ElementsAre(0));
  analyze("%y: tensor<?xf32, #kiln.sym<1>>", "tensor<?xf32, #kiln.sym<0>>",
          std::string("%x = kiln.exp %y : tensor<?xf32, #kiln.sym<1>>") +
              broadcast);
  EXPECT_EQ(loops(),
            "a computed value is repeated along a dimension that may be 1");
}

TEST_F(LoopNests, NoLoopWalksWhatAnIndexPicksFrom) {
  analyze("%x: tensor<50x6xf32>, %i: tensor<3xi32>", "tensor<3x6xf32>",
          R"(%0 = kiln.gather %x, %i axis 0
                 : tensor<50x6xf32>, tensor<3xi32> -> tensor<3x6xf32>
             %1 = kiln.exp %0 : tensor<3x6xf32>
             return %1 : tensor<3x6xf32>)");
  EXPECT_EQ(loops(), "parallel 3, inner 6, rows");
  EXPECT_THAT(leaf(0, 0), ElementsAre(unwalked, 1));
  EXPECT_THAT(leaf(0, 1), ElementsAre(0));
}

TEST_F(LoopNests, ASliceKeepsItsDimensionApart) {
  const char *body = R"(
      %0 = kiln.slice %x starts [START, 0] strides [1, 1]
          : tensor<9x6xf32> -> tensor<4x6xf32>
      return %0 : tensor<4x6xf32>)";
  for (const char *start : {"0", "2"}) {
    std::string text = body;
    text.replace(text.find("START"), 5, start);
    analyze("%x: tensor<9x6xf32>", "tensor<4x6xf32>", text);
    EXPECT_EQ(loops(), "parallel 4, inner 6, rows");
    EXPECT_THAT(leaf(0), ElementsAre(0, 1));
  }
}

TEST_F(LoopNests, AnIotaCountsItsOwnDimensionAlone) {
  analyze("%a: tensor<i32>", "tensor<4x6x5xi32>",
          R"(%0 = kiln.iota %a, %a axis 1 : tensor<i32> -> tensor<4x6x5xi32>
             return %0 : tensor<4x6x5xi32>)");
  EXPECT_EQ(loops(), "parallel 4, parallel 6, inner 5, rows");
}

//===--- Refusals ---------------------------------------------------------===//

TEST_F(LoopNests, OpsOfOtherKindsAreNoPartOfANest) {
  analyze("%x: tensor<4x4xf32>", "tensor<4x4xf32>",
          R"(%0 = kiln.matmul %x, %x
                 : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
             return %0 : tensor<4x4xf32>)");
  EXPECT_EQ(loops(), "an op that is no part of a loop nest");
}

TEST_F(LoopNests, AValueIsNotWalkedTwiceByOneLoop) {
  analyze("%x: tensor<4x4xf32>", "tensor<4x4xf32>",
          R"(%0 = kiln.exp %x : tensor<4x4xf32>
             %1 = kiln.transpose %0 permutation [1, 0]
                 : tensor<4x4xf32> -> tensor<4x4xf32>
             %2 = kiln.add %0, %1 : tensor<4x4xf32>
             return %2 : tensor<4x4xf32>)");
  EXPECT_EQ(loops(), "a value walked by one loop along two dimensions");
}

TEST_F(LoopNests, OpsWithoutACommonLoopAreNotComputedManyTimes) {
  analyze("%x: tensor<4xf32>, %y: tensor<6xf32>",
          "tensor<4xf32>, tensor<6xf32>",
          R"(%0 = kiln.exp %x : tensor<4xf32>
             %1 = kiln.exp %y : tensor<6xf32>
             return %0, %1 : tensor<4xf32>, tensor<6xf32>)");
  EXPECT_EQ(loops(), "no op walks all loops");
}

TEST_F(LoopNests, AResultIsNotStoredInALoopThatItDoesNotHave) {
  analyze("%x: tensor<4x6xf32>, %b: tensor<6xf32>",
          "tensor<6xf32>, tensor<4x6xf32>",
          R"(%0 = kiln.exp %b : tensor<6xf32>
             %1 = kiln.broadcast %0 map [1] : tensor<6xf32> -> tensor<4x6xf32>
             %2 = kiln.add %x, %1 : tensor<4x6xf32>
             return %0, %2 : tensor<6xf32>, tensor<4x6xf32>)");
  EXPECT_EQ(loops(), "a result stored inside a loop that it does not have");
}

TEST_F(LoopNests, PicksAreFromMemoryAlone) {
  analyze("%x: tensor<9xf32>", "tensor<4xf32>",
          R"(%0 = kiln.exp %x : tensor<9xf32>
             %1 = kiln.slice %0 starts [1] strides [2]
                 : tensor<9xf32> -> tensor<4xf32>
             return %1 : tensor<4xf32>)");
  EXPECT_EQ(loops(), "a slice of a computed value");
  analyze("%x: tensor<9xf32>, %i: tensor<4xi32>", "tensor<4xf32>",
          R"(%0 = kiln.exp %x : tensor<9xf32>
             %1 = kiln.gather %0, %i axis 0
                 : tensor<9xf32>, tensor<4xi32> -> tensor<4xf32>
             return %1 : tensor<4xf32>)");
  EXPECT_EQ(loops(), "a gather of a computed value");
}

TEST_F(LoopNests, ReductionsOfOneNestAgreeInTheirAxes) {
  analyze("%x: tensor<4x6x5xf32>", "tensor<4x6xf32>, tensor<4xf32>",
          R"(%0 = kiln.reduce sum %x axes [2]
                 : tensor<4x6x5xf32> -> tensor<4x6xf32>
             %1 = kiln.reduce sum %x axes [1, 2]
                 : tensor<4x6x5xf32> -> tensor<4xf32>
             return %0, %1 : tensor<4x6xf32>, tensor<4xf32>)");
  EXPECT_EQ(loops(), "reductions over different axes");
  analyze("%x: tensor<20x100xf32>", "tensor<20xf32>, tensor<100xf32>",
          R"(%0 = kiln.reduce sum %x axes [1]
                 : tensor<20x100xf32> -> tensor<20xf32>
             %1 = kiln.reduce sum %x axes [0]
                 : tensor<20x100xf32> -> tensor<100xf32>
             return %0, %1 : tensor<20xf32>, tensor<100xf32>)");
  EXPECT_EQ(loops(),
            "inner and outer reductions over columns too wide for registers");
}

TEST_F(LoopNests, ReducedRowsAreNotWalkedAgain) {
  analyze("%x: tensor<20x10xf32>", "tensor<20x10xf32>",
          R"(%0 = kiln.reduce sum %x axes [0]
                 : tensor<20x10xf32> -> tensor<10xf32>
             %1 = kiln.broadcast %0 map [1]
                 : tensor<10xf32> -> tensor<20x10xf32>
             %2 = kiln.sub %x, %1 : tensor<20x10xf32>
             return %2 : tensor<20x10xf32>)");
  EXPECT_EQ(loops(), "rows are walked again after their reduction");
}

} // namespace
} // namespace kiln::passes
