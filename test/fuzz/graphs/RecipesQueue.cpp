// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues and tables: small programs around the op that is asked for.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

std::string lastNode(const Maker &maker) {
  const Graph &graph = *maker.scope->graph;
  return graph.node(graph.numNodes() - 1)->name();
}

std::string V2(const Call &call) {
  return call.def.name.ends_with("V2") ? "V2" : "";
}

bool starts(const Call &call, std::string_view prefix) {
  return call.def.name.starts_with(prefix);
}

/// Elements of a queue: of fixed shapes, so that several can be taken at once.
struct Element {
  DType dtype;
  Extents dims;
};

/// A queue and what is known of its elements.
struct Queue {
  std::string kind, end;
  std::vector<Element> elements;
  std::vector<DType> all; ///< of the components
  Value handle = {};

  /// Values for the components, with these dimensions before their own.
  std::vector<Value> components(Maker &maker, const Extents &before) const {
    std::vector<Value> inputs = {handle};
    if (kind == "PriorityQueue")
      inputs.push_back(maker.fresh(DType::Int64, before, between(0, 20)));
    for (const Element &element : elements) {
      Extents dims = before;
      dims.insert(dims.end(), element.dims.begin(), element.dims.end());
      inputs.push_back(maker.like(element.dtype, dims));
    }
    return inputs;
  }
};

std::optional<Queue> makeQueue(Call &call) {
  Maker &maker = call.maker;
  Random &random = call.random;
  std::string end = V2(call);
  std::string kind = random.among<std::string>(
      {"FIFOQueue", "PaddingFIFOQueue", "RandomShuffleQueue", "PriorityQueue"});
  if (starts(call, "FIFO") || starts(call, "Padding") ||
      starts(call, "RandomShuffle") || starts(call, "Priority"))
    kind = call.def.name.substr(0, call.def.name.size() - end.size());
  std::vector<Element> elements(size_t(random.between(1, 2)));
  std::vector<DType> types, all;
  std::vector<Shape> shapes;
  if (kind == "PriorityQueue")
    all.push_back(DType::Int64);
  for (Element &element : elements) {
    element.dtype = random.among({DType::Float32, DType::Int32, DType::Int64,
                                  DType::Bool, DType::String});
    for (Extent &dim : element.dims = maker.randomDims(0, 2))
      dim = dim.of[0];
    types.push_back(element.dtype);
    all.push_back(element.dtype);
    shapes.push_back(shapeOf(element.dims, 0));
  }
  AttrMap attrs = {{"component_types", types}, {"shapes", shapes}};
  if (kind == "RandomShuffleQueue") {
    attrs.set("seed", random.between(1, 99));
    attrs.set("seed2", random.between(1, 99));
  }
  auto made = maker.add(kind + end, {}, attrs);
  if (!made)
    return std::nullopt;
  return Queue{kind, end, std::move(elements), std::move(all), made->front()};
}

/// Makes a queue, puts elements into it and takes some of them.
bool queue(Call &call) {
  Maker &maker = call.maker;
  Random &random = call.random;
  std::optional<Queue> made = makeQueue(call);
  if (!made)
    return false;
  const auto &[kind, end, elements, all, handle] = *made;
  int64_t number = random.between(2, 5);
  bool many = !starts(call, "QueueEnqueue") ? random.chance(70)
                                            : starts(call, "QueueEnqueueMany");
  AttrMap put = {{"Tcomponents", all}}, take = {{"component_types", all}};
  std::vector<std::string> behind;
  if (many) {
    if (!maker.add("QueueEnqueueMany" + end, made->components(maker, {number}),
                   put))
      return false;
    maker.target(lastNode(maker));
    behind = {lastNode(maker)};
  } else {
    for (int64_t i = 0; i < number; ++i) {
      if (!maker.add("QueueEnqueue" + end, made->components(maker, {}), put,
                     behind))
        return false;
      maker.target(lastNode(maker));
      behind = {lastNode(maker)};
    }
  }
  std::string way = random.among<std::string>(
      {"QueueDequeue", "QueueDequeueMany", "QueueDequeueUpTo"});
  if (starts(call, "QueueDequeue"))
    way = call.def.name.substr(0, call.def.name.size() - end.size());
  std::vector<Value> inputs = {handle};
  if (way != "QueueDequeue")
    inputs.push_back(
        maker.scalarInteger(DType::Int32, random.between(0, number)));
  if (!maker.add(way + end, inputs, take, behind))
    return false;
  maker.target(lastNode(maker));
  behind = {lastNode(maker)};
  maker.add("QueueSize" + end, {handle}, {}, behind);
  if (starts(call, "QueueClose") || random.chance(5)) {
    maker.add("QueueClose" + end, {handle}, {}, {lastNode(maker)});
    maker.target(lastNode(maker));
    behind = {lastNode(maker)};
  }
  maker.add("QueueIsClosed" + end, {handle}, {}, behind);
  return true;
}

/// A table and what is known of its keys and values.
struct Table {
  std::string kind, end;
  DType key, value;
  Extents dims; ///< of a value
  Value handle = {};

  Value keys(Maker &maker, const Extents &shape, bool isDistinct) const {
    if (key == DType::Int64)
      return maker.fresh(key, shape,
                         isDistinct ? permutation() : between(0, 9));
    std::vector<std::string> list = {"a", "b", "c", "d", "e", "f"};
    if (isDistinct)
      return maker.constant(*Tensor::fromStrings(
          shapeOf(shape, 0), std::span<const std::string>(list).subspan(
                                 0, size_t(shape[0].of[0]))));
    return maker.fresh(key, shape, texts(list));
  }
};

