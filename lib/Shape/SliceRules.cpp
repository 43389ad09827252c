// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of what computes extents: reshape, slices, ranges.
#include "lib/Shape/Rules.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

Status fail(DimSpace &space, const std::string &message) {
  return space.error({.prefix = message});
}

/// Demands that the number is in [0, limit].
Status requireWithin(DimSpace &space, Dim number, Dim limit,
                     const std::string &what) {
  Dims bound = {limit}, got = {number};
  GuardInfo info{.prefix = what,
                 .joiner = "], but got ",
                 .lhs = &bound,
                 .rhs = &got,
                 .asNumbers = true};
  KILN_RETURN_IF_ERROR(
      space.require(Guard::Kind::NonNegative, number, Dim::known(0), info));
  return space.require(Guard::Kind::LessEqual, number, limit, info);
}

/// Rounds up; for a positive divisor.
Dim ceilDiv(DimSpace &space, Dim a, int64_t b) {
  // The sum below must fit: (a - 1) / b + 1 is the same.
  if (b > INT32_MAX)
    return space.add(space.floorDiv(space.sub(a, Dim::known(1)), Dim::known(b)),
                     Dim::known(1));
  return space.floorDiv(space.add(a, Dim::known(b - 1)), Dim::known(b));
}

} // namespace

Dim isBelowZero(DimSpace &space, Dim number) {
  // For the lowest integer, too, which has no negative.
  return space.sub(Dim::known(0),
                   space.max(space.min(number, Dim::known(0)), Dim::known(-1)));
}

/// What -1 stands for beside the other sizes of a reshape, of which none is
/// unknown, if it stands for anything. In TensorFlow neither a 0 among them
/// nor, beside such a 0, one among the input's extents is counted: [0, 4, 5] to
/// [0, -1] is [0, 20].
static Dim openQuotient(DimSpace &space, const Dims &input, const Dims &sizes) {
  const Dim one = Dim::known(1);
  bool hasZero = false;
  Dim noZero = one; // 1 if no size is 0
  Dims positive, counted;
  for (Dim size : sizes) {
    hasZero |= size.isKnown(0);
    if (size.isSymbol() && !space.isPositive(size))
      noZero = space.mul(noZero, space.min(size, one));
    if (!size.isKnown(0))
      positive.push_back(space.max(size, one));
  }
  for (Dim extent : input)
    counted.push_back(space.max(extent, one));
  // How many of the input's elements are counted.
  Dim numerator = space.product(hasZero ? counted : input);
  if (!hasZero && !(noZero == one)) {
    Dim all = space.product(counted);
    numerator = space.sub(all, space.mul(noZero, space.sub(all, numerator)));
  }
  return space.floorDiv(numerator, space.product(positive));
}

/// The extent of a -1 among the sizes of a reshape.
/// **Difference**: where the quotient is known without looking at zeros, that
/// is what it is also where TensorFlow, which counts no 0, has another one: [0,
/// 0] to [n, -1].
static StatusOr<Dim> openExtent(DimSpace &space, const Dims &input,
                                const Dims &sizes) {
  bool mayHaveZero = false, hasZero = false;
  Dims positive;
  for (Dim size : sizes) {
    hasZero |= size.isKnown(0);
    mayHaveZero |= !space.isPositive(size);
    if (!size.isKnown(0))
      positive.push_back(space.max(size, Dim::known(1)));
  }
  const Dim elements = space.product(input), divisor = space.product(positive);
  if (!hasZero && !(mayHaveZero && elements.isKnown(0)))
    if (auto quotient = space.exactQuotient(elements, space.product(sizes)))
      return *quotient;
  Dims left = {elements}, right = {divisor};
  GuardInfo info{.prefix = "Input to reshape is a tensor with ",
                 .joiner =
                     " values, but the requested shape requires a multiple of ",
                 .lhs = &left,
                 .rhs = &right,
                 .asNumbers = true};
  KILN_RETURN_IF_ERROR(
      space.require(Guard::Kind::Divides, elements, divisor, info));
  const Dim quotient = openQuotient(space, input, sizes);
  if (!mayHaveZero)
    return quotient;
  right = {space.mul(space.product(sizes), quotient)};
  info.joiner = " values, but the requested shape has ";
  KILN_RETURN_IF_ERROR(space.unify(elements, right[0], info).status());
  return space.resolve(quotient);
}

