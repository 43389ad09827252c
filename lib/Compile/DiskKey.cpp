// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks nodes and attributes into a digest.
#include "lib/Compile/DiskKey.h"

#include "lib/Graph/Function.h"
#include "lib/OpDefs/OpDef.h"

#include <bit>
#include <unordered_map>

namespace kiln {
namespace {

class KeyBuilder {
public:
  Hasher hasher;
  std::map<Digest, Tensor> constants;

  KeyBuilder() { offerText({}); }

  void addBlock(const Block &block) {
    hasher.add(std::string_view(block.path.name))
        .add(std::string_view(block.path.place));
    addAll(block.args);
    hasher.add(block.items.size());
    for (const Item &item : block.items)
      addItem(item);
    add(block.condition);
    addAll(block.results);
  }
  void addOutput(const OutputInfo &info) {
    hasher.add(info.dtype).add(info.shape).add(info.isRef);
  }

private:
  std::unordered_map<const Node *, size_t> numbers;

  /// What a plan synthesizes for one node has one name: nodes are numbered as
  /// they come.
  void add(const Output &output) {
    auto [number, isNew] = numbers.try_emplace(output.node, numbers.size());
    hasher.add(std::string_view(output.node->name()))
        .add(number->second)
        .add(output.index);
  }
  void add(const PlanValue &value) {
    hasher.add(value.kind());
    if (value.isConstant())
      hasher.add(value.number());
    else if (value.isTensor())
      add(value.output());
  }
  template <class Value> void addAll(const std::vector<Value> &values) {
    hasher.add(values.size());
    for (const Value &value : values)
      add(value);
  }
  void addItem(const Item &item) {
    hasher.add(item.kind).add(item.number.has_value());
    hasher.add(item.number.value_or(0));
    addNode(*item.node);
    offerTexts(*item.node);
    add(item.condition);
    addAll(item.operands);
    addAll(item.results);
    hasher.add(item.failure.reason).add(item.failure.fetch);
    for (const Block *inner : {item.first.get(), item.second.get()}) {
      hasher.add(inner != nullptr);
      if (inner)
        addBlock(*inner);
    }
  }
  void addNode(const Node &node) {
    hasher.add(std::string_view(node.name()))
        .add(std::string_view(node.op()))
        .add(std::string_view(node.device()));
    hasher.add(node.attrs().size());
    for (const NamedAttr &attr : node.attrs()) {
      hasher.add(std::string_view(attr.name));
      add(attr.value);
    }
    hasher.add(node.numInputs());
    for (const Output &input : node.inputs())
      add(input);
    hasher.add(node.controlInputs().size());
    for (const Node *control : node.controlInputs())
      hasher.add(std::string_view(control->name()));
    hasher.add(node.numOutputs());
    for (int i = 0; i < node.numOutputs(); ++i)
      addOutput(node.output(i));
  }

  void add(const AttrValue &value) {
    hasher.add(value.variant().index());
    std::visit([&](const auto &contents) { addValue(contents); },
               value.variant());
  }
  void addValue(std::monostate) {}
  void addValue(const EmptyList &) {}
  template <class T>
    requires(std::integral<T> || std::is_enum_v<T>)
  void addValue(T number) {
    hasher.add(number);
  }
  void addValue(float number) { hasher.add(std::bit_cast<uint32_t>(number)); }
  void addValue(const std::string &text) { hasher.add(std::string_view(text)); }
  void addValue(const Shape &shape) { hasher.add(shape); }
  void addValue(const AttrPlaceholder &placeholder) {
    hasher.add(std::string_view(placeholder.name));
  }
  void addValue(const NameAttrList &function) {
    hasher.add(std::string_view(function.name)).add(function.attrs.size());
    for (const NamedAttr &attr : function.attrs) {
      hasher.add(std::string_view(attr.name));
      add(attr.value);
    }
  }
  void addValue(const TensorConstant &constant) {
    hasher.add(constant.dtype).add(constant.shape);
    hasher.add(constant.value.isValid()).add(constant.opaque != nullptr);
    if (constant.opaque)
      hasher.add(std::string_view(*constant.opaque));
    if (constant.value.isValid())
      addConstant(constant.value);
  }
  void addConstant(const Tensor &value) {
    Digest digest = digestOf(value);
    hasher.add(digest);
    constants.emplace(digest, value);
  }
  template <class T> void addValue(const std::vector<T> &list) {
    hasher.add(list.size());
    for (const auto &element : list)
      addValue(static_cast<const T &>(element));
  }

  void offerText(std::string_view text) {
    Tensor value = Tensor::scalar(text);
    if (value.isValid())
      constants.emplace(digestOf(value), value);
  }

  /// Texts that lowerings make constants of by themselves, beside the empty
  /// one: what errors call TensorArrays and stacks.
  void offerTexts(const Node &node) {
    const OpDef *def = lookupOp(node.op());
    if (!def || !def->has(usesSlot))
      return;
    offerText(node.name());
    for (const NamedAttr &attr : node.attrs())
      if (const auto *text = attr.value.getIf<std::string>())
        offerText(*text);
  }
};

} // namespace

DiskKey diskKey(const Block &root, std::span<const FeedView> feeds,
                const Digest &code) {
  KeyBuilder builder;
  builder.hasher.add(code);
  builder.addBlock(root);
  auto addInfo = [&](const Output &output) {
    if (output.index < output.node->numOutputs())
      builder.addOutput(output.node->output(output.index));
  };
  for (const Output &feed : root.args)
    addInfo(feed);
  for (const PlanValue &fetch : root.results)
    addInfo(fetch.output());
  builder.hasher.add(root.done.size());
  for (const Node *node : root.done)
    builder.hasher.add(std::string_view(node->name()));
  builder.hasher.add(feeds.size());
  for (const FeedView &feed : feeds)
    builder.hasher.add(feed.dtype).add(feed.dims.size());
  return {builder.hasher.digest(), std::move(builder.constants)};
}

} // namespace kiln
