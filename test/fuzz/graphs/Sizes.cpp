// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on extents: each way makes a tensor of what was asked for.
#include "test/fuzz/graphs/Sizes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

using Made = std::optional<Value>;

/// The first output of a node.
Made first(std::optional<std::vector<Value>> outputs) {
  return outputs && !outputs->empty() ? Made(outputs->front()) : Made();
}

/// The output of a node whose extents only the run finds out, with them.
Made found(Maker &maker, const std::optional<std::vector<Value>> &outputs,
           size_t at, const Extents &dims) {
  if (!outputs)
    return {};
  const Value &output = (*outputs)[at];
  maker.forget(output);
  Value value = maker.standIn(output.at, output.dtype, dims);
  maker.keep(value);
  return value;
}

/// What is wanted: extents, one of which is to be computed.
struct Plan {
  Maker &maker;
  Random &random;
  DType dtype;
  Extents dims;
  size_t axis;

  const Extent &size() const { return dims[axis]; }
  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  /// A tensor of the wanted extents but for one.
  Value with(const Extent &extent) const {
    Extents own = dims;
    own[axis] = extent;
    return maker.fed(dtype, own);
  }
  Extents everywhere(const Extent &number) const {
    return Extents(dims.size(), number);
  }
  Value vector(const Extents &numbers) const {
    return maker.integers(DType::Int32, numbers);
  }
  /// A number from 0 to one of the set's.
  Extent part(const Extent &whole) const {
    return each([&](int64_t n) { return random.between(0, n); }, whole);
  }
};

AttrMap typed(DType dtype) { return {{"T", dtype}}; }

Made reshaped(const Plan &plan, const Value &from, Extents numbers) {
  Maker &maker = plan.maker;
  Made shape = plan.random.chance(40)
                   ? sizesTogether(maker, DType::Int32, numbers)
                   : Made();
  return first(maker.add(
      "Reshape", {from, shape ? *shape : maker.integers(DType::Int32, numbers)},
      {{"T", from.dtype}, {"Tshape", DType::Int32}}));
}

/// Two dimensions as one.
Made product(const Plan &plan) {
  Extent one, other;
  for (size_t set = 0; set < numSets; ++set) {
    int64_t n = plan.size().of[set];
    std::vector<int64_t> divisors = {1};
    for (int64_t d = 2; d <= n; ++d)
      if (n % d == 0)
        divisors.push_back(d);
    one.of[set] = plan.random.pick(divisors);
    other.of[set] = n / one.of[set];
  }
  Extents apart = plan.dims, numbers = plan.dims;
  apart[plan.axis] = one;
  apart.insert(apart.begin() + long(plan.axis) + 1, other);
  if (numElements(plan.dims).least() > 0 && plan.random.chance(70))
    numbers[plan.axis] = -1;
  return reshaped(plan, plan.maker.fed(plan.dtype, apart), numbers);
}

Made sum(const Plan &plan) {
  Extent part = plan.part(plan.size());
  bool isTwice = plan.random.chance(30) && plan.size().of[0] % 2 == 0 &&
                 plan.size().of[1] % 2 == 0;
  if (isTwice)
    part = each([](int64_t n) { return n / 2; }, plan.size());
  Value one = plan.with(part),
        other = isTwice ? one : plan.with(plan.size() - part),
        axis = plan.maker.constant(Tensor::scalar<int32_t>(int(plan.axis)));
  return first(
      plan.maker.add("ConcatV2", {one, other, axis},
                     {{"T", plan.dtype}, {"N", 2}, {"Tidx", DType::Int32}}));
}

Made strided(const Plan &plan, const Value &from, const Extent &begin,
             const Extent &stride) {
  Extents begins = plan.everywhere(0), strides = plan.everywhere(1);
  begins[plan.axis] = begin;
  strides[plan.axis] = stride;
  int64_t all = (int64_t(1) << plan.rank()) - 1;
  return first(
      plan.maker.add("StridedSlice",
                     {from, plan.vector(begins),
                      plan.vector(plan.everywhere(0)), plan.vector(strides)},
                     {{"T", plan.dtype},
                      {"Index", DType::Int32},
                      {"begin_mask", all & ~(int64_t(1) << plan.axis)},
                      {"end_mask", all},
                      {"ellipsis_mask", int64_t(0)},
                      {"new_axis_mask", int64_t(0)},
                      {"shrink_axis_mask", int64_t(0)}}));
}

