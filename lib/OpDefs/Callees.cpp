// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the bodies of functions: arguments become placeholders, attributes are
// put in, edges by output names become edges by index.
#include "lib/OpDefs/Callees.h"

#include "lib/OpDefs/ForLoop.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace kiln {

static bool anyBody(const Call &call, bool FunctionBody::*fact) {
  return std::any_of(call.bodies.begin(), call.bodies.end(),
                     [&](const auto &body) { return (*body).*fact; });
}
bool Call::writesVariable() const {
  return anyBody(*this, &FunctionBody::writesVariable);
}
bool Call::hasEffect() const {
  return anyBody(*this, &FunctionBody::hasEffect);
}

namespace {

/// The functions on the way to the one that is being built.
using Callers = std::vector<const Function *>;

StatusOr<Call> callOf(const FunctionLibrary *library, const Node &node,
                      Callers &callers);

/// What a body does, by its own nodes and by what they call.
Status findEffects(const FunctionLibrary *library, FunctionBody &body,
                   Callers &callers) {
  for (int id = 0; id < body.graph.numNodes(); ++id) {
    const Node &node = *body.graph.node(id);
    auto call = callOf(library, node, callers);
    if (!call.ok())
      return call.status().withNode(node.name());
    const OpDef *def = lookupOp(node.op());
    bool isCall = call->kind != Call::Kind::None;
    bool acts = isCall ? call->hasEffect() : def->hasEffect();
    body.writesVariable |=
        isCall ? call->writesVariable() : def->writesVariable();
    body.hasEffect |= acts;
    const bool isStateful =
        isCall ? acts ||
                     std::ranges::any_of(call->bodies,
                                         [](const auto &inner) {
                                           return !inner->statefulNodes.empty();
                                         })
               : def->has(stateful);
    if (isStateful)
      body.statefulNodes.push_back(&node);
  }
  return okStatus();
}

/// The signature as far as expandArgs() and checkNode() need it.
OpDef signatureOf(const Function &function) {
  OpDef def;
  def.name = function.name;
  def.inputs = function.args;
  def.outputs = function.results;
  for (const Function::Attr &declared : function.attrs) {
    AttrDef &attr = def.attrs.emplace_back();
    attr.name = declared.name;
    std::string_view kind = declared.kind;
    attr.isList = kind.starts_with("list(");
    attr.kind = kind.find("type") != std::string_view::npos ? AttrKind::Type
                                                            : AttrKind::Int;
    attr.defaultValue = declared.defaultValue;
  }
  return def;
}

/// One body.
class BodyBuilder {
public:
  BodyBuilder(const FunctionLibrary &library, const Function &function,
              const AttrMap &attrs, Callers &callers,
              std::span<const Node *const> declared = {},
              bool isOfPipeline = false)
      : library(library), function(function), attrs(attrs),
        signature(signatureOf(function)), callers(callers), declared(declared),
        isOfPipeline(isOfPipeline) {}

  StatusOr<std::shared_ptr<FunctionBody>> build() {
    auto body =
        std::make_shared<FunctionBody>(makeNodeChecker(), library.limits());
    KILN_RETURN_IF_ERROR(addArgs());
    std::vector<NodeSpec> bodySpecs = function.nodes;
    for (NodeSpec &spec : bodySpecs)
      KILN_RETURN_IF_ERROR(prepare(spec));
    for (NodeSpec &spec : bodySpecs) {
      KILN_RETURN_IF_ERROR(connect(spec));
      specs.push_back(std::move(spec));
    }
    KILN_RETURN_IF_ERROR(body->graph.addNodes(std::move(specs)));
    for (const std::string &name : argNames)
      body->args.push_back({body->graph.lookup(name), 0});
    KILN_RETURN_IF_ERROR(findResults(*body));
    KILN_RETURN_IF_ERROR(findTargets(*body));
    return body;
  }

private:
  struct Signature {
    std::vector<ArgDef> outputs;
    AttrMap attrs;
    OpDef def;
  };

  Status fail(std::string message) const {
    return invalidArgumentError(std::move(message));
  }

  /// Puts the node that declares what the next argument stands for in its
  /// place; false where there is none.
  bool addDeclared(std::vector<std::string> &names) {
    const size_t place = argNames.size();
    const Node *node = place < declared.size() ? declared[place] : nullptr;
    if (!node)
      return false;
    if (std::ranges::find(argNames, node->name()) == argNames.end())
      specs.push_back({.name = std::string(node->name()),
                       .op = std::string(node->op()),
                       .attrs = node->attrs()});
    names.push_back(strCat(node->name(), ":0"));
    argNames.emplace_back(node->name());
    return true;
  }

