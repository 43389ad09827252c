// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From graphs to the kiln dialect: ops, types with symbols, variables, the feed
// signature, errors.
#include "lib/Import/Import.h"

#include "dialect/Kiln.h"
#include "kiln/GraphDef.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Plan/Plan.h"
#include "test/unit/Requests.h"
#include "test/unit/StatusMatchers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::isOk;
using ::testing::Not;
using ::testing::SizeIs;

/// Tensors of zeros for feeds whose values do not matter.
FeedSpec fed(Shape shape, DType dtype = DType::Float32) {
  return {dtype, shape, {}};
}
FeedSpec fed(Tensor value) { return {value.dtype(), value.shape(), value}; }
Tensor ints(std::vector<int32_t> values) {
  return *Tensor::fromValues<int32_t>({static_cast<int64_t>(values.size())},
                                      values);
}

class Import : public ::testing::Test {
protected:
  using Feeds = std::vector<std::pair<std::string, FeedSpec>>;

  StatusOr<ImportedFunction> run(const Graph &from, const Feeds &feeds,
                                 std::vector<std::string> fetches,
                                 std::vector<std::string> targets = {}) {
    std::vector<std::string> names;
    std::vector<FeedSpec> specs;
    for (const auto &[name, spec] : feeds) {
      names.push_back(name);
      specs.push_back(spec);
    }
    auto pruned = testing::pruneNames(from, names, fetches, targets);
    if (!pruned.ok())
      return pruned.status();
    auto root = makeBlocks(*pruned);
    return root.ok() ? importGraph(context, **root, specs)
                     : StatusOr<ImportedFunction>(root.status());
  }
  StatusOr<ImportedFunction> run(const Feeds &feeds,
                                 std::vector<std::string> fetches,
                                 std::vector<std::string> targets = {}) {
    return run(graph, feeds, std::move(fetches), std::move(targets));
  }

  void placeholder(std::string name, Shape shape,
                   DType dtype = DType::Float32) {
    add({.name = std::move(name),
         .op = "Placeholder",
         .attrs = {{"dtype", dtype}, {"shape", shape}}});
  }
  void variable(std::string name, Shape shape) {
    add({.name = std::move(name),
         .op = "VariableV2",
         .attrs = {{"dtype", DType::Float32}, {"shape", shape}}});
  }
  void constant(std::string name, Tensor value) {
    add({.name = std::move(name),
         .op = "Const",
         .attrs = {{"dtype", value.dtype()}, {"value", value}}});
  }
  void op(std::string name, std::string type, std::vector<NodeInput> inputs,
          AttrMap attrs = {}) {
    if (!attrs.find("T"))
      attrs.set("T", DType::Float32);
    add({.name = std::move(name),
         .op = std::move(type),
         .inputs = std::move(inputs),
         .attrs = std::move(attrs)});
  }
  void add(NodeSpec spec) {
    ASSERT_THAT(graph.addNode(std::move(spec)).status(), isOk());
  }

  /// Names of the ops in the function, without the return.
  static std::vector<std::string> ops(const ImportedFunction &function) {
    std::vector<std::string> names;
    for (mlir::Operation &op : body(function).without_terminator())
      names.push_back(op.getName().stripDialect().str());
    return names;
  }
  static mlir::Block &body(const ImportedFunction &function) {
    return mlir::ModuleOp(function.module.get())
        .lookupSymbol<mlir::func::FuncOp>("run")
        .getBody()
        .front();
  }
  static std::string text(const ImportedFunction &function) {
    std::string out;
    llvm::raw_string_ostream stream(out);
    function.module.get()->print(stream);
    return out;
  }

  mlir::MLIRContext context;
  Graph graph{makeNodeChecker()};
};

TEST_F(Import, MinibatchStepHasSymbolicBatch) {
  auto loaded = loadGraphDefFile(KILN_SOURCE_DIR "/bench/graphs/minibatch.pb",
                                 {.checker = makeNodeChecker()});
  ASSERT_THAT(loaded, isOk());
  auto function = run(
      **loaded,
      {{"Placeholder:0", fed({100, 9})}, {"Placeholder_1:0", fed({100, 1})}},
      {}, {"GradientDescent"});
  ASSERT_THAT(function, isOk());
  std::string printed = text(*function);
  EXPECT_THAT(printed, HasSubstr("tensor<?x9xf32, #kiln.sym<0>>"));
  EXPECT_THAT(printed, HasSubstr("kiln.matmul %arg0 transposed"));
  std::vector<std::string> names = ops(*function);
  EXPECT_EQ(names.front(), "var_read");
  EXPECT_EQ(names.back(), "var_write");
  EXPECT_EQ(std::count(names.begin(), names.end(), "matmul"), 2);
  EXPECT_EQ(std::count(names.begin(), names.end(), "dims"), 1)
      << "only the batch size is computed from the shape";
  ASSERT_THAT(function->variables, SizeIs(1));
  EXPECT_TRUE(function->variables[0].needsValue &&
              function->variables[0].isWritten);
}

