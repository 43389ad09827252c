// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs and sessions of TensorFlow's C interface: imports, runs, runs in
// parts.
#include "test/capi/CFixture.h"
#include "test/unit/Together.h"

#include "tensorflow/c/c_api_experimental.h"

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view sum = R"(
  node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
         attr { key: "shape" value { shape { dim { size: -1 } } } } }
  node { name: "y" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
         attr { key: "shape" value { shape { unknown_rank: true } } } }
  node { name: "z" op: "Add" input: "x" input: "y" attr { key: "T" value { type: DT_FLOAT } } }
  node { name: "t" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } }
         attr { key: "shape" value { shape { unknown_rank: true } } } }
  node { name: "u" op: "Identity" input: "t" attr { key: "T" value { type: DT_STRING } } }
  node { name: "n" op: "NoOp" input: "^z" })";

class CSession : public CFixture {
protected:
  CSession() : graph(TF_NewGraph()) { import(graph, sum); }
  ~CSession() override { TF_DeleteGraph(graph); }

  TF_Output output(const char *name, int index = 0) {
    return {TF_GraphOperationByName(graph, name), index};
  }
  TF_Session *open() {
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, status);
    TF_DeleteSessionOptions(options);
    return session;
  }
  /// Fetches one tensor; null where the run fails.
  TF_Tensor *run(TF_Session *session, std::vector<TF_Output> inputs,
                 const std::vector<TF_Tensor *> &values, TF_Output output) {
    TF_Tensor *result = nullptr;
    TF_SessionRun(session, nullptr, inputs.data(), values.data(),
                  static_cast<int>(inputs.size()), &output, &result, 1, nullptr,
                  0, nullptr, status);
    for (TF_Tensor *value : values)
      TF_DeleteTensor(value);
    return result;
  }
  /// What a run with these options tells of itself; the caller deletes it.
  TF_Buffer *statistics(const TF_Buffer *options) {
    TF_Session *session = open();
    const TF_Output inputs[] = {output("x"), output("y")};
    TF_Tensor *values[] = {tensorOf({1}, {1}), tensorOf({1}, {2})};
    const TF_Operation *targets[] = {output("n").oper};
    TF_Buffer *metadata = TF_NewBuffer();
    TF_SessionRun(session, options, inputs, values, 2, nullptr, nullptr, 0,
                  targets, 1, metadata, status);
    EXPECT_EQ(failure(), "");
    for (TF_Tensor *value : values)
      TF_DeleteTensor(value);
    end(session);
    return metadata;
  }
  void end(TF_Session *session) {
    TF_CloseSession(session, status);
    EXPECT_EQ(failure(), "");
    TF_DeleteSession(session, status);
    EXPECT_EQ(failure(), "");
  }

  TF_Graph *graph;
};

TEST_F(CSession, OperationsAreFoundAndTold) {
  size_t position = 0;
  std::string names;
  while (TF_Operation *next = TF_GraphNextOperation(graph, &position))
    names += TF_OperationName(next);
  EXPECT_EQ(names, "xyztun");
  TF_Operation *z = TF_GraphOperationByName(graph, "z");
  EXPECT_STREQ(TF_OperationOpType(z), "Add");
  EXPECT_EQ(TF_OperationNumInputs(z), 2);
  EXPECT_EQ(TF_OperationInput({z, 1}).oper, output("y").oper);
  EXPECT_EQ(TF_OperationOutputType({z, 0}), TF_FLOAT);
  import(graph, R"(
    node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
           attr { key: "shape" value { shape { } } } }
    node { name: "w" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "assign" op: "Assign" input: "v" input: "w" attr { key: "T" value { type: DT_FLOAT } }
           attr { key: "validate_shape" value { b: false } } })");
  TF_Operation *assign = TF_GraphOperationByName(graph, "assign");
  EXPECT_EQ(static_cast<int>(TF_OperationInputType({assign, 0})), 101);
  EXPECT_EQ(TF_OperationInputType({assign, 1}), TF_FLOAT);
  EXPECT_EQ(TF_GraphOperationByName(graph, "none"), nullptr);
  EXPECT_EQ(TF_GraphGetTensorNumDims(graph, output("x"), status), 1);
  int64_t dims[2] = {};
  TF_GraphGetTensorShape(graph, output("x"), dims, 1, status);
  EXPECT_EQ(dims[0], -1);
  TF_GraphGetTensorShape(graph, output("x"), dims, 2, status);
  EXPECT_EQ(failure(), "3: Expected rank is 2 but actual rank is 1");
  EXPECT_EQ(TF_GraphGetTensorNumDims(graph, output("y"), status), -1);
  TF_GraphGetTensorNumDims(graph, output("x", 1), status);
  EXPECT_EQ(failure(), "11: Node 'x' (type: 'Placeholder', num of outputs: 1) "
                       "does not have output 1");
  TF_Operation *control = nullptr;
  EXPECT_EQ(TF_OperationGetControlInputs(output("n").oper, &control, 1), 1);
  EXPECT_EQ(control, z);
}

