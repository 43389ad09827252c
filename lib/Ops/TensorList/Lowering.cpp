// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers ops on TensorLists as those on TensorArrays.
#include "lib/Ops/TensorArray/Lowering.h"
#include "lib/Import/LoweringRegistry.h"

namespace kiln {

void registerTensorListLowerings(LoweringRegistry &registry) {
  for (const char *op :
       {"EmptyTensorList",        "TensorListReserve",
        "TensorListFromTensor",   "TensorListScatter",
        "TensorListScatterV2",    "TensorListSplit",
        "TensorListPushBack",     "TensorListPushBackBatch",
        "TensorListPopBack",      "TensorListGetItem",
        "TensorListSetItem",      "TensorListScatterIntoExistingList",
        "TensorListResize",       "TensorListLength",
        "TensorListElementShape", "TensorListStack",
        "TensorListGather",       "TensorListConcat",
        "TensorListConcatV2",     "TensorListConcatLists"})
    registry.addMoves({{op, lowerSlotOp}});
}

} // namespace kiln
