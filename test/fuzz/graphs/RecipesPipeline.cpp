// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets: a source, transformations behind it, and what takes elements.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

/// A dataset, and what is known of its elements.
class Pipeline {
public:
  explicit Pipeline(Call &call)
      : maker(call.maker), random(call.random), subject(call.def.name) {}

  bool begin();
  bool apply(const std::string &op);
  bool take();
  bool count(const std::string &op) {
    return maker.add(op, {dataset}).has_value();
  }

  Maker &maker;

private:
  bool add(const std::string &op, std::vector<Value> inputs,
           AttrMap attrs = {});
  bool addOfFunction(const OpDef &def);
  bool addOfState(const OpDef &def);
  bool addWindows();
  bool addGroups(const OpDef &def);
  bool addDirected(const OpDef &def);
  Value batchOf(const Value &part, DType dtype, const Extents &dims,
                int64_t size);
  std::vector<Value> zipOf(std::vector<Value> parts);
  std::unique_ptr<Scope> body(std::vector<Value> before);
  std::vector<Value> inner();
  std::vector<Value> likeElement();
  void addCaptures(const Scope &region, std::vector<Value> &inputs,
                   AttrMap &attrs) const;
  bool addInput(const ArgDef &arg, std::vector<Value> &inputs);
  AttrMap elements() const;
  Value number(int64_t least, int64_t most) {
    return maker.scalarInteger(DType::Int64, random.between(least, most));
  }
  Value text(const Shape &shape, const std::string &text = "a") {
    return maker.constant(*Tensor::fromStrings(shape, {text}));
  }
  Value flag(bool value) { return maker.constant(Tensor::scalar(value)); }

  Random &random;
  const std::string subject;
  Value dataset = {};
  int64_t batch = 1;
  size_t numGiven = 0; ///< arguments of a function that are no captures
  std::vector<DType> types;
  std::vector<Extents> dims; ///< the same in all sets
};

AttrMap Pipeline::elements() const {
  std::vector<Shape> shapes;
  for (const Extents &extents : dims)
    shapes.push_back(shapeOf(extents, 0));
  return {{"output_types", types}, {"output_shapes", shapes}};
}

/// Adds a node behind the dataset, which is the new one then.
bool Pipeline::add(const std::string &op, std::vector<Value> inputs,
                   AttrMap attrs) {
  if (op.find("Batch") != op.npos)
    for (Extents &element : dims)
      element.insert(element.begin(), batch);
  const AttrMap all = elements();
  for (const char *name : {"output_types", "output_shapes"})
    attrs.set(name, *all.find(name));
  auto made = maker.add(op, inputs, attrs);
  if (!made)
    return false;
  dataset = made->front();
  maker.forget(dataset);
  return true;
}

/// Begins with a few elements.
bool Pipeline::begin() {
  const bool isAny =
      !subject.starts_with("Tensor") && !subject.starts_with("Range") &&
      !subject.starts_with("List") && subject.find("Random") == subject.npos;
  const bool wantsNumbers = subject.find("Unique") != subject.npos ||
                            subject.find("Window") != subject.npos;
  const std::string op =
      wantsNumbers ? "RangeDataset"
      : isAny ? random.among<std::string>(
                    {"TensorSliceDataset", "TensorDataset", "RangeDataset"})
              : subject;
  types = {DType::Int64};
  dims = {{}};
  if (op == "ListDataset") {
    std::vector<Value> elements;
    for (int i = 0; i < 4; ++i)
      elements.push_back(maker.like(DType::Int64, {}));
    return add(op, elements,
               {{"Tinput_types", std::vector<DType>(4, DType::Int64)}});
  }
  if (op == "RangeDataset")
    return add(op, {number(0, 1), number(5, 7), number(1, 1)});
  if (op.find("Random") != op.npos) {
    std::vector<Value> inputs = {number(1, 9), number(1, 9)};
    for (const ArgDef &arg : std::span(lookupOp(op)->inputs).subspan(2))
      if (!addInput(arg, inputs))
        return false;
    return add(op, inputs) && add("TakeDataset", {dataset, number(4, 6)});
  }
  const int64_t rows = random.between(4, 6);
  std::vector<Value> components;
  types.clear();
  dims.clear();
  for (int64_t i = random.between(1, 2); i > 0; --i) {
    types.push_back(random.among({DType::Float32, DType::Int32, DType::Int64,
                                  DType::Bool, DType::String}));
    Extents element = maker.randomDims(0, 2);
    for (Extent &dim : element)
      dim = dim.of[0];
    dims.push_back(element);
    if (op == "TensorSliceDataset")
      element.insert(element.begin(), rows);
    components.push_back(maker.like(types.back(), element));
  }
  return add(op, components, {{"Toutput_types", types}}) &&
         (op == "TensorSliceDataset" ||
          add("RepeatDataset", {dataset, number(4, 5)}));
}