  /// One placeholder a tensor.
  Status addArgs() {
    for (size_t i = 0; i < function.args.size(); ++i) {
      const ArgDef &arg = function.args[i];
      if (arg.isRef)
        return unimplementedError(strCat("expected argument ", quote(arg.name),
                                         " to be a value, got a reference"));
      KILN_ASSIGN_OR_RETURN(
          std::vector<ArgType> types,
          expandArgs(std::span(&arg, 1), attrs, function.name, signature));
      std::vector<std::string> &names = tensors[arg.name];
      bool isList = !arg.numberAttr.empty() || !arg.typeListAttr.empty();
      for (size_t k = 0; k < types.size(); ++k) {
        if (addDeclared(names))
          continue;
        std::string name = isList ? strCat(arg.name, "/", k) : arg.name;
        Shape shape = isList ? Shape::unknownRank() : function.argShapes[i];
        NodeSpec &spec = specs.emplace_back();
        spec.name = name;
        spec.op = "Placeholder";
        spec.attrs = {{"dtype", types[k].dtype}, {"shape", shape}};
        if (isOfPipeline && types[k].dtype == DType::Variant)
          spec.attrs.set(std::string(datasetArgAttr), true);
        names.push_back(strCat(name, ":0"));
        argNames.push_back(std::move(name));
      }
    }
    return okStatus();
  }

  /// Puts the function's attributes in; depth is bounded by the parser.
  Status substitute(AttrValue &value) const {
    if (const auto *placeholder = value.getIf<AttrPlaceholder>()) {
      const AttrValue *given = attrs.find(placeholder->name);
      if (!given)
        return fail(strCat("expected attribute ", quote(placeholder->name),
                           " of function ", quote(function.name),
                           ", got none"));
      value = AttrValue(*given);
      return okStatus();
    }
    if (const auto *callee = value.getIf<NameAttrList>()) {
      NameAttrList changed = *callee;
      KILN_RETURN_IF_ERROR(substituteAll(changed.attrs));
      value = AttrValue(std::move(changed));
    } else if (const auto *list = value.getIf<std::vector<NameAttrList>>()) {
      std::vector<NameAttrList> changed = *list;
      for (NameAttrList &callee : changed)
        KILN_RETURN_IF_ERROR(substituteAll(callee.attrs));
      value = AttrValue(std::move(changed));
    }
    return okStatus();
  }
  Status substituteAll(AttrMap &map) const {
    AttrMap changed;
    for (const NamedAttr &attr : map) {
      AttrValue value = attr.value;
      KILN_RETURN_IF_ERROR(substitute(value));
      changed.set(attr.name, std::move(value));
    }
    map = std::move(changed);
    return okStatus();
  }

  /// Substitutes, and notes the names of the node's outputs.
  Status prepare(NodeSpec &spec) {
    KILN_RETURN_IF_ERROR(substituteAll(spec.attrs).withNode(spec.name));
    const OpDef *known = lookupOp(spec.op);
    OpDef called;
    if (const Function *callee = known ? nullptr : library.find(spec.op)) {
      called = signatureOf(*callee);
      known = &called;
    }
    if (!known)
      return notFoundError(strCat("Op type not registered ", quote(spec.op)))
          .withNode(spec.name);
    int index = 0;
    for (const ArgDef &arg : known->outputs) {
      KILN_ASSIGN_OR_RETURN(
          std::vector<ArgType> types,
          expandArgs(std::span(&arg, 1), spec.attrs, spec.name, *known));
      std::vector<std::string> &names =
          tensors[strCat(spec.name, ":", arg.name)];
      for (size_t k = 0; k < types.size(); ++k)
        names.push_back(strCat(spec.name, ":", index++));
    }
    return okStatus();
  }

  /// The tensors that "arg", "arg:i", "node:output" or "node:output:i" names.
  StatusOr<std::vector<std::string>> find(const std::string &text) const {
    if (auto found = tensors.find(text); found != tensors.end())
      return found->second;
    size_t colon = text.rfind(':');
    if (colon != std::string::npos)
      if (auto list = tensors.find(text.substr(0, colon));
          list != tensors.end()) {
        size_t index = 0;
        const char *end = text.data() + text.size();
        auto [rest, error] =
            std::from_chars(text.data() + colon + 1, end, index);
        if (error == std::errc() && rest == end && index < list->second.size())
          return std::vector<std::string>{list->second[index]};
      }
    return fail(strCat("tensor ", quote(text), " does not exist in function ",
                       quote(function.name)));
  }

