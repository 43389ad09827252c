// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the nodes that save and restore, as TensorFlow names and orders them.
#include "lib/Save/SaverNodes.h"

#include "kiln/BuildOps.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <set>

namespace kiln {
namespace {

/// One tensor of a checkpoint, or a part of one.
struct Item {
  std::string name;
  std::string spec; ///< of a part, else empty
  Variable variable;
};

std::string deviceOf(const Item &item) { return item.variable.op()->device(); }

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
Output savedTensor(const Item &item) {
  const Variable &variable = item.variable;
  if (!variable.isResource())
    return item.spec.empty() ? variable.handle() : variable.value();
  if (item.spec.empty())
    return variable.graphElement();
  std::optional<DeviceScope> place;
  if (!deviceOf(item).empty())
    place.emplace(deviceOf(item));
  Output value = ops::identity(readInPlace(variable));
  DeviceScope processor("/device:CPU:0");
  return ops::identity(value);
}

const Node *addAssignment(const Item &item, Output value, bool reshape) {
  const Variable &variable = item.variable;
  if (reshape)
    value = ops::reshape(value, variable.shape().isFullyDefined()
                                    ? Input(variable.shape())
                                    : Input(ops::shape(variable)));
  if (!variable.isResource())
    return ops::assign(
               variable, value,
               {.validateShape = !reshape && variable.shape().isFullyDefined()})
        .operation();
  std::optional<DeviceScope> place;
  if (!deviceOf(item).empty())
    place.emplace(deviceOf(item));
  return GraphBuilder::current().addOp(
      {.op = "AssignVariableOp",
       .inputs = {variable.handle(), ops::identity(value)}});
}

/// Adds the nodes of one saver, in its name scope.
class Nodes {
public:
  Nodes(const SaveablesByName &variables, const SaverOptions &options)
      : options(options) {
    for (const auto &[name, parts] : variables)
      for (const Variable &part : parts)
        items.push_back({name, part.slice() ? part.slice()->spec() : "", part});
  }

  SaverDef add() {
    Output filename = rawOps::placeholderWithDefault(
        options.filename.empty() ? "model" : options.filename, {},
        {.name = "filename"});
    filename = rawOps::placeholderWithDefault(filename, {}, {.name = "Const"});
    Output saved;
    const Node *restored;
    if (options.sharded) {
      std::map<std::string, std::vector<Item>> byDevice;
      for (const Item &item : items)
        byDevice[deviceOf(item)].push_back(item);
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
      saved = save(filename, items);
      restored = restore(filename, items, "restore_all");
    }
    if (!saved.node || !restored)
      return {};
    return {filename.name(),  saved.name(),
            restored->name(), options.maxToKeep,
            options.sharded,  options.keepCheckpointEveryNHours,
            /*version=*/2};
  }

private:
  static std::vector<std::string> names(const std::vector<Item> &some) {
    std::vector<std::string> all;
    for (const Item &item : some)
      all.push_back(item.name);
    return all;
  }
  static std::vector<std::string> specs(const std::vector<Item> &some) {
    std::vector<std::string> all;
    for (const Item &item : some)
      all.push_back(item.spec);
    return all;
  }

  static Output save(const Output &filename, const std::vector<Item> &some) {
    std::vector<Input> tensors;
    for (const Item &item : some)
      tensors.push_back(savedTensor(item));
    const Node *saved = GraphBuilder::current().addOp(
        {.op = "SaveV2",
         .inputs = {filename, Input(names(some)), Input(specs(some)),
                    InputList(std::move(tensors))}});
    if (!saved)
      return {};
    return ops::withDependencies({saved}, filename);
  }

  /// Each device's part under a temporary name, and what makes one of them.
  static Output
  saveSharded(const Output &filename,
              const std::map<std::string, std::vector<Item>> &byDevice) {
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

  const Node *restore(const Output &filename, const std::vector<Item> &some,
                      const std::string &name) const {
    std::vector<DType> dtypes;
    for (const Item &item : some)
      dtypes.push_back(item.variable.dtype());
    const Node *read;
    {
      DeviceScope processor("cpu:0");
      read = GraphBuilder::current().addOp(
          {.op = "RestoreV2",
           .inputs = {filename, Input(names(some)), Input(specs(some))},
           .attrs = {{"dtypes", std::move(dtypes)}}});
    }
    if (!read)
      return nullptr;
    std::vector<ControlInput> assignments;
    for (int i = 0; const Item &item : some)
      assignments.push_back(
          addAssignment(item, Output{read, i++}, options.reshape));
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
  const auto *variable = std::get_if<Variable>(&saveable);
  return variable ? variable->name()
                  : std::get<PartitionedVariable>(saveable).name();
}

/// **Errors**: INVALID_ARGUMENT for what is none.
StatusOr<std::vector<Variable>> partsOf(const Saveable &saveable) {
  std::vector<Variable> parts;
  if (const auto *variable = std::get_if<Variable>(&saveable))
    parts = {*variable};
  else
    parts = std::get<PartitionedVariable>(saveable).parts();
  for (const Variable &part : parts)
    if (!part.op())
      return invalidArgumentError("Variable to save is not a Variable: none");
  return parts;
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
    auto parts = partsOf(saveable);
    if (!parts.ok())
      return parts.status();
    const auto *variable = std::get_if<Variable>(&saveable);
    if (variable && variable->slice()) {
      const std::string &name = variable->slice()->fullName;
      if (named.contains(name) && !ofParts.contains(name))
        return invalidArgumentError(
            strCat("Mixing slices and non-slices with the same name: ", name));
      ofParts.insert(name);
      named[name].push_back(*variable);
      continue;
    }
    std::string name = variable ? variable->op()->name() : nameOf(saveable);
    if (!named.emplace(name, *std::move(parts)).second)
      return twoOfOneName(name);
  }
  return named;
}

StatusOr<SaveablesByName>
byGivenNames(const std::map<std::string, Saveable> &variables) {
  SaveablesByName named;
  std::set<const Node *> seen;
  for (const auto &[name, saveable] : variables) {
    auto parts = partsOf(saveable);
    if (!parts.ok())
      return parts.status();
    for (const Variable &part : *parts)
      if (!seen.insert(part.op()).second)
        return invalidArgumentError(strCat(
            "The same saveable will be restored with two names: ", name));
    named.emplace(name, *std::move(parts));
  }
  return named;
}

SaverDef addSaverNodes(const SaveablesByName &variables,
                       const SaverOptions &options) {
  GraphScope graph(variables.begin()->second.front().graph());
  NameScope scope(options.name, "save");
  return Nodes(variables, options).add();
}

} // namespace kiln
