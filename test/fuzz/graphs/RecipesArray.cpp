// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes, and rearrangements of elements by shapes.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>
#include <numeric>

namespace kiln::fuzz {
namespace {

bool shapeN(Call &call) {
  int64_t number = call.random.between(1, 3);
  call.set("N", number);
  for (int64_t i = 0; i < number; ++i)
    call.any();
  return call.done();
}

/// The same number of elements in another shape, one extent at times as -1.
bool reshape(Call &call) {
  Value x = call.any();
  Extents dims = x.dims;
  Random &random = call.random;
  switch (random.below(4)) {
  case 0: // all in one
    dims = {numElements(dims)};
    break;
  case 1:
    dims.insert(dims.begin() + random.below(int(dims.size()) + 1), 1);
    break;
  case 2: // two neighbours in one
    if (dims.size() >= 2) {
      size_t at = size_t(random.below(int(dims.size()) - 1));
      dims[at] = dims[at] * dims[at + 1];
      dims.erase(dims.begin() + long(at) + 1);
    }
    break;
  default:
    std::ranges::shuffle(dims, random.engine);
  }
  Extent count = numElements(dims);
  if (!dims.empty() && random.chance(50) && count.least() > 0) {
    random.pick(dims) = -1;
    call.integers(dims);
  } else {
    call.in(call.maker.shapeValue(call.next(), dims));
  }
  return call.done();
}

bool expandDims(Call &call) {
  Value x = call.any(0, 4);
  call.scalar(call.random.between(-x.rank() - 1, x.rank()));
  return call.done();
}

bool squeeze(Call &call) {
  Extents dims = call.maker.randomDims(0, 3);
  dims.insert(dims.begin() + call.random.below(int(dims.size()) + 1), 1);
  std::vector<int64_t> ones;
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] == Extent(1) && call.random.chance(50))
      ones.push_back(call.random.chance(30) ? int64_t(i) - int64_t(dims.size())
                                            : int64_t(i));
  if (!ones.empty())
    call.set("squeeze_dims", ones);
  else // the rank must not depend on the run
    for (Extent &dim : dims)
      if (!dim.isFixed())
        dim = 2;
  call.like(dims);
  return call.done();
}

bool ensureShape(Call &call) {
  Value x = call.any();
  Shape shape = shapeOf(x.dims, 0);
  for (int i = 0; i < shape.rank(); ++i)
    if (!x.dims[size_t(i)].isFixed() || call.random.chance(30))
      shape.setDim(i, -1);
  if (call.maker.isHostile && shape.rank() > 0) {
    call.maker.isHostile = false;
    shape.setDim(0, 77);
  }
  call.set("shape", shape);
  return call.done();
}

bool bitcast(Call &call) {
  DType from = call.type("T"), to = call.type("type");
  if (from == DType::Bool || to == DType::Bool || from == DType::String ||
      to == DType::String)
    return false;
  Extents dims = call.maker.randomDims(0, 3);
  if (dtypeSize(from) < dtypeSize(to))
    dims.push_back(int64_t(dtypeSize(to) / dtypeSize(from)));
  call.like(dims);
  return call.done();
}

bool fill(Call &call) {
  call.in(call.maker.shapeValue(call.next(), call.maker.randomDims()));
  call.like({});
  return call.done();
}

bool tile(Call &call) {
  Value x = call.any(0, 4);
  Extents multiples;
  for (int i = 0; i < x.rank(); ++i)
    multiples.push_back(call.random.among<int64_t>({1, 1, 2, 3, 0}));
  Extents result;
  for (size_t i = 0; i < multiples.size(); ++i)
    result.push_back(multiples[i] * x.dims[i]);
  if (mostElements(result) > 4000)
    multiples.assign(multiples.size(), 1);
  call.integers(multiples);
  return call.done();
}

bool broadcastTo(Call &call) {
  Extents dims = call.maker.randomDims();
  call.in(call.maker.broadcastable(call.next(), dims));
  if (call.inputs[0].rank() > int(dims.size()))
    return false;
  call.in(call.maker.shapeValue(call.next(), dims));
  return call.done();
}

bool broadcastArgs(Call &call) {
  Extents dims = call.maker.randomDims(), other = dims;
  for (Extent &dim : other)
    if (call.random.chance(30))
      dim = 1;
  if (call.random.chance(30) && !other.empty())
    other.erase(other.begin());
  call.in(call.maker.shapeValue(call.next(), dims));
  call.in(call.maker.shapeValue(call.next(), other));
  return call.done();
}