/// The body of a function of elements, and of \p before.
std::unique_ptr<Scope> Pipeline::body(std::vector<Value> before) {
  for (size_t i = 0; i < types.size(); ++i)
    before.push_back(maker.fed(types[i], dims[i]));
  for (Value &argument : before)
    argument.contents = {}; // which other elements do not have
  numGiven = before.size();
  return maker.region(before, int(random.between(0, 2)));
}

/// Adds what a function captures behind the inputs, and its types.
void Pipeline::addCaptures(const Scope &region, std::vector<Value> &inputs,
                           AttrMap &attrs) const {
  std::vector<DType> captured;
  for (size_t i = numGiven; i < region.arguments.size(); ++i) {
    inputs.push_back(region.arguments[i].outer);
    captured.push_back(inputs.back().dtype);
  }
  attrs.set("Targuments", captured);
}

std::vector<Value> Pipeline::likeElement() {
  std::vector<Value> made;
  for (size_t i = 0; i < types.size(); ++i)
    made.push_back(maker.like(types[i], dims[i]));
  return made;
}

/// What `f` gives, or those for which a predicate holds.
bool Pipeline::addOfFunction(const OpDef &def) {
  const bool isPredicate = def.findAttr("predicate");
  auto region = body({});
  std::vector<Value> results = maker.inside(*region, [&]() {
    if (isPredicate)
      return std::vector<Value>{maker.like(DType::Bool, {})};
    return def.name.find("Map") == std::string::npos ||
                   def.name == "FlatMapDataset"
               ? inner()
               : likeElement();
  });
  if (results.empty())
    return false;
  std::vector<Value> inputs = {dataset};
  AttrMap attrs;
  addCaptures(*region, inputs, attrs);
  attrs.set(isPredicate ? "predicate" : "f",
            NameAttrList{maker.function(*region, results), {}});
  for (const ArgDef &arg : std::span(def.inputs).subspan(2))
    if (!addInput(arg, inputs))
      return false;
  return add(def.name, inputs, attrs);
}

/// In a function: a dataset of elements like those outside.
std::vector<Value> Pipeline::inner() {
  const Value outside = dataset;
  const bool isMade =
      add("TensorDataset", likeElement(), {{"Toutput_types", types}}) &&
      add("RepeatDataset", {dataset, number(1, 3)});
  const Value made = std::exchange(dataset, outside);
  return isMade ? std::vector<Value>{made} : std::vector<Value>();
}

/// What a function gives of a state and an element, beside the next state; for
/// a reduction its last state.
bool Pipeline::addOfState(const OpDef &def) {
  const bool isScan = def.findAttr("preserve_cardinality");
  const Value state = maker.like(DType::Float32, {2});
  Value argument = maker.fed(DType::Float32, {2});
  auto region = body({argument});
  std::vector<Value> results = maker.inside(*region, [&] {
    std::vector<Value> made = {maker.like(DType::Float32, {2})};
    if (isScan)
      std::ranges::copy(likeElement(), std::back_inserter(made));
    return made;
  });
  std::vector<Value> inputs = {dataset, state};
  AttrMap attrs = {{"Tstate", std::vector<DType>{DType::Float32}}};
  addCaptures(*region, inputs, attrs);
  attrs.set("f", NameAttrList{maker.function(*region, results), {}});
  if (isScan)
    return add(def.name, inputs, attrs);
  attrs.set("output_types", std::vector<DType>{DType::Float32});
  attrs.set("output_shapes", std::vector<Shape>{Shape({2})});
  return maker.add(def.name, inputs, attrs).has_value();
}

/// In a function: batches of what an argument is a dataset of.
Value Pipeline::batchOf(const Value &part, DType dtype, const Extents &dims,
                        int64_t size) {
  Extents rows = dims;
  rows.insert(rows.begin(), size);
  auto made =
      maker.add("BatchDatasetV2", {part, number(size, size), flag(true)},
                {{"output_types", std::vector<DType>{dtype}},
                 {"output_shapes", std::vector<Shape>{shapeOf(rows, 0)}}});
  return made ? made->front() : Value();
}

