// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on tables, which the session does between parts.
#ifndef KILN_LIB_OPS_TABLE_HOSTTABLES_H
#define KILN_LIB_OPS_TABLE_HOSTTABLES_H

#include "kiln/Node.h"
#include "lib/HostKernels/HostCall.h"
#include "runtime/kernels/BlockingKernel.h"
#include "runtime/resources/LookupTable.h"
#include "runtime/resources/ResourceTable.h"

namespace kiln {

/// The table that a node declares, made on first use. **Errors**, with
/// TensorFlow's texts: INVALID_ARGUMENT for attributes that make no table or do
/// not fit one that is shared; UNIMPLEMENTED for keys that no constants say.
StatusOr<std::shared_ptr<LookupTable>> findTable(const Node &node,
                                                 ResourceUser &resources);

/// Gives a table the entries that the lines of a file say. **Errors**:
/// INVALID_ARGUMENT with TensorFlow's texts, and with the path; as FileReader.
Status initializeFromFile(LookupTable &table, const std::string &path,
                          const Node &node);

} // namespace kiln

#endif // KILN_LIB_OPS_TABLE_HOSTTABLES_H