bool pack(Call &call) {
  int64_t number = call.random.between(1, 4);
  call.set("N", number);
  Value x = call.any(0, 4);
  call.set("axis", call.random.between(-x.rank() - 1, x.rank()));
  for (int64_t i = 1; i < number; ++i)
    call.like(x.dims);
  return call.done();
}

bool unpack(Call &call) {
  Extents dims = call.maker.randomDims(0, 3);
  int64_t number = call.random.between(1, 4);
  int at = call.random.below(int(dims.size()) + 1);
  dims.insert(dims.begin() + at, number);
  call.set("num", number);
  call.set("axis",
           call.random.chance(30) ? at - int64_t(dims.size()) : int64_t(at));
  call.like(dims);
  return call.done();
}

bool concat(Call &call) {
  int64_t number = call.random.between(2, 4);
  bool isFirst = call.def.name == "Concat";
  call.set("N", number);
  DType dtype = call.type("T");
  Value x = call.maker.any(dtype, 1);
  int axis = call.random.below(x.rank());
  int64_t given = call.random.chance(30) ? axis - x.rank() : axis;
  if (isFirst)
    call.scalar(given);
  call.in(x);
  for (int64_t i = 1; i < number; ++i) {
    Extents dims = x.dims;
    if (call.random.chance(50))
      dims[size_t(axis)] = call.maker.randomExtent();
    if (mostElements(dims) > 3000)
      dims[size_t(axis)] = 1;
    call.like(dims);
  }
  if (!isFirst)
    call.scalar(given);
  return call.done();
}

bool concatOffset(Call &call) {
  int64_t number = call.random.between(2, 4);
  call.set("N", number);
  Extents dims = call.maker.randomDims(1, 4);
  int axis = call.random.below(int(dims.size()));
  call.scalar(axis);
  for (int64_t i = 0; i < number; ++i) {
    dims[size_t(axis)] = call.maker.randomExtent();
    call.in(call.maker.shapeValue(call.next(), dims));
  }
  return call.done();
}

bool split(Call &call) {
  int64_t number = call.random.between(1, 3);
  Extents dims = call.maker.randomDims(1, 4);
  int axis = call.random.below(int(dims.size()));
  dims[size_t(axis)] = dims[size_t(axis)] * Extent(number);
  call.set("num_split", number);
  call.scalar(call.random.chance(30) ? axis - int64_t(dims.size()) : axis);
  call.like(dims);
  return call.done();
}

bool splitV(Call &call) {
  int64_t number = call.random.between(1, 4);
  Extents dims = call.maker.randomDims(1, 4), sizes;
  size_t axis = size_t(call.random.below(int(dims.size())));
  dims[axis] = 0;
  for (int64_t i = 0; i < number; ++i) {
    sizes.push_back(call.random.chance(20) ? call.maker.randomExtent()
                                           : Extent(call.random.below(4)));
    dims[axis] = dims[axis] + sizes.back();
  }
  if (mostElements(dims) > 4000)
    return false;
  call.set("num_split", number);
  call.like(dims);
  if (call.random.chance(40))
    call.random.pick(sizes) = -1;
  call.integers(sizes);
  call.scalar(int64_t(axis));
  return call.done();
}

bool slice(Call &call) {
  Value x = call.any();
  Extents begin, size;
  for (const Extent &dim : x.dims) {
    int64_t from = call.random.below(int(dim.least()) + 1);
    begin.push_back(from);
    switch (call.random.below(3)) {
    case 0:
      size.push_back(-1);
      break;
    case 1:
      size.push_back(dim - Extent(from));
      break;
    default:
      size.push_back(call.random.below(int(dim.least() - from) + 1));
    }
  }
  if (!begin.empty() && call.maker.isHostile) {
    call.maker.isHostile = false;
    begin[0] = call.random.among<int64_t>({-1, 1000000});
  }
  call.integers(begin);
  call.integers(size);
  return call.done();
}

/// Begin, end and stride of some dimensions, with masks.
struct Strided {
  Extents begin, end, strides;
};