/// In a function: the datasets of an element's parts side by side.
std::vector<Value> Pipeline::zipOf(std::vector<Value> parts) {
  if (parts.size() == 1)
    return parts;
  AttrMap attrs = elements();
  attrs.set("N", static_cast<int64_t>(parts.size()));
  auto made = maker.add("ZipDataset", parts, attrs);
  return made ? std::vector<Value>{made->front()} : std::vector<Value>();
}

/// Windows, which a function makes batches of.
bool Pipeline::addWindows() {
  constexpr int64_t size = 2;
  const std::vector<DType> parts = types;
  const std::vector<Extents> partDims = dims;
  types.assign(parts.size(), DType::Variant);
  dims.assign(parts.size(), Extents());
  if (!add("WindowDataset", {dataset, number(size, size), number(1, size),
                             number(1, 1), flag(true)}))
    return false;
  types = parts;
  for (Extents &element : dims = partDims)
    element.insert(element.begin(), size);
  const std::vector<Value> arguments(parts.size(), dataset);
  auto region = maker.region(arguments, 0);
  std::vector<Value> results = maker.inside(*region, [&] {
    std::vector<Value> batches;
    for (size_t i = 0; i < parts.size(); ++i)
      batches.push_back(
          batchOf(region->arguments[i].inner, parts[i], partDims[i], size));
    return zipOf(std::move(batches));
  });
  if (results.empty() || !results[0].at.node)
    return false;
  numGiven = parts.size();
  std::vector<Value> inputs = {dataset};
  AttrMap attrs;
  addCaptures(*region, inputs, attrs);
  attrs.set("f", NameAttrList{maker.function(*region, results), {}});
  return add("FlatMapDataset", inputs, attrs);
}

/// Elements by a key, two at a time, of one component.
bool Pipeline::addGroups(const OpDef &def) {
  constexpr int64_t size = 2;
  std::vector<Value> inputs = {dataset};
  AttrMap attrs;
  auto set = [&](const std::string &name, Scope &region,
                 const std::vector<Value> &results) {
    AttrMap captures;
    addCaptures(region, inputs, captures);
    attrs.set("T" + name + "_other_arguments", *captures.find("Targuments"));
    attrs.set(name, NameAttrList{maker.function(region, results), {}});
  };
  auto key = body({});
  set("key_func", *key, maker.inside(*key, [&] {
    return std::vector<Value>{maker.like(DType::Int64, {})};
  }));
  const Value given = maker.fed(DType::Int64, {});
  auto reduce = maker.region({given, dataset}, 0);
  numGiven = 2;
  const std::vector<Value> batches = maker.inside(*reduce, [&] {
    return std::vector<Value>{
        batchOf(reduce->arguments[1].inner, types[0], dims[0], 1)};
  });
  if (!batches[0].at.node)
    return false;
  set("reduce_func", *reduce, batches);
  auto window = maker.region({given}, 0);
  numGiven = 1;
  set("window_size_func", *window, maker.inside(*window, [&] {
    return std::vector<Value>{number(size, size)};
  }));
  dims[0].insert(dims[0].begin(), 1);
  return add(def.name, inputs, attrs);
}

/// The elements of two datasets, as a third one says.
bool Pipeline::addDirected(const OpDef &def) {
  const Value choices = maker.constant(
      *Tensor::fromValues<int64_t>({5}, {random.between(0, 1), 1, 0, 0, 1}));
  auto selector =
      maker.add("TensorSliceDataset", {choices},
                {{"Toutput_types", std::vector<DType>{DType::Int64}},
                 {"output_shapes", std::vector<Shape>{Shape()}}});
  if (!selector)
    return false;
  maker.forget(selector->front());
  return add(def.name, {selector->front(), dataset, dataset}, {{"N", 2}});
}

