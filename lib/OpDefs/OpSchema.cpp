// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registry of ops as the public API shows it.
#include "kiln/OpSchema.h"

#include "lib/Graph/Function.h"
#include "lib/OpDefs/Computation.h"
#include "lib/OpDefs/MissingKernels.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/OpDefs/OpParser.h"
#include "lib/OpDefs/UserOps.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

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

/// Nothing of Kiln's asks for it; TensorFlow says it of these.
bool isAggregate(std::string_view op) {
  return op == "AccumulateNV2" || op == "AddN" || op == "AddV2";
}

std::unique_ptr<const OpSchema> schemaOf(const OpDef &def) {
  auto schema = std::make_unique<OpSchema>();
  schema->name = def.name;
  schema->inputs = argumentsOf(def.inputs);
  schema->outputs = argumentsOf(def.outputs);
  for (const AttrDef &attr : def.attrs)
    schema->attrs.push_back(attributeOf(attr));
  schema->isCommutative = def.has(commutative);
  schema->isAggregate = isAggregate(def.name);
  schema->isStateful = def.has(stateful);
  schema->allowsUninitializedInput = def.has(allowsUninitializedInput);
  return schema;
}

std::optional<AttrKind> kindNamed(std::string_view name) {
  constexpr std::pair<std::string_view, AttrKind> kinds[] = {
      {"int", AttrKind::Int},       {"float", AttrKind::Float},
      {"bool", AttrKind::Bool},     {"string", AttrKind::String},
      {"type", AttrKind::Type},     {"shape", AttrKind::Shape},
      {"tensor", AttrKind::Tensor}, {"func", AttrKind::Func}};
  for (const auto &[known, kind] : kinds)
    if (name == known)
      return kind;
  return {};
}

StatusOr<AttrDef> attrDefOf(const OpAttribute &attr, std::string_view op) {
  AttrDef def{.name = attr.name,
              .allowedTypes = attr.allowedTypes,
              .allowedStrings = attr.allowedStrings,
              .minimum = attr.minimum,
              .defaultValue = attr.defaultValue};
  std::string_view type = attr.type;
  def.isList = type.starts_with("list(") && type.ends_with(')');
  if (def.isList)
    type = type.substr(5, type.size() - 6);
  const std::optional<AttrKind> kind = kindNamed(type);
  if (!kind)
    return invalidArgumentError(strCat("op ", op, ", attribute ", attr.name,
                                       ": expected a type of attributes, got ",
                                       quote(attr.type)));
  def.kind = *kind;
  return def;
}

StatusOr<ArgDef> argDefOf(const OpArgument &arg, const OpDef &op) {
  auto isOfType = [&](const std::string &name, AttrKind kind, bool isList) {
    const AttrDef *attr = op.findAttr(name);
    return name.empty() ||
           (attr && attr->kind == kind && attr->isList == isList);
  };
  const int types = (arg.dtype != DType::Invalid) + !arg.typeAttr.empty() +
                    !arg.typeListAttr.empty();
  if (types != 1 || !isOfType(arg.typeAttr, AttrKind::Type, false) ||
      !isOfType(arg.typeListAttr, AttrKind::Type, true) ||
      !isOfType(arg.numberAttr, AttrKind::Int, false))
    return invalidArgumentError(
        strCat("op ", op.name, ", argument ", arg.name,
               ": expected one type, an attribute's or its own"));
  return ArgDef{.name = arg.name,
                .dtype = arg.dtype,
                .typeAttr = arg.typeAttr,
                .typeListAttr = arg.typeListAttr,
                .numberAttr = arg.numberAttr,
                .isRef = arg.isRef};
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

StatusOr<OpDef> opDefOf(const OpSchema &schema) {
  OpDef def;
  def.name = def.canonicalName = schema.name;
  for (const OpAttribute &attr : schema.attrs) {
    KILN_ASSIGN_OR_RETURN(AttrDef attrDef, attrDefOf(attr, schema.name));
    def.attrs.push_back(std::move(attrDef));
  }
  for (const OpArgument &arg : schema.inputs) {
    KILN_ASSIGN_OR_RETURN(ArgDef argDef, argDefOf(arg, def));
    def.inputs.push_back(std::move(argDef));
  }
  for (const OpArgument &arg : schema.outputs) {
    KILN_ASSIGN_OR_RETURN(ArgDef argDef, argDefOf(arg, def));
    def.outputs.push_back(std::move(argDef));
  }
  if (schema.isCommutative)
    def.flags |= commutative;
  if (schema.isStateful)
    def.flags |= stateful;
  if (schema.allowsUninitializedInput)
    def.flags |= allowsUninitializedInput;
  return def;
}

const OpAttribute *OpSchema::findAttr(std::string_view attrName) const {
  auto found = std::ranges::find(attrs, attrName, &OpAttribute::name);
  return found == attrs.end() ? nullptr : &*found;
}

const OpSchema *findOpSchema(std::string_view name) {
  const OpDef *def = lookupOp(name);
  return def ? cachedSchema(*def) : nullptr;
}

std::optional<OpKernel> kernelOf(const OpSchema &op) {
  const OpDef *def = lookupOp(op.name);
  if (!def || computationOf(*def).by == Computation::By::Nothing)
    return {};
  OpKernel kernel{.op = op.name};
  for (const OpAttribute &attr : op.attrs) {
    if (attr.type != "type" || attr.allowedTypes.empty())
      continue;
    std::vector<DType> dtypes;
    for (DType dtype : attr.allowedTypes)
      if (!def->kernel.empty() || ((isSupported(dtype) || isComplex(dtype)) &&
                                   !isKernelMissing(op.name, attr.name, dtype)))
        dtypes.push_back(dtype);
    kernel.constraints.emplace_back(attr.name, std::move(dtypes));
  }
  return kernel;
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
