// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads attributes as tensors, and check ops as expectations.
#include "test/expect/Expectations.h"

#include "dialect/Kiln.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "test/expect/CheckDialect.h"
#include "tools/compare/Compare.h"

#include <bit>
#include <cmath>
#include <cstring>

using namespace mlir;

namespace kiln::check {
namespace {

Status at(Location loc, const std::string &message) {
  std::string place;
  llvm::raw_string_ostream stream(place);
  loc.print(stream);
  return invalidArgumentError(strCat(place, ": ", message));
}

StatusOr<Tensor> tensorOf(Attribute attribute, Location loc) {
  auto elements = dyn_cast_if_present<DenseElementsAttr>(attribute);
  if (!elements)
    return at(loc, "expected dense elements");
  Type element = elements.getElementType();
  std::string name;
  llvm::raw_string_ostream(name) << element;
  DType dtype = dtypeNamed(name);
  auto made = Tensor::create(dtype, kiln::Shape(elements.getType().getShape()));
  if (!made.ok())
    return made.status();
  size_t width = dtypeSize(dtype);
  auto *out = static_cast<char *>(made->mutableRawData());
  auto store = [&](const llvm::APInt &bits) {
    uint64_t word = bits.getZExtValue();
    std::memcpy(out, &word, width);
    out += width;
  };
  if (isa<FloatType>(element))
    for (const llvm::APFloat &value : elements.getValues<llvm::APFloat>())
      store(value.bitcastToAPInt());
  else
    for (const llvm::APInt &value : elements.getValues<llvm::APInt>())
      store(value);
  return made;
}

/// The attribute's tensors, in order.
Status readList(Operation *op, llvm::StringRef name,
                std::vector<Tensor> &tensors) {
  auto list = op->getAttrOfType<ArrayAttr>(name);
  if (!list)
    return okStatus();
  for (Attribute attribute : list) {
    KILN_ASSIGN_OR_RETURN(Tensor tensor, tensorOf(attribute, op->getLoc()));
    tensors.push_back(std::move(tensor));
  }
  return okStatus();
}

Status readVariables(ModuleOp module, NativeInputs &inputs) {
  for (auto variable : module.getOps<ir::VariableOp>()) {
    auto index = static_cast<size_t>(variable.getIndex());
    inputs.variables.resize(std::max(inputs.variables.size(), index + 1));
    inputs.initialized.resize(inputs.variables.size());
    Attribute initial = variable->removeAttr("check.initial");
    auto type = cast<RankedTensorType>(variable.getType());
    if (initial) {
      KILN_ASSIGN_OR_RETURN(inputs.variables[index],
                            tensorOf(initial, variable.getLoc()));
      inputs.initialized[index] = true;
      continue;
    }
    if (!type.hasStaticShape())
      return at(variable.getLoc(), "expected check.initial, or a static shape");
    std::string name;
    llvm::raw_string_ostream(name) << type.getElementType();
    KILN_ASSIGN_OR_RETURN(
        inputs.variables[index],
        Tensor::create(dtypeNamed(name), kiln::Shape(type.getShape())));
  }
  return okStatus();
}

/// Integers that rise with the floats; the distance of two is in ulps.
int64_t rank(double value, bool isDouble) {
  int64_t bits = isDouble ? std::bit_cast<int64_t>(value)
                          : std::bit_cast<int32_t>(static_cast<float>(value));
  int64_t sign = isDouble ? std::numeric_limits<int64_t>::min()
                          : std::numeric_limits<int32_t>::min();
  return bits < 0 ? sign - bits : bits;
}

template <class T>
std::string distance(const Tensor &got, const Expectation &expectation) {
  auto a = got.data<T>(), b = expectation.expected.data<T>();
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i]))
      continue;
    int64_t ulps =
        std::abs(rank(a[i], sizeof(T) == 8) - rank(b[i], sizeof(T) == 8));
    if (std::isnan(a[i]) || std::isnan(b[i]) || ulps > expectation.ulps)
      return strCat("expected ", b[i], " within ", expectation.ulps,
                    " ulps, got ", a[i], " at element ", i, " (", ulps, ")");
  }
  return {};
}

} // namespace

