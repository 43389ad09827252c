// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In libkiln.so, each function of Module.def loads libkiln-io.so when one of
// them is first called, and says so where that cannot be loaded.
//
// A process may hold another protobuf with all of its symbols global, as
// TensorFlow's. RTLD_DEEPBIND lets the module and Debian's libprotobuf.so see
// each other first; linked in the ordinary way they met TensorFlow's symbols
// and died (cmake/package/README.md).
#include "cmake/package/IoFunctions.h"

#include <dlfcn.h>

namespace kiln {
namespace {

/// A sanitizer in the program ends it at RTLD_DEEPBIND.
bool hasSanitizer() {
  for (const char *name :
       {"__asan_init", "__hwasan_init", "__msan_init", "__tsan_init"})
    if (dlsym(RTLD_DEFAULT, name))
      return true;
  return false;
}

/// Beside this library. A search would go by the run path of whoever calls
/// dlopen, and that is a sanitizer's library where it has put itself between.
std::string modulePath() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&modulePath), &info) == 0)
    return KILN_IO_MODULE;
  std::string_view library = info.dli_fname;
  return std::string(library.substr(0, library.rfind('/') + 1)) +
         KILN_IO_MODULE;
}

StatusOr<const IoFunctions *> loadModule() {
  void *module =
      dlopen(modulePath().c_str(),
             RTLD_NOW | RTLD_LOCAL | (hasSanitizer() ? 0 : RTLD_DEEPBIND));
  void *entry = module ? dlsym(module, "kilnIoFunctions") : nullptr;
  if (!entry) {
    const char *reason = dlerror();
    return failedPreconditionError(
        std::string("loading " KILN_IO_MODULE ": ") +
        (reason ? reason : "kilnIoFunctions is null"));
  }
  return reinterpret_cast<decltype(&kilnIoFunctions)>(entry)(makeNodeChecker);
}

const StatusOr<const IoFunctions *> &ioFunctions() {
  static const StatusOr<const IoFunctions *> functions = loadModule();
  return functions;
}

} // namespace

#define KILN_MODULE_FUNCTION(result, name, parameters, arguments)              \
  result name parameters {                                                     \
    if (!ioFunctions().ok())                                                   \
      return ioFunctions().status();                                           \
    return (*ioFunctions())->name arguments;                                   \
  }
#include "cmake/package/Module.def"

namespace host {
#define KILN_MODULE_BODY(name)                                                 \
  Status name(const HostCall &call) {                                          \
    return ioFunctions().ok() ? (*ioFunctions())->name(call)                   \
                              : ioFunctions().status();                        \
  }
#include "cmake/package/Module.def"
} // namespace host

} // namespace kiln
