// RUN: kiln-opt %s --kiln-fuse | FileCheck %s

!mat = tensor<?x9xf32, #kiln.sym<0>>
!col = tensor<?xf32, #kiln.sym<0>>

// A chain of elementwise ops is one fusion; constants are part of it.
// CHECK-LABEL: @chain
// CHECK-COUNT-1: kiln.fusion
// CHECK-NOT: kiln.fusion
func.func @chain(%x: tensor<16xf32>) -> tensor<16xf32> {
  %c = kiln.constant dense<2.0> : tensor<f32> : tensor<16xf32>
  %0 = kiln.mul %x, %c : tensor<16xf32>
  %1 = kiln.tanh %0 : tensor<16xf32>
  %2 = kiln.add %1, %c : tensor<16xf32>
  return %2 : tensor<16xf32>
}

// The two products of a linear model's gradient share one nest: X is one input, read in one place.
// CHECK-LABEL: @gradient
// CHECK-SAME: (%[[X:.*]]: tensor<?x9xf32, {{.*}}>, %[[W:.*]]: tensor<9xf32>, %[[Y:.*]]: tensor<?xf32, {{.*}}>)
// CHECK: kiln.fusion (%{{.*}} = %[[W]] : {{.*}}, %{{.*}} = %[[X]] : {{.*}}, %{{.*}} = %[[Y]] : {{.*}}) -> tensor<9xf32>
// CHECK: kiln.reduce sum %{{.*}} axes [1]
// CHECK: kiln.reduce sum %{{.*}} axes [0]
// CHECK-NOT: kiln.fusion
func.func @gradient(%x: !mat, %w: tensor<9xf32>, %y: !col) -> tensor<9xf32> {
  %wb = kiln.broadcast %w map [1] : tensor<9xf32> -> !mat
  %xw = kiln.mul %x, %wb : !mat
  %p = kiln.reduce sum %xw axes [1] : !mat -> !col
  %e = kiln.sub %p, %y : !col
  %eb = kiln.broadcast %e map [0] : !col -> !mat
  %xe = kiln.mul %x, %eb : !mat
  %g = kiln.reduce sum %xe axes [0] : !mat -> tensor<9xf32>
  return %g : tensor<9xf32>
}

// Rows cannot be walked again in the nest that reduced them: batch normalization is two.
// CHECK-LABEL: @two_passes
// CHECK-COUNT-2: kiln.fusion
// CHECK-NOT: kiln.fusion
func.func @two_passes(%x: !mat) -> !mat {
  %s = kiln.reduce sum %x axes [0] : !mat -> tensor<9xf32>
  %sb = kiln.broadcast %s map [1] : tensor<9xf32> -> !mat
  %c = kiln.sub %x, %sb : !mat
  return %c : !mat
}

// What is centered for the variance is centered again for the result, from the rows that both read: nobody stores it.
// CHECK-LABEL: @normalization
// CHECK-SAME: (%[[X:.*]]: tensor<?x9xf32, {{.*}}>, %{{.*}}: tensor<9xf32>)
// CHECK: kiln.fusion ({{.*}} = %[[X]] : {{.*}}) -> tensor<9xf32>
// CHECK: kiln.sub
// CHECK: kiln.reduce sum
// CHECK: kiln.fusion ({{.*}} = %[[X]] : {{.*}}) -> tensor<?x9xf32, {{.*}}>
// CHECK: kiln.sub
// CHECK: kiln.mul
func.func @normalization(%x: !mat, %m: tensor<9xf32>) -> !mat {
  %mb = kiln.broadcast %m map [1] : tensor<9xf32> -> !mat
  %c = kiln.sub %x, %mb : !mat
  %q = kiln.mul %c, %c : !mat
  %v = kiln.reduce sum %q axes [0] : !mat -> tensor<9xf32>
  %vb = kiln.broadcast %v map [1] : tensor<9xf32> -> !mat
  %r = kiln.mul %c, %vb : !mat
  return %r : !mat
}

// A value that is returned is stored anyway: then it is read as well.
// CHECK-LABEL: @stored_anyway
// CHECK-COUNT-1: kiln.sub
// CHECK-NOT: kiln.sub
// CHECK: return
func.func @stored_anyway(%x: !mat, %m: tensor<9xf32>) -> (!mat, !mat) {
  %mb = kiln.broadcast %m map [1] : tensor<9xf32> -> !mat
  %c = kiln.sub %x, %mb : !mat
  %q = kiln.mul %c, %c : !mat
  %v = kiln.reduce sum %q axes [0] : !mat -> tensor<9xf32>
  %vb = kiln.broadcast %v map [1] : tensor<9xf32> -> !mat
  %r = kiln.mul %c, %vb : !mat
  return %r, %c : !mat, !mat
}

// A softmax is one nest: its reductions are along the rows.
// CHECK-LABEL: @softmax
// CHECK-COUNT-1: kiln.fusion
// CHECK-NOT: kiln.fusion
func.func @softmax(%x: !mat) -> !mat {
  %m = kiln.reduce max %x axes [1] : !mat -> !col
  %mb = kiln.broadcast %m map [0] : !col -> !mat
  %d = kiln.sub %x, %mb : !mat
  %e = kiln.exp %d : !mat
  %s = kiln.reduce sum %e axes [1] : !mat -> !col
  %sb = kiln.broadcast %s map [0] : !col -> !mat
  %r = kiln.div %e, %sb : !mat
  return %r : !mat
}