/// An input that is no dataset, element or capture; false for others.
bool Pipeline::addInput(const ArgDef &arg, std::vector<Value> &inputs) {
  static constexpr std::string_view numbers[] = {
      "seed",         "seed2",
      "buffer_size",  "num_threads",
      "count",        "max_intra_op_parallelism",
      "cycle_length", "num_parallel_calls",
      "block_length", "buffer_output_elements",
      "num_shards",   "prefetch_input_elements"};
  if (subject.find("Interleave") != subject.npos &&
      arg.name == "num_parallel_calls") // of at most cycle_length ones
    inputs.push_back(maker.scalarInteger(arg.dtype, 1));
  else if (subject == "SkipDataset" && arg.name == "count")
    inputs.push_back(number(0, 1));
  else if (std::ranges::find(numbers, arg.name) != std::end(numbers))
    inputs.push_back(maker.scalarInteger(arg.dtype, random.between(1, 3)));
  else if (arg.name == "index") // of a shard
    inputs.push_back(number(0, 0));
  else if (arg.name == "batch_size")
    inputs.push_back(number(batch, batch));
  else if (arg.name == "drop_remainder" || arg.name == "sloppy")
    inputs.push_back(flag(arg.name == "drop_remainder"));
  else if (arg.name == "tag" || arg.name == "rewrite_name")
    inputs.push_back(text(Shape()));
  else if (arg.name == "filename")
    inputs.push_back(text(Shape(), ""));
  else if (arg.name == "padded_shapes")
    for (const Extents &element : dims)
      inputs.push_back(maker.integers(DType::Int64, element));
  else if (arg.name == "padding_values")
    for (DType dtype : types)
      inputs.push_back(maker.like(dtype, {}));
  else if (arg.dtype == DType::Resource) { // a place for seeds
    auto place = maker.add("DummySeedGenerator", {});
    if (!place)
      return false;
    maker.forget(place->front());
    inputs.push_back(place->front());
  } else if (arg.dtype == DType::String)
    inputs.push_back(text(Shape({1})));
  else
    return false;
  return true;
}

bool Pipeline::apply(const std::string &op) {
  const OpDef &def = *lookupOp(op);
  if (op == "ConcatenateDataset")
    return add(op, {dataset, dataset});
  if (op == "ZipDataset") {
    const Value again = dataset;
    const std::vector<DType> twice = types;
    const std::vector<Extents> twiceDims = dims;
    types.insert(types.end(), twice.begin(), twice.end());
    dims.insert(dims.end(), twiceDims.begin(), twiceDims.end());
    return add(op, {again, again}, {{"N", 2}});
  }
  if (op == "WindowDataset")
    return addWindows();
  if (op == "RebatchDatasetV2") // to what they were
    return apply("BatchDatasetV2") &&
           add(op, {dataset, number(batch, batch), flag(true)});
  if (op.find("GroupByWindow") != op.npos)
    return types.size() > 1 || addGroups(def);
  if (op.find("Directed") != op.npos)
    return addDirected(def);
  if (op.find("Unbatch") != op.npos) {
    const std::vector<Extents> rows = dims;
    if (!apply("BatchDatasetV2"))
      return false;
    dims = rows;
  }
  // Of a batch that may be a smaller one the extent is not known.
  batch = op.ends_with("BatchDataset") &&
                  std::ranges::find(def.inputs, "drop_remainder",
                                    &ArgDef::name) == def.inputs.end()
              ? 1
              : random.between(1, 2);
  if (def.findAttr("predicate")) {
    // One that leaves nothing shows nothing: all elements come behind.
    const Value all = dataset;
    return addOfFunction(def) && add("ConcatenateDataset", {dataset, all});
  }
  if (def.findAttr("Tstate"))
    return addOfState(def);
  if (def.findAttr("f"))
    return addOfFunction(def);
  const bool isPadded = op.starts_with("Padded");
  if (isPadded)
    for (Extents &element : dims)
      for (Extent &dim : element)
        dim = dim.of[0] + random.below(2);
  std::vector<Value> inputs = {dataset};
  for (const ArgDef &arg : std::span(def.inputs).subspan(1))
    if (!addInput(arg, inputs))
      return false;
  AttrMap attrs;
  if (def.findAttr("serialized_options"))
    attrs.set("serialized_options", "");
  if (isPadded) {
    attrs.set("Toutput_types", types);
    attrs.set("N", int64_t(types.size()));
  }
  return add(op, inputs, attrs);
}

/// The next elements, of an iterator or at once.
bool Pipeline::take() {
  const AttrMap attrs = elements();
  const bool isOptional = subject.find("Optional") != subject.npos;
  if (subject == "DatasetToSingleElement" || (!isOptional && random.chance(50)))
    return add("TakeDataset", {dataset, number(1, 1)}) &&
           maker.add("DatasetToSingleElement", {dataset}, attrs).has_value();
  AttrMap named = attrs;
  named.set("container", "");
  named.set("shared_name", maker.freshName("iterator"));
  auto iterator = maker.add("IteratorV2", {}, named);
  if (!iterator)
    return false;
  maker.forget(iterator->front());
  auto last = [&] {
    const Graph &graph = *maker.scope->graph;
    return graph.node(graph.numNodes() - 1)->name();
  };
  if (!maker.add("MakeIterator", {dataset, iterator->front()}))
    return false;
  for (int i = 0; i < 2; ++i) {
    const std::string op =
        subject == "IteratorGetNextSync" ? subject : "IteratorGetNext";
    const std::string behind = last();
    maker.target(behind);
    if (isOptional) {
      auto optional = maker.add("IteratorGetNextAsOptional", iterator.value(),
                                attrs, {behind});
      if (!optional)
        return false;
      maker.forget(optional->front());
      if (!maker.add("OptionalHasValue", optional.value()))
        return false;
      continue;
    }
    if (!maker.add(op, iterator.value(), attrs, {behind}))
      return false;
  }
  return true;
}

