// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers are copied as bytes, strings one by one.
#include "lib/Pipelines/Rows.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>

namespace kiln {

int64_t HeldBytes::bytesOf(const Element &element) {
  int64_t bytes = 0;
  for (const Tensor &part : element)
    bytes += heldBytesOf(part);
  return bytes;
}

Status HeldBytes::add(const Element &element) {
  held += bytesOf(element);
  if (held <= most)
    return okStatus();
  return resourceExhaustedError(strCat("expected elements of at most ", most,
                                       " bytes at a time, got ", held));
}

Status checkAlike(std::span<const Element> elements) {
  for (const Element &element : elements) {
    const Element &first = elements.front();
    if (element.size() != first.size())
      return invalidArgumentError(strCat("expected elements of ", first.size(),
                                         " components, got ", element.size()));
    for (size_t i = 0; i < first.size(); ++i)
      if (element[i].dtype() != first[i].dtype())
        return invalidArgumentError(strCat(
            "expected component ", i, " to be ", dtypeName(first[i].dtype()),
            ", got ", dtypeName(element[i].dtype())));
  }
  return okStatus();
}

StatusOr<int64_t> numberIn(const Element &results, std::string_view function) {
  if (results.size() != 1 || results[0].dtype() != DType::Int64 ||
      results[0].numElements() != 1)
    return invalidArgumentError(
        strCat("`", function, "` must return a scalar int64."));
  return results[0].data<int64_t>()[0];
}

void copyElements(const Tensor &part, Tensor &whole, int64_t begin) {
  if (part.dtype() == DType::String) {
    std::ranges::copy(part.data<String>(),
                      whole.mutableData<String>().begin() + begin);
    return;
  }
  if (part.byteSize() != 0)
    std::memcpy(static_cast<char *>(whole.mutableRawData()) +
                    static_cast<size_t>(begin) * dtypeSize(part.dtype()),
                part.rawData(), part.byteSize());
}

StatusOr<Tensor> rowOf(const Tensor &tensor, int64_t row) {
  const Shape shape(tensor.shape().dims().subspan(1));
  if (tensor.dtype() == DType::Variant) {
    KILN_ASSIGN_OR_RETURN(const int64_t count, shape.numElements());
    const auto variants = variantsOf(tensor).subspan(
        static_cast<size_t>(row * count), static_cast<size_t>(count));
    return tensorOfVariants(shape, {variants.begin(), variants.end()});
  }
  KILN_ASSIGN_OR_RETURN(Tensor made, Tensor::create(tensor.dtype(), shape));
  const int64_t count = made.numElements();
  if (tensor.dtype() == DType::String)
    std::ranges::copy(
        tensor.data<String>().subspan(static_cast<size_t>(row * count),
                                      static_cast<size_t>(count)),
        made.mutableData<String>().begin());
  else if (made.byteSize() != 0)
    std::memcpy(made.mutableRawData(),
                static_cast<const char *>(tensor.rawData()) +
                    static_cast<size_t>(row) * made.byteSize(),
                made.byteSize());
  return made;
}

} // namespace kiln