  Status connect(NodeSpec &spec) const {
    std::vector<NodeInput> inputs;
    for (const NodeInput &input : spec.inputs) {
      // A file has no handles.
      const auto &text = std::get<std::string>(input);
      if (text.starts_with('^')) {
        inputs.push_back(text);
        continue;
      }
      auto names = find(text);
      if (!names.ok())
        return names.status().withNode(spec.name);
      inputs.insert(inputs.end(), names->begin(), names->end());
    }
    spec.inputs = std::move(inputs);
    return okStatus();
  }

  Status findResults(FunctionBody &body) const {
    for (const ArgDef &result : function.results) {
      auto text = function.returns.find(result.name);
      if (text == function.returns.end())
        return fail(strCat("result ", quote(result.name), " of function ",
                           quote(function.name), " stands for no tensor"));
      KILN_ASSIGN_OR_RETURN(std::vector<std::string> names, find(text->second));
      KILN_ASSIGN_OR_RETURN(
          std::vector<ArgType> types,
          expandArgs(std::span(&result, 1), attrs, function.name, signature));
      if (types.size() != names.size())
        return fail(strCat("expected ", types.size(), " tensors for result ",
                           quote(result.name), " of function ",
                           quote(function.name), ", got ", names.size()));
      for (size_t i = 0; i < names.size(); ++i) {
        KILN_ASSIGN_OR_RETURN(Output output, body.graph.findTensor(names[i]));
        DType got = output.dtype();
        if (got != DType::Invalid && got != types[i].dtype)
          return fail(strCat("expected result ", quote(result.name),
                             " of function ", quote(function.name),
                             " to have dtype ", dtypeTfName(types[i].dtype),
                             ", got ", dtypeTfName(got)));
        body.results.push_back(output);
      }
    }
    return okStatus();
  }

  Status findTargets(FunctionBody &body) {
    for (const std::string &name : function.controlReturns) {
      KILN_ASSIGN_OR_RETURN(const Node *node, body.graph.findNode(name));
      body.targets.push_back(node);
    }
    return findEffects(&library, body, callers);
  }