Made half(const Plan &plan) {
  int64_t odd = plan.random.below(2);
  Extent twice =
      each([&](int64_t n) { return std::max<int64_t>(2 * n - odd, 0); },
           plan.size());
  return strided(plan, plan.with(twice), 0, 2);
}

Made allButFirst(const Plan &plan) {
  return strided(plan, plan.with(plan.size() + Extent(1)), 1, 1);
}

Made oneMore(const Plan &plan) {
  if (plan.size().least() < 1)
    return {};
  Extents paddings = Extents(plan.dims.size() * 2, 0);
  paddings[2 * plan.axis + size_t(plan.random.below(2))] = 1;
  return first(plan.maker.add(
      "Pad",
      {plan.with(plan.size() - Extent(1)),
       plan.maker.fresh(DType::Int32, {plan.rank(), 2}, exactly(paddings))},
      {{"T", plan.dtype}, {"Tpaddings", DType::Int32}}));
}

Made tiled(const Plan &plan) {
  int64_t times = plan.random.between(2, 3);
  if (plan.size().of[0] % times != 0 || plan.size().of[1] % times != 0)
    return {};
  Extents multiples = plan.everywhere(1);
  multiples[plan.axis] = times;
  Extent part = each([&](int64_t n) { return n / times; }, plan.size());
  return first(
      plan.maker.add("Tile", {plan.with(part), plan.vector(multiples)},
                     {{"T", plan.dtype}, {"Tmultiples", DType::Int32}}));
}

/// Two thirds of what there is, say, by fed numbers.
Made fedSlice(const Plan &plan) {
  Value from = plan.with(plan.size() + Extent(plan.random.below(3)));
  Value sizes = plan.maker.fed(DType::Int32, {plan.rank()}, exactly(plan.dims));
  return first(plan.maker.add("Slice",
                              {from, plan.vector(plan.everywhere(0)), sizes},
                              {{"T", plan.dtype}, {"Index", DType::Int32}}));
}

/// Writes true so many times, at random places; or 1, among zeros.
Fill withMany(const Extent &number) {
  return {[=](Tensor &tensor, size_t set, Random &random) {
            std::vector<int64_t> values(size_t(tensor.numElements()), 0);
            std::fill_n(values.begin(), number.of[set], 1);
            std::ranges::shuffle(values, random.engine);
            exactly(Extents(values.begin(), values.end()))
                .write(tensor, set, random);
          },
          number.isFixed()};
}

/// What boolean_mask does.
Made masked(const Plan &plan) {
  Maker &maker = plan.maker;
  Extent all = plan.size() + Extent(plan.random.below(4));
  Value mask = maker.fed(DType::Bool, {all}, withMany(plan.size()));
  Made where = found(maker, maker.add("Where", {mask}, typed(DType::Bool)), 0,
                     {plan.size(), 1});
  if (!where)
    return {};
  Made indices =
      first(maker.add("Reshape", {*where, maker.integers(DType::Int32, {-1})},
                      {{"T", DType::Int64}, {"Tshape", DType::Int32}}));
  if (!indices)
    return {};
  return first(
      maker.add("GatherV2",
                {plan.with(all), *indices,
                 maker.constant(Tensor::scalar<int32_t>(int(plan.axis)))},
                {{"Tparams", plan.dtype},
                 {"Tindices", DType::Int64},
                 {"Taxis", DType::Int32},
                 {"batch_dims", int64_t(0)}}));
}

Made partitioned(const Plan &plan) {
  Maker &maker = plan.maker;
  if (plan.axis != 0)
    return {};
  Extent all = plan.size() + Extent(plan.random.below(4));
  Value parts = maker.fed(DType::Int32, {all}, withMany(plan.size()));
  return found(maker,
               maker.add("DynamicPartition", {plan.with(all), parts},
                         {{"T", plan.dtype}, {"num_partitions", int64_t(2)}}),
               1, plan.dims);
}

