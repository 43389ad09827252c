// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorArrays, stacks, TensorLists and optionals: small programs around the
// op that is asked for.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

bool contains(const Call &call, std::string_view part) {
  return call.def.name.find(part) != std::string::npos;
}

Extents rows(const Extent &number, const Extents &dims) {
  Extents all = {number};
  all.insert(all.end(), dims.begin(), dims.end());
  return all;
}

Extents counting(int64_t number) {
  Extents list;
  for (int64_t i = 0; i < number; ++i)
    list.push_back(i);
  return list;
}

/// A TensorArray that is filled in one of three ways.
class Array {
public:
  Array(Call &call)
      : call(call), maker(call.maker),
        isThird(call.def.name.ends_with("V3") || contains(call, "WithShape")),
        end(isThird ? "V3" : "V2"),
        dtype(call.random.among(
            {DType::Float32, DType::Int32, DType::Float64, DType::Bool})),
        dims(maker.randomDims(0, 3)), number(call.random.between(1, 4)) {
    if (contains(call, "Grad"))
      dtype = DType::Float32;
    way = contains(call, "Scatter") ? 0
          : contains(call, "Split") ? 1
          : contains(call, "Write") ? 2
                                    : call.random.below(3);
    if (dims.empty() && (way == 1 || contains(call, "Concat")))
      dims = {call.random.between(1, 3)};
  }

  bool make() {
    AttrMap attrs = {{"dtype", dtype}, {"clear_after_read", false}};
    if (isFixed(dims) && call.random.chance(50))
      attrs.set("element_shape", shapeOf(dims, 0));
    auto made = maker.add("TensorArray" + end,
                          {maker.scalarInteger(DType::Int32, number)}, attrs);
    if (!made)
      return false;
    handle = made->front();
    flow = isThird ? made->at(1) : maker.constant(Tensor::scalar(0.0f));
    return fill(handle);
  }

  bool fill(const Value &into) {
    if (way == 0)
      return follow(
          maker.add("TensorArrayScatter" + end,
                    {into, maker.integers(DType::Int32, counting(number)),
                     maker.like(dtype, rows(number, dims)), flow},
                    {{"T", dtype}}));
    if (way == 1) {
      Extents whole = dims;
      whole[0] = whole[0] * Extent(number);
      return follow(maker.add(
          "TensorArraySplit" + end,
          {into, maker.like(dtype, whole),
           maker.integers(DType::Int64, Extents(size_t(number), dims[0])),
           flow},
          {{"T", dtype}}));
    }
    for (int64_t i = 0; i < number; ++i)
      if (!follow(maker.add("TensorArrayWrite" + end,
                            {into, maker.scalarInteger(DType::Int32, i),
                             maker.like(dtype, dims), flow},
                            {{"T", dtype}})))
        return false;
    return true;
  }

  bool read() {
    int64_t place = std::exchange(maker.isHostile, false)
                        ? number + 1
                        : call.random.below(int(number));
    if (contains(call, "Concat"))
      return !dims.empty() && maker.add("TensorArrayConcat" + end,
                                        {handle, flow}, {{"dtype", dtype}});
    if (contains(call, "Gather"))
      return maker
          .add("TensorArrayGather" + end,
               {handle,
                maker.fresh(DType::Int32, {call.random.between(0, 4)},
                            indicesBelow(number)),
                flow},
               {{"dtype", dtype}})
          .has_value();
    auto made =
        maker.add("TensorArrayRead" + end,
                  {handle, maker.scalarInteger(DType::Int32, place), flow},
                  {{"dtype", dtype}});
    auto size = maker.add("TensorArraySize" + end, {handle, flow});
    if (made && size && contains(call, "Close")) {
      maker.add("TensorArrayClose" + end, {handle}, {},
                {made->front().at.node->name(), size->front().at.node->name()});
      const Graph &graph = *maker.scope->graph;
      if (maker.isMain())
        maker.target(graph.node(graph.numNodes() - 1)->name());
    }
    return made.has_value();
  }

  bool gradient() {
    std::vector<Value> inputs = {handle, flow};
    bool isShaped = contains(call, "WithShape");
    if (isShaped)
      inputs.push_back(maker.integers(DType::Int32, {2}));
    auto made = maker.add(call.def.name, inputs, {{"source", "gradients"}});
    if (!made)
      return false;
    handle = made->front();
    if (isThird)
      flow = made->at(1);
    if (isShaped)
      dims = rows(2, dims);
    return fill(handle);
  }

private:
  bool follow(const std::optional<std::vector<Value>> &made) {
    if (made)
      flow = made->front();
    return made.has_value();
  }

  Call &call;
  Maker &maker;
  bool isThird;
  std::string end;
  DType dtype;
  Extents dims;
  int64_t number;
  int way; ///< to fill it: scatter, split or writes
  Value handle, flow;
};

bool tensorArray(Call &call) {
  Array array(call);
  if (!array.make())
    return false;
  if (contains(call, "Grad") && !array.gradient())
    return false;
  return array.read();
}

