// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which values live for a block alone, and gives memory to values by
// how long they live.
#include "lib/Eval/SliceLayout.h"

using namespace mlir;

namespace kiln::eval {
namespace {

/// Whether the output may be written as soon as it is made: nobody reads the
/// old rows of its variable later.
bool mayBePlaced(const SlicePlan &plan, const SliceGroup::Output &output) {
  if (output.variable < 0)
    return true;
  auto isOld = [&](Value operand) {
    return llvm::any_of(plan.inputs, [&](const SliceGroup::Input &input) {
      return input.value == operand &&
             plan.outside.contents(operand).variable == output.variable;
    });
  };
  bool isMade = false;
  for (const Interpreter::Step *step : plan.steps) {
    if ((isMade || mayGiveView(step->op)) &&
        llvm::any_of(step->op->getOperands(), isOld))
      return false;
    isMade |= step->op == output.value.getDefiningOp();
  }
  return true;
}

/// Counts who needs each piece of memory.
class Uses {
public:
  /// `sizes` gets that of each new piece.
  explicit Uses(SmallVectorImpl<int64_t> &sizes) : sizes(sizes) {}

  int take(int64_t size) {
    for (size_t i = 0; i < uses.size(); ++i)
      if (uses[i] == 0 && sizes[i] == size) {
        uses[i] = 1;
        return static_cast<int>(i);
      }
    uses.push_back(1);
    sizes.push_back(size);
    return static_cast<int>(uses.size()) - 1;
  }
  void hold(int piece) { ++uses[static_cast<size_t>(piece)]; }
  void release(int piece) { --uses[static_cast<size_t>(piece)]; }

private:
  SmallVectorImpl<int64_t> &sizes;
  llvm::SmallVector<int, 8> uses;
};

class Builder {
public:
  explicit Builder(const SlicePlan &plan) : plan(plan) {}
  SliceLayout build();

private:
  void findOutputs();
  void findStretches();
  void foldComparisons();
  bool isUsedTogether(Value value) const;
  bool isStreamed(Value value) const;
  void place(size_t index, Uses &buffers, Uses &blocks);

  Operation *opOf(size_t step) const { return plan.steps[step]->op; }
  /// Of a row of the value, 0 where it is not known.
  int64_t elementsOf(Value value) const {
    auto shape = plan.outside.shapeOf(value.getType());
    auto elements = shape.ok() ? shape->numElements() : shape.status();
    return elements.ok() ? *elements / plan.numRows : 0;
  }
  static int64_t bytesOf(Value value) {
    return static_cast<int64_t>(dtypeSize(ir::dtypeOf(value.getType())));
  }
  /// Whether both are run together.
  bool isTogether(size_t step, size_t other) const {
    return stretches[step] >= 0 && stretches[step] == stretches[other];
  }

  const SlicePlan &plan;
  SliceLayout layout;
  llvm::SmallDenseSet<Value, 8> kept, placed;
  llvm::SmallDenseMap<Operation *, size_t, 16> indices;
  /// By step: the number of the ops that are run together with it for certain;
  /// -1 for none.
  llvm::SmallVector<int, 16> stretches;
  /// By step: the values that it is the last to use.
  llvm::SmallVector<llvm::SmallVector<Value, 2>, 16> last;
  /// What a value keeps from being used again: its own buffer, and those that
  /// it may be a view of.
  llvm::DenseMap<Value, llvm::SmallVector<int, 2>> holds;
  llvm::DenseMap<Value, int> blockOf;
};

void Builder::findOutputs() {
  for (const SliceGroup::Output &output : plan.outputs) {
    kept.insert(output.value);
    layout.isPlaced.push_back(!placed.contains(output.value) &&
                              mayBePlaced(plan, output));
    if (layout.isPlaced.back())
      placed.insert(output.value);
  }
}

/// An op on one element, repeated, is run by itself, and so begins another run
/// of those behind it (ElementwiseRun::add). What is certain not to be one:
/// rows of inputs, and what is computed of them.
void Builder::findStretches() {
  llvm::SmallDenseSet<Value, 16> isDense;
  for (const SliceGroup::Input &input : plan.inputs)
    if (input.isSliced && !plan.outside.contents(input.value).isSplat)
      isDense.insert(input.value);
  int stretch = 0;
  int64_t elements = -1;
  for (auto [index, step] : llvm::enumerate(plan.steps)) {
    indices[step->op] = index;
    stretches.push_back(-1);
    if (step->op->getNumResults() == 0)
      continue; // an assignment, stored with the outputs
    bool isTogether = layout.steps[index].blocks.kernel &&
                      llvm::any_of(step->op->getOperands(), [&](Value operand) {
                        return isDense.contains(operand);
                      });
    int64_t own = isTogether ? elementsOf(step->op->getResult(0)) : -1;
    if (own != elements)
      ++stretch;
    elements = own;
    if (!isTogether)
      continue;
    stretches.back() = stretch;
    isDense.insert(step->op->getResult(0));
  }
}

/// A select makes the comparison that it alone asks for: flags of one byte,
/// which vectors would be packed into and unpacked from, are not stored.
void Builder::foldComparisons() {
  for (auto [index, step] : llvm::enumerate(layout.steps)) {
    auto select = dyn_cast<ir::SelectOp>(opOf(index));
    auto compare =
        select ? select.getCondition().getDefiningOp<ir::CompareOp>() : nullptr;
    auto found = indices.find(compare);
    if (!compare || found == indices.end() || !compare->hasOneUse() ||
        !isTogether(found->second, index))
      continue;
    // Its operands are read later, when an output may be where they were.
    auto isOutput = [&](size_t between) {
      return opOf(between)->getNumResults() == 1 &&
             kept.contains(opOf(between)->getResult(0));
    };
    if (llvm::any_of(llvm::seq(found->second, index), isOutput))
      continue;
    Kernel kernel = comparedSelectKernel(
        compare, ir::dtypeOf(compare.getOperand(0).getType()),
        ir::dtypeOf(select.getType()));
    if (!kernel)
      continue;
    step.blocks.kernel = kernel;
    step.blocks.operands = {{compare.getOperand(0)},
                            {compare.getOperand(1)},
                            {select.getOnTrue()},
                            {select.getOnFalse()}};
    layout.steps[found->second].isFolded = true;
    llvm::append_range(last[index], last[found->second]);
    last[found->second].clear();
  }
}

/// Whether those of the group that read the value are run together with what
/// makes it.
bool Builder::isUsedTogether(Value value) const {
  size_t made = indices.lookup(value.getDefiningOp());
  return stretches[made] >= 0 &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           auto found = indices.find(user);
           return found == indices.end() || user->getNumResults() == 0 ||
                  isTogether(made, found->second);
         });
}

