// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the nodes that save and restore, as TensorFlow names and orders them.
#include "lib/Save/SaverNodes.h"

#include "kiln/BuildOps.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <set>

namespace kiln {
namespace {

/// What is saved, a variable among others.
struct Item {
  SaveableObject object;
  std::optional<Variable> variable = {};
  /// What the tensors were, once they are saved.
  std::vector<Output> saved = {};
};

/// The device's processor 0.
std::string processorOf(std::string device) {
  size_t place = device.find("/device:");
  return device.substr(0, place) + "/device:CPU:0";
}

/// A read of a handle's value where it lies. **Source**:
/// BaseResourceVariable.read_value_no_copy.
Output readInPlace(const Variable &variable) {
  GraphBuilder graph = GraphBuilder::current();
  NameScope scope(graph, "Read");
  graph.addOp({.op = "DisableCopyOnRead", .inputs = {variable.handle()}});
  return {graph.addOp({.op = "ReadVariableOp",
                       .inputs = {variable.handle()},
                       .attrs = {{"dtype", variable.dtype()}}}),
          0};
}

/// The variable as SaveV2 takes it: a reference as it is, of a handle the read
/// that is there. Of a part, the reference's value, or a new read, moved to the
/// processor.
Output savedTensor(const Variable &variable) {
  if (!variable.isResource())
    return variable.slice() ? variable.value() : variable.handle();
  if (!variable.slice())
    return variable.graphElement();
  std::optional<DeviceScope> place;
  if (const std::string &device = variable.op()->device(); !device.empty())
    place.emplace(device);
  Output value = ops::identity(readInPlace(variable));
  DeviceScope processor("/device:CPU:0");
  return ops::identity(value);
}

Item itemOf(const std::string &name, const Variable &variable) {
  const VariableSlice *slice = variable.slice();
  const std::string device = variable.op()->device();
  return {{.name = name,
           .specs = {{.tensor = [=] { return savedTensor(variable); },
                      .slice = slice ? slice->spec() : "",
                      .name = name,
                      .dtype = variable.dtype(),
                      .device = device}},
           .restore =
               [=](const std::vector<Output> &restored,
                   const std::vector<Input> &shapes) {
                 return addRestore(variable, restored[0], shapes);
               },
           .device = device},
          variable};
}

/// The shapes that restored values take.
std::vector<Input> shapesOf(const Item &item) {
  auto shapeOf = [](const Shape &known, const Input &tensor) {
    return known.isFullyDefined() ? Input(known) : Input(ops::shape(tensor));
  };
  if (item.variable)
    return {shapeOf(item.variable->shape(), *item.variable)};
  std::vector<Input> shapes;
  for (const Output &tensor : item.saved)
    shapes.push_back(shapeOf(tensor.shape(), tensor));
  return shapes;
}

/// Adds the nodes of one saver, in its name scope.
class Nodes {
public:
  Nodes(const SaveablesByName &variables, const SaverOptions &options)
      : options(options) {
    for (const auto &[name, saved] : variables) {
      for (const Variable &part : saved.parts)
        items.push_back(itemOf(name, part));
      if (saved.object)
        items.push_back({*saved.object});
    }
  }

  SaverDef add() {
    Output filename = rawOps::placeholderWithDefault(
        options.filename.empty() ? "model" : options.filename, {},
        {.name = "filename"});
    filename = rawOps::placeholderWithDefault(filename, {}, {.name = "Const"});
    std::vector<Item *> all;
    for (Item &item : items)
      all.push_back(&item);
    Output saved;
    const Node *restored;
    if (options.sharded) {
      ByDevice byDevice;
      for (Item *item : all)
        byDevice[item->object.device].push_back(item);
      saved = saveSharded(filename, byDevice);
      std::vector<ControlInput> shards;
      for (const auto &[device, some] : byDevice) {
        std::optional<DeviceScope> place;
        if (!device.empty())
          place.emplace(device);
        shards.push_back(restore(filename, some, "restore_shard"));
      }
      restored = ops::group(shards, {.name = "restore_all"});
    } else {
      saved = save(filename, all);
      restored = restore(filename, all, "restore_all");
    }
    if (!saved.node || !restored)
      return {};
    return {filename.name(),  saved.name(),
            restored->name(), options.maxToKeep,
            options.sharded,  options.keepCheckpointEveryNHours,
            /*version=*/2};
  }

private:
  using Items = std::vector<Item *>;
  using ByDevice = std::map<std::string, Items>;

