// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attribute values: kinds, equality and the materialization of constants.
#include "kiln/Attributes.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace kiln {

StatusOr<Tensor> TensorConstant::materialize() const {
  if (!value.isValid())
    return unimplementedError(
        strCat("a constant of dtype ", dtypeName(dtype), " has no dense form"));
  if (!isSplat())
    return value;
  KILN_ASSIGN_OR_RETURN(Tensor full, Tensor::create(dtype, shape));
  if (dtype == DType::String) {
    std::ranges::fill(full.mutableData<String>(), value.data<String>()[0]);
    return full;
  }
  size_t step = dtypeSize(dtype), total = full.byteSize();
  if (total == 0)
    return full;
  auto *bytes = static_cast<char *>(full.mutableRawData());
  std::memcpy(bytes, value.rawData(), step);
  // Doubling copies: the fill runs at memcpy's speed for every element size.
  for (size_t filled = step; filled < total; filled *= 2)
    std::memcpy(bytes + filled, bytes, std::min(filled, total - filled));
  return full;
}

bool TensorConstant::operator==(const TensorConstant &other) const noexcept {
  if (dtype != other.dtype || !(shape == other.shape) ||
      !value.hasSameBits(other.value))
    return false;
  if (!opaque || !other.opaque)
    return opaque == other.opaque;
  return *opaque == *other.opaque;
}

AttrValue::AttrValue() noexcept = default;
AttrValue::AttrValue(const AttrValue &) = default;
AttrValue::AttrValue(AttrValue &&) noexcept = default;
AttrValue &AttrValue::operator=(const AttrValue &) = default;
AttrValue &AttrValue::operator=(AttrValue &&) noexcept = default;
AttrValue::~AttrValue() = default;
AttrValue::AttrValue(bool value) : storage(value) {}
AttrValue::AttrValue(float value) : storage(value) {}
AttrValue::AttrValue(const char *value) : storage(std::string(value)) {}
AttrValue::AttrValue(std::string_view value) : storage(std::string(value)) {}
AttrValue::AttrValue(Tensor value)
    : storage(TensorConstant(std::move(value))) {}

AttrMap::AttrMap() = default;
AttrMap::AttrMap(std::initializer_list<NamedAttr> attrs) {
  for (const NamedAttr &attr : attrs)
    set(attr.name, attr.value);
}
AttrMap::AttrMap(const AttrMap &) = default;
AttrMap::AttrMap(AttrMap &&) noexcept = default;
AttrMap &AttrMap::operator=(const AttrMap &) = default;
AttrMap &AttrMap::operator=(AttrMap &&) noexcept = default;
AttrMap::~AttrMap() = default;

static bool nameIsBefore(const NamedAttr &attr, std::string_view name) {
  return attr.name < name;
}

const AttrValue *AttrMap::find(std::string_view name) const noexcept {
  auto found =
      std::lower_bound(entries.begin(), entries.end(), name, nameIsBefore);
  return found != entries.end() && found->name == name ? &found->value
                                                       : nullptr;
}

void AttrMap::set(std::string name, AttrValue value) {
  auto found =
      std::lower_bound(entries.begin(), entries.end(), name, nameIsBefore);
  if (found != entries.end() && found->name == name)
    found->value = std::move(value);
  else
    entries.insert(found, NamedAttr{std::move(name), std::move(value)});
}

bool AttrMap::erase(std::string_view name) {
  auto found =
      std::lower_bound(entries.begin(), entries.end(), name, nameIsBefore);
  if (found == entries.end() || found->name != name)
    return false;
  entries.erase(found);
  return true;
}

size_t AttrMap::size() const noexcept { return entries.size(); }
const NamedAttr *AttrMap::begin() const noexcept { return entries.data(); }
const NamedAttr *AttrMap::end() const noexcept {
  return entries.data() + entries.size();
}
bool AttrMap::operator==(const AttrMap &other) const {
  return entries == other.entries;
}

bool AttrValue::isEmptyList() const noexcept {
  return std::visit(
      [](const auto &held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, EmptyList>)
          return true;
        else if constexpr (requires(const Held &list) {
                             typename Held::allocator_type;
                           } && !std::is_same_v<Held, std::string>)
          return held.empty();
        else
          return false;
      },
      storage);
}

std::string_view AttrValue::kindName() const noexcept {
  // In the order of Storage.
  static constexpr std::string_view names[] = {
      "nothing",    "int",         "float",        "bool",       "string",
      "type",       "shape",       "tensor",       "func",       "placeholder",
      "empty list", "list(int)",   "list(float)",  "list(bool)", "list(string)",
      "list(type)", "list(shape)", "list(tensor)", "list(func)"};
  static_assert(std::size(names) == std::variant_size_v<Storage>);
  return names[storage.index()];
}

bool AttrValue::operator==(const AttrValue &other) const {
  if (isEmptyList() || other.isEmptyList())
    return isEmptyList() && other.isEmptyList();
  auto sameBits = [](float a, float b) {
    return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
  };
  if (auto *a = getIf<float>(), *b = other.getIf<float>(); a && b)
    return sameBits(*a, *b);
  if (auto *a = getIf<std::vector<float>>(),
      *b = other.getIf<std::vector<float>>();
      a && b)
    return std::ranges::equal(*a, *b, sameBits);
  return storage == other.storage;
}

} // namespace kiln
