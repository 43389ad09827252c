// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations: how they are built, what is wrong with them, what they tell.
#include "Answers.h"

static TF_OperationDescription *begin(TF_Graph *graph, const char *type) {
  return TF_NewOperation(graph, type, "n");
}

static void finish(const char *what, TF_OperationDescription *desc) {
  TF_FinishOperation(desc, status);
  tell(what);
}

static void tellErrors(TF_Graph *graph, TF_Operation *x, TF_Operation *i) {
  finish("an unknown op", begin(graph, "NoSuchOp"));
  finish("no dtype", begin(graph, "Placeholder"));
  finish("no input", begin(graph, "Neg"));
  TF_OperationDescription *desc = begin(graph, "MatMul");
  TF_AddInput(desc, first(x));
  finish("one input of two", desc);
  desc = begin(graph, "Neg");
  TF_AddInput(desc, first(x));
  TF_AddInput(desc, first(x));
  finish("two inputs of one", desc);
  desc = begin(graph, "Add");
  TF_AddInput(desc, first(x));
  TF_AddInput(desc, first(i));
  finish("two types", desc);
  desc = begin(graph, "Neg");
  TF_AddInput(desc, first(x));
  TF_SetAttrType(desc, "T", TF_INT32);
  finish("another type than the input's", desc);
  desc = begin(graph, "Placeholder");
  TF_SetAttrInt(desc, "dtype", 1);
  finish("an attribute of another kind", desc);
  desc = begin(graph, "Sqrt");
  TF_AddInput(desc, first(i));
  finish("a type that the op does not take", desc);
  desc = begin(graph, "AddN");
  TF_AddInputList(desc, NULL, 0);
  finish("an empty list", desc);
  desc = begin(graph, "AddN");
  TF_Output mixed[] = {first(x), first(i)};
  TF_AddInputList(desc, mixed, 2);
  finish("a list of two types", desc);
  desc = TF_NewOperation(graph, "Neg", "x");
  TF_AddInput(desc, first(x));
  finish("a name in use", desc);
}

static void tellKind(TF_Operation *operation, const char *name) {
  TF_AttrMetadata kind = TF_OperationGetAttrMetadata(operation, name, status);
  if (tell(name))
    printf("%s: list %d of %lld, kind %d, size %lld\n", name, kind.is_list,
           (long long)kind.list_size, (int)kind.type,
           (long long)kind.total_size);
}

static void tellAttributes(TF_Graph *graph) {
  TF_OperationDescription *desc = TF_NewOperation(graph, "Conv2D", "conv");
  const int64_t image[] = {1, 8, 8, 3}, kernel[] = {2, 2, 3, 4};
  TF_OperationDescription *from =
      TF_NewOperation(graph, "Placeholder", "image");
  TF_SetAttrType(from, "dtype", TF_FLOAT);
  TF_SetAttrShape(from, "shape", image, 4);
  TF_AddInput(desc, first(TF_FinishOperation(from, status)));
  from = TF_NewOperation(graph, "Placeholder", "kernel");
  TF_SetAttrType(from, "dtype", TF_FLOAT);
  TF_SetAttrShape(from, "shape", kernel, 4);
  TF_AddInput(desc, first(TF_FinishOperation(from, status)));
  const int64_t strides[] = {1, 2, 2, 1};
  TF_SetAttrIntList(desc, "strides", strides, 4);
  TF_SetAttrString(desc, "padding", "SAME", 4);
  TF_SetDevice(desc, "/device:CPU:0");
  TF_Operation *conv = TF_FinishOperation(desc, status);
  tell("conv");
  tellText("device", TF_OperationDevice(conv));
  const char *names[] = {"T",         "strides", "padding", "use_cudnn_on_gpu",
                         "dilations", "no_such"};
  for (int i = 0; i < COUNT(names); ++i)
    tellKind(conv, names[i]);
  tellKind(TF_GraphOperationByName(graph, "image"), "shape");
  int64_t numbers[4] = {0};
  TF_OperationGetAttrIntList(conv, "strides", numbers, 4, status);
  tell("strides");
  tellNumber("stride", numbers[1]);
  char text[5] = "";
  TF_OperationGetAttrString(conv, "padding", text, 4, status);
  tellText("padding", text);
  unsigned char yes = 0;
  TF_OperationGetAttrBool(conv, "use_cudnn_on_gpu", &yes, status);
  tellNumber("use_cudnn_on_gpu", yes);
  TF_OperationGetAttrInt(conv, "padding", numbers, status);
  tell("a text as a number");
  TF_OperationGetAttrShape(conv, "padding", numbers, 4, status);
  tell("a text as a shape");
  TF_OperationGetAttrBool(conv, "no_such", &yes, status);
  tell("no attribute");
  tellNumber("inputs", TF_OperationNumInputs(conv));
  tellNumber("outputs", TF_OperationNumOutputs(conv));
  tellNumber("filter", TF_OperationInputListLength(conv, "filter", status));
  tellNumber("nothing", TF_OperationInputListLength(conv, "nothing", status));
  tell("nothing");
  tellNumber("nothing", TF_OperationOutputListLength(conv, "nothing", status));
  tell("nothing");
}

void answerOperations(void) {
  TF_Graph *graph = TF_NewGraph();
  TF_Operation *x = placeholder(graph, "x", TF_FLOAT);
  TF_Operation *i = placeholder(graph, "i", TF_INT32);
  tellErrors(graph, x, i);
  tellAttributes(graph);
  size_t place = 0;
  int count = 0;
  for (TF_Operation *each; (each = TF_GraphNextOperation(graph, &place));)
    printf("operation %d: %s, %s\n", count++, TF_OperationName(each),
           TF_OperationOpType(each));
  tellNumber("by another name", TF_GraphOperationByName(graph, "y") != NULL);
  TF_OperationDescription *desc = TF_NewOperation(graph, "Neg", "no name");
  TF_AddInput(desc, first(x));
  finish("a name that cannot be", desc);
  TF_DeleteGraph(graph);
}
