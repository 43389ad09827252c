// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients: names, prefixes, values, errors.
#include "Answers.h"

static TF_Operation *matrix(TF_Graph *graph, const char *name, float a, float b,
                            float c, float d) {
  const int64_t dims[] = {2, 2};
  const float values[] = {a, b, c, d};
  return constant(graph, name, floatTensor(dims, 2, values));
}

static void tellFloats(const char *what, TF_Graph *graph, TF_Output fetch) {
  tellRun(what, graph, 0, NULL, NULL, fetch);
}

static void tellProduct(void) {
  TF_Graph *graph = TF_NewGraph();
  TF_Operation *a = matrix(graph, "a", 1, 2, 3, 4);
  TF_Operation *b = matrix(graph, "b", 5, 6, 7, 8);
  TF_Output y = first(op(graph, "MatMul", "MatMul", a, b)),
            xs[] = {{a, 0}, {b, 0}};
  TF_Output dy[2], dx = first(matrix(graph, "dx", 1, 0, 0, 2));
  TF_AddGradients(graph, &y, 1, xs, 2, NULL, status, dy);
  tell("of a product");
  tellOutput("by a", dy[0]);
  tellOutput("by b", dy[1]);
  tellFloats("by a", graph, dy[0]);
  tellFloats("by b", graph, dy[1]);
  TF_AddGradientsWithPrefix(graph, "more", &y, 1, xs, 2, &dx, status, dy);
  tell("with given gradients");
  tellOutput("by a", dy[0]);
  tellFloats("by a", graph, dy[0]);
  tellFloats("by b", graph, dy[1]);
  TF_AddGradients(graph, &y, 1, xs, 1, NULL, status, dy);
  tellOutput("again", dy[0]);
  const char *prefixes[] = {"more", "MatMul", "gradients", "more/sub", "mor"};
  for (int i = 0; i < COUNT(prefixes); ++i) {
    // TensorFlow takes an error that it finds in the status for its own.
    TF_SetStatus(status, TF_OK, "");
    TF_AddGradientsWithPrefix(graph, prefixes[i], &y, 1, xs, 1, NULL, status,
                              dy);
    // Which of the nodes is named depends on a hash.
    printf("prefix %s: %d\n", prefixes[i], (int)TF_GetCode(status));
  }
  TF_DeleteGraph(graph);
}

static void tellErrors(void) {
  TF_Graph *graph = TF_NewGraph();
  TF_Operation *a = matrix(graph, "a", 1, 2, 3, 4);
  TF_Operation *apart = matrix(graph, "apart", 1, 2, 3, 4);
  TF_Operation *b = op(graph, "Neg", "b", a, NULL);
  TF_Output y = first(b), x = first(apart), dy = {NULL, 0};
  TF_AddGradients(graph, &y, 1, &x, 1, NULL, status, &dy);
  tell("unreachable");
  TF_Operation *shape = op(graph, "Shape", "shape", b, NULL);
  y = first(shape), x = first(a);
  TF_AddGradients(graph, &y, 1, &x, 1, NULL, status, &dy);
  tell("through a shape");
  tellOutput("through a shape", dy);
  TF_DeleteGraph(graph);
}

void answerGradients(void) {
  tellProduct();
  tellErrors();
}
