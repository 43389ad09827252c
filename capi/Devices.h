// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is behind TF_DeviceList, for sessions and for eager contexts.
#ifndef KILN_CAPI_DEVICES_H
#define KILN_CAPI_DEVICES_H

#include "kiln/SessionOptions.h"
#include "tensorflow/c/c_api.h"

#include <string>
#include <vector>

struct TF_DeviceList {
  std::vector<std::string> names;
};

namespace kiln::capi {

TF_DeviceList *listDevices(const SessionOptions &options);

} // namespace kiln::capi

#endif // KILN_CAPI_DEVICES_H
