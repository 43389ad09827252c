// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds an op: converts its inputs, finds the attributes that follow from them,
// with TensorFlow's texts where something does not fit.
#include "lib/Build/BuildState.h"

#include "kiln/GraphScopes.h"
#include "lib/Build/Literal.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

/// One addition. **Source**: op_def_library._apply_op_helper.
class OpAddition {
public:
  OpAddition(BuildState &state, const OpSpec &spec, const OpDef &def)
      : state(state), spec(spec), def(def), attrs(spec.attrs) {}

  const Node *add() {
    NameScope scope(state.builder(), spec.name.empty() ? spec.op : spec.name);
    if (Status status = convertInputs(); !status.ok()) {
      state.fail(status.withNode(withoutSlash(scope.name())));
      return nullptr;
    }
    if (state.failed())
      return nullptr;
    std::vector<const Node *> outer = state.placement().colocations;
    DeviceFrames devices;
    if (!references.empty()) {
      devices = std::move(state.placement().devices);
      state.placement().devices.clear();
      state.placement().colocations.insert(state.placement().colocations.end(),
                                           references.begin(),
                                           references.end());
    }
    const Node *node = state.addNode(spec.op, withoutSlash(scope.name()),
                                     std::move(inputs), std::move(attrs));
    if (!references.empty()) {
      state.placement().devices = std::move(devices);
      state.placement().colocations = std::move(outer);
    }
    return node;
  }

private:
  Status error(std::string message) {
    return invalidArgumentError(std::move(message));
  }

  const DType *typeOf(const std::string &attr) const {
    const AttrValue *value = attr.empty() ? nullptr : attrs.find(attr);
    return value ? value->getIf<DType>() : nullptr;
  }
  DType defaultType(const std::string &attr) const {
    const AttrDef *found = attr.empty() ? nullptr : def.findAttr(attr);
    const DType *dtype = found && found->defaultValue
                             ? found->defaultValue->getIf<DType>()
                             : nullptr;
    return dtype ? *dtype : DType::Invalid;
  }
  bool isAllowed(const std::string &attr, DType dtype) const {
    const AttrDef *found = def.findAttr(attr);
    return !found || found->allowedTypes.empty() ||
           std::ranges::count(found->allowedTypes, dtype);
  }

  Status convertInputs() {
    if (spec.inputs.size() != def.inputs.size())
      return error(strCat("expected ", def.inputs.size(), " inputs of ",
                          spec.op, ", got ", spec.inputs.size()));
    for (size_t i = 0; i < def.inputs.size(); ++i) {
      const ArgDef &arg = def.inputs[i];
      bool isList = !arg.numberAttr.empty() || !arg.typeListAttr.empty();
      const Input *single = std::get_if<Input>(&spec.inputs[i]);
      const InputList *several = std::get_if<InputList>(&spec.inputs[i]);
      if (isList != (several != nullptr))
        return error(strCat("Expected ", isList ? "list" : "single tensor",
                            " for '", arg.name, "' argument to '", spec.op,
                            "' Op"));
      KILN_RETURN_IF_ERROR(several ? convertList(arg, several->list())
                                   : convertOne(arg, *single));
      if (state.failed())
        return okStatus();
    }
    return okStatus();
  }

  /// Converts an input; `dtype` is what it must have, if it is known.
  StatusOr<Output> converted(const ArgDef &arg, const Input &input, DType dtype,
                             DType hint) {
    // A value that is no tensor of the graph cannot become any dtype.
    if (dtype != DType::Invalid && !input.output() && !holdsOutputs(input))
      if (auto value = toConstant(input, dtype); !value.ok()) {
        auto [text, type] = pythonText(input);
        return error(strCat("Expected ", dtypeName(dtype),
                            " passed to parameter '", arg.name, "' of op '",
                            spec.op, "', got ", text, " of type '", type,
                            "' instead. Error: ", value.status().message()));
      }
    bool isTensor = input.output() != nullptr || holdsOutputs(input);
    return convertInput(state, input,
                        {.dtype = isTensor ? DType::Invalid : dtype,
                         .dtypeHint = hint,
                         .name = arg.name},
                        arg.isRef);
  }

