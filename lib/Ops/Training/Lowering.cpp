// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers dense optimizer steps: reads, arithmetic, writes.
//
// The formulas are in TensorFlow's order of operations, checked bit by bit
// against 2.21 for float16, bfloat16, float32 and float64. Its bits are others
// where it approximates: rsqrt and exp in float32, pow.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

//===--- Formulas ---------------------------------------------------------===//

/// A value that formulas compute with. A number takes the type of the other
/// operand.
class Term {
public:
  Term(IrBuilder &ir, Value value) : ir(&ir), value(value) {}
  operator Value() const { return value; }

  friend Term operator+(Term x, Term y) { return {*x.ir, x.ir->add(x, y)}; }
  friend Term operator-(Term x, Term y) { return {*x.ir, x.ir->sub(x, y)}; }
  friend Term operator*(Term x, Term y) { return {*x.ir, x.ir->mul(x, y)}; }
  friend Term operator/(Term x, Term y) { return {*x.ir, x.ir->div(x, y)}; }
  friend Term operator+(double x, Term y) { return y.like(x) + y; }
  friend Term operator-(double x, Term y) { return y.like(x) - y; }
  friend Term operator*(double x, Term y) { return y.like(x) * y; }
  Term operator-() const { return {*ir, ir->neg(value)}; }

  /// x < y ? y : x, so x where one is NaN: as Eigen's vectors and scalars.
  friend Term max(Term x, Term y) {
    Value isLess = x.ir->compare(ir::Predicate::lt, x, y);
    return {*x.ir, x.ir->select(isLess, y, x)};
  }
  friend Value isLarger(Term x, Term y) {
    return x.ir->compare(ir::Predicate::gt, x, y);
  }
  friend Term pow(Term x, Term y) {
    return {*x.ir, x.ir->binary<ir::PowOp>(x, y)};
  }
  friend Term abs(Term x) { return {*x.ir, x.ir->unary<ir::AbsOp>(x)}; }
  friend Term exp(Term x) { return {*x.ir, x.ir->exp(x)}; }
  friend Term rsqrt(Term x) { return {*x.ir, x.ir->unary<ir::RsqrtOp>(x)}; }
  friend Term sign(Term x) { return {*x.ir, x.ir->unary<ir::SignOp>(x)}; }
  friend Term sqrt(Term x) { return {*x.ir, x.ir->sqrt(x)}; }

  Term like(double number) const { return {*ir, ir->like(value, number)}; }
  Value is(ir::Predicate predicate, double number) const {
    return ir->compare(predicate, value, number);
  }

private:
  IrBuilder *ir;
  Value value;
};

/// The inputs of one op by their names: variables, read before anything is
/// computed and written behind it, and values.
class Step {
public:
  explicit Step(Context &ctx) : ctx(ctx) {}

  /// Reads. **Errors**: as Context::variable().
  Status begin() {
    const std::vector<ArgDef> &args = ctx.opDef().inputs;
    for (int i = 0; i < ctx.numInputs(); ++i) {
      const ArgDef &arg = args[static_cast<size_t>(i)];
      if (!arg.isRef && arg.dtype != DType::Resource) {
        terms.emplace_back(ctx.ir(), ctx.input(i));
        continue;
      }
      KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(i));
      variables.push_back(variable);
      terms.emplace_back(ctx.ir(), ctx.readVariable(variable));
    }
    return okStatus();
  }

  mlir::Type element() const { return ctx.variableElement(variables.front()); }
  bool flag(std::string_view name) const { return ctx.boolAttr(name); }
  bool has(std::string_view name) const { return find(name) < terms.size(); }

  /// The variable's value as the step leaves it, or the input's.
  Term &operator[](std::string_view name) { return terms[find(name)]; }
  /// An integer as a number of the variables' type.
  Term number(std::string_view name) {
    return {ctx.ir(),
            ctx.ir().cast((*this)[name], IrBuilder::elementOf(terms.front()))};
  }
  Term select(Value condition, Term onTrue, Term onFalse) {
    return {ctx.ir(), ctx.ir().select(condition, onTrue, onFalse)};
  }
  /// Ends the run with the message of a kernel unless `condition` holds.
  void demand(Value condition, llvm::StringRef kernel, int64_t number = 0) {
    ctx.ir().failUnless(condition, [&] { ctx.ir().fail(kernel, number); });
  }

  /// Writes the variables, `var` last.
  Status finish() {
    for (size_t i = 1; i < variables.size(); ++i)
      KILN_RETURN_IF_ERROR(ctx.writeVariable(variables[i], terms[i]));
    return ctx.finishUpdate(variables.front(), terms.front());
  }