bool stack(Call &call) {
  Maker &maker = call.maker;
  std::string end = call.def.name.ends_with("V2") ? "V2" : "";
  DType dtype = call.random.among(
      {DType::Float32, DType::Int32, DType::Bool, DType::Float64});
  std::vector<Value> inputs;
  if (!end.empty())
    inputs.push_back(maker.scalarInteger(DType::Int32, -1));
  auto made = maker.add("Stack" + end, inputs, {{"elem_type", dtype}});
  if (!made)
    return false;
  Value handle = made->front();
  std::vector<std::string> behind;
  int64_t number = call.random.between(1, 3);
  Extents dims = maker.randomDims(0, 3);
  for (bool isPush : {true, false})
    for (int64_t i = 0; i < number; ++i) {
      made = isPush ? maker.add("StackPush" + end,
                                {handle, maker.like(dtype, dims)},
                                {{"T", dtype}}, behind)
                    : maker.add("StackPop" + end, {handle},
                                {{"elem_type", dtype}}, behind);
      if (!made)
        return false;
      behind = {made->front().at.node->name()};
      if (maker.isMain())
        maker.target(behind[0]);
    }
  if (contains(call, "Close")) {
    maker.add("StackClose" + end, {handle}, {}, behind);
    const Graph &graph = *maker.scope->graph;
    if (maker.isMain())
      maker.target(graph.node(graph.numNodes() - 1)->name());
  }
  return true;
}

/// A TensorList and what is done with it.
class List {
public:
  List(Call &call)
      : call(call), maker(call.maker),
        dtype(call.random.among({DType::Float32, DType::Int32, DType::Float64,
                                 DType::Bool, DType::Int64})),
        number(call.random.between(1, 4)) {
    for (Extent &dim : dims = maker.randomDims(0, 2))
      dim = dim.of[0];
    if (contains(call, "Concat") && dims.empty())
      dims = {2};
    typed = {{"element_dtype", dtype}};
    shaped = {{"element_dtype", dtype}, {"shape_type", DType::Int32}};
  }

  bool make() {
    using Names = std::vector<std::string>;
    Names ways = {"EmptyTensorList",      "TensorListReserve",
                  "TensorListFromTensor", "TensorListScatter",
                  "TensorListScatterV2",  "TensorListSplit"};
    std::string way = call.random.pick(ways);
    if (std::ranges::count(ways, call.def.name))
      way = call.def.name;
    if (way == "TensorListSplit" && dims.empty())
      way = "TensorListFromTensor";
    Value shape = elementShape();
    std::optional<std::vector<Value>> made;
    Extents all = rows(number, dims);
    if (way == "EmptyTensorList")
      made = maker.add(way, {shape, maker.scalarInteger(DType::Int32, -1)},
                       shaped);
    else if (way == "TensorListReserve")
      made = maker.add(way, {shape, maker.scalarInteger(DType::Int32, number)},
                       shaped);
    else if (way == "TensorListFromTensor")
      made = maker.add(way, {maker.like(dtype, all), shape}, shaped);
    else if (way == "TensorListScatter")
      made = maker.add(way, {maker.like(dtype, all), places(), shape}, shaped);
    else if (way == "TensorListScatterV2")
      made = maker.add(way,
                       {maker.like(dtype, all), places(), shape,
                        maker.scalarInteger(DType::Int32, number)},
                       shaped);
    else
      made = split(shape);
    if (!follow(made))
      return false;
    if (way == "EmptyTensorList")
      for (int64_t i = 0; i < number; ++i)
        if (!follow(maker.add("TensorListPushBack",
                              {list, maker.like(dtype, dims)}, typed)))
          return false;
    return true;
  }

  bool use() {
    const std::string &op = call.def.name;
    Value shape = elementShape();
    if (op == "TensorListPushBack" || call.random.chance(20)) {
      if (!follow(maker.add("TensorListPushBack",
                            {list, maker.like(dtype, dims)}, typed)))
        return false;
      ++number;
    }
    if (op == "TensorListSetItem" || call.random.chance(20))
      if (!follow(maker.add("TensorListSetItem",
                            {list, place(), maker.like(dtype, dims)}, typed)))
        return false;
    if (op == "TensorListScatterIntoExistingList")
      if (!follow(maker.add(
              op, {list, maker.like(dtype, rows(number, dims)), places()},
              typed)))
        return false;
    if (op == "TensorListResize") {
      number = call.random.between(1, 5);
      if (!follow(
              maker.add(op, {list, maker.scalarInteger(DType::Int32, number)})))
        return false;
    }
    if (op == "TensorListConcatLists") {
      if (!follow(maker.add(op, {list, list}, typed)))
        return false;
      number *= 2;
    }
    if (op == "TensorListPopBack") {
      auto made = maker.add(op, {list, shape}, typed);
      return made.has_value();
    }
    if (op == "TensorListElementShape")
      return maker.add(op, {list}, {{"shape_type", DType::Int32}}).has_value();
    if (op == "TensorListConcat")
      return maker.add(op, {list}, typed).has_value();
    if (op == "TensorListConcatV2")
      return maker
          .add(op, {list, shape, maker.integers(DType::Int64, {})}, shaped)
          .has_value();
    if (op == "TensorListGather")
      return maker
          .add(op,
               {list,
                maker.fresh(DType::Int32, {call.random.between(0, 4)},
                            indicesBelow(number)),
                shape},
               typed)
          .has_value();
    if (op == "TensorListGetItem" || call.random.chance(30))
      return maker.add("TensorListGetItem", {list, place(), shape}, typed)
          .has_value();
    maker.add("TensorListLength", {list});
    return maker.add("TensorListStack", {list, shape}, typed).has_value();
  }

