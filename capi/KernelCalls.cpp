// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a running kernel asks for: inputs, outputs, memory, its node.
#include "capi/KernelContexts.h"
#include "tensorflow/c/tf_tstring.h"

#include <optional>

using namespace kiln;
using namespace kiln::capi;

namespace kiln::capi {

bool checkIndex(int i, size_t count, const char *what, TF_Status *status) {
  clearStatus(status);
  if (i >= 0 && static_cast<size_t>(i) < count)
    return true;
  setStatus(status, outOfRangeError(std::string(what) + " index out of range"));
  return false;
}

std::unique_ptr<TF_Tensor> shared(const TF_Tensor &tensor) {
  auto other = std::make_unique<TF_Tensor>();
  other->type = tensor.type;
  other->shape = tensor.shape;
  other->memory = tensor.memory;
  other->value = tensor.value;
  return other;
}

Status statusOf(const TF_Status &status) {
  return Status(static_cast<StatusCode>(status.code), status.message);
}

} // namespace kiln::capi

namespace {

TF_StringView viewOf(const std::string &text) {
  return {text.data(), text.size()};
}

/// Bytes of a tensor's memory; nothing where there cannot be so many.
std::optional<size_t> bytesOf(TF_DataType dtype, const int64_t *dims,
                              int rank) {
  size_t bytes =
      dtype == TF_STRING ? sizeof(TF_TString) : TF_DataTypeSize(dtype);
  for (int i = 0; i < rank; ++i)
    if (dims[i] < 0 ||
        __builtin_mul_overflow(bytes, static_cast<size_t>(dims[i]), &bytes))
      return {};
  return bytes;
}

/// Where the tensors of an argument begin and end among inputs.
struct Range {
  int start = -1, stop = -1;
};
Range rangeOf(const KernelNode &node, std::string_view argName) {
  const OpSchema *op = findOpSchema(node.spec.op);
  int at = 0;
  for (const OpArgument &arg : op ? op->inputs : std::vector<OpArgument>()) {
    int length = 1;
    const AttrValue *value = node.spec.attrs.find(
        arg.typeListAttr.empty() ? arg.numberAttr : arg.typeListAttr);
    if (!arg.numberAttr.empty()) {
      const auto *number = value ? value->getIf<int64_t>() : nullptr;
      length = number ? static_cast<int>(*number) : 0;
    } else if (!arg.typeListAttr.empty()) {
      const auto *types = value ? value->getIf<std::vector<DType>>() : nullptr;
      length = types ? static_cast<int>(types->size()) : 0;
    }
    if (arg.name == argName)
      return {at, at + length};
    at += length;
  }
  return {};
}

} // namespace

int TF_NumInputs(TF_OpKernelContext *ctx) {
  return static_cast<int>(ctx->inputs.size());
}

int TF_NumOutputs(TF_OpKernelContext *ctx) {
  return static_cast<int>(ctx->outputs.size());
}

void TF_GetInput(TF_OpKernelContext *ctx, int i, TF_Tensor **tensor,
                 TF_Status *status) {
  *tensor = nullptr;
  if (checkIndex(i, ctx->inputs.size(), "input", status))
    *tensor = tensorOf(ctx->inputs[static_cast<size_t>(i)]);
}

void TF_InputRange(TF_OpKernelContext *ctx, const char *name,
                   TF_InputRange_Args *args) {
  clearStatus(args->status);
  const Range range = rangeOf(ctx->node, name);
  args->start = range.start;
  args->stop = range.stop;
  if (range.start < 0)
    setStatus(args->status,
              invalidArgumentError("Unknown input name: " + std::string(name)));
}

TF_DataType TF_InputDatatype(TF_OpKernelContext *ctx, int index) {
  const auto &types = ctx->node.inputs;
  return index >= 0 && static_cast<size_t>(index) < types.size()
             ? static_cast<TF_DataType>(types[static_cast<size_t>(index)])
             : static_cast<TF_DataType>(0);
}