/// What is changed in place is in the cache already.
bool Builder::isStreamed(Value value) const {
  auto isRead = [&](const SliceGroup::Output &output) {
    return output.variable >= 0 &&
           llvm::any_of(plan.inputs, [&](const SliceGroup::Input &input) {
             return plan.outside.contents(input.value).variable ==
                    output.variable;
           });
  };
  return placed.contains(value) &&
         llvm::any_of(plan.outputs, [&](const SliceGroup::Output &output) {
           return output.value == value && !isRead(output) &&
                  static_cast<int64_t>(output.whole.byteSize()) >=
                      plan.outside.environment().streamedBytes;
         });
}

void Builder::place(size_t index, Uses &buffers, Uses &blocks) {
  Operation *op = opOf(index);
  SliceLayout::Step &step = layout.steps[index];
  if (op->getNumResults() == 1 && !step.isFolded) {
    Value result = op->getResult(0);
    for (BlockOp::Operand &operand : step.blocks.operands)
      if (auto found = blockOf.find(operand.value); found != blockOf.end())
        operand.block = found->second;
    llvm::SmallVector<int, 2> held;
    if (mayGiveView(op))
      held = holds.lookup(op->getOperand(0));
    llvm::for_each(held, [&](int buffer) { buffers.hold(buffer); });
    step.blocks.isBound = kept.contains(result) || !isUsedTogether(result);
    if (!step.blocks.isBound ||
        (isStreamed(result) && isUsedTogether(result))) {
      step.blocks.block =
          blocks.take(ElementwiseRun::blockElements * bytesOf(result));
      blockOf[result] = static_cast<int>(step.blocks.block);
    }
    if (step.blocks.isBound && !placed.contains(result)) {
      step.buffer = buffers.take(elementsOf(result) * bytesOf(result));
      held.push_back(step.buffer);
    }
    holds[result] = std::move(held);
  }
  for (Value value : last[index]) {
    if (auto block = blockOf.find(value); block != blockOf.end())
      blocks.release(block->second);
    if (kept.contains(value))
      continue;
    if (auto held = holds.find(value); held != holds.end())
      llvm::for_each(held->second,
                     [&](int buffer) { buffers.release(buffer); });
  }
}

SliceLayout Builder::build() {
  for (const Interpreter::Step *step : plan.steps) {
    layout.steps.push_back({elementwiseOp(step->op)});
    last.push_back(step->last);
  }
  findOutputs();
  findStretches();
  foldComparisons();
  llvm::SmallVector<int64_t, 8> blockSizes;
  Uses buffers(layout.bytesPerRow), blocks(blockSizes);
  for (size_t index = 0; index < plan.steps.size(); ++index)
    place(index, buffers, blocks);

  // Side by side, so that they do not fall on the same lines of the cache.
  llvm::SmallVector<int64_t, 8> offsets;
  for (int64_t size : blockSizes) {
    offsets.push_back(layout.blockBytes);
    layout.blockBytes += size;
  }
  auto locate = [&](int64_t &block) {
    if (block >= 0)
      block = offsets[static_cast<size_t>(block)];
  };
  for (SliceLayout::Step &step : layout.steps) {
    locate(step.blocks.block);
    for (BlockOp::Operand &operand : step.blocks.operands)
      locate(operand.block);
  }
  return layout;
}

} // namespace

SliceLayout layOutSlice(const SlicePlan &plan) { return Builder(plan).build(); }

} // namespace kiln::eval
