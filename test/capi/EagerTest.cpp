// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts, handles and ops of the eager interface; answers and texts are
// TensorFlow 2.21's.
#include "test/capi/CFixture.h"
#include "test/unit/Together.h"

#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/eager/c_api_experimental.h"

#include <functional>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CEager : public CFixture {
protected:
  using Handles = std::vector<TFE_TensorHandle *>;

  CEager() {
    TFE_ContextOptions *options = TFE_NewContextOptions();
    context = TFE_NewContext(options, status);
    TFE_DeleteContextOptions(options);
  }
  ~CEager() override {
    for (TFE_TensorHandle *handle : made)
      TFE_DeleteTensorHandle(handle);
    TFE_DeleteContext(context);
  }

  TFE_TensorHandle *keep(TFE_TensorHandle *handle) {
    made.push_back(handle);
    return handle;
  }
  TFE_TensorHandle *handleOf(TF_Tensor *tensor) {
    TFE_TensorHandle *handle = TFE_NewTensorHandle(tensor, status);
    TF_DeleteTensor(tensor);
    return keep(handle);
  }
  TFE_TensorHandle *numbers(const std::vector<int64_t> &dims,
                            const std::vector<float> &values) {
    return handleOf(tensorOf(dims, values));
  }
  TFE_TensorHandle *ints(const std::vector<int> &values) {
    const int64_t dims[] = {int64_t(values.size())};
    TF_Tensor *tensor = TF_AllocateTensor(TF_INT32, dims, 1, values.size() * 4);
    std::copy(values.begin(), values.end(),
              static_cast<int *>(TF_TensorData(tensor)));
    return handleOf(tensor);
  }
  TFE_TensorHandle *scalar(int value) {
    TF_Tensor *tensor = TF_AllocateTensor(TF_INT32, nullptr, 0, 4);
    *static_cast<int *>(TF_TensorData(tensor)) = value;
    return handleOf(tensor);
  }
  std::vector<float> valuesOf(TFE_TensorHandle *handle) {
    TF_Tensor *tensor = TFE_TensorHandleResolve(handle, status);
    std::vector<float> values = floatsOf(tensor);
    TF_DeleteTensor(tensor);
    return values;
  }
  /// Runs an op; its results are deleted with the test.
  Handles run(const char *name, const Handles &inputs,
              const std::function<void(TFE_Op *)> &change = {}, int room = 4) {
    TFE_Op *op = TFE_NewOp(context, name, status);
    if (!op)
      return {};
    for (TFE_TensorHandle *input : inputs)
      TFE_OpAddInput(op, input, status);
    if (change)
      change(op);
    Handles results(static_cast<size_t>(room));
    TFE_Execute(op, results.data(), &room, status);
    TFE_DeleteOp(op);
    if (TF_GetCode(status) != TF_OK)
      return {};
    results.resize(static_cast<size_t>(room));
    for (TFE_TensorHandle *handle : results)
      keep(handle);
    return results;
  }

  TFE_Context *context;
  Handles made;
};

TEST_F(CEager, OpsRunAtOnce) {
  TFE_TensorHandle *a = numbers({2, 3}, {1, 2, 3, 4, 5, 6});
  TFE_TensorHandle *b = numbers({3, 2}, {1, 2, 3, 4, 5, 6});
  for (int i = 0; i < 3; ++i) {
    Handles product = run("MatMul", {a, b});
    ASSERT_EQ(failure(), "");
    EXPECT_THAT(valuesOf(product[0]), ElementsAre(22, 28, 49, 64));
    EXPECT_EQ(TFE_TensorHandleDim(product[0], 1, status), 2);
  }
  Handles turned = run("MatMul", {a, b}, [](TFE_Op *op) {
    TFE_OpSetAttrBool(op, "transpose_a", 1);
    TFE_OpSetAttrBool(op, "transpose_b", 1);
  });
  EXPECT_THAT(valuesOf(turned[0]),
              ElementsAre(9, 19, 29, 12, 26, 40, 15, 33, 51));
  // Other shapes, by the same node.
  EXPECT_THAT(valuesOf(run("Reshape", {a, ints({-1})})[0]),
              ElementsAre(1, 2, 3, 4, 5, 6));
  Handles column = run("Reshape", {a, ints({-1, 1})});
  EXPECT_EQ(TFE_TensorHandleNumDims(column[0], status), 2);
  run("NoOp", {}, {}, 0);
  EXPECT_EQ(failure(), "");
}

