// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a shape function sees of its node, and the drivers that call shape
// functions.
#ifndef KILN_LIB_OPDEFS_INFERENCE_H
#define KILN_LIB_OPDEFS_INFERENCE_H

#include "kiln/Graph.h"
#include "kiln/Ops.h"
#include "lib/Graph/CallPath.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Shape/DimSpace.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace kiln {

class SlotSpace;

/// What stands behind a handle: a variable, a queue, a TensorArray, a stack or
/// a TensorList.
struct HandleInfo {
  DType dtype = DType::Invalid;
  SymShape shape;
  /// A queue's, one an element's tensor.
  std::vector<HandleInfo> components = {};
  /// Where one of the last three lies, in the SlotSpace; -1 where that is not
  /// known.
  int slot = -1;
  /// The number of a TensorList's elements.
  Dim size = Dim::unknown();
};

/// What is known of one tensor before a run.
struct ValueInfo {
  DType dtype = DType::Invalid;
  bool isRef = false;
  SymShape shape;
  /// The elements of an integer or bool (0, 1) tensor, row-major, as far as
  /// they are known: single ones may be unknown.
  std::optional<Dims> contents;
  /// For handles of resources, and references of queues.
  std::optional<HandleInfo> handle;
  /// For handles and references of variables without a static shape: an
  /// importer's number of the variable, whose shape is another at every place;
  /// else -1.
  int dynamicVariable = -1;
};

/// The elements of a larger tensor are not followed.
inline constexpr size_t maxContents = 64;

/// What is asked for of a tensor.
enum class Demand : uint8_t {
  Known,   ///< elements on which a rank, an axis or an order depends
  Sizes,   ///< elements that are sizes alone
  Amounts, ///< elements that are where a part begins or ends, how wide a border
           ///< is and the like, which change from run to run
  Extents, ///< not elements: how long its dimensions are, on which a rank
           ///< depends
};

/// Called when a shape depends on the elements of input i, or on its extents,
/// and they are not known. An importer answers for a fed tensor with the fed
/// elements, which thereby become part of the feed signature, for sizes that
/// are computed from data with symbols that the run binds, for amounts with
/// such symbols also where they are fed; null where there is no answer: where
/// nothing else does, the run is cut behind what gives the tensor.
using DemandFn = std::function<const Dims *(int input, Demand)>;

/// What an importer knows beside the inputs. Borrows everything.
struct InferenceSite {
  DemandFn demand = {};
  /// Null while a graph is being built.
  SlotSpace *slots = nullptr;
  /// The calls around the node (Block::path).
  const CallPath *path = nullptr;
  /// Whether the node may change the TensorList that is its input 0.
  bool ownsList = false;
  /// See InferenceContext::constantNumber(); empty while a graph is being
  /// built, where nothing is fed.
  std::function<std::optional<double>(int input)> constantNumber = {};
};

/// One call of a shape function: the same in graph building (no symbols, much
/// unknown) and in import (symbolic dimensions). Ownership: borrows all it is
/// given. Thread safety: none.
class InferenceContext {
public:
  InferenceContext(const Node &node, const OpDef &def,
                   std::vector<const ValueInfo *> inputs, DimSpace &dims,
                   InferenceSite site = {})
      : theNode(node), theDef(def), inputs(std::move(inputs)), space(dims),
        site(std::move(site)) {}

  const Node &node() const { return theNode; }
  const OpDef &def() const { return theDef; }
  DimSpace &dims() { return space; }
  bool isBuilding() const { return space.isBuilding(); }
  /// Null while a graph is being built.
  SlotSpace *slots() const { return site.slots; }
  /// The slot that this node makes, or that of a name; -1 while a graph is
  /// being built.
  int slotHere(const std::string &name = {}) const;
  bool ownsList() const { return site.ownsList; }

  int numInputs() const { return static_cast<int>(inputs.size()); }
  const ValueInfo &input(int i) const {
    return *inputs[static_cast<size_t>(i)];
  }
  DType inputDType(int i) const { return input(i).dtype; }
  const SymShape &inputShape(int i) const { return input(i).shape; }
  /// The elements of an input that a shape depends on; null when unknown. A fed
  /// tensor's value becomes part of the feed signature: for what merely passes
  /// elements on, see knownContents.
  const Dims *inputContents(int i) const;
  /// As inputContents(), of sizes, which may be found out in the run.
  const Dims *inputSizes(int i) const;
  /// As inputSizes(), of amounts: what is fed does not become part of the feed
  /// signature for it.
  const Dims *inputAmounts(int i) const { return demanded(i, Demand::Amounts); }
  /// Says that the rank of an output depends on which extents of an input are
  /// 1, and that this is not known.
  void needExtents(int i) const;
  /// The elements as far as they are known already, for ops that pass them on.
  const Dims *knownContents(int i) const;

  /// The number of an input that the graph fixes, a constant that is not fed or
  /// one that is cast: for floats, which have no contents.
  std::optional<double> constantNumber(int i) const;

  int numOutputs() const { return static_cast<int>(outputs.size()); }
  void setOutput(int i, DType dtype, SymShape shape);
  /// Sets the shape; the dtype is the schema's.
  void setOutputShape(int i, SymShape shape) {
    outputs[static_cast<size_t>(i)].shape = std::move(shape);
  }
  /// Does nothing for more than maxContents elements.
  void setOutputContents(int i, Dims contents);
  void setOutputHandle(int i, HandleInfo handle) {
    outputs[static_cast<size_t>(i)].handle = std::move(handle);
  }

  // Attributes, with the schema's default where the node says nothing.
  bool boolAttr(std::string_view name) const;
  int64_t intAttr(std::string_view name) const;
  float floatAttr(std::string_view name) const;
  DType typeAttr(std::string_view name) const;
  std::string stringAttr(std::string_view name) const;
  /// Unknown rank when missing.
  SymShape shapeAttr(std::string_view name) const;
  std::vector<int64_t> intsAttr(std::string_view name) const;

  /// INVALID_ARGUMENT about this node.
  Status error(std::string message) const;
  /// Demands a rank; an unknown one becomes unknown dimensions. **Errors**:
  /// "Shape must be rank 2 but is rank 1".
  StatusOr<SymShape> withRank(const SymShape &shape, int rank) const;

  /// For drivers: sets dtypes by the schema, calls the shape function, resolves
  /// the results.
  StatusOr<std::vector<ValueInfo>> run();

private:
  /// What a body's shape function leaves open the run finds out.
  void giveFoundSizes();
  const AttrValue *attr(std::string_view name) const;
  const Dims *demanded(int i, Demand what) const;

  const Node &theNode;
  const OpDef &theDef;
  std::vector<const ValueInfo *> inputs;
  DimSpace &space;
  InferenceSite site;
  std::vector<ValueInfo> outputs;
};

/// Infers the outputs of one node. Does not check the node (see checkNode).
/// **Errors**: INVALID_ARGUMENT with the node.
StatusOr<std::vector<ValueInfo>>
inferNode(const Node &node, const OpDef &def,
          std::vector<const ValueInfo *> inputs, DimSpace &dims,
          InferenceSite site = {});

namespace shapes {
/// What is known of two shapes that must be equal. **Errors**: INVALID_ARGUMENT
/// with the texts of `info` when they are not.
StatusOr<SymShape> sameShape(InferenceContext &context, const SymShape &a,
                             const SymShape &b, const GuardInfo &info);
} // namespace shapes

/// Conversions between the public shape (-1 is unknown) and the symbolic one;
/// symbols become unknown.
SymShape toSymShape(const Shape &shape);
Shape toShape(const SymShape &shape);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_INFERENCE_H