// Unlike orders of summation do not share a loop: the loss adds in 16 lanes, the gradient in one.
// CHECK-LABEL: @unlike_orders
// CHECK-COUNT-2: kiln.fusion
// CHECK-NOT: kiln.fusion
func.func @unlike_orders(%x: !mat, %y: !col) -> (tensor<9xf32>, tensor<f32>) {
  %yb = kiln.broadcast %y map [0] : !col -> !mat
  %p = kiln.mul %x, %yb : !mat
  %g = kiln.reduce sum %p axes [0] : !mat -> tensor<9xf32>
  %q = kiln.mul %y, %y : !col
  %l = kiln.reduce sum %q axes [0] : !col -> tensor<f32>
  return %g, %l : tensor<9xf32>, tensor<f32>
}

// Updates over one shape are one nest, whatever they read.
// CHECK-LABEL: @siblings
// CHECK-COUNT-1: kiln.fusion
// CHECK-NOT: kiln.fusion
func.func @siblings(%a: tensor<64xf32>, %b: tensor<64xf32>, %g: tensor<64xf32>, %h: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = kiln.sub %a, %g : tensor<64xf32>
  %1 = kiln.sub %b, %h : tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}

// A value that leaves through a runtime call and comes back is two fusions, never a cycle.
// CHECK-LABEL: @around
// CHECK: kiln.fusion
// CHECK: kiln.runtime_call
// CHECK: kiln.fusion
func.func @around(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = kiln.add %a, %a : tensor<4x4xf32>
  %1 = kiln.runtime_call "MatrixInverse" ins(%0 : tensor<4x4xf32>) types [tensor<4x4xf32>, tensor<4x4xf32>] {numbers = array<i64: 0>} -> tensor<4x4xf32>
  %2 = kiln.mul %0, %1 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// An update joins nothing that reads the variable after it: the read waits for the write.
// CHECK-LABEL: @read_after_write
// CHECK: kiln.fusion
// CHECK: kiln.var_write
// CHECK: kiln.var_read
// CHECK: kiln.fusion
kiln.variable @v index 0 : tensor<64xf32>
func.func @read_after_write(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = kiln.add %x, %x : tensor<64xf32>
  kiln.var_write @v, %0 : tensor<64xf32>
  %1 = kiln.var_read @v : tensor<64xf32>
  %2 = kiln.mul %1, %x : tensor<64xf32>
  return %2 : tensor<64xf32>
}

// Updates of different variables do join, although one is read after the other is written.
// CHECK-LABEL: @updates_of_two_variables
// CHECK-COUNT-1: kiln.fusion
// CHECK-NOT: kiln.fusion
kiln.variable @w index 1 : tensor<64xf32>
func.func @updates_of_two_variables(%x: tensor<64xf32>) {
  %0 = kiln.var_read @v : tensor<64xf32>
  %1 = kiln.add %0, %x : tensor<64xf32>
  kiln.var_write @v, %1 : tensor<64xf32>
  %2 = kiln.var_read @w : tensor<64xf32>
  %3 = kiln.sub %2, %1 : tensor<64xf32>
  kiln.var_write @w, %3 : tensor<64xf32>
  return
}

// A result is not stored inside a loop that it does not have: s0 may be 0.
// CHECK-LABEL: @result_without_the_loop
// CHECK-COUNT-2: kiln.fusion
// CHECK-NOT: kiln.fusion
func.func @result_without_the_loop(%x: tensor<3x4xf32>) -> (tensor<3xf32>, tensor<?x3x4xf32, #kiln.sym<0>>) {
  %0 = kiln.broadcast %x map [1, 2] : tensor<3x4xf32> -> tensor<?x3x4xf32, #kiln.sym<0>>
  %1 = kiln.reduce sum %x axes [1] : tensor<3x4xf32> -> tensor<3xf32>
  return %1, %0 : tensor<3xf32>, tensor<?x3x4xf32, #kiln.sym<0>>
}

// Splats of one shape are one kernel; a constant that is no splat has no loop nest, and a kernel of its own.
// CHECK-LABEL: @constants_of_one_shape
// CHECK: kiln.fusion
// CHECK-NEXT: kiln.constant dense<0.0
// CHECK-NEXT: kiln.constant dense<1.0
// CHECK-NEXT: kiln.yield
// CHECK: kiln.fusion
// CHECK-NEXT: kiln.constant dense<[1.0
// CHECK-NEXT: kiln.yield
func.func @constants_of_one_shape() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = kiln.constant dense<0.0> : tensor<f32> : tensor<2xf32>
  %1 = kiln.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %2 = kiln.constant dense<1.0> : tensor<f32> : tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// What nothing uses is no kernel.
// CHECK-LABEL: @dead
// CHECK-NOT: kiln.fusion
func.func @dead(%x: tensor<4x4xf32>) {
  %0 = kiln.matmul %x, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %1 = kiln.constant dense<1.0> : tensor<f32> : tensor<4x4xf32>
  return
}
