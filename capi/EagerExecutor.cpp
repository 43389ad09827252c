// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs ask of eager execution that here is always so: ops are done
// when they return, in the memory of the host.
#include "capi/Eager.h"
#include "kiln/Messages.h"
#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/eager/c_api_experimental.h"

#include <cstring>

using namespace kiln;
using namespace kiln::capi;

struct TFE_Executor {
  bool isAsync = false;
};

struct TFE_TensorDebugInfo {
  Shape shape;
};

TFE_Executor *TFE_NewExecutor(bool is_async, bool, int) {
  return new TFE_Executor{is_async};
}

void TFE_DeleteExecutor(TFE_Executor *executor) { delete executor; }

bool TFE_ExecutorIsAsync(TFE_Executor *executor) { return executor->isAsync; }

void TFE_ExecutorWaitForAllPendingNodes(TFE_Executor *, TF_Status *status) {
  clearStatus(status);
}

void TFE_ExecutorClearError(TFE_Executor *) {}

void TFE_ContextSetExecutorForThread(TFE_Context *, TFE_Executor *) {}

TFE_Executor *TFE_ContextGetExecutorForThread(TFE_Context *) {
  return new TFE_Executor;
}

void TFE_ContextAsyncWait(TFE_Context *, TF_Status *status) {
  clearStatus(status);
}

// There is one place where nodes can be.
void TFE_ContextSetLogDevicePlacement(TFE_Context *, unsigned char,
                                      TF_Status *status) {
  clearStatus(status);
}

void TFE_ContextSetSoftDevicePlacement(TFE_Context *, unsigned char,
                                       TF_Status *status) {
  clearStatus(status);
}

// All ops are compiled or evaluated as Kiln's sessions choose.
void TFE_ContextSetRunEagerOpAsFunction(TFE_Context *, unsigned char,
                                        TF_Status *status) {
  clearStatus(status);
}

void TFE_ContextSetJitCompileRewrite(TFE_Context *, unsigned char,
                                     TF_Status *status) {
  clearStatus(status);
}

void TFE_ContextOptionsSetTfrt(TFE_ContextOptions *, bool) {}

bool TFE_IsCustomDevice(TFE_Context *, const char *) { return false; }

uint64_t TFE_GetContextId(TFE_Context *ctx) {
  return reinterpret_cast<uint64_t>(ctx);
}

void TFE_HostAddressSpace(TFE_Context *, TF_Buffer *buf) {
  // The device's name without the device.
  setBuffer(buf, localDevice.substr(0, localDevice.rfind('/')));
}

const char *TFE_TensorHandleDeviceType(TFE_TensorHandle *h, TF_Status *status) {
  return TFE_TensorHandleDeviceName(h, status) ? "CPU" : nullptr;
}

int TFE_TensorHandleDeviceID(TFE_TensorHandle *h, TF_Status *status) {
  return TFE_TensorHandleDeviceName(h, status) ? 0 : -1;
}

void TFE_TensorHandleGetStatus(TFE_TensorHandle *, TF_Status *status) {
  clearStatus(status);
}

void *TFE_TensorHandleDevicePointer(TFE_TensorHandle *h, TF_Status *status) {
  return TFE_TensorHandleDeviceName(h, status)
             ? const_cast<void *>(h->value.rawData())
             : nullptr;
}

size_t TFE_TensorHandleDeviceMemorySize(TFE_TensorHandle *h,
                                        TF_Status *status) {
  return TFE_TensorHandleDeviceName(h, status)
             ? static_cast<size_t>(h->value.byteSize())
             : 0;
}

TF_Tensor *TFE_AllocateHostTensor(TFE_Context *, TF_DataType dtype,
                                  const int64_t *dims, int num_dims,
                                  TF_Status *status) {
  clearStatus(status);
  const auto made = Tensor::zeros(
      static_cast<DType>(dtype),
      Shape(std::span(dims, static_cast<size_t>(std::max(num_dims, 0)))));
  if (made.ok())
    return tensorOf(*made);
  setStatus(status, made.status());
  return nullptr;
}

TFE_TensorHandle *TFE_NewTensorHandleFromScalar(TF_DataType data_type,
                                                void *data, size_t len,
                                                TF_Status *status) {
  clearStatus(status);
  StatusOr<Tensor> value = Tensor::create(static_cast<DType>(data_type), {});
  if (value.ok() && (data_type == TF_STRING || value->byteSize() != len))
    value = invalidArgumentError("expected a scalar of " +
                                 std::to_string(TF_DataTypeSize(data_type)) +
                                 " bytes, got " + std::to_string(len));
  if (!value.ok()) {
    setStatus(status, value.status());
    return nullptr;
  }
  std::memcpy(value->mutableRawData(), data, len);
  return new TFE_TensorHandle{data_type, *std::move(value), {}, {}};
}

TFE_TensorDebugInfo *TFE_TensorHandleTensorDebugInfo(TFE_TensorHandle *h,
                                                     TF_Status *status) {
  return TFE_TensorHandleDeviceName(h, status)
             ? new TFE_TensorDebugInfo{h->value.shape()}
             : nullptr;
}

void TFE_DeleteTensorDebugInfo(TFE_TensorDebugInfo *debug_info) {
  delete debug_info;
}

int TFE_TensorDebugInfoOnDeviceNumDims(TFE_TensorDebugInfo *debug_info) {
  return debug_info->shape.rank();
}

int64_t TFE_TensorDebugInfoOnDeviceDim(TFE_TensorDebugInfo *debug_info,
                                       int dim_index) {
  return debug_info->shape.dim(dim_index);
}

void TFE_OpReset(TFE_Op *op_to_reset, const char *op_or_function_name,
                 const char *raw_device_name, TF_Status *status) {
  TFE_Context &context = op_to_reset->context;
  // A name that is no op's leaves the op as it was.
  TFE_Op *probe = TFE_NewOp(&context, op_or_function_name, status);
  if (!probe)
    return;
  TFE_DeleteOp(probe);
  const std::string name = op_or_function_name;
  const std::string device = raw_device_name ? raw_device_name : "";
  std::destroy_at(op_to_reset);
  std::construct_at(op_to_reset, context, name.c_str());
  TFE_OpSetDevice(op_to_reset, device.c_str(), status);
}

void TFE_OpSetAttrValueProto(const TFE_Op *op, const char *attr_name,
                             const void *proto, size_t proto_len,
                             TF_Status *status) {
  clearStatus(status);
  StatusOr<AttrValue> value =
      decodeAttrValue({static_cast<const char *>(proto), proto_len});
  if (!value.ok())
    return setStatus(status,
                     value.status().code() == StatusCode::InvalidArgument
                         ? invalidArgumentError("Unparseable AttrValue proto")
                         : value.status());
  auto &description = const_cast<TFE_Op *>(op)->description;
  if (!description.spec.attrs.find(attr_name))
    description.setAttr(attr_name, *std::move(value));
}
