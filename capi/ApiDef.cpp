// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_NewApiDefMap ...: how generators of bindings name and document ops.
#include "capi/Handles.h"
#include "kiln/Messages.h"

using namespace kiln;
using namespace kiln::capi;

struct TF_ApiDefMap {
  std::unique_ptr<ApiDefMap> defs;
  std::mutex mutex; ///< guards all
  bool isRead = false;
};

TF_ApiDefMap *TF_NewApiDefMap(TF_Buffer *op_list_buffer, TF_Status *status) {
  clearStatus(status);
  StatusOr<std::unique_ptr<ApiDefMap>> defs =
      makeApiDefMap(bytesOf(op_list_buffer));
  if (defs.ok())
    return new TF_ApiDefMap{.defs = *std::move(defs), .mutex = {}};
  setStatus(status, defs.status().code() == StatusCode::InvalidArgument
                        ? invalidArgumentError("Unparseable OpList")
                        : defs.status());
  return nullptr;
}

void TF_DeleteApiDefMap(TF_ApiDefMap *apimap) { delete apimap; }

void TF_ApiDefMapPut(TF_ApiDefMap *api_def_map, const char *text,
                     size_t text_len, TF_Status *status) {
  clearStatus(status);
  std::lock_guard lock(api_def_map->mutex);
  // TensorFlow writes new names into its texts at the first reading.
  if (api_def_map->isRead)
    return setStatus(status, failedPreconditionError(
                                 "TF_ApiDefMapPut cannot be called after "
                                 "TF_ApiDefMapGet has been called."));
  if (Status error = api_def_map->defs->put({text, text_len}); !error.ok())
    setStatus(status, error);
}

TF_Buffer *TF_ApiDefMapGet(TF_ApiDefMap *api_def_map, const char *name,
                           size_t name_len, TF_Status *status) {
  clearStatus(status);
  std::lock_guard lock(api_def_map->mutex);
  api_def_map->isRead = true;
  StatusOr<std::string> bytes = api_def_map->defs->get({name, name_len});
  if (bytes.ok())
    return TF_NewBufferFromString(bytes->data(), bytes->size());
  // Of an op that is not in the list TensorFlow gives nothing, and no error.
  if (bytes.status().code() != StatusCode::NotFound)
    setStatus(status, bytes.status());
  return nullptr;
}