Strided chooseStrided(Call &call, const Extents &dims) {
  Strided spec;
  Random &random = call.random;
  int entries = random.below(int(dims.size()) + 1);
  int64_t masks[5] = {};
  for (int i = 0; i < entries; ++i) {
    auto extent = static_cast<int>(dims[size_t(i)].least());
    bool isBack = random.chance(25);
    int64_t stride = random.among<int64_t>({1, 1, 1, 2, 3}) * (isBack ? -1 : 1);
    int64_t low = random.below(extent + 1), high = random.between(low, extent);
    spec.begin.push_back(isBack ? high - 1 : low);
    spec.end.push_back(isBack ? low - 1 - extent : high);
    spec.strides.push_back(stride);
    int64_t bit = int64_t(1) << i;
    for (int mask = 0; mask < 2; ++mask) // begin and end
      if (random.chance(25))
        masks[mask] |= bit;
    if (extent > 0 && random.chance(15)) {
      masks[4] |= bit; // one element
      spec.begin.back() = random.between(-extent, extent - 1);
      spec.strides.back() = 1;
      masks[0] &= ~bit;
    }
  }
  if (random.chance(20)) { // an ellipsis behind them
    masks[2] = int64_t(1) << entries;
    for (Extents *list : {&spec.begin, &spec.end, &spec.strides})
      list->push_back(1);
    ++entries;
  }
  if (random.chance(20)) {
    masks[3] = int64_t(1) << entries;
    for (Extents *list : {&spec.begin, &spec.end, &spec.strides})
      list->push_back(1);
  }
  const char *names[] = {"begin_mask", "end_mask", "ellipsis_mask",
                         "new_axis_mask", "shrink_axis_mask"};
  for (int i = 0; i < 5; ++i)
    call.set(names[i], masks[i]);
  return spec;
}

void addStrided(Call &call, const Strided &spec) {
  call.integers(spec.begin);
  call.integers(spec.end);
  call.integers(spec.strides);
}

bool stridedSlice(Call &call) {
  Value x = call.any(0, 4);
  addStrided(call, chooseStrided(call, x.dims));
  return call.done();
}

/// The gradient is of the shape that the slice itself would have.
bool stridedSliceGrad(Call &call) {
  DType dtype = call.type("T");
  Value x = call.maker.any(dtype, 0, 4);
  Strided spec = chooseStrided(call, x.dims);
  call.in(call.maker.shapeValue(call.next(), x.dims));
  addStrided(call, spec);
  AttrMap attrs = call.attrs;
  auto slice = call.maker.add(
      "StridedSlice", {x, call.inputs[1], call.inputs[2], call.inputs[3]},
      attrs);
  if (!slice || !slice->front().isKnown)
    return false;
  call.like(slice->front().dims);
  return call.done();
}

bool transpose(Call &call) {
  Value x = call.any();
  call.fresh({int64_t(x.rank())}, permutation());
  return call.done();
}

bool update(Call &call) {
  DType dtype = call.type("T");
  Value x = call.any(0, 4);
  addStrided(call, chooseStrided(call, x.dims));
  auto slice = call.maker.add(
      "StridedSlice", {x, call.inputs[1], call.inputs[2], call.inputs[3]},
      call.attrs);
  if (!slice || !slice->front().isKnown)
    return false;
  call.in(call.maker.like(dtype, slice->front().dims));
  return call.done();
}

bool parallelConcat(Call &call) {
  int64_t number = call.random.between(1, 4);
  call.set("N", number);
  Extents dims = call.maker.randomDims(0, 3);
  for (Extent &dim : dims)
    dim = dim.of[0];
  dims.insert(dims.begin(), 1);
  for (int64_t i = 0; i < number; ++i)
    call.like(dims);
  dims[0] = number;
  call.set("shape", shapeOf(dims, 0));
  return call.done();
}

bool empty(Call &call) {
  call.set("init", true);
  call.in(call.maker.shapeValue(call.next(), call.maker.randomDims()));
  return call.done();
}

bool reverseFlagged(Call &call) {
  Value x = call.any(0, 5);
  call.fresh({int64_t(x.rank())}, anything());
  return call.done();
}

bool invertPermutation(Call &call) {
  Extent number = call.maker.randomExtent();
  if (std::exchange(call.maker.isHostile, false))
    call.fresh({number}, hostileIndices(number));
  else
    call.fresh({number}, permutation());
  return call.done();
}

bool reverse(Call &call) {
  Value x = call.any(0, 5);
  std::vector<int64_t> axes(size_t(x.rank()), 0);
  std::iota(axes.begin(), axes.end(), 0);
  std::ranges::shuffle(axes, call.random.engine);
  axes.resize(size_t(call.random.below(x.rank() + 1)));
  call.integers(Extents(axes.begin(), axes.end()));
  return call.done();
}

