// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops and kernels that C code registers (ops.h, kernels.h), in graphs and runs.
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"
#include "test/capi/CFixture.h"

#include <thread>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// For the functions of kernels and shape functions, which have no fixture.
struct OwnStatus {
  TF_Status *status = TF_NewStatus();
  ~OwnStatus() { TF_DeleteStatus(status); }
  operator TF_Status *() const { return status; }
};

void sameShape(TF_ShapeInferenceContext *context, TF_Status *status) {
  TF_ShapeHandle *shape = TF_NewShapeHandle();
  TF_ShapeInferenceContextGetInput(context, 0, shape, status);
  TF_ShapeInferenceContextWithRankAtLeast(context, shape, 1, shape, status);
  if (TF_GetCode(status) == TF_OK)
    TF_ShapeInferenceContextSetOutput(context, 0, shape, status);
  TF_DeleteShapeHandle(shape);
}

/// Multiplies by the attribute k.
void *makeScale(TF_OpKernelConstruction *construction) {
  OwnStatus status;
  auto factor = std::make_unique<int32_t>(0);
  TF_OpKernelConstruction_GetAttrInt32(construction, "k", factor.get(), status);
  if (*factor < 0) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "k must not be negative");
    TF_OpKernelConstruction_Failure(construction, status);
  }
  return factor.release();
}
void deleteScale(void *state) { delete static_cast<int32_t *>(state); }
void scale(void *state, TF_OpKernelContext *context) {
  OwnStatus status;
  TF_Tensor *input = nullptr;
  TF_GetInput(context, 0, &input, status);
  const int64_t count = TF_TensorElementCount(input);
  const int64_t dims[] = {count};
  TF_Tensor *output =
      TF_AllocateOutput(context, 0, TF_ExpectedOutputDataType(context, 0), dims,
                        1, static_cast<size_t>(count) * sizeof(float), status);
  const auto *from = static_cast<const float *>(TF_TensorData(input));
  auto *to = static_cast<float *>(TF_TensorData(output));
  for (int64_t i = 0; i < count; ++i)
    to[i] = from[i] * static_cast<float>(*static_cast<int32_t *>(state));
  TF_DeleteTensor(output);
  TF_DeleteTensor(input);
}

/// Joins all inputs; fails for none of a length above 0.
void join(void *, TF_OpKernelContext *context) {
  OwnStatus status;
  TF_InputRange_Args range{sizeof range, nullptr, 0, 0, status};
  TF_InputRange(context, "parts", &range);
  std::string all;
  for (int i = range.start; i < range.stop; ++i) {
    TF_Tensor *part = nullptr;
    TF_GetInput(context, i, &part, status);
    const auto *text = static_cast<const TF_TString *>(TF_TensorData(part));
    all.append(TF_StringGetDataPointer(text), TF_StringGetSize(text));
    TF_DeleteTensor(part);
  }
  if (all.empty()) {
    TF_SetStatus(status, TF_OUT_OF_RANGE, "nothing to join");
    return TF_OpKernelContext_Failure(context, status);
  }
  TF_Tensor *output = TF_AllocateOutput(context, 0, TF_STRING, nullptr, 0,
                                        sizeof(TF_TString), status);
  TF_StringCopy(static_cast<TF_TString *>(TF_TensorData(output)), all.data(),
                all.size());
  TF_DeleteTensor(output);
}

/// Gives its input back from another thread.
void giveBackLater(void *, TF_OpKernelContext *context,
                   TF_AsyncOpKernelDoneCallback *done) {
  std::thread([=] {
    OwnStatus status;
    TF_Tensor *input = nullptr;
    TF_GetInput(context, 0, &input, status);
    TF_SetOutput(context, 0, input, status);
    TF_DeleteTensor(input);
    TF_RunAsyncOpKernelDoneCallback(done);
  }).detach();
}

std::string registerOp(const char *name, std::vector<const char *> inputs,
                       std::vector<const char *> outputs,
                       std::vector<const char *> attrs,
                       void (*shape)(TF_ShapeInferenceContext *, TF_Status *)) {
  OwnStatus status;
  TF_OpDefinitionBuilder *builder = TF_NewOpDefinitionBuilder(name);
  for (const char *spec : inputs)
    TF_OpDefinitionBuilderAddInput(builder, spec);
  for (const char *spec : outputs)
    TF_OpDefinitionBuilderAddOutput(builder, spec);
  for (const char *spec : attrs)
    TF_OpDefinitionBuilderAddAttr(builder, spec);
  if (shape)
    TF_OpDefinitionBuilderSetShapeInferenceFunction(builder, shape);
  TF_RegisterOpDefinition(builder, status);
  return TF_Message(status);
}

void registerKernel(TF_KernelBuilder *builder) {
  OwnStatus status;
  TF_RegisterKernelBuilder("test", builder, status);
  EXPECT_EQ(TF_GetCode(status), TF_OK);
}