TEST_F(Import, LocationsAreNodeNames) {
  placeholder("x", {2});
  op("scope/neg", "Neg", {"x"});
  auto function = run({{"x:0", fed({2})}}, {"scope/neg:0"});
  ASSERT_THAT(function, isOk());
  auto location =
      mlir::dyn_cast<mlir::NameLoc>(body(*function).front().getLoc());
  ASSERT_TRUE(location);
  EXPECT_EQ(location.getName().str(), "scope/neg");
}

TEST_F(Import, BroadcastingIsExplicit) {
  placeholder("x", {-1, 3});
  constant("b", *Tensor::fromValues<float>({3}, {1, 2, 3}));
  op("add", "AddV2", {"x", "b"});
  auto function = run({{"x:0", fed({5, 3})}}, {"add:0"});
  ASSERT_THAT(function, isOk());
  EXPECT_THAT(ops(*function), ElementsAre("constant", "broadcast", "add"));
  EXPECT_THAT(function->symbols.classes, IsEmpty())
      << "no broadcast depends on the batch";
}

TEST_F(Import, ShapeArithmeticLeavesNoOps) {
  placeholder("x", {-1, 3});
  op("shape", "Shape", {"x"});
  op("again", "Reshape", {"x", "shape"}, {{"Tshape", DType::Int32}});
  auto function = run({{"x:0", fed({5, 3})}}, {"again:0"});
  ASSERT_THAT(function, isOk());
  EXPECT_THAT(ops(*function), IsEmpty());
  auto fetched = run({{"x:0", fed({5, 3})}}, {"shape:0"});
  ASSERT_THAT(fetched, isOk());
  EXPECT_THAT(ops(*fetched), ElementsAre("dims"));
  EXPECT_THAT(text(*fetched), HasSubstr("kiln.dims [s0, 3]"));
}

TEST_F(Import, LargeConstantsAreReferencesAndSplatsAreNot) {
  std::vector<float> numbers(100);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(i);
  constant("large", *Tensor::fromValues<float>({100}, numbers));
  constant("zeros", *Tensor::zeros(DType::Float32, {100}));
  op("add", "AddV2", {"large", "zeros"});
  auto function = run({}, {"add:0"});
  ASSERT_THAT(function, isOk());
  EXPECT_THAT(ops(*function), ElementsAre("constant_ref", "constant", "add"));
  ASSERT_THAT(function->constants, SizeIs(1));
  EXPECT_EQ(function->constants[0].data<float>()[99], 99.0f);
}

TEST_F(Import, FetchedViewIsReadAfterTheUpdate) {
  variable("v", {2});
  constant("delta", *Tensor::fromValues<float>({2}, {1, 2}));
  op("read", "Identity", {"v"});
  op("before", "Neg", {"read"});
  op("update", "AssignAdd", {"v", "delta"});
  auto function = run({}, {"read:0", "before:0", "v:0"}, {"update"});
  ASSERT_THAT(function, isOk());
  EXPECT_THAT(ops(*function),
              ElementsAre("constant", "var_read", "neg", "add", "var_write"));
  auto results = body(*function).getTerminator()->getOperands();
  auto write = mlir::cast<ir::VarWriteOp>(*std::prev(body(*function).end(), 2));
  EXPECT_EQ(results[0], write.getValue());
  EXPECT_EQ(results[2], write.getValue());
  EXPECT_NE(results[1], write.getValue());
}

TEST_F(Import, ControlEdgeMakesTheSharedReadSeeTheAssignment) {
  variable("v", {});
  constant("seven", Tensor::scalar(7.0f));
  op("read", "Identity", {"v"});
  op("assign", "Assign", {"v", "seven"});
  op("after", "Neg", {"read", "^assign"});
  auto function = run({}, {"after:0"});
  ASSERT_THAT(function, isOk());
  EXPECT_THAT(ops(*function), ElementsAre("constant", "var_write", "neg"));
  EXPECT_FALSE(function->variables[0].needsValue);
}