  const FunctionLibrary &library;
  const Function &function;
  const AttrMap &attrs;
  OpDef signature;
  Callers &callers;
  const std::span<const Node *const> declared; ///< by argument
  const bool isOfPipeline; ///< whose arguments that are variants are datasets
  std::vector<NodeSpec> specs;
  std::vector<std::string> argNames;
  std::map<std::string, std::vector<std::string>> tensors;
};

std::string chain(const Callers &callers, const Function &last) {
  std::string text;
  for (const Function *caller : callers)
    text += quote(caller->name) + " -> ";
  return text + quote(last.name);
}

StatusOr<std::shared_ptr<const FunctionBody>>
findBody(const FunctionLibrary *library, std::string_view name,
         const AttrMap &given, Callers &callers) {
  const Function *function = library ? library->find(name) : nullptr;
  if (!function)
    return notFoundError(
        strCat("function ", quote(name), " is not in the graph's library"));
  if (std::find(callers.begin(), callers.end(), function) != callers.end())
    return invalidArgumentError(
        strCat("functions that call themselves are not supported: ",
               chain(callers, *function)));
  if (callers.size() >= maxCallDepth)
    return resourceExhaustedError(strCat("expected calls at most ",
                                         maxCallDepth, " deep, got ",
                                         chain(callers, *function)));
  KILN_RETURN_IF_ERROR(function->problem);
  AttrMap attrs;
  for (const Function::Attr &attr : function->attrs) {
    if (const AttrValue *value = given.find(attr.name))
      attrs.set(attr.name, *value);
    else if (attr.defaultValue)
      attrs.set(attr.name, *attr.defaultValue);
  }
  {
    std::lock_guard lock(function->mutex);
    for (const auto &[known, body] : function->bodies)
      if (known == attrs)
        return std::shared_ptr<const FunctionBody>(body);
  }
  callers.push_back(function);
  auto built = BodyBuilder(*library, *function, attrs, callers).build();
  callers.pop_back();
  if (!built.ok())
    return built.status();
  std::lock_guard lock(function->mutex);
  for (const auto &[known, body] : function->bodies)
    if (known == attrs)
      return std::shared_ptr<const FunctionBody>(body);
  function->bodies.emplace_back(std::move(attrs), *built);
  return std::shared_ptr<const FunctionBody>(*std::move(built));
}

/// The attributes of an op that name functions, in the schema's order.
StatusOr<std::vector<const NameAttrList *>> calleesOf(const Node &node,
                                                      const OpDef &def) {
  std::vector<const NameAttrList *> callees;
  for (const AttrDef &attr : def.attrs) {
    if (attr.kind != AttrKind::Func)
      continue;
    if (attr.isList) {
      KILN_ASSIGN_OR_RETURN(const std::vector<NameAttrList> *list,
                            node.attrRef<std::vector<NameAttrList>>(attr.name));
      for (const NameAttrList &callee : *list)
        callees.push_back(&callee);
    } else {
      KILN_ASSIGN_OR_RETURN(const NameAttrList *callee,
                            node.attrRef<NameAttrList>(attr.name));
      callees.push_back(callee);
    }
  }
  return callees;
}

Call::Kind kindOf(const OpDef &def) {
  return def.role == OpRole::If      ? Call::Kind::If
         : def.role == OpRole::Case  ? Call::Kind::Case
         : def.role == OpRole::While ? Call::Kind::While
                                     : Call::Kind::Function;
}

Status checkCount(std::string_view what, size_t expected, size_t got,
                  std::string_view function) {
  if (expected == got)
    return okStatus();
  return invalidArgumentError(strCat("expected function ", quote(function),
                                     " to have ", expected, " ", what, ", got ",
                                     got));
}

Status badLoopBody(std::string_view loop, size_t expected, size_t got) {
  return invalidArgumentError(strCat(loop, " loop body returned ", got,
                                     " arguments. Expected: ", expected));
}

/// Demands that a body takes and gives what the node does.
Status checkBody(const Node &node, const Call &call, size_t i,
                 std::string_view name) {
  const FunctionBody &body = *call.bodies[i];
  bool hasChoice = call.kind == Call::Kind::If || call.kind == Call::Kind::Case;
  bool isCondition = call.kind == Call::Kind::While && i == 0;
  size_t first = hasChoice ? 1 : 0;
  auto inputs = node.inputs().subspan(std::min(first, node.inputs().size()));
  KILN_RETURN_IF_ERROR(
      checkCount("arguments", inputs.size(), body.args.size(), name));
  for (size_t k = 0; k < inputs.size(); ++k) {
    DType given = inputs[k].dtype(), taken = body.args[k].dtype();
    if (given != DType::Invalid && given != taken)
      return invalidArgumentError(strCat(
          "expected argument ", k, " of function ", quote(name),
          " to have dtype ", dtypeTfName(given), ", got ", dtypeTfName(taken)));
  }
  size_t got = body.results.size();
  if (isCondition && got != 1)
    return invalidArgumentError(
        strCat("Expected a single scalar of the loop's condition ", quote(name),
               ", got ", got, " tensors."));
  if (isCondition || node.numOutputs() < 0)
    return okStatus();
  auto expected = static_cast<size_t>(node.numOutputs());
  if (call.kind == Call::Kind::While && got != expected)
    return badLoopBody("While", expected, got);
  return checkCount("results", expected, got, name);
}

/// A function that is written here; its placeholders are its arguments.
StatusOr<std::shared_ptr<FunctionBody>>
bodyOf(const FunctionLibrary *library, std::vector<NodeSpec> specs,
       const std::vector<std::string> &results, Callers &callers) {
  // Its few nodes have names of their own.
  auto body = std::make_shared<FunctionBody>(makeNodeChecker(), GraphLimits());
  KILN_RETURN_IF_ERROR(body->graph.addNodes(std::move(specs)));
  for (int id = 0; id < body->graph.numNodes(); ++id)
    if (roleOf(*body->graph.node(id)) == OpRole::Argument)
      body->args.push_back({body->graph.node(id), 0});
  for (const std::string &name : results) {
    KILN_ASSIGN_OR_RETURN(Output output, body->graph.findTensor(name));
    body->results.push_back(output);
  }
  KILN_RETURN_IF_ERROR(findEffects(library, *body, callers));
  return body;
}

/// Keeps the parts of a For with the function that it calls, for all calls of
/// these types; a function has no attributes of such names.
std::shared_ptr<const FunctionBody>
keepPart(const Function &function, const Node &node, int64_t part,
         std::shared_ptr<FunctionBody> body) {
  AttrMap key = {{"T", *node.findAttr("T")},
                 {"body", *node.findAttr("body")},
                 {"_part_of_for", part}};
  std::lock_guard lock(function.mutex);
  for (const auto &[known, kept] : function.bodies)
    if (known == key)
      return kept;
  function.bodies.emplace_back(std::move(key), std::move(body));
  return function.bodies.back().second;
}

StatusOr<Call> callOfFor(const FunctionLibrary *library, const Node &node,
                         Callers &callers) {
  KILN_ASSIGN_OR_RETURN(ForLoop loop, makeForLoop(node));
  KILN_ASSIGN_OR_RETURN(const NameAttrList *callee,
                        node.attrRef<NameAttrList>("body"));
  KILN_ASSIGN_OR_RETURN(
      auto called, findBody(library, callee->name, callee->attrs, callers));
  if (auto expected = static_cast<size_t>(node.numInputs() - 3);
      called->results.size() != expected)
    return badLoopBody("For", expected, called->results.size());
  std::vector<std::string> next = {"next:0", "limit:0", "delta:0"};
  for (int i = 0; i < node.numInputs() - 3; ++i)
    next.push_back(strCat("call:", i));
  Call call;
  call.kind = Call::Kind::For;
  auto add = [&](std::vector<NodeSpec> specs,
                 const std::vector<std::string> &results) -> Status {
    KILN_ASSIGN_OR_RETURN(auto body,
                          bodyOf(library, std::move(specs), results, callers));
    auto part = static_cast<int64_t>(call.bodies.size());
    call.bodies.push_back(
        keepPart(*library->find(callee->name), node, part, std::move(body)));
    return okStatus();
  };
  KILN_RETURN_IF_ERROR(add(std::move(loop.condition), {"continues:0"}));
  KILN_RETURN_IF_ERROR(add(std::move(loop.iteration), next));
  KILN_RETURN_IF_ERROR(add(std::move(loop.check), {"ends:0"}));
  return call;
}

StatusOr<Call> callOf(const FunctionLibrary *library, const Node &node,
                      Callers &callers) {
  Call call;
  std::vector<std::string_view> names;
  const OpDef *def = lookupOp(node.op());
  auto add = [&](std::string_view name, const AttrMap &attrs) -> Status {
    KILN_ASSIGN_OR_RETURN(auto body, findBody(library, name, attrs, callers));
    call.bodies.push_back(std::move(body));
    names.push_back(name);
    return okStatus();
  };
  if (!def) {
    if (!library || !library->find(node.op()))
      return notFoundError(strCat("Op type not registered ", quote(node.op())));
    call.kind = Call::Kind::Function;
    KILN_RETURN_IF_ERROR(add(node.op(), node.attrs()));
  } else if (def->role == OpRole::For) {
    return callOfFor(library, node, callers);
  } else if (def->has(callsFunctions)) {
    call.kind = kindOf(*def);
    KILN_ASSIGN_OR_RETURN(auto callees, calleesOf(node, *def));
    for (const NameAttrList *callee : callees)
      KILN_RETURN_IF_ERROR(add(callee->name, callee->attrs));
  }
  for (size_t i = 0; i < call.bodies.size(); ++i)
    KILN_RETURN_IF_ERROR(checkBody(node, call, i, names[i]));
  return call;
}

} // namespace