private:
  size_t find(std::string_view name) const {
    const std::vector<ArgDef> &args = ctx.opDef().inputs;
    auto isNamed = [&](const ArgDef &arg) { return arg.name == name; };
    return static_cast<size_t>(llvm::find_if(args, isNamed) - args.begin());
  }

  Context &ctx;
  /// One an input; variables come first.
  std::vector<Term> terms;
  std::vector<int> variables;
};

template <void (*formula)(Step &)> Status lowerStep(Context &ctx) {
  Step step(ctx);
  KILN_RETURN_IF_ERROR(step.begin());
  IrBuilder::RoundSteps rounding(ctx.ir(), step.element());
  formula(step);
  return step.finish();
}

//===--- Gradient descent -------------------------------------------------===//

/// var -= delta * alpha
void gradientDescent(Step &s) { s["var"] = s["var"] - s["delta"] * s["alpha"]; }

/// x nearer to 0 by rate * l1, and smaller by 1 + l2 * rate. `rate` is a scalar
/// or one number an element.
Term shrunk(Step &s, Term x, Term rate) {
  Term l1 = s["l1"];
  Term near = sign(x) * max(abs(x) - rate * l1, x.like(0));
  return s.select(l1.is(ir::Predicate::gt, 0), near, x) / (1 + s["l2"] * rate);
}

/// var = shrunk(var - delta * alpha)
void proximalGradientDescent(Step &s) {
  Term rate = s["alpha"];
  s["var"] = shrunk(s, s["var"] - s["delta"] * rate, rate);
}

//===--- Momentum ---------------------------------------------------------===//

/// accum = accum * momentum + grad; var -= accum * lr, or with Nesterov var -=
/// grad * lr + accum * momentum * lr
void momentum(Step &s) {
  Term grad = s["grad"], lr = s["lr"], momentum = s["momentum"];
  Term speed = s["accum"] = s["accum"] * momentum + grad;
  s["var"] =
      s["var"] -
      (s.flag("use_nesterov") ? grad * lr + speed * momentum * lr : speed * lr);
}

/// accum = accum * momentum - grad * lr; var += accum, or with Nesterov var +=
/// accum * momentum - grad * lr
void kerasMomentum(Step &s) {
  Term push = s["grad"] * s["lr"], momentum = s["momentum"];
  Term speed = s["accum"] = s["accum"] * momentum - push;
  s["var"] =
      s["var"] + (s.flag("use_nesterov") ? speed * momentum - push : speed);
}

//===--- Adam -------------------------------------------------------------===//

/// The average with another weight: x += (y - x) * (1 - decay)
Term average(Term x, Term y, Term decay) { return x + (y - x) * (1 - decay); }

/// m = average(m, grad, beta1); v = average(v, grad * grad, beta2)
void updateMoments(Step &s) {
  Term grad = s["grad"];
  s["m"] = average(s["m"], grad, s["beta1"]);
  s["v"] = average(s["v"], grad * grad, s["beta2"]);
}

/// lr * sqrt(1 - beta2_power) / (1 - beta1_power)
Term adamRate(Step &s) {
  return s["lr"] * sqrt(1 - s["beta2_power"]) / (1 - s["beta1_power"]);
}

/// var -= (m * rate) / (sqrt(v) + epsilon), with Nesterov of (grad * (1 -
/// beta1) + m * beta1) for m
void adam(Step &s) {
  updateMoments(s);
  Term m = s["m"], beta1 = s["beta1"];
  Term direction =
      s.flag("use_nesterov") ? s["grad"] * (1 - beta1) + m * beta1 : m;
  s["var"] = s["var"] - direction * adamRate(s) / (sqrt(s["v"]) + s["epsilon"]);
}

/// vhat = max(vhat, v); var -= (m * rate) / (sqrt(vhat) + epsilon)
void adamWithAmsgrad(Step &s) {
  updateMoments(s);
  s["vhat"] = max(s["vhat"], s["v"]);
  s["var"] = s["var"] - s["m"] * adamRate(s) / (sqrt(s["vhat"]) + s["epsilon"]);
}

/// m = average(m, grad, beta1); v = max(beta2 * v, |grad|)
/// var -= lr / (1 - beta1_power) * (m / (v + epsilon))
void adaMax(Step &s) {
  s["m"] = average(s["m"], s["grad"], s["beta1"]);
  s["v"] = max(s["beta2"] * s["v"], abs(s["grad"]));
  s["var"] = s["var"] - s["lr"] / (1 - s["beta1_power"]) *
                            (s["m"] / (s["v"] + s["epsilon"]));
}

