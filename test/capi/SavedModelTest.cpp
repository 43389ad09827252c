// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SavedModels, checkpoints and sessions with names, by TensorFlow's C
// interface.
#include "test/capi/CFixture.h"
#include "test/unit/RecordedCases.h"

#include "tensorflow/c/c_api_experimental.h"

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CSavedModel : public CFixture {
protected:
  CSavedModel() : graph(TF_NewGraph()), options(TF_NewSessionOptions()) {}
  ~CSavedModel() override {
    TF_DeleteSessionOptions(options);
    TF_DeleteGraph(graph);
  }
  TF_Session *load(const std::string &path, const char *tag,
                   TF_Buffer *metaGraph = nullptr) {
    return TF_LoadSessionFromSavedModel(options, nullptr, path.c_str(), &tag, 1,
                                        graph, metaGraph, status);
  }

  const std::string folder =
      testing::recordedFolder("prog_saved_model") + "/saved_model";
  TF_Graph *graph;
  TF_SessionOptions *options;
};

TEST_F(CSavedModel, TheGraphIsTheCallers) {
  TF_Buffer *metaGraph = TF_NewBuffer();
  TF_Session *session = load(folder, "serve", metaGraph);
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(std::string(static_cast<const char *>(metaGraph->data),
                          metaGraph->length),
              HasSubstr("serving_default"));
  TF_DeleteBuffer(metaGraph);
  const TF_Output x = {TF_GraphOperationByName(graph, "x"), 0};
  const TF_Output y = {TF_GraphOperationByName(graph, "y"), 0};
  ASSERT_NE(x.oper, nullptr);
  TF_Tensor *value = tensorOf({2, 3}, {.1f, .2f, .3f, 1, 0, -1});
  TF_Tensor *result = nullptr;
  TF_SessionRun(session, nullptr, &x, &value, 1, &y, &result, 1, nullptr, 0,
                nullptr, status);
  ASSERT_EQ(failure(), "");
  EXPECT_NEAR(floatsOf(result)[0] + floatsOf(result)[1], 1, 1e-6);
  TF_DeleteTensor(value);
  TF_DeleteTensor(result);
  EXPECT_EQ(load(folder, "serve"), nullptr);
  EXPECT_EQ(failure(), "3: Graph is non-empty.");
  TF_DeleteSession(session, status);
}

TEST_F(CSavedModel, WhatIsNotThereIsNotFound) {
  EXPECT_EQ(load(folder + "/none", "serve"), nullptr);
  EXPECT_THAT(failure(), HasSubstr("5: Could not find SavedModel .pb or .pbtxt "
                                   "at supplied export directory path: "));
  EXPECT_EQ(load(folder, "other"), nullptr);
  EXPECT_THAT(failure(), HasSubstr("5: Could not find meta graph def matching "
                                   "supplied tags: { other }."));
  EXPECT_EQ(TF_LoadLibrary("/nowhere.so", status), nullptr);
  EXPECT_EQ(failure(), "5: /nowhere.so: cannot open shared object file: No "
                       "such file or directory");
}

TEST_F(CSavedModel, ItsVariablesAreRead) {
  TF_CheckpointReader *reader =
      TF_NewCheckpointReader((folder + "/variables/variables").c_str(), status);
  ASSERT_EQ(failure(), "");
  ASSERT_GT(TF_CheckpointReaderSize(reader), 0);
  const char *name = TF_CheckpointReaderGetVariable(reader, 0);
  EXPECT_TRUE(TF_CheckpointReaderHasTensor(reader, name));
  const int rank = TF_CheckpointReaderGetVariableNumDims(reader, name);
  std::vector<int64_t> dims(static_cast<size_t>(rank));
  TF_CheckpointReaderGetVariableShape(reader, name, dims.data(), rank, status);
  EXPECT_EQ(failure(), "");
  TF_Tensor *value = TF_CheckpointReaderGetTensor(reader, name, status);
  ASSERT_EQ(failure(), "");
  EXPECT_EQ(TF_TensorType(value),
            TF_CheckpointReaderGetVariableDataType(reader, name));
  ASSERT_EQ(TF_NumDims(value), rank);
  for (int i = 0; i < rank; ++i)
    EXPECT_EQ(TF_Dim(value, i), dims[static_cast<size_t>(i)]);
  TF_DeleteTensor(value);
  EXPECT_EQ(TF_CheckpointReaderGetTensor(reader, "none", status), nullptr);
  EXPECT_THAT(failure(), HasSubstr("5: "));
  EXPECT_EQ(TF_CheckpointReaderGetVariable(reader, -1), nullptr);
  EXPECT_EQ(TF_CheckpointReaderGetVariableNumDims(reader, "none"), -1);
  TF_DeleteCheckpointReader(reader);
  EXPECT_EQ(TF_NewCheckpointReader("/nowhere/x", status), nullptr);
  EXPECT_EQ(failure(), "5: Unsuccessful TensorSliceReader constructor: Failed "
                       "to find any matching files for /nowhere/x");
}

