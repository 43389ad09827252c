// What a normalization does to the channels of a product becomes part of its constant weights.
// RUN: kiln-opt %s --kiln-fold-scales | FileCheck %s

!x = tensor<?x9x9x3xf32, #kiln.sym<0>>
!y = tensor<?x7x7x8xf32, #kiln.sym<0>>
!s = tensor<?x9x9x8xf32, #kiln.sym<0>>

// CHECK-LABEL: @normalized
// CHECK-SAME: (%[[X:[^:]*]]: tensor
func.func @normalized(%x: !x) -> !y {
  // CHECK-DAG: %[[W:.*]] = kiln.constant_ref 0
  // CHECK-DAG: %[[S:.*]] = kiln.constant_ref 1
  // CHECK-DAG: %[[B:.*]] = kiln.constant_ref 2
  %w = kiln.constant_ref 0 : tensor<3x3x3x8xf32>
  %s = kiln.constant_ref 1 : tensor<8xf32>
  %b = kiln.constant_ref 2 : tensor<8xf32>
  // CHECK: %[[SPREAD:.*]] = kiln.broadcast %[[S]] map [3] : tensor<8xf32> -> tensor<3x3x3x8xf32>
  // CHECK: %[[SCALED:.*]] = kiln.mul %[[W]], %[[SPREAD]]
  // CHECK: %[[Y:.*]] = kiln.convolve %[[X]], %[[SCALED]]
  %y = kiln.convolve %x, %w strides [1, 1] dilations [1, 1] : !x, tensor<3x3x3x8xf32> -> !y
  %sb = kiln.broadcast %s map [3] : tensor<8xf32> -> !y
  %scaled = kiln.mul %y, %sb : !y
  // CHECK: %[[SHIFT:.*]] = kiln.broadcast %[[B]] map [3]
  %bb = kiln.broadcast %b map [3] : tensor<8xf32> -> !y
  // CHECK: kiln.add %[[Y]], %[[SHIFT]]
  // CHECK-NOT: kiln.mul
  %r = kiln.add %scaled, %bb : !y
  return %r : !y
}

// A bias before the normalization is scaled with the product, and joins the shift behind it.
// CHECK-LABEL: @biased
func.func @biased(%x: !x) -> !y {
  %w = kiln.constant_ref 0 : tensor<3x3x3x8xf32>
  // CHECK-DAG: %[[S:.*]] = kiln.constant_ref 1
  // CHECK-DAG: %[[A:.*]] = kiln.constant_ref 2
  // CHECK-DAG: %[[B:.*]] = kiln.constant_ref 3
  %s = kiln.constant_ref 1 : tensor<8xf32>
  %a = kiln.constant_ref 2 : tensor<8xf32>
  %b = kiln.constant_ref 3 : tensor<8xf32>
  %y = kiln.convolve %x, %w strides [1, 1] dilations [1, 1] : !x, tensor<3x3x3x8xf32> -> !y
  %ab = kiln.broadcast %a map [3] : tensor<8xf32> -> !y
  %biased = kiln.add %y, %ab : !y
  %sb = kiln.broadcast %s map [3] : tensor<8xf32> -> !y
  // CHECK: %[[SCALEDBIAS:.*]] = kiln.mul %[[A]], %[[S]]
  %scaled = kiln.mul %biased, %sb : !y
  %bb = kiln.broadcast %b map [3] : tensor<8xf32> -> !y
  // CHECK: %[[SUM:.*]] = kiln.sub %[[SCALEDBIAS]], %[[B]]
  // CHECK: %[[SHIFT:.*]] = kiln.broadcast %[[SUM]] map [3]
  // CHECK: %[[R:.*]] = kiln.add %{{.*}}, %[[SHIFT]]
  // CHECK-NEXT: return %[[R]]
  %r = kiln.sub %scaled, %bb : !y
  return %r : !y
}

