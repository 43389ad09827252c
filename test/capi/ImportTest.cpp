// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Imports of GraphDefs by TensorFlow's C interface; expectations are what
// TensorFlow 2.21 answers.
#include "test/capi/CFixture.h"

namespace kiln {
namespace {

using ::testing::ElementsAre;

constexpr std::string_view pair = R"(
  node { name: "a" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
  node { name: "s/b" op: "Identity" input: "a" input: "^c" attr { key: "T" value { type: DT_FLOAT } }
         attr { key: "_class" value { list { s: "loc:@a" } } } }
  node { name: "c" op: "NoOp" })";

class CImport : public CFixture {
protected:
  CImport() : graph(TF_NewGraph()), options(TF_NewImportGraphDefOptions()) {
    import(graph, pair);
  }
  ~CImport() override {
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteGraph(graph);
  }
  TF_Operation *operation(const char *name) {
    return TF_GraphOperationByName(graph, name);
  }
  TF_ImportGraphDefResults *importPair() {
    TF_Buffer *buffer = graphDef(pair);
    TF_ImportGraphDefResults *results =
        TF_GraphImportGraphDefWithResults(graph, buffer, options, status);
    TF_DeleteBuffer(buffer);
    return results;
  }
  /// "in: data:0 ^control", of a node.
  std::string inputsOf(const char *name) {
    TF_Operation *node = operation(name);
    if (!node)
      return "none";
    std::string text;
    for (int i = 0; i < TF_OperationNumInputs(node); ++i) {
      const TF_Output input = TF_OperationInput({node, i});
      text += std::string(TF_OperationName(input.oper)) + ":" +
              std::to_string(input.index) + " ";
    }
    std::vector<TF_Operation *> controls(
        static_cast<size_t>(TF_OperationNumControlInputs(node)));
    TF_OperationGetControlInputs(node, controls.data(),
                                 static_cast<int>(controls.size()));
    for (TF_Operation *control : controls)
      text += std::string("^") + TF_OperationName(control) + " ";
    return text;
  }

