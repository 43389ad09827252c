// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns handles into strings that results and variables own.
#include "lib/Exec/FrameStrings.h"

#include "lib/Support/StatusMacros.h"

namespace kiln {

FrameStrings::FrameStrings(const Program &program)
    : program(program), runStrings(program.services.options.limits.maxRunBytes),
      handles(program.interface().fetches.size()),
      variables(program.executor->isNative()
                    ? program.binding.writtenStrings.size()
                    : 0) {}

std::span<String> FrameStrings::elementsOf(size_t variable) {
  VariableSlot &slot = *program.binding.writtenStrings[variable];
  return {static_cast<String *>(slot.data()), slot.byteSize() / sizeof(String)};
}

Status FrameStrings::rememberVariables() {
  for (size_t i = 0; i < variables.size(); ++i)
    KILN_RETURN_IF_ERROR(
        variables[i]
            .remember(elementsOf(i))
            .withNode(program.binding.writtenStrings[i]->name()));
  return okStatus();
}

void FrameStrings::settleResults(std::span<const int> places,
                                 std::span<Tensor> given) {
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0 || given[i].dtype() != DType::String)
      continue;
    auto written = handles[static_cast<size_t>(places[i])].handles();
    // A late result has none here.
    if (written.size() == static_cast<size_t>(given[i].numElements()))
      assign(given[i], written.data());
  }
}

void FrameStrings::assign(Tensor &result, const StringHandle *handles) {
  for (String &element : result.mutableData<String>())
    element = stringOf(*handles++);
}

void FrameStrings::adoptVariables() {
  for (size_t i = 0; i < variables.size(); ++i)
    variables[i].adopt(elementsOf(i));
  for (VariableStrings &variable : variables)
    variable.release();
}

} // namespace kiln
