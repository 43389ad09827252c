// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph under construction: names, scopes, seeds and collections, by
// TensorFlow's rules.
#ifndef KILN_GRAPHBUILDER_H
#define KILN_GRAPHBUILDER_H

#include "kiln/Graph.h"
#include "kiln/Input.h"

#include <any>
#include <optional>
#include <utility>

namespace kiln {

struct BuildState;

/// A node to be added with values for inputs, which are converted as the op
/// says.
struct OpSpec {
  std::string op;
  /// Made unique; the op's type where it is empty. One that ends in "/" is
  /// taken as it is, without the slash.
  std::string name = {};
  /// One entry for each of the op's arguments, lists for those that take one.
  std::vector<std::variant<Input, InputList>> inputs = {};
  /// What does not follow from the inputs; defaults may be missing.
  AttrMap attrs = {};
};

/// What a collection holds, with the name that scopes filter by.
struct CollectionItem {
  std::string name;
  std::any value;
  /// What stands for the item in another language; no other meaning.
  std::any companion = {};
};

/// How Input values become tensors of the graph.
struct ConversionOptions {
  /// The dtype that the tensor must have.
  DType dtype = DType::Invalid;
  /// The dtype that the value should become where it can.
  DType dtypeHint = DType::Invalid;
  /// The name of a Const that is made; "Const" where it is empty.
  std::string name = {};
};

/// A graph under construction. Copies are the same graph.
///
/// Additions do not throw: a node that cannot be added makes status() an error
/// that names the node, and from then on nothing is added: operations are null
/// and Outputs without a node, which may be passed on. Session::create() and
/// run() end with this error.
///
/// Invariants: (1) names are unique by TensorFlow's rule, case ignored; (2)
/// nodes that others add to the graph count as names in use. Ownership: shares
/// the graph with sessions. Thread safety: one thread at a time builds a graph;
/// sessions may run it meanwhile. The stack of default graphs is the thread's.
/// **Source**: tf.Graph.
class KILN_EXPORT GraphBuilder {
public:
  /// A new graph.
  GraphBuilder();
  /// Goes on with a graph that has been built or loaded.
  explicit GraphBuilder(std::shared_ptr<Graph> graph);

  /// The graph that functions build in: the innermost GraphScope's, otherwise
  /// the process's default graph. **Source**: tf.get_default_graph.
  static GraphBuilder current();
  /// The graph that holds the tensor; current() for one without a node.
  static GraphBuilder of(const Output &tensor);

  const std::shared_ptr<Graph> &graph() const;
  /// Where this one is the body of a function: the graph that it was begun in.
  std::optional<GraphBuilder> outer() const;
  bool operator==(const GraphBuilder &other) const {
    return state == other.state;
  }

  /// The first thing that went wrong; OK while nothing did.
  Status status() const;
  /// Returns status() and makes it OK, so that building can go on.
  Status takeStatus();
  /// Makes status() this error, unless it is one already.
  void fail(Status error) const;

  /// Adds a node; null after an error. **Errors**: by status(). **Source**:
  /// op_def_library.apply_op.
  const Node *addOp(const OpSpec &spec) const;
  /// Adds a node whose inputs are taken as they are, of any type, known or not.
  /// **Errors**: by status(). **Source**: tf.Graph.create_op.
  const Node *addNode(std::string_view op, std::string_view name,
                      std::vector<Output> inputs, AttrMap attrs) const;
  /// Converts a value: adds a Const, or what packs a list of tensors. A tensor
  /// of the graph is given back. **Source**: tf.convert_to_tensor.
  Output convert(const Input &value,
                 const ConversionOptions &options = {}) const;
  /// As convert(), but a variable, or a reference to one, stays a reference.
  Output convertToRef(const Input &value) const;

  /// Adds what the program knows of a tensor's shape to what was inferred; a
  /// run takes it for true. **Errors**: INVALID_ARGUMENT with TensorFlow's text
  /// where they contradict each other. **Source**: tf.Tensor.set_shape.
  void setShape(const Output &tensor, const Shape &shape) const;

