// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes by schema, and types of inputs by attributes.
#include "test/fuzz/graphs/Call.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

DType chooseType(const AttrDef &attr, const OpDef &def, Random &random) {
  static const std::vector<DType> computed = {
      DType::Float32, DType::Float64, DType::Int32,    DType::Int64,
      DType::Bool,    DType::Float16, DType::BFloat16, DType::Int8,
      DType::Int16,   DType::UInt8,   DType::UInt16,   DType::UInt32,
      DType::UInt64,  DType::String};
  static const std::vector<DType> stored = {
      DType::Complex64, DType::Complex128, DType::QInt8,  DType::QUInt8,
      DType::QInt32,    DType::QInt16,     DType::QUInt16};
  const std::vector<DType> &allowed =
      attr.allowedTypes.empty() ? computed : attr.allowedTypes;
  std::vector<DType> list;
  for (DType dtype : allowed)
    if (isSupported(dtype) &&
        (dtype != DType::String || def.has(movesElements) ||
         !attr.allowedTypes.empty()))
      list.push_back(dtype);
  if (def.has(movesElements) && random.chance(6)) {
    DType dtype = random.pick(stored);
    if (attr.allowedTypes.empty() || std::ranges::count(allowed, dtype))
      return dtype;
  }
  if (def.has(takesComplex) && (list.empty() || random.chance(12))) {
    DType dtype = random.among({DType::Complex64, DType::Complex128});
    if (attr.allowedTypes.empty() || std::ranges::count(allowed, dtype))
      return dtype;
  }
  if (list.empty())
    return DType::Float32;
  if (random.chance(45)) {
    DType usual = random.chance(75) ? DType::Float32 : DType::Int32;
    if (std::ranges::count(list, usual))
      return usual;
  }
  return random.pick(list);
}

} // namespace

Call::Call(Maker &maker, const OpDef &def)
    : maker(maker), random(maker.random), def(def) {
  for (const AttrDef &attr : def.attrs)
    if (auto value = choose(attr))
      attrs.set(attr.name, *std::move(value));
}

std::optional<AttrValue> Call::choose(const AttrDef &attr) {
  if (attr.isList) {
    if (attr.defaultValue)
      return attr.defaultValue;
    if (attr.kind == AttrKind::Type) {
      std::vector<DType> types(size_t(1 + random.below(3)));
      for (DType &dtype : types)
        dtype = chooseType(attr, def, random);
      return AttrValue(types);
    }
    return std::nullopt;
  }
  switch (attr.kind) {
  case AttrKind::Type:
    return AttrValue(chooseType(attr, def, random));
  case AttrKind::Bool:
    return AttrValue(random.chance(50));
  case AttrKind::String:
    if (!attr.allowedStrings.empty())
      return AttrValue(random.pick(attr.allowedStrings));
    break;
  case AttrKind::Int:
    if (attr.name == "seed" || attr.name == "seed2")
      return AttrValue(random.between(1, 1000));
    break;
  default:
    break;
  }
  if (attr.defaultValue)
    return attr.defaultValue;
  if (attr.kind == AttrKind::Int)
    return AttrValue(attr.minimum.value_or(1));
  if (attr.kind == AttrKind::Float)
    return AttrValue(0.5f);
  return std::nullopt;
}

DType Call::type(std::string_view attr) const {
  const AttrValue *value = attrs.find(attr);
  const auto *dtype = value ? value->getIf<DType>() : nullptr;
  return dtype ? *dtype : DType::Invalid;
}

std::string Call::text(std::string_view attr) const {
  const AttrValue *value = attrs.find(attr);
  const auto *text = value ? value->getIf<std::string>() : nullptr;
  return text ? *text : "";
}

bool Call::flag(std::string_view attr) const {
  const AttrValue *value = attrs.find(attr);
  const auto *is = value ? value->getIf<bool>() : nullptr;
  return is && *is;
}

int64_t Call::number(std::string_view attr) const {
  const AttrValue *value = attrs.find(attr);
  const auto *number = value ? value->getIf<int64_t>() : nullptr;
  return number ? *number : 0;
}

DType Call::inputType(size_t i) const {
  auto types = expandArgs(def.inputs, attrs, "", def);
  return types.ok() && i < types->size() ? (*types)[i].dtype : DType::Invalid;
}

Value Call::indices(const Extents &dims, const Extent &limit) {
  if (maker.isHostile && (maker.options.isHostile || random.chance(50))) {
    maker.isHostile = false;
    return fresh(dims, hostileIndices(limit));
  }
  return fresh(dims, indicesBelow(limit));
}

std::optional<std::vector<Value>>
Call::results(const std::vector<std::string> &controls) {
  return maker.add(def.name, inputs, attrs, controls);
}

bool Call::done() {
  auto made = results();
  if (!made)
    return false;
  const Node *node =
      made->empty()
          ? maker.scope->graph->node(maker.scope->graph->numNodes() - 1)
          : made->front().at.node;
  if (maker.isMain() &&
      (made->empty() || made->front().isRef || def.hasEffect()))
    maker.target(node->name());
  return true;
}

} // namespace kiln::fuzz
