// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program's lists take.
#include "lib/Eval/Program.h"

namespace kiln::eval {

int64_t Program::bytes() const {
  auto bytesOf = [](const auto &list) {
    return static_cast<int64_t>(list.capacity() * sizeof(*list.data()));
  };
  int64_t total = static_cast<int64_t>(sizeof *this) + bytesOf(types) +
                  bytesOf(values) + bytesOf(ops) + bytesOf(blocks) +
                  bytesOf(ids) + bytesOf(numbers) + bytesOf(dims) +
                  bytesOf(constants) + bytesOf(names) + bytesOf(resultNodes);
  for (const Tensor &constant : constants)
    total += static_cast<int64_t>(sizeof(Buffer) + constant.byteSize());
  return total;
}

void Program::trim() {
  types.shrink_to_fit();
  values.shrink_to_fit();
  ops.shrink_to_fit();
  blocks.shrink_to_fit();
  ids.shrink_to_fit();
  numbers.shrink_to_fit();
  dims.shrink_to_fit();
  constants.shrink_to_fit();
  names.shrink_to_fit();
  resultNodes.shrink_to_fit();
}

} // namespace kiln::eval
