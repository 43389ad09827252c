// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-lower-strings: strings become the 64-bit handles that buffers hold.
//
// What is left on strings after decompose only moves them, so everything from
// here on works without knowing.
#include "passes/Passes.h"

#include "dialect/Kiln.h"
#include "mlir/IR/AttrTypeSubElements.h"

namespace kiln::passes {
#define GEN_PASS_DEF_KILNLOWERSTRINGS
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;

namespace kiln::passes {
namespace {

struct KilnLowerStringsPass : impl::KilnLowerStringsBase<KilnLowerStringsPass> {
  void runOnOperation() override {
    getOperation()->walk(keepPlaces);
    AttrTypeReplacer replacer;
    replacer.addReplacement([](kiln::ir::StringType type) -> Type {
      return IntegerType::get(type.getContext(), 64);
    });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }

  /// A kernel is told which of its tensors are strings.
  static void keepPlaces(ir::RuntimeCallOp call) {
    SmallVector<int64_t> places;
    for (size_t i = 0; i < call.getTypes().size(); ++i)
      if (isa<ir::StringType>(call.getTensorType(i).getElementType()))
        places.push_back(static_cast<int64_t>(i));
    if (!places.empty())
      call.setStrings(places);
  }
};

} // namespace
} // namespace kiln::passes
