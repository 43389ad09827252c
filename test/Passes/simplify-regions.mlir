// RUN: kiln-opt %s --split-input-file --kiln-simplify | FileCheck %s --enable-var-scope

// A known condition leaves one branch, in its place among the effects.
kiln.variable @v index 0 : tensor<4xf32>
// CHECK-LABEL: @known_branch
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
func.func @known_branch(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[OLD:.*]] = kiln.var_read @v
  %old = kiln.var_read @v : tensor<4xf32>
  %no = kiln.constant dense<false> : tensor<i1> : tensor<i1>
  // CHECK-NEXT: kiln.var_write @v, %[[X]]
  %r = kiln.if %no -> (tensor<4xf32>) {
    kiln.yield %x : tensor<4xf32>
  } else {
    kiln.var_write @v, %x : tensor<4xf32>
    %n = kiln.neg %old : tensor<4xf32>
    kiln.yield %n : tensor<4xf32>
  }
  // CHECK-NEXT: %[[NEW:.*]] = kiln.var_read @v
  %new = kiln.var_read @v : tensor<4xf32>
  // CHECK-NEXT: kiln.sub %[[NEW]], %[[OLD]]
  %s = kiln.add %r, %new : tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// A loop that takes no turn is what stands before its condition.
// CHECK-LABEL: @no_turn
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
func.func @no_turn(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[N:.*]] = kiln.neg %[[X]]
  // CHECK-NEXT: return %[[N]]
  %r = kiln.while (%a: tensor<4xf32> = %x) -> tensor<4xf32> {
    %no = kiln.constant dense<false> : tensor<i1> : tensor<i1>
    %n = kiln.neg %a : tensor<4xf32>
    kiln.condition %no, %n : tensor<4xf32>
  } do (%b: tensor<4xf32>) {
    kiln.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// What no turn changes is not carried: x is. What nobody needs is not computed:
// z, which only its own next value reads.
// CHECK-LABEL: @carried_for_nothing
// CHECK-SAME: (%[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>, %[[Z:.*]]: tensor<4xf32>)
func.func @carried_for_nothing(%n: tensor<i32>, %x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  // CHECK: %[[R:.*]]:2 = kiln.while (%{{.*}}: tensor<i32> = %{{.*}}, %{{.*}}: tensor<4xf32> = %[[X]]) -> (tensor<i32>, tensor<4xf32>) {
  // CHECK: } do (%{{.*}}: tensor<i32>, %[[B:.*]]: tensor<4xf32>) {
  // CHECK-DAG: %[[S:.*]] = kiln.add %[[B]], %[[Y]]
  // CHECK: kiln.yield %{{.*}}, %[[S]] : tensor<i32>, tensor<4xf32>
  %r:4 = kiln.while (%i: tensor<i32> = %zero, %a: tensor<4xf32> = %x, %b: tensor<4xf32> = %y, %c: tensor<4xf32> = %z)
      -> (tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %go = kiln.compare lt %i, %n : tensor<i32> -> tensor<i1>
    kiln.condition %go, %i, %a, %b, %c : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } do (%i: tensor<i32>, %a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
    %j = kiln.add %i, %one : tensor<i32>
    %s = kiln.add %a, %b : tensor<4xf32>
    %t = kiln.mul %c, %a : tensor<4xf32>
    kiln.yield %j, %s, %b, %t : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  // CHECK: return %[[R]]#1, %[[Y]]
  return %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>
}

// -----

// What every turn would compute anew is computed before both loops; what may
// fail stays, for the loop may not turn.
// CHECK-LABEL: @invariants
// CHECK-SAME: (%[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<i32>, %[[Y:.*]]: tensor<i32>)
func.func @invariants(%n: tensor<i32>, %x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  // CHECK: %[[P:.*]] = kiln.mul %[[X]], %[[Y]]
  // CHECK: kiln.while
  %r = kiln.while (%a: tensor<i32> = %x) -> tensor<i32> {
    %go = kiln.compare lt %a, %n : tensor<i32> -> tensor<i1>
    kiln.condition %go, %a : tensor<i32>
  } do (%b: tensor<i32>) {
    // CHECK: } do
    // CHECK: kiln.while
    %s = kiln.while (%c: tensor<i32> = %b) -> tensor<i32> {
      %go = kiln.compare lt %c, %b : tensor<i32> -> tensor<i1>
      kiln.condition %go, %c : tensor<i32>
    } do (%d: tensor<i32>) {
      // CHECK: } do
      // CHECK-NOT: kiln.mul
      // CHECK: %[[Q:.*]] = kiln.div %[[X]], %[[Y]]
      %p = kiln.mul %x, %y : tensor<i32>
      %q = kiln.div %x, %y : tensor<i32>
      %t = kiln.add %d, %p : tensor<i32>
      %u = kiln.add %t, %q : tensor<i32>
      kiln.yield %u : tensor<i32>
    }
    %t = kiln.add %s, %n : tensor<i32>
    kiln.yield %t : tensor<i32>
  }
  return %r : tensor<i32>
}

// -----

// What would fail when folded is left to the branch that may not run.
// CHECK-LABEL: @failing_fold
func.func @failing_fold(%c: tensor<i1>) -> tensor<i32> {
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  // CHECK: kiln.if
  %r = kiln.if %c -> (tensor<i32>) {
    // CHECK-NEXT: kiln.div
    %q = kiln.div %zero, %zero : tensor<i32>
    kiln.yield %q : tensor<i32>
  } else {
    kiln.yield %zero : tensor<i32>
  }
  return %r : tensor<i32>
}

// -----

// Two reads of a variable are one unless something writes it between them, also
// inside of a branch.
kiln.variable @w index 0 : tensor<4xf32>
// CHECK-LABEL: @reads
func.func @reads(%c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[A:.*]] = kiln.var_read
  // CHECK-NEXT: kiln.if
  %a = kiln.var_read @w : tensor<4xf32>
  %b = kiln.var_read @w : tensor<4xf32>
  kiln.if %c {
    kiln.var_write @w, %x : tensor<4xf32>
  } else {
  }
  // CHECK: %[[D:.*]] = kiln.var_read
  %d = kiln.var_read @w : tensor<4xf32>
  // CHECK: return %[[A]], %[[A]], %[[D]]
  return %a, %b, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// What stands on a check stays behind it, in its block; what stands before the check, or names no symbol, may leave.
// CHECK-LABEL: @checked
// CHECK: kiln.reshape %{{.*}} -> tensor<?x1xf32
// CHECK: kiln.mul %{{.*}} : tensor<f32>
// CHECK: kiln.while
// CHECK: } do
// CHECK: kiln.guard
// CHECK-NEXT: kiln.reshape %{{.*}} -> tensor<4x5xf32>
func.func @checked(%n: tensor<f32>, %x: tensor<?xf32, #kiln.sym<0>>) -> tensor<f32> {
  %r = kiln.while (%a: tensor<f32> = %n) -> tensor<f32> {
    %go = kiln.compare lt %a, %n : tensor<f32> -> tensor<i1>
    kiln.condition %go, %a : tensor<f32>
  } do (%b: tensor<f32>) {
    %column = kiln.reshape %x : tensor<?xf32, #kiln.sym<0>> -> tensor<?x1xf32, #kiln.sym<0>>
    kiln.guard 0 equal [s0, 20]
    %matrix = kiln.reshape %x : tensor<?xf32, #kiln.sym<0>> -> tensor<4x5xf32>
    %square = kiln.mul %n, %n : tensor<f32>
    %s = kiln.reduce sum %matrix axes [0, 1] : tensor<4x5xf32> -> tensor<f32>
    %t = kiln.reduce sum %column axes [0, 1] : tensor<?x1xf32, #kiln.sym<0>> -> tensor<f32>
    %u = kiln.add %s, %t : tensor<f32>
    %v = kiln.add %u, %square : tensor<f32>
    %w = kiln.add %v, %b : tensor<f32>
    kiln.yield %w : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

// A loop of no turns must not pay for what may be of any size: an outer product stays, a product with a fixed matrix leaves.
// CHECK-LABEL: @bounded
// CHECK: kiln.matmul
// CHECK: kiln.while
// CHECK: } do
// CHECK-NOT: kiln.matmul
// CHECK: kiln.broadcast
// CHECK: kiln.yield
func.func @bounded(%n: tensor<f32>, %x: tensor<?xf32, #kiln.sym<0>>, %y: tensor<?x4xf32, #kiln.sym<0>>, %w: tensor<4x5xf32>) -> tensor<f32> {
  %r = kiln.while (%a: tensor<f32> = %n) -> tensor<f32> {
    %go = kiln.compare lt %a, %n : tensor<f32> -> tensor<i1>
    kiln.condition %go, %a : tensor<f32>
  } do (%b: tensor<f32>) {
    %p = kiln.matmul %y, %w : tensor<?x4xf32, #kiln.sym<0>>, tensor<4x5xf32> -> tensor<?x5xf32, #kiln.sym<0>>
    %rows = kiln.broadcast %x map [0] : tensor<?xf32, #kiln.sym<0>> -> tensor<?x?xf32, #kiln.sym<0, 0>>
    %c = kiln.exp %rows : tensor<?x?xf32, #kiln.sym<0, 0>>
    %s = kiln.reduce sum %c axes [0, 1] : tensor<?x?xf32, #kiln.sym<0, 0>> -> tensor<f32>
    %t = kiln.reduce sum %p axes [0, 1] : tensor<?x5xf32, #kiln.sym<0>> -> tensor<f32>
    %u = kiln.add %s, %t : tensor<f32>
    %v = kiln.add %u, %b : tensor<f32>
    kiln.yield %v : tensor<f32>
  }
  return %r : tensor<f32>
}
