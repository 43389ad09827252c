// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs into graphs: names, mappings, dependencies, what is returned.
#include "Answers.h"

static TF_ImportGraphDefOptions *options;

static void import(const char *what, TF_Graph *graph, const TF_Buffer *bytes) {
  TF_ImportGraphDefResults *results =
      TF_GraphImportGraphDefWithResults(graph, bytes, options, status);
  if (tell(what)) {
    int count = 0;
    TF_Output *outputs;
    TF_ImportGraphDefResultsReturnOutputs(results, &count, &outputs);
    for (int i = 0; i < count; ++i)
      tellOutput("returned", outputs[i]);
    TF_Operation **operations;
    TF_ImportGraphDefResultsReturnOperations(results, &count, &operations);
    for (int i = 0; i < count; ++i)
      tellText("returned", TF_OperationName(operations[i]));
    const char **names;
    int *indices;
    TF_ImportGraphDefResultsMissingUnusedInputMappings(results, &count, &names,
                                                       &indices);
    for (int i = 0; i < count; ++i)
      printf("unused: %s:%d\n", names[i], indices[i]);
    TF_DeleteImportGraphDefResults(results);
  }
  TF_DeleteImportGraphDefOptions(options);
  options = TF_NewImportGraphDefOptions();
}

static TF_Buffer *bytesOf(TF_Graph *graph) {
  TF_Buffer *bytes = TF_NewBuffer();
  TF_GraphToGraphDef(graph, bytes, status);
  return bytes;
}

static void tellInput(const char *what, TF_Graph *graph, const char *name) {
  TF_Operation *operation = TF_GraphOperationByName(graph, name);
  TF_Input input = {operation, 0};
  if (operation)
    tellOutput(what, TF_OperationInput(input));
  else
    tellText(what, "no operation");
}

void answerImports(void) {
  TF_Graph *from = TF_NewGraph(), *graph = TF_NewGraph();
  op(from, "Neg", "y", placeholder(from, "x", TF_FLOAT), NULL);
  TF_Buffer *bytes = bytesOf(from);
  options = TF_NewImportGraphDefOptions();
  import("as it is", graph, bytes);
  import("again", graph, bytes);
  TF_ImportGraphDefOptionsSetUniquifyNames(options, 1);
  TF_ImportGraphDefOptionsAddReturnOutput(options, "y", 0);
  import("unique names", graph, bytes);
  TF_ImportGraphDefOptionsSetPrefix(options, "p");
  TF_ImportGraphDefOptionsAddReturnOperation(options, "y");
  import("a prefix", graph, bytes);
  TF_ImportGraphDefOptionsSetPrefix(options, "p");
  import("the prefix again", graph, bytes);
  TF_ImportGraphDefOptionsSetPrefix(options, "p");
  TF_ImportGraphDefOptionsSetUniquifyPrefix(options, 1);
  TF_ImportGraphDefOptionsAddReturnOperation(options, "y");
  import("a unique prefix", graph, bytes);
  TF_Operation *own = placeholder(graph, "own", TF_FLOAT);
  TF_ImportGraphDefOptionsSetPrefix(options, "m");
  TF_ImportGraphDefOptionsAddInputMapping(options, "x", 0, first(own));
  TF_ImportGraphDefOptionsAddInputMapping(options, "z", 1, first(own));
  TF_ImportGraphDefOptionsAddReturnOutput(options, "x", 0);
  import("a mapping", graph, bytes);
  tellInput("mapped", graph, "m/y");
  TF_ImportGraphDefOptionsSetPrefix(options, "c");
  TF_ImportGraphDefOptionsAddControlDependency(options, own);
  import("a dependency", graph, bytes);
  tellNumber("of x", TF_OperationNumControlInputs(
                         TF_GraphOperationByName(graph, "c/x")));
  tellNumber("of y", TF_OperationNumControlInputs(
                         TF_GraphOperationByName(graph, "c/y")));
  TF_ImportGraphDefOptionsSetPrefix(options, "d");
  TF_ImportGraphDefOptionsSetDefaultDevice(options, "/device:CPU:0");
  import("a device", graph, bytes);
  tellText("device", TF_OperationDevice(TF_GraphOperationByName(graph, "d/y")));
  TF_ImportGraphDefOptionsSetPrefix(options, "e");
  TF_ImportGraphDefOptionsAddReturnOutput(options, "none", 0);
  import("a tensor that is not there", graph, bytes);
  TF_ImportGraphDefOptionsSetPrefix(options, "f");
  TF_ImportGraphDefOptionsAddReturnOutput(options, "y", 3);
  import("an index that is not there", graph, bytes);
  TF_ImportGraphDefOptionsSetPrefix(options, "g");
  TF_ImportGraphDefOptionsAddReturnOperation(options, "none");
  import("an operation that is not there", graph, bytes);
  TF_ImportGraphDefOptionsSetPrefix(options, "/bad");
  import("a prefix that cannot be", graph, bytes);
  TF_Buffer *broken = TF_NewBufferFromString("\xff\xff\xff", 3);
  import("bytes of no graph", graph, broken);
  TF_DeleteBuffer(broken);
  TF_DeleteImportGraphDefOptions(options);
  TF_DeleteBuffer(bytes);
  TF_DeleteGraph(from);
  TF_DeleteGraph(graph);
}
