// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that are built by TensorFlow's C interface; texts are those of
// TensorFlow 2.21.
#include "test/capi/CFixture.h"

#include <climits>

namespace kiln {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CBuild : public CFixture {
protected:
  CBuild() : graph(TF_NewGraph()) {
    f = {placeholder("f", TF_FLOAT), 0};
    i = {placeholder("i", TF_INT32), 0};
  }
  ~CBuild() override { TF_DeleteGraph(graph); }

  TF_Operation *placeholder(const char *name, TF_DataType dtype) {
    auto *description = TF_NewOperation(graph, "Placeholder", name);
    TF_SetAttrType(description, "dtype", dtype);
    return TF_FinishOperation(description, status);
  }
  /// Finishes an op with these inputs, one by one; "" or what was wrong.
  std::string build(const char *op, std::vector<TF_Output> inputs) {
    auto *description = TF_NewOperation(graph, op, "node");
    for (TF_Output input : inputs)
      TF_AddInput(description, input);
    TF_FinishOperation(description, status);
    return failure();
  }

  TF_Graph *graph;
  TF_Output f, i;
};

constexpr const char *neg =
    " while building NodeDef 'node' using Op<name=Neg; signature=x:T -> y:T; "
    "attr=T:type,allowed=[DT_BFLOAT16, DT_HALF, DT_FLOAT, DT_DOUBLE, DT_INT8, "
    "DT_INT16, DT_INT32, DT_INT64, DT_COMPLEX64, DT_COMPLEX128]>";

TEST_F(CBuild, TypesFollowFromInputs) {
  ASSERT_EQ(build("Neg", {i}), "");
  TF_Operation *node = TF_GraphOperationByName(graph, "node");
  EXPECT_EQ(TF_OperationOutputType({node, 0}), TF_INT32);
  TF_DataType type{};
  TF_OperationGetAttrType(node, "T", &type, status);
  EXPECT_EQ(type, TF_INT32);
}

TEST_F(CBuild, NumbersFollowFromLists) {
  auto *description = TF_NewOperation(graph, "AddN", "sum");
  const TF_Output list[] = {f, f, f};
  TF_AddInputList(description, list, 3);
  TF_Operation *sum = TF_FinishOperation(description, status);
  ASSERT_EQ(failure(), "");
  EXPECT_EQ(TF_OperationInputListLength(sum, "inputs", status), 3);
  EXPECT_EQ(TF_OperationOutputListLength(sum, "sum", status), 1);
  EXPECT_EQ(TF_OperationOutputListLength(sum, "none", status), -1);
  EXPECT_EQ(failure(), "3: Output arg 'none' not found");
}

TEST_F(CBuild, ErrorsComeAtTheEnd) {
  using namespace std::string_literals;
  EXPECT_EQ(build("Neg", {}), "3: 0 inputs specified of 1 inputs in Op"s + neg);
  EXPECT_EQ(build("Neg", {f, f}),
            "3: More Input() calls than the 1 input_args"s + neg);
  EXPECT_EQ(build("Neg", {f, f, f}),
            "3: 2 errors"s + neg +
                ":\nMore Input() calls than the 1 input_args\nMore Input() "
                "calls than the 1 input_args");
  EXPECT_THAT(build("AddV2", {f, i}),
              StartsWith("3: Inconsistent values for attr 'T' DT_FLOAT vs. "
                         "DT_INT32 while building NodeDef 'node'"));
  EXPECT_EQ(build("Neg", {{f.oper, 3}}),
            "3: Attempt to add output 3 of f not in range [0, 1) to node with "
            "type Neg. Node: {{node f}}");
  EXPECT_THAT(build("Nope", {f}),
              StartsWith("3: Op type not registered 'Nope' in binary running "
                         "on "));
  EXPECT_EQ(TF_GraphOperationByName(graph, "node"), nullptr);
}

TEST_F(CBuild, NamesAreTakenOnce) {
  EXPECT_EQ(placeholder("f", TF_FLOAT), nullptr);
  EXPECT_EQ(failure(), "3: Duplicate node name in graph: 'f'");
}

TEST_F(CBuild, MissingAttributesAreNamed) {
  EXPECT_EQ(build("Placeholder", {}),
            "3: NodeDef missing attr 'dtype' from Op<name=Placeholder; "
            "signature= -> output:dtype; attr=dtype:type; "
            "attr=shape:shape,default=<unknown>>; NodeDef: {{node node}}");
}

// TensorFlow ends the process for such dimensions.
// Rust's tests build such operations.
TEST_F(CBuild, OperationsThatOnlyRunsRefuseAreBuilt) {
  import(graph, R"(
    node { name: "scalar" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
           attr { key: "shape" value { shape { } } } }
    node { name: "picture" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
           attr { key: "shape" value { shape { dim { size: 5 } dim { size: 5 } dim { size: 5 } dim { size: 5 } } } } }
    node { name: "third" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
           attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 3 } } } })");
  const TF_Output third = {TF_GraphOperationByName(graph, "third"), 0};
  const TF_Output scalar = {TF_GraphOperationByName(graph, "scalar"), 0};
  ASSERT_EQ(build("ArgMax", {scalar, third}), "");
  TF_Operation *node = TF_GraphOperationByName(graph, "node");
  EXPECT_EQ(TF_GraphGetTensorNumDims(graph, {node, 0}, status), 0);

  auto *description = TF_NewOperation(graph, "MaxPool", "pool");
  TF_AddInput(description, {TF_GraphOperationByName(graph, "picture"), 0});
  const int64_t window[] = {1, 2, 3, 4}, strides[] = {1, 1, 1, 1};
  TF_SetAttrIntList(description, "ksize", window, 4);
  TF_SetAttrIntList(description, "strides", strides, 4);
  TF_SetAttrString(description, "padding", "VALID", 5);
  TF_Operation *pool = TF_FinishOperation(description, status);
  ASSERT_EQ(failure(), "");
  int64_t dims[4] = {};
  TF_GraphGetTensorShape(graph, {pool, 0}, dims, 4, status);
  EXPECT_THAT(dims, ::testing::ElementsAre(5, 4, 3, 2));
}