/// Demands that size number i is not negative, or -1 where it may be.
static Status requireSize(DimSpace &space, size_t i, Dim size, bool mayBeOpen) {
  std::string prefix = strCat("Size ", i, " must be non-negative, not ");
  Dims number = {size}, none;
  GuardInfo info{
      .prefix = prefix, .lhs = &number, .rhs = &none, .asNumbers = true};
  return mayBeOpen
             ? space.require(Guard::Kind::LessEqual, Dim::known(-1), size, info)
             : space.require(Guard::Kind::NonNegative, size, Dim(), info);
}

static std::string notBoth(size_t a, size_t b) {
  return strCat("Only one input size may be -1, not both ", std::min(a, b),
                " and ", std::max(a, b));
}

/// Whether the run finds out if one of the sizes is -1.
static bool mayBeOpen(const DimSpace &space, const Dims &sizes) {
  bool isUnsure = false;
  for (Dim size : sizes) {
    if (size.isUnknown() || (size.isKnown() && size.value < 0))
      return false;
    isUnsure |= !space.isNonNegative(size);
  }
  return isUnsure;
}

/// The extents by such sizes.
static StatusOr<Dims> openExtents(DimSpace &space, const Dims &input,
                                  const Dims &sizes) {
  const Dim one = Dim::known(1);
  std::vector<size_t> unsure;
  Dims counted = sizes, isOpen(sizes.size(), Dim::known(0));
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (space.isNonNegative(sizes[i]))
      continue;
    KILN_RETURN_IF_ERROR(requireSize(space, i, sizes[i], /*mayBeOpen=*/true));
    isOpen[i] = isBelowZero(space, sizes[i]);
    for (size_t before : unsure)
      KILN_RETURN_IF_ERROR(space.require(Guard::Kind::LessEqual,
                                         space.add(isOpen[before], isOpen[i]),
                                         one, {.prefix = notBoth(before, i)}));
    unsure.push_back(i);
    counted[i] = space.add(sizes[i], space.mul(Dim::known(2), isOpen[i]));
  }
  const Dim elements = space.product(input);
  Dims left = {elements}, right = {space.product(sizes)}, others = sizes;
  GuardInfo info{.prefix = "Input to reshape is a tensor with ",
                 .joiner = " values, but the requested shape has ",
                 .lhs = &left,
                 .rhs = &right,
                 .asNumbers = true};
  auto extentOf = [&](size_t i, Dim quotient) {
    return space.add(sizes[i], space.mul(isOpen[i], space.add(quotient, one)));
  };
  const size_t first = unsure.front();
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(first));
  Dims result = sizes;
  if (std::all_of(others.begin(), others.end(),
                  [&](Dim size) { return space.isPositive(size); })) {
    // The only one is the quotient, whether it is asked for or given.
    const Dim divisor = space.product(others),
              quotient = space.floorDiv(elements, divisor);
    KILN_RETURN_IF_ERROR(space.require(
        Guard::Kind::Equal,
        space.add(space.mul(sizes[first], divisor),
                  space.mul(isOpen[first], space.add(elements, divisor))),
        elements, info));
    right = {divisor};
    info.joiner = " values, but the requested shape requires a multiple of ";
    KILN_RETURN_IF_ERROR(
        space.require(Guard::Kind::Equal,
                      space.mul(isOpen[first], space.mod(elements, divisor)),
                      Dim::known(0), info));
    result[first] = quotient;
    return space.resolve(result);
  }
  const Dim quotient = openQuotient(space, input, counted);
  for (size_t i : unsure)
    result[i] = extentOf(i, quotient);
  right = {space.product(result)};
  KILN_RETURN_IF_ERROR(
      space.require(Guard::Kind::Equal, elements, right[0], info));
  return space.resolve(result);
}