//===--- Adagrad ----------------------------------------------------------===//

Term square(Term x) { return x * x; }

/// accum += grad * grad, where slots are updated
void accumulate(Step &s) {
  if (s.flag("update_slots"))
    s["accum"] = s["accum"] + square(s["grad"]);
}

/// var -= grad * lr * rsqrt(accum)
void adagrad(Step &s) {
  accumulate(s);
  s["var"] = s["var"] - s["grad"] * s["lr"] * rsqrt(s["accum"]);
}

/// var -= grad * lr / (sqrt(accum) + epsilon)
void adagradV2(Step &s) {
  accumulate(s);
  s["var"] = s["var"] - s["grad"] * s["lr"] / (sqrt(s["accum"]) + s["epsilon"]);
}

/// rate = lr * rsqrt(accum); var = shrunk(var - grad * rate)
void proximalAdagrad(Step &s) {
  s.demand(s["lr"].is(ir::Predicate::gt, 0), "FailLearningRate");
  s.demand(s["l1"].is(ir::Predicate::ge, 0), "FailRegularization", 1);
  s.demand(s["l2"].is(ir::Predicate::ge, 0), "FailRegularization", 2);
  s["accum"] = s["accum"] + square(s["grad"]);
  Term rate = s["lr"] * rsqrt(s["accum"]);
  s["var"] = shrunk(s, s["var"] - s["grad"] * rate, rate);
}

/// sum += grad; squares += grad * grad
/// var = -lr * sum / (l2 * (global_step * lr) + sqrt(squares)), where with an
/// l1 above 0 sum is first made nearer to 0 by l1 * global_step
void adagradDA(Step &s) {
  Term lr = s["lr"], l1 = s["l1"], steps = s.number("global_step");
  Term sum = s["gradient_accumulator"] = s["gradient_accumulator"] + s["grad"];
  Term squares = s["gradient_squared_accumulator"] =
      s["gradient_squared_accumulator"] + square(s["grad"]);
  Term near = sign(sum) * max(abs(sum) - l1 * steps, sum.like(0));
  s["var"] = -lr * s.select(l1.is(ir::Predicate::gt, 0), near, sum) /
             (s["l2"] * (steps * lr) + sqrt(squares));
}

/// accum = accum * rho + grad * grad * (1 - rho)
/// update = sqrt(accum_update + epsilon) * rsqrt(accum + epsilon) * grad
/// accum_update = accum_update * rho + update * update * (1 - rho)
void adadelta(Step &s) {
  Term grad = s["grad"], rho = s["rho"], epsilon = s["epsilon"];
  s["accum"] = s["accum"] * rho + square(grad) * (1 - rho);
  Term update =
      sqrt(s["accum_update"] + epsilon) * rsqrt(s["accum"] + epsilon) * grad;
  s["var"] = s["var"] - update * s["lr"];
  s["accum_update"] = s["accum_update"] * rho + square(update) * (1 - rho);
}

//===--- RMSProp ----------------------------------------------------------===//

/// mom = mom * momentum + grad * lr / sqrt(spread); var -= mom
void rmsPropBy(Step &s, Term spread) {
  s["mom"] = s["mom"] * s["momentum"] + s["grad"] * s["lr"] / sqrt(spread);
  s["var"] = s["var"] - s["mom"];
}

/// ms = average(ms, grad * grad, rho)
void rmsProp(Step &s) {
  s["ms"] = average(s["ms"], square(s["grad"]), s["rho"]);
  rmsPropBy(s, s["ms"] + s["epsilon"]);
}

/// mg = average(mg, grad, rho); by ms - mg * mg + epsilon
void centeredRmsProp(Step &s) {
  s["ms"] = average(s["ms"], square(s["grad"]), s["rho"]);
  s["mg"] = average(s["mg"], s["grad"], s["rho"]);
  rmsPropBy(s, s["ms"] - square(s["mg"]) + s["epsilon"]);
}

//===--- Ftrl -------------------------------------------------------------===//

