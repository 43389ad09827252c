// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_OperationGetAttrMetadata, and the names of an operation's attributes.
#include "capi/Handles.h"
#include "kiln/OpSchema.h"

#include <cstring>
#include <optional>

using namespace kiln;
using namespace kiln::capi;

namespace {

/// TensorFlow's number of a kind, "int" or "list(int)".
std::optional<TF_AttrType> typeNamed(std::string_view kind) {
  if (kind.starts_with("list(") && kind.ends_with(')'))
    kind = kind.substr(5, kind.size() - 6);
  constexpr std::string_view names[] = {"string", "int",         "float",
                                        "bool",   "type",        "shape",
                                        "tensor", "placeholder", "func"};
  for (size_t i = 0; i < std::size(names); ++i)
    if (kind == names[i])
      return static_cast<TF_AttrType>(i);
  return {};
}

/// Bytes of a string, dimensions of a shape; -1 for what has no such size.
int64_t sizeOf(const std::string &text) {
  return static_cast<int64_t>(text.size());
}
int64_t sizeOf(const Shape &shape) { return shape.rank(); }
template <class T> int64_t sizeOf(const T &) { return -1; }

struct Measure {
  TF_AttrMetadata &metadata;

  template <class T> void operator()(const T &value) const {
    metadata.total_size = sizeOf(value);
  }
  void operator()(const AttrPlaceholder &value) const {
    metadata.type = TF_ATTR_PLACEHOLDER;
    metadata.total_size = sizeOf(value.name);
  }
  void operator()(const EmptyList &) const { beginList(0); }
  template <class T> void operator()(const std::vector<T> &values) const {
    beginList(values.size());
    constexpr bool hasSizes =
        std::is_same_v<T, std::string> || std::is_same_v<T, Shape>;
    if (!hasSizes || values.empty())
      return;
    metadata.total_size = 0;
    for (const T &value : values)
      metadata.total_size += std::max<int64_t>(sizeOf(value), 0);
  }
  void beginList(size_t size) const {
    metadata.is_list = 1;
    metadata.list_size = static_cast<int64_t>(size);
  }
};

} // namespace

TF_AttrMetadata TF_OperationGetAttrMetadata(TF_Operation *oper,
                                            const char *attr_name,
                                            TF_Status *status) {
  clearStatus(status);
  TF_AttrMetadata metadata{
      .is_list = 0, .list_size = -1, .type = TF_ATTR_STRING, .total_size = -1};
  const Node &node = *nodeOf(oper);
  const AttrValue *value = node.findAttr(attr_name);
  auto fail = [&](const std::string &text) {
    setStatus(status, invalidArgumentError(text));
    return metadata;
  };
  if (!value)
    return fail("Operation '" + node.name() + "' has no attr named '" +
                attr_name + "'.");
  if (value->isEmpty())
    return fail("Attribute '" + std::string(attr_name) + "' has no value set");
  std::optional<TF_AttrType> type = typeNamed(value->kindName());
  if (value->isEmptyList()) {
    // Nothing but the op tells what it has no elements of.
    const OpSchema *op = findOpSchema(node.op());
    const OpAttribute *attr = op ? op->findAttr(attr_name) : nullptr;
    type = typeNamed(attr ? attr->type : "");
    if (!type)
      return fail("Attribute '" + std::string(attr_name) +
                  "' has an empty value of an unrecognized type '" +
                  (attr ? attr->type : "") + "'");
  }
  metadata.type = type.value_or(TF_ATTR_STRING);
  std::visit(Measure{metadata}, value->variant());
  return metadata;
}

int TF_OperationGetNumAttrs(TF_Operation *oper) {
  return static_cast<int>(nodeOf(oper)->attrs().size());
}

int TF_OperationGetAttrNameLength(TF_Operation *oper, int i) {
  const AttrMap &attrs = nodeOf(oper)->attrs();
  return i >= 0 && i < static_cast<int>(attrs.size())
             ? static_cast<int>(attrs.begin()[i].name.size())
             : -1;
}

void TF_OperationGetAttrName(TF_Operation *oper, int i, char *output,
                             TF_Status *status) {
  clearStatus(status);
  const AttrMap &attrs = nodeOf(oper)->attrs();
  if (i < 0 || i >= static_cast<int>(attrs.size()))
    return setStatus(status, outOfRangeError("Operation only has " +
                                             std::to_string(attrs.size()) +
                                             " attributes, can't get the " +
                                             std::to_string(i) + "th"));
  const std::string &name = attrs.begin()[i].name;
  std::memcpy(output, name.data(), name.size());
}