constexpr std::string_view numbers = R"(
  node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
  node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
  node { name: "n" op: "NoOp" })";

/// What the deprecated functions are given: names.
class CNames : public CFixture {
protected:
  CNames() {
    TF_SessionOptions *options = TF_NewSessionOptions();
    session = TF_NewDeprecatedSession(options, status);
    TF_DeleteSessionOptions(options);
  }
  ~CNames() override { TF_DeleteDeprecatedSession(session, status); }
  void extend() {
    TF_Buffer *buffer = graphDef(numbers);
    TF_ExtendGraph(session, buffer->data, buffer->length, status);
    TF_DeleteBuffer(buffer);
  }
  TF_Tensor *run(const char *output, const char *target) {
    const char *input = "x";
    TF_Tensor *value = tensorOf({1}, {3}), *result = nullptr;
    TF_Run(session, nullptr, &input, &value, 1, &output, &result,
           output ? 1 : 0, &target, target ? 1 : 0, nullptr, status);
    TF_DeleteTensor(value); // inputs stay the caller's
    return result;
  }

  TF_DeprecatedSession *session;
};

TEST_F(CNames, TensorsGoByNames) {
  run("y:0", nullptr);
  EXPECT_EQ(failure(), "3: Session was not created with a graph before Run()!");
  extend();
  EXPECT_EQ(failure(), "");
  extend();
  EXPECT_EQ(failure(), "3: GraphDef argument to Extend includes node 'x', "
                       "which was created by a previous call to Create or "
                       "Extend in this session.");
  TF_Tensor *result = run("y", "n");
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(floatsOf(result), ElementsAre(-3));
  TF_DeleteTensor(result);
  run("z:0", nullptr);
  EXPECT_EQ(failure(), "3: Tensor z:0, specified in either feed_devices or "
                       "fetch_devices was not found in the Graph");
  run("n", nullptr);
  EXPECT_EQ(failure(), "11: Node 'n' (type: 'NoOp', num of outputs: 0) does "
                       "not have output 0");
  run(nullptr, "z");
  EXPECT_EQ(failure(), "5: PruneForTargets: Some target nodes not found: z ");
  run(nullptr, nullptr);
  EXPECT_EQ(failure(),
            "3: Must specify at least one target to fetch or execute.");
  TF_CloseDeprecatedSession(session, status);
  run("y", nullptr);
  EXPECT_EQ(failure(), "1: Session has been closed.");
}

TEST_F(CNames, PartsGoByNames) {
  extend();
  const char *input = "x", *output = "y", *handle = nullptr;
  TF_PRunSetup(session, &input, 1, &output, 1, nullptr, 0, &handle, status);
  ASSERT_EQ(failure(), "");
  TF_Tensor *value = tensorOf({1}, {3}), *result = nullptr;
  TF_PRun(session, handle, &input, &value, 1, &output, &result, 1, nullptr, 0,
          status);
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(floatsOf(result), ElementsAre(-3));
  TF_DeleteTensor(value);
  TF_DeleteTensor(result);
  TF_DeletePRunHandle(handle);
}

} // namespace
} // namespace kiln