TEST_F(Import, TheFirstViewerIsBlamedForAMissingValue) {
  variable("v", {});
  op("v/read", "Identity", {"v"});
  op("neg", "Neg", {"v/read"});
  auto function = run({}, {"neg:0"});
  ASSERT_THAT(function, isOk());
  EXPECT_TRUE(function->variables[0].needsValue);
  EXPECT_EQ(function->variables[0].reader, "v/read");
}

TEST_F(Import, ReshapeOfAVariableIsAView) {
  variable("v", {2});
  constant("target", ints({2, 1}));
  constant("delta", *Tensor::fromValues<float>({2}, {1, 2}));
  op("column", "Reshape", {"v", "target"}, {{"Tshape", DType::Int32}});
  op("update", "AssignSub", {"v", "delta"});
  auto function = run({}, {"column:0"}, {"update"});
  ASSERT_THAT(function, isOk());
  EXPECT_THAT(ops(*function), ElementsAre("constant", "var_read", "sub",
                                          "var_write", "reshape"));
}

TEST_F(Import, ResourceReadHasItsValueWhereItStands) {
  add({.name = "v",
       .op = "VarHandleOp",
       .attrs = {{"dtype", DType::Float32},
                 {"shape", Shape()},
                 {"shared_name", "v"}}});
  constant("one", Tensor::scalar(1.0f));
  add({.name = "read",
       .op = "ReadVariableOp",
       .inputs = {"v"},
       .attrs = {{"dtype", DType::Float32}}});
  add({.name = "update",
       .op = "AssignAddVariableOp",
       .inputs = {"v", "one"},
       .attrs = {{"dtype", DType::Float32}}});
  add({.name = "after",
       .op = "ReadVariableOp",
       .inputs = {"v", "^update"},
       .attrs = {{"dtype", DType::Float32}}});
  auto function = run({}, {"read:0", "after:0"});
  ASSERT_THAT(function, isOk());
  auto results = body(*function).getTerminator()->getOperands();
  EXPECT_TRUE(results[0].getDefiningOp<ir::VarReadOp>());
  EXPECT_TRUE(results[1].getDefiningOp<ir::AddOp>());
  EXPECT_TRUE(function->variables[0].isResource);
}

TEST_F(Import, RandomNodeTakesFromItsStreamThoughNobodyLooks) {
  constant("shape", ints({4}));
  add({.name = "noise",
       .op = "RandomUniform",
       .inputs = {"shape"},
       .attrs = {{"dtype", DType::Float32},
                 {"T", DType::Int32},
                 {"seed", 1},
                 {"seed2", 2}}});
  auto function = run({}, {}, {"noise"});
  ASSERT_THAT(function, isOk());
  EXPECT_THAT(ops(*function), ElementsAre("random_reserve"));
  ASSERT_THAT(function->streams, SizeIs(1));
  EXPECT_EQ(function->streams[0].node, "noise");
  EXPECT_EQ(function->streams[0].seed2, 2);
}

TEST_F(Import, FedReshapeTargetEntersTheSignature) {
  placeholder("x", {-1});
  placeholder("target", {-1}, DType::Int32);
  op("y", "Reshape", {"x", "target"}, {{"Tshape", DType::Int32}});
  auto function =
      run({{"x:0", fed({6})}, {"target:0", fed(ints({2, 3}))}}, {"y:0"});
  ASSERT_THAT(function, isOk());
  ASSERT_THAT(function->fedValues, SizeIs(1));
  EXPECT_EQ(function->fedValues[0].feed, 1);
  EXPECT_THAT(text(*function), HasSubstr("tensor<2x3xf32>"));
}

TEST_F(Import, FedValueThatNoShapeNeedsStaysOut) {
  placeholder("n", {}, DType::Int32);
  op("twice", "AddV2", {"n", "n"}, {{"T", DType::Int32}});
  auto function = run({{"n:0", fed(Tensor::scalar<int32_t>(3))}}, {"twice:0"});
  ASSERT_THAT(function, isOk());
  EXPECT_THAT(function->fedValues, IsEmpty());
  EXPECT_THAT(ops(*function), ElementsAre("add"));
}