TEST_F(CEager, InputsGiveAttributes) {
  TFE_TensorHandle *a = numbers({1, 2}, {1, 2});
  TFE_Op *op = TFE_NewOp(context, "ConcatV2", status);
  TFE_TensorHandle *both[] = {a, a};
  TFE_OpAddInputList(op, both, 2, status);
  TFE_OpAddInput(op, ints({1}), status);
  EXPECT_EQ(TFE_OpGetInputLength(op, "values", status), 2);
  EXPECT_EQ(TFE_OpGetOutputLength(op, "output", status), 1);
  EXPECT_EQ(TFE_OpGetInputLength(op, "none", status), -1);
  EXPECT_EQ(failure(), "3: Input 'none' not found");
  EXPECT_EQ(TFE_OpGetFlatInputCount(op, status), 3);
  unsigned char isList = 9;
  EXPECT_EQ(TFE_OpGetAttrType(op, "T", &isList, status), TF_ATTR_TYPE);
  EXPECT_EQ(isList, 0);
  EXPECT_EQ(
      TFE_OpNameGetAttrType(context, "Conv2D", "strides", &isList, status),
      TF_ATTR_INT);
  EXPECT_EQ(isList, 1);
  TFE_OpGetAttrType(op, "none", &isList, status);
  EXPECT_EQ(failure(), "3: Attribute 'none' does not exist for this operation");
  TFE_DeleteOp(op);
  Handles parts = run("Split", {scalar(1), a}, [](TFE_Op *split) {
    TFE_OpSetAttrInt(split, "num_split", 2);
  });
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_THAT(valuesOf(parts[1]), ElementsAre(2));
}

TEST_F(CEager, ErrorsHaveTensorFlowsTexts) {
  TFE_TensorHandle *a = numbers({2, 3}, {1, 2, 3, 4, 5, 6});
  run("MatMul", {a, a});
  EXPECT_EQ(failure(),
            "3: Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]");
  run("AddV2", {a, ints({1})});
  EXPECT_EQ(failure(), "3: cannot compute AddV2 as input #1(zero-based) was "
                       "expected to be a float tensor but is a int32 tensor");
  run("MatMul", {a});
  EXPECT_EQ(failure(), "3: expected 2 inputs, got 1");
  run("Neg", {a}, {}, 0);
  EXPECT_EQ(failure(), "3: Expecting 1 outputs, but *num_retvals is 0");
  run("Nope", {});
  EXPECT_THAT(failure(), HasSubstr("5: 'Nope' is neither a type of a primitive "
                                   "operation nor a name of a function"));
  EXPECT_EQ(TFE_TensorHandleCopyToDevice(a, context, "/gpu:7", status),
            nullptr);
  EXPECT_EQ(failure(), "3: /gpu:7 unknown device.");
  EXPECT_EQ(TFE_TensorHandleDim(a, 2, status), -1);
  EXPECT_THAT(failure(), HasSubstr("3: "));
  EXPECT_EQ(TFE_TensorHandleResolve(nullptr, status), nullptr);
  EXPECT_EQ(failure(), "3: Invalid handle");
}

TEST_F(CEager, VariablesAndTablesStayBetweenOps) {
  auto variable = [&] {
    return run("VarHandleOp", {}, [&](TFE_Op *op) {
      const int64_t dims[] = {2};
      TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
      TFE_OpSetAttrShape(op, "shape", dims, 1, status);
    })[0];
  };
  auto read = [&](TFE_TensorHandle *handle) {
    Handles value = run("ReadVariableOp", {handle}, [](TFE_Op *op) {
      TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
    });
    return value.empty() ? std::vector<float>() : valuesOf(value[0]);
  };
  TFE_TensorHandle *v = variable(), *other = variable();
  EXPECT_EQ(TFE_TensorHandleDataType(v), TF_RESOURCE);
  run("AssignVariableOp", {v, numbers({2}, {1, 2})});
  EXPECT_EQ(failure(), "");
  run("AssignVariableOp", {other, numbers({2}, {7, 8})});
  run("AssignAddVariableOp", {v, numbers({2}, {1, 1})});
  EXPECT_EQ(failure(), "");
  EXPECT_THAT(read(v), ElementsAre(2, 3));
  EXPECT_THAT(read(other), ElementsAre(7, 8));
  EXPECT_THAT(read(variable()), ElementsAre());
  EXPECT_THAT(failure(), HasSubstr("9: Could not find variable"));

  Handles table = run("MutableHashTableV2", {}, [](TFE_Op *op) {
    TFE_OpSetAttrType(op, "key_dtype", TF_INT32);
    TFE_OpSetAttrType(op, "value_dtype", TF_FLOAT);
  });
  ASSERT_EQ(failure(), "");
  run("LookupTableInsertV2",
      {table[0], ints({5, 6}), numbers({2}, {.5f, .6f})});
  EXPECT_EQ(failure(), "");
  EXPECT_THAT(valuesOf(run("LookupTableFindV2",
                           {table[0], ints({6, 7}), numbers({}, {-1})})[0]),
              ElementsAre(.6f, -1));
}

