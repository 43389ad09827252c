// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers optimizer steps for some rows: the rows are gathered, computed with
// and put back, which touches nothing else of the variables.
//
// The arithmetic is in TensorFlow's order of operations, and so is that of
// equal rows: each goes on from what the one before has left. So the first of
// each are taken at once, and the others, of which there are none behind
// TensorFlow's own optimizers, one by one.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Indexing/LoweringRows.h"
#include "lib/Support/StatusMacros.h"

#include <map>

namespace kiln {
namespace {

using Context = LoweringContext;

/// The inputs of a step by their names, computed with as float32 where they are
/// narrower.
class Step {
public:
  static StatusOr<Step> begin(Context &ctx) {
    Step step(ctx);
    for (int i = 0; i < ctx.numInputs(); ++i) {
      const ArgDef &input = ctx.opDef().inputs[static_cast<size_t>(i)];
      step.places[input.name] = i;
      if (!input.isRef && ctx.inputDType(i) != DType::Resource)
        continue;
      KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(i));
      step.variables.push_back(variable);
    }
    step.stored = ctx.variableElement(step.variables[0]);
    if (!mlir::isa<mlir::FloatType>(step.stored))
      return ctx.invalid("expected variables of a float type");
    return step;
  }

  /// Ends the run where a scalar input does not compare so with 0.
  void demand(const char *name, ir::Predicate predicate, const char *failure,
              int64_t number = 0) {
    Value scalar = input(name);
    ir().failUnless(ir().compare(predicate, scalar, 0.0),
                    [&] { ir().fail(failure, number); });
  }

  /// Ends the run where rows have no elements, also where none is changed.
  void demandElements() {
    Dim count = rowElements();
    if (count.isKnown() && count.value > 0)
      return;
    Value number = ir().contents(ir().tensorType({}, DType::Int64), {count});
    ir().failUnless(ir().compare(ir::Predicate::ne, number, 0.0),
                    [&] { ir().fail("FailInnerDimension", 0); });
  }
  bool hasScalarRows() { return rowElements().isKnown(1); }

  /// Writes the steps of all rows: `update` is called for the first ones, which
  /// are apart, and for one of the others.
  Status forRows(Status (*update)(Step &)) {
    findRows();
    KILN_RETURN_IF_ERROR(update(*this));
    return ctx.forEach(numRepeated, variables, [&](Value number) {
      const Dims one = {Dim::known(1)};
      RankedTensorType type = ir().tensorType(one, DType::Int64);
      place = ir().gather(repeated, ir().reshape(number, type), 0, type);
      rows = targets = ir().gather(rows, place, 0, type);
      return update(*this);
    });
  }

  IrBuilder &ir() { return ctx.ir(); }
  mlir::Type element() const { return stored; }
  bool has(const char *attr) const { return ctx.boolAttr(attr); }
  /// The rows of variable i.
  Value row(size_t i) {
    Value whole = ctx.readVariable(variables[i]);
    return widened(
        ir().gather(whole, rows, 0, ir().tensorType(rowDims(), stored)));
  }
  Value input(const char *name) { return widened(ctx.input(places.at(name))); }
  /// The gradients of the rows.
  Value gradient() {
    Value all = ctx.input(places.at("grad"));
    return widened(
        place
            ? ir().gather(all, place, 0,
                          ir().tensorType(rowDims(), IrBuilder::elementOf(all)))
            : all);
  }

  /// Puts the rows of the first variable and its slots back.
  Status finish(std::initializer_list<Value> updated) {
    size_t i = 0;
    for (Value value : updated) {
      if (value) {
        Value whole = ctx.readVariable(variables[i]);
        Value changed =
            ir().scatter(ir::ScatterKind::update, whole, targets,
                         ir().cast(value, stored), IrBuilder::typeOf(whole));
        KILN_RETURN_IF_ERROR(ctx.writeVariable(variables[i], changed));
      }
      ++i;
    }
    if (ctx.numOutputs() > 0)
      ctx.setOutputView(0, variables[0]);
    return okStatus();
  }

private:
  explicit Step(Context &ctx) : ctx(ctx) {}

  Dim rowElements() {
    Dims row = dimsOf(ctx.readVariable(variables[0]));
    row.erase(row.begin());
    return ctx.dims().product(row);
  }

