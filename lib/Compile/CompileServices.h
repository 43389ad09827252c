// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compilations of a session use.
#ifndef KILN_LIB_COMPILE_COMPILESERVICES_H
#define KILN_LIB_COMPILE_COMPILESERVICES_H

#include "lib/Exec/SessionServices.h"

#include <memory>

namespace kiln {

class DiskCache;

/// **Ownership**: borrows the session's. Thread safety: each member's.
struct CompileServices {
  SessionServices &session;
  /// Null where the options name none.
  std::shared_ptr<DiskCache> disk;
};

} // namespace kiln

#endif // KILN_LIB_COMPILE_COMPILESERVICES_H
