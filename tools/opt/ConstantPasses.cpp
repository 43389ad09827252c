// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a table of an attribute, runs a pass on it, and the other way around.
#include "tools/opt/ConstantPasses.h"

#include "dialect/Kiln.h"
#include "dialect/Types.h"
#include "lib/JIT/FoldedConstants.h"
#include "passes/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace kiln {
namespace {

constexpr StringLiteral tableName = "kiln.constants";

using MakePass = std::unique_ptr<Pass> (*)(passes::ConstantTable *constants);

/// Runs one pass with a table.
class TablePass : public PassWrapper<TablePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TablePass)

  TablePass(StringRef name, MakePass make) : name(name), make(make) {}
  StringRef getArgument() const override { return name; }
  StringRef getDescription() const override {
    return "The pass on the constants of the module's kiln.constants";
  }

  void runOnOperation() override {
    std::vector<Tensor> constants;
    if (failed(read(constants)))
      return signalPassFailure();
    FoldedConstants table;
    table.setTable(&constants);
    OpPassManager passes(ModuleOp::getOperationName());
    passes.addPass(make(&table));
    if (failed(runPipeline(passes, getOperation())))
      return signalPassFailure();
    SmallVector<Attribute> left;
    for (const Tensor &constant : constants)
      left.push_back(attributeOf(constant));
    getOperation()->setAttr(tableName, ArrayAttr::get(&getContext(), left));
  }

private:
  LogicalResult read(std::vector<Tensor> &constants) {
    auto given = getOperation()->getAttrOfType<ArrayAttr>(tableName);
    if (!given)
      return getOperation().emitError("expected an array ") << tableName;
    for (Attribute attribute : given) {
      std::optional<FoldedValue> value = foldedConstant(attribute);
      if (!value || value->isSplat)
        return getOperation().emitError(
                   "expected dense elements that are no splat, got ")
               << attribute;
      constants.push_back(value->tensor);
    }
    return success();
  }

  Attribute attributeOf(const Tensor &tensor) {
    Builder builder(&getContext());
    Type element;
    for (Type type : {Type(builder.getF32Type()), Type(builder.getF64Type()),
                      Type(builder.getI32Type()), Type(builder.getI64Type())})
      if (ir::dtypeOf(type) == tensor.dtype())
        element = type;
    if (!element)
      return builder.getStringAttr("of another type");
    return DenseElementsAttr::getFromRawBuffer(
        RankedTensorType::get(tensor.shape().dims(), element),
        {static_cast<const char *>(tensor.rawData()), tensor.byteSize()});
  }

  StringRef name;
  MakePass make;
};

void registerTablePass(StringRef name, MakePass make) {
  registerPass([=] { return std::make_unique<TablePass>(name, make); });
}

} // namespace

void registerConstantPasses() {
  registerTablePass("test-kiln-fold-tables", [](passes::ConstantTable *table) {
    return passes::createKilnFoldTables(table);
  });
  registerTablePass("test-kiln-pack-constants",
                    [](passes::ConstantTable *table) {
                      return passes::createKilnPackConstants(table, {});
                    });
}

} // namespace kiln
