// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each lowering of ops parses, precompiled once.
#ifndef KILN_CMAKE_PCH_LOWERING_H
#define KILN_CMAKE_PCH_LOWERING_H

#include "cmake/pch/Mlir.h"
#include "lib/Import/LoweringContext.h"
#include "lib/Import/LoweringRegistry.h"

#endif