  template <class T>
  static std::vector<T> ofAll(const Items &some, T SaveSpec::*member) {
    std::vector<T> all;
    for (const Item *item : some)
      for (const SaveSpec &spec : item->object.specs)
        all.push_back(spec.*member);
    return all;
  }

  static Output save(const Output &filename, const Items &some) {
    std::vector<Input> tensors;
    for (Item *item : some)
      for (const SaveSpec &spec : item->object.specs) {
        item->saved.push_back(spec.tensor());
        tensors.push_back(item->saved.back());
      }
    const Node *saved = GraphBuilder::current().addOp(
        {.op = "SaveV2",
         .inputs = {filename, Input(ofAll(some, &SaveSpec::name)),
                    Input(ofAll(some, &SaveSpec::slice)),
                    InputList(std::move(tensors))}});
    if (!saved)
      return {};
    return ops::withDependencies({saved}, filename);
  }

  /// Each device's part under a temporary name, and what makes one of them.
  static Output saveSharded(const Output &filename, const ByDevice &byDevice) {
    Output temporary;
    {
      DeviceScope processor("CPU");
      Output inBucket = rawOps::staticRegexFullMatch(filename, "^s3://.*");
      Output inBuckets = ops::constant(".part");
      Output elsewhere = ops::constant("_temp/part");
      Output suffix = rawOps::select(inBucket, inBuckets, elsewhere);
      temporary = rawOps::stringJoin({filename, suffix});
    }
    Output count = ops::constant(static_cast<int32_t>(byDevice.size()),
                                 {.name = "num_shards"});
    std::vector<Input> prefixes;
    std::vector<ControlInput> saves;
    std::string last;
    for (int32_t shard = 0; const auto &[device, some] : byDevice) {
      last = processorOf(device);
      DeviceScope place(last);
      Output prefix = rawOps::shardedFilename(temporary, shard++, count);
      Output saved = save(prefix, some);
      if (!saved.node)
        return {};
      prefixes.push_back(prefix);
      saves.push_back(saved);
    }
    ControlScope afterSaves(saves);
    DeviceScope place(last);
    const Node *merged = GraphBuilder::current().addOp(
        {.op = "MergeV2Checkpoints",
         .inputs = {Input(Input::List(prefixes)), filename}});
    if (!merged)
      return {};
    ControlScope afterMerge({ControlInput(merged)});
    return ops::identity(filename);
  }

  const Node *restore(const Output &filename, const Items &some,
                      const std::string &name) const {
    const Node *read;
    {
      DeviceScope processor("cpu:0");
      read = GraphBuilder::current().addOp(
          {.op = "RestoreV2",
           .inputs = {filename, Input(ofAll(some, &SaveSpec::name)),
                      Input(ofAll(some, &SaveSpec::slice))},
           .attrs = {{"dtypes", ofAll(some, &SaveSpec::dtype)}}});
    }
    if (!read)
      return nullptr;
    std::vector<ControlInput> assignments;
    for (int i = 0; const Item *item : some) {
      std::vector<Input> shapes;
      if (options.reshape)
        shapes = shapesOf(*item);
      std::vector<Output> restored;
      for (size_t j = 0; j < item->object.specs.size(); ++j)
        restored.push_back({read, i++});
      const Node *assignment = item->object.restore(restored, shapes);
      if (!assignment)
        return nullptr;
      assignments.emplace_back(assignment);
    }
    return ops::group(assignments, {.name = name});
  }

