// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain values become what is fed.
#include "kiln/FeedConversion.h"

#include "lib/Build/BuildState.h"
#include "lib/Build/Literal.h"
#include "lib/Graph/TensorText.h"
#include "lib/Support/Strings.h"

#include <cstring>

namespace kiln {

/// Whether an integer is too large for the integers that it became.
static bool isChanged(const Input &number, const Tensor &converted) {
  if (!isInteger(converted.dtype()))
    return false;
  auto natural = toConstant(number, DType::Invalid);
  if (!natural.ok())
    return false;
  auto back = toConstant(converted, natural->dtype());
  return back.ok() && std::memcmp(back->rawData(), natural->rawData(),
                                  dtypeSize(natural->dtype())) != 0;
}

StatusOr<Tensor> feedTensor(const Output &tensor, const Input &value) {
  if (!tensor.node)
    return invalidArgumentError(
        "Cannot interpret feed_dict key as Tensor: it has no node.");
  if (value.output() || holdsOutputs(value))
    return invalidArgumentError(
        "The value of a feed cannot be a tf.Tensor object. Acceptable feed "
        "values include Python scalars, strings, lists, numpy ndarrays, or "
        "TensorHandles. For reference, the tensor object was " +
        (value.output() ? tensorText(*value.output()) : "a list of tensors") +
        " which was passed to the argument `feed_dict` with key " +
        tensorText(tensor) + ".");
  DType dtype = tensor.dtype();
  // As NumPy reads a list: floats become integers, numbers any float.
  auto converted = toConstant(value, dtype);
  bool isNumber = std::holds_alternative<int64_t>(value.value()) ||
                  std::holds_alternative<uint64_t>(value.value());
  if (converted.ok() && !(isNumber && isChanged(value, *converted)))
    return converted;
  if (isNumber) {
    auto [text, type] = pythonText(value);
    return invalidArgumentError(strCat(
        "Type of feed value ", text, " with type <class '", type,
        "'> is not compatible with Tensor type <class '",
        dtype == DType::String ? "object" : strCat("numpy.", dtypeName(dtype)),
        "'>. Try explicitly setting the type of the feed tensor to a "
        "larger type (e.g. int64)."));
  }
  auto natural = toConstant(value, DType::Invalid);
  if (!natural.ok())
    return natural.status();
  auto cast = toConstant(*natural, dtype);
  return cast.ok() ? cast : converted;
}

} // namespace kiln