TEST_F(CEager, QueuesAndReferencesAreDescribed) {
  auto ofFloats = [](TFE_Op *op) {
    const TF_DataType types[] = {TF_FLOAT};
    TFE_OpSetAttrTypeList(op, "component_types", types, 1);
  };
  for (const char *name : {"FIFOQueue", "FIFOQueueV2"}) {
    Handles queue = run(name, {}, ofFloats);
    ASSERT_EQ(failure(), "");
    EXPECT_EQ(TFE_TensorHandleDataType(queue[0]),
              name[9] ? TF_RESOURCE : TF_STRING);
    const std::string suffix = name + 9;
    TFE_TensorHandle *element = numbers({1}, {7});
    run(("QueueEnqueue" + suffix).c_str(), {queue[0]},
        [&](TFE_Op *op) { TFE_OpAddInputList(op, &element, 1, status); });
    ASSERT_EQ(failure(), "");
    Handles taken =
        run(("QueueDequeue" + suffix).c_str(), {queue[0]}, ofFloats);
    ASSERT_EQ(failure(), "");
    EXPECT_THAT(valuesOf(taken[0]), ElementsAre(7));
  }
  Handles variable = run("VariableV2", {}, [&](TFE_Op *op) {
    const int64_t dims[] = {1};
    TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
    TFE_OpSetAttrShape(op, "shape", dims, 1, status);
  });
  ASSERT_EQ(failure(), "");
  run("Assign", {variable[0], numbers({1}, {3})});
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(valuesOf(run("Neg", {variable[0]})[0]), ElementsAre(-3));
}

TEST_F(CEager, VariantsAreRunWithWhatTakesThem) {
  auto ofFloats = [](TFE_Op *op) {
    TFE_OpSetAttrType(op, "element_dtype", TF_FLOAT);
  };
  Handles list = run("EmptyTensorList", {ints({2}), scalar(9)}, ofFloats);
  ASSERT_EQ(failure(), "");
  EXPECT_EQ(TFE_TensorHandleDataType(list[0]), TF_VARIANT);
  for (float value : {1.f, 2.f}) {
    list = run("TensorListPushBack", {list[0], numbers({2}, {value, value})});
    ASSERT_EQ(failure(), "");
  }
  Handles all = run("TensorListStack", {list[0], ints({2})}, ofFloats);
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(valuesOf(all[0]), ElementsAre(1, 1, 2, 2));
}

TEST_F(CEager, ConstantsHaveTheValueOfTheirAttribute) {
  for (float number : {1.f, 2.f}) {
    TF_Tensor *value = tensorOf({1}, {number});
    auto change = [&](TFE_Op *op) {
      TFE_OpSetAttrTensor(op, "value", value, status);
      TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
    };
    Handles constant = run("Const", {}, change);
    ASSERT_EQ(failure(), "");
    EXPECT_THAT(valuesOf(constant[0]), ElementsAre(number));
    run("Const", {}, change, 0);
    EXPECT_EQ(failure(), "3: Expecting 1 outputs, but *num_retvals is 0");
    run("Const", {}, [&](TFE_Op *op) {
      TFE_OpSetAttrTensor(op, "value", value, status);
      TFE_OpSetAttrType(op, "dtype", TF_INT32);
    });
    EXPECT_THAT(failure(), HasSubstr("3: "));
    TF_DeleteTensor(value);
  }
}

TEST_F(CEager, StringsAreHandlesAsWell) {
  TFE_TensorHandle *texts =
      handleOf(tensorOf(std::vector<std::string>{"a", std::string(50, 'x')}));
  Handles copy = run("Identity", {texts});
  ASSERT_EQ(failure(), "");
  TF_Tensor *tensor = TFE_TensorHandleResolve(copy[0], status);
  EXPECT_THAT(textsOf(tensor), ElementsAre("a", std::string(50, 'x')));
  TF_DeleteTensor(tensor);
}

