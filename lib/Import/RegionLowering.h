// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes calls, branches and loops.
#ifndef KILN_LIB_IMPORT_REGIONLOWERING_H
#define KILN_LIB_IMPORT_REGIONLOWERING_H

#include "lib/Import/LoweringContext.h"

#include <functional>

namespace kiln {

/// Writes the items that have blocks: calls in place, branches as kiln.if,
/// loops as kiln.while. Tensors that are handles or do not change from
/// iteration to iteration are used from around the region instead of being
/// carried.
///
/// Ownership: borrows the state for one item. Thread safety: none.
class RegionLowering {
public:
  /// Writes the block, at the builder's place.
  using BlockFn = std::function<Status(const Block &)>;
  /// Demands a tensor that native code can hold.
  using CheckFn =
      std::function<Status(const Output &tensor, std::string_view what)>;

  RegionLowering(ImportState &state, BlockFn lowerBlock, CheckFn check)
      : state(state), lowerBlock(std::move(lowerBlock)),
        check(std::move(check)) {}

  /// **Errors**: those of the blocks; UNIMPLEMENTED for what cannot be carried.
  Status lower(const Item &item);

private:
  Status lowerFail(const Item &item);
  Status lowerCall(const Item &item, const Block &block);
  Status lowerIf(const Item &item);
  /// Results that are handles of variables: both branches give the same one.
  Status forwardVariables(const Item &item);
  Status lowerWhile(const Item &item);
  void bindArgs(const Item &item, const Block &block);
  /// Demands what TensorFlow takes for the condition of an item.
  Status checkCondition(const Item &item, const Output &condition);
  /// A scalar as the condition of a branch.
  StatusOr<Value> condition(const Item &item);
  Value truth(const Output &tensor);
  /// The tensors as values of these types at the builder's place, which bind
  /// the item's own dimensions.
  std::vector<Value> values(const std::vector<PlanValue> &tensors,
                            mlir::TypeRange types);
  mlir::Type typeOf(const Output &tensor);
  /// The slot of a TensorArray, a stack or a list, which inference follows; -1
  /// for all else.
  int slotOf(const Output &tensor) const {
    return state.inference.slotOf(state.inference.info(tensor));
  }
  bool isSlot(const Output &tensor) const { return slotOf(tensor) >= 0; }
  bool isList(const Output &tensor) const {
    return state.inference.info(tensor).dtype == DType::Variant &&
           isSlot(tensor);
  }
  struct SlotMove {
    int from, to;
    bool copies; ///< a list; a handle means the same array then
  };
  /// The values of a loop that its blocks pass on, by their numbers.
  struct LoopValues {
    std::vector<size_t> carried;   ///< from iteration to iteration
    std::vector<size_t> forwarded; ///< from the first block to the body
    llvm::SmallVector<mlir::Type> carriedTypes, forwardedTypes;
    std::vector<size_t> slots;
    llvm::SmallVector<SlotMove> entering; ///< of these slots
  };
  Status findCarried(const Item &item, LoopValues &values);
  Status findForwarded(const Item &item, LoopValues &values);
  Status lowerTest(const Item &item, const LoopValues &values,
                   mlir::Block &block);
  Status lowerBody(const Item &item, const LoopValues &values,
                   mlir::Block &block);
  /// Puts slots where they are looked for, all at once. `keeps`: the next
  /// iteration may make an array like one of them, which must stay what it is.
  void moveSlots(const Item &item, llvm::SmallVector<SlotMove> moves,
                 bool keeps = false);
  std::string reader() const { return name; }

  ImportState &state;
  BlockFn lowerBlock;
  CheckFn check;
  std::string name;
  llvm::SmallVector<int64_t> ownDims; ///< that the item binds
};

} // namespace kiln

#endif // KILN_LIB_IMPORT_REGIONLOWERING_H