/// So many numbers, some of them twice.
Made unique(const Plan &plan) {
  if (plan.rank() != 1 || !isSupported(plan.dtype) ||
      plan.dtype == DType::Bool || plan.dtype == DType::String ||
      std::max(plan.size().of[0], plan.size().of[1]) > 100)
    return {};
  Extent number = plan.size();
  Extent all =
      number.least() == 0 ? number : number + Extent(plan.random.below(4));
  Value from = plan.maker.fed(
      plan.dtype, {all}, {[=](Tensor &tensor, size_t set, Random &random) {
        Extents values;
        for (int64_t i = 0; i < tensor.numElements(); ++i)
          values.emplace_back(
              i < number.of[set] ? i : random.between(0, number.of[set] - 1));
        exactly(values).write(tensor, set, random);
      }});
  return found(plan.maker,
               plan.maker.add("Unique", {from},
                              {{"T", plan.dtype}, {"out_idx", DType::Int32}}),
               0, plan.dims);
}

Made square(const Plan &plan) {
  Extent root = each(
      [](int64_t n) {
        int64_t r = 0;
        while (r * r < n)
          ++r;
        return r;
      },
      plan.size());
  if (plan.rank() != 1 || root * root != plan.size() || !isFloating(plan.dtype))
    return {};
  Maker &maker = plan.maker;
  Value x = maker.fed(plan.dtype, {root});
  Made sides[2];
  for (int side = 0; side < 2; ++side)
    sides[side] = first(maker.add(
        "ExpandDims", {x, maker.constant(Tensor::scalar<int32_t>(side))},
        {{"T", plan.dtype}, {"Tdim", DType::Int32}}));
  if (!sides[0] || !sides[1])
    return {};
  Made all = first(maker.add("Mul", {*sides[0], *sides[1]}, typed(plan.dtype)));
  return all ? reshaped(plan, *all, {-1}) : Made();
}

Made pooled(const Plan &plan) {
  if (plan.rank() != 1 || plan.dtype != DType::Float32 ||
      plan.size().least() == 0)
    return {};
  Value x = plan.maker.fed(
      plan.dtype,
      {1, plan.size() * Extent(2) - Extent(plan.random.below(2)), 1, 1});
  std::vector<int64_t> window = {1, 2, 1, 1};
  Made pool = first(plan.maker.add("MaxPool", {x},
                                   {{"T", plan.dtype},
                                    {"ksize", window},
                                    {"strides", window},
                                    {"padding", "SAME"},
                                    {"data_format", "NHWC"}}));
  return pool ? reshaped(plan, *pool, {-1}) : Made();
}

Made counted(const Plan &plan) {
  if (plan.rank() != 1 || plan.dtype != DType::Int32)
    return {};
  return first(
      plan.maker.add("Range",
                     {plan.maker.constant(Tensor::scalar<int32_t>(0)),
                      plan.maker.fed(DType::Int32, {}, exactly({plan.size()})),
                      plan.maker.constant(Tensor::scalar<int32_t>(1))},
                     {{"Tidx", DType::Int32}}));
}

Made filled(const Plan &plan) {
  Made shape = sizesTogether(plan.maker, DType::Int32, plan.dims);
  if (!shape)
    return {};
  return first(
      plan.maker.add("Fill", {*shape, plan.maker.fresh(plan.dtype, {})},
                     {{"T", plan.dtype}, {"index_type", DType::Int32}}));
}

Made splitOff(const Plan &plan) {
  Extent rest = plan.random.below(4);
  Made together =
      sizesTogether(plan.maker, DType::Int32,
                    {plan.random.chance(30) ? Extent(-1) : plan.size(), rest});
  Value sizes = together ? *together
                         : plan.maker.fed(DType::Int32, {2},
                                          exactly({plan.size(), rest}));
  return first(plan.maker.add(
      "SplitV",
      {plan.with(plan.size() + rest), sizes,
       plan.maker.constant(Tensor::scalar<int32_t>(int(plan.axis)))},
      {{"T", plan.dtype}, {"Tlen", DType::Int32}, {"num_split", int64_t(2)}}));
}

