// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets of parsed examples: each element is what ParseExampleV2 gives for
// one of the input, in the order of the features' names.
#include "kiln/Graph.h"
#include "kiln/Ops.h"
#include "lib/Ops/Parsing/Host.h"
#include "lib/Ops/Pipeline/Host.h"
#include "lib/Ops/Pipeline/HostInputs.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kiln {
namespace {

/// A node of a graph of its own, which says how examples are parsed: a dataset
/// may outlive the graph that its own node is in.
struct Parser {
  std::shared_ptr<const Graph> graph;
  const Node *node = nullptr;
  Element behind; ///< its inputs but for the messages
  size_t numSparse = 0, numDense = 0;
  /// For each feature by name: its place among the sparse ones, or, behind
  /// these, among the dense ones.
  std::vector<size_t> order;
};

class ParsedExamples final
    : public Dataset,
      public std::enable_shared_from_this<ParsedExamples> {
public:
  ParsedExamples(DatasetPtr input, Parser parser, const FileAccess &files)
      : Dataset(input), input(std::move(input)), parser(std::move(parser)),
        files(files) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override { return input->cardinality(); }

  const DatasetPtr input;
  const Parser parser;
  const FileAccess files;
};

class ParsedIterator final : public DatasetIterator {
public:
  ParsedIterator(IteratorPtr input, std::shared_ptr<const ParsedExamples> owner)
      : input(std::move(input)), dataset(std::move(owner)) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    Element taken;
    KILN_ASSIGN_OR_RETURN(const bool has, input->next(taken, pull));
    if (!has)
      return false;
    if (taken.size() != 1 || taken[0].dtype() != DType::String)
      return invalidArgumentError(
          "expected elements that are one tensor of strings");
    KILN_RETURN_IF_ERROR(parse(taken[0], element));
    return true;
  }
  Status save(StateWriter &to) const override {
    to.name("ParseExample");
    return input->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("ParseExample"));
    return input->restore(from, pull);
  }

private:
  Status parse(const Tensor &messages, Element &element) const {
    const Parser &parser = dataset->parser;
    Element inputs(1);
    KILN_ASSIGN_OR_RETURN(inputs[0],
                          messages.reshaped(Shape({messages.numElements()})));
    inputs.insert(inputs.end(), parser.behind.begin(), parser.behind.end());
    const size_t numSparse = parser.numSparse;
    Element outputs(3 * numSparse + parser.numDense);
    KILN_RETURN_IF_ERROR(
        host::parseExample({*parser.node, inputs, outputs, dataset->files}));
    element.clear();
    for (size_t place : parser.order) {
      if (place >= numSparse) {
        element.push_back(outputs[2 * numSparse + place]);
        continue;
      }
      std::vector<VariantPtr> parts;
      for (size_t i = 0; i < 3; ++i)
        parts.push_back(std::make_shared<TensorVariant>(
            std::move(outputs[i * numSparse + place])));
      KILN_ASSIGN_OR_RETURN(element.emplace_back(),
                            tensorOfVariants(Shape({3}), std::move(parts)));
    }
    return okStatus();
  }

  const IteratorPtr input;
  const std::shared_ptr<const ParsedExamples> dataset;
};

StatusOr<IteratorPtr> ParsedExamples::iterate(IterationState &state) const {
  KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(state.input(0)));
  return std::make_unique<ParsedIterator>(std::move(of), shared_from_this());
}

using Texts = std::vector<std::string>;

StatusOr<Tensor> vectorOf(const Texts &texts) {
  return Tensor::fromStrings(Shape({static_cast<int64_t>(texts.size())}),
                             std::span<const std::string>(texts));
}

/// Adds the node that parses, with placeholders before it.
StatusOr<const Node *> addParser(const Node &node, size_t numSparse,
                                 const std::vector<DType> &dense,
                                 Graph &graph) {
  NodeSpec spec{.name = "parse", .op = "ParseExampleV2"};
  std::vector<DType> inputs(5, DType::String);
  inputs.insert(inputs.end(), dense.begin(), dense.end());
  for (DType dtype : inputs) {
    NodeSpec placeholder{
        .name = strCat("input_", spec.inputs.size()),
        .op = "Placeholder",
        .attrs = {{"dtype", dtype}, {"shape", Shape::unknownRank()}}};
    spec.inputs.push_back(strCat(placeholder.name, ":0"));
    KILN_RETURN_IF_ERROR(graph.addNode(std::move(placeholder)).status());
  }
  spec.attrs = {
      {"num_sparse", static_cast<int64_t>(numSparse)},
      {"sparse_types", node.attrOr<std::vector<DType>>("sparse_types", {})},
      {"Tdense", dense},
      {"dense_shapes", node.attrOr<std::vector<Shape>>("dense_shapes", {})},
      {"ragged_value_types", std::vector<DType>()},
      {"ragged_split_types", std::vector<DType>()}};
  return graph.addNode(std::move(spec));
}

/// What the attributes say; without the dense features' defaults.
StatusOr<Parser> parserOf(const Node &node) {
  const auto sparse = node.attrOr<Texts>("sparse_keys", {}),
             dense = node.attrOr<Texts>("dense_keys", {});
  if (!node.attrOr<Texts>("ragged_keys", {}).empty())
    return unimplementedError("expected no ragged features");
  const auto types = node.attrOr<std::vector<DType>>("Tdense", {});
  Parser parser;
  parser.numSparse = sparse.size();
  parser.numDense = dense.size();
  std::map<std::string, size_t> places;
  for (const Texts *keys : {&sparse, &dense})
    for (const std::string &key : *keys)
      if (!places.emplace(key, places.size()).second)
        return invalidArgumentError(strCat("Duplicate key not allowed: ", key));
  for (const auto &[key, place] : places)
    parser.order.push_back(place);
  auto graph = std::make_shared<Graph>(makeNodeChecker());
  KILN_ASSIGN_OR_RETURN(parser.node,
                        addParser(node, sparse.size(), types, *graph));
  parser.graph = std::move(graph);
  for (const Texts &texts : {Texts(), sparse, dense, Texts()}) {
    KILN_ASSIGN_OR_RETURN(parser.behind.emplace_back(), vectorOf(texts));
  }
  return parser;
}

StatusOr<BoundHostOp> bindExamples(const Node &node, const BlockingSite &) {
  KILN_ASSIGN_OR_RETURN(Parser bound, parserOf(node));
  return BoundHostOp([bound = std::move(bound)](const HostCall &call) {
    Inputs inputs(call, anyBytes);
    KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
    KILN_ASSIGN_OR_RETURN(const int64_t calls,
                          inputs.scalar<int64_t>("num_parallel_calls"));
    if (calls < 1 && calls != -1)
      return invalidArgumentError(
          "num_parallel_calls must be greater than zero.");
    Parser parser = bound;
    KILN_ASSIGN_OR_RETURN(Element defaults, inputs.tensors(inputs.count()));
    if (defaults.size() != parser.numDense)
      return invalidArgumentError(
          strCat("Expected len(dense_defaults) == len(dense_keys) but got: ",
                 defaults.size(), " vs. ", parser.numDense));
    parser.behind.insert(parser.behind.end(), defaults.begin(), defaults.end());
    return giveDataset(call,
                       DatasetPtr(std::make_shared<ParsedExamples>(
                           std::move(input), std::move(parser), call.files)));
  });
}

} // namespace

void addExampleDatasetKernels(HostKernels &kernels) {
  kernels.addOwn("ParseExampleDataset", {.bindBody = bindExamples},
                 {"", "Experimental"}, {"", HostKernels::secondVersion});
}

} // namespace kiln
