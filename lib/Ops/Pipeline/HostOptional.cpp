// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on optionals that are values between the parts of a run; those that
// code passes on are lib/Plan/transforms/ScalarizeOptionals.cpp's.
#include "lib/Ops/Pipeline/HostOptional.h"

#include "lib/Ops/Pipeline/Host.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace kiln {
namespace {

struct OptionalVariant final : VariantObject {
  explicit OptionalVariant(const Element *given) {
    if (given)
      element = *given;
  }
  int64_t byteSize() const override {
    int64_t bytes = 0;
    if (element)
      for (const Tensor &part : *element)
        bytes += heldBytesOf(part);
    return bytes;
  }

  std::optional<Element> element;
};

/// The optional that an op is given. **Errors**: INVALID_ARGUMENT with
/// TensorFlow's texts.
StatusOr<std::shared_ptr<const OptionalVariant>>
optionalIn(const HostCall &call) {
  const Tensor &input = call.inputs[0];
  if (input.rank() != 0)
    return invalidArgumentError(
        strCat("Input to ", call.node.op(),
               " must be a scalar tensor containing an OptionalVariant "
               "object."));
  auto held = variantAt<OptionalVariant>(input);
  if (!held)
    return invalidArgumentError(strCat("Input to ", call.node.op(),
                                       " must be an OptionalVariant object."));
  return held;
}

Status hasValue(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(const auto optional, optionalIn(call));
  call.outputs[0] = Tensor::scalar(optional->element.has_value());
  return okStatus();
}

Status getValue(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(const auto optional, optionalIn(call));
  if (!optional->element)
    return invalidArgumentError("The given optional does not have a value.");
  const Element &element = *optional->element;
  const auto types = call.node.attrOr<std::vector<DType>>("output_types", {});
  const auto shapes = call.node.attrOr<std::vector<Shape>>("output_shapes", {});
  if (element.size() != types.size())
    return invalidArgumentError(strCat("The given optional has ",
                                       element.size(), " components, expected ",
                                       types.size()));
  for (size_t i = 0; i < types.size(); ++i) {
    if (element[i].dtype() != types[i])
      return invalidArgumentError(
          strCat("The given optional does not match the expected type for "
                 "component ",
                 i, ". Expected: ", dtypeTfName(types[i]),
                 ". Actual: ", dtypeTfName(element[i].dtype()), "."));
    if (i < shapes.size() && !shapes[i].isCompatibleWith(element[i].shape()))
      return invalidArgumentError(
          strCat("The given optional does not match the expected shape for "
                 "component ",
                 i, ". Expected: ", shapes[i].toString(),
                 ". Actual: ", element[i].shape().toString(), "."));
  }
  std::ranges::copy(element, call.outputs.begin());
  return okStatus();
}

} // namespace

StatusOr<Tensor> optionalOf(const Element *element) {
  std::vector<VariantPtr> held{std::make_shared<OptionalVariant>(element)};
  return tensorOfVariants(Shape(), std::move(held));
}

void addOptionalKernels(HostKernels &kernels) {
  kernels.addOwn("OptionalGetValue", {.run = getValue});
  kernels.addOwn("OptionalHasValue", {.run = hasValue});
}

} // namespace kiln
