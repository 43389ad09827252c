// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who takes an output, who waits for an operation.
#include "Answers.h"

static void tellConsumers(const char *what, TF_Output output, int most) {
  TF_Input inputs[8];
  printf("%s: %d", what, TF_OperationOutputNumConsumers(output));
  int count = TF_OperationOutputConsumers(output, inputs, most);
  for (int i = 0; i < count && i < most; ++i)
    printf(" %s/%d", TF_OperationName(inputs[i].oper), inputs[i].index);
  putchar('\n');
}

static void tellControls(const char *what, TF_Operation *operation) {
  TF_Operation *others[8];
  printf("%s: %d<", what, TF_OperationNumControlInputs(operation));
  int count = TF_OperationGetControlInputs(operation, others, COUNT(others));
  for (int i = 0; i < count; ++i)
    printf(" %s", TF_OperationName(others[i]));
  printf(" %d>", TF_OperationNumControlOutputs(operation));
  count = TF_OperationGetControlOutputs(operation, others, COUNT(others));
  for (int i = 0; i < count; ++i)
    printf(" %s", TF_OperationName(others[i]));
  putchar('\n');
}

void answerUsers(void) {
  TF_Graph *graph = TF_NewGraph();
  TF_Operation *a = placeholder(graph, "a", TF_INT32);
  tellConsumers("alone", first(a), 8);
  tellControls("controls alone", a);
  TF_Operation *b = op(graph, "Add", "b", a, a);
  tellConsumers("twice", first(a), 8);
  TF_OperationDescription *desc = TF_NewOperation(graph, "Neg", "c");
  TF_AddInput(desc, first(a));
  TF_AddControlInput(desc, a);
  TF_AddControlInput(desc, b);
  TF_Operation *c = TF_FinishOperation(desc, status);
  tell("c");
  tellConsumers("three", first(a), 8);
  tellConsumers("two of three", first(a), 2);
  tellConsumers("none of b", first(b), 8);
  tellControls("controls of a", a);
  tellControls("controls of b", b);
  tellControls("controls of c", c);
  TF_Output beyond = {a, 1};
  tellConsumers("no output", beyond, 8);
  TF_DeleteGraph(graph);
}