  Status convertOne(const ArgDef &arg, const Input &input) {
    DType dtype = arg.dtype, hint = DType::Invalid;
    if (const DType *known = typeOf(arg.typeAttr))
      dtype = *known;
    else if (dtype == DType::Invalid)
      hint = defaultType(arg.typeAttr);
    // The value's own type stands where the op takes it. Otherwise TensorFlow
    // has made a Const of that type already, which stays without a use.
    if (hint != DType::Invalid && !input.output() && !holdsOutputs(input) &&
        !def.findAttr(arg.typeAttr)->allowedTypes.empty())
      if (auto natural = toConstant(input, DType::Invalid); natural.ok()) {
        if (isAllowed(arg.typeAttr, natural->dtype()))
          hint = natural->dtype();
        else
          addConst(state, *std::move(natural), arg.name);
      }
    KILN_ASSIGN_OR_RETURN(Output tensor, converted(arg, input, dtype, hint));
    if (!tensor.node)
      return okStatus();
    DType got = tensor.dtype();
    if (dtype != DType::Invalid && got != DType::Invalid && got != dtype)
      return error(
          strCat("Input '", arg.name, "' of '", spec.op, "' Op has type ",
                 dtypeName(got), " that does not match ",
                 arg.typeAttr.empty()
                     ? strCat("expected type of ", dtypeName(dtype), ".")
                     : strCat("type ", dtypeName(dtype), " of argument '",
                              inferredFrom[arg.typeAttr], "'.")));
    return take(arg, tensor);
  }

  Status take(const ArgDef &arg, const Output &tensor) {
    if (!arg.typeAttr.empty() && !typeOf(arg.typeAttr)) {
      if (!isAllowed(arg.typeAttr, tensor.dtype()))
        return typeError(arg, tensor.dtype());
      attrs.set(arg.typeAttr, tensor.dtype());
      inferredFrom[arg.typeAttr] = arg.name;
    }
    if (arg.isRef) {
      if (!tensor.node->output(tensor.index).isRef)
        return error(strCat("'", spec.op, "' Op requires that input '",
                            arg.name,
                            "' be a mutable tensor (e.g.: a tf.Variable)"));
      references.push_back(tensor.node);
    }
    inputs.push_back(tensor);
    return okStatus();
  }

  Status typeError(const ArgDef &arg, DType dtype) {
    std::string allowed;
    for (DType type : def.findAttr(arg.typeAttr)->allowedTypes)
      allowed += (allowed.empty() ? "" : ", ") + std::string(dtypeName(type));
    return error(strCat("Value passed to parameter '", arg.name,
                        "' has DataType ", dtypeName(dtype),
                        " not in list of allowed values: ", allowed));
  }

  Status convertList(const ArgDef &arg, const std::vector<Input> &list) {
    DType dtype = arg.dtype, hint = DType::Invalid;
    std::vector<DType> types;
    const auto *given =
        arg.typeListAttr.empty() ? nullptr : attrs.find(arg.typeListAttr);
    const auto *givenTypes =
        given ? given->getIf<std::vector<DType>>() : nullptr;
    if (const DType *known = typeOf(arg.typeAttr)) {
      dtype = *known;
    } else if (!arg.numberAttr.empty() && dtype == DType::Invalid) {
      for (const Input &input : list)
        if (const Output *output = input.output()) {
          dtype = output->dtype();
          break;
        }
      hint = defaultType(arg.typeAttr);
    }
    for (size_t i = 0; i < list.size(); ++i) {
      DType wanted =
          givenTypes && i < givenTypes->size() ? (*givenTypes)[i] : dtype;
      ArgDef element = arg;
      element.name = strCat(arg.name, "_", i);
      KILN_ASSIGN_OR_RETURN(Output tensor,
                            converted(element, list[i], wanted, hint));
      if (!tensor.node)
        return okStatus();
      types.push_back(tensor.dtype());
      inputs.push_back(tensor);
      if (arg.isRef)
        references.push_back(tensor.node);
    }
    return arg.numberAttr.empty() ? takeTypes(arg, types, givenTypes)
                                  : takeNumber(arg, types, dtype);
  }

