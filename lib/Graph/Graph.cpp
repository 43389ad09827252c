// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph's storage, and lookups by name with TensorFlow's texts.
#include "kiln/Graph.h"

#include "lib/Graph/Function.h"
#include "lib/Graph/NodeBatch.h"
#include "lib/Support/FloatState.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace kiln {

namespace {

/// Grows without moving anything: block k holds 64 << k nodes, so that a reader
/// needs no lock to find one below the published count.
class NodeStore {
public:
  int size() const noexcept {
    return published.load(std::memory_order_acquire);
  }

  /// With those that are not published yet.
  int stored() const noexcept { return added.load(std::memory_order_acquire); }

  const Node *get(int id) const noexcept { return get(id, size()); }
  const Node *getStored(int id) const noexcept { return get(id, stored()); }

  void append(std::vector<std::unique_ptr<Node>> nodes) {
    int id = stored();
    for (std::unique_ptr<Node> &node : nodes) {
      auto [block, offset] = locate(id++);
      if (!blocks[block])
        blocks[block] = std::make_unique<std::unique_ptr<Node>[]>(
            size_t{firstBlock} << block);
      blocks[block][offset] = std::move(node);
    }
    added.store(id, std::memory_order_release);
  }
  void publish() noexcept {
    published.store(stored(), std::memory_order_release);
  }

private:
  const Node *get(int id, int count) const noexcept {
    if (id < 0 || id >= count)
      return nullptr;
    auto [block, offset] = locate(id);
    return blocks[block][offset].get();
  }

  static constexpr unsigned firstBlock = 64;

  static std::pair<size_t, size_t> locate(int id) noexcept {
    unsigned number = static_cast<unsigned>(id) / firstBlock + 1;
    auto block = static_cast<size_t>(std::bit_width(number) - 1);
    size_t blockStart = size_t{firstBlock} * ((size_t{1} << block) - 1);
    return {block, static_cast<size_t>(id) - blockStart};
  }

  std::array<std::unique_ptr<std::unique_ptr<Node>[]>, 26> blocks;
  std::atomic<int> added{0};
  std::atomic<int> published{0};
};

constexpr std::string_view tensorNameForm =
    "Tensor names must be of the form \"<op_name>:<output_index>\".";

} // namespace

struct Graph::Impl {
  /// Adds nodes to the graph that this is of.
  Status add(const Graph &graph, std::vector<NodeSpec> specs, NodesTaken taken);

  NodeChecker checker;
  GraphLimits limits;
  NodeStore nodes;
  int holds = 0;
  std::unordered_map<std::string_view, const Node *> heldByName;

  mutable std::shared_mutex mutex;
  std::unordered_map<std::string_view, const Node *> byName;
  GraphVersions versions;
  std::shared_ptr<const FunctionLibrary> functionLibrary;
  Status constructionError;
  std::vector<bool> controlSources; ///< by node id
  std::atomic<bool> hasConstructionError{false};
};

Graph::Graph(NodeChecker checker, GraphLimits limits)
    : impl(std::make_unique<Impl>()) {
  impl->checker = std::move(checker);
  impl->limits = limits;
}
Graph::Graph(Graph &&) noexcept = default;
Graph &Graph::operator=(Graph &&) noexcept = default;
Graph::~Graph() = default;

StatusOr<const Node *> Graph::addNode(NodeSpec spec) {
  std::vector<NodeSpec> specs;
  specs.push_back(std::move(spec));
  KILN_RETURN_IF_ERROR(impl->add(*this, std::move(specs), NodesTaken::Right));
  return addedNode(numAdded() - 1);
}

Status Graph::addNodes(std::vector<NodeSpec> specs) {
  return impl->add(*this, std::move(specs), NodesTaken::Typed);
}

Status Graph::Impl::add(const Graph &graph, std::vector<NodeSpec> specs,
                        NodesTaken taken) {
  DefaultFloatState floatState;
  NodeBatch batch(graph, checker, limits, taken);
  KILN_RETURN_IF_ERROR(batch.build(std::move(specs)));
  std::vector<std::unique_ptr<Node>> added = batch.takeNodes();
  if (holds > 0) {
    for (const std::unique_ptr<Node> &node : added)
      heldByName.emplace(node->name(), node.get());
    nodes.append(std::move(added));
    return okStatus();
  }
  std::unique_lock lock(mutex);
  for (const std::unique_ptr<Node> &node : added)
    byName.emplace(node->name(), node.get());
  nodes.append(std::move(added));
  nodes.publish();
  return okStatus();
}