TEST_F(CSession, RunsTakeAndGiveTensors) {
  TF_Session *session = open();
  ASSERT_EQ(failure(), "");
  for (size_t length : {2, 3, 2}) {
    TF_Tensor *result =
        run(session, {output("x"), output("y")},
            {tensorOf({int64_t(length)}, std::vector<float>(length, 1.5f)),
             tensorOf({}, {2})},
            output("z"));
    ASSERT_EQ(failure(), "");
    EXPECT_EQ(floatsOf(result), std::vector<float>(length, 3.5f));
    TF_DeleteTensor(result);
  }
  // The graph goes before its session.
  const TF_Output t = output("t"), u = output("u");
  TF_DeleteGraph(std::exchange(graph, TF_NewGraph()));
  const std::string longText(100, 'x');
  TF_Tensor *texts =
      run(session, {t}, {tensorOf(std::vector<std::string>{"a", longText})}, u);
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(textsOf(texts), ElementsAre("a", longText));
  // And is fed again as it came.
  TF_Tensor *again = run(session, {t}, {texts}, u);
  texts = run(session, {t}, {again}, u);
  EXPECT_THAT(textsOf(texts), ElementsAre("a", longText));
  TF_DeleteTensor(texts);
  end(session);
}

TEST_F(CSession, FailedRunsGiveNothing) {
  TF_Session *session = open();
  EXPECT_EQ(run(session, {output("x")}, {tensorOf({1}, {1})}, output("z")),
            nullptr);
  EXPECT_THAT(failure(), HasSubstr("3: You must feed a value for placeholder "
                                   "tensor 'y'"));
  EXPECT_EQ(run(session, {}, {}, output("z", 1)), nullptr);
  EXPECT_THAT(failure(), HasSubstr("11: Node 'z'"));
  EXPECT_EQ(run(session, {output("x")},
                {tensorOf(std::vector<std::string>{"a"})}, output("x")),
            nullptr);
  EXPECT_THAT(failure(), HasSubstr("3: "));
  TF_Buffer *junk = TF_NewBufferFromString("\xff\xff", 2);
  TF_SessionRun(session, junk, nullptr, nullptr, 0, nullptr, nullptr, 0,
                nullptr, 0, nullptr, status);
  EXPECT_EQ(failure(), "3: Unparseable RunOptions proto");
  TF_SessionRun(session, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0,
                nullptr, 0, junk, status);
  EXPECT_EQ(failure(), "3: Passing non-empty run_metadata is invalid.");
  TF_DeleteBuffer(junk);
  TF_CloseSession(session, status);
  run(session, {}, {}, output("z"));
  EXPECT_EQ(failure(), "1: Session has been closed.");
  end(session);
}

TEST_F(CSession, StatisticsAreAskedForByOptions) {
  TF_Buffer *options = TF_NewBufferFromString("\x08\x03", 2); // FULL_TRACE
  TF_Buffer *metadata = statistics(options);
  EXPECT_GT(metadata->length, 0u);
  TF_DeleteBuffer(options);
  TF_DeleteBuffer(metadata);
}

TEST_F(CSession, StatisticsOfARunThatIsNotTracedAreAnEmptyMessage) {
  TF_Buffer *metadata = statistics(nullptr);
  EXPECT_NE(metadata->data, nullptr); // of which Rust's binding makes a slice
  EXPECT_EQ(metadata->length, 0u);
  TF_DeleteBuffer(metadata);
}

TEST_F(CSession, RunsRefuseAnAxisOfAScalar) {
  import(graph, R"(
    node { name: "scalar" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
           attr { key: "shape" value { shape { } } } }
    node { name: "axis" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
           attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 } } } }
    node { name: "most" op: "ArgMax" input: "scalar" input: "axis" attr { key: "T" value { type: DT_FLOAT } } })");
  TF_Session *session = open();
  EXPECT_EQ(
      run(session, {output("scalar")}, {tensorOf({}, {1})}, output("most")),
      nullptr);
  EXPECT_THAT(
      failure(),
      HasSubstr("3: Expected dimension in the range [0, 0), but got 0"));
  end(session);
}

