// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries of ops. They can register ops and kernels by TensorFlow's C
// functions; those in C++ want TensorFlow's own symbols, and do not load.
#include "capi/Handles.h"

#include <dlfcn.h>

using namespace kiln;
using namespace kiln::capi;

struct TF_Library {
  void *handle;
};

TF_Library *TF_LoadLibrary(const char *library_filename, TF_Status *status) {
  clearStatus(status);
  void *handle = dlopen(library_filename, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *text = dlerror();
    setStatus(status, notFoundError(text ? text : library_filename));
    return nullptr;
  }
  return new TF_Library{handle};
}

// What the library registered stays, and so does its code.
void TF_DeleteLibraryHandle(TF_Library *lib_handle) { delete lib_handle; }