  void findRows() {
    IrBuilder &ir = this->ir();
    const int indices = places.at("indices");
    Value whole = ctx.readVariable(variables[0]);
    const IndexCheck check =
        ctx.node().op() == "ResourceSparseApplyKerasMomentum"
            ? IndexCheck::Rows
            : IndexCheck::UpdatedRows;
    RankedTensorType all = ir.tensorType(ctx.inputDims(indices), DType::Int64),
                     scalar = ir.tensorType({}, DType::Int64);
    Value extent = ir.contents(ir.tensorType({Dim::known(1)}, DType::Int64),
                               {dimsOf(whole).front()});
    auto found = ir.kernelCall("UpdatedRows", {ctx.input(indices), extent},
                               {all, all, all, scalar},
                               {static_cast<int64_t>(check), /*tuple=*/-1});
    rows = found.getResult(0);
    targets = found.getResult(1);
    repeated = found.getResult(2);
    numRepeated = found.getResult(3);
  }
  Dims rowDims() const {
    Dims dims = ctx.inputDims(places.at("grad"));
    if (place)
      dims.front() = Dim::known(1);
    return dims;
  }
  Value widened(Value x) {
    return ir::isNarrowFloat(IrBuilder::elementOf(x))
               ? ir().cast(x, ir().elementType(DType::Float32))
               : x;
  }