/// What kind of table the call takes.
std::string kindOfTable(Call &call, const std::string &end) {
  Random &random = call.random;
  std::string kind = random.among<std::string>({"HashTable", "MutableHashTable",
                                                "MutableHashTableOfTensors",
                                                "MutableDenseHashTable"});
  if (starts(call, "HashTable") || starts(call, "Mutable"))
    kind = call.def.name.substr(0, call.def.name.size() - end.size());
  if (starts(call, "Initialize"))
    kind = "HashTable";
  if (kind == "HashTable" &&
      (starts(call, "LookupTableInsert") || starts(call, "LookupTableRemove") ||
       starts(call, "LookupTableImport")))
    kind = "MutableHashTable";
  if (starts(call, "LookupTableRemove"))
    kind = "MutableHashTable";
  if (kind == "MutableDenseHashTable" && end.empty())
    kind = "MutableHashTable";
  return kind;
}

std::optional<Table> makeTable(Call &call) {
  Maker &maker = call.maker;
  Random &random = call.random;
  std::string end = V2(call);
  std::string kind = kindOfTable(call, end);
  DType key = random.among({DType::Int64, DType::String}),
        value = random.among(
            {DType::Float32, DType::Int64, DType::String, DType::Int32});
  Extents dims;
  if (kind == "MutableHashTableOfTensors" || kind == "MutableDenseHashTable") {
    dims = {random.between(1, 3)};
    if (kind == "MutableDenseHashTable" && value == DType::String)
      value = DType::Float32;
  }
  AttrMap attrs = {{"key_dtype", key}, {"value_dtype", value}};
  std::vector<Value> inputs;
  if (!dims.empty())
    attrs.set("value_shape", shapeOf(dims, 0));
  if (kind == "MutableDenseHashTable")
    for (int64_t i = 0; i < 2; ++i)
      inputs.push_back(maker.constant(
          key == DType::Int64
              ? Tensor::scalar<int64_t>(-1 - i)
              : Tensor::scalar(std::string_view(i ? "deleted" : "empty"))));
  auto made = maker.add(kind + end, inputs, attrs);
  if (!made)
    return std::nullopt;
  return Table{kind, end, key, value, std::move(dims), made->front()};
}

/// Makes a table, fills it and looks keys up.
bool table(Call &call) {
  Maker &maker = call.maker;
  Random &random = call.random;
  std::optional<Table> made = makeTable(call);
  if (!made)
    return false;
  const auto &[kind, end, key, value, dims, handle] = *made;
  int64_t number = random.between(1, 5);
  Extents values = {number};
  values.insert(values.end(), dims.begin(), dims.end());
  AttrMap pair = {{"Tin", key}, {"Tout", value}};
  std::vector<std::string> behind;
  Value first = made->keys(maker, {number}, true),
        second = maker.fresh(value, values);
  if (kind == "HashTable") {
    // Its inputs cannot be fed.
    second = maker.constant(
        makeTensor(value, shapeOf(values, 0), anything(), 0, random));
    if (key == DType::Int64)
      first = maker.constant(
          makeTensor(key, shapeOf({number}, 0), permutation(), 0, random));
    if (!maker.add("InitializeTable" + end, {handle, first, second},
                   {{"Tkey", key}, {"Tval", value}}))
      return false;
    maker.initializer(lastNode(maker));
  } else {
    std::string way = starts(call, "LookupTableImport") || random.chance(30)
                          ? "LookupTableImport"
                          : "LookupTableInsert";
    if (!maker.add(way + end, {handle, first, second}, pair))
      return false;
    maker.target(lastNode(maker));
    behind = {lastNode(maker)};
  }
  if (starts(call, "LookupTableRemove")) {
    if (!maker.add("LookupTableRemove" + end,
                   {handle, made->keys(maker, {2}, false)}, {{"Tin", key}},
                   behind))
      return false;
    maker.target(lastNode(maker));
    behind = {lastNode(maker)};
  }
  maker.add("LookupTableFind" + end,
            {handle,
             made->keys(maker,
                        kind == "MutableDenseHashTable"
                            ? Extents{random.between(0, 4)}
                            : maker.randomDims(0, 2),
                        false),
             maker.fresh(value, dims)},
            pair, behind);
  maker.add("LookupTableSize" + end, {handle}, {}, behind);
  if (starts(call, "LookupTableExport"))
    return maker
        .add("LookupTableExport" + end, {handle},
             {{"Tkeys", key}, {"Tvalues", value}}, behind)
        .has_value();
  return true;
}

constexpr Recipe recipes[] = {
    {"FIFOQueue FIFOQueueV2 PaddingFIFOQueue PaddingFIFOQueueV2 "
     "RandomShuffleQueue RandomShuffleQueueV2 PriorityQueue PriorityQueueV2 "
     "QueueEnqueue QueueEnqueueV2 QueueEnqueueMany QueueEnqueueManyV2 "
     "QueueDequeue QueueDequeueV2 QueueDequeueMany QueueDequeueManyV2 "
     "QueueDequeueUpTo QueueDequeueUpToV2 QueueClose QueueCloseV2 "
     "QueueIsClosed QueueIsClosedV2 QueueSize QueueSizeV2",
     queue, false},
    {"HashTable HashTableV2 MutableHashTable MutableHashTableV2 "
     "MutableHashTableOfTensors MutableHashTableOfTensorsV2 "
     "MutableDenseHashTableV2 InitializeTable InitializeTableV2 "
     "LookupTableFind LookupTableFindV2 LookupTableInsert LookupTableInsertV2 "
     "LookupTableRemoveV2 LookupTableImport LookupTableImportV2 "
     "LookupTableExport LookupTableExportV2 LookupTableSize "
     "LookupTableSizeV2",
     table, false},
};

} // namespace

std::span<const Recipe> queueRecipes() { return recipes; }

} // namespace kiln::fuzz
