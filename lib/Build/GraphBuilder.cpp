// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Default graphs, names, seeds and collections.
#include "kiln/GraphBuilder.h"

#include "kiln/GraphScopes.h"
#include "kiln/Ops.h"
#include "kiln/Variable.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/DefaultGraphs.h"
#include "lib/Build/FunctionGraph.h"
#include "lib/Graph/ProgramShapes.h"
#include "lib/Support/Strings.h"
#include "lib/Support/ThreadObject.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <regex>

namespace kiln {
namespace {

/// The builders that live, for finding the one that holds a tensor, and the
/// process's default graph.
struct Builders {
  std::mutex mutex;
  std::vector<std::weak_ptr<BuildState>> all;
  std::optional<GraphBuilder> global;
};

Builders &builders() {
  static Builders *theBuilders = new Builders();
  return *theBuilders;
}

std::shared_ptr<BuildState> makeState(std::shared_ptr<Graph> graph) {
  if (!graph)
    graph = std::make_shared<Graph>(makeNodeChecker());
  auto state = std::make_shared<BuildState>(std::move(graph));
  Builders &known = builders();
  std::lock_guard lock(known.mutex);
  std::erase_if(known.all, [](const auto &each) { return each.expired(); });
  known.all.push_back(state);
  return state;
}

bool holds(const BuildState &state, const Node *node) {
  return state.graph->contains(node);
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char &c : lower)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

} // namespace

BuildState::BuildState(std::shared_ptr<Graph> graph)
    : graph(std::move(graph)) {}
BuildState::~BuildState() = default;

std::vector<GraphBuilder> &graphStack() {
  return threadObject<std::vector<GraphBuilder>>();
}

GraphBuilder::GraphBuilder() : state(makeState(nullptr)) {}
GraphBuilder::GraphBuilder(std::shared_ptr<Graph> graph)
    : state(makeState(std::move(graph))) {}

GraphBuilder GraphBuilder::current() {
  if (!graphStack().empty())
    return graphStack().back();
  Builders &known = builders();
  {
    std::lock_guard lock(known.mutex);
    if (known.global)
      return *known.global;
  }
  GraphBuilder made;
  std::lock_guard lock(known.mutex);
  if (!known.global)
    known.global = made;
  return *known.global;
}

GraphBuilder GraphBuilder::of(const Output &tensor) {
  GraphBuilder innermost = current();
  if (!tensor.node || innermost.state->function ||
      holds(*innermost.state, tensor.node))
    return innermost;
  Builders &known = builders();
  std::lock_guard lock(known.mutex);
  for (const auto &each : known.all)
    if (auto state = each.lock(); state && holds(*state, tensor.node))
      return GraphBuilder(std::move(state));
  return innermost;
}

std::shared_ptr<BuildState> stateOf(const Node &node) {
  Builders &known = builders();
  std::lock_guard lock(known.mutex);
  for (const auto &each : known.all)
    if (auto state = each.lock(); state && holds(*state, &node))
      return state;
  return nullptr;
}

void resetDefaultGraph() {
  if (!graphStack().empty())
    return graphStack().back().fail(failedPreconditionError(
        "Do not use tf.reset_default_graph() to clear nested graphs. If you "
        "need a cleared graph, exit the nesting and create a new graph."));
  GraphBuilder made;
  Builders &known = builders();
  std::lock_guard lock(known.mutex);
  known.global = made;
}

void setRandomSeed(int64_t seed) {
  GraphBuilder::current().setRandomSeed(seed);
}

const std::shared_ptr<Graph> &GraphBuilder::graph() const {
  return state->graph;
}
std::optional<GraphBuilder> GraphBuilder::outer() const {
  auto around = state->function ? state->function->outer.lock() : nullptr;
  return around ? std::optional(around->builder()) : std::nullopt;
}
Status GraphBuilder::status() const {
  return state->graph->constructionError();
}
Status GraphBuilder::takeStatus() {
  return state->graph->takeConstructionError();
}
void GraphBuilder::fail(Status error) const { state->fail(std::move(error)); }

const Node *GraphBuilder::addNode(std::string_view op, std::string_view name,
                                  std::vector<Output> inputs,
                                  AttrMap attrs) const {
  NameScope scope(*this, name.empty() ? op : name);
  return state->addNode(std::string(op), withoutSlash(scope.name()),
                        std::move(inputs), std::move(attrs));
}

Output GraphBuilder::convert(const Input &value,
                             const ConversionOptions &options) const {
  return convertInput(*state, value, options);
}
Output GraphBuilder::convertToRef(const Input &value) const {
  return convertInput(*state, value, {}, /*asRef=*/true);
}

void GraphBuilder::setShape(const Output &tensor, const Shape &shape) const {
  if (state->failed() || !tensor.node)
    return;
  if (Status status = setProgramShape(tensor, shape); !status.ok())
    state->fail(std::move(status));
}

std::string GraphBuilder::nameScope() const {
  const std::string &scope = state->scopes().nameScope;
  return scope.empty() ? "" : scope + "/";
}
std::string GraphBuilder::uniqueName(std::string_view name,
                                     bool markAsUsed) const {
  return state->uniqueName(name, markAsUsed);
}

void BuildState::takeNames() {
  for (; namedNodes < graph->numAdded(); ++namedNodes)
    namesInUse.try_emplace(lowerCase(graph->addedNode(namedNodes)->name()), 1);
}

std::string BuildState::uniqueName(std::string_view name, bool markAsUsed) {
  takeNames();
  const std::string &nameScope = scopes().nameScope;
  std::string full =
      nameScope.empty() ? std::string(name) : strCat(nameScope, "/", name);
  std::string key = lowerCase(full);
  auto found = namesInUse.find(key);
  int64_t count = found == namesInUse.end() ? 0 : found->second;
  if (markAsUsed)
    namesInUse[key] = count + 1;
  if (count == 0)
    return full;
  std::string base = key;
  while (namesInUse.contains(key))
    key = strCat(base, "_", count++);
  if (markAsUsed)
    namesInUse[key] = 1;
  return strCat(full, "_", count - 1);
}

void GraphBuilder::setRandomSeed(std::optional<int64_t> seed) const {
  state->seed = seed;
}
std::optional<int64_t> GraphBuilder::randomSeed() const { return state->seed; }

std::pair<int64_t, int64_t>
GraphBuilder::seedsFor(std::optional<int64_t> opSeed) const {
  constexpr int64_t largest = std::numeric_limits<int32_t>::max();
  auto wrap = [](int64_t seed) {
    int64_t rest = seed % largest;
    return rest < 0 ? rest + largest : rest;
  };
  if (!state->seed && !opSeed)
    return {0, 0};
  int64_t first = state->seed ? *state->seed : 87654321;
  int64_t second = opSeed ? *opSeed : state->seedsGiven++;
  std::pair<int64_t, int64_t> seeds(wrap(first), wrap(second));
  if (seeds == std::pair<int64_t, int64_t>(0, 0))
    seeds.second = largest;
  return seeds;
}

void GraphBuilder::finalize() const { state->finalized = true; }
bool GraphBuilder::isFinalized() const { return state->finalized; }
void GraphBuilder::unfinalize() const { state->finalized = false; }
void GraphBuilder::separatePlacements() const {
  state->placementPerThread = true;
}

void GraphBuilder::addToCollection(std::string_view key,
                                   CollectionItem item) const {
  collectionRef(key).push_back(std::move(item));
}
void GraphBuilder::addToCollection(std::string_view key,
                                   const Output &tensor) const {
  addToCollection(
      key, CollectionItem{tensor.node ? tensor.name() : std::string(), tensor});
}
void GraphBuilder::addToCollection(std::string_view key,
                                   const Node *operation) const {
  addToCollection(
      key, CollectionItem{operation ? operation->name() : "", operation});
}
void GraphBuilder::addToCollection(std::string_view key,
                                   const Variable &variable) const {
  addToCollection(key, CollectionItem{variable.name(), variable});
}

std::vector<CollectionItem>
GraphBuilder::collection(std::string_view key, std::string_view scope) const {
  auto &collections = rootOf(*state).collections;
  auto found = collections.find(key);
  if (found == collections.end())
    return {};
  if (scope.empty())
    return found->second;
  std::vector<CollectionItem> matching;
  std::regex pattern{std::string(scope), std::regex::ECMAScript};
  for (const CollectionItem &item : found->second)
    if (!item.name.empty() &&
        std::regex_search(item.name, pattern,
                          std::regex_constants::match_continuous))
      matching.push_back(item);
  return matching;
}

std::vector<CollectionItem> &
GraphBuilder::collectionRef(std::string_view key) const {
  return rootOf(*state).collections[std::string(key)];
}

std::vector<std::string> GraphBuilder::collectionKeys() const {
  std::vector<std::string> names;
  for (const auto &[key, items] : rootOf(*state).collections)
    if (!items.empty())
      names.push_back(key);
  return names;
}

void GraphBuilder::clearCollection(std::string_view key) const {
  auto &collections = rootOf(*state).collections;
  if (auto found = collections.find(key); found != collections.end())
    found->second.clear();
}

std::shared_ptr<void> &GraphBuilder::attachment(std::string_view key) const {
  return rootOf(*state).attachments[std::string(key)];
}

GraphBuilder builderOf(std::span<const Input *const> inputs) {
  for (const Input *input : inputs)
    if (auto graph = graphOf(*input))
      return *graph;
  return GraphBuilder::current();
}

std::optional<GraphBuilder> graphOf(const Input &input) {
  if (const Output *output = input.output(); output && output->node)
    return GraphBuilder::of(*output);
  const auto *variable =
      std::get_if<std::shared_ptr<const VariableData>>(&input.value());
  if (variable && Variable::of(*variable).op())
    return workingGraph(Variable::of(*variable).graph());
  return std::nullopt;
}

} // namespace kiln
