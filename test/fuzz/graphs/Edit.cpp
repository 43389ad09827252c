// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits on the messages of a graph.
#include "test/fuzz/graphs/Edit.h"

#include "kiln/GraphDef.h"
#include "lib/IO/AttrCodec.h"
#include "lib/Support/DTypeDispatch.h"
#include "test/fuzz/graphs/BadNodes.h"

#include <algorithm>
#include <cstring>

namespace kiln::fuzz {
namespace {

/// Takes the elements of a list that `keep` holds for.
template <class List, class Keep> void filter(List &list, Keep keep) {
  int next = 0;
  for (int i = 0; i < list.size(); ++i)
    if (keep(list.Get(i)))
      list.SwapElements(next++, i);
  list.DeleteSubrange(next, list.size() - next);
}

/// Nodes that the named ones need.
template <class Nodes>
std::set<std::string, std::less<>> reachedFrom(const Nodes &nodes,
                                               std::vector<std::string> names) {
  std::map<std::string_view, const proto::NodeDef *> byName;
  for (const proto::NodeDef &node : nodes)
    byName[node.name()] = &node;
  std::set<std::string, std::less<>> reached;
  while (!names.empty()) {
    std::string name(nodeOf(names.back()));
    names.pop_back();
    auto found = byName.find(name);
    if (found == byName.end() || !reached.insert(name).second)
      continue;
    names.insert(names.end(), found->second->input().begin(),
                 found->second->input().end());
  }
  return reached;
}

template <class Nodes>
void addFunctions(const Nodes &nodes, std::vector<std::string> &names) {
  for (const proto::NodeDef &node : nodes)
    for (const auto &[name, value] : node.attr()) {
      if (value.has_func())
        names.push_back(value.func().name());
      for (const auto &function : value.list().func())
        names.push_back(function.name());
    }
}

void pruneFunctions(proto::GraphDef &graph) {
  std::map<std::string, const proto::FunctionDef *> byName;
  for (const proto::FunctionDef &function : graph.library().function())
    byName[function.signature().name()] = &function;
  std::vector<std::string> names;
  addFunctions(graph.node(), names);
  std::set<std::string> reached;
  while (!names.empty()) {
    std::string name = std::move(names.back());
    names.pop_back();
    if (byName.count(name) && reached.insert(name).second)
      addFunctions(byName[name]->node_def(), names);
  }
  filter(*graph.mutable_library()->mutable_function(),
         [&](const proto::FunctionDef &function) {
           return reached.count(function.signature().name()) != 0;
         });
  for (proto::FunctionDef &function :
       *graph.mutable_library()->mutable_function()) {
    std::vector<std::string> results;
    for (const auto &[name, tensor] : function.ret())
      results.push_back(tensor);
    auto needed = reachedFrom(function.node_def(), results);
    filter(*function.mutable_node_def(), [&](const proto::NodeDef &node) {
      return needed.count(node.name()) != 0;
    });
  }
}

bool isSource(const proto::NodeDef &node) {
  return node.op() == "Const" || node.op().starts_with("Placeholder");
}

void setAttr(proto::NodeDef &node, const std::string &name, AttrValue value) {
  proto::AttrValue &attr = (*node.mutable_attr())[name];
  attr.Clear(); // or lists would become longer
  io::encodeAttr(value, attr);
}

Tensor cutTensor(const Tensor &tensor, int64_t extent, int64_t smaller) {
  std::vector<int64_t> dims(tensor.shape().dims().begin(),
                            tensor.shape().dims().end());
  std::ranges::replace(dims, extent, smaller);
  auto made = Tensor::zeros(tensor.dtype(), *Shape::fromDims(dims));
  if (!made.ok())
    return tensor;
  for (int64_t i = 0; i < made->numElements(); ++i) {
    int64_t from = 0, rest = i, stride = 1;
    for (int dim = tensor.rank() - 1; dim >= 0; --dim) {
      from += rest % dims[size_t(dim)] * stride;
      rest /= dims[size_t(dim)];
      stride *= tensor.dim(dim);
    }
    if (tensor.dtype() == DType::String) {
      made->mutableData<String>()[size_t(i)] = *String::create(
          std::string_view(tensor.data<String>()[size_t(from)]));
      continue;
    }
    size_t size = dtypeSize(tensor.dtype());
    std::memcpy(static_cast<char *>(made->mutableRawData()) + size_t(i) * size,
                static_cast<const char *>(tensor.rawData()) +
                    size_t(from) * size,
                size);
  }
  // Shapes as values.
  if (made->rank() <= 1 && isInteger(made->dtype()))
    dispatchInteger(made->dtype(), [&]<class T>(T) {
      std::ranges::replace(made->mutableData<T>(), static_cast<T>(extent),
                           static_cast<T>(smaller));
      return 0;
    });
  return *std::move(made);
}

} // namespace

std::string_view nodeOf(std::string_view input) {
  if (input.starts_with("^"))
    input.remove_prefix(1);
  return input.substr(0, input.find(':'));
}

void prune(Program &program) {
  std::vector<std::string> wanted = program.fetches;
  wanted.insert(wanted.end(), program.targets.begin(), program.targets.end());
  wanted.insert(wanted.end(), program.init.begin(), program.init.end());
  for (const Program::Ask &ask : program.asks)
    wanted.insert(wanted.end(), ask.fetches.begin(), ask.fetches.end());
  for (const proto::NodeDef &node : program.graph.node())
    if (node.name().starts_with(badPrefix))
      wanted.push_back(node.name());
  auto reached = reachedFrom(program.graph.node(), wanted);
  filter(*program.graph.mutable_node(), [&](const proto::NodeDef &node) {
    return reached.count(node.name()) != 0;
  });
  for (Feeds &feeds : program.feeds)
    std::erase_if(feeds, [&](const auto &feed) {
      return reached.count(feed.first) == 0;
    });
  pruneFunctions(program.graph);
}

Computed computeAll(const Program &program) {
  Computed computed;
  auto graph = loadGraphDef(program.graph.SerializeAsString());
  if (!graph.ok())
    return computed;
  std::vector<std::string> tensors;
  for (int id = 0; id < (*graph)->numNodes(); ++id) {
    const Node &node = *(*graph)->node(id);
    if (node.op() == "Const" || node.op().starts_with("Placeholder"))
      continue;
    for (int i = 0; i < node.numOutputs(); ++i)
      if (dtypeSize(node.outputDType(i)) > 0 && !node.output(i).isRef)
        tensors.push_back(node.name() + ":" + std::to_string(i));
  }
  auto runAll = [&](const std::vector<std::string> &wanted) {
    auto session = opener(ExecutionMode::EvaluatorOnly)(*graph);
    if (!session.ok() ||
        (!program.init.empty() &&
         !(*session)
              ->run({}, {}, {program.init.begin(), program.init.end()})
              .ok()))
      return false;
    Computed values;
    for (int64_t run = 0; run < program.runs; ++run) {
      std::vector<Feed> feeds;
      for (const auto &[name, value] : program.feeds[size_t(run)])
        feeds.push_back({name + ":0", value});
      auto results =
          (*session)->run(feeds, {wanted.begin(), wanted.end()},
                          {program.targets.begin(), program.targets.end()});
      if (!results.ok())
        return false;
      for (size_t i = 0; i < wanted.size(); ++i)
        values[wanted[i]].push_back((*results)[i]);
    }
    computed.merge(values);
    return true;
  };
  // What crashes is what is being looked for.
  auto runSafely = [&](const std::vector<std::string> &wanted) {
    return endsWell([&] { runAll(wanted); }) && runAll(wanted);
  };
  if (!runSafely(tensors))
    for (const std::string &tensor : tensors)
      runSafely({tensor});
  return computed;
}

bool cut(Program &program, const std::set<std::string> &nodes,
         const Computed &computed) {
  auto graph = loadGraphDef(program.graph.SerializeAsString());
  if (!graph.ok())
    return false;
  std::map<std::string, std::string> names; // of tensors
  std::vector<proto::NodeDef> made;
  for (const std::string &name : nodes) {
    const Node *node = (*graph)->lookup(name);
    for (int i = 0; node && i < node->numOutputs(); ++i) {
      std::string tensor = name + ":" + std::to_string(i);
      auto values = computed.find(tensor);
      if (values == computed.end())
        return false;
      proto::NodeDef &source = made.emplace_back();
      source.set_name(name + "_" + std::to_string(i));
      source.set_op("Placeholder");
      setAttr(source, "dtype", node->outputDType(i));
      setAttr(source, "shape", node->outputShape(i));
      names[tensor] = source.name();
      for (size_t run = 0; run < program.feeds.size(); ++run)
        program.feeds[run][source.name()] = values->second[run];
    }
  }
  filter(*program.graph.mutable_node(), [&](const proto::NodeDef &node) {
    return nodes.count(node.name()) == 0;
  });
  for (proto::NodeDef &node : *program.graph.mutable_node()) {
    filter(*node.mutable_input(), [&](const std::string &input) {
      return !input.starts_with("^") ||
             nodes.count(std::string(nodeOf(input))) == 0;
    });
    for (std::string &input : *node.mutable_input())
      if (nodes.count(std::string(nodeOf(input))) != 0)
        input = names[input.find(':') == input.npos ? input + ":0" : input];
  }
  for (proto::NodeDef &source : made)
    *program.graph.add_node() = std::move(source);
  return true;
}

void bypass(proto::GraphDef &graph, const std::string &name, int input) {
  std::string instead;
  for (const proto::NodeDef &node : graph.node())
    if (node.name() == name && input < node.input_size())
      instead = node.input(input);
  for (proto::NodeDef &node : *graph.mutable_node())
    for (std::string &used : *node.mutable_input())
      if (used == name || used == name + ":0")
        used = instead;
}

void bypass(proto::FunctionDef &function, const std::string &name, int input) {
  std::string instead;
  for (const proto::NodeDef &node : function.node_def())
    if (node.name() == name && input < node.input_size())
      instead = node.input(input);
  auto replace = [&](std::string &used) {
    if (used.starts_with(name + ":"))
      used = instead;
  };
  for (proto::NodeDef &node : *function.mutable_node_def())
    for (std::string &used : *node.mutable_input())
      replace(used);
  for (auto &[result, tensor] : *function.mutable_ret())
    replace(tensor);
}

std::set<int64_t> extentsOf(const Program &program) {
  std::set<int64_t> extents;
  for (const Feeds &feeds : program.feeds)
    for (const auto &[name, value] : feeds)
      extents.insert(value.shape().dims().begin(), value.shape().dims().end());
  for (const proto::NodeDef &node : program.graph.node())
    if (node.op() == "Const")
      for (const auto &dim :
           node.attr().at("value").tensor().tensor_shape().dim())
        extents.insert(dim.size());
  extents.erase(0);
  extents.erase(1);
  return extents;
}

void shrink(Program &program, int64_t extent, int64_t smaller) {
  for (Feeds &feeds : program.feeds)
    for (auto &[name, value] : feeds)
      value = cutTensor(value, extent, smaller);
  for (proto::NodeDef &node : *program.graph.mutable_node()) {
    if (!isSource(node) && node.op() != "VariableV2" &&
        node.op() != "VarHandleOp" && node.op() != "Variable")
      continue;
    for (auto &[name, attr] : *node.mutable_attr())
      if (attr.has_shape())
        for (auto &dim : *attr.mutable_shape()->mutable_dim())
          if (dim.size() == extent)
            dim.set_size(smaller);
    if (node.op() != "Const")
      continue;
    io::ByteBudget budget(size_t(1) << 30);
    auto value = io::decodeAttr(node.attr().at("value"), budget);
    const auto *constant =
        value.ok() ? value->getIf<TensorConstant>() : nullptr;
    auto tensor = constant ? constant->materialize() : Tensor();
    if (tensor.ok() && tensor->isValid())
      setAttr(node, "value", cutTensor(*tensor, extent, smaller));
  }
}

} // namespace kiln::fuzz
