// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of libkiln-io.so as a table between the two shared libraries.
#ifndef KILN_CMAKE_PACKAGE_IOFUNCTIONS_H
#define KILN_CMAKE_PACKAGE_IOFUNCTIONS_H

#include "kiln/FunctionSpec.h"
#include "kiln/GraphDef.h"
#include "kiln/Messages.h"
#include "lib/HostKernels/HostCall.h"
#include "lib/IO/Formats.h"
#include "lib/Ops/Files/HostRecordSource.h"
#include "lib/Ops/Pipeline/HostElementFile.h"

namespace kiln {

/// What libkiln-io.so gives; both libraries come from one build.
struct IoFunctions {
#define KILN_MODULE_FUNCTION(result, name, parameters, arguments)              \
  decltype(&kiln::name) name;
#define KILN_MODULE_BODY(name) HostOpFn name;
#include "cmake/package/Module.def"
};

} // namespace kiln

/// The only symbol of libkiln-io.so. Takes makeNodeChecker() of libkiln.so,
/// which knows the ops that programs register.
extern "C" [[gnu::visibility("default")]] const kiln::IoFunctions *
    kilnIoFunctions(kiln::NodeChecker (*makeChecker)());

#endif // KILN_CMAKE_PACKAGE_IOFUNCTIONS_H
