// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a random graph that is valid, op by op, with the feeds to run it.
#ifndef KILN_TEST_FUZZ_GRAPHS_MAKER_H
#define KILN_TEST_FUZZ_GRAPHS_MAKER_H

#include "lib/OpDefs/OpDef.h"
#include "test/fuzz/graphs/Contents.h"
#include "test/fuzz/graphs/Program.h"

#include <optional>
#include <set>

namespace kiln::fuzz {

/// An output of a node, with what is known of it.
struct Value {
  Output at;
  /// The same in the graphs whose shapes are those of each set of feeds.
  std::array<Output, numSets> twins = {};
  DType dtype = DType::Invalid;
  bool isRef = false;
  /// Whether the extents are known; the run alone finds out those of Where.
  bool isKnown = false;
  Extents dims = {};
  /// The elements in each set, of small fresh integers.
  std::array<Tensor, numSets> contents = {};
  /// The variable that this is, or a view of.
  int variable = -1;
  /// The variable's version when this was made; where that is another one now,
  /// the variable has been written since.
  int version = 0;

  int rank() const { return static_cast<int>(dims.size()); }
};

/// A graph that is being made: the program's, or a region's: the body of a
/// function, a branch or a loop.
///
/// What a node's shapes are in each set of feeds tell its twins, nodes of
/// graphs in which all shapes are static: a node whose twins are refused is
/// none.
///
/// A region may run with some sets of feeds alone: in the others its nodes need
/// not fit, and the twins of those that do not are placeholders.
struct Scope {
  explicit Scope(Scope *parent = nullptr, const Sets &runsIn = everySet);

  /// An argument of a region and what it is outside.
  struct Argument {
    Value inner, outer;
  };

  Scope *parent;
  std::shared_ptr<Graph> graph;
  std::array<std::unique_ptr<Graph>, numSets> twins;
  std::vector<Value> values;
  std::vector<Argument> arguments;
  /// The sets of feeds with which it runs.
  Sets runsIn;
  /// Where that is not every set: the one that nodes are made for.
  std::optional<size_t> focus;
};

/// What a program is about beside its ops. Unless it is asked for, a seed draws
/// it.
struct Style {
  /// Branches and loops run where their nodes fit, which is not everywhere.
  bool guards = false;
  /// Extents are open, and sums, products and quotients of such, or found in
  /// the run.
  bool sizes = false;
  /// A third set of feeds is what a program does not expect.
  bool hostileFeeds = false;
  /// Nodes that cannot run, which no request asks for.
  bool badNodes = false;
  /// Some fetches are asked for one by one, in another order, by one more
  /// session on the graph.
  bool otherRequests = false;
};

struct MakerOptions {
  /// Nodes of random ops to add.
  int ops = 6;
  /// The first op; empty for any.
  std::string subject = {};
  /// Whether one op in some graphs gets an input that it refuses in the run.
  bool mayFail = true;
  /// Whether the subject gets such an input, fed and not a constant.
  bool isHostile = false;
  /// Whether nothing is a constant that can be fed.
  bool feedsAll = false;
  std::optional<Style> style = {};
};

/// A variable of the program.
struct Variable {
  Value value; ///< the reference or handle
  DType dtype = DType::Invalid;
  Extents dims;
  int version = 0;
  /// Nodes that the next write comes behind.
  std::set<std::string> users = {};
  std::string lastWrite = {};
};

class Maker {
public:
  Maker(unsigned seed, MakerOptions options);

  /// Adds nodes, and asks for what nothing uses and some more.
  Program make();
  /// Adds a node of this op, and what it needs; false where that failed.
  bool addOp(std::string_view name);

  // Sources

  /// A constant, a fed placeholder, or in a region also a new argument.
  Value fresh(DType dtype, const Extents &dims, const Fill &fill = anything());
  /// As fresh(), but no constant, and in a region with the sets' own.
  Value fed(DType dtype, const Extents &dims, const Fill &fill = anything());
  Value constant(const Tensor &tensor);
  /// An integer tensor of these elements.
  Value integers(DType dtype, const Extents &numbers);
  Value scalarInteger(DType dtype, const Extent &number);
  /// As integers(), or the op Shape of a value that has them, or put together
  /// of sizes.
  Value shapeValue(DType dtype, const Extents &dims);

  // Operands, made or picked