TEST_F(Import, FedOutputOfANodeThatRunsStaysTheFeed) {
  placeholder("x", {2});
  placeholder("y", {2});
  add({.name = "both",
       .op = "IdentityN",
       .inputs = {"x", "y"},
       .attrs = {{"T", std::vector<DType>{DType::Float32, DType::Float32}}}});
  op("sub", "Sub", {"both:0", "both:1"});
  auto function = run(
      {{"x:0", fed({2})}, {"y:0", fed({2})}, {"both:0", fed({2})}}, {"sub:0"});
  ASSERT_THAT(function, isOk());
  auto sub = mlir::cast<ir::SubOp>(body(*function).front());
  EXPECT_EQ(sub.getLhs(), body(*function).getArgument(2));
  EXPECT_EQ(sub.getRhs(), body(*function).getArgument(1));
}

TEST_F(Import, MeanOfIntegersSumsInSixtyFourBits) {
  placeholder("x", {4}, DType::Int32);
  constant("axes", ints({0}));
  op("mean", "Mean", {"x", "axes"},
     {{"T", DType::Int32}, {"Tidx", DType::Int32}});
  auto function = run({{"x:0", fed({4}, DType::Int32)}}, {"mean:0"});
  ASSERT_THAT(function, isOk());
  EXPECT_THAT(ops(*function),
              ElementsAre("cast", "reduce", "constant", "div", "cast"));
}

TEST_F(Import, AddNAddsInGroupsOfEight) {
  placeholder("x", {});
  op("sum", "AddN", std::vector<NodeInput>(10, "x"), {{"N", 10}});
  auto function = run({{"x:0", fed(Shape())}}, {"sum:0"});
  ASSERT_THAT(function, isOk());
  EXPECT_THAT(ops(*function), SizeIs(9));
  auto last = mlir::cast<ir::AddOp>(*std::prev(body(*function).end(), 2));
  auto firstGroup = last.getLhs().getDefiningOp<ir::AddOp>();
  EXPECT_TRUE(mlir::isa<mlir::BlockArgument>(firstGroup.getLhs()))
      << "the first group has two";
}

// Whether a feed's shape fits the graph is the session's question.
TEST_F(Import, FeedsHaveTheirOwnShapesAndTheGraphsTypes) {
  placeholder("x", {-1, 3});
  op("neg", "Neg", {"x"});
  EXPECT_THAT(run({{"x:0", fed({2, 4})}}, {"neg:0"}), isOk());
  EXPECT_THAT(run({{"x:0", fed({5})}}, {"neg:0"}), isOk());
  EXPECT_THAT(run({{"x:0", fed({2, 3}, DType::Int32)}}, {"neg:0"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          "Cannot feed value of dtype int32 for Tensor x:0, "
                          "which has dtype float32"),
                    failsAt("x")));
}

TEST_F(Import, SharedDimensionsAreGuarded) {
  placeholder("x", {-1});
  placeholder("y", {-1});
  op("add", "AddV2", {"x", "y"});
  std::vector<int64_t> values, four = {4}, five = {5};
  std::vector<FeedShape> same = {five, five}, different = {four, five};
  auto function = run({{"x:0", fed({4})}, {"y:0", fed({4})}}, {"add:0"});
  ASSERT_THAT(function, isOk());
  EXPECT_THAT(ops(*function), ElementsAre("add"));
  EXPECT_TRUE(function->symbols.classesMatch(same));
  EXPECT_FALSE(function->symbols.classesMatch(different));
  EXPECT_THAT(function->symbols.evaluate(same, values), isOk());
  function = run({{"x:0", fed({4})}, {"y:0", fed({5})}}, {"add:0"});
  ASSERT_THAT(function, isOk());
  EXPECT_TRUE(function->symbols.classesMatch(different));
  EXPECT_THAT(function->symbols.evaluate(different, values),
              AllOf(fails(StatusCode::InvalidArgument,
                          "Incompatible shapes: [4] vs. [5]"),
                    failsAt("add")));
}

// What a node sees of its inputs behind one that finds out sizes is not of its
// own place alone: later nodes find extents to be equal, too.
TEST_F(Import, LaterEqualitiesHoldBehindSizesOfTheRun) {
  placeholder("x", {-1});
  placeholder("y", {-1});
  placeholder("z", {-1});
  op("found", "Where", {"x"});
  op("first", "ReluGrad", {"y", "z"});
  op("second", "ReluGrad", {"z", "x"});
  auto function = run({{"x:0", fed({4})}, {"y:0", fed({4})}, {"z:0", fed({4})}},
                      {"found:0", "first:0", "second:0"});
  ASSERT_THAT(function, isOk());
  EXPECT_EQ(function->fetches[1].dims, function->fetches[2].dims);
}