bool pad(Call &call) {
  Value x = call.any(0, 4);
  Extents paddings;
  for (int i = 0; i < 2 * x.rank(); ++i)
    paddings.push_back(call.random.below(3));
  call.fresh({int64_t(x.rank()), 2}, exactly(paddings));
  if (call.def.name == "PadV2")
    call.like({});
  return call.done();
}

bool mirrorPad(Call &call) {
  bool isGrad = call.def.name == "MirrorPadGrad";
  bool isReflect = call.random.chance(50);
  call.set("mode", isReflect ? "REFLECT" : "SYMMETRIC");
  Extents dims = call.maker.randomDims(0, 4), paddings;
  for (Extent &dim : dims) {
    int64_t most = std::max<int64_t>(dim.least() - (isReflect ? 1 : 0), 0);
    int64_t before = call.random.below(int(std::min<int64_t>(most, 2)) + 1),
            after = call.random.below(int(std::min<int64_t>(most, 2)) + 1);
    paddings.push_back(before);
    paddings.push_back(after);
    if (isGrad)
      dim = dim + Extent(before + after);
  }
  call.like(dims);
  call.fresh({int64_t(dims.size()), 2}, exactly(paddings));
  return call.done();
}

bool identityN(Call &call) {
  for (size_t i = 0,
              end = call.attrs.find("T")->getIf<std::vector<DType>>()->size();
       i < end; ++i)
    call.any();
  return call.done();
}

bool withDefault(Call &call) {
  Maker &maker = call.maker;
  DType dtype = call.type("dtype");
  Extents dims = maker.randomDims();
  for (Extent &dim : dims)
    dim = dim.of[0];
  Value value = call.in(maker.constant(
      makeTensor(dtype, shapeOf(dims, 0), anything(), 0, call.random)));
  Shape shape = shapeOf(dims, 0);
  for (int i = 0; i < shape.rank(); ++i)
    if (call.random.chance(40))
      shape.setDim(i, -1);
  call.set("shape", shape);
  auto made = call.results();
  if (!made)
    return false;
  if (call.random.chance(50))
    for (size_t set = 0; set < numSets; ++set)
      maker.program.feeds[set][made->front().at.node->name()] =
          makeTensor(dtype, shapeOf(dims, 0), anything(), set, call.random);
  return true;
}

bool placeholder(Call &call) {
  // By their names: sources choose among them.
  for (int i = 0; i < 40 && !call.maker.made.count(call.def.name); ++i)
    call.maker.fresh(call.random.among({DType::Float32, DType::Int32}),
                     call.maker.randomDims());
  return true;
}

bool fakeParam(Call &call) {
  call.set("shape", Shape({2, call.random.between(0, 4)}));
  return call.done();
}

bool deviceIndex(Call &call) {
  call.set("device_names", std::vector<std::string>{"GPU", "CPU"});
  return call.done();
}

constexpr Recipe recipes[] = {
    {"ShapeN", shapeN},
    {"Reshape", reshape},
    {"ExpandDims", expandDims},
    {"Squeeze", squeeze},
    {"EnsureShape", ensureShape},
    {"Bitcast", bitcast},
    {"Fill", fill},
    {"FakeParam", fakeParam},
    {"DeviceIndex", deviceIndex},
    {"Tile", tile},
    {"BroadcastTo", broadcastTo},
    {"BroadcastArgs BroadcastGradientArgs", broadcastArgs},
    {"Pack", pack},
    {"Unpack", unpack},
    {"Concat ConcatV2", concat},
    {"ConcatOffset", concatOffset},
    {"Split", split},
    {"SplitV", splitV},
    {"Slice", slice},
    {"StridedSlice", stridedSlice},
    {"StridedSliceGrad", stridedSliceGrad},
    {"Transpose ConjugateTranspose", transpose},
    {"TensorStridedSliceUpdate", update},
    {"ParallelConcat", parallelConcat},
    {"Empty", empty},
    {"Reverse", reverseFlagged},
    {"InvertPermutation", invertPermutation},
    {"ReverseV2", reverse},
    {"Pad PadV2", pad},
    {"MirrorPad MirrorPadGrad", mirrorPad},
    {"IdentityN", identityN},
    {"PlaceholderWithDefault", withDefault, false},
    {"Placeholder PlaceholderV2 Const", placeholder, false},
};

} // namespace

std::span<const Recipe> arrayRecipes() { return recipes; }

} // namespace kiln::fuzz