  /// A vector of lists, each of which gets an element.
  bool pushBatch() {
    auto other = maker.add(
        "EmptyTensorList",
        {elementShape(), maker.scalarInteger(DType::Int32, -1)}, shaped);
    auto both = other ? maker.add("Pack", {list, other->front()},
                                  {{"T", DType::Variant}, {"N", 2}})
                      : std::nullopt;
    return both &&
           follow(maker.add("TensorListPushBackBatch",
                            {both->front(), maker.like(dtype, rows(2, dims))},
                            typed));
  }

private:
  Value elementShape() {
    return maker.constant(makeTensor(DType::Int32,
                                     shapeOf({int64_t(dims.size())}, 0),
                                     exactly(dims), 0, call.random));
  }
  Value place() {
    return maker.scalarInteger(DType::Int32,
                               std::exchange(maker.isHostile, false)
                                   ? number + 3
                                   : call.random.below(int(number)));
  }
  Value places() { return maker.fresh(DType::Int32, {number}, permutation()); }
  std::optional<std::vector<Value>> split(const Value &) {
    Extents whole = dims;
    whole[0] = whole[0] * Extent(number);
    return maker.add(
        "TensorListSplit",
        {maker.like(dtype, whole), elementShape(),
         maker.integers(DType::Int64, Extents(size_t(number), dims[0]))},
        shaped);
  }
  bool follow(const std::optional<std::vector<Value>> &made) {
    if (made)
      list = made->front();
    return made.has_value();
  }

  Call &call;
  Maker &maker;
  DType dtype;
  Extents dims;
  int64_t number;
  AttrMap typed, shaped;
  Value list;
};

bool tensorList(Call &call) {
  List list(call);
  if (!list.make())
    return false;
  return call.def.name == "TensorListPushBackBatch" ? list.pushBatch()
                                                    : list.use();
}

bool optional(Call &call) {
  Maker &maker = call.maker;
  Value x = maker.any(DType::Float32), y = maker.any(DType::Int32);
  std::vector<DType> types = {DType::Float32, DType::Int32};
  auto made =
      maker.add("OptionalFromValue", {x, y}, {{"Toutput_types", types}});
  if (!made)
    return false;
  Value full = made->front();
  maker.add("OptionalHasValue", {full});
  if (call.def.name == "OptionalNone") {
    made = maker.add("OptionalNone", {});
    return made && maker.add("OptionalHasValue", {made->front()});
  }
  return maker
      .add("OptionalGetValue", {full},
           {{"output_types", types},
            {"output_shapes", std::vector<Shape>{Shape::unknownDims(x.rank()),
                                                 Shape::unknownRank()}}})
      .has_value();
}

constexpr Recipe recipes[] = {
    {"TensorArrayV3 TensorArrayGradV3 TensorArrayGradWithShape "
     "TensorArrayWriteV3 TensorArrayReadV3 TensorArrayGatherV3 "
     "TensorArrayScatterV3 TensorArrayConcatV3 TensorArraySplitV3 "
     "TensorArraySizeV3 TensorArrayCloseV3 TensorArrayV2 TensorArrayGradV2 "
     "TensorArrayWriteV2 TensorArrayReadV2 TensorArrayGatherV2 "
     "TensorArrayScatterV2 TensorArrayConcatV2 TensorArraySplitV2 "
     "TensorArraySizeV2 TensorArrayCloseV2",
     tensorArray, false},
    {"Stack StackV2 StackPush StackPushV2 StackPop StackPopV2 StackClose "
     "StackCloseV2",
     stack, false},
    {"EmptyTensorList TensorListReserve TensorListFromTensor "
     "TensorListScatter TensorListScatterV2 TensorListSplit "
     "TensorListPushBack TensorListPushBackBatch TensorListPopBack "
     "TensorListGetItem TensorListSetItem TensorListScatterIntoExistingList "
     "TensorListResize TensorListLength TensorListElementShape "
     "TensorListStack TensorListGather TensorListConcat TensorListConcatV2 "
     "TensorListConcatLists",
     tensorList, true},
    {"OptionalFromValue OptionalNone OptionalHasValue OptionalGetValue",
     optional, false},
};

} // namespace

std::span<const Recipe> listRecipes() { return recipes; }

} // namespace kiln::fuzz
