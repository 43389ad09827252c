// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The digest of a body: FNV-1a of its nodes, their attributes and the results.
#include "lib/Build/FunctionDigest.h"

#include "lib/Build/BuildState.h"
#include "lib/Build/FunctionGraph.h"
#include "lib/Support/Strings.h"

#include <bit>

namespace kiln {
namespace {

/// The FNV-1a hash of what is added.
class Digest {
public:
  void add(std::string_view text) {
    for (char c : text)
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    hash = hash * 1099511628211u;
  }
  void add(const AttrMap &attrs) {
    for (const NamedAttr &attr : attrs) {
      add(attr.name);
      add(attr.value.kindName());
      std::visit([&](const auto &value) { addValue(value); },
                 attr.value.variant());
    }
  }
  std::string text() const {
    constexpr std::string_view letters =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    std::string result;
    uint64_t rest = hash;
    for (int i = 0; i < 11; ++i, rest /= letters.size())
      result += letters[rest % letters.size()];
    return result;
  }

private:
  // The kinds of AttrValue::Storage.
  void addValue(const std::monostate &) {}
  void addValue(const EmptyList &) {}
  void addValue(int64_t value) { add(strCat(value)); }
  void addValue(float value) { add(strCat(std::bit_cast<uint32_t>(value))); }
  void addValue(bool value) { add(value ? "true" : "false"); }
  void addValue(const std::string &value) { add(value); }
  void addValue(DType value) { add(dtypeName(value)); }
  void addValue(const Shape &value) { add(value.toString()); }
  void addValue(const AttrPlaceholder &value) { add(value.name); }
  void addValue(const NameAttrList &value) {
    add(value.name);
    add(value.attrs);
  }
  void addValue(const TensorConstant &value) {
    addValue(value.dtype);
    addValue(value.shape);
    if (value.opaque)
      return add(*value.opaque);
    if (value.dtype != DType::String)
      return add({static_cast<const char *>(value.value.rawData()),
                  static_cast<size_t>(value.value.byteSize())});
    for (const String &element : value.value.data<String>())
      add(element.view());
  }
  template <class T> void addValue(const std::vector<T> &values) {
    for (const auto &value : values)
      addValue(static_cast<const T &>(value));
  }

  uint64_t hash = 14695981039346656037u;
};

} // namespace

std::string digestOf(const BuildState &body) {
  Digest digest;
  for (int id = 0; id < body.graph->numAdded(); ++id) {
    const Node &node = *body.graph->addedNode(id);
    digest.add(node.name());
    digest.add(node.op());
    digest.add(node.device());
    for (const Output &input : node.inputs())
      digest.add(input.name());
    for (const Node *control : node.controlInputs())
      digest.add(control->name());
    digest.add(node.attrs());
  }
  for (const Output &output : body.function->outputs)
    digest.add(output.name());
  return digest.text();
}

} // namespace kiln
