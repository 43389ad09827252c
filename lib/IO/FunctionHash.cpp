// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes a function: the parts of its message in an order that does not depend
// on how it was made.
#include "lib/IO/FunctionHash.h"

#include "lib/IO/MapOrder.h"
#include "lib/IO/TensorCodec.h"
#include "lib/IO/TensorMessage.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Graph.pb.h"
#include "lib/Support/MurmurHash.h"
#include "lib/Support/StatusMacros.h"

#include <map>
#include <set>

namespace kiln::io {
namespace {

/// **Source**: Hash64Combine.
uint64_t combine(uint64_t a, uint64_t b) {
  return a ^ (b + 0x9e3779b97f4a7800 + (a << 10) + (a >> 4));
}

/// Each step hashes what comes next with what was found so far as the seed;
/// numbers, hashes of parts, are combined with it.
class Hasher {
public:
  void add(std::string_view text) { hash = murmurHash64(text, hash); }
  void add(uint64_t number) { hash = combine(number, hash); }
  void addControl(const std::string &name) {
    hash = combine(hash, murmurHash64(name));
  }
  Status addMessage(const google::protobuf::Message &message) {
    KILN_ASSIGN_OR_RETURN(std::string bytes,
                          serialize(message, GraphDefFormat::Binary));
    add(bytes);
    return okStatus();
  }
  uint64_t result() const { return hash; }

private:
  uint64_t hash = murmurSeed;
};

StatusOr<uint64_t> hashOf(const google::protobuf::Message &message) {
  Hasher hasher;
  KILN_RETURN_IF_ERROR(hasher.addMessage(message));
  return hasher.result();
}

/// A tensor is hashed with its elements as contents, however they were written.
StatusOr<uint64_t> hashOf(const proto::TensorProto &tensor) {
  ByteBudget budget(size_t{2} << 30);
  if (auto decoded = decodeTensor(tensor, budget); decoded.ok())
    if (auto value = decoded->materialize(); value.ok())
      if (auto packed = serializePacked(*value); packed.ok())
        return murmurHash64(*packed);
  return hashOf(static_cast<const google::protobuf::Message &>(tensor));
}

StatusOr<uint64_t> hashOf(const proto::AttrValue &value) {
  if (value.has_tensor())
    return hashOf(value.tensor());
  if (!value.has_func())
    return hashOf(static_cast<const google::protobuf::Message &>(value));
  Hasher hasher;
  hasher.add(value.func().name());
  for (const auto *entry : byKey(value.func().attr())) {
    hasher.add(entry->first);
    KILN_ASSIGN_OR_RETURN(uint64_t hash, hashOf(entry->second));
    hasher.add(hash);
  }
  return hasher.result();
}

StatusOr<uint64_t> hashOf(const proto::OpDef::AttrDef &attr) {
  Hasher hasher;
  hasher.add(attr.name());
  hasher.add(attr.type());
  KILN_ASSIGN_OR_RETURN(uint64_t fallback, hashOf(attr.default_value()));
  hasher.add(fallback);
  hasher.add(attr.description());
  hasher.add(static_cast<uint64_t>(attr.has_minimum()));
  hasher.add(static_cast<uint64_t>(attr.minimum()));
  KILN_ASSIGN_OR_RETURN(uint64_t allowed, hashOf(attr.allowed_values()));
  hasher.add(allowed);
  return hasher.result();
}

Status addSignature(const proto::OpDef &signature, Hasher &hasher) {
  std::map<std::string, const proto::OpDef::AttrDef *> attrs;
  for (const proto::OpDef::AttrDef &attr : signature.attr())
    attrs.emplace(attr.name(), &attr);
  for (const auto &[name, attr] : attrs) {
    hasher.add(name);
    KILN_ASSIGN_OR_RETURN(uint64_t hash, hashOf(*attr));
    hasher.add(hash);
  }
  std::multiset<std::string> controls(signature.control_output().begin(),
                                      signature.control_output().end());
  for (const std::string &control : controls)
    hasher.addControl(control);
  proto::OpDef rest = signature;
  rest.clear_attr();
  rest.clear_control_output();
  return hasher.addMessage(rest);
}

StatusOr<uint64_t> hashOf(const proto::NodeDef &node) {
  Hasher hasher;
  hasher.add(node.name());
  hasher.add(node.op());
  hasher.add(node.device());
  std::set<std::string> controls;
  for (const std::string &input : node.input()) {
    if (input.starts_with('^') || !controls.empty())
      controls.insert(input);
    else
      hasher.add(input);
  }
  for (const std::string &control : controls)
    hasher.add(control);
  for (const auto *entry : byKey(node.attr())) {
    if (entry->first.starts_with('_'))
      continue;
    hasher.add(entry->first);
    KILN_ASSIGN_OR_RETURN(uint64_t hash, hashOf(entry->second));
    hasher.add(hash);
  }
  return hasher.result();
}

StatusOr<uint64_t> hashOfBody(const proto::FunctionDef &function) {
  Hasher hasher;
  std::map<std::string, const proto::NodeDef *> nodes;
  for (const proto::NodeDef &node : function.node_def())
    nodes[node.name()] = &node;
  for (const auto &[name, node] : nodes) {
    hasher.add(name);
    KILN_ASSIGN_OR_RETURN(uint64_t hash, hashOf(*node));
    hasher.add(hash);
  }
  return hasher.result();
}

} // namespace

StatusOr<uint64_t> functionHash(const proto::FunctionDef &function) {
  Hasher hasher;
  KILN_RETURN_IF_ERROR(addSignature(function.signature(), hasher));
  for (const auto *entry : byKey(function.attr())) {
    if (entry->second.value_case() == proto::AttrValue::VALUE_NOT_SET)
      continue;
    hasher.add(entry->first);
    KILN_ASSIGN_OR_RETURN(uint64_t hash, hashOf(entry->second));
    hasher.add(hash);
  }
  KILN_ASSIGN_OR_RETURN(uint64_t body, hashOfBody(function));
  hasher.add(body);
  for (const auto *map : {&function.ret(), &function.control_ret()})
    for (const auto *entry : byKey(*map)) {
      hasher.add(entry->first);
      hasher.add(entry->second);
    }
  return hasher.result();
}

} // namespace kiln::io