  Value any(DType dtype, int minRank = 0, int maxRank = 5);
  Value like(DType dtype, const Extents &dims);
  /// A value of a shape that broadcasts with \p dims.
  Value broadcastable(DType dtype, const Extents &dims);
  Extents randomDims(int minRank = 0, int maxRank = 5);
  Extents dimsOfRank(int rank) { return randomDims(rank, rank); }
  Extent randomExtent() { return random.pick(palette); }
  /// Whether both are the same, in the set that the region is for.
  bool areSame(const Extents &first, const Extents &second) const;
  DType randomType(std::initializer_list<DType> list) {
    return random.among(list);
  }

  /// A variable; with an initializer among the program's.
  int variable(DType dtype, const Extents &dims, bool isHandle,
               const Fill &fill = anything());
  Value &variableValue(int id) { return variables[size_t(id)].value; }

  // Nodes

  /// Adds a node and its twins. Nothing where one of them is refused.
  std::optional<std::vector<Value>>
  add(std::string_view op, const std::vector<Value> &inputs, AttrMap attrs = {},
      const std::vector<std::string> &controls = {});
  /// Says what the outputs of a node are whose shapes the graph does not tell:
  /// of these extents; nothing: only the run knows.
  Value standIn(Output at, DType dtype, const std::optional<Extents> &dims);
  /// Says what the elements of an integer or bool are that a node gives.
  Value following(Value value, const Extents &numbers);
  void keep(const Value &value) { scope->values.push_back(value); }
  /// Removes what a node gives from the values to pick from.
  void forget(const Value &value);
  /// A node that is run for its effect.
  void target(const Value &value) { target(value.at.node->name()); }
  void target(std::string node) { program.targets.push_back(std::move(node)); }
  void initializer(std::string node) {
    program.init.push_back(std::move(node));
  }
  std::string freshName(std::string_view op);
  bool isMain() const { return scope->parent == nullptr; }

  // Regions (Regions.cpp)

  /// A region in which some ops are made, of what is given and captured.
  std::unique_ptr<Scope> region(const std::vector<Value> &arguments, int ops,
                                const Sets &runsIn = everySet);
  /// Gives regions the same arguments: each begins with those of the one
  /// before it.
  void shareArguments(std::span<const std::unique_ptr<Scope>> regions);
  /// Calls \p body with the region as the scope.
  template <class Body> auto inside(Scope &region, Body body) {
    Scope *outer = std::exchange(scope, &region);
    ++depth;
    auto result = body();
    --depth;
    scope = outer;
    return result;
  }
  /// A new argument of the present region.
  Value capture(const Value &outer);
  /// Adds the region to the program's functions, and returns its name.
  std::string function(Scope &region, const std::vector<Value> &results);
  /// The region's nodes, with tensors for its arguments; those without inputs,
  /// or with none but \p constants of a loop, come behind the node \p pivot.
  std::vector<NodeSpec> inlined(const Scope &region,
                                const std::vector<std::string> &arguments,
                                const std::string &pivot,
                                std::span<const std::string> constants = {});
  int regionDepth() const { return depth; }

  Random random;
  MakerOptions options;
  Style style;
  /// Whether the next op is to get an input that is refused.
  bool isHostile = false;
  Program program;
  Scope *scope;
  std::vector<Variable> variables;
  /// Ops of nodes that were made.
  std::set<std::string> made;

private:
  Extents fitted(Extents dims);
  /// As a recipe in the present region plans with it.
  Value seen(Value value);
  Value source(DType dtype, const Extents &dims, const Fill &fill,
               bool mayBeConstant);
  /// What stands for output \p i of a node that a twin refused.
  Output missingTwin(const Node &node, int i, size_t set,
                     std::span<const Node *const> twins);
  bool isFresh(const Value &value) const {
    return value.variable < 0 ||
           value.version == variables[size_t(value.variable)].version;
  }
  Value placeholder(DType dtype, const Extents &dims, const Fill &fill);
  Value sourceOf(const Node *node, DType dtype, const Extents &dims,
                 const std::array<Tensor, numSets> &contents);
  std::vector<std::string> orderEffects(const OpDef &def,
                                        const std::vector<Value> &inputs);
  void finish();

  Scope main;
  std::vector<Extent> palette;
  int depth = 0, numNames = 0;
};

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_MAKER_H