  const SaverOptions &options;
  std::vector<Item> items;
};

Status twoOfOneName(std::string_view name) {
  return invalidArgumentError(
      strCat("At least two variables have the same name: ", name));
}

std::string nameOf(const Saveable &saveable) {
  if (const auto *object = std::get_if<SaveableObject>(&saveable))
    return object->name;
  const auto *variable = std::get_if<Variable>(&saveable);
  return variable ? variable->name()
                  : std::get<PartitionedVariable>(saveable).name();
}

/// **Errors**: INVALID_ARGUMENT for what is none.
StatusOr<SavedItem> savedItemOf(const Saveable &saveable) {
  if (const auto *object = std::get_if<SaveableObject>(&saveable))
    return SavedItem{{}, *object};
  std::vector<Variable> parts;
  if (const auto *variable = std::get_if<Variable>(&saveable))
    parts = {*variable};
  else
    parts = std::get<PartitionedVariable>(saveable).parts();
  for (const Variable &part : parts)
    if (!part.op())
      return invalidArgumentError("Variable to save is not a Variable: none");
  return SavedItem{std::move(parts)};
}

} // namespace

StatusOr<SaveablesByName> byOwnNames(const std::vector<Saveable> &variables) {
  std::multimap<std::string, const Saveable *> sorted;
  for (const Saveable &saveable : variables)
    sorted.emplace(nameOf(saveable), &saveable);
  SaveablesByName named;
  std::set<std::string> ofParts;
  for (const auto &[sortedBy, each] : sorted) {
    const Saveable &saveable = *each;
    auto item = savedItemOf(saveable);
    if (!item.ok())
      return item.status();
    const auto *variable = std::get_if<Variable>(&saveable);
    if (variable && variable->slice()) {
      const std::string &name = variable->slice()->fullName;
      if (named.contains(name) && !ofParts.contains(name))
        return invalidArgumentError(
            strCat("Mixing slices and non-slices with the same name: ", name));
      ofParts.insert(name);
      named[name].parts.push_back(*variable);
      continue;
    }
    std::string name = variable ? variable->op()->name() : nameOf(saveable);
    if (!named.emplace(name, *std::move(item)).second)
      return twoOfOneName(name);
  }
  return named;
}

StatusOr<SaveablesByName>
byGivenNames(const std::map<std::string, Saveable> &variables) {
  SaveablesByName named;
  std::set<const Node *> seen;
  for (const auto &[name, saveable] : variables) {
    auto item = savedItemOf(saveable);
    if (!item.ok())
      return item.status();
    for (const Variable &part : item->parts)
      if (!seen.insert(part.op()).second)
        return invalidArgumentError(strCat(
            "The same saveable will be restored with two names: ", name));
    named.emplace(name, *std::move(item));
  }
  return named;
}

SaverDef addSaverNodes(const SaveablesByName &variables,
                       const SaverOptions &options, const GraphBuilder &graph) {
  GraphScope current(graph);
  NameScope scope(options.name, "save");
  return Nodes(variables, options).add();
}

const Node *addRestore(const Variable &variable, Output value,
                       const std::vector<Input> &shapes) {
  const bool reshape = !shapes.empty();
  if (reshape)
    value = ops::reshape(value, shapes[0]);
  if (!variable.isResource())
    return ops::assign(
               variable, value,
               {.validateShape = !reshape && variable.shape().isFullyDefined()})
        .operation();
  std::optional<DeviceScope> place;
  if (const std::string &device = variable.op()->device(); !device.empty())
    place.emplace(device);
  return GraphBuilder::current().addOp(
      {.op = "AssignVariableOp",
       .inputs = {variable.handle(), ops::identity(value)}});
}

} // namespace kiln