  Context &ctx;
  std::map<std::string, int> places;
  std::vector<int> variables;
  mlir::Type stored;
  /// Those that are read, and those that are written: -1 where a row is not.
  Value rows, targets;
  /// Where rows are that have been before, and how many.
  Value repeated, numRepeated;
  /// The place of the one row that is taken, null where all are.
  Value place;
};

Value square(IrBuilder &ir, Value x) { return ir.mul(x, x); }
Value rsqrt(IrBuilder &ir, Value x) { return ir.unary<ir::RsqrtOp>(x); }
/// x * factor + y * (1 - factor)
Value average(IrBuilder &ir, Value x, Value y, Value factor) {
  return ir.add(ir.mul(x, factor),
                ir.mul(y, ir.sub(ir.like(factor, 1), factor)));
}
/// sign(x) * max(size - l1, 0), where the l1 that the step is given is above 0;
/// else `unshrunk`.
Value shrunk(Step &step, Value x, Value size, Value l1, Value unshrunk) {
  IrBuilder &ir = step.ir();
  Value rest = ir.sub(size, l1);
  Value near = ir.mul(ir.unary<ir::SignOp>(x),
                      ir.binary<ir::MaxOp>(rest, ir.like(rest, 0)));
  return ir.select(ir.compare(ir::Predicate::gt, step.input("l1"), 0.0), near,
                   unshrunk);
}

template <bool hasEpsilon> Status updateAdagrad(Step &step) {
  IrBuilder &ir = step.ir();
  IrBuilder::RoundSteps rounding(ir, step.element());
  Value grad = step.gradient(), lr = step.input("lr"), accum = step.row(1);
  bool updates = step.has("update_slots");
  if (updates)
    accum = ir.add(accum, square(ir, grad));
  Value change = ir.mul(lr, grad);
  change = hasEpsilon
               ? ir.div(change, ir.add(ir.sqrt(accum), step.input("epsilon")))
               : ir.mul(change, rsqrt(ir, accum));
  return step.finish({ir.sub(step.row(0), change), updates ? accum : Value()});
}

Status updateMomentum(Step &step) {
  IrBuilder &ir = step.ir();
  IrBuilder::RoundSteps rounding(ir, step.element());
  Value grad = step.gradient(), lr = step.input("lr"),
        momentum = step.input("momentum");
  Value accum = ir.add(ir.mul(step.row(1), momentum), grad);
  Value change =
      step.has("use_nesterov")
          ? ir.add(ir.mul(grad, lr), ir.mul(accum, ir.mul(momentum, lr)))
          : ir.mul(accum, lr);
  return step.finish({ir.sub(step.row(0), change), accum});
}

Status updateKerasMomentum(Step &step) {
  IrBuilder &ir = step.ir();
  IrBuilder::RoundSteps rounding(ir, step.element());
  Value grad = step.gradient(), lr = step.input("lr"),
        momentum = step.input("momentum");
  Value accum = ir.sub(ir.mul(step.row(1), momentum), ir.mul(grad, lr));
  Value change = step.has("use_nesterov")
                     ? ir.sub(ir.mul(accum, momentum), ir.mul(grad, lr))
                     : accum;
  return step.finish({ir.add(step.row(0), change), accum});
}

template <bool isCentered> Status updateRmsProp(Step &step) {
  IrBuilder &ir = step.ir();
  IrBuilder::RoundSteps rounding(ir, step.element());
  Value grad = step.gradient(), rho = step.input("rho");
  size_t first = isCentered ? 2 : 1;
  Value ms = average(ir, step.row(first), square(ir, grad), rho);
  Value denominator = ir.add(ms, step.input("epsilon")), mg;
  if (isCentered) {
    mg = average(ir, step.row(1), grad, rho);
    denominator = ir.sub(denominator, square(ir, mg));
  }
  Value mom =
      ir.add(ir.mul(step.row(first + 1), step.input("momentum")),
             ir.mul(ir.mul(rsqrt(ir, denominator), step.input("lr")), grad));
  Value var = ir.sub(step.row(0), mom);
  return isCentered ? step.finish({var, mg, ms, mom})
                    : step.finish({var, ms, mom});
}

Status updateAdadelta(Step &step) {
  IrBuilder &ir = step.ir();
  IrBuilder::RoundSteps rounding(ir, step.element());
  Value grad = step.gradient(), rho = step.input("rho"),
        epsilon = step.input("epsilon");
  Value accum = average(ir, step.row(1), square(ir, grad), rho);
  Value old = step.row(2);
  Value change = ir.mul(
      ir.mul(ir.sqrt(ir.add(old, epsilon)), rsqrt(ir, ir.add(accum, epsilon))),
      grad);
  return step.finish({ir.sub(step.row(0), ir.mul(change, step.input("lr"))),
                      accum, average(ir, old, square(ir, change), rho)});
}

/// A step of the rate `rate`, shrunk by l1 and l2.
Value proximal(Step &step, Value rate) {
  IrBuilder &ir = step.ir();
  Value moved = ir.sub(step.row(0), ir.mul(step.gradient(), rate));
  Value l2 = ir.mul(step.input("l2"), rate);
  Value near = shrunk(step, moved, ir.unary<ir::AbsOp>(moved),
                      ir.mul(rate, step.input("l1")), moved);
  return ir.div(near, ir.add(ir.like(l2, 1), l2));
}

Status updateProximalGradientDescent(Step &step) {
  IrBuilder::RoundSteps rounding(step.ir(), step.element());
  return step.finish({proximal(step, step.input("alpha"))});
}

Status updateProximalAdagrad(Step &step) {
  IrBuilder &ir = step.ir();
  IrBuilder::RoundSteps rounding(ir, step.element());
  Value accum = ir.add(step.row(1), square(ir, step.gradient()));
  Value rate = ir.mul(rsqrt(ir, accum), step.input("lr"));
  return step.finish({proximal(step, rate), accum});
}

/// var = -near / (l2 + sqrt(squares) / (steps * lr)), where near is sum / steps
/// made nearer to 0 by l1. Of one element a row TensorFlow multiplies all that
/// by steps * lr.
Status updateAdagradDa(Step &step) {
  IrBuilder &ir = step.ir();
  IrBuilder::RoundSteps rounding(ir, step.element());
  Value grad = step.gradient(), lr = step.input("lr"), l1 = step.input("l1"),
        l2 = step.input("l2");
  Value steps = ir.cast(step.input("global_step"), IrBuilder::elementOf(lr));
  Value sum = ir.add(step.row(1), grad),
        squares = ir.add(step.row(2), square(ir, grad));
  Value size = ir.unary<ir::AbsOp>(sum), rate = ir.mul(steps, lr),
        root = ir.sqrt(squares), top, bottom;
  if (step.hasScalarRows()) {
    top = ir.mul(shrunk(step, sum, size, ir.mul(l1, steps), sum), lr);
    bottom = ir.add(ir.mul(l2, rate), root);
  } else {
    top = shrunk(step, sum, ir.div(size, steps), l1, ir.div(sum, steps));
    bottom = ir.add(l2, ir.div(root, rate));
  }
  return step.finish({ir.neg(ir.div(top, bottom)), sum, squares});
}

template <bool hasShrinkage> Status updateFtrl(Step &step) {
  IrBuilder &ir = step.ir();
  IrBuilder::RoundSteps rounding(ir, step.element());
  Value grad = step.gradient(), lr = step.input("lr"), l1 = step.input("l1"),
        l2 = step.input("l2"), var = step.row(0), old = step.row(1);
  Value slope = grad;
  if (hasShrinkage) {
    Value shrinkage = step.input("l2_shrinkage");
    slope = ir.add(grad, ir.mul(ir.mul(shrinkage, ir.like(shrinkage, 2)), var));
  }
  Value accum = ir.add(old, square(ir, grad));
  Value power = ir.neg(step.input("lr_power"));
  Value isRoot = ir.compare(ir::Predicate::eq, power, 0.5);
  auto raised = [&](Value x) {
    return ir.select(isRoot, ir.sqrt(x), ir.binary<ir::PowOp>(x, power));
  };
  Value now = raised(accum), change = ir.sub(now, raised(old));
  l2 = ir.mul(l2, ir.like(l2, 2));
  if (step.has("multiply_linear_by_lr")) {
    slope = ir.mul(slope, lr);
    l1 = ir.mul(l1, lr);
    l2 = ir.mul(l2, lr);
  } else {
    change = ir.div(change, lr);
    now = ir.div(now, lr);
  }
  Value linear = ir.add(step.row(2), ir.sub(slope, ir.mul(change, var)));
  Value kept =
      ir.binary<ir::MaxOp>(ir.binary<ir::MinOp>(linear, l1), ir.neg(l1));
  Value moved = ir.div(ir.sub(kept, linear), ir.add(now, l2));
  return step.finish({moved, accum, linear});
}

void checkNothing(Step &) {}
void checkElements(Step &step) { step.demandElements(); }

void checkProximal(Step &step) {
  step.demand("lr", ir::Predicate::gt, "FailLearningRate");
  step.demand("l1", ir::Predicate::ge, "FailRegularization", 1);
  step.demand("l2", ir::Predicate::ge, "FailRegularization", 2);
  step.demandElements();
}

template <bool hasShrinkage> void checkFtrl(Step &step) {
  const bool mayBeZero = step.has("multiply_linear_by_lr");
  step.demand("lr", mayBeZero ? ir::Predicate::ge : ir::Predicate::gt,
              "FailFtrlRate");
  step.demand("l1", ir::Predicate::ge, "FailRegularization", 1);
  step.demand("l2", ir::Predicate::ge, "FailRegularization", 2);
  if (hasShrinkage)
    step.demand("l2_shrinkage", ir::Predicate::ge, "FailShrinkage");
  step.demand("lr_power", ir::Predicate::le, "FailPower");
  step.demandElements();
}

template <Status (*update)(Step &), void (*check)(Step &) = checkNothing>
Status lower(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Step step, Step::begin(ctx));
  check(step);
  return step.forRows(update);
}

} // namespace

