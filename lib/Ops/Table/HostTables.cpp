// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the tensors of an op are the table's, and calls it.
#include "lib/Ops/Table/HostTables.h"

#include "lib/HostKernels/HostKernels.h"
#include "lib/OpDefs/HandleSource.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

using Op = Status (*)(LookupTable &table, const HostCall &call);

Status find(LookupTable &table, const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        table.find(call.inputs[0], call.inputs[1]));
  return okStatus();
}

Status insert(LookupTable &table, const HostCall &call) {
  return table.insert(call.inputs[0], call.inputs[1]);
}

Status remove(LookupTable &table, const HostCall &call) {
  return table.remove(call.inputs[0]);
}

Status import(LookupTable &table, const HostCall &call) {
  return table.import(call.inputs[0], call.inputs[1]);
}

Status exportAll(LookupTable &table, const HostCall &call) {
  return table.exportAll(call.outputs[0], call.outputs[1]);
}

Status size(LookupTable &table, const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::fromValues<int64_t>(Shape(), {table.size()}));
  return okStatus();
}

Status initialize(LookupTable &table, const HostCall &call) {
  return table.initialize(call.inputs[0], call.inputs[1]);
}

Status initializeFromTextFile(LookupTable &table, const HostCall &call) {
  const Tensor &name = call.inputs[0];
  if (name.rank() != 0)
    return invalidArgumentError(
        strCat("filename should be a single string, but got ",
               name.shape().toString()));
  std::string path(name.data<String>()[0].view());
  KILN_RETURN_IF_ERROR(call.files.check(path));
  return initializeFromFile(table, path, call.node);
}

/// The attributes that say the types of keys and values: in front of the arrow
/// of a signature, and behind it.
struct Row {
  std::string_view name;
  Op op;
  std::string_view keyAttr = {}, valueAttr = {};
  bool givesValues = false, takesValues = false;
};

/// By TensorFlow's names, which all come as V2, too.
constexpr Row rows[] = {
    {"InitializeTable", initialize, "Tkey", "Tval", false, true},
    {"InitializeTableFromTextFile", initializeFromTextFile},
    {"LookupTableExport", exportAll, "Tkeys", "Tvalues", true},
    {"LookupTableFind", find, "Tin", "Tout", true, true},
    {"LookupTableImport", import, "Tin", "Tout", false, true},
    {"LookupTableInsert", insert, "Tin", "Tout", false, true},
    {"LookupTableRemove", remove, "Tin"},
    {"LookupTableSize", size}};

const Row *rowOf(std::string_view op) {
  if (op.ends_with("V2"))
    op.remove_suffix(2);
  for (const Row &row : rows)
    if (row.name == op)
      return &row;
  return nullptr;
}

std::string signature(const Row &row, bool isRef, DType key, DType value) {
  std::string text = isRef ? "string_ref" : "resource";
  const bool isExport = row.op == exportAll;
  if (!isExport)
    text += strCat(", ", dtypeTfName(key));
  if (row.takesValues)
    text += strCat(", ", dtypeTfName(value));
  text += "->";
  if (isExport)
    text += strCat(dtypeTfName(key), ", ");
  if (row.givesValues)
    text += dtypeTfName(value);
  return text;
}

Status checkSignature(const Row &row, const Node &node, const TableSpec &spec) {
  if (row.keyAttr.empty())
    return okStatus();
  auto key = node.attrOr<DType>(row.keyAttr, DType::Invalid);
  auto value = row.valueAttr.empty()
                   ? spec.valueType
                   : node.attrOr<DType>(row.valueAttr, DType::Invalid);
  if (key == spec.keyType && value == spec.valueType)
    return okStatus();
  bool isRef = !node.op().ends_with("V2");
  return invalidArgumentError(strCat(
      "Signature mismatch, have: ", signature(row, isRef, key, value),
      " expected: ", signature(row, isRef, spec.keyType, spec.valueType)));
}

} // namespace

/// **Errors**, with TensorFlow's texts: INVALID_ARGUMENT for attributes that
/// make no table or do not fit one that is shared; UNIMPLEMENTED for a handle
/// that comes from nowhere, and for keys of a table that no constants say.
static StatusOr<BoundHostOp> bindTableOp(const Node &node,
                                         const BlockingSite &site) {
  const Row *row = rowOf(node.op());
  KILN_ASSIGN_OR_RETURN(const Node *declared, sourceOfHandle(site.handles[0]));
  if (!declared)
    return unimplementedError(strCat("expected input 0 (",
                                     quote(node.input(0).name()),
                                     ") to be a table of the graph"))
        .withNode(node.name());
  auto found = findTable(*declared, site.resources);
  if (!found.ok())
    return found.status().withNode(declared->name());
  std::shared_ptr<LookupTable> table = *std::move(found);
  KILN_RETURN_IF_ERROR(
      checkSignature(*row, node, table->spec()).withNode(node.name()));
  return BoundHostOp([op = row->op, table = std::move(table)](
                         const HostCall &call) { return op(*table, call); });
}

void addTableKernels(HostKernels &kernels) {
  // A run must not hold locks while it reads a file.
  for (const Row &row : rows)
    kernels.addOwn(row.name,
                   {.effect = row.op == initializeFromTextFile
                                  ? HostEffect::Apart
                                  : HostEffect::Resource,
                    .bindBody = bindTableOp},
                   {""}, {"", HostKernels::secondVersion});
}

} // namespace kiln
