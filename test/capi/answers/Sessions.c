// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs: what is fed and fetched, targets, partial runs, errors.
#include "Answers.h"

static TF_Graph *graph;
static TF_Session *session;
static TF_Operation *x, *sum, *minus;

static void run(const char *what, const TF_Output *feed, TF_Tensor *value,
                const TF_Output *fetch) {
  TF_Tensor *result = NULL;
  TF_SessionRun(session, NULL, feed, &value, feed ? 1 : 0, fetch, &result,
                fetch ? 1 : 0, NULL, 0, NULL, status);
  if (tell(what) && fetch)
    tellTensor(what, result);
  if (value)
    TF_DeleteTensor(value);
}

static void tellRuns(void) {
  TF_Output feed = first(x), fetch = first(sum);
  run("fed", &feed, intTensor(3), &fetch);
  run("not fed", NULL, NULL, &fetch);
  const float number = 1;
  run("another type", &feed, floatTensor(NULL, 0, &number), &fetch);
  TF_Output beyond = {sum, 2};
  run("an output that is not there", &feed, intTensor(3), &beyond);
  run("a feed that is not there", &beyond, intTensor(3), &fetch);
  run("nothing", &feed, intTensor(3), NULL);
  run("the fed tensor", &feed, intTensor(3), &feed);
  sum = op(graph, "Mul", "product", sum, sum);
  fetch = first(sum);
  run("a later operation", &feed, intTensor(3), &fetch);
  TF_Output twice[] = {fetch, fetch};
  TF_Tensor *value = intTensor(2), *results[2] = {NULL, NULL};
  TF_SessionRun(session, NULL, &feed, &value, 1, twice, results, 2,
                (const TF_Operation *const *)&minus, 1, NULL, status);
  tell("a tensor twice");
  tellTensor("first", results[0]);
  tellTensor("second", results[1]);
  TF_DeleteTensor(value);
}

// Sessions look at no shapes.
static void tellOtherShape(void) {
  TF_OperationDescription *desc = TF_NewOperation(graph, "Placeholder", "m");
  const int64_t dims[] = {-1, 2}, given[] = {3};
  TF_SetAttrType(desc, "dtype", TF_FLOAT);
  TF_SetAttrShape(desc, "shape", dims, 2);
  TF_Operation *m = TF_FinishOperation(desc, status);
  TF_Output feed = first(m), fetch = first(op(graph, "Add", "2m", m, m));
  const float values[] = {1, 2, 3};
  run("another rank", &feed, floatTensor(given, 1, values), &fetch);
}

static void tellPartial(void) {
  TF_Output feeds[] = {first(x)}, fetches[] = {first(minus)};
  const char *handle = NULL;
  TF_SessionPRunSetup(session, feeds, 1, fetches, 1, NULL, 0, &handle, status);
  tell("partial run");
  TF_Tensor *value = intTensor(4), *result = NULL;
  TF_SessionPRun(session, handle, feeds, &value, 1, fetches, &result, 1, NULL,
                 0, status);
  tell("its step");
  tellTensor("its step", result);
  TF_DeletePRunHandle(handle);
  TF_DeleteTensor(value);
}

static void tellDevices(void) {
  TF_DeviceList *list = TF_SessionListDevices(session, status);
  tell("devices");
  tellText("device", TF_DeviceListName(list, 0, status));
  tellText("type", TF_DeviceListType(list, 0, status));
  TF_DeviceListName(list, 99, status);
  tell("no device");
  TF_DeleteDeviceList(list);
}

void answerSessions(void) {
  graph = TF_NewGraph();
  x = placeholder(graph, "x", TF_INT32);
  minus = op(graph, "Neg", "minus", x, NULL);
  sum = op(graph, "Add", "sum", x, constant(graph, "two", intTensor(2)));
  TF_SessionOptions *options = TF_NewSessionOptions();
  TF_SetConfig(options, "\xff\xff", 2, status);
  tell("options of other bytes");
  session = TF_NewSession(graph, options, status);
  tell("session");
  TF_DeleteSessionOptions(options);
  tellRuns();
  tellOtherShape();
  tellPartial();
  tellDevices();
  TF_CloseSession(session, status);
  tell("close");
  TF_Output feed = first(x), fetch = first(minus);
  run("when closed", &feed, intTensor(3), &fetch);
  TF_DeleteSession(session, status);
  tell("delete");
  TF_DeleteGraph(graph);
}