TEST_F(Import, ShapeFromAVariableIsFoundOutAPermutationIsNot) {
  add({.name = "v",
       .op = "VariableV2",
       .attrs = {{"dtype", DType::Int32}, {"shape", Shape{2}}}});
  placeholder("x", {6, 1});
  op("y", "Reshape", {"x", "v"}, {{"Tshape", DType::Int32}});
  auto function = run({{"x:0", fed({6, 1})}}, {"y:0"});
  ASSERT_THAT(function, isOk());
  for (Dim dim : function->fetches.at(0).dims)
    EXPECT_TRUE(function->symbols.isInRun(dim));
  op("z", "Transpose", {"x", "v"}, {{"Tperm", DType::Int32}});
  EXPECT_THAT(
      run({{"x:0", fed({6, 1})}}, {"z:0"}),
      AllOf(fails(StatusCode::Unimplemented, HasSubstr("input 1 ('v:0')")),
            failsAt("z")));
}

TEST_F(Import, MasksByOneTensorAreFoundOnce) {
  placeholder("x", {Shape::unknownDim});
  placeholder("mask", {Shape::unknownDim}, DType::Bool);
  placeholder("other", {Shape::unknownDim}, DType::Bool);
  variable("v", {2});
  constant("zero", Tensor::scalar(0.0f));
  constant("flat", ints({-1}));
  AttrMap reshape = {{"T", DType::Bool}, {"Tshape", DType::Int32}};
  op("a_mask", "Reshape", {"mask", "flat"}, reshape);
  op("b_mask", "Reshape", {"mask", "flat"}, reshape);
  op("not_a", "LogicalNot", {"a_mask"});
  for (auto [name, mask] : {std::pair("a", "a_mask"),
                            {"b", "b_mask"},
                            {"c", "other"},
                            {"d", "not_a"}})
    op(name, "Where", {mask}, {{"T", DType::Bool}});
  // A reference is what the variable is when it is read.
  op("before", "Identity", {"v"});
  op("assign", "Assign", {"v", "x"});
  op("after", "Identity", {"v", "^assign"});
  op("e", "Where", {"before"});
  op("f", "Where", {"after"});
  auto wheres = [&](std::vector<std::string> fetches) {
    auto function = run({{"x:0", fed({2})},
                         {"mask:0", fed({2}, DType::Bool)},
                         {"other:0", fed({2}, DType::Bool)}},
                        std::move(fetches));
    EXPECT_THAT(function, isOk());
    if (!function.ok())
      return 0L;
    std::vector<std::string> names = ops(*function);
    return static_cast<long>(
        std::count(names.begin(), names.end(), "runtime_call"));
  };
  EXPECT_EQ(wheres({"a:0", "b:0", "b:0"}), 1);
  EXPECT_EQ(wheres({"b:0"}), 1);
  EXPECT_EQ(wheres({"a:0", "b:0", "c:0"}), 2);
  EXPECT_EQ(wheres({"a:0", "d:0"}), 2);
  EXPECT_EQ(wheres({"e:0", "f:0"}), 2);
}

TEST_F(Import, UnsupportedDtypeIsUnimplemented) {
  add({.name = "c",
       .op = "Const",
       .attrs = {{"dtype", DType::Complex64},
                 {"value", *Tensor::zeros(DType::Complex64, {2})}}});
  EXPECT_THAT(run({}, {"c:0"}), isOk());
  add({.name = "quotient",
       .op = "FloorDiv",
       .inputs = {"c", "c"},
       .attrs = {{"T", DType::Complex64}}});
  EXPECT_THAT(run({}, {"quotient:0"}),
              AllOf(fails(StatusCode::Unimplemented, HasSubstr("complex64")),
                    failsAt("quotient")));
}

TEST_F(Import, AssignToAFedVariableFails) {
  variable("v", {});
  constant("one", Tensor::scalar(1.0f));
  op("assign", "Assign", {"v", "one"});
  EXPECT_THAT(
      run({{"v:0", fed(Shape())}}, {}, {"assign"}),
      AllOf(fails(StatusCode::InvalidArgument, HasSubstr("to be a variable")),
            failsAt("assign")));
}

} // namespace
} // namespace kiln
