// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_SessionOptions, from ConfigProto messages.
#include "capi/Sessions.h"

using namespace kiln;
using namespace kiln::capi;

TF_SessionOptions *TF_NewSessionOptions(void) { return new TF_SessionOptions; }

void TF_DeleteSessionOptions(TF_SessionOptions *options) { delete options; }

void TF_SetTarget(TF_SessionOptions *options, const char *target) {
  options->target = target;
}

void TF_SetConfig(TF_SessionOptions *options, const void *proto,
                  size_t proto_len, TF_Status *status) {
  clearStatus(status);
  StatusOr<SessionConfig> config =
      decodeConfigProto({static_cast<const char *>(proto), proto_len});
  if (config.ok())
    options->config = *std::move(config);
  else if (config.status().code() == StatusCode::InvalidArgument)
    setStatus(status, invalidArgumentError("Unparseable ConfigProto"));
  else
    setStatus(status, config.status());
}
