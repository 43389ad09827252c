// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that bytes choose among.
#include "test/capi/fuzz/CallSequence.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace kiln {
namespace {

// Names of ops, attributes and nodes: often the right ones, sometimes none.
constexpr const char *words[] = {
    "Placeholder",
    "Const",
    "Add",
    "MatMul",
    "Neg",
    "Identity",
    "NoOp",
    "Split",
    "ConcatV2",
    "Reshape",
    "VariableV2",
    "Assign",
    "VarHandleOp",
    "ReadVariableOp",
    "AssignVariableOp",
    "StringJoin",
    "Cast",
    "Sum",
    "Shape",
    "MutableHashTableV2",
    "LookupTableSizeV2",
    "EmptyTensorList",
    "dtype",
    "T",
    "N",
    "shape",
    "value",
    "num_split",
    "DstT",
    "SrcT",
    "shared_name",
    "keep_dims",
    "Tidx",
    "key_dtype",
    "value_dtype",
    "element_dtype",
    "a",
    "b",
    "c",
    "scope/d",
    "a:0",
    "^a",
    "",
    "!",
};

constexpr TF_DataType types[] = {
    TF_FLOAT,  TF_INT32,    TF_INT64, TF_STRING,  TF_BOOL,
    TF_DOUBLE, TF_RESOURCE, TF_UINT8, TF_VARIANT, static_cast<TF_DataType>(60)};

} // namespace

CallSequence::CallSequence(const uint8_t *data, size_t size)
    : data(data), end(data + size), status(TF_NewStatus()),
      graph(TF_NewGraph()) {
  TF_SessionOptions *options = TF_NewSessionOptions();
  session = TF_NewSession(graph, options, status);
  check(session);
  TF_DeleteSessionOptions(options);
  TFE_ContextOptions *contextOptions = TFE_NewContextOptions();
  context = TFE_NewContext(contextOptions, status);
  check(context);
  TFE_DeleteContextOptions(contextOptions);
}

CallSequence::~CallSequence() {
  finish();
  if (op)
    TFE_DeleteOp(op);
  for (TFE_TensorHandle *handle : handles)
    TFE_DeleteTensorHandle(handle);
  for (TF_Tensor *tensor : tensors)
    TF_DeleteTensor(tensor);
  TFE_DeleteContext(context);
  TF_DeleteSession(session, status);
  TF_DeleteGraph(graph);
  TF_DeleteStatus(status);
}

unsigned CallSequence::byte() { return data == end ? 0 : *data++; }

int64_t CallSequence::number() {
  constexpr int64_t hard[] = {-1, 0, 1, 2, 3, INT64_MAX, INT64_MIN, INT32_MAX};
  const unsigned choice = byte();
  return choice < 128 ? hard[choice % 8] : static_cast<int64_t>(choice) - 128;
}

const char *CallSequence::word() {
  return words[byte() % (sizeof words / sizeof *words)];
}

std::vector<int64_t> CallSequence::dims() {
  std::vector<int64_t> list(byte() % 4);
  for (int64_t &dim : list)
    dim = number();
  return list;
}

template <class T> T *CallSequence::pick(const std::vector<T *> &list) {
  const unsigned choice = byte();
  return list.empty() ? nullptr : list[choice % list.size()];
}

TF_Output CallSequence::pickOutput() {
  return {pick(operations), static_cast<int>(byte() % 4) - 1};
}

void CallSequence::check(const void *result) {
  const TF_Code code = TF_GetCode(status);
  const bool isOk = code == TF_OK;
  if (isOk == (result != nullptr) && isOk == !*TF_Message(status) &&
      code >= TF_OK && code <= TF_UNAUTHENTICATED)
    return;
  std::fprintf(stderr, "result %p with code %d: %s\n", result, code,
               TF_Message(status));
  std::abort();
}

void CallSequence::describe() {
  finish();
  description = TF_NewOperation(graph, word(), word());
}

