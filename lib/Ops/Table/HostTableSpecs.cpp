// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the attributes of nodes that declare tables, with TensorFlow's checks
// and texts.
#include "lib/Ops/Table/HostTables.h"

#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/Container.h"

#include <bit>
#include <optional>

namespace kiln {
namespace {

constexpr std::pair<std::string_view, TableKind> kinds[] = {
    {"HashTable", TableKind::Hash},
    {"MutableHashTable", TableKind::Mutable},
    {"MutableHashTableOfTensors", TableKind::MutableOfTensors},
    {"MutableDenseHashTable", TableKind::MutableDense}};

std::optional<TableKind> kindOf(std::string_view op) {
  if (op.ends_with("V2"))
    op.remove_suffix(2);
  for (const auto &[name, kind] : kinds)
    if (name == op)
      return kind;
  return std::nullopt;
}

StatusOr<Tensor> constantInput(const Node &node, int i) {
  const Node *input = node.input(i).node;
  while (input->op() == "Identity")
    input = input->input(0).node;
  const AttrValue *value =
      input->op() == "Const" ? input->findAttr("value") : nullptr;
  const auto *constant = value ? value->getIf<TensorConstant>() : nullptr;
  if (!constant)
    return unimplementedError(strCat("expected input ", i, " (",
                                     quote(input->name()),
                                     ") of a table to be a constant"));
  return constant->materialize();
}

/// The two keys that mark empty and deleted places.
Status readDenseKeys(const Node &node, TableSpec &spec) {
  KILN_ASSIGN_OR_RETURN(spec.emptyKey, constantInput(node, 0));
  KILN_ASSIGN_OR_RETURN(spec.deletedKey, constantInput(node, 1));
  spec.keyShape = spec.emptyKey.shape();
  if (spec.deletedKey.shape() != spec.keyShape)
    return invalidArgumentError("Empty and deleted keys must have same shape, "
                                "got shapes: " +
                                spec.keyShape.toString() + " and " +
                                spec.deletedKey.shape().toString());
  if (spec.keyType == DType::String && spec.keyShape.rank() != 0)
    return unimplementedError("expected keys that are scalars, got strings of "
                              "shape " +
                              spec.keyShape.toString());
  if (spec.emptyKey.hasSameBits(spec.deletedKey))
    return invalidArgumentError("Empty and deleted keys cannot be equal");
  auto load = node.attrOr<float>("max_load_factor", 0.8f);
  if (load <= 0 || load >= 1)
    return invalidArgumentError(
        strCat("max_load_factor must be between 0 and 1, got: ", load));
  auto buckets = node.attrOr<int64_t>("initial_num_buckets", 1 << 17);
  if (buckets < 4 || !std::has_single_bit(static_cast<uint64_t>(buckets)))
    return invalidArgumentError(strCat("Number of buckets must be at least 4 "
                                       "and a power of 2, got: ",
                                       buckets));
  return okStatus();
}

StatusOr<TableSpec> readSpec(const Node &node) {
  TableSpec spec;
  spec.kind = *kindOf(node.op());
  spec.keyType = node.attrOr<DType>("key_dtype", DType::Invalid);
  spec.valueType = node.attrOr<DType>("value_dtype", DType::Invalid);
  for (DType dtype : {spec.keyType, spec.valueType})
    if (dtypeSize(dtype) == 0 || dtype == DType::Resource ||
        dtype == DType::Variant)
      return unimplementedError(strCat("expected a table of numbers and "
                                       "strings, got ",
                                       dtypeTfName(dtype)));
  spec.valueShape = node.attrOr<Shape>("value_shape", Shape());
  if (!spec.valueShape.isFullyDefined() || !spec.valueShape.numElements().ok())
    return invalidArgumentError(
        strCat("expected a shape of values, got ", spec.valueShape.toString()));
  if (spec.kind == TableKind::MutableOfTensors && spec.valueShape.rank() != 1)
    return invalidArgumentError(
        strCat("Default value must be a vector, got shape ",
               spec.valueShape.toString()));
  if (spec.kind == TableKind::MutableDense)
    KILN_RETURN_IF_ERROR(readDenseKeys(node, spec));
  return spec;
}

} // namespace

StatusOr<std::shared_ptr<LookupTable>> findTable(const Node &node,
                                                 ResourceUser &resources) {
  if (!kindOf(node.op()))
    return unimplementedError(
        strCat("expected a table of the graph, got ", node.op()));
  KILN_ASSIGN_OR_RETURN(TableSpec spec, readSpec(node));
  spec.name = node.attrOr<std::string>("shared_name", "");
  if (spec.name.empty() && node.attrOr<bool>("use_node_name_sharing", false))
    spec.name = node.name();
  ResourceKey key{ResourceKey::Kind::Table,
                  canonicalContainer(node.attrOr<std::string>("container", "")),
                  spec.name};
  if (spec.name.empty())
    spec.name = node.name();
  KILN_ASSIGN_OR_RETURN(
      std::shared_ptr<Resource> resource,
      resources.findOrCreate(std::move(key), node.name(), [&] {
        return std::make_shared<LookupTable>(spec);
      }));
  auto table = std::dynamic_pointer_cast<LookupTable>(std::move(resource));
  if (!table)
    return invalidArgumentError(
        strCat("table ", spec.name, " is shared with a staging area"));
  const TableSpec &known = table->spec();
  if (known.keyType != spec.keyType || known.valueType != spec.valueType)
    return invalidArgumentError(strCat(
        "Conflicting key/value dtypes ", dtypeTfName(spec.keyType), "->",
        dtypeTfName(spec.valueType), " with ", dtypeTfName(known.keyType), "-",
        dtypeTfName(known.valueType), " for table ", spec.name));
  if (known.kind != spec.kind || known.keyShape != spec.keyShape ||
      known.valueShape != spec.valueShape)
    return invalidArgumentError(
        strCat("table ", spec.name, " is shared with one of another kind"));
  return table;
}

} // namespace kiln
