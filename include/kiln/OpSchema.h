// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an op takes and gives, as TensorFlow's OpDef says it.
#ifndef KILN_OPSCHEMA_H
#define KILN_OPSCHEMA_H

#include "kiln/Attributes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class Graph;
class Node;

/// An input or output. Exactly one of dtype, typeAttr and typeListAttr is set.
struct OpArgument {
  std::string name;
  DType dtype = DType::Invalid;
  /// The type attribute that is its dtype.
  std::string typeAttr = {};
  /// The list(type) attribute that says its dtypes, one a tensor.
  std::string typeListAttr = {};
  /// The int attribute that says how many tensors of this type there are; empty
  /// for one.
  std::string numberAttr = {};
  bool isRef = false;

  /// Whether it stands for any number of tensors.
  bool isList() const { return !numberAttr.empty() || !typeListAttr.empty(); }
  bool operator==(const OpArgument &) const = default;
};

/// How many tensors an argument stands for in a node.
KILN_EXPORT int numTensors(const OpArgument &arg, const Node &node);

struct OpAttribute {
  std::string name;
  /// "int", "list(type)", "func" ...: AttrValue::kindName().
  std::string type;
  std::optional<AttrValue> defaultValue = {};
  /// Of an int, or of the length of a list.
  std::optional<int64_t> minimum = {};
  /// Empty: any.
  std::vector<DType> allowedTypes = {};
  std::vector<std::string> allowedStrings = {};
  bool operator==(const OpAttribute &) const = default;
};

/// **Source**: OpDef, without documentation.
struct OpSchema {
  std::string name;
  std::vector<OpArgument> inputs = {};
  std::vector<OpArgument> outputs = {};
  std::vector<OpAttribute> attrs = {};
  /// Swapping the two inputs changes nothing.
  bool isCommutative = false;
  /// Any number of inputs may be added up in any order: AddN.
  bool isAggregate = false;
  /// Two runs of a node may differ, or do something beside their outputs.
  bool isStateful = false;
  bool allowsUninitializedInput = false;
  bool operator==(const OpSchema &) const = default;

  /// Null when there is none.
  KILN_EXPORT const OpAttribute *findAttr(std::string_view attrName) const;
};

/// What computes an op. **Source**: KernelDef.
struct OpKernel {
  std::string op;
  std::string device = "CPU";
  std::string label = {};
  int32_t priority = 0;
  /// Type attributes with the dtypes that it takes; any others take any.
  std::vector<std::pair<std::string, std::vector<DType>>> constraints = {};
};

/// Finds the schema of an op that graphs may hold, those that users register
/// among them; null for another name. **Ownership**: lives as long as the
/// process. **Thread safety**: any thread. **Cost**: a lock and a search; the
/// first call for a name builds it.
KILN_EXPORT const OpSchema *findOpSchema(std::string_view name);
/// Kiln's kernel for an op, with the dtypes that it computes with; nothing for
/// an op that it does not compute. Of ops that users register all dtypes.
KILN_EXPORT std::optional<OpKernel> kernelOf(const OpSchema &op);
/// The signature of a function of the graph's library, for nodes that have its
/// name as their op; nothing where there is none. **Thread safety**: as Graph's
/// readers.
KILN_EXPORT std::optional<OpSchema> functionSchema(const Graph &graph,
                                                   std::string_view name);
/// All ops, by name. **Ownership**, **Thread safety**: as findOpSchema().
KILN_EXPORT std::vector<const OpSchema *> allOpSchemas();

} // namespace kiln

#endif // KILN_OPSCHEMA_H
