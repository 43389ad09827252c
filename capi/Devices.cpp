// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_DeviceList: the CPUs that a session has.
#include "capi/Devices.h"
#include "capi/Sessions.h"

using namespace kiln;
using namespace kiln::capi;

namespace kiln::capi {

TF_DeviceList *listDevices(const SessionOptions &options) {
  auto list = std::make_unique<TF_DeviceList>();
  const std::string_view first = localDevice;
  for (int i = 0; i < options.cpuDevices; ++i)
    list->names.push_back(std::string(first.substr(0, first.size() - 1)) +
                          std::to_string(i));
  return list.release();
}

} // namespace kiln::capi

TF_DeviceList *TF_SessionListDevices(TF_Session *session, TF_Status *status) {
  clearStatus(status);
  return listDevices(session->handle->session->options());
}

void TF_DeleteDeviceList(TF_DeviceList *list) { delete list; }

int TF_DeviceListCount(const TF_DeviceList *list) {
  return static_cast<int>(list->names.size());
}

namespace {

bool hasDevice(const TF_DeviceList *list, int index, TF_Status *status) {
  clearStatus(status);
  if (list && index >= 0 && index < TF_DeviceListCount(list))
    return true;
  setStatus(status, invalidArgumentError(list ? "index out of bounds"
                                              : "list is null!"));
  return false;
}

} // namespace

const char *TF_DeviceListName(const TF_DeviceList *list, int index,
                              TF_Status *status) {
  return hasDevice(list, index, status)
             ? list->names[static_cast<size_t>(index)].c_str()
             : nullptr;
}

const char *TF_DeviceListType(const TF_DeviceList *list, int index,
                              TF_Status *status) {
  return hasDevice(list, index, status) ? "CPU" : nullptr;
}

// What TensorFlow says of a CPU, whatever the machine has.
int64_t TF_DeviceListMemoryBytes(const TF_DeviceList *list, int index,
                                 TF_Status *status) {
  return hasDevice(list, index, status) ? int64_t{256} << 20 : -1;
}

uint64_t TF_DeviceListIncarnation(const TF_DeviceList *list, int index,
                                  TF_Status *status) {
  // Not 0: that would be an unknown one. The process has one incarnation.
  return hasDevice(list, index, status) ? static_cast<uint64_t>(index) + 1 : 0;
}
