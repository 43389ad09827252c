// RUN: kiln-opt %s --split-input-file --kiln-fuse | FileCheck %s --enable-var-scope

// Each block has fusions of its own. What is cheap sinks into the block that
// uses it: the constant, and the repetition of a row.
// CHECK-LABEL: @blocks
// CHECK-SAME: (%[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<3x4xf32>, %[[ROW:.*]]: tensor<4xf32>)
func.func @blocks(%c: tensor<i1>, %x: tensor<3x4xf32>, %row: tensor<4xf32>) -> tensor<3x4xf32> {
  %two = kiln.constant dense<2.0> : tensor<f32> : tensor<3x4xf32>
  %rows = kiln.broadcast %row map [1] : tensor<4xf32> -> tensor<3x4xf32>
  // CHECK-NEXT: %[[N:.*]] = kiln.fusion (%{{.*}} = %[[X]] : tensor<3x4xf32>)
  // CHECK-NEXT: kiln.neg
  %n = kiln.neg %x : tensor<3x4xf32>
  // CHECK: %[[R:.*]] = kiln.if %[[C]]
  // CHECK-NEXT: %[[T:.*]] = kiln.fusion (%[[A:.*]]: tensor<3x4xf32> = %[[N]] : tensor<3x4xf32>, %[[B:.*]]: tensor<4xf32> = %[[ROW]] : tensor<4xf32>)
  %r = kiln.if %c -> (tensor<3x4xf32>) {
    // CHECK: kiln.constant dense<2.000000e+00>
    // CHECK-NEXT: kiln.mul
    // CHECK-NEXT: kiln.broadcast %[[B]]
    // CHECK-NEXT: kiln.add
    %m = kiln.mul %n, %two : tensor<3x4xf32>
    %s = kiln.add %m, %rows : tensor<3x4xf32>
    // CHECK: kiln.yield %[[T]] : tensor<3x4xf32>
    // CHECK-NEXT: } else {
    // CHECK-NEXT: kiln.yield %[[N]]
    kiln.yield %s : tensor<3x4xf32>
  } else {
    kiln.yield %n : tensor<3x4xf32>
  }
  return %r : tensor<3x4xf32>
}

// -----

// A loop has the effects of what is inside of it: the second draw and the write
// stay behind it, and the read before it.
kiln.variable @v index 0 : tensor<4xf32>
// CHECK-LABEL: @effects
func.func @effects(%c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<6xi32>, tensor<6xi32>, tensor<4xf32>) {
  // CHECK-DAG: %[[A:.*]] = kiln.random_reserve 0
  // CHECK-DAG: %[[OLD:.*]] = kiln.var_read @v
  %a = kiln.random_reserve 0 [4] : tensor<6xi32>
  %old = kiln.var_read @v : tensor<4xf32>
  // CHECK: kiln.while
  kiln.while () {
    kiln.condition %c
  } do () {
    %s = kiln.random_reserve 1 [4] : tensor<6xi32>
    %r = kiln.random uniform %s : tensor<6xi32> -> tensor<4xf32>
    kiln.var_write @v, %r : tensor<4xf32>
    // CHECK: kiln.var_write
    // CHECK-NEXT: kiln.yield
    kiln.yield
  }
  // CHECK-DAG: %[[B:.*]] = kiln.random_reserve 0
  // CHECK-DAG: kiln.var_write @v
  %b = kiln.random_reserve 0 [4] : tensor<6xi32>
  kiln.var_write @v, %x : tensor<4xf32>
  // CHECK: return %[[A]], %[[B]], %[[OLD]]
  return %a, %b, %old : tensor<6xi32>, tensor<6xi32>, tensor<4xf32>
}

// -----

// A value of outside that a branch yields is stored though no op beside the
// branch reads it; so is a constant.
// CHECK-LABEL: @captured
func.func @captured(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[E:.*]]:2 = kiln.fusion
  // CHECK-NEXT: kiln.exp
  %e = kiln.exp %x : tensor<4xf32>
  %one = kiln.constant dense<1.0> : tensor<f32> : tensor<4xf32>
  // CHECK: kiln.constant
  // CHECK: kiln.if
  // CHECK-NEXT: kiln.yield %[[E]]#0
  // CHECK-NEXT: } else {
  // CHECK-NEXT: kiln.yield %[[E]]#1
  %r = kiln.if %c -> (tensor<4xf32>) {
    kiln.yield %e : tensor<4xf32>
  } else {
    kiln.yield %one : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A constant of a size that is checked in the run stands behind the check,
// wherever folding put it.
// CHECK-LABEL: @checked_splat
func.func @checked_splat() -> tensor<?xf32, #kiln.sym<0>> {
  %ones = kiln.constant dense<1.0> : tensor<f32> : tensor<?xf32, #kiln.sym<0>>
  // CHECK-NEXT: kiln.guard 0 non_negative
  // CHECK-NEXT: kiln.fusion
  // CHECK-NEXT: kiln.constant
  kiln.guard 0 non_negative [s0, 0]
  return %ones : tensor<?xf32, #kiln.sym<0>>
}

// -----

// An update that stands before a check is done before it, though what comes
// behind the check could be computed beside it.
module {
  kiln.variable @v index 0 : tensor<f32>
  // CHECK-LABEL: @update_and_check
  func.func @update_and_check(%c: tensor<i1>, %x: tensor<?xf32, #kiln.sym<0>>) -> tensor<f32> {
    %one = kiln.constant dense<1.0> : tensor<f32> : tensor<f32>
    %r = kiln.if %c -> (tensor<f32>) {
      // CHECK: kiln.var_write @v
      // CHECK-NEXT: kiln.guard 0
      // CHECK: kiln.var_write @v
      // CHECK-NOT: kiln.guard
      %v = kiln.var_read @v : tensor<f32>
      %more = kiln.add %v, %one : tensor<f32>
      kiln.var_write @v, %more : tensor<f32>
      kiln.guard 0 equal [s0, 4]
      %four = kiln.reshape %x : tensor<?xf32, #kiln.sym<0>> -> tensor<4xf32>
      %sum = kiln.reduce sum %four axes [0] : tensor<4xf32> -> tensor<f32>
      kiln.var_write @v, %one : tensor<f32>
      kiln.yield %sum : tensor<f32>
    } else {
      kiln.yield %one : tensor<f32>
    }
    return %r : tensor<f32>
  }
}
