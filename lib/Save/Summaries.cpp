// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds summaries with TensorFlow's names and tags.
#include "kiln/Summary.h"

#include "kiln/BuildOps.h"
#include "kiln/GraphScopes.h"
#include "lib/IO/Formats.h"
#include "lib/Support/Strings.h"

namespace kiln::summary {
namespace {

/// Letters, digits and "_-/." alone, and no slash at the beginning.
std::string cleanTag(std::string_view name) {
  std::string clean;
  for (char c : name) {
    bool isAllowed = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     (c >= '0' && c <= '9') || c == '_' || c == '-' ||
                     c == '/' || c == '.';
    // Characters of several bytes become one.
    if (isAllowed)
      clean += c;
    else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80)
      clean += '_';
  }
  return clean.substr(std::min(clean.find_first_not_of('/'), clean.size()));
}

/// The scope of one summary, which its node is named after, and its tag.
class SummaryScope {
public:
  SummaryScope(std::string_view name, const SummaryOptions &options,
               std::string_view defaultName, const Input &value)
      : scope(nameIn(options.family, name), defaultName, {&value}) {
    tag = scope.name();
    if (tag.ends_with('/'))
      tag.pop_back();
    if (std::string family = cleanTag(options.family); !family.empty())
      tag = strCat(family, "/", tag);
  }
  const std::string &name() const { return scope.name(); }

  std::string tag;

private:
  static std::string nameIn(std::string_view family, std::string_view name) {
    std::string clean = cleanTag(family);
    return clean.empty() ? cleanTag(name) : strCat(clean, "/", cleanTag(name));
  }
  FunctionScope scope;
};

Output collect(Output summary, const SummaryOptions &options) {
  const GraphBuilder graph = GraphBuilder::current();
  if (summary.node)
    for (const std::string &key : options.collections.value_or(
             std::vector<std::string>{std::string(keys::summaries)}))
      graph.addToCollection(key, summary);
  return summary;
}

/// Adds the op, named after its scope.
Output add(const std::string &op, const SummaryScope &scope,
           std::vector<std::variant<Input, InputList>> inputs,
           const SummaryOptions &options, AttrMap attrs = {}) {
  const Node *node = GraphBuilder::current().addOp({.op = op,
                                                    .name = scope.name(),
                                                    .inputs = std::move(inputs),
                                                    .attrs = std::move(attrs)});
  return collect({node, 0}, options);
}

} // namespace

Output scalar(std::string_view name, const Input &tensor,
              const SummaryOptions &options) {
  SummaryScope scope(name, options, "", tensor);
  return add("ScalarSummary", scope, {Input(scope.tag), tensor}, options);
}

Output histogram(std::string_view name, const Input &values,
                 const SummaryOptions &options) {
  SummaryScope scope(name, options, "HistogramSummary", values);
  return add("HistogramSummary", scope, {Input(scope.tag), values}, options);
}

Output image(std::string_view name, const Input &pictures,
             const SummaryOptions &options) {
  SummaryScope scope(name, options, "", pictures);
  return add("ImageSummary", scope, {Input(scope.tag), pictures}, options,
             {{"max_images", options.maxOutputs}});
}

Output audio(std::string_view name, const Input &sounds,
             const Input &sampleRate, const SummaryOptions &options) {
  SummaryScope scope(name, options, "", sounds);
  Output rate = GraphBuilder::current().convert(
      sampleRate, {.dtype = DType::Float32, .name = "sample_rate"});
  return add("AudioSummaryV2", scope, {Input(scope.tag), sounds, rate}, options,
             {{"max_outputs", options.maxOutputs}});
}

Output text(std::string_view name, const Input &tensor,
            const SummaryOptions &options) {
  SummaryScope scope(name, options, "", tensor);
  const GraphBuilder graph = GraphBuilder::current();
  if (const Output *known = tensor.output();
      known && known->node && known->dtype() != DType::String) {
    graph.fail(
        invalidArgumentError(strCat("Expected tensor ", known->name(),
                                    " to have dtype string, got <dtype: '",
                                    dtypeName(known->dtype()), "'>")));
    return {};
  }
  auto metadata = encodeSummaryMetadata("text");
  if (!metadata.ok()) {
    graph.fail(metadata.status());
    return {};
  }
  return add("TensorSummaryV2", scope, {Input(scope.tag), tensor, *metadata},
             options);
}

Output tensorSummary(std::string_view name, const Input &tensor,
                     const std::string &metadata,
                     const SummaryOptions &options) {
  SummaryScope scope(name, options, "", tensor);
  return add("TensorSummaryV2", scope, {Input(scope.tag), tensor, metadata},
             options);
}

Output merge(const std::vector<Output> &summaries,
             const std::vector<std::string> &collections,
             std::string_view name) {
  GraphScope graph(summaries.empty() ? GraphBuilder::current()
                                     : GraphBuilder::of(summaries.front()));
  NameScope scope(cleanTag(name), "Merge");
  // As in TensorFlow, the op has its own name in the scope that is opened, or
  // the name given once more.
  const Node *node = GraphBuilder::current().addOp(
      {.op = "MergeSummary",
       .name = name.empty() ? std::string() : cleanTag(name),
       .inputs = {InputList(summaries)}});
  return collect({node, 0}, {.collections = collections});
}

Output mergeAll(std::string_view key, std::string_view scope,
                std::string_view name) {
  std::vector<Output> summaries =
      GraphBuilder::current().collectionOf<Output>(key, scope);
  return summaries.empty() ? Output() : merge(summaries, {}, name);
}

} // namespace kiln::summary
