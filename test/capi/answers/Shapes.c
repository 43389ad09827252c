// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of shapes, and what a program adds to it.
#include "Answers.h"

static void tellShape(const char *what, TF_Graph *graph, TF_Output output) {
  int rank = TF_GraphGetTensorNumDims(graph, output, status);
  printf("%s: rank %d", what, rank);
  if (rank > 0) {
    int64_t dims[8];
    TF_GraphGetTensorShape(graph, output, dims, rank, status);
    for (int i = 0; i < rank; ++i)
      printf(" %lld", (long long)dims[i]);
  }
  putchar('\n');
}

void answerShapes(void) {
  TF_Graph *graph = TF_NewGraph(), *other = TF_NewGraph();
  TF_Operation *x = placeholder(graph, "x", TF_FLOAT);
  TF_Operation *y = op(graph, "Neg", "y", x, NULL);
  tellShape("unknown", graph, first(x));
  int64_t dims[] = {2, -1, 7};
  TF_GraphSetTensorShape(graph, first(x), NULL, -1, status);
  tell("set unknown");
  tellShape("as before", graph, first(x));
  TF_GraphSetTensorShape(graph, first(x), dims, 2, status);
  tell("set [2,?]");
  tellShape("known", graph, first(x));
  tellShape("its user", graph, first(y));
  TF_Operation *z = op(graph, "Neg", "z", x, NULL);
  tellShape("a later user", graph, first(z));
  dims[0] = -1, dims[1] = 3;
  TF_GraphSetTensorShape(graph, first(x), dims, 2, status);
  tell("set [?,3]");
  tellShape("merged", graph, first(x));
  dims[1] = 5;
  TF_GraphSetTensorShape(graph, first(x), dims, 2, status);
  tell("set [?,5]");
  TF_GraphSetTensorShape(graph, first(x), dims, 3, status);
  tell("set rank 3");
  TF_GraphSetTensorShape(graph, first(x), NULL, 0, status);
  tell("set a scalar");
  tellShape("unchanged", graph, first(x));
  TF_Output beyond = {x, 1};
  TF_GraphSetTensorShape(graph, beyond, dims, 2, status);
  tell("set no output");
  TF_GraphGetTensorShape(graph, first(x), dims, 3, status);
  tell("get rank 3");
  TF_GraphSetTensorShape(other, first(x), dims, 2, status);
  tell("set in another graph");
  TF_DeleteGraph(graph);
  TF_DeleteGraph(other);
}