StatusOr<Dims> reshapeShape(DimSpace &space, const Dims &input,
                            const Dims &target) {
  Dims result = space.resolve(target), sizes;
  if (!space.product(input).isUnknown() && mayBeOpen(space, result))
    return openExtents(space, space.resolve(input), result);
  const auto open = static_cast<size_t>(
      std::find(result.begin(), result.end(), Dim::known(-1)) - result.begin());
  const bool isOpen = open < result.size();
  for (size_t i = 0; i < result.size(); ++i) {
    if (i == open)
      continue;
    KILN_RETURN_IF_ERROR(requireSize(space, i, result[i], isOpen));
    if (isOpen)
      KILN_RETURN_IF_ERROR(space.require(Guard::Kind::NonNegative, result[i],
                                         Dim(), {.prefix = notBoth(i, open)}));
    sizes.push_back(result[i]);
  }
  if (isOpen) {
    Dim &extent = result[open];
    if (space.product(input).isUnknown() ||
        std::any_of(sizes.begin(), sizes.end(),
                    [](Dim size) { return size.isUnknown(); })) {
      extent = Dim::unknown();
      return result;
    }
    KILN_ASSIGN_OR_RETURN(extent,
                          openExtent(space, space.resolve(input), sizes));
    return space.resolve(result);
  }
  Dims left = {space.product(space.resolve(input))},
       right = {space.product(sizes)};
  KILN_RETURN_IF_ERROR(
      space
          .unify(left[0], right[0],
                 {.prefix = "Input to reshape is a tensor with ",
                  .joiner = " values, but the requested shape has ",
                  .lhs = &left,
                  .rhs = &right,
                  .asNumbers = true})
          .status());
  return space.resolve(result);
}

/// An index that counts from the end where it is below 0.
static Dim fromFront(DimSpace &space, Dim index, Dim extent) {
  index = space.resolve(index);
  if (index.isUnknown() || space.isNonNegative(index))
    return index;
  if (index.isKnown())
    return space.add(extent, index);
  return space.add(index, space.mul(extent, isBelowZero(space, index)));
}

StatusOr<Dims> sliceShape(DimSpace &space, const Dims &input, const Dims &begin,
                          const Dims &size) {
  Dims result;
  for (size_t i = 0; i < input.size(); ++i) {
    KILN_RETURN_IF_ERROR(requireWithin(
        space, begin[i], input[i], strCat("Expected begin[", i, "] in [0, ")));
    // For the lowest integer, which is an error, it would not fit.
    Dim from = space.isNonNegative(begin[i])
                   ? begin[i]
                   : space.max(begin[i], Dim::known(0));
    Dim rest = space.sub(input[i], from);
    if (size[i].isKnown(-1)) {
      result.push_back(rest);
      continue;
    }
    std::string what = strCat("Expected size[", i, "] in [0, ");
    Dim taken = space.resolve(size[i]);
    if (taken.isSymbol() && !space.isNonNegative(taken)) {
      // -1 is all that is left; no other number is below 0.
      Dims bound = {rest}, got = {taken};
      KILN_RETURN_IF_ERROR(space.require(Guard::Kind::LessEqual, Dim::known(-1),
                                         taken,
                                         {.prefix = what,
                                          .joiner = "], but got ",
                                          .lhs = &bound,
                                          .rhs = &got,
                                          .asNumbers = true}));
      taken = space.add(taken, space.mul(isBelowZero(space, taken),
                                         space.add(rest, Dim::known(1))));
    }
    KILN_RETURN_IF_ERROR(requireWithin(space, taken, rest, what));
    result.push_back(taken);
  }
  return result;
}