// A depthwise convolution of two elements: slices of the scaled weights.
// CHECK-LABEL: @depthwise
func.func @depthwise(%x: !s, %z: !s) -> !s {
  // CHECK-DAG: %[[W:.*]] = kiln.constant_ref 0
  // CHECK-DAG: %[[S:.*]] = kiln.constant_ref 1
  %w = kiln.constant_ref 0 : tensor<1x2x8x1xf32>
  %s = kiln.constant_ref 1 : tensor<8xf32>
  // CHECK: %[[MATRIX:.*]] = kiln.reshape %[[S]] : tensor<8xf32> -> tensor<8x1xf32>
  // CHECK: %[[SPREAD:.*]] = kiln.broadcast %[[MATRIX]] map [2, 3]
  // CHECK: %[[SCALED:.*]] = kiln.mul %[[W]], %[[SPREAD]]
  // CHECK: kiln.slice %[[SCALED]] starts [0, 0, 0, 0]
  // CHECK: kiln.slice %[[SCALED]] starts [0, 1, 0, 0]
  %w0 = kiln.slice %w starts [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x2x8x1xf32> -> tensor<1x1x8x1xf32>
  %r0 = kiln.reshape %w0 : tensor<1x1x8x1xf32> -> tensor<8xf32>
  %b0 = kiln.broadcast %r0 map [3] : tensor<8xf32> -> !s
  %t0 = kiln.mul %x, %b0 : !s
  %w1 = kiln.slice %w starts [0, 1, 0, 0] strides [1, 1, 1, 1] : tensor<1x2x8x1xf32> -> tensor<1x1x8x1xf32>
  %r1 = kiln.reshape %w1 : tensor<1x1x8x1xf32> -> tensor<8xf32>
  %b1 = kiln.broadcast %r1 map [3] : tensor<8xf32> -> !s
  %t1 = kiln.mul %z, %b1 : !s
  // CHECK: %[[SUM:.*]] = kiln.add
  // CHECK-NEXT: return %[[SUM]]
  %sum = kiln.add %t0, %t1 : !s
  %sb = kiln.broadcast %s map [3] : tensor<8xf32> -> !s
  %r = kiln.mul %sum, %sb : !s
  return %r : !s
}

// CHECK-LABEL: @dense
func.func @dense(%x: tensor<?x5xf32, #kiln.sym<0>>) -> tensor<?x8xf32, #kiln.sym<0>> {
  // CHECK-DAG: %[[S:.*]] = kiln.constant_ref 1
  %w = kiln.constant_ref 0 : tensor<8x5xf32>
  %s = kiln.constant_ref 1 : tensor<8xf32>
  // CHECK: kiln.broadcast %[[RECIPROCAL:.*]] map [0] : tensor<8xf32> -> tensor<8x5xf32>
  %y = kiln.matmul %x, %w transposed : tensor<?x5xf32, #kiln.sym<0>>, tensor<8x5xf32> -> tensor<?x8xf32, #kiln.sym<0>>
  %sb = kiln.broadcast %s map [1] : tensor<8xf32> -> tensor<?x8xf32, #kiln.sym<0>>
  // CHECK: %[[Y:.*]] = kiln.matmul
  // CHECK-NEXT: return %[[Y]]
  %r = kiln.div %y, %sb : tensor<?x8xf32, #kiln.sym<0>>
  return %r : tensor<?x8xf32, #kiln.sym<0>>
}

// Twin: the product itself is needed.
// CHECK-LABEL: @used_twice
func.func @used_twice(%x: !x) -> (!y, !y) {
  %w = kiln.constant_ref 0 : tensor<3x3x3x8xf32>
  %s = kiln.constant_ref 1 : tensor<8xf32>
  // CHECK: %[[Y:.*]] = kiln.convolve
  %y = kiln.convolve %x, %w strides [1, 1] dilations [1, 1] : !x, tensor<3x3x3x8xf32> -> !y
  %sb = kiln.broadcast %s map [3] : tensor<8xf32> -> !y
  // CHECK: kiln.mul %[[Y]]
  %r = kiln.mul %y, %sb : !y
  return %y, %r : !y, !y
}

// Twin: the weights are fed.
// CHECK-LABEL: @open_weights
func.func @open_weights(%x: !x, %w: tensor<3x3x3x8xf32>) -> !y {
  %s = kiln.constant_ref 1 : tensor<8xf32>
  // CHECK: %[[Y:.*]] = kiln.convolve
  %y = kiln.convolve %x, %w strides [1, 1] dilations [1, 1] : !x, tensor<3x3x3x8xf32> -> !y
  %sb = kiln.broadcast %s map [3] : tensor<8xf32> -> !y
  // CHECK: kiln.mul %[[Y]]
  %r = kiln.mul %y, %sb : !y
  return %r : !y
}

// Twin: the scale is fed.
// CHECK-LABEL: @open_scale
func.func @open_scale(%x: !x, %s: tensor<8xf32>) -> !y {
  %w = kiln.constant_ref 0 : tensor<3x3x3x8xf32>
  // CHECK: %[[Y:.*]] = kiln.convolve
  %y = kiln.convolve %x, %w strides [1, 1] dilations [1, 1] : !x, tensor<3x3x3x8xf32> -> !y
  %sb = kiln.broadcast %s map [3] : tensor<8xf32> -> !y
  // CHECK: kiln.mul %[[Y]]
  %r = kiln.mul %y, %sb : !y
  return %r : !y
}

// Twin: one factor a column of places, not a channel.
// CHECK-LABEL: @of_places
func.func @of_places(%x: !x) -> !y {
  %w = kiln.constant_ref 0 : tensor<3x3x3x8xf32>
  %s = kiln.constant_ref 1 : tensor<7xf32>
  // CHECK: %[[Y:.*]] = kiln.convolve
  %y = kiln.convolve %x, %w strides [1, 1] dilations [1, 1] : !x, tensor<3x3x3x8xf32> -> !y
  %sb = kiln.broadcast %s map [2] : tensor<7xf32> -> !y
  // CHECK: kiln.mul %[[Y]]
  %r = kiln.mul %y, %sb : !y
  return %r : !y
}

// Twin: relu(x) * s is not relu(x * s) for a negative s.
// CHECK-LABEL: @behind_relu
func.func @behind_relu(%x: !x) -> !y {
  %w = kiln.constant_ref 0 : tensor<3x3x3x8xf32>
  %s = kiln.constant_ref 1 : tensor<8xf32>
  %zero = kiln.constant dense<0.0> : tensor<f32> : !y
  %y = kiln.convolve %x, %w strides [1, 1] dilations [1, 1] : !x, tensor<3x3x3x8xf32> -> !y
  // CHECK: %[[RELU:.*]] = kiln.max
  %relu = kiln.max %y, %zero : !y
  %sb = kiln.broadcast %s map [3] : tensor<8xf32> -> !y
  // CHECK: kiln.mul %[[RELU]]
  %r = kiln.mul %relu, %sb : !y
  return %r : !y
}

// Twin: integers wrap in the product, and would wrap elsewhere.
// CHECK-LABEL: @integers
func.func @integers(%x: tensor<4x5xi32>) -> tensor<4x8xi32> {
  %w = kiln.constant_ref 0 : tensor<5x8xi32>
  %s = kiln.constant_ref 1 : tensor<8xi32>
  // CHECK: %[[Y:.*]] = kiln.matmul
  %y = kiln.matmul %x, %w : tensor<4x5xi32>, tensor<5x8xi32> -> tensor<4x8xi32>
  %sb = kiln.broadcast %s map [1] : tensor<8xi32> -> tensor<4x8xi32>
  // CHECK: kiln.mul %[[Y]]
  %r = kiln.mul %y, %sb : tensor<4x8xi32>
  return %r : tensor<4x8xi32>
}

// Twin: two constants that follow nothing but a sum of what is fed keep their bits.
// CHECK-LABEL: @no_product
func.func @no_product(%x: !y) -> !y {
  %a = kiln.constant_ref 0 : tensor<8xf32>
  %b = kiln.constant_ref 1 : tensor<8xf32>
  %ab = kiln.broadcast %a map [3] : tensor<8xf32> -> !y
  %bb = kiln.broadcast %b map [3] : tensor<8xf32> -> !y
  // CHECK: %[[FIRST:.*]] = kiln.add
  // CHECK: kiln.add %[[FIRST]]
  %0 = kiln.add %x, %ab : !y
  %1 = kiln.add %0, %bb : !y
  return %1 : !y
}