void CallSequence::setAttribute() {
  if (!description)
    return;
  const char *name = word();
  const std::vector<int64_t> list = dims();
  const int length = static_cast<int>(list.size());
  switch (byte() % 9) {
  case 0:
    return TF_SetAttrType(description, name, types[byte() % 10]);
  case 1:
    return TF_SetAttrInt(description, name, number());
  case 2:
    return TF_SetAttrShape(description, name, list.data(),
                           byte() % 8 ? length : -1);
  case 3:
    return TF_SetAttrIntList(description, name, list.data(), length);
  case 4:
    return TF_SetAttrString(description, name, word(), byte() % 2);
  case 5:
    return TF_SetAttrBool(description, name, byte() % 2);
  case 6: {
    if (TF_Tensor *tensor = pick(tensors))
      TF_SetAttrTensor(description, name, tensor, status);
    return;
  }
  case 7: {
    const TF_Output input = pickOutput();
    if (input.oper)
      TF_AddInput(description, input);
    return;
  }
  default: {
    TF_Operation *control = pick(operations);
    if (control)
      TF_AddControlInput(description, control);
  }
  }
}

void CallSequence::finish() {
  if (!description)
    return;
  TF_Operation *made = TF_FinishOperation(description, status);
  description = nullptr;
  check(made);
  if (made)
    operations.push_back(made);
}

void CallSequence::importNodes() {
  TF_Buffer *bytes = TF_NewBuffer();
  TF_GraphToGraphDef(graph, bytes, status);
  TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
  TF_ImportGraphDefOptionsSetPrefix(options, word());
  TF_ImportGraphDefOptionsSetUniquifyNames(options, byte() % 2);
  TF_ImportGraphDefOptionsSetUniquifyPrefix(options, byte() % 2);
  const TF_Output mapped = pickOutput();
  if (mapped.oper)
    TF_ImportGraphDefOptionsAddInputMapping(options, word(),
                                            static_cast<int>(number()), mapped);
  TF_ImportGraphDefOptionsAddReturnOutput(options, word(),
                                          static_cast<int>(number()));
  // A damaged message as well; no more nodes than a run is good for.
  if (bytes->data && bytes->length && byte() % 2)
    static_cast<uint8_t *>(const_cast<void *>(
        bytes->data))[byte() * 31 % bytes->length] ^= 1 << byte() % 8;
  if (operations.size() < 40) {
    TF_ImportGraphDefResults *results =
        TF_GraphImportGraphDefWithResults(graph, bytes, options, status);
    check(results);
    if (results)
      TF_DeleteImportGraphDefResults(results);
  }
  TF_DeleteImportGraphDefOptions(options);
  TF_DeleteBuffer(bytes);
  operations.clear();
  size_t position = 0;
  while (TF_Operation *found = TF_GraphNextOperation(graph, &position))
    operations.push_back(found);
}

void CallSequence::look() {
  const TF_Output output = pickOutput();
  if (!output.oper)
    return;
  TF_OperationOutputType(output);
  TF_OperationInput({output.oper, output.index});
  int64_t shape[4];
  const int rank = TF_GraphGetTensorNumDims(graph, output, status);
  TF_GraphGetTensorShape(graph, output, shape, rank > 4 ? 4 : rank, status);
  TF_OperationGetAttrMetadata(output.oper, word(), status);
  TF_Buffer *bytes = TF_NewBuffer();
  TF_OperationToNodeDef(output.oper, bytes, status);
  TF_DeleteBuffer(bytes);
}

void CallSequence::run() {
  std::vector<TF_Output> inputs, outputs;
  std::vector<TF_Tensor *> values;
  for (unsigned i = byte() % 3; i > 0; --i) {
    const TF_Output input = pickOutput();
    TF_Tensor *value = pick(tensors);
    if (!input.oper || !value)
      break;
    inputs.push_back(input);
    values.push_back(value);
  }
  for (unsigned i = byte() % 3; i > 0; --i)
    if (const TF_Output output = pickOutput(); output.oper)
      outputs.push_back(output);
  std::vector<TF_Tensor *> results(outputs.size());
  const TF_Operation *target = pick(operations);
  TF_SessionRun(session, nullptr, inputs.data(), values.data(),
                static_cast<int>(inputs.size()), outputs.data(), results.data(),
                static_cast<int>(outputs.size()), &target,
                target && byte() % 2 ? 1 : 0, nullptr, status);
  for (TF_Tensor *result : results) {
    check(result);
    if (result && tensors.size() < 50)
      tensors.push_back(result);
    else
      TF_DeleteTensor(result);
  }
}

