// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The digest of a function's body: of its nodes, their attributes and the
// results.
#include "lib/Build/FunctionDigest.h"

#include "lib/Build/BuildState.h"
#include "lib/Build/FunctionGraph.h"
#include "lib/Support/Hash.h"

namespace kiln {
namespace {

void add(HashBuilder &hash, const AttrMap &attrs);

// The kinds of AttrValue::Storage.
void addValue(HashBuilder &, std::monostate) {}
void addValue(HashBuilder &, const EmptyList &) {}
void addValue(HashBuilder &hash, int64_t value) { hash.add(value); }
void addValue(HashBuilder &hash, bool value) { hash.add(value); }
void addValue(HashBuilder &hash, DType value) { hash.add(value); }
void addValue(HashBuilder &hash, float value) {
  hash.add(std::bit_cast<uint32_t>(value));
}
void addValue(HashBuilder &hash, const std::string &value) { hash.add(value); }
void addValue(HashBuilder &hash, const Shape &value) {
  hash.add(value.toString());
}
void addValue(HashBuilder &hash, const AttrPlaceholder &value) {
  hash.add(value.name);
}
void addValue(HashBuilder &hash, const NameAttrList &value) {
  hash.add(value.name);
  add(hash, value.attrs);
}
void addValue(HashBuilder &hash, const TensorConstant &value) {
  hash.add(value.dtype).add(value.shape.toString());
  if (value.opaque) {
    hash.add(*value.opaque);
  } else if (value.dtype == DType::String) {
    for (const String &element : value.value.data<String>())
      hash.add(element.view());
  } else {
    hash.addBytes(value.value.rawData(),
                  static_cast<size_t>(value.value.byteSize()));
  }
}
template <class T>
void addValue(HashBuilder &hash, const std::vector<T> &values) {
  hash.add(values.size());
  for (const T &value : values)
    addValue(hash, value);
}

void add(HashBuilder &hash, const AttrMap &attrs) {
  hash.add(attrs.size());
  for (const NamedAttr &attr : attrs) {
    hash.add(attr.name).add(attr.value.kindName());
    std::visit([&](const auto &value) { addValue(hash, value); },
               attr.value.variant());
  }
}

void add(HashBuilder &hash, const Node &node) {
  hash.add(node.name()).add(node.op()).add(node.device());
  hash.add(node.inputs().size());
  for (const Output &input : node.inputs())
    hash.add(input.name());
  hash.add(node.controlInputs().size());
  for (const Node *control : node.controlInputs())
    hash.add(control->name());
  add(hash, node.attrs());
}

} // namespace

std::string digestOf(const BuildState &body) {
  HashBuilder hash;
  for (int id = 0; id < body.graph->numAdded(); ++id)
    add(hash, *body.graph->addedNode(id));
  for (const Output &output : body.function->outputs)
    hash.add(output.name());
  constexpr std::string_view letters =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::string text;
  uint64_t rest = hash.value();
  for (int i = 0; i < 11; ++i, rest /= letters.size())
    text += letters[rest % letters.size()];
  return text;
}

} // namespace kiln