void registerSparseTrainingLowerings(LoweringRegistry &registry) {
#define KILN_SPARSE(Name, ...)                                                 \
  registry.addMoves({{"SparseApply" Name, lower<__VA_ARGS__>},                 \
                     {"ResourceSparseApply" Name, lower<__VA_ARGS__>}});
  KILN_SPARSE("Adagrad", updateAdagrad<false>, checkElements)
  KILN_SPARSE("AdagradV2", updateAdagrad<true>, checkElements)
  KILN_SPARSE("Momentum", updateMomentum)
  KILN_SPARSE("KerasMomentum", updateKerasMomentum)
  KILN_SPARSE("RMSProp", updateRmsProp<false>)
  KILN_SPARSE("CenteredRMSProp", updateRmsProp<true>)
  KILN_SPARSE("Adadelta", updateAdadelta)
  KILN_SPARSE("ProximalGradientDescent", updateProximalGradientDescent,
              checkElements)
  KILN_SPARSE("ProximalAdagrad", updateProximalAdagrad, checkProximal)
  KILN_SPARSE("AdagradDA", updateAdagradDa, checkElements)
  KILN_SPARSE("Ftrl", updateFtrl<false>, checkFtrl<false>)
  KILN_SPARSE("FtrlV2", updateFtrl<true>, checkFtrl<true>)
#undef KILN_SPARSE
}

} // namespace kiln
