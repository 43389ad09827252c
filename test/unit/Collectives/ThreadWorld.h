// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that are threads of one process: a transport for tests, in which they
// read each other's memory.
#ifndef KILN_TEST_UNIT_COLLECTIVES_THREADWORLD_H
#define KILN_TEST_UNIT_COLLECTIVES_THREADWORLD_H

#include "kiln/Communicator.h"

#include <functional>
#include <memory>
#include <vector>

namespace kiln::testing {

/// The ends of a group of `size` ranks.
std::vector<KilnTransport *> makeThreadWorld(int size);

/// Calls fn(rank, communicator) in a thread for each rank; the communicators
/// end together behind it.
void asRanks(int size, CommunicatorOptions options,
             const std::function<void(int, std::shared_ptr<Communicator>)> &fn);

} // namespace kiln::testing

#endif // KILN_TEST_UNIT_COLLECTIVES_THREADWORLD_H
