// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has to fit before the nodes of one graph are added to another: functions
// and versions.
#include "lib/Graph/Function.h"

#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {

FunctionLibrary::FunctionLibrary(std::string serialized,
                                 std::vector<std::unique_ptr<Function>> list) {
  auto layer = std::make_shared<Layer>();
  layer->text = std::move(serialized);
  for (std::unique_ptr<Function> &function : list) {
    std::string name = function->name;
    layer->functions.emplace(std::move(name), std::move(function));
  }
  layers.push_back(std::move(layer));
}

std::string FunctionLibrary::serialized() const {
  std::string text; // messages one behind the other are one with all they have
  for (const auto &layer : layers)
    text += layer->text;
  return text;
}

const Function *FunctionLibrary::find(std::string_view name) const {
  auto findIn = [&](const Functions &functions) -> const Function * {
    auto found = functions.find(name);
    return found == functions.end() ? nullptr : found->second.get();
  };
  if (const Function *found = findIn(builtByName))
    return found;
  for (const auto &layer : layers)
    if (const Function *found = findIn(layer->functions))
      return found;
  return nullptr;
}

FunctionLibrary::Functions FunctionLibrary::all() const {
  Functions all = builtByName;
  for (const auto &layer : layers)
    all.insert(layer->functions.begin(), layer->functions.end());
  return all;
}

void FunctionLibrary::extend(const FunctionLibrary &later) {
  for (const auto &layer : later.layers)
    for (const auto &[name, function] : layer->functions)
      if (find(name)) {
        layers = later.layers;
        builtHere = later.builtHere;
        builtByName = later.builtByName;
        return;
      }
  for (const auto &layer : later.layers)
    layers.push_back(layer);
  while (layers.size() > 1) {
    const Layer &last = *layers.back(), &before = *layers[layers.size() - 2];
    if (before.functions.size() > last.functions.size())
      return;
    auto both = std::make_shared<Layer>(before);
    both->text += last.text;
    both->functions.insert(last.functions.begin(), last.functions.end());
    layers.pop_back();
    layers.back() = std::move(both);
  }
}

Status takeFunctions(const Graph &from, Graph &to) {
  SharedFunctions library = from.functionLibrary();
  if (!library)
    return okStatus();
  SharedFunctions old = to.functionLibrary();
  if (old && (old->serialized() != library->serialized() ||
              old->built() != library->built()))
    return unimplementedError("a graph with functions cannot be imported into "
                              "a graph that has other ones");
  if (!old)
    to.setFunctionLibrary(std::move(library));
  return okStatus();
}

Status checkVersions(const GraphVersions &versions) {
  constexpr int newest = GraphVersions::newest;
  if (versions.minConsumer > newest)
    return invalidArgumentError(strCat(
        "GraphDef min consumer version ", versions.minConsumer,
        " above current version ", newest, " for Kiln.  Please upgrade Kiln."));
  if (std::ranges::find(versions.badConsumers, newest) !=
      versions.badConsumers.end())
    return invalidArgumentError(
        strCat("GraphDef disallows consumer version ", newest,
               ".  Please upgrade Kiln: this version is likely buggy."));
  return okStatus();
}

} // namespace kiln