/// The process's ops, registered once.
void registerAll() {
  EXPECT_EQ(registerOp("CTestScale", {"x: T"}, {"y: T"},
                       {"T: {float, int32}", "k: int = 3"}, sameShape),
            "");
  TF_KernelBuilder *builder =
      TF_NewKernelBuilder("CTestScale", "CPU", makeScale, scale, deleteScale);
  OwnStatus status;
  TF_KernelBuilder_TypeConstraint(builder, "T", TF_FLOAT, status);
  registerKernel(builder);
  EXPECT_EQ(registerOp("CTestJoin", {"parts: N * string"}, {"all: string"},
                       {"N: int >= 1"}, nullptr),
            "");
  registerKernel(
      TF_NewKernelBuilder("CTestJoin", "CPU", nullptr, join, nullptr));
  EXPECT_EQ(registerOp("CTestLater", {"x: float"}, {"y: float"}, {}, sameShape),
            "");
  registerKernel(TF_NewAsyncKernelBuilder("CTestLater", "CPU", nullptr,
                                          giveBackLater, nullptr));
}

class CKernel : public CFixture {
protected:
  static void SetUpTestSuite() { registerAll(); }
  CKernel() : graph(TF_NewGraph()) {}
  ~CKernel() override { TF_DeleteGraph(graph); }

  TF_Output placeholder(const char *name, TF_DataType dtype, int64_t size) {
    auto *description = TF_NewOperation(graph, "Placeholder", name);
    TF_SetAttrType(description, "dtype", dtype);
    TF_SetAttrShape(description, "shape", &size, size == 0 ? 0 : 1);
    return {TF_FinishOperation(description, status), 0};
  }
  TF_Output unary(const char *op, TF_Output input, int64_t k = 3) {
    auto *description = TF_NewOperation(graph, op, "node");
    TF_AddInput(description, input);
    if (k != 3)
      TF_SetAttrInt(description, "k", k);
    return {TF_FinishOperation(description, status), 0};
  }
  TF_Tensor *run(std::vector<TF_Output> inputs,
                 const std::vector<TF_Tensor *> &values, TF_Output output) {
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, status);
    TF_DeleteSessionOptions(options);
    TF_Tensor *result = nullptr;
    TF_SessionRun(session, nullptr, inputs.data(), values.data(),
                  static_cast<int>(inputs.size()), &output, &result, 1, nullptr,
                  0, nullptr, status);
    for (TF_Tensor *value : values)
      TF_DeleteTensor(value);
    TF_Status *ended = TF_NewStatus();
    TF_DeleteSession(session, ended);
    TF_DeleteStatus(ended);
    return result;
  }

  TF_Graph *graph;
};

TEST_F(CKernel, ComputesWithItsAttributes) {
  TF_Output x = placeholder("x", TF_FLOAT, -1);
  TF_Output y = unary("CTestScale", x, 5);
  ASSERT_EQ(failure(), "");
  EXPECT_EQ(TF_GraphGetTensorNumDims(graph, y, status), 1);
  TF_Tensor *result = run({x}, {tensorOf({3}, {1, 2, 3})}, y);
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(floatsOf(result), ElementsAre(5, 10, 15));
  TF_DeleteTensor(result);
}

TEST_F(CKernel, FailsWhereNoKernelTakesTheType) {
  TF_Output x = placeholder("x", TF_INT32, -1);
  TF_Output y = unary("CTestScale", x);
  const int64_t dims[] = {1};
  EXPECT_EQ(run({x}, {TF_AllocateTensor(TF_INT32, dims, 1, 4)}, y), nullptr);
  EXPECT_THAT(failure(), HasSubstr("3: No OpKernel was registered to support "
                                   "Op 'CTestScale'"));
}

TEST_F(CKernel, FailsWhereItCannotBeMade) {
  TF_Output x = placeholder("x", TF_FLOAT, -1);
  EXPECT_EQ(run({x}, {tensorOf({1}, {1})}, unary("CTestScale", x, -1)),
            nullptr);
  EXPECT_THAT(failure(), HasSubstr("3: k must not be negative"));
}

TEST_F(CKernel, ShapeFunctionsSpeakWhileAGraphIsBuilt) {
  TF_Output scalar = placeholder("x", TF_FLOAT, 0);
  EXPECT_EQ(unary("CTestScale", scalar).oper, nullptr);
  EXPECT_EQ(failure(), "3: Shape must be at least rank 1 but is rank 0 for "
                       "'{{node node}} = CTestScale[T=DT_FLOAT, k=3](x)' with "
                       "input shapes: [].");
}