TEST_F(CEager, FunctionsAreCalledByName) {
  // y = -x, made of a graph.
  TF_Graph *graph = TF_NewGraph();
  import(graph, R"(
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } })");
  const TF_Operation *body[] = {TF_GraphOperationByName(graph, "y")};
  const TF_Output input = {TF_GraphOperationByName(graph, "x"), 0};
  const TF_Output output = {TF_GraphOperationByName(graph, "y"), 0};
  TF_Function *function =
      TF_GraphToFunction(graph, "negate", 0, 1, body, 1, &input, 1, &output,
                         nullptr, nullptr, nullptr, status);
  ASSERT_EQ(failure(), "");
  EXPECT_FALSE(TFE_ContextHasFunction(context, "negate"));
  run("negate", {numbers({1}, {3})});
  EXPECT_THAT(failure(), HasSubstr("5: 'negate' is neither a type"));
  TFE_ContextAddFunction(context, function, status);
  EXPECT_EQ(failure(), "");
  EXPECT_TRUE(TFE_ContextHasFunction(context, "negate"));
  Handles result = run("negate", {numbers({1}, {3})});
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(valuesOf(result[0]), ElementsAre(-3));
  TF_Buffer *bytes = TF_NewBuffer();
  TFE_ContextGetFunctionDef(context, "negate", bytes, status);
  EXPECT_EQ(failure(), "");
  // And again, as bytes.
  TFE_ContextAddFunctionDef(context, static_cast<const char *>(bytes->data),
                            bytes->length, status);
  EXPECT_EQ(failure(), "");
  TF_DeleteBuffer(bytes);
  TFE_ContextRemoveFunction(context, "none", status);
  EXPECT_THAT(failure(), HasSubstr("5: "));
  TF_DeleteFunction(function);
  TF_DeleteGraph(graph);
}

TEST_F(CEager, OpsAreDoneWhenTheyReturn) {
  TFE_Executor *executor = TFE_NewExecutor(true, true, 0);
  EXPECT_TRUE(TFE_ExecutorIsAsync(executor));
  TFE_ContextSetExecutorForThread(context, executor);
  TFE_TensorHandle *a = numbers({2}, {1, 2});
  TFE_ExecutorWaitForAllPendingNodes(executor, status);
  TFE_ContextAsyncWait(context, status);
  EXPECT_EQ(failure(), "");
  TFE_DeleteExecutor(executor);
  EXPECT_STREQ(TFE_TensorHandleDeviceType(a, status), "CPU");
  EXPECT_EQ(TFE_TensorHandleDeviceMemorySize(a, status), 8u);
  float number = 2.5f;
  TFE_TensorHandle *scalar =
      keep(TFE_NewTensorHandleFromScalar(TF_FLOAT, &number, 4, status));
  EXPECT_THAT(valuesOf(scalar), ElementsAre(2.5f));
  EXPECT_EQ(TFE_NewTensorHandleFromScalar(TF_FLOAT, &number, 3, status),
            nullptr);
  EXPECT_THAT(failure(), HasSubstr("3: "));
  TFE_Op *op = TFE_NewOp(context, "Neg", status);
  TFE_OpReset(op, "none", "", status);
  EXPECT_THAT(failure(), HasSubstr("5: 'none'"));
  TFE_OpReset(op, "Square", "", status);
  EXPECT_STREQ(TFE_OpGetName(op, status), "Square");
  // T: DT_FLOAT
  TFE_OpSetAttrValueProto(op, "T", "\x30\x01", 2, status);
  EXPECT_EQ(failure(), "");
  TFE_OpSetAttrValueProto(op, "T", "\xff", 1, status);
  EXPECT_EQ(failure(), "3: Unparseable AttrValue proto");
  TFE_OpAddInput(op, a, status);
  TFE_TensorHandle *result = nullptr;
  int count = 1;
  TFE_Execute(op, &result, &count, status);
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(valuesOf(keep(result)), ElementsAre(1, 4));
  TFE_DeleteOp(op);
}

TEST_F(CEager, ThreadsShareAContext) {
  std::vector<TFE_TensorHandle *> inputs;
  for (int i = 0; i < 4; ++i)
    inputs.push_back(numbers({1}, {float(i)}));
  testing::together(4, [&](int thread) {
    TF_Status *own = TF_NewStatus();
    for (int i = 0; i < 30; ++i) {
      const char *names[] = {"Neg", "Square", "Sqrt"};
      TFE_Op *op = TFE_NewOp(context, names[i % 3], own);
      TFE_OpAddInput(op, inputs[size_t(thread)], own);
      TFE_TensorHandle *result = nullptr;
      int count = 1;
      TFE_Execute(op, &result, &count, own);
      ASSERT_EQ(TF_GetCode(own), TF_OK) << TF_Message(own);
      TF_Tensor *tensor = TFE_TensorHandleResolve(result, own);
      const float value = floatsOf(tensor)[0];
      EXPECT_EQ(value, i % 3 == 0   ? -float(thread)
                       : i % 3 == 1 ? float(thread * thread)
                                    : std::sqrt(float(thread)));
      TF_DeleteTensor(tensor);
      TFE_DeleteTensorHandle(result);
      TFE_DeleteOp(op);
    }
    TF_DeleteStatus(own);
  });
}

} // namespace
} // namespace kiln