/// A range whose step the run knows. A size is not below 0; of other numbers
/// the sign counts, too.
static StatusOr<Dim> rangeByStep(DimSpace &space, Dim start, Dim limit,
                                 Dim delta) {
  const Dim one = Dim::known(1);
  Dims number = {delta}, left = {start}, right = {limit};
  KILN_RETURN_IF_ERROR(space.require(
      Guard::Kind::NonZero, delta, Dim(),
      {.prefix = "Requires delta != 0: ", .lhs = &number, .asNumbers = true}));
  const bool isSize = space.isNonNegative(delta, /*byGuards=*/true);
  Dim sign = isSize ? one : space.max(space.min(delta, one), Dim::known(-1));
  KILN_RETURN_IF_ERROR(space.require(
      Guard::Kind::LessEqual, isSize ? start : space.mul(sign, start),
      isSize ? limit : space.mul(sign, limit),
      {.prefix = isSize ? "Requires start <= limit when delta > 0: "
                        : "Requires start <= limit when delta > 0, start >= "
                          "limit when delta < 0: ",
       .joiner = "/",
       .lhs = &left,
       .rhs = &right,
       .asNumbers = true}));
  return space.floorDiv(
      space.sub(space.add(space.sub(limit, start), delta), sign), delta);
}

StatusOr<Dim> rangeLength(DimSpace &space, Dim start, Dim limit, Dim delta) {
  delta = space.resolve(delta);
  if (delta.isKnown(0))
    return fail(space, "Requires delta != 0: 0");
  if (delta.isSymbol())
    return rangeByStep(space, start, limit, delta);
  if (!delta.isKnown() || delta.isKnown(INT64_MIN))
    return Dim::unknown();
  bool up = delta.value > 0;
  Dims left = {start}, right = {limit};
  GuardInfo info{.prefix = up ? "Requires start <= limit when delta > 0: "
                              : "Requires start >= limit when delta < 0: ",
                 .joiner = "/",
                 .lhs = &left,
                 .rhs = &right,
                 .asNumbers = true};
  KILN_RETURN_IF_ERROR(space.require(Guard::Kind::LessEqual, up ? start : limit,
                                     up ? limit : start, info));
  return ceilDiv(space, up ? space.sub(limit, start) : space.sub(start, limit),
                 up ? delta.value : -delta.value);
}

