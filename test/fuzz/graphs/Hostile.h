// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feeds that a program does not expect.
#ifndef KILN_TEST_FUZZ_GRAPHS_HOSTILE_H
#define KILN_TEST_FUZZ_GRAPHS_HOSTILE_H

#include "test/fuzz/graphs/Maker.h"

namespace kiln::fuzz {

/// One of the program's sets, changed within what its placeholders allow: an
/// extent that is another one, in every feed or in one; nothing, or one
/// element; NaN, infinities, and integers that are no sizes and no indices.
Feeds hostileFeeds(Maker &maker);

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_HOSTILE_H