void CallSequence::runInParts() {
  const TF_Output input = pickOutput(), output = pickOutput();
  TF_Tensor *value = pick(tensors), *result = nullptr;
  if (!input.oper || !value)
    return;
  const char *handle = nullptr;
  TF_SessionPRunSetup(session, &input, 1, &output, 1, nullptr, 0, &handle,
                      status);
  check(handle);
  if (!handle)
    return;
  TF_SessionPRun(session, handle, &input, &value, 1, &output, &result, 1,
                 nullptr, 0, status);
  check(result);
  TF_DeleteTensor(result);
  TF_DeletePRunHandle(handle);
}

void CallSequence::makeTensor() {
  const TF_DataType type = types[byte() % 10];
  std::vector<int64_t> shape = dims();
  size_t bytes = type == TF_STRING ? 24 : TF_DataTypeSize(type);
  for (int64_t dim : shape)
    bytes *= static_cast<size_t>(dim > 0 && dim < 8 ? dim : 1);
  if (byte() % 8 == 0)
    bytes = byte();
  TF_Tensor *tensor = TF_AllocateTensor(type, shape.data(),
                                        static_cast<int>(shape.size()), bytes);
  if (!tensor)
    return;
  if (type == TF_STRING) {
    auto *strings = static_cast<TF_TString *>(TF_TensorData(tensor));
    for (int64_t i = 0; i < TF_TensorElementCount(tensor); ++i)
      TF_StringCopy(&strings[i], "text", byte() % 5);
  } else if (TF_TensorByteSize(tensor)) {
    std::memset(TF_TensorData(tensor), static_cast<int>(byte() % 3),
                TF_TensorByteSize(tensor));
  }
  if (tensors.size() < 50)
    tensors.push_back(tensor);
  else
    TF_DeleteTensor(tensor);
}

void CallSequence::viewTensor() {
  TF_Tensor *from = pick(tensors), *to = pick(tensors);
  if (!from || !to || TF_TensorType(to) == TF_STRING)
    return;
  const std::vector<int64_t> shape = dims();
  TF_TensorBitcastFrom(from, types[byte() % 10], to, shape.data(),
                       static_cast<int>(shape.size()), status);
  TF_SetShape(to, shape.data(), static_cast<int>(shape.size()));
  TF_TensorMaybeMove(to);
}

void CallSequence::makeEagerOp() {
  if (op)
    TFE_DeleteOp(op);
  op = TFE_NewOp(context, word(), status);
  check(op);
  if (TF_Tensor *tensor = pick(tensors)) {
    TFE_TensorHandle *handle = TFE_NewTensorHandle(tensor, status);
    check(handle);
    if (handle)
      handles.push_back(handle);
  }
}

void CallSequence::execute() {
  if (!op)
    return;
  const char *name = word();
  TFE_OpSetAttrType(op, name, types[byte() % 10]);
  TFE_OpSetAttrInt(op, word(), number());
  for (unsigned i = byte() % 4; i > 0; --i)
    if (TFE_TensorHandle *handle = pick(handles))
      TFE_OpAddInput(op, handle, status);
  TFE_TensorHandle *results[4] = {};
  int count = static_cast<int>(byte() % 5);
  TFE_Execute(op, results, &count, status);
  for (TFE_TensorHandle *handle : results)
    if (handle)
      handles.push_back(handle);
}

bool CallSequence::next() {
  if (data == end)
    return false;
  void (CallSequence::*calls[])() = {
      &CallSequence::describe,     &CallSequence::setAttribute,
      &CallSequence::setAttribute, &CallSequence::setAttribute,
      &CallSequence::finish,       &CallSequence::importNodes,
      &CallSequence::look,         &CallSequence::run,
      &CallSequence::run,          &CallSequence::runInParts,
      &CallSequence::makeTensor,   &CallSequence::makeTensor,
      &CallSequence::viewTensor,   &CallSequence::makeEagerOp,
      &CallSequence::execute,      &CallSequence::execute,
  };
  (this->*calls[byte() % 16])();
  return true;
}

} // namespace kiln