StatusOr<Call> findCall(const FunctionLibrary *library, const Node &node) {
  Callers callers;
  auto call = callOf(library, node, callers);
  return call.ok() ? call : StatusOr<Call>(call.status().withNode(node.name()));
}

StatusOr<std::shared_ptr<const FunctionBody>>
findFunction(const FunctionLibrary *library, const NameAttrList &callee,
             std::span<const Node *const> captured) {
  Callers callers;
  KILN_ASSIGN_OR_RETURN(auto body,
                        findBody(library, callee.name, callee.attrs, callers));
  if (body->args.size() < captured.size())
    return invalidArgumentError(strCat("expected function ", quote(callee.name),
                                       " to have at least ", captured.size(),
                                       " arguments, got ", body->args.size()));
  const bool takesDataset =
      std::ranges::any_of(body->args, [](const Output &arg) {
        return arg.dtype() == DType::Variant;
      });
  if (!takesDataset &&
      std::ranges::none_of(captured, [](const Node *node) { return node; }))
    return body;
  std::vector<const Node *> declared(body->args.size() - captured.size());
  declared.insert(declared.end(), captured.begin(), captured.end());
  const Function &function = *library->find(callee.name);
  callers.push_back(&function);
  KILN_ASSIGN_OR_RETURN(std::shared_ptr<FunctionBody> own,
                        BodyBuilder(*library, function, callee.attrs, callers,
                                    declared,
                                    /*isOfPipeline=*/true)
                            .build());
  return std::shared_ptr<const FunctionBody>(std::move(own));
}

} // namespace kiln