TEST_F(CSession, PartsOfARunGiveWhatTheyWereFedFor) {
  TF_Session *session = open();
  const TF_Output inputs[] = {output("x"), output("y")};
  const TF_Output fetch = output("z");
  const char *handle = nullptr;
  TF_SessionPRunSetup(session, inputs, 2, &fetch, 1, nullptr, 0, &handle,
                      status);
  ASSERT_EQ(failure(), "");
  TF_Tensor *one = tensorOf({1}, {1}), *result = nullptr;
  TF_SessionPRun(session, handle, &inputs[0], &one, 1, nullptr, nullptr, 0,
                 nullptr, 0, status);
  EXPECT_EQ(failure(), "");
  TF_SessionPRun(session, handle, &inputs[1], &one, 1, &fetch, &result, 1,
                 nullptr, 0, status);
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(floatsOf(result), ElementsAre(2));
  TF_DeleteTensor(result);
  TF_DeleteTensor(one);
  TF_DeletePRunHandle(handle);
  end(session);
}

TEST_F(CSession, ThreadsRunAtOnce) {
  TF_Session *session = open();
  const TF_Output inputs[] = {output("x"), output("y")};
  testing::together(4, [&](int thread) {
    TF_Status *own = TF_NewStatus();
    const TF_Output z = output("z"), fetches[] = {z, z};
    const int count = 1 + thread % 2; // two signatures
    for (int i = 0; i < 50; ++i) {
      TF_Tensor *values[] = {tensorOf({1}, {float(thread)}),
                             tensorOf({1}, {float(i)})};
      TF_Tensor *results[2] = {};
      TF_SessionRun(session, nullptr, inputs, values, 2, fetches, results,
                    count, nullptr, 0, nullptr, own);
      ASSERT_EQ(TF_GetCode(own), TF_OK) << TF_Message(own);
      EXPECT_EQ(floatsOf(results[count - 1])[0], float(thread + i));
      for (TF_Tensor *tensor : {values[0], values[1], results[0], results[1]})
        TF_DeleteTensor(tensor);
    }
    TF_DeleteStatus(own);
  });
  end(session);
}

TEST_F(CSession, ConstantsAreKnownWithoutARun) {
  import(graph, R"(
    node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
           attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 7 } } } })");
  TF_Tensor *value = nullptr;
  EXPECT_TRUE(TF_TryEvaluateConstant(graph, output("c"), &value, status));
  ASSERT_NE(value, nullptr);
  EXPECT_THAT(floatsOf(value), ElementsAre(7));
  TF_DeleteTensor(value);
  EXPECT_FALSE(TF_TryEvaluateConstant(graph, output("x"), &value, status));
  EXPECT_EQ(value, nullptr);
  EXPECT_EQ(failure(), "");
  size_t length = 0;
  const char *text = TF_GraphDebugString(graph, &length);
  EXPECT_THAT(std::string(text, length), HasSubstr("op: \"Const\""));
  std::free(const_cast<char *>(text));
  EXPECT_TRUE(TF_OpIsStateful("VariableV2", status));
  EXPECT_FALSE(TF_OpIsStateful("Add", status));
  // int_val: 7
  TF_Buffer *bytes = TF_NewBufferFromString("\x08\x03\x12\x00\x3a\x01\x07", 7);
  TF_Tensor *to = tensorOf({1}, {0});
  TF_TensorFromProto(bytes, to, status);
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(TF_TensorType(to), TF_INT32);
  EXPECT_EQ(*static_cast<int *>(TF_TensorData(to)), 7);
  TF_DeleteTensor(to);
  TF_DeleteBuffer(bytes);
}

TEST_F(CSession, DevicesAreThoseOfTheConfig) {
  TF_SessionOptions *options = TF_NewSessionOptions();
  // device_count { key: "CPU" value: 2 }
  const std::string_view config("\x0a\x07\x0a\x03"
                                "CPU\x10\x02",
                                9);
  TF_SetConfig(options, config.data(), config.size(), status);
  ASSERT_EQ(failure(), "");
  TF_Session *session = TF_NewSession(graph, options, status);
  TF_DeviceList *devices = TF_SessionListDevices(session, status);
  ASSERT_EQ(TF_DeviceListCount(devices), 2);
  EXPECT_STREQ(TF_DeviceListName(devices, 1, status),
               "/job:localhost/replica:0/task:0/device:CPU:1");
  EXPECT_STREQ(TF_DeviceListType(devices, 0, status), "CPU");
  EXPECT_NE(TF_DeviceListIncarnation(devices, 0, status), 0u);
  EXPECT_EQ(TF_DeviceListName(devices, 2, status), nullptr);
  EXPECT_EQ(failure(), "3: index out of bounds");
  TF_DeleteDeviceList(devices);
  end(session);
  TF_SetConfig(options, "\xff\xff", 2, status);
  EXPECT_EQ(failure(), "3: Unparseable ConfigProto");
  TF_SetTarget(options, "grpc://localhost:1");
  EXPECT_EQ(TF_NewSession(graph, options, status), nullptr);
  EXPECT_THAT(failure(), HasSubstr("12: "));
  TF_DeleteSessionOptions(options);
}

} // namespace
} // namespace kiln