  Status takeTypes(const ArgDef &arg, const std::vector<DType> &types,
                   const std::vector<DType> *given) {
    auto text = [](const std::vector<DType> &list) {
      std::string names;
      for (DType dtype : list)
        names += (names.empty() ? "" : ", ") + std::string(dtypeName(dtype));
      return names;
    };
    if (given && *given != types)
      return error(strCat(
          "Input '", arg.name, "' of '", spec.op, "' Op has type list of ",
          text(types), " that does not match type list ", text(*given), "."));
    attrs.set(arg.typeListAttr, types);
    return okStatus();
  }

  Status takeNumber(const ArgDef &arg, const std::vector<DType> &types,
                    DType dtype) {
    if (dtype == DType::Invalid && !types.empty())
      dtype = types[0];
    if (std::ranges::any_of(types, [&](DType type) { return type != dtype; })) {
      std::string names;
      for (DType type : types)
        names += (names.empty() ? "" : ", ") + std::string(dtypeName(type));
      return error(strCat(
          "Tensors in list passed to '", arg.name, "' of '", spec.op,
          "' Op have types [", names, "] that ",
          arg.dtype != DType::Invalid
              ? strCat("do not match expected type ", dtypeName(arg.dtype), ".")
              : std::string("don't all match.")));
    }
    int64_t count = static_cast<int64_t>(types.size());
    const AttrValue *given = attrs.find(arg.numberAttr);
    if (const int64_t *number = given ? given->getIf<int64_t>() : nullptr;
        number && *number != count)
      return error(strCat("List argument '", arg.name, "' to '", spec.op,
                          "' Op with length ", count, " must match length ",
                          *number, " of argument '",
                          inferredFrom[arg.numberAttr], "'."));
    const AttrDef *number = def.findAttr(arg.numberAttr);
    if (number && number->minimum && count < *number->minimum)
      return error(strCat(
          "List argument '", arg.name, "' to '", spec.op, "' Op with length ",
          count, " shorter than minimum length ", *number->minimum, "."));
    if (!given) {
      attrs.set(arg.numberAttr, count);
      inferredFrom[arg.numberAttr] = arg.name;
    }
    if (!arg.typeAttr.empty() && !typeOf(arg.typeAttr) &&
        dtype != DType::Invalid) {
      if (!isAllowed(arg.typeAttr, dtype))
        return typeError(arg, dtype);
      attrs.set(arg.typeAttr, dtype);
      inferredFrom[arg.typeAttr] = arg.name;
    }
    return okStatus();
  }

  BuildState &state;
  const OpSpec &spec;
  const OpDef &def;
  AttrMap attrs;
  std::vector<Output> inputs;
  std::vector<const Node *> references;
  std::map<std::string, std::string> inferredFrom;
};

} // namespace

GraphBuilder builderOf(const OpSpec &spec) {
  for (const auto &input : spec.inputs) {
    std::span<const Input> list;
    if (const Input *single = std::get_if<Input>(&input))
      list = {single, 1};
    else
      list = std::get<InputList>(input).list();
    for (const Input &each : list)
      if (auto graph = graphOf(each))
        return *graph;
  }
  return GraphBuilder::current();
}

const Node *GraphBuilder::addOp(const OpSpec &spec) const {
  if (state->failed())
    return nullptr;
  const OpDef *def = lookupOp(spec.op);
  if (!def) {
    state->fail(notFoundError(strCat("Op type not registered '", spec.op, "'"))
                    .withNode(spec.name.empty() ? spec.op : spec.name));
    return nullptr;
  }
  return OpAddition(*state, spec, *def).add();
}

} // namespace kiln
