// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tests of passes and of native code parse, precompiled once.
#ifndef KILN_CMAKE_PCH_TESTMLIR_H
#define KILN_CMAKE_PCH_TESTMLIR_H

#include "cmake/pch/Mlir.h"
#include "cmake/pch/Test.h"

#endif