void Graph::hold() { ++impl->holds; }

void Graph::publish() {
  if (impl->holds == 0 || --impl->holds > 0)
    return;
  std::unique_lock lock(impl->mutex);
  impl->byName.merge(impl->heldByName);
  impl->heldByName.clear();
  impl->nodes.publish();
}

Status Graph::closeLoop(const Node &merge, const Node &next) {
  if (!isLoopEdge(next, merge) || merge.numInputs() < 2 ||
      merge.id() < numNodes() || !contains(&merge) || !contains(&next))
    return invalidArgumentError(
               strCat("expected a NextIteration for a Merge that is not "
                      "published, got ",
                      quote(next.name())))
        .withNode(merge.name());
  // Held nodes are this thread's own.
  const_cast<Node &>(merge).own.inputs[1] = {&next, 0};
  return okStatus();
}

Status Graph::extendNode(const Node &node, NodeExtension extension) {
  for (const Output &input : extension.inputs)
    if (!contains(&node) || !contains(input.node))
      return invalidArgumentError("expected nodes of this graph")
          .withNode(node.name());
  auto parts = std::make_unique<Node::Parts>(node.parts());
  for (const Output &input : extension.inputs)
    parts->inputs.push_back(input);
  parts->outputsKnown |= !extension.outputs.empty();
  for (OutputInfo &output : extension.outputs)
    parts->outputs.push_back(std::move(output));
  for (const NamedAttr &attr : extension.attrs)
    parts->attributes.set(attr.name, attr.value);
  // One thread adds; readers see the old parts or the new ones.
  auto &changed = const_cast<Node &>(node);
  changed.current.store(parts.get(), std::memory_order_release);
  changed.extensions.push_back(std::move(parts));
  return okStatus();
}

bool Graph::contains(const Node *node) const noexcept {
  return node && addedNode(node->id()) == node;
}
int Graph::numAdded() const noexcept { return impl->nodes.stored(); }
const Node *Graph::addedNode(int id) const noexcept {
  return impl->nodes.getStored(id);
}

const Node *Graph::lookupAdded(std::string_view name) const {
  auto found = impl->heldByName.find(name);
  return found == impl->heldByName.end() ? lookup(name) : found->second;
}

int Graph::numNodes() const noexcept { return impl->nodes.size(); }
const Node *Graph::node(int id) const noexcept { return impl->nodes.get(id); }

const Node *Graph::lookup(std::string_view name) const {
  std::shared_lock lock(impl->mutex);
  auto found = impl->byName.find(name);
  return found == impl->byName.end() ? nullptr : found->second;
}

StatusOr<const Node *> Graph::findNode(std::string_view name) const {
  if (const Node *found = lookup(name))
    return found;
  if (name.find(':') != std::string_view::npos)
    return invalidArgumentError(
        strCat("Name ", quote(name),
               " appears to refer to a Tensor, not a Operation."));
  return notFoundError(strCat("The name ", quote(name),
                              " refers to an Operation not in the graph."));
}

StatusOr<Output> Graph::findTensor(std::string_view name) const {
  size_t colon = name.find(':');
  if (colon == std::string_view::npos) {
    std::string_view what = lookup(name)
                                ? " refers to an Operation"
                                : " looks like an (invalid) Operation name";
    return invalidArgumentError(strCat("The name ", quote(name), what,
                                       ", not a Tensor. ", tensorNameForm));
  }
  std::string_view op = name.substr(0, colon), digits = name.substr(colon + 1);
  int index = 0;
  auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error == std::errc::invalid_argument ||
      end != digits.data() + digits.size())
    return invalidArgumentError(
        strCat("The name ", quote(name),
               " looks a like a Tensor name, but is not a valid one. ",
               tensorNameForm));
  const Node *found = lookup(op);
  int outputs = found ? found->numOutputs() : 0;
  bool tooLarge = error == std::errc::result_out_of_range ||
                  (outputs >= 0 && index >= outputs);
  if (found && !tooLarge && index >= 0)
    return Output{found, index};
  std::string missing =
      strCat("The name ", quote(name),
             " refers to a Tensor which does not exist. The operation, ",
             quote(op), ", ");
  if (!found)
    return notFoundError(missing + "does not exist in the graph.");
  return notFoundError(
             outputs >= 0
                 ? strCat(missing, "exists but only has ", outputs, " outputs.")
                 : strCat(missing, "exists but has no such output."))
      .withNode(op);
}

