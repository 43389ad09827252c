// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nearly every tool and example parses, precompiled once.
#ifndef KILN_CMAKE_PCH_PROGRAM_H
#define KILN_CMAKE_PCH_PROGRAM_H

#include "cmake/pch/Std.h"
#include "kiln/Session.h"

#endif
