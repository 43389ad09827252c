// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of graphs as functions.
#include "Answers.h"

// v -> (-v, -v + v) with names of the kinds that functions normalize.
static TF_Graph *body(TF_Output *input, TF_Output *outputs) {
  TF_Graph *graph = TF_NewGraph();
  TF_Operation *x = placeholder(graph, "Scope/X", TF_INT32);
  *input = first(x);
  TF_Operation *minus = op(graph, "Neg", "Minus", x, NULL);
  outputs[0] = first(minus);
  outputs[1] = first(op(graph, "Add", "minus", minus, x));
  return graph;
}

static TF_Function *make(TF_Graph *graph, const char *name, int hash,
                         TF_Output input, const TF_Output *outputs,
                         const char *const *names) {
  return TF_GraphToFunction(graph, name, (unsigned char)hash, -1, NULL, 1,
                            &input, 2, outputs, names, NULL, "text", status);
}

static void tellErrors(TF_Graph *graph, TF_Output input,
                       const TF_Output *outputs) {
  const char *same[] = {"z", "z"};
  make(graph, "F", 0, input, outputs, same);
  tell("one name twice");
  TF_Output twice[] = {input, input}, bad[] = {{NULL, 0}, {input.oper, 4}};
  TF_GraphToFunction(graph, "F", 0, -1, NULL, 2, twice, 2, outputs, NULL, NULL,
                     NULL, status);
  tell("one input twice");
  TF_GraphToFunction(graph, "F", 0, -1, NULL, 1, bad, 2, outputs, NULL, NULL,
                     NULL, status);
  tell("no input");
  TF_GraphToFunction(graph, "F", 0, -1, NULL, 1, bad + 1, 2, outputs, NULL,
                     NULL, NULL, status);
  tell("an input that is not there");
  TF_GraphToFunction(graph, "F", 0, -1, NULL, 1, &input, 1, bad + 1, NULL, NULL,
                     NULL, status);
  tell("an output that is not there");
  const TF_Operation *const part[] = {outputs[1].oper};
  TF_GraphToFunction(graph, "F", 0, 1, part, 1, &input, 1, outputs + 1, NULL,
                     NULL, NULL, status);
  tell("a body without what it takes");
  TF_GraphToFunction(graph, "F", 0, 0, NULL, 1, &input, 1, outputs, NULL, NULL,
                     NULL, status);
  tell("an output outside of the body");
}

static void tellCalls(TF_Function *function, TF_Function *gradient) {
  TF_Graph *graph = TF_NewGraph();
  TF_GraphCopyFunction(graph, NULL, function, status);
  tell("copy nothing");
  TF_GraphCopyFunction(graph, function, NULL, status);
  tell("copy");
  TF_GraphCopyFunction(graph, function, gradient, status);
  tell("copy with a gradient");
  TF_GraphCopyFunction(graph, function, gradient, status);
  tell("copy again");
  TF_GraphCopyFunction(graph, function, function, status);
  tell("copy with another gradient");
  tellNumber("functions", TF_GraphNumFunctions(graph));
  TF_Function *all[4];
  int count = TF_GraphGetFunctions(graph, all, COUNT(all), status);
  tellNumber("functions given", count);
  for (int i = 0; i < count; ++i)
    TF_DeleteFunction(all[i]);
  TF_Operation *x = placeholder(graph, "x", TF_INT32);
  TF_Operation *call = op(graph, TF_FunctionName(function), "call", x, NULL);
  tell("call");
  tellNumber("results", TF_OperationNumOutputs(call));
  TF_Output fed = first(x), second = {call, 1};
  const int32_t value = 5;
  tellRun("first result", graph, 1, &fed, &value, first(call));
  tellRun("second result", graph, 1, &fed, &value, second);
  TF_DeleteGraph(graph);
}

static void tellAttributes(TF_Function *function) {
  TF_Buffer *buffer = TF_NewBuffer();
  TF_FunctionGetAttrValueProto(function, "mark", buffer, status);
  tell("no attribute");
  TF_FunctionSetAttrValueProto(function, "mark", "\xff", 1, status);
  tell("not an attribute");
  // AttrValue{i: 7}
  TF_FunctionSetAttrValueProto(function, "mark", "\x18\x07", 2, status);
  tell("set");
  TF_FunctionGetAttrValueProto(function, "mark", buffer, status);
  tell("get");
  tellNumber("bytes", (long long)buffer->length);
  tellNumber("value", ((const char *)buffer->data)[1]);
  TF_DeleteBuffer(buffer);
}

void answerFunctions(void) {
  TF_Output input, outputs[2];
  TF_Graph *graph = body(&input, outputs);
  tellErrors(graph, input, outputs);
  const char *names[] = {"first", "second"};
  TF_Function *hashed = make(graph, "Hashed", 1, input, outputs, names);
  tell("with a hash");
  TF_Function *gradient = make(graph, "Grad", 0, input, outputs, NULL);
  TF_Function *function = make(graph, "F", 0, input, outputs, NULL);
  tell("function");
  tellText("name", TF_FunctionName(function));
  tellText("name with a hash", TF_FunctionName(hashed));
  TF_Buffer *bytes = TF_NewBuffer();
  TF_FunctionToFunctionDef(function, bytes, status);
  tell("bytes");
  TF_Function *back =
      TF_FunctionImportFunctionDef(bytes->data, bytes->length, status);
  tell("from bytes");
  tellText("name", TF_FunctionName(back));
  tellNumber("nothing of other bytes",
             TF_FunctionImportFunctionDef("\0\0\0\0", 4, status) == NULL);
  tell("other bytes");
  TF_DeleteBuffer(bytes);
  tellCalls(back, gradient);
  tellAttributes(function);
  TF_DeleteFunction(function);
  TF_DeleteFunction(gradient);
  TF_DeleteFunction(hashed);
  TF_DeleteFunction(back);
  TF_DeleteGraph(graph);
}
