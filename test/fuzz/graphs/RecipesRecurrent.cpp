// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of recurrent networks, one by one and over sequences.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

/// Open now and then, and never 0: TensorFlow takes no states without elements.
Extent positive(Call &call) {
  return each([](int64_t n) { return std::clamp<int64_t>(n, 1, 6); },
              call.maker.randomExtent());
}

Extent sum(const Extent &a, const Extent &b) {
  return each([](int64_t m, int64_t n) { return m + n; }, a, b);
}
Extent times(const Extent &a, int64_t factor) {
  return each([factor](int64_t n) { return n * factor; }, a);
}

void append(Call &call, int count, const Extents &dims) {
  for (int i = 0; i < count; ++i)
    call.fresh(dims, between(-1, 1));
}

/// The state, the weights, the peepholes and the bias.
void appendMemory(Call &call, const Extent &batch, const Extent &columns,
                  const Extent &cell) {
  append(call, 2, {batch, cell});
  append(call, 1, {sum(columns, cell), times(cell, 4)});
  append(call, 3, {cell});
  append(call, 1, {times(cell, 4)});
}

bool memoryCell(Call &call) {
  const Extent batch = positive(call), columns = positive(call),
               cell = positive(call);
  append(call, 1, {batch, columns});
  appendMemory(call, batch, columns, cell);
  if (call.def.name.ends_with("Grad"))
    append(call, 8, {batch, cell});
  return call.done();
}

/// As many steps as there are, or fewer.
bool memoryOverSequence(Call &call) {
  const Extent time = positive(call), batch = positive(call),
               columns = positive(call), cell = positive(call);
  call.scalar(call.random.chance(50) ? time : Extent(1));
  append(call, 1, {time, batch, columns});
  appendMemory(call, batch, columns, cell);
  if (call.def.name.find("Grad") != std::string::npos)
    append(call, 9, {time, batch, cell});
  return call.done();
}

bool gatedUnits(Call &call) {
  const Extent batch = positive(call), columns = positive(call),
               cell = positive(call), rows = sum(columns, cell);
  append(call, 1, {batch, columns});
  append(call, 1, {batch, cell});
  append(call, 1, {rows, times(cell, 2)});
  append(call, 1, {rows, cell});
  append(call, 1, {times(cell, 2)});
  append(call, 1, {cell});
  if (call.def.name.ends_with("Grad"))
    append(call, 4, {batch, cell});
  return call.done();
}

constexpr Recipe recipes[] = {
    {"LSTMBlockCell LSTMBlockCellGrad", memoryCell},
    {"BlockLSTM BlockLSTMV2 BlockLSTMGrad BlockLSTMGradV2", memoryOverSequence},
    {"GRUBlockCell GRUBlockCellGrad", gatedUnits},
};

} // namespace

std::span<const Recipe> recurrentRecipes() { return recipes; }

} // namespace kiln::fuzz
