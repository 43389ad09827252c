// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparing tensors within a tolerance.
#include "tools/golden/Compare.h"

#include "lib/Support/Strings.h"
#include "tools/common/ComplexParts.h"
#include "tools/common/TensorText.h"

#include <cmath>

namespace kiln::golden {
namespace {

/// Holds every integer of 64 bits and every double exactly.
using Number = long double;

Number numberAt(const Tensor &tensor, int64_t i) {
  Number number = 0;
  visitElement(tensor, i, [&](auto value) { number = value; });
  return number;
}

bool matches(Number got, Number want, Tolerance tolerance) {
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got);
  if (std::isinf(want) || std::isinf(got))
    return got == want;
  if (tolerance.relative == 0 && got == 0 && want == 0)
    return std::signbit(got) == std::signbit(want);
  return std::fabs(got - want) <=
         tolerance.absolute + tolerance.relative * std::fabs(want);
}

std::string compareStrings(const Tensor &got, const Tensor &want) {
  for (int64_t i = 0; i < want.numElements(); ++i) {
    auto place = static_cast<size_t>(i);
    if (!(got.data<String>()[place] == want.data<String>()[place]))
      return strCat("element ", positionText(want.shape(), i), " differs: got ",
                    elementText(got, i), ", expected ", elementText(want, i));
  }
  return {};
}

bool hasNumbers(const Tensor &tensor) {
  return tensor.numElements() == 0 || visitElement(tensor, 0, [](auto) {});
}

} // namespace

std::string compareTensors(const Tensor &got, const Tensor &want,
                           Tolerance tolerance) {
  if (!got.isValid())
    return strCat("got nothing, expected ", typeText(want));
  if (got.dtype() != want.dtype() || !(got.shape() == want.shape()))
    return strCat("got ", typeText(got), ", expected ", typeText(want));
  if (want.dtype() == DType::String)
    return compareStrings(got, want);
  if (isComplex(want.dtype())) {
    StatusOr<Tensor> gotParts = partsOf(got), wantParts = partsOf(want);
    return gotParts.ok() && wantParts.ok()
               ? compareTensors(*gotParts, *wantParts, tolerance)
               : "cannot take complex numbers apart";
  }
  if (!hasNumbers(want))
    return got.hasSameBits(want) ? std::string()
                                 : strCat("the bits differ: ", typeText(want));
  int64_t first = -1, differing = 0;
  for (int64_t i = 0; i < want.numElements(); ++i) {
    if (matches(numberAt(got, i), numberAt(want, i), tolerance))
      continue;
    if (differing++ == 0)
      first = i;
  }
  if (differing == 0)
    return {};
  Number difference = std::fabs(numberAt(got, first) - numberAt(want, first));
  constexpr int64_t shown = 12;
  return strCat(
      differing, " of ", want.numElements(), " elements differ, ", "the first",
      want.rank() > 0 ? " at " : "", positionText(want.shape(), first),
      ": got ", elementText(got, first), ", expected ",
      elementText(want, first), " (difference ",
      static_cast<double>(difference), ", rtol ", tolerance.relative, ", atol ",
      tolerance.absolute, ")\n      got      ", elementsText(got, shown),
      "\n      expected ", elementsText(want, shown));
}

std::string compareFetch(const Tensor &got, const Expectation &want,
                         Tolerance tolerance, const Contents &contents) {
  if (std::holds_alternative<ExpectNothing>(want))
    return got.isValid() ? strCat("got ", typeText(got), ", expected nothing")
                         : std::string();
  if (const auto *type = std::get_if<ExpectType>(&want)) {
    bool same = got.isValid() && got.shape() == type->shape &&
                dtypeName(got.dtype()) == type->dtype;
    return same ? std::string()
                : strCat("got ", got.isValid() ? typeText(got) : "nothing",
                         ", expected ", type->dtype, " ",
                         type->shape.toString());
  }
  StatusOr<Tensor> tensor = readValue(contents, want);
  if (!tensor.ok())
    return strCat("cannot read what is expected: ", tensor.status().toString());
  return compareTensors(got, *tensor, tolerance);
}

} // namespace kiln::golden