  TF_Graph *graph;
  TF_ImportGraphDefOptions *options;
};

TEST_F(CImport, NamesInUseAreRefusedOrMadeUnique) {
  EXPECT_EQ(importPair(), nullptr);
  EXPECT_EQ(failure(), "3: Node name 'a' already exists in the Graph");
  TF_ImportGraphDefOptionsSetUniquifyNames(options, 1);
  TF_DeleteImportGraphDefResults(importPair());
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(inputsOf("s/b_1"), "a_1:0 ^c_1 ");
  TF_ImportGraphDefOptionsSetUniquifyPrefix(options, 1);
  TF_ImportGraphDefOptionsSetPrefix(options, "s");
  TF_DeleteImportGraphDefResults(importPair());
  EXPECT_EQ(inputsOf("s_1/s/b"), "s_1/a:0 ^s_1/c ");
  TF_ImportGraphDefOptionsSetPrefix(options, "_p");
  EXPECT_EQ(importPair(), nullptr);
  EXPECT_EQ(failure(), "3: Imported node name prefix '_p/' would lead to "
                       "invalid node names");
}

TEST_F(CImport, InputsAndControlsAreMapped) {
  TF_ImportGraphDefOptionsSetPrefix(options, "p");
  TF_ImportGraphDefOptionsSetDefaultDevice(options, "/cpu:0");
  TF_ImportGraphDefOptionsAddInputMapping(options, "a", 0,
                                          {operation("s/b"), 0});
  TF_ImportGraphDefOptionsAddInputMapping(options, "none", 2,
                                          {operation("a"), 0});
  TF_ImportGraphDefOptionsRemapControlDependency(options, "c", operation("a"));
  TF_ImportGraphDefOptionsAddControlDependency(options, operation("c"));
  TF_ImportGraphDefOptionsAddReturnOutput(options, "s/b", 0);
  TF_ImportGraphDefOptionsAddReturnOutput(options, "a", 0);
  TF_ImportGraphDefOptionsAddReturnOperation(options, "a");
  TF_ImportGraphDefResults *results = importPair();
  ASSERT_EQ(failure(), "");
  EXPECT_EQ(inputsOf("p/s/b"), "s/b:0 ^a ^c ");
  EXPECT_EQ(inputsOf("p/a"), "^c ");
  EXPECT_STREQ(TF_OperationDevice(operation("p/a")), "/cpu:0");
  int count = 0;
  TF_Output *outputs = nullptr;
  TF_ImportGraphDefResultsReturnOutputs(results, &count, &outputs);
  ASSERT_EQ(count, 2);
  EXPECT_EQ(outputs[0].oper, operation("p/s/b"));
  EXPECT_EQ(outputs[1].oper, operation("s/b"));
  TF_Operation **operations = nullptr;
  TF_ImportGraphDefResultsReturnOperations(results, &count, &operations);
  ASSERT_EQ(count, 1);
  EXPECT_EQ(operations[0], operation("p/a"));
  const char **names = nullptr;
  int *indexes = nullptr;
  TF_ImportGraphDefResultsMissingUnusedInputMappings(results, &count, &names,
                                                     &indexes);
  ASSERT_EQ(count, 1);
  EXPECT_STREQ(names[0], "none");
  EXPECT_EQ(indexes[0], 2);
  TF_DeleteImportGraphDefResults(results);
}

TEST_F(CImport, CallsOfFunctionsHaveTheirResults) {
  constexpr std::string_view calls = R"(
    node { name: "v" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "call" op: "negate" input: "v" }
    library { function {
      signature { name: "negate" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
      node_def { name: "n" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
      ret { key: "y" value: "n:y:0" } } })";
  import(graph, calls);
  EXPECT_EQ(TF_OperationNumOutputs(operation("call")), 1);
  EXPECT_EQ(TF_OperationOutputType({operation("call"), 0}), TF_FLOAT);
  EXPECT_EQ(TF_GraphNumFunctions(graph), 1);
  // What fails leaves no function behind.
  TF_Graph *other = TF_NewGraph();
  TF_ImportGraphDefOptionsAddReturnOperation(options, "none");
  TF_Buffer *buffer = graphDef(calls);
  TF_GraphImportGraphDef(other, buffer, options, status);
  EXPECT_EQ(failure(),
            "3: Requested return node 'none' not found in graph def");
  EXPECT_EQ(TF_GraphNumFunctions(other), 0);
  TF_DeleteBuffer(buffer);
  TF_DeleteGraph(other);
}

TEST_F(CImport, WhatIsNotThereIsNotHandedBack) {
  TF_ImportGraphDefOptionsSetPrefix(options, "p");
  TF_ImportGraphDefOptionsAddReturnOperation(options, "none");
  EXPECT_EQ(importPair(), nullptr);
  EXPECT_EQ(failure(),
            "3: Requested return node 'none' not found in graph def");
  EXPECT_EQ(operation("p/a"), nullptr);
  TF_ImportGraphDefOptionsAddReturnOutput(options, "none", 1);
  EXPECT_EQ(importPair(), nullptr);
  EXPECT_EQ(failure(),
            "3: Requested return tensor 'none:1' not found in graph def");
  TF_Buffer *junk = TF_NewBufferFromString("\xff\xff", 2);
  TF_GraphImportGraphDef(graph, junk, options, status);
  EXPECT_EQ(failure(), "3: Invalid GraphDef");
  TF_Output output;
  TF_GraphImportGraphDefWithReturnOutputs(graph, junk, options, &output, 3,
                                          status);
  EXPECT_EQ(failure(), "3: Expected 'num_return_outputs' to be 1, got 3");
  TF_DeleteBuffer(junk);
}

} // namespace
} // namespace kiln