  /// The scope's name and a slash; empty at the root.
  std::string nameScope() const;
  /// The name in the present scope, made unique. **Source**:
  /// tf.Graph.unique_name.
  std::string uniqueName(std::string_view name, bool markAsUsed = true) const;

  /// The graph's seed. **Source**: tf.set_random_seed.
  void setRandomSeed(std::optional<int64_t> seed) const;
  std::optional<int64_t> randomSeed() const;
  /// The attributes seed and seed2 of a random op. **Source**: tf.get_seed,
  /// 2.21: without a seed of the op it counts those that asked.
  std::pair<int64_t, int64_t> seedsFor(std::optional<int64_t> opSeed) const;

  /// From now on additions fail: "Graph is finalized and cannot be modified."
  void finalize() const;
  bool isFinalized() const;
  /// Lets additions succeed again, as monitored sessions do when they end.
  /// **Source**: tf.Graph._unsafe_unfinalize.
  void unfinalize() const;

  /// From now on each thread has DeviceScopes and ColocationScopes of its own,
  /// which begin with those that hold now; before, threads share them.
  /// **Source**: tf.Graph.switch_to_thread_local.
  void separatePlacements() const;

  /// Appends; what is no variable, tensor or node should have a name.
  void addToCollection(std::string_view key, CollectionItem item) const;
  void addToCollection(std::string_view key, const Output &tensor) const;
  void addToCollection(std::string_view key, const Node *operation) const;
  void addToCollection(std::string_view key, const Variable &variable) const;
  /// A copy, of the items whose name begins with a match of the regular
  /// expression `scope` where one is given; items without a name are no match.
  std::vector<CollectionItem> collection(std::string_view key,
                                         std::string_view scope = {}) const;
  /// The list itself, made where there is none. Valid while the graph lives.
  std::vector<CollectionItem> &collectionRef(std::string_view key) const;
  std::vector<std::string> collectionKeys() const;
  void clearCollection(std::string_view key) const;
  /// The items of one type: collectionOf<Variable>("variables").
  template <class T>
  std::vector<T> collectionOf(std::string_view key,
                              std::string_view scope = {}) const {
    std::vector<T> found;
    for (const CollectionItem &item : collection(key, scope))
      if (const T *value = std::any_cast<T>(&item.value))
        found.push_back(*value);
    return found;
  }

  /// What another layer keeps for the graph, by a name of its own; null until
  /// it is set.
  std::shared_ptr<void> &attachment(std::string_view key) const;

  /// For Kiln's own layers.
  BuildState &internals() const noexcept { return *state; }

private:
  friend struct BuildState;
  explicit GraphBuilder(std::shared_ptr<BuildState> state)
      : state(std::move(state)) {}
  std::shared_ptr<BuildState> state;
};

/// The names of TensorFlow's collections. **Source**: tf.GraphKeys.
namespace keys {
inline constexpr std::string_view
    globalVariables = "variables",
    trainableVariables = "trainable_variables",
    localVariables = "local_variables", modelVariables = "model_variables",
    movingAverageVariables = "moving_average_variables",
    summaries = "summaries", queueRunners = "queue_runners",
    tableInitializers = "table_initializer", assetFilepaths = "asset_filepaths",
    losses = "losses", regularizationLosses = "regularization_losses",
    updateOps = "update_ops", savers = "savers",
    saveableObjects = "saveable_objects", globalStep = "global_step",
    trainOp = "train_op", initOp = "init_op", localInitOp = "local_init_op",
    readyOp = "ready_op", summaryOp = "summary_op",
    condContext = "cond_context", whileContext = "while_context";
} // namespace keys

/// Sets the seed of the current graph. **Source**: tf.set_random_seed.
KILN_EXPORT void setRandomSeed(int64_t seed);
/// Makes a new default graph; the old one lives as long as something holds it.
/// **Errors** of the innermost graph: FAILED_PRECONDITION inside of a
/// GraphScope. **Source**: tf.reset_default_graph.
KILN_EXPORT void resetDefaultGraph();

} // namespace kiln

#endif // KILN_GRAPHBUILDER_H
