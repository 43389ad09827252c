// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel asks for while it is made: the attributes of its node.
#include "capi/KernelContexts.h"

#include "kiln/Messages.h"

#include <algorithm>

using namespace kiln;
using namespace kiln::capi;

namespace {

TF_Operation *operationOf(const TF_OpKernelConstruction *ctx) {
  return kiln::capi::operationOf(&ctx->node);
}

void narrow(int64_t number, const char *name, int32_t &to, TF_Status *status) {
  if (number < INT32_MIN || number > INT32_MAX)
    return setStatus(
        status, invalidArgumentError("Attr " + std::string(name) +
                                     " has value " + std::to_string(number) +
                                     " out of range for an int32"));
  to = static_cast<int32_t>(number);
}

/// The message within an AttrValue that holds nothing but it.
std::string_view withoutTag(std::string_view bytes) {
  size_t at = 1; // the tag of `func`
  while (at < bytes.size() && (static_cast<unsigned char>(bytes[at]) & 0x80))
    ++at;
  return bytes.substr(std::min(at + 1, bytes.size()));
}

} // namespace

void TF_OpKernelConstruction_Failure(TF_OpKernelConstruction *ctx,
                                     TF_Status *status) {
  if (ctx->failure.ok())
    ctx->failure = statusOf(*status);
}

TF_StringView TF_OpKernelConstruction_GetName(TF_OpKernelConstruction *ctx) {
  const std::string &name = ctx->node.name();
  return {name.data(), name.size()};
}

TF_Buffer *TF_OpKernelConstruction_GetNodeDef(TF_OpKernelConstruction *ctx,
                                              TF_Status *status) {
  TF_Buffer *buffer = TF_NewBuffer();
  TF_OperationToNodeDef(operationOf(ctx), buffer, status);
  return buffer;
}

bool TF_OpKernelConstruction_HasAttr(TF_OpKernelConstruction *ctx,
                                     const char *attr_name, TF_Status *status) {
  clearStatus(status);
  return ctx->node.hasAttr(attr_name);
}

void TF_OpKernelConstruction_GetAttrSize(TF_OpKernelConstruction *ctx,
                                         const char *attr_name,
                                         int32_t *list_size,
                                         int32_t *total_size,
                                         TF_Status *status) {
  const TF_AttrMetadata metadata =
      TF_OperationGetAttrMetadata(operationOf(ctx), attr_name, status);
  *list_size = -1;
  *total_size = -1;
  if (status->code != TF_OK)
    return;
  narrow(metadata.list_size, attr_name, *list_size, status);
  narrow(metadata.total_size, attr_name, *total_size, status);
}

void TF_OpKernelConstruction_GetAttrInt32(TF_OpKernelConstruction *ctx,
                                          const char *attr_name, int32_t *val,
                                          TF_Status *status) {
  int64_t number = 0;
  TF_OperationGetAttrInt(operationOf(ctx), attr_name, &number, status);
  if (status->code == TF_OK)
    narrow(number, attr_name, *val, status);
}

void TF_OpKernelConstruction_GetAttrInt32List(TF_OpKernelConstruction *ctx,
                                              const char *attr_name,
                                              int32_t *vals, int max_vals,
                                              TF_Status *status) {
  std::vector<int64_t> numbers(static_cast<size_t>(std::max(max_vals, 0)));
  TF_OperationGetAttrIntList(operationOf(ctx), attr_name, numbers.data(),
                             max_vals, status);
  const auto *known =
      status->code == TF_OK
          ? ctx->node.findAttr(attr_name)->getIf<std::vector<int64_t>>()
          : nullptr;
  const size_t count = known ? std::min(known->size(), numbers.size()) : 0;
  for (size_t i = 0; i < count && status->code == TF_OK; ++i)
    narrow(numbers[i], attr_name, vals[i], status);
}

#define KILN_CAPI_KERNEL_ATTR(name, Given, of)                                 \
  void TF_OpKernelConstruction_GetAttr##name(TF_OpKernelConstruction *ctx,     \
                                             const char *attr_name,            \
                                             Given *val, TF_Status *status) {  \
    TF_OperationGetAttr##of(operationOf(ctx), attr_name, val, status);         \
  }                                                                            \
  void TF_OpKernelConstruction_GetAttr##name##List(                            \
      TF_OpKernelConstruction *ctx, const char *attr_name, Given *vals,        \
      int max_vals, TF_Status *status) {                                       \
    TF_OperationGetAttr##of##List(operationOf(ctx), attr_name, vals, max_vals, \
                                  status);                                     \
  }
KILN_CAPI_KERNEL_ATTR(Int64, int64_t, Int)
KILN_CAPI_KERNEL_ATTR(Float, float, Float)
KILN_CAPI_KERNEL_ATTR(Bool, TF_Bool, Bool)
KILN_CAPI_KERNEL_ATTR(Type, TF_DataType, Type)
KILN_CAPI_KERNEL_ATTR(Tensor, TF_Tensor *, Tensor)
#undef KILN_CAPI_KERNEL_ATTR

void TF_OpKernelConstruction_GetAttrString(TF_OpKernelConstruction *ctx,
                                           const char *attr_name, char *val,
                                           size_t max_length,
                                           TF_Status *status) {
  TF_OperationGetAttrString(operationOf(ctx), attr_name, val, max_length,
                            status);
}

void TF_OpKernelConstruction_GetAttrStringList(TF_OpKernelConstruction *ctx,
                                               const char *attr_name,
                                               char **values, size_t *lengths,
                                               int max_values, void *storage,
                                               size_t storage_size,
                                               TF_Status *status) {
  TF_OperationGetAttrStringList(operationOf(ctx), attr_name,
                                reinterpret_cast<void **>(values), lengths,
                                max_values, storage, storage_size, status);
}

TF_Buffer *TF_OpKernelConstruction_GetAttrFunction(TF_OpKernelConstruction *ctx,
                                                   const char *attr_name,
                                                   TF_Status *status) {
  clearStatus(status);
  StatusOr<const NameAttrList *> function =
      ctx->node.attrRef<NameAttrList>(attr_name);
  StatusOr<std::string> bytes =
      function.ok() ? encodeAttrValue(**function) : function.status();
  if (!bytes.ok()) {
    setStatus(status, bytes.status());
    return nullptr;
  }
  const std::string_view message = withoutTag(*bytes);
  return TF_NewBufferFromString(message.data(), message.size());
}