/// strength = p(accum + grad * grad), where p(x) = x ^ -lr_power
/// linear += shrinking - (strength - p(accum)) / lr * var
/// var = (l1 * sign(linear) - linear) / (strength / lr + 2 * l2) where
/// |linear| > l1, else 0
/// accum += grad * grad
/// With multiply_linear_by_lr nothing is divided by lr: shrinking, l1 and l2
/// are multiplied by it.
void ftrl(Step &s) {
  Term grad = s["grad"], lr = s["lr"], l1 = s["l1"], l2 = s["l2"];
  Term exponent = -s["lr_power"];
  Value isRoot = s["lr_power"].is(ir::Predicate::eq, -0.5);
  auto power = [&](Term x) {
    return s.select(isRoot, sqrt(x), pow(x, exponent));
  };
  Term shrinking =
      s.has("l2_shrinkage") ? grad + 2 * s["l2_shrinkage"] * s["var"] : grad;
  Term sum = s["accum"] + square(grad), strength = power(sum);
  Term change = strength - power(s["accum"]);
  const bool multiplies = s.flag("multiply_linear_by_lr");
  Term linear = s["linear"] =
      s["linear"] + (multiplies ? shrinking * lr - change * s["var"]
                                : shrinking - change / lr * s["var"]);
  if (multiplies)
    l1 = l1 * lr;
  Term weight =
      multiplies ? strength + l2 * lr * l2.like(2) : strength / lr + 2 * l2;
  Term moved = (l1 * sign(linear) - linear) / weight;
  s["var"] = s.select(isLarger(abs(linear), l1), moved, moved.like(0));
  s["accum"] = sum;
}

//===--- Signs ------------------------------------------------------------===//

/// m = m * beta + grad * (1 - beta). Returns sign(grad) * sign(m).
Term agreement(Step &s) {
  Term beta = s["beta"];
  s["m"] = s["m"] * beta + s["grad"] * (1 - beta);
  return sign(s["grad"]) * sign(s["m"]);
}

/// var -= lr * (alpha + sign_decay * agreement) * grad
void addSign(Step &s) {
  Term scale = s["alpha"] + s["sign_decay"] * agreement(s);
  s["var"] = s["var"] - s["lr"] * scale * s["grad"];
}

/// var -= lr * exp(logbase * sign_decay * agreement) * grad
void powerSign(Step &s) {
  Term scale = exp(s["logbase"] * s["sign_decay"] * agreement(s));
  s["var"] = s["var"] - s["lr"] * scale * s["grad"];
}

} // namespace

void registerTrainingLowerings(LoweringRegistry &registry) {
  registry.add(
      {{"ApplyAdaMax", lowerStep<adaMax>},
       {"ApplyAdadelta", lowerStep<adadelta>},
       {"ApplyAdagrad", lowerStep<adagrad>},
       {"ApplyAdagradDA", lowerStep<adagradDA>},
       {"ApplyAdagradV2", lowerStep<adagradV2>},
       {"ApplyAdam", lowerStep<adam>},
       {"ApplyAddSign", lowerStep<addSign>},
       {"ApplyCenteredRMSProp", lowerStep<centeredRmsProp>},
       {"ApplyFtrl", lowerStep<ftrl>},
       {"ApplyFtrlV2", lowerStep<ftrl>},
       {"ApplyGradientDescent", lowerStep<gradientDescent>},
       {"ApplyMomentum", lowerStep<momentum>},
       {"ApplyPowerSign", lowerStep<powerSign>},
       {"ApplyProximalAdagrad", lowerStep<proximalAdagrad>},
       {"ApplyProximalGradientDescent", lowerStep<proximalGradientDescent>},
       {"ApplyRMSProp", lowerStep<rmsProp>},
       {"ResourceApplyAdaMax", lowerStep<adaMax>},
       {"ResourceApplyAdadelta", lowerStep<adadelta>},
       {"ResourceApplyAdagrad", lowerStep<adagrad>},
       {"ResourceApplyAdagradDA", lowerStep<adagradDA>},
       {"ResourceApplyAdagradV2", lowerStep<adagradV2>},
       {"ResourceApplyAdam", lowerStep<adam>},
       {"ResourceApplyAdamWithAmsgrad", lowerStep<adamWithAmsgrad>},
       {"ResourceApplyAddSign", lowerStep<addSign>},
       {"ResourceApplyCenteredRMSProp", lowerStep<centeredRmsProp>},
       {"ResourceApplyFtrl", lowerStep<ftrl>},
       {"ResourceApplyFtrlV2", lowerStep<ftrl>},
       {"ResourceApplyGradientDescent", lowerStep<gradientDescent>},
       {"ResourceApplyKerasMomentum", lowerStep<kerasMomentum>},
       {"ResourceApplyMomentum", lowerStep<momentum>},
       {"ResourceApplyPowerSign", lowerStep<powerSign>},
       {"ResourceApplyProximalAdagrad", lowerStep<proximalAdagrad>},
       {"ResourceApplyProximalGradientDescent",
        lowerStep<proximalGradientDescent>},
       {"ResourceApplyRMSProp", lowerStep<rmsProp>}});
}

} // namespace kiln
