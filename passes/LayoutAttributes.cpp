// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a code layout as attributes of a module, and back.
#include "passes/LayoutAttributes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace kiln::passes {
namespace {

constexpr StringLiteral countsName = "kiln.buffer_counts",
                        temporariesName = "kiln.temporaries",
                        regionsName = "kiln.regions", nodesName = "kiln.nodes",
                        kernelsName = "kiln.kernels",
                        kernelNodesName = "kiln.kernel_nodes";

ArrayAttr formulaAttr(Builder &builder, const CostFormula &formula) {
  SmallVector<Attribute> terms;
  for (const CostFormula::Term &term : formula.terms) {
    SmallVector<int64_t> numbers = {term.factor};
    llvm::append_range(numbers, term.symbols);
    terms.push_back(builder.getDenseI64ArrayAttr(numbers));
  }
  return builder.getArrayAttr(terms);
}

LogicalResult readFormula(DictionaryAttr region, StringRef name,
                          CostFormula &formula) {
  auto terms = region.getAs<ArrayAttr>(name);
  if (!terms)
    return failure();
  for (Attribute attribute : terms) {
    auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute);
    if (!numbers || numbers.empty())
      return failure();
    ArrayRef<int64_t> values = numbers;
    formula.terms.push_back(
        {values.front(), {values.begin() + 1, values.end()}});
  }
  return success();
}

LogicalResult readStrings(ArrayAttr list, std::vector<std::string> &strings) {
  if (!list)
    return failure();
  for (Attribute attribute : list) {
    auto string = dyn_cast<StringAttr>(attribute);
    if (!string)
      return failure();
    strings.push_back(string.str());
  }
  return success();
}

LogicalResult readTemporary(DictionaryAttr entry, Temporary &temporary) {
  auto symbols = entry.getAs<DenseI64ArrayAttr>("symbols");
  auto values = entry.getAs<DenseI64ArrayAttr>("values");
  auto bytes = entry.getAs<IntegerAttr>("bytes"),
       first = entry.getAs<IntegerAttr>("first"),
       last = entry.getAs<IntegerAttr>("last");
  if (!symbols || !values || symbols.size() != values.size() || !bytes ||
      !first || !last)
    return failure();
  for (auto [symbol, value] :
       llvm::zip_equal(symbols.asArrayRef(), values.asArrayRef()))
    temporary.extents.push_back({value, symbol});
  temporary.elementBytes = bytes.getInt();
  temporary.first = first.getInt();
  temporary.last = last.getInt();
  if (auto node = entry.getAs<StringAttr>("node"))
    temporary.node = node.str();
  temporary.isOptional = entry.contains("optional");
  return success();
}

LogicalResult readRegion(DictionaryAttr entry, CodeRegion &region) {
  auto name = entry.getAs<StringAttr>("name");
  if (!name)
    return failure();
  region.name = name.str();
  return success(
      succeeded(readStrings(entry.getAs<ArrayAttr>("nodes"), region.nodes)) &&
      succeeded(readFormula(entry, "flops", region.flops)) &&
      succeeded(readFormula(entry, "read", region.bytesRead)) &&
      succeeded(readFormula(entry, "written", region.bytesWritten)));
}

/// Reads a list of dictionaries, if there is one.
template <class Part>
LogicalResult readList(ModuleOp module, StringRef name,
                       std::vector<Part> &parts,
                       LogicalResult (*read)(DictionaryAttr, Part &)) {
  Attribute given = module->getAttr(name);
  if (!given)
    return success();
  if (auto list = dyn_cast<ArrayAttr>(given)) {
    for (Attribute attribute : list) {
      auto entry = dyn_cast<DictionaryAttr>(attribute);
      if (!entry || failed(read(entry, parts.emplace_back())))
        return module.emitError("expected whole entries in ") << name;
    }
    return success();
  }
  return module.emitError("expected a list in ") << name;
}

} // namespace

void setBufferCounts(ModuleOp module, const BufferCounts &counts) {
  module->setAttr(countsName, Builder(module).getDenseI64ArrayAttr(
                                  {counts.feeds, counts.constants,
                                   counts.variables, counts.results}));
}

FailureOr<BufferCounts> bufferCounts(ModuleOp module) {
  auto given = module->getAttrOfType<DenseI64ArrayAttr>(countsName);
  if (!given || given.size() != 4)
    return module.emitError("expected ")
           << countsName << " with feeds, constants, variables and results";
  return BufferCounts{given[0], given[1], given[2], given[3]};
}