namespace {

/// One end of a range, clamped into what the stride's direction allows.
Dim clampIndex(DimSpace &space, Dim index, Dim extent, bool forward) {
  index = space.resolve(index);
  Dim low = Dim::known(forward ? 0 : -1),
      high = forward ? extent : space.sub(extent, Dim::known(1));
  if (index.isKnown() && index.value < 0)
    return space.max(space.add(extent, index), low);
  if (space.isNonNegative(index))
    return space.min(index, high);
  return space.max(space.min(fromFront(space, index, extent), high), low);
}

StatusOr<StridedDim> indexed(DimSpace &space, Dim extent, Dim index,
                             size_t axis) {
  index = fromFront(space, index, extent);
  Dims number = {index}, none;
  if (index.isUnknown())
    return StridedDim{index, Dim::known(1), Dim::known(1), true};
  std::string joiner = strCat(" of dimension ", axis, " out of bounds.");
  GuardInfo info{.prefix = "slice index ",
                 .joiner = joiner,
                 .lhs = &number,
                 .rhs = &none,
                 .asNumbers = true};
  KILN_RETURN_IF_ERROR(
      space.require(Guard::Kind::NonNegative, index, Dim::known(0), info));
  // Not index + 1 <= extent: the sum would not fit for the last integer.
  KILN_RETURN_IF_ERROR(space.require(Guard::Kind::LessEqual, index,
                                     space.sub(extent, Dim::known(1)), info));
  return StridedDim{index, Dim::known(1), Dim::known(1), true};
}

StatusOr<StridedDim> ranged(DimSpace &space, Dim extent,
                            const StridedSliceSpec &spec, size_t entry,
                            size_t axis) {
  Dim stride =
      spec.strides ? space.resolve((*spec.strides)[entry]) : Dim::unknown();
  bool shrink = (spec.shrinkAxisMask >> entry) & 1;
  if (stride.isKnown(0))
    return fail(space, strCat("strides[", entry, "] must be non-zero"));
  if (shrink) {
    if (stride.isKnown() && stride.value <= 0)
      return fail(space, "only stride 1 allowed on non-range indexing.");
    return indexed(space, extent,
                   spec.begin ? (*spec.begin)[entry] : Dim::unknown(), axis);
  }
  // Both take one element at most, and this one has a negative.
  if (stride.isKnown(INT64_MIN))
    stride = Dim::known(-INT64_MAX);
  if (!stride.isKnown())
    return StridedDim{Dim::unknown(), stride, Dim::unknown(), false};
  bool forward = stride.value > 0;
  auto end = [&](const std::optional<Dims> &given, int64_t mask, bool first) {
    if ((mask >> entry) & 1)
      return first == forward ? Dim::known(forward ? 0 : -1)
             : forward        ? extent
                              : space.sub(extent, Dim::known(1));
    return given ? clampIndex(space, (*given)[entry], extent, forward)
                 : Dim::unknown();
  };
  Dim from = end(spec.begin, spec.beginMask, true),
      to = end(spec.end, spec.endMask, false);
  Dim distance = space.max(forward ? space.sub(to, from) : space.sub(from, to),
                           Dim::known(0));
  return StridedDim{
      from, stride,
      ceilDiv(space, distance, forward ? stride.value : -stride.value), false};
}

} // namespace

StatusOr<StridedSlicePlan> planStridedSlice(DimSpace &space, const Dims &input,
                                            const StridedSliceSpec &spec) {
  auto bit = [](int64_t mask, int i) { return i < 64 && ((mask >> i) & 1); };
  int consumed = 0, ellipsis = -1;
  for (int i = 0; i < spec.numEntries; ++i) {
    if (bit(spec.ellipsisMask, i)) {
      if (ellipsis >= 0)
        return fail(space, "Multiple ellipses in slice spec not allowed");
      ellipsis = i;
    } else if (!bit(spec.newAxisMask, i)) {
      ++consumed;
    }
  }
  int rank = static_cast<int>(input.size());
  if (spec.numEntries > 62 || consumed > rank)
    return fail(space, strCat("Index out of range using input dim ", rank,
                              "; input has only ", rank, " dims"));
  StridedSlicePlan plan;
  auto whole = [&](int count) {
    for (; count > 0; --count) {
      plan.outputs.push_back(static_cast<int>(plan.dims.size()));
      plan.dims.push_back(
          {Dim::known(0), Dim::known(1), input[plan.dims.size()], false});
    }
  };
  for (int i = 0; i < spec.numEntries; ++i) {
    if (i == ellipsis) {
      whole(rank - consumed);
      continue;
    }
    if (bit(spec.newAxisMask, i)) {
      plan.outputs.push_back(-1);
      continue;
    }
    size_t axis = plan.dims.size();
    KILN_ASSIGN_OR_RETURN(StridedDim dim, ranged(space, input[axis], spec,
                                                 static_cast<size_t>(i), axis));
    if (!dim.shrink)
      plan.outputs.push_back(static_cast<int>(axis));
    plan.dims.push_back(dim);
  }
  if (ellipsis < 0)
    whole(rank - consumed);
  for (int index : plan.outputs)
    plan.shape.push_back(index < 0
                             ? Dim::known(1)
                             : plan.dims[static_cast<size_t>(index)].extent);
  return plan;
}

} // namespace kiln
