// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libkiln-io.so: lib/IO and the host kernels that need it, behind one function.
#include "cmake/package/IoFunctions.h"

#include "lib/IO/GraphCodec.h"
#include "lib/Ops/Checkpoint/Host.h"
#include "lib/Ops/Files/Host.h"
#include "lib/Ops/Media/Host.h"
#include "lib/Ops/Parsing/Host.h"
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Strings/Host.h"
#include "lib/Ops/Summary/Host.h"

const kiln::IoFunctions *kilnIoFunctions(kiln::NodeChecker (*makeChecker)()) {
  kiln::io::makeDefaultChecker = makeChecker;
  static constexpr kiln::IoFunctions functions = {
#define KILN_MODULE_FUNCTION(result, name, parameters, arguments)              \
  .name = kiln::name,
#define KILN_MODULE_BODY(name) .name = kiln::host::name,
#include "cmake/package/Module.def"
  };
  return &functions;
}
