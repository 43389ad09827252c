// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registry of ops as the public API shows it.
#include "kiln/OpSchema.h"

#include "lib/Graph/Function.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/OpDefs/OpParser.h"
#include "lib/OpDefs/UserOps.h"

#include <algorithm>
#include <climits>
#include <map>
#include <memory>
#include <mutex>

namespace kiln {
namespace {

std::vector<OpArgument> argumentsOf(const std::vector<ArgDef> &args) {
  std::vector<OpArgument> arguments;
  for (const ArgDef &arg : args)
    arguments.push_back({.name = arg.name,
                         .dtype = arg.dtype,
                         .typeAttr = arg.typeAttr,
                         .typeListAttr = arg.typeListAttr,
                         .numberAttr = arg.numberAttr,
                         .isRef = arg.isRef});
  return arguments;
}

OpAttribute attributeOf(const AttrDef &attr) {
  return {.name = attr.name,
          .type = typeName(attr),
          .defaultValue = attr.defaultValue,
          .minimum = attr.minimum,
          .allowedTypes = attr.allowedTypes,
          .allowedStrings = attr.allowedStrings};
}

std::unique_ptr<const OpSchema> schemaOf(const OpDef &def) {
  auto schema = std::make_unique<OpSchema>();
  schema->name = def.name;
  schema->inputs = argumentsOf(def.inputs);
  schema->outputs = argumentsOf(def.outputs);
  for (const AttrDef &attr : def.attrs)
    schema->attrs.push_back(attributeOf(attr));
  schema->isCommutative = def.has(commutative);
  schema->isStateful = def.has(stateful);
  schema->allowsUninitializedInput = def.has(allowsUninitializedInput);
  return schema;
}

const OpSchema *cachedSchema(const OpDef &def) {
  // Never destroyed: threads at exit may still ask.
  static auto *mutex = new std::mutex;
  static auto *schemas =
      new std::map<const OpDef *, std::unique_ptr<const OpSchema>>;
  std::lock_guard lock(*mutex);
  std::unique_ptr<const OpSchema> &schema = (*schemas)[&def];
  if (!schema)
    schema = schemaOf(def);
  return schema.get();
}

} // namespace

int numTensors(const OpArgument &arg, const Node &node) {
  if (!arg.typeListAttr.empty()) {
    auto types = node.attrRef<std::vector<DType>>(arg.typeListAttr);
    return types.ok() ? static_cast<int>((*types)->size()) : 0;
  }
  if (arg.numberAttr.empty())
    return 1;
  return static_cast<int>(
      std::clamp<int64_t>(node.attrOr<int64_t>(arg.numberAttr, 0), 0, INT_MAX));
}

const OpAttribute *OpSchema::findAttr(std::string_view attrName) const {
  auto found = std::ranges::find(attrs, attrName, &OpAttribute::name);
  return found == attrs.end() ? nullptr : &*found;
}

const OpSchema *findOpSchema(std::string_view name) {
  const OpDef *def = lookupOp(name);
  return def ? cachedSchema(*def) : nullptr;
}

std::optional<OpSchema> functionSchema(const Graph &graph,
                                       std::string_view name) {
  SharedFunctions library = graph.functionLibrary();
  const Function *function = library ? library->find(name) : nullptr;
  if (!function)
    return {};
  OpSchema schema{.name = function->name,
                  .inputs = argumentsOf(function->args),
                  .outputs = argumentsOf(function->results),
                  .isStateful = function->isStateful};
  for (const Function::Attr &attr : function->attrs)
    schema.attrs.push_back({.name = attr.name,
                            .type = attr.kind,
                            .defaultValue = attr.defaultValue});
  return schema;
}

std::vector<const OpSchema *> allOpSchemas() {
  std::vector<const OpSchema *> schemas;
  for (const OpDef *def : allOps())
    schemas.push_back(cachedSchema(*def));
  for (const OpDef *def : allUserOps())
    schemas.push_back(cachedSchema(*def));
  std::ranges::sort(schemas, {}, &OpSchema::name);
  return schemas;
}

} // namespace kiln
