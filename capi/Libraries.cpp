// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_LoadLibrary: shared libraries of ops and kernels in C.
#include "capi/Plugins.h"

#include "kiln/Messages.h"

#include <dlfcn.h>

using namespace kiln;
using namespace kiln::capi;

struct TF_Library {
  /// The OpList of the ops that came with it.
  std::string ops;
};

namespace {

/// Loads it and lets it register its kernels. It stays loaded: what it
/// registered points into it.
Status load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return notFoundError(reason ? reason : "unknown error");
  }
  if (void *init = dlsym(library, "TF_InitKernel"))
    reinterpret_cast<void (*)()>(init)();
  return okStatus();
}

} // namespace

TF_Library *TF_LoadLibrary(const char *library_filename, TF_Status *status) {
  clearStatus(status);
  OpCollector collector;
  if (Status error = load(library_filename); !error.ok()) {
    setStatus(status, error);
    return nullptr;
  }
  std::vector<const OpSchema *> ops;
  for (const std::string &name : collector.names)
    ops.push_back(findOpSchema(name));
  StatusOr<std::string> list = encodeOpList(ops);
  if (!list.ok()) {
    setStatus(status, list.status());
    return nullptr;
  }
  return new TF_Library{*std::move(list)};
}

TF_Buffer TF_GetOpList(TF_Library *lib_handle) {
  // The bytes stay the library's.
  return {lib_handle->ops.data(), lib_handle->ops.size(), nullptr};
}

void TF_DeleteLibraryHandle(TF_Library *lib_handle) { delete lib_handle; }
