// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of op families.
#ifndef KILN_LIB_OPS_FAMILIES_H
#define KILN_LIB_OPS_FAMILIES_H

#include "lib/Ops/OpDef.h"

namespace kiln {

struct OpFamily {
  std::string_view name;
  std::string_view purpose;
  std::span<const OpRecord> records;
};

OpFamily arrayFamily();
OpFamily controlFlowFamily();
OpFamily convolutionFamily();
OpFamily dataFamily();
OpFamily imageFamily();
OpFamily indexingFamily();
OpFamily layoutFamily();
OpFamily linalgFamily();
OpFamily loggingFamily();
OpFamily mathFamily();
OpFamily normalizationFamily();
OpFamily poolingFamily();
OpFamily queueFamily();
OpFamily randomFamily();
OpFamily reductionFamily();
OpFamily selectionFamily();
OpFamily sparseTrainingFamily();
OpFamily stateFamily();
OpFamily stringsFamily();
OpFamily tensorArrayFamily();
OpFamily tensorListFamily();

} // namespace kiln

#endif // KILN_LIB_OPS_FAMILIES_H
