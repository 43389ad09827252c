// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which values live for a block alone, and gives memory to values by
// how long they live.
#include "lib/Eval/SliceLayout.h"

#include "runtime/memory/LastCache.h"

#include <algorithm>
#include <unordered_set>

namespace kiln::eval {
namespace {

/// Bytes of a value from which on it is stored past the caches.
int64_t streamedBytesOf(const EvalEnvironment &environment) {
  return environment.minStreamedBytes ? environment.minStreamedBytes
                                      : lastCacheBytes();
}

/// Whether the output may be written as soon as it is made: no later step reads
/// the old rows of its variable.
bool mayBePlaced(const SlicePlan &plan, const SliceGroup::Output &output) {
  if (output.variable < 0)
    return true;
  auto isOld = [&](ValueId operand) {
    return std::ranges::any_of(
        plan.inputs, [&](const SliceGroup::Input &input) {
          return input.value == operand &&
                 plan.outside.contents(operand).variable == output.variable;
        });
  };
  const Op *maker = plan.steps[plan.made.at(output.value)];
  bool isMade = false;
  for (const Op *step : plan.steps) {
    if ((isMade || step->mayGiveView) &&
        std::ranges::any_of(plan.outside.operandsOf(*step), isOld))
      return false;
    isMade |= step == maker;
  }
  return true;
}

/// Counts the users of each piece of memory.
class Uses {
public:
  /// `sizes` gets that of each new piece.
  explicit Uses(std::vector<int64_t> &sizes) : sizes(sizes) {}

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
  std::vector<int64_t> &sizes;
  std::vector<int> uses;
};

class Builder {
public:
  explicit Builder(const SlicePlan &plan)
      : plan(plan), program(plan.outside.program) {}
  SliceLayout build();

private:
  void findOutputs();
  void findStretches();
  void foldComparisons();
  void findUses();
  bool isStreamed(ValueId value) const;
  void place(size_t index, Uses &buffers, Uses &blocks);

  const Op &opOf(size_t step) const { return *plan.steps[step]; }
  ValueId resultOf(size_t step) const {
    return plan.outside.resultOf(opOf(step));
  }
  std::span<const ValueId> operandsOf(size_t step) const {
    return plan.outside.operandsOf(opOf(step));
  }
  /// The elements of a row of the value, 0 where that is not known.
  int64_t elementsOf(ValueId value) const {
    auto shape = plan.outside.shapeOf(value);
    auto elements = shape.ok() ? shape->numElements() : shape.status();
    return elements.ok() ? *elements / plan.numRows : 0;
  }
  int64_t bytesOf(ValueId value) const {
    return static_cast<int64_t>(dtypeSize(program.dtypeOf(value)));
  }
  /// Whether both are run together.
  bool isTogether(size_t step, size_t other) const {
    return stretches[step] >= 0 && stretches[step] == stretches[other];
  }

  const SlicePlan &plan;
  const Program &program;
  SliceLayout layout;
  std::unordered_set<ValueId> kept, placed;
  /// By step: the number of the ops that are run together with it for certain;
  /// -1 for none.
  std::vector<int> stretches;
  /// By step: whether those of the group that read its result are run together
  /// with it.
  std::vector<bool> isUsedTogether;
  /// By step: the values that it is the last to use.
  std::vector<std::vector<ValueId>> last;
  /// What a value keeps from being used again: its own buffer, and those that
  /// it may be a view of.
  std::unordered_map<ValueId, std::vector<int>> holds;
  std::unordered_map<ValueId, int> blockOf;
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
  std::unordered_set<ValueId> isDense;
  for (const SliceGroup::Input &input : plan.inputs)
    if (input.isSliced && !plan.outside.contents(input.value).isSplat)
      isDense.insert(input.value);
  int stretch = 0;
  int64_t elements = -1;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    stretches.push_back(-1);
    if (opOf(i).results.size == 0)
      continue; // an assignment, stored with the outputs
    bool isTogether = layout.steps[i].blocks.loop &&
                      std::ranges::any_of(operandsOf(i), [&](ValueId operand) {
                        return isDense.contains(operand);
                      });
    int64_t own = isTogether ? elementsOf(resultOf(i)) : -1;
    if (own != elements)
      ++stretch;
    elements = own;
    if (!isTogether)
      continue;
    stretches.back() = stretch;
    isDense.insert(resultOf(i));
  }
}

/// A select makes the comparison that it alone asks for: flags of one byte,
/// which vectors would be packed into and unpacked from, are not stored.
void Builder::foldComparisons() {
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const auto *select = std::get_if<ElementwiseOp>(&opOf(i).what);
    if (!select || !select->withCondition)
      continue;
    std::span<const ValueId> operands = operandsOf(i);
    auto found = plan.made.find(operands[0]);
    if (found == plan.made.end() || !isTogether(found->second, i))
      continue;
    // Its operands are read later, when an output may be where they were.
    size_t compare = found->second, between = compare;
    while (between < i && !(opOf(between).results.size == 1 &&
                            kept.contains(resultOf(between))))
      ++between;
    if (between < i)
      continue;
    std::span<const ValueId> compared = operandsOf(compare);
    SliceLayout::Step &step = layout.steps[i];
    step.blocks.loop = select->withCondition;
    step.blocks.operands = {
        {compared[0]}, {compared[1]}, {operands[1]}, {operands[2]}};
    layout.steps[compare].isFolded = true;
    // An op between may have been the last to use what is compared.
    for (size_t used = compare; used < i; ++used)
      for (ValueId operand : compared)
        if (std::erase(last[used], operand) != 0)
          last[i].push_back(operand);
  }
}