void setTemporaries(ModuleOp module, ArrayRef<Temporary> temporaries) {
  Builder builder(module);
  SmallVector<Attribute> entries;
  for (const Temporary &temporary : temporaries) {
    SmallVector<int64_t> symbols, values;
    for (const Temporary::Extent &extent : temporary.extents) {
      symbols.push_back(extent.symbol);
      values.push_back(extent.value);
    }
    auto number = [&](StringRef name, int64_t value) {
      return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
    };
    SmallVector<NamedAttribute> fields = {
        number("bytes", temporary.elementBytes),
        number("first", temporary.first),
        number("last", temporary.last),
        builder.getNamedAttr("node", builder.getStringAttr(temporary.node)),
        builder.getNamedAttr("symbols", builder.getDenseI64ArrayAttr(symbols)),
        builder.getNamedAttr("values", builder.getDenseI64ArrayAttr(values))};
    if (temporary.isOptional)
      fields.push_back(builder.getNamedAttr("optional", builder.getUnitAttr()));
    entries.push_back(builder.getDictionaryAttr(fields));
  }
  module->setAttr(temporariesName, builder.getArrayAttr(entries));
}

void setRegions(ModuleOp module, ArrayRef<CodeRegion> regions) {
  Builder builder(module);
  SmallVector<Attribute> entries;
  for (const CodeRegion &region : regions) {
    SmallVector<StringRef> nodes(region.nodes.begin(), region.nodes.end());
    entries.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("flops", formulaAttr(builder, region.flops)),
         builder.getNamedAttr("name", builder.getStringAttr(region.name)),
         builder.getNamedAttr("nodes", builder.getStrArrayAttr(nodes)),
         builder.getNamedAttr("read", formulaAttr(builder, region.bytesRead)),
         builder.getNamedAttr("written",
                              formulaAttr(builder, region.bytesWritten))}));
  }
  module->setAttr(regionsName, builder.getArrayAttr(entries));
}

void setErrorNodes(ModuleOp module, ArrayRef<StringRef> nodes) {
  module->setAttr(nodesName, Builder(module).getStrArrayAttr(nodes));
}

void setKernels(ModuleOp module, ArrayRef<KernelUse> kernels) {
  Builder builder(module);
  SmallVector<StringRef> names;
  SmallVector<int32_t> nodes;
  for (const KernelUse &use : kernels) {
    names.push_back(use.name);
    nodes.push_back(static_cast<int32_t>(use.node));
  }
  module->setAttr(kernelsName, builder.getStrArrayAttr(names));
  module->setAttr(kernelNodesName, builder.getDenseI32ArrayAttr(nodes));
}

static LogicalResult readKernels(ModuleOp module, CodeLayout &layout) {
  if (!module->hasAttr(kernelsName))
    return success();
  std::vector<std::string> names;
  auto nodes = module->getAttrOfType<DenseI32ArrayAttr>(kernelNodesName);
  if (failed(
          readStrings(module->getAttrOfType<ArrayAttr>(kernelsName), names)) ||
      !nodes || static_cast<size_t>(nodes.size()) != names.size())
    return module.emitError("expected names in ")
           << kernelsName << " and a node of each in " << kernelNodesName;
  for (auto [name, node] : llvm::zip_equal(names, nodes.asArrayRef())) {
    if (node < -1 || node >= static_cast<int64_t>(layout.nodes.size()))
      return module.emitError("expected nodes of ")
             << nodesName << " in " << kernelNodesName << ", got " << node;
    layout.kernels.push_back({name, node});
  }
  return success();
}

FailureOr<CodeLayout> codeLayout(ModuleOp module) {
  CodeLayout layout;
  FailureOr<BufferCounts> counts = bufferCounts(module);
  if (failed(counts))
    return failure();
  layout.counts = *counts;
  if (failed(readList(module, temporariesName, layout.temporaries,
                      readTemporary)) ||
      failed(readList(module, regionsName, layout.regions, readRegion)))
    return failure();
  if (Attribute nodes = module->getAttr(nodesName);
      nodes && failed(readStrings(dyn_cast<ArrayAttr>(nodes), layout.nodes)))
    return module.emitError("expected names in ") << nodesName;
  if (failed(readKernels(module, layout)))
    return failure();
  return layout;
}

} // namespace kiln::passes
