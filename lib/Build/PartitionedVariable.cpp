// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables in parts.
#include "kiln/PartitionedVariable.h"

#include "kiln/ops/ArrayOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/VariableStore.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cmath>

namespace kiln {
namespace {

double elementBytes(DType dtype, int64_t bytesPerString) {
  return dtype == DType::String ? static_cast<double>(bytesPerString)
                                : static_cast<double>(dtypeSize(dtype));
}

/// All axes whole but one.
std::vector<int64_t> onAxis(const Shape &shape, int axis, int64_t parts) {
  std::vector<int64_t> all(static_cast<size_t>(std::max(shape.rank(), 0)), 1);
  if (axis >= 0 && axis < shape.rank())
    all[static_cast<size_t>(axis)] = std::max<int64_t>(parts, 1);
  return all;
}

std::string listText(const std::vector<int64_t> &numbers) {
  return strCat("[", strJoin(numbers, ", "), "]");
}

/// The axis to cut, and how often. **Source**:
/// variable_scope._call_partitioner.
StatusOr<std::pair<int, int64_t>> cuts(const Partitioner &partitioner,
                                       const Shape &shape, DType dtype) {
  if (!shape.isFullyDefined())
    return invalidArgumentError(
        strCat("Shape of a new partitioned variable must be fully defined, but "
               "instead was ",
               shape.toTupleString(), "."));
  if (shape.rank() < 1)
    return invalidArgumentError(
        strCat("A partitioned Variable must have rank at least 1, shape: ",
               shape.toTupleString()));
  std::vector<int64_t> slicing = partitioner(shape, dtype);
  if (static_cast<int>(slicing.size()) != shape.rank())
    return invalidArgumentError(
        strCat("Partitioner returned a partition list that does not match the "
               "Variable's rank: ",
               listText(slicing), " vs. ", shape.toTupleString()));
  if (std::ranges::any_of(slicing, [](int64_t parts) { return parts < 1; }))
    return invalidArgumentError(
        strCat("Partitioner returned zero partitions for some axes: ",
               listText(slicing)));
  auto isCut = [](int64_t parts) { return parts > 1; };
  if (std::ranges::count_if(slicing, isCut) > 1)
    return invalidArgumentError(
        strCat("Can only slice a variable along one dimension: shape: ",
               shape.toTupleString(), ", partitioning: ", listText(slicing)));
  auto found = std::ranges::find_if(slicing, isCut);
  if (found == slicing.end())
    return std::pair(0, int64_t{1});
  return std::pair(static_cast<int>(found - slicing.begin()), *found);
}

/// The variable that the scope reuses; null where a new one is to be made.
/// **Errors**: INVALID_ARGUMENT where the scope asks for another.
StatusOr<const PartitionedVariable *>
findReused(const VariableStore &store, const std::string &name,
           const GetVariableOptions &options) {
  const Reuse::Kind reuse = options.reuse.value_or(false).kind;
  const DType dtype = options.dtype;
  const Shape &shape = options.shape;
  if (store.variables.contains(name))
    return invalidArgumentError(strCat(
        "A partitioner was provided, but an unpartitioned version of the "
        "variable was found: ",
        name,
        ".  Perhaps a variable of the same name was already created without "
        "partitioning?"));
  auto found = store.partitioned.find(name);
  if (found == store.partitioned.end()) {
    if (reuse == Reuse::Kind::Always)
      return invalidArgumentError(
          strCat("PartitionedVariable ", name,
                 " does not exist, or was not created with tf.get_variable(). "
                 "Did you mean to set reuse=False or reuse=tf.AUTO_REUSE in "
                 "VarScope?"));
    return nullptr;
  }
  const PartitionedVariable &known = found->second;
  if (reuse == Reuse::Kind::Inherit)
    return invalidArgumentError(
        strCat("Partitioned variable with name ", name,
               " already exists. Did you mean to set reuse=True or "
               "reuse=tf.AUTO_REUSE in VarScope?"));
  if (!shape.isCompatibleWith(known.shape()))
    return invalidArgumentError(
        strCat("Trying to reuse partitioned variable ", name,
               ", but specified shape ", shape.toTupleString(),
               " and found shape ", known.shape().toTupleString(), "."));
  if (dtype != known.dtype())
    return invalidArgumentError(strCat(
        "Trying to reuse partitioned variable ", name, ", but specified dtype ",
        dtypeName(dtype), " and found dtype ", dtypeName(known.dtype()), "."));
  return &known;
}

/// What the parts of a new variable share.
struct Whole {
  std::string name;
  Shape shape;
  DType dtype;
  Output value; ///< of an initializer that is a value; else without a node
  std::optional<Initializer> initializer;
};

Variable addPart(GraphBuilder graph, const GetVariableOptions &options,
                 const Whole &whole, int64_t number,
                 const std::vector<int64_t> &offset, const Shape &shape) {
  std::string name = strCat(whole.name, "/part_", number);
  GetVariableOptions part = options;
  part.dtype = whole.dtype;
  part.shape = shape;
  part.initializer = whole.initializer;
  if (whole.value.node) {
    NameScope slice(graph, name + "/PartitionedInitializer");
    std::vector<int64_t> size(shape.dims().begin(), shape.dims().end());
    part.initializer = Initializer(Output{
        GraphBuilder(graph).addOp(
            {.op = "Slice",
             .inputs = {Input(whole.value), Input(offset), Input(size)}}),
        0});
    part.shape = Shape::unknownRank();
  }
  PartitionInfo info{whole.shape, offset};
  VariableSlice slice{whole.name, whole.shape, offset, shape};
  return getSingleVariable(graph, name, part, &info, &slice);
}

} // namespace

Partitioner fixedSizePartitioner(int64_t parts, int axis) {
  return [=](const Shape &shape, DType) {
    return onAxis(shape, axis, std::min(parts, shape.dim(axis)));
  };
}

Partitioner axisSizePartitioner(int64_t maxBytes, int axis,
                                int64_t bytesPerString, int64_t maxParts) {
  return [=](const Shape &shape, DType dtype) {
    double extent = static_cast<double>(shape.dim(axis));
    double count = static_cast<double>(shape.numElements().valueOr(0));
    double slice = count / extent * elementBytes(dtype, bytesPerString);
    double perPart =
        std::max(1.0, std::floor(static_cast<double>(maxBytes) / slice));
    auto parts = static_cast<int64_t>(std::ceil(extent / perPart));
    return onAxis(shape, axis,
                  maxParts > 0 ? std::min(maxParts, parts) : parts);
  };
}

Partitioner minMaxPartitioner(int64_t maxParts, int axis, int64_t minBytes,
                              int64_t bytesPerString) {
  return [=](const Shape &shape, DType dtype) {
    double bytes = static_cast<double>(shape.numElements().valueOr(0)) *
                   elementBytes(dtype, bytesPerString);
    auto parts =
        static_cast<int64_t>(std::ceil(bytes / static_cast<double>(minBytes)));
    return onAxis(shape, axis, std::min({shape.dim(axis), maxParts, parts}));
  };
}

Output PartitionedVariable::asTensor() const {
  if (variables.empty())
    return {};
  GraphScope graph(variables[0].graph());
  ControlScope lifted = ControlScope::none();
  Output whole = variables[0].value();
  if (variables.size() > 1) {
    NameScope scope(fullName + "/ConcatPartitions/");
    whole = ops::concat(variables, partitionAxis);
  }
  NameScope root("");
  return {GraphBuilder::current().addOp(
              {.op = "Identity", .name = fullName, .inputs = {Input(whole)}}),
          0};
}

PartitionedVariable getParts(const GraphBuilder &graph, const std::string &full,
                             const Partitioner &partitioner,
                             const GetVariableOptions &options) {
  BuildState &state = graph.internals();
  VariableStore &store = VariableStore::of(graph);
  Whole whole{.name = full,
              .shape = options.shape,
              .dtype = options.dtype,
              .value = {},
              .initializer = options.initializer};
  auto refuse = [&](Status error) {
    graph.fail(error.withNode(full));
    return PartitionedVariable();
  };
  auto reused = findReused(store, full, options);
  if (!reused.ok())
    return refuse(reused.status());
  if (*reused)
    return **reused;

  if (whole.initializer && whole.initializer->value()) {
    whole.value = GraphBuilder(graph).convert(*whole.initializer->value(),
                                              {.dtype = whole.dtype});
    if (!whole.value.node)
      return {};
    auto merged = whole.shape.merge(whole.value.shape());
    if (!merged.ok())
      return refuse(merged.status());
    whole.shape = *merged;
  }
  auto cut = cuts(partitioner, whole.shape, whole.dtype);
  if (!cut.ok())
    return refuse(cut.status());
  auto [axis, count] = *cut;
  std::vector<int64_t> offset(static_cast<size_t>(whole.shape.rank()), 0);
  std::vector<Variable> parts;
  for (int64_t i = 0; i < count; ++i) {
    Shape shape = whole.shape;
    int64_t extent = shape.dim(axis);
    shape.setDim(axis, extent / count + (i < extent % count ? 1 : 0));
    parts.push_back(addPart(graph, options, whole, i, offset, shape));
    offset[static_cast<size_t>(axis)] += shape.dim(axis);
  }
  if (state.failed())
    return {};
  PartitionedVariable made(full, whole.shape, std::move(parts), axis);
  store.partitioned.emplace(full, made);
  return made;
}

PartitionedVariable getPartitionedVariable(std::string_view name,
                                           const Partitioner &partitioner,
                                           const GetVariableOptions &options) {
  GraphBuilder graph = GraphBuilder::current();
  if (graph.internals().failed())
    return {};
  const VariableScopeData &scope = *OpenVariableScopes::of(graph).current;
  NameScope root(graph, "");
  return getParts(graph,
                  scope.name.empty() ? std::string(name)
                                     : strCat(scope.name, "/", name),
                  partitioner, completed(options, scope));
}

PartitionedVariable getPartitionedVariable(std::string_view name,
                                           const GetVariableOptions &options) {
  Partitioner partitioner =
      OpenVariableScopes::of(GraphBuilder::current()).current->partitioner;
  return getPartitionedVariable(
      name, partitioner ? partitioner : fixedSizePartitioner(1), options);
}

} // namespace kiln