void Builder::findUses() {
  for (int stretch : stretches)
    isUsedTogether.push_back(stretch >= 0);
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    if (opOf(i).results.size == 0)
      continue;
    for (ValueId operand : operandsOf(i))
      if (auto found = plan.made.find(operand);
          found != plan.made.end() && !isTogether(found->second, i))
        isUsedTogether[found->second] = false;
  }
}

/// What is changed in place is in the cache already.
bool Builder::isStreamed(ValueId value) const {
  auto isRead = [&](const SliceGroup::Output &output) {
    return output.variable >= 0 &&
           std::ranges::any_of(
               plan.inputs, [&](const SliceGroup::Input &input) {
                 return plan.outside.contents(input.value).variable ==
                        output.variable;
               });
  };
  return placed.contains(value) &&
         std::ranges::any_of(
             plan.outputs, [&](const SliceGroup::Output &output) {
               return output.value == value && !isRead(output) &&
                      static_cast<int64_t>(output.whole.byteSize()) >=
                          streamedBytesOf(plan.outside.environment());
             });
}

void Builder::place(size_t index, Uses &buffers, Uses &blocks) {
  SliceLayout::Step &step = layout.steps[index];
  if (opOf(index).results.size == 1 && !step.isFolded) {
    ValueId result = resultOf(index);
    for (BlockOp::Operand &operand : step.blocks.operands)
      if (auto found = blockOf.find(operand.value); found != blockOf.end())
        operand.block = found->second;
    std::vector<int> held;
    if (opOf(index).mayGiveView)
      if (auto viewed = holds.find(operandsOf(index)[0]); viewed != holds.end())
        held = viewed->second;
    for (int buffer : held)
      buffers.hold(buffer);
    step.blocks.isBound = kept.contains(result) || !isUsedTogether[index];
    if (!step.blocks.isBound || (isStreamed(result) && isUsedTogether[index])) {
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
  for (ValueId value : last[index]) {
    if (auto block = blockOf.find(value); block != blockOf.end())
      blocks.release(block->second);
    if (kept.contains(value))
      continue;
    if (auto held = holds.find(value); held != holds.end())
      for (int buffer : held->second)
        buffers.release(buffer);
  }
}

SliceLayout Builder::build() {
  for (const Op *step : plan.steps) {
    layout.steps.push_back({elementwiseOp(*step, program)});
    std::span<const ValueId> values = program.idsOf(step->last);
    last.emplace_back(values.begin(), values.end());
  }
  findOutputs();
  findStretches();
  foldComparisons();
  findUses();
  std::vector<int64_t> blockSizes;
  Uses buffers(layout.bytesPerRow), blocks(blockSizes);
  for (size_t index = 0; index < plan.steps.size(); ++index)
    place(index, buffers, blocks);

  // Side by side, so that they do not fall on the same lines of the cache.
  std::vector<int64_t> offsets;
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