/// A scalar of this number.
Made onePiece(Maker &maker, DType dtype, const Extent &number) {
  Random &random = maker.random;
  AttrMap sizeOf = {{"T", DType::Float32}, {"out_type", dtype}};
  auto vector = [&](const Extent &extent) {
    return maker.fed(DType::Float32, {extent});
  };
  switch (random.below(number.least() < 0 ? 2 : 6)) {
  case 0:
    return maker.scalarInteger(dtype, number);
  case 1: { // which the run finds out
    Made cast = first(maker.add(
        "Cast", {maker.fed(DType::Float32, {}, exactly({number}))},
        {{"SrcT", DType::Float32}, {"DstT", dtype}, {"Truncate", false}}));
    return cast ? maker.following(*cast, {number}) : cast;
  }
  case 2:
    return maker.fed(dtype, {}, exactly({number}));
  case 3: {
    Made size = first(maker.add("Size", {vector(number)}, sizeOf));
    return size ? maker.following(*size, {number}) : size;
  }
  case 4: { // one less than another one
    Made size = first(maker.add("Size", {vector(number + Extent(1))}, sizeOf));
    Made less =
        size ? first(maker.add("Sub", {*size, maker.scalarInteger(dtype, 1)},
                               typed(dtype)))
             : size;
    return less ? maker.following(*less, {number}) : less;
  }
  default: { // the last of a shape
    Value x = maker.fed(DType::Float32, {2, number});
    Made shape = first(maker.add("Shape", {x}, sizeOf));
    if (!shape)
      return {};
    Made last = first(maker.add("StridedSlice",
                                {*shape, maker.integers(DType::Int32, {1}),
                                 maker.integers(DType::Int32, {2}),
                                 maker.integers(DType::Int32, {1})},
                                {{"T", dtype},
                                 {"Index", DType::Int32},
                                 {"begin_mask", int64_t(0)},
                                 {"end_mask", int64_t(0)},
                                 {"ellipsis_mask", int64_t(0)},
                                 {"new_axis_mask", int64_t(0)},
                                 {"shrink_axis_mask", int64_t(1)}}));
    return last && last->rank() == 0 ? maker.following(*last, {number})
                                     : Made();
  }
  }
}

using Way = Made (*)(const Plan &);
constexpr Way ways[] = {product,     product, sum,    half,    allButFirst,
                        oneMore,     tiled,   square, pooled,  fedSlice,
                        masked,      masked,  unique, counted, filled,
                        partitioned, splitOff};

} // namespace

std::optional<Value> ofComputedSizes(Maker &maker, DType dtype,
                                     const Extents &dims) {
  if (dims.empty() || !isSupported(dtype))
    return {};
  Extents own = maker.scope->focus ? only(dims, *maker.scope->focus) : dims;
  Plan plan{maker, maker.random, dtype, own,
            size_t(maker.random.below(int(own.size())))};
  for (int trial = 0; trial < 3; ++trial)
    // In a region that does not run nothing need be what it was made for.
    if (Made made = maker.random.pick(ways)(plan);
        made && made->isKnown && made->dims.size() == own.size())
      return made;
  return {};
}

std::optional<Value> sizesTogether(Maker &maker, DType dtype,
                                   const Extents &numbers) {
  if (numbers.empty() || (dtype != DType::Int32 && dtype != DType::Int64))
    return {};
  std::vector<Value> pieces;
  for (const Extent &number : numbers) {
    Made piece = onePiece(maker, dtype, number);
    if (!piece)
      return {};
    pieces.push_back(*piece);
  }
  Made shape = first(maker.add("Pack", pieces,
                               {{"T", dtype},
                                {"N", static_cast<int64_t>(pieces.size())},
                                {"axis", int64_t(0)}}));
  return shape ? maker.following(*shape, numbers) : shape;
}

} // namespace kiln::fuzz