TEST_F(CKernel, TakesAndGivesStrings) {
  TF_Output a = placeholder("a", TF_STRING, 1),
            b = placeholder("b", TF_STRING, 1);
  auto *description = TF_NewOperation(graph, "CTestJoin", "join");
  const TF_Output parts[] = {a, b};
  TF_AddInputList(description, parts, 2);
  TF_Output all{TF_FinishOperation(description, status), 0};
  ASSERT_EQ(failure(), "");
  const std::string text = "longer than the 22 bytes that fit inside";
  TF_Tensor *result = run({a, b}, {tensorOf({text}), tensorOf({"!"})}, all);
  ASSERT_EQ(failure(), "");
  EXPECT_EQ(TF_NumDims(result), 0);
  EXPECT_THAT(textsOf(result), ElementsAre(text + "!"));
  TF_DeleteTensor(result);
  EXPECT_EQ(run({a, b}, {tensorOf({""}), tensorOf({""})}, all), nullptr);
  EXPECT_THAT(failure(), HasSubstr("11: nothing to join"));
}

TEST_F(CKernel, MayEndOnAnotherThread) {
  TF_Output x = placeholder("x", TF_FLOAT, -1);
  TF_Tensor *result = run({x}, {tensorOf({2}, {7, 8})}, unary("CTestLater", x));
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(floatsOf(result), ElementsAre(7, 8));
  TF_DeleteTensor(result);
}

TEST_F(CKernel, SpecsThatCannotBeRead) {
  EXPECT_THAT(registerOp("CTestBad", {"x: Nope"}, {}, {}, nullptr),
              HasSubstr("Trouble parsing argument \"x: Nope\""));
  EXPECT_THAT(registerOp("CTestBad", {"x"}, {}, {}, nullptr),
              HasSubstr("Trouble parsing argument \"x\""));
  EXPECT_THAT(registerOp("CTestBad", {}, {}, {"k: int = fish"}, nullptr),
              HasSubstr("Could not parse default value 'fish'"));
  EXPECT_THAT(registerOp("CTestBad", {}, {}, {"k: {int32, 'a'}"}, nullptr),
              HasSubstr("Trouble parsing attribute"));
  EXPECT_THAT(registerOp("cTestBad", {}, {}, {}, nullptr),
              HasSubstr("Invalid name: cTestBad"));
  EXPECT_THAT(registerOp("MatMul", {}, {}, {}, nullptr),
              HasSubstr("MatMul exists"));
}

TEST_F(CKernel, AttributesOfAllKindsHaveDefaults) {
  ASSERT_EQ(
      registerOp("CTestKinds", {}, {},
                 {"i: list(int) >= 0 = [1, 2]", "s: string = 'a b'",
                  "b: bool = true", "t: list(type) = [DT_FLOAT]",
                  "h: shape = { dim { size: 2 } }", "e: list(float) = []",
                  "m: {'up', 'down'} = 'up'", "n: realnumbertype = DT_INT8"},
                 nullptr),
      "");
  TF_Operation *node =
      TF_FinishOperation(TF_NewOperation(graph, "CTestKinds", "kinds"), status);
  ASSERT_EQ(failure(), "");
  int64_t numbers[2] = {};
  TF_OperationGetAttrIntList(node, "i", numbers, 2, status);
  EXPECT_THAT(numbers, ElementsAre(1, 2));
  char text[3] = {};
  TF_OperationGetAttrString(node, "s", text, 3, status);
  EXPECT_EQ(std::string_view(text, 3), "a b");
  TF_DataType type{};
  TF_OperationGetAttrType(node, "n", &type, status);
  EXPECT_EQ(type, TF_INT8);
  EXPECT_EQ(TF_OperationGetAttrMetadata(node, "e", status).type, TF_ATTR_FLOAT);
  EXPECT_EQ(failure(), "");
}

// Its messages are read by libkiln-io.so, which has tables of ops of its own.
TEST_F(CKernel, AreKnownInGraphsThatAreLoaded) {
  auto loaded = loadGraphDef("node { name: 'j' op: 'CTestJoin' input: 's' attr "
                             "{ key: 'N' value { i: 1 } } } node { name: 's' "
                             "op: 'Placeholder' attr { key: 'dtype' value { "
                             "type: DT_STRING } } }");
  ASSERT_TRUE(loaded.ok()) << loaded.status().toString();
  EXPECT_EQ((*loaded)->lookup("j")->outputDType(0), DType::String);
}

TEST_F(CKernel, AreListed) {
  TF_Buffer *kernels = TF_GetRegisteredKernelsForOp("CTestScale", status);
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(
      std::string(static_cast<const char *>(kernels->data), kernels->length),
      HasSubstr("CTestScale"));
  TF_DeleteBuffer(kernels);
}

TEST_F(CKernel, LibrariesThatAreNotThere) {
  EXPECT_EQ(TF_LoadLibrary("/nowhere/libnone.so", status), nullptr);
  EXPECT_THAT(failure(), HasSubstr("5: /nowhere/libnone.so"));
}

} // namespace
} // namespace kiln