StatusOr<TestCase> readTest(func::FuncOp function) {
  TestCase test;
  test.name = function.getName().str();
  auto source = function->getParentOfType<ModuleOp>();
  test.module = ModuleOp::create(source.getLoc());
  OpBuilder builder(test.module->getBodyRegion());
  for (auto variable : source.getOps<ir::VariableOp>())
    builder.clone(*variable);
  function = cast<func::FuncOp>(builder.clone(*function));
  function.setName("run");

  KILN_RETURN_IF_ERROR(readVariables(*test.module, test.inputs));
  KILN_RETURN_IF_ERROR(
      readList(function, "check.constants", test.inputs.constants));
  function->removeAttr("check.constants");
  if (auto symbols = dyn_cast_if_present<DenseI64ArrayAttr>(
          function->removeAttr("check.symbols")))
    test.inputs.symbols.assign(symbols.asArrayRef().begin(),
                               symbols.asArrayRef().end());
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    KILN_ASSIGN_OR_RETURN(
        Tensor feed,
        tensorOf(function.getArgAttr(i, "check.value"), function.getLoc()));
    test.inputs.feeds.push_back(std::move(feed));
    function.removeArgAttr(i, "check.value");
  }

  llvm::SmallVector<Value> looked;
  auto expectValue = [&](auto op, int64_t ulps) -> Status {
    KILN_ASSIGN_OR_RETURN(Tensor expected,
                          tensorOf(op.getExpected(), op.getLoc()));
    test.expectations.push_back(
        {op.getLoc(), looked.size(), std::nullopt, expected, ulps});
    looked.push_back(op.getActual());
    return okStatus();
  };
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    if (auto equal = dyn_cast<ExpectEqOp>(op)) {
      KILN_RETURN_IF_ERROR(expectValue(equal, 0));
    } else if (auto close = dyn_cast<ExpectCloseOp>(op)) {
      KILN_RETURN_IF_ERROR(
          expectValue(close, static_cast<int64_t>(close.getUlps())));
    } else if (auto variable = dyn_cast<ExpectVariableOp>(op)) {
      auto declared =
          test.module->lookupSymbol<ir::VariableOp>(variable.getVariable());
      if (!declared)
        return at(op.getLoc(), "expected the name of a kiln.variable");
      KILN_ASSIGN_OR_RETURN(Tensor expected,
                            tensorOf(variable.getExpected(), op.getLoc()));
      test.expectations.push_back({op.getLoc(), std::nullopt,
                                   static_cast<size_t>(declared.getIndex()),
                                   expected, 0});
    } else if (auto error = dyn_cast<ExpectErrorOp>(op)) {
      test.error = error.getMessage().str();
    } else {
      continue;
    }
    op.erase();
  }
  if (test.expectations.empty() && !test.error)
    return at(function.getLoc(), "expected an expectation in " + test.name);
  Operation *end = function.front().getTerminator();
  // What a test returns itself keeps alive what would be dead: an error's op.
  looked.append(end->operand_begin(), end->operand_end());
  end->setOperands(looked);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           ValueRange(looked).getTypes()));
  return test;
}

std::string mismatch(const Tensor &got, const Expectation &expectation) {
  const Tensor &expected = expectation.expected;
  bool sameType =
      got.dtype() == expected.dtype() && got.shape() == expected.shape();
  if (sameType && expectation.ulps > 0 && got.dtype() == DType::Float32)
    return distance<float>(got, expectation);
  if (sameType && expectation.ulps > 0 && got.dtype() == DType::Float64)
    return distance<double>(got, expectation);
  auto difference = compare::compareTensors(got, expected);
  if (!difference)
    return {};
  return strCat("expected ", difference->second, ", got ", difference->first,
                difference->element < 0
                    ? std::string()
                    : strCat(" at element ", difference->element));
}

} // namespace kiln::check
