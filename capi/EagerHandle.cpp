// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TFE_TensorHandle: tensors that eager ops take and give.
#include "capi/Eager.h"

using namespace kiln;
using namespace kiln::capi;

namespace {

// What TF_DeviceList names first.
const std::string deviceName(localDevice);

Status checkHandle(const TFE_TensorHandle *handle) {
  return handle ? okStatus() : invalidArgumentError("Invalid handle");
}

/// The shape; a resource is a scalar.
const Shape &shapeOf(const TFE_TensorHandle &handle) {
  return handle.value.shape();
}

template <class T, class Work>
T withHandle(const TFE_TensorHandle *handle, TF_Status *status, T otherwise,
             Work work) {
  clearStatus(status);
  const Status valid = checkHandle(handle);
  if (valid.ok())
    return work(*handle);
  setStatus(status, valid);
  return otherwise;
}

} // namespace

TFE_TensorHandle *TFE_NewTensorHandle(const TF_Tensor *t, TF_Status *status) {
  clearStatus(status);
  if (!t) {
    setStatus(status, invalidArgumentError("Invalid tensor"));
    return nullptr;
  }
  StatusOr<Tensor> value = valueOf(*const_cast<TF_Tensor *>(t));
  if (!value.ok()) {
    setStatus(status, value.status());
    return nullptr;
  }
  return new TFE_TensorHandle{TF_TensorType(t), *std::move(value), {}, {}};
}

void TFE_DeleteTensorHandle(TFE_TensorHandle *h) { delete h; }

TF_DataType TFE_TensorHandleDataType(TFE_TensorHandle *h) { return h->type; }

int TFE_TensorHandleNumDims(TFE_TensorHandle *h, TF_Status *status) {
  return withHandle(h, status, -1, [](const TFE_TensorHandle &handle) {
    return shapeOf(handle).rank();
  });
}

int64_t TFE_TensorHandleNumElements(TFE_TensorHandle *h, TF_Status *status) {
  return withHandle(h, status, int64_t{-1}, [](const TFE_TensorHandle &handle) {
    return shapeOf(handle).numElements().valueOr(-1);
  });
}

int64_t TFE_TensorHandleDim(TFE_TensorHandle *h, int dim_index,
                            TF_Status *status) {
  return withHandle(
      h, status, int64_t{-1}, [&](const TFE_TensorHandle &handle) -> int64_t {
        if (dim_index >= 0 && dim_index < shapeOf(handle).rank())
          return shapeOf(handle).dim(dim_index);
        setStatus(status,
                  invalidArgumentError("expected a dimension below " +
                                       std::to_string(shapeOf(handle).rank()) +
                                       ", got " + std::to_string(dim_index)));
        return -1;
      });
}

const char *TFE_TensorHandleDeviceName(TFE_TensorHandle *h, TF_Status *status) {
  return withHandle(
      h, status, static_cast<const char *>(nullptr),
      [](const TFE_TensorHandle &) { return deviceName.c_str(); });
}

const char *TFE_TensorHandleBackingDeviceName(TFE_TensorHandle *h,
                                              TF_Status *status) {
  return TFE_TensorHandleDeviceName(h, status);
}

TFE_TensorHandle *TFE_TensorHandleCopySharingTensor(TFE_TensorHandle *h,
                                                    TF_Status *status) {
  return withHandle(h, status, static_cast<TFE_TensorHandle *>(nullptr),
                    [](const TFE_TensorHandle &handle) {
                      return new TFE_TensorHandle(handle);
                    });
}

TF_Tensor *TFE_TensorHandleResolve(TFE_TensorHandle *h, TF_Status *status) {
  return withHandle(
      h, status, static_cast<TF_Tensor *>(nullptr),
      [&](const TFE_TensorHandle &handle) -> TF_Tensor * {
        if (handle.value.isValid())
          return tensorOf(handle.value);
        setStatus(status,
                  unimplementedError("TFE_TensorHandleResolve of a resource "
                                     "or variant is not implemented in Kiln"));
        return nullptr;
      });
}

TFE_TensorHandle *TFE_TensorHandleCopyToDevice(TFE_TensorHandle *h,
                                               TFE_Context *ctx,
                                               const char *device_name,
                                               TF_Status *status) {
  TFE_TensorHandle *copy = TFE_TensorHandleCopySharingTensor(h, status);
  TF_Status *listed = TF_NewStatus();
  TF_DeviceList *devices = TFE_ContextListDevices(ctx, listed);
  bool isKnown = !device_name || !*device_name;
  // "CPU:0" and "/device:CPU:0" mean what ends with them.
  const std::string wanted = device_name ? device_name : "";
  for (int i = 0; i < TF_DeviceListCount(devices); ++i)
    isKnown |=
        std::string(TF_DeviceListName(devices, i, listed)).ends_with(wanted) ||
        wanted == "/cpu:" + std::to_string(i);
  TF_DeleteDeviceList(devices);
  TF_DeleteStatus(listed);
  if (isKnown || !copy)
    return copy;
  TFE_DeleteTensorHandle(copy);
  setStatus(status, invalidArgumentError(wanted + " unknown device."));
  return nullptr;
}