GraphVersions Graph::versions() const {
  std::shared_lock lock(impl->mutex);
  return impl->versions;
}

void Graph::setVersions(GraphVersions versions) {
  std::unique_lock lock(impl->mutex);
  impl->versions = std::move(versions);
}

SharedFunctions Graph::functionLibrary() const {
  std::shared_lock lock(impl->mutex);
  return impl->functionLibrary;
}

void Graph::setFunctionLibrary(std::shared_ptr<const FunctionLibrary> library) {
  std::unique_lock lock(impl->mutex);
  impl->functionLibrary = std::move(library);
}

Status Graph::constructionError() const {
  std::shared_lock lock(impl->mutex);
  return impl->constructionError;
}

bool Graph::hasConstructionError() const noexcept {
  return impl->hasConstructionError.load(std::memory_order_acquire);
}

void Graph::setConstructionError(Status error) {
  std::unique_lock lock(impl->mutex);
  if (error.ok() || !impl->constructionError.ok())
    return;
  impl->constructionError = std::move(error);
  impl->hasConstructionError.store(true, std::memory_order_release);
}

Status Graph::takeConstructionError() {
  std::unique_lock lock(impl->mutex);
  impl->hasConstructionError.store(false, std::memory_order_release);
  return std::exchange(impl->constructionError, Status());
}

void Graph::markControlSource(const Node &node) {
  std::unique_lock lock(impl->mutex);
  auto id = static_cast<size_t>(node.id());
  if (impl->controlSources.size() <= id)
    impl->controlSources.resize(id + 1);
  impl->controlSources[id] = true;
}

bool Graph::isControlSource(const Node &node) const {
  std::shared_lock lock(impl->mutex);
  auto id = static_cast<size_t>(node.id());
  return id < impl->controlSources.size() && impl->controlSources[id];
}

/// Whether the graphs have the functions of one library, and besides have built
/// the same.
static bool sameFunctions(const Graph &a, const Graph &b) {
  SharedFunctions first = a.functionLibrary(), second = b.functionLibrary();
  static const FunctionLibrary none;
  const FunctionLibrary &x = first ? *first : none;
  const FunctionLibrary &y = second ? *second : none;
  return x.serialized() == y.serialized() && x.built() == y.built();
}

bool Graph::isIdenticalTo(const Graph &other) const {
  if (numNodes() != other.numNodes() || !(versions() == other.versions()) ||
      !sameFunctions(*this, other))
    return false;
  for (int id = 0; id < numNodes(); ++id) {
    const Node &a = *node(id), &b = *other.node(id);
    if (a.name() != b.name() || a.op() != b.op() || a.device() != b.device() ||
        !(a.attrs() == b.attrs()))
      return false;
    auto sameOutput = [](const Output &x, const Output &y) {
      return x.node->id() == y.node->id() && x.index == y.index;
    };
    auto sameNode = [](const Node *x, const Node *y) {
      return x->id() == y->id();
    };
    if (!std::ranges::equal(a.inputs(), b.inputs(), sameOutput) ||
        !std::ranges::equal(a.controlInputs(), b.controlInputs(), sameNode))
      return false;
  }
  return true;
}

bool isValidNodeName(std::string_view name) noexcept {
  auto isAlphanumeric = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c >= '0' && c <= '9');
  };
  if (name.empty() || !(isAlphanumeric(name[0]) || name[0] == '.'))
    return false;
  constexpr std::string_view others = "_.\\/>-";
  return std::ranges::all_of(name.substr(1), [&](char c) {
    return isAlphanumeric(c) || others.find(c) != std::string_view::npos;
  });
}

} // namespace kiln
