// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of SparseTraining: optimizer steps for some rows of variables.
#include "lib/Ops/Families.h"
#include "lib/Ops/SparseTraining/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"SparseApplyAdagrad",
     "var: Ref(T), accum: Ref(T), lr: T, grad: T, indices: Tindices",
     "out: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "update_slots: bool = true",
     "A step of Adagrad for some rows.", inferSparseApply},
    {"ResourceSparseApplyAdagrad",
     "var: resource, accum: resource, lr: T, grad: T, indices: Tindices", "",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "update_slots: bool = true",
     "A step of Adagrad for some rows.", inferSparseApply, stateful},
    {"SparseApplyAdagradV2",
     "var: Ref(T), accum: Ref(T), lr: T, epsilon: T, grad: T, indices: "
     "Tindices",
     "out: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "update_slots: bool = true",
     "A step of Adagrad, of sqrt(accum) + epsilon, for some rows.",
     inferSparseApply},
    {"ResourceSparseApplyAdagradV2",
     "var: resource, accum: resource, lr: T, epsilon: T, grad: T, indices: "
     "Tindices",
     "",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "update_slots: bool = true",
     "A step of Adagrad, of sqrt(accum) + epsilon, for some rows.",
     inferSparseApply, stateful},
    {"SparseApplyMomentum",
     "var: Ref(T), accum: Ref(T), lr: T, grad: T, indices: Tindices, momentum: "
     "T",
     "out: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "use_nesterov: bool = false",
     "accum = accum * momentum + grad; var -= lr * accum, for some rows.",
     inferSparseApply},
    {"ResourceSparseApplyMomentum",
     "var: resource, accum: resource, lr: T, grad: T, indices: Tindices, "
     "momentum: T",
     "",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "use_nesterov: bool = false",
     "accum = accum * momentum + grad; var -= lr * accum, for some rows.",
     inferSparseApply, stateful},
    {"ResourceSparseApplyKerasMomentum",
     "var: resource, accum: resource, lr: T, grad: T, indices: Tindices, "
     "momentum: T",
     "",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "use_nesterov: bool = false",
     "accum = accum * momentum - lr * grad; var += accum, for some rows.",
     inferSparseApply, stateful},
    {"SparseApplyRMSProp",
     "var: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, momentum: T, "
     "epsilon: T, grad: T, indices: Tindices",
     "out: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "A step of RMSProp for some rows.", inferSparseApply},
    {"ResourceSparseApplyRMSProp",
     "var: resource, ms: resource, mom: resource, lr: T, rho: T, momentum: T, "
     "epsilon: T, grad: T, indices: Tindices",
     "", "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "A step of RMSProp for some rows.", inferSparseApply, stateful},
    {"SparseApplyCenteredRMSProp",
     "var: Ref(T), mg: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, "
     "momentum: T, epsilon: T, grad: T, indices: Tindices",
     "out: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "A step of centered RMSProp for some rows.", inferSparseApply},
    {"ResourceSparseApplyCenteredRMSProp",
     "var: resource, mg: resource, ms: resource, mom: resource, lr: T, rho: T, "
     "momentum: T, epsilon: T, grad: T, indices: Tindices",
     "", "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "A step of centered RMSProp for some rows.", inferSparseApply, stateful},
    {"SparseApplyAdadelta",
     "var: Ref(T), accum: Ref(T), accum_update: Ref(T), lr: T, rho: T, "
     "epsilon: T, grad: T, indices: Tindices",
     "out: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "A step of Adadelta for some rows.", inferSparseApply},
    {"ResourceSparseApplyAdadelta",
     "var: resource, accum: resource, accum_update: resource, lr: T, rho: T, "
     "epsilon: T, grad: T, indices: Tindices",
     "", "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "A step of Adadelta for some rows.", inferSparseApply, stateful},
    {"SparseApplyProximalGradientDescent",
     "var: Ref(T), alpha: T, l1: T, l2: T, grad: T, indices: Tindices",
     "out: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "A step of gradient descent with regularization for some rows.",
     inferSparseApply},
    {"ResourceSparseApplyProximalGradientDescent",
     "var: resource, alpha: T, l1: T, l2: T, grad: T, indices: Tindices", "",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "A step of gradient descent with regularization for some rows.",
     inferSparseApply, stateful},
    {"SparseApplyProximalAdagrad",
     "var: Ref(T), accum: Ref(T), lr: T, l1: T, l2: T, grad: T, indices: "
     "Tindices",
     "out: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "A step of Adagrad with regularization for some rows.", inferSparseApply},
    {"ResourceSparseApplyProximalAdagrad",
     "var: resource, accum: resource, lr: T, l1: T, l2: T, grad: T, indices: "
     "Tindices",
     "", "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "A step of Adagrad with regularization for some rows.", inferSparseApply,
     stateful},
    {"SparseApplyAdagradDA",
     "var: Ref(T), gradient_accumulator: Ref(T), gradient_squared_accumulator: "
     "Ref(T), grad: T, indices: Tindices, lr: T, l1: T, l2: T, global_step: "
     "int64",
     "out: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "A step of Adagrad with dual averaging for some rows.", inferSparseApply},
    {"ResourceSparseApplyAdagradDA",
     "var: resource, gradient_accumulator: resource, "
     "gradient_squared_accumulator: resource, grad: T, indices: Tindices, lr: "
     "T, l1: T, l2: T, global_step: int64",
     "", "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "A step of Adagrad with dual averaging for some rows.", inferSparseApply,
     stateful},
    {"SparseApplyFtrl",
     "var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, indices: Tindices, "
     "lr: T, l1: T, l2: T, lr_power: T",
     "out: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "multiply_linear_by_lr: bool = false",
     "A step of FTRL-proximal for some rows.", inferSparseApply},
    {"ResourceSparseApplyFtrl",
     "var: resource, accum: resource, linear: resource, grad: T, indices: "
     "Tindices, lr: T, l1: T, l2: T, lr_power: T",
     "",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "multiply_linear_by_lr: bool = false",
     "A step of FTRL-proximal for some rows.", inferSparseApply, stateful},
    {"SparseApplyFtrlV2",
     "var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, indices: Tindices, "
     "lr: T, l1: T, l2: T, l2_shrinkage: T, lr_power: T",
     "out: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "multiply_linear_by_lr: bool = false",
     "As SparseApplyFtrl, of grad + 2 * l2_shrinkage * var.", inferSparseApply},
    {"ResourceSparseApplyFtrlV2",
     "var: resource, accum: resource, linear: resource, grad: T, indices: "
     "Tindices, lr: T, l1: T, l2: T, l2_shrinkage: T, lr_power: T",
     "",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "multiply_linear_by_lr: bool = false",
     "As SparseApplyFtrl, of grad + 2 * l2_shrinkage * var.", inferSparseApply,
     stateful},
};

} // namespace

OpFamily sparseTrainingFamily() {
  return {"SparseTraining", "optimizer steps for some rows of variables",
          records};
}

} // namespace kiln