TF_DataType TF_ExpectedOutputDataType(TF_OpKernelContext *ctx, int i) {
  const auto &types = ctx->node.outputs;
  return i >= 0 && static_cast<size_t>(i) < types.size()
             ? static_cast<TF_DataType>(types[static_cast<size_t>(i)])
             : static_cast<TF_DataType>(0);
}

void TF_SetOutput(TF_OpKernelContext *ctx, int i, const TF_Tensor *tensor,
                  TF_Status *status) {
  if (checkIndex(i, ctx->outputs.size(), "output", status))
    ctx->outputs[static_cast<size_t>(i)] = shared(*tensor);
}

TF_Tensor *TF_GetMutableOutput(TF_OpKernelContext *ctx, int i,
                               TF_Status *status) {
  if (!checkIndex(i, ctx->outputs.size(), "output", status))
    return nullptr;
  const auto &output = ctx->outputs[static_cast<size_t>(i)];
  return output ? shared(*output).release() : nullptr;
}

void TF_OpKernelContext_Failure(TF_OpKernelContext *ctx, TF_Status *status) {
  if (ctx->failure.ok())
    ctx->failure = statusOf(*status);
}

TF_Tensor *TF_AllocateOutput(TF_OpKernelContext *context, int index,
                             TF_DataType dtype, const int64_t *dims,
                             int num_dims, size_t len, TF_Status *status) {
  if (!checkIndex(index, context->outputs.size(), "output", status))
    return nullptr;
  TF_Tensor *tensor = TF_AllocateTensor(dtype, dims, num_dims, len);
  if (!tensor) {
    setStatus(status, resourceExhaustedError("Unable to allocate output " +
                                             std::to_string(index)));
    return nullptr;
  }
  context->outputs[static_cast<size_t>(index)] = shared(*tensor);
  return tensor;
}

TF_Tensor *TF_ForwardInputOrAllocateOutput(TF_OpKernelContext *context,
                                           const int *, int, int output_index,
                                           const int64_t *output_dims,
                                           int output_num_dims,
                                           int *forwarded_input,
                                           TF_Status *status) {
  // Inputs may be the run's own memory, which others read after this kernel.
  if (forwarded_input)
    *forwarded_input = -1;
  const TF_DataType dtype = TF_ExpectedOutputDataType(context, output_index);
  const size_t bytes =
      bytesOf(dtype, output_dims, output_num_dims).value_or(SIZE_MAX);
  return TF_AllocateOutput(context, output_index, dtype, output_dims,
                           output_num_dims, bytes, status);
}

TF_Tensor *TF_AllocateTemp(TF_OpKernelContext *, TF_DataType dtype,
                           const int64_t *dims, int num_dims,
                           TF_AllocatorAttributes *, TF_Status *status) {
  clearStatus(status);
  TF_Tensor *tensor = TF_AllocateTensor(
      dtype, dims, num_dims, bytesOf(dtype, dims, num_dims).value_or(SIZE_MAX));
  if (!tensor)
    setStatus(status, resourceExhaustedError("Unable to allocate a tensor"));
  return tensor;
}

TF_StringView TF_GetOpKernelName(TF_OpKernelContext *ctx) {
  return viewOf(ctx->node.spec.name);
}

TF_StringView TF_GetOpKernelRequestedInput(TF_OpKernelContext *ctx,
                                           size_t index) {
  const auto &inputs = ctx->node.spec.inputs;
  const auto *name = index < inputs.size()
                         ? std::get_if<std::string>(&inputs[index])
                         : nullptr;
  return name ? viewOf(*name) : TF_StringView{"", 0};
}

TF_StringView TF_GetDeviceName(TF_OpKernelContext *) {
  return {localDevice.data(), localDevice.size()};
}

bool TF_IsHostMemoryInput(TF_OpKernelContext *ctx, int i, TF_Status *status) {
  return checkIndex(i, ctx->inputs.size(), "input", status);
}

bool TF_IsHostMemoryOutput(TF_OpKernelContext *ctx, int i, TF_Status *status) {
  return checkIndex(i, ctx->outputs.size(), "output", status);
}

int TF_GetGraphDefVersion(TF_OpKernelContext *) {
  return GraphVersions::newest;
}
