// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose conditions and bodies are graphs.
#include "Answers.h"

// Begins a loop of two variables whose condition is v0 < 100, and whose body
// gives v0 + v1 and, after it, `second`: 0: v1, 1: nothing.
static TF_WhileParams begin(TF_Graph *graph, TF_Output *inputs, int second) {
  TF_WhileParams loop = TF_NewWhile(graph, inputs, 2, status);
  TF_Operation *most = constant(loop.cond_graph, "most", intTensor(100));
  loop.cond_output = first(
      op(loop.cond_graph, "Less", "less", loop.cond_inputs[0].oper, most));
  loop.body_outputs[0] =
      first(op(loop.body_graph, "Add", "sum", loop.body_inputs[0].oper,
               loop.body_inputs[1].oper));
  if (second == 0)
    loop.body_outputs[1] = loop.body_inputs[1];
  loop.name = "loop";
  return loop;
}

// In a graph of its own: TensorFlow leaves a part of a loop that it cannot
// finish.
static void tellBroken(const char *what, int broken) {
  TF_Graph *graph = TF_NewGraph();
  TF_Output inputs[] = {first(placeholder(graph, "x", TF_INT32)),
                        first(placeholder(graph, "y", TF_INT32))};
  TF_Output outputs[2] = {{NULL, -1}, {NULL, -1}};
  TF_WhileParams loop = begin(graph, inputs, broken == 1);
  switch (broken) {
  case 0:
    loop.cond_output.oper = NULL;
    loop.body_outputs[1] = loop.body_inputs[1];
    break;
  case 2:
    loop.body_outputs[1] = loop.body_inputs[1];
    loop.name = NULL;
    break;
  case 3:
    loop.body_outputs[1] = loop.body_inputs[1];
    loop.cond_output = loop.cond_inputs[0];
    break;
  case 4:
    loop.body_outputs[1] = inputs[1];
    break;
  case 5:
    loop.body_outputs[1] = loop.body_inputs[1];
    loop.cond_output.index = 7;
    break;
  }
  TF_FinishWhile(&loop, status, outputs);
  tell(what);
  TF_DeleteGraph(graph);
}

void answerLoops(void) {
  TF_Graph *graph = TF_NewGraph();
  TF_Output inputs[] = {first(placeholder(graph, "x", TF_INT32)),
                        first(placeholder(graph, "y", TF_INT32))};
  TF_NewWhile(graph, inputs, 0, status);
  tell("no variables");
  TF_WhileParams given = begin(graph, inputs, 0);
  tellText("cond input", TF_OperationName(given.cond_inputs[1].oper));
  tellText("body input", TF_OperationName(given.body_inputs[0].oper));
  TF_AbortWhile(&given);
  tellBroken("no condition", 0);
  tellBroken("no body", 1);
  tellBroken("no name", 2);
  tellBroken("a condition of numbers", 3);
  tellBroken("an output of another graph", 4);
  tellBroken("an output that is not there", 5);
  TF_WhileParams loop = begin(graph, inputs, 0);
  TF_Output outputs[2];
  TF_FinishWhile(&loop, status, outputs);
  tell("loop");
  const int32_t values[] = {1, 10}, none[] = {200, 3};
  tellRun("sum", graph, 2, inputs, values, outputs[0]);
  tellRun("step", graph, 2, inputs, values, outputs[1]);
  tellRun("no round", graph, 2, inputs, none, outputs[0]);
  tellNumber("less is in the graph",
             TF_GraphOperationByName(graph, "loop/cond/less") != NULL);
  tellNumber("sum is in the graph",
             TF_GraphOperationByName(graph, "loop/body/sum") != NULL);
  tellNumber("inputs are not",
             TF_GraphOperationByName(graph, "loop/body/body_input0") == NULL);
  TF_DeleteGraph(graph);
}
