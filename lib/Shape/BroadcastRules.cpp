// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of broadcasting and of its gradient.
#include "lib/Shape/Rules.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

Status fail(DimSpace &space, const std::string &message) {
  return space.error({.prefix = message});
}

} // namespace

StatusOr<Dims> broadcastShapes(DimSpace &space, const Dims &a, const Dims &b) {
  const Dims &longer = a.size() >= b.size() ? a : b;
  Dims result = longer;
  GuardInfo info{.prefix = "Incompatible shapes: ",
                 .joiner = " vs. ",
                 .lhs = &a,
                 .rhs = &b};
  for (size_t back = 1; back <= std::min(a.size(), b.size()); ++back) {
    KILN_ASSIGN_OR_RETURN(
        result[result.size() - back],
        space.broadcast(a[a.size() - back], b[b.size() - back], info));
  }
  return result;
}

Status checkBroadcastTo(DimSpace &space, const Dims &from, const Dims &to) {
  if (from.size() > to.size())
    return fail(space,
                strCat("Rank of input (", from.size(),
                       ") must be no greater than rank of output shape (",
                       to.size(), ")."));
  GuardInfo info{.prefix = "Incompatible shapes: ",
                 .joiner = " vs. ",
                 .lhs = &from,
                 .rhs = &to};
  for (size_t back = 1; back <= from.size(); ++back) {
    Dim extent = from[from.size() - back], wanted = to[to.size() - back];
    if (extent.isUnknown() || wanted.isUnknown() ||
        space.equal(extent, wanted) || space.takeAsEqual(extent, wanted))
      continue;
    std::optional<bool> one = space.isOne(extent);
    if (one == true)
      continue;
    if (one == false) {
      KILN_RETURN_IF_ERROR(space.unify(extent, wanted, info).status());
      continue;
    }
    KILN_RETURN_IF_ERROR(
        space.require(Guard::Kind::BroadcastCompatible, extent, wanted, info));
    // Compatible is not enough: neither 3 nor 0 becomes 1, but 1 becomes 0.
    KILN_RETURN_IF_ERROR(space.require(
        Guard::Kind::Equal, space.broadcastOf(extent, wanted), wanted,
        {.prefix = "Unable to broadcast tensor of shape ",
         .joiner = " to tensor of shape ",
         .lhs = &from,
         .rhs = &to}));
  }
  return okStatus();
}

StatusOr<std::optional<BroadcastAxes>>
broadcastGradientAxes(DimSpace &space, const Dims &a, const Dims &b) {
  KILN_ASSIGN_OR_RETURN(Dims result, broadcastShapes(space, a, b));
  BroadcastAxes axes;
  bool same = a.size() == b.size();
  for (size_t i = 0; i < result.size(); ++i) {
    auto extent = [&](const Dims &dims) {
      size_t missing = result.size() - dims.size();
      return i < missing ? Dim::known(1) : space.resolve(dims[i - missing]);
    };
    Dim left = extent(a), right = extent(b);
    if (left.isUnknown() || right.isUnknown())
      return std::optional<BroadcastAxes>();
    same &= left == right;
    if (left == right && !left.isKnown())
      continue; // an extent of 1 would be summed over one element
    if (left.isKnown(1) != right.isKnown(1)) {
      // Where the other extent is open and turns out to be 1, TensorFlow lists
      // the axis for both; summing over one element changes nothing, and the
      // batch needs no class of its own.
      (left.isKnown(1) ? axes.a : axes.b).push_back(static_cast<int64_t>(i));
      continue;
    }
    std::optional<bool> oneA = space.isOne(left), oneB = space.isOne(right);
    if (!oneA || !oneB)
      return std::optional<BroadcastAxes>();
    if (*oneA)
      axes.a.push_back(static_cast<int64_t>(i));
    if (*oneB)
      axes.b.push_back(static_cast<int64_t>(i));
  }
  return std::optional<BroadcastAxes>(same ? BroadcastAxes() : std::move(axes));
}

} // namespace kiln
