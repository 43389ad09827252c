// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nearly every unit test parses, precompiled once.
#ifndef KILN_CMAKE_PCH_TEST_H
#define KILN_CMAKE_PCH_TEST_H

#include "cmake/pch/Std.h"
#include "kiln/Session.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/TemporaryFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#endif