TEST_F(CBuild, AxesOfMatricesAreLookedAt) {
  import(graph, R"(
    node { name: "matrix" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
           attr { key: "shape" value { shape { dim { size: 3 } dim { size: 2 } } } } }
    node { name: "third" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
           attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 3 } } } })");
  EXPECT_THAT(build("ArgMax", {{TF_GraphOperationByName(graph, "matrix"), 0},
                               {TF_GraphOperationByName(graph, "third"), 0}}),
              StartsWith("3: Dimension (3) must be in the range [-2, 2), where "
                         "2 is the number of dimensions in the input. for "
                         "'{{node node}} = ArgMax["));
}

TEST_F(CBuild, ShapesThatCannotBe) {
  for (std::vector<int64_t> dims : {std::vector<int64_t>{-5},
                                    {INT64_MAX, INT64_MAX},
                                    std::vector<int64_t>(300, 1)}) {
    auto *description = TF_NewOperation(graph, "Placeholder", "bad");
    TF_SetAttrType(description, "dtype", TF_FLOAT);
    TF_SetAttrShape(description, "shape", dims.data(),
                    static_cast<int>(dims.size()));
    EXPECT_EQ(TF_FinishOperation(description, status), nullptr);
    EXPECT_EQ(TF_GetCode(status), TF_INVALID_ARGUMENT);
  }
}

TEST_F(CBuild, BytesThatAreNoMessage) {
  auto *description = TF_NewOperation(graph, "Placeholder", "p");
  TF_SetAttrValueProto(description, "dtype", "\xff\xff", 2, status);
  EXPECT_EQ(failure(), "3: Unparseable AttrValue proto");
  TF_SetAttrTensorShapeProto(description, "shape", "\xff\xff", 2, status);
  EXPECT_EQ(failure(), "3: Unparseable TensorShapeProto");
  TF_SetAttrTensor(description, "value", nullptr, status);
  EXPECT_EQ(TF_GetCode(status), TF_INVALID_ARGUMENT);
  TF_SetAttrType(description, "dtype", TF_FLOAT);
  EXPECT_NE(TF_FinishOperation(description, status), nullptr);
  EXPECT_EQ(failure(), "");
}

TEST_F(CBuild, TensorsAreCopiedIntoAttributes) {
  TF_Tensor *value = tensorOf({2}, {1, 2});
  auto *description = TF_NewOperation(graph, "Const", "c");
  TF_SetAttrTensor(description, "value", value, status);
  static_cast<float *>(TF_TensorData(value))[0] = 9;
  TF_DeleteTensor(value);
  TF_SetAttrType(description, "dtype", TF_FLOAT);
  TF_Operation *constant = TF_FinishOperation(description, status);
  ASSERT_EQ(failure(), "");
  TF_Tensor *read = nullptr;
  TF_OperationGetAttrTensor(constant, "value", &read, status);
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(floatsOf(read), ::testing::ElementsAre(1, 2));
  TF_DeleteTensor(read);
}

TEST_F(CBuild, ApiDefinitionsFollowTexts) {
  TF_Buffer *ops = TF_GetAllOpList();
  TF_ApiDefMap *map = TF_NewApiDefMap(ops, status);
  TF_DeleteBuffer(ops);
  ASSERT_EQ(failure(), "");
  const std::string text =
      "op { graph_op_name: \"Neg\"\n summary: <<END\nTurns "
      "`x` round\nEND\n in_arg { name: \"x\" rename_to: "
      "\"input\" } }";
  TF_ApiDefMapPut(map, text.data(), text.size(), status);
  EXPECT_EQ(failure(), "");
  const std::string wrong = "op { graph_op_name: 'Neg' attr { name: 'Z' } }";
  TF_ApiDefMapPut(map, wrong.data(), wrong.size(), status);
  EXPECT_EQ(failure(), "9: Attribute Z not defined in base api for Neg");
  TF_Buffer *api = TF_ApiDefMapGet(map, "Neg", 3, status);
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(std::string(static_cast<const char *>(api->data), api->length),
              HasSubstr("Turns `input` round"));
  TF_DeleteBuffer(api);
  TF_ApiDefMapPut(map, text.data(), text.size(), status);
  EXPECT_EQ(failure(), "9: TF_ApiDefMapPut cannot be called after "
                       "TF_ApiDefMapGet has been called.");
  TF_DeleteApiDefMap(map);
}

} // namespace
} // namespace kiln