bool pipeline(Call &call) {
  Pipeline made(call);
  if (!made.begin())
    return false;
  const OpDef &def = call.def;
  const bool isBehind =
      !def.inputs.empty() && def.inputs[0].name == "input_dataset";
  static constexpr const char *more[] = {"MapDataset",    "FilterDataset",
                                         "RepeatDataset", "ShuffleDataset",
                                         "ZipDataset",    "CacheDataset"};
  // Those of one component come at once.
  const bool isAlone = def.name.find("Unique") != def.name.npos ||
                       def.name.find("Window") != def.name.npos;
  for (int64_t i = call.random.between(0, isAlone ? 0 : 2); i > 0; --i)
    if (!made.apply(more[call.random.below(6)]))
      return false;
  if (def.name.find("Cardinality") != def.name.npos && def.inputs.size() == 1)
    return made.count(def.name);
  if (def.name == "DummySeedGenerator")
    return made.apply("ShuffleDatasetV3") && made.take();
  const bool isDirected = def.name.find("Directed") != def.name.npos;
  return ((!isBehind && !isDirected) || made.apply(def.name)) &&
         (def.name == "ReduceDataset" || made.take());
}

constexpr Recipe recipes[] = {
    {"CacheDataset ConcatenateDataset DatasetToSingleElement "
     "ExperimentalIgnoreErrorsDataset ExperimentalMapDataset "
     "ExperimentalRandomDataset ExperimentalTakeWhileDataset FilterDataset "
     "IgnoreErrorsDataset IteratorGetNext IteratorGetNextSync IteratorV2 "
     "MakeIterator MapDataset ParallelFilterDataset ParallelMapDataset "
     "ParallelMapDatasetV2 PrefetchDataset RandomDataset RangeDataset "
     "RepeatDataset ShardDataset ShuffleAndRepeatDataset ShuffleDataset "
     "TakeDataset TakeWhileDataset TensorDataset TensorSliceDataset "
     "ZipDataset AssertNextDataset BytesProducedStatsDataset "
     "ExperimentalAssertNextDataset ExperimentalBytesProducedStatsDataset "
     "ExperimentalLatencyStatsDataset "
     "ExperimentalMaxIntraOpParallelismDataset "
     "ExperimentalNonSerializableDataset "
     "ExperimentalPrivateThreadPoolDataset FinalizeDataset "
     "LatencyStatsDataset MaxIntraOpParallelismDataset ModelDataset "
     "NonSerializableDataset OptimizeDataset OptimizeDatasetV2 "
     "OptionsDataset PrivateThreadPoolDataset RewriteDataset SkipDataset "
     "BatchDataset BatchDatasetV2 ParallelBatchDataset PaddedBatchDataset "
     "PaddedBatchDatasetV2 UnbatchDataset ExperimentalUnbatchDataset "
     "MapAndBatchDataset ExperimentalMapAndBatchDataset FlatMapDataset "
     "InterleaveDataset ParallelInterleaveDataset ParallelInterleaveDatasetV2 "
     "ParallelInterleaveDatasetV3 ParallelInterleaveDatasetV4 "
     "ExperimentalParallelInterleaveDataset LegacyParallelInterleaveDatasetV2 "
     "ReduceDataset ScanDataset ExperimentalScanDataset WindowDataset "
     "GroupByWindowDataset ExperimentalGroupByWindowDataset "
     "DirectedInterleaveDataset ExperimentalDirectedInterleaveDataset "
     "UniqueDataset ExperimentalUniqueDataset ListDataset DatasetCardinality "
     "ExperimentalDatasetCardinality RebatchDatasetV2 DummySeedGenerator "
     "ShuffleDatasetV3 ShuffleAndRepeatDatasetV2 RandomDatasetV2 "
     "IteratorGetNextAsOptional",
     pipeline, false},
};

} // namespace

std::span<const Recipe> pipelineRecipes() { return recipes; }

} // namespace kiln::fuzz
