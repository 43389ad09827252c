// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Training: dense optimizer steps.
//
// Each is an op on references, which gives a reference to `var`, and an op on
// handles of the same arguments.
#include "lib/Ops/Families.h"
#include "lib/Ops/Training/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

// The variables that steps change, each of the type that the macro is given.
#define VAR(type) "var: " type
#define VAR_ACCUM(type) VAR(type) ", accum: " type
#define VAR_M(type) VAR(type) ", m: " type
#define VAR_M_V(type) VAR_M(type) ", v: " type

#define KILN_APPLY_HANDLES(name, vars, inputs, attrs, doc)                     \
  {"ResourceApply" name,                                                       \
   vars("resource") ", " inputs,                                               \
   "",                                                                         \
   "T: numbers; use_locking: bool = false" attrs,                              \
   doc,                                                                        \
   inferApply,                                                                 \
   stateful}
#define KILN_APPLY(name, vars, inputs, attrs, doc)                             \
  {"Apply" name,  vars("Ref(T)") ", " inputs,                                  \
   "out: Ref(T)", "T: numbers; use_locking: bool = false" attrs,               \
   doc,           inferApply},                                                 \
      KILN_APPLY_HANDLES(name, vars, inputs, attrs, doc)

#define NESTEROV "; use_nesterov: bool = false"
#define UPDATE_SLOTS "; update_slots: bool = true"
#define MULTIPLY_LINEAR "; multiply_linear_by_lr: bool = false"

#define ADAM_INPUTS                                                            \
  "beta1_power: T, beta2_power: T, lr: T, beta1: T, beta2: T, epsilon: T, "    \
  "grad: T"
#define VAR_M_V_VHAT(type) VAR_M_V(type) ", vhat: " type
#define VAR_ACCUMS(type) VAR_ACCUM(type) ", accum_update: " type
#define VAR_SUMS(type)                                                         \
  VAR(type)                                                                    \
  ", gradient_accumulator: " type ", gradient_squared_accumulator: " type
#define VAR_MS_MOM(type) VAR(type) ", ms: " type ", mom: " type
#define VAR_MG_MS_MOM(type) VAR(type) ", mg: " type ", ms: " type ", mom: " type
#define VAR_LINEAR(type) VAR_ACCUM(type) ", linear: " type

constexpr OpRecord records[] = {
    KILN_APPLY("GradientDescent", VAR, "alpha: T, delta: T", "",
               "var -= alpha * delta."),
    KILN_APPLY("ProximalGradientDescent", VAR,
               "alpha: T, l1: T, l2: T, delta: T", "",
               "var = shrunk(var - alpha * delta) by l1 and l2."),
    KILN_APPLY("Momentum", VAR_ACCUM, "lr: T, grad: T, momentum: T", NESTEROV,
               "accum = accum * momentum + grad; var -= lr * accum."),
    KILN_APPLY_HANDLES("KerasMomentum", VAR_ACCUM,
                       "lr: T, grad: T, momentum: T", NESTEROV,
                       "accum = accum * momentum - lr * grad; var += accum."),
    KILN_APPLY("Adam", VAR_M_V, ADAM_INPUTS, NESTEROV, "One step of Adam."),
    KILN_APPLY("AdaMax", VAR_M_V,
               "beta1_power: T, lr: T, beta1: T, beta2: T, epsilon: T, grad: T",
               "", "One step of AdaMax."),
    KILN_APPLY_HANDLES("AdamWithAmsgrad", VAR_M_V_VHAT, ADAM_INPUTS, "",
                       "One step of Adam by the largest v so far, vhat."),
    KILN_APPLY("Adagrad", VAR_ACCUM, "lr: T, grad: T", UPDATE_SLOTS,
               "accum += grad * grad; var -= lr * grad / sqrt(accum)."),
    KILN_APPLY(
        "AdagradV2", VAR_ACCUM, "lr: T, epsilon: T, grad: T", UPDATE_SLOTS,
        "accum += grad * grad; var -= lr * grad / (sqrt(accum) + epsilon)."),
    KILN_APPLY("AdagradDA", VAR_SUMS,
               "grad: T, lr: T, l1: T, l2: T, global_step: int64", "",
               "One step of Adagrad by dual averaging."),
    KILN_APPLY("ProximalAdagrad", VAR_ACCUM, "lr: T, l1: T, l2: T, grad: T", "",
               "accum += grad * grad; var = shrunk(var - lr * grad / "
               "sqrt(accum)) by l1 and l2."),
    KILN_APPLY("Adadelta", VAR_ACCUMS, "lr: T, rho: T, epsilon: T, grad: T", "",
               "One step of Adadelta."),
    KILN_APPLY("RMSProp", VAR_MS_MOM,
               "lr: T, rho: T, momentum: T, epsilon: T, grad: T", "",
               "One step of RMSProp."),
    KILN_APPLY("CenteredRMSProp", VAR_MG_MS_MOM,
               "lr: T, rho: T, momentum: T, epsilon: T, grad: T", "",
               "One step of RMSProp by the gradient's variance."),
    KILN_APPLY("Ftrl", VAR_LINEAR, "grad: T, lr: T, l1: T, l2: T, lr_power: T",
               MULTIPLY_LINEAR, "One step of follow-the-regularized-leader."),
    KILN_APPLY("FtrlV2", VAR_LINEAR,
               "grad: T, lr: T, l1: T, l2: T, l2_shrinkage: T, lr_power: T",
               MULTIPLY_LINEAR,
               "As ApplyFtrl, of grad + 2 * l2_shrinkage * var."),
    KILN_APPLY("AddSign", VAR_M,
               "lr: T, alpha: T, sign_decay: T, beta: T, grad: T", "",
               "var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * "
               "grad, where m is the gradient's average."),
    KILN_APPLY("PowerSign", VAR_M,
               "lr: T, logbase: T, sign_decay: T, beta: T, grad: T", "",
               "var -= lr * exp(logbase * sign_decay * sign(grad) * sign(m)) "
               "* grad, where m is the gradient's average."),
};

} // namespace

OpFamily trainingFamily() {
  return {"Training", "dense optimizer steps", records};
}

} // namespace kiln
