// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One operation of a graph, with its edges and attributes.
#ifndef KILN_NODE_H
#define KILN_NODE_H

#include "kiln/Attributes.h"

#include <atomic>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class Graph;
class Node;
struct SliceIndex;

/// Output `index` of a node: an edge's source, a thing to fetch or to feed. A
/// plain value; does not own the node.
struct KILN_EXPORT Output {
  const Node *node = nullptr;
  int index = 0;

  /// "name:0".
  std::string name() const;
  DType dtype() const noexcept;
  const Shape &shape() const noexcept;
  bool operator==(const Output &) const = default;

  /// Adds a slice to the graph: x[0], x[{slice(1, 3), 0}] (kiln/Operators.h).
  /// **Source**: tf.Tensor.__getitem__.
  Output operator[](const SliceIndex &index) const;
  Output operator[](std::initializer_list<SliceIndex> indices) const;
};

/// What is known of an output before any run.
struct OutputInfo {
  /// Invalid when not known.
  DType dtype = DType::Invalid;
  Shape shape = Shape::unknownRank();
  /// True for a reference to a variable (TensorFlow's `_ref` types).
  bool isRef = false;
};

/// A node of a Graph.
///
/// Invariants: (1) a published node never moves, and never changes, but that
/// Graph::extendNode() appends inputs and outputs to one that calls functions;
/// (2) its inputs are nodes of the same graph; (3) id is its index in the
/// graph, in the order of addition. Ownership: the graph owns its nodes; a Node
/// pointer, and what it gives references to, live as long as the graph. Thread
/// safety: reading is free from any number of threads.
class KILN_EXPORT Node {
public:
  Node(const Node &) = delete;
  Node &operator=(const Node &) = delete;

  int id() const noexcept { return nodeId; }
  const std::string &name() const noexcept { return nodeName; }
  /// The op type as the graph says it, legacy names included ("Add" as well as
  /// "AddV2").
  const std::string &op() const noexcept { return opType; }
  /// The requested device; empty for no wish.
  const std::string &device() const noexcept { return deviceName; }
  const AttrMap &attrs() const noexcept { return parts().attributes; }

  std::span<const Output> inputs() const noexcept { return parts().inputs; }
  int numInputs() const noexcept {
    return static_cast<int>(parts().inputs.size());
  }
  const Output &input(int i) const {
    return parts().inputs[static_cast<size_t>(i)];
  }
  std::span<const Node *const> controlInputs() const noexcept {
    return controls;
  }

  /// The number of outputs; -1 while no checker knows the op type.
  int numOutputs() const noexcept {
    const Parts &now = parts();
    return now.outputsKnown ? static_cast<int>(now.outputs.size()) : -1;
  }
  /// What is known of output i; dtype Invalid and unknown rank outside of the
  /// known outputs.
  const OutputInfo &output(int i) const noexcept;
  DType outputDType(int i) const noexcept { return output(i).dtype; }
  const Shape &outputShape(int i) const noexcept { return output(i).shape; }

  const AttrValue *findAttr(std::string_view attrName) const noexcept {
    return parts().attributes.find(attrName);
  }
  bool hasAttr(std::string_view attrName) const noexcept {
    return findAttr(attrName) != nullptr;
  }
  /// Returns a pointer to the attribute's value, a member of
  /// AttrValue::Storage, without a copy. **Errors**: INVALID_ARGUMENT, with
  /// node, attribute, expected and got kind, when it is missing or of another
  /// kind. An empty list read from a file is of every list kind. **Ownership**:
  /// points into the node.
  template <class T>
  StatusOr<const T *> attrRef(std::string_view attrName) const;
  /// As attrRef(), by value; T may also be Tensor (materialized).
  template <class T> StatusOr<T> attr(std::string_view attrName) const;
  /// The value, or `fallback` when the attribute is missing or of another kind.
  template <class T> T attrOr(std::string_view attrName, T fallback) const;

  /// For node checkers, before the node is published: sets what is known of all
  /// outputs.
  void setOutputs(std::vector<OutputInfo> infos) {
    own.outputs = std::move(infos);
    own.outputsKnown = true;
  }
  /// For node checkers, before the node is published: adds the default of an
  /// attribute that is missing.
  void setDefaultAttr(std::string_view attrName, AttrValue value);

private:
  friend class Graph;
  friend class NodeBatch;
  Node() = default;
  Status attrKindError(std::string_view attrName,
                       std::string_view expected) const;

  /// What an extension replaces.
  struct Parts {
    AttrMap attributes;
    std::vector<Output> inputs;
    std::vector<OutputInfo> outputs;
    bool outputsKnown = false;
  };
  const Parts &parts() const noexcept {
    return *current.load(std::memory_order_acquire);
  }

  int nodeId = -1;
  std::string nodeName;
  std::string opType;
  std::string deviceName;
  std::vector<const Node *> controls;
  Parts own; ///< as the node was added
  std::atomic<const Parts *> current{&own};
  /// The later ones; all of them live as long as the node.
  std::vector<std::unique_ptr<const Parts>> extensions;
};

namespace detail {
template <class T> struct IsVector : std::false_type {};
template <class T> struct IsVector<std::vector<T>> : std::true_type {};
} // namespace detail

template <class T>
StatusOr<const T *> Node::attrRef(std::string_view attrName) const {
  const AttrValue *value = findAttr(attrName);
  if (value) {
    if (const T *found = value->getIf<T>())
      return found;
    if constexpr (detail::IsVector<T>::value) {
      static const T empty;
      if (value->getIf<EmptyList>())
        return &empty;
    }
  }
  return attrKindError(attrName, attrKindName<T>());
}

template <class T> StatusOr<T> Node::attr(std::string_view attrName) const {
  if constexpr (std::is_same_v<T, Tensor>) {
    auto constant = attrRef<TensorConstant>(attrName);
    return constant.ok() ? (*constant)->materialize()
                         : StatusOr<T>(constant.status());
  } else {
    auto found = attrRef<T>(attrName);
    return found.ok() ? StatusOr<T>(**found) : StatusOr<T>(found.status());
  }
}

template <class T> T Node::attrOr(std::string_view attrName, T fallback) const {
  const AttrValue *value = findAttr(attrName);
  const T *found = value ? value->getIf<T>() : nullptr;
  return found ? *found : std::move(fallback);
}

} // namespace kiln

#endif // KILN_NODE_H
