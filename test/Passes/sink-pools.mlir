// An average of places goes behind the pointwise convolution that leaves fewer channels to average.
// RUN: kiln-opt %s --kiln-sink-pools | FileCheck %s --enable-var-scope

!x = tensor<?x5x8xf32, #kiln.sym<0>>
!n = tensor<?x5x8xi32, #kiln.sym<0>>
!y = tensor<?x5x3xf32, #kiln.sym<0>>

// CHECK-LABEL: @counted
// CHECK-SAME: (%[[X:[^:]*]]: tensor
func.func @counted(%x: !x, %s: tensor<3xf32>) -> !y {
  // CHECK-DAG: %[[W:.*]] = kiln.constant_ref 0
  // CHECK-DAG: %[[Z:.*]] = kiln.constant dense<0.{{.*}} : tensor<f32> : tensor<f32>
  %w = kiln.constant_ref 0 : tensor<1x8x3xf32>
  %z = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %three = kiln.constant dense<3> : tensor<i32> : !n
  // CHECK: %[[V:.*]] = kiln.convolve %[[X]], %[[W]] strides [1] dilations [1] : tensor<?x5x8xf32, #kiln.sym<0>>, tensor<1x8x3xf32> -> tensor<?x5x3xf32, #kiln.sym<0>>
  // CHECK: %[[A:.*]] = kiln.window %[[V]], %[[Z]] starts [0, -1, 0] strides [1, 1, 1] : tensor<?x5x3xf32, {{.*}} -> tensor<?x5x3xf32, #kiln.sym<0>>
  %a = kiln.window %x, %z starts [0, -1, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  // CHECK: %[[B:.*]] = kiln.window %[[V]], %[[Z]] starts [0, 0, 0]
  %b = kiln.window %x, %z starts [0, 0, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  // CHECK: %[[SUM:.*]] = kiln.add %[[A]], %[[B]] : tensor<?x5x3xf32
  %sum = kiln.add %a, %b : !x
  // CHECK: %[[PLACE:.*]] = kiln.iota {{.*}} axis 1 : tensor<i32> -> tensor<?x5x3xi32
  // CHECK: kiln.constant dense<3> : tensor<i32> : tensor<?x5x3xi32
  // CHECK: %[[LEFT:.*]] = kiln.min %[[PLACE]], {{.*}} : tensor<?x5x3xi32
  // CHECK: %[[COUNT:.*]] = kiln.cast %[[LEFT]] : tensor<?x5x3xi32{{.*}} -> tensor<?x5x3xf32
  %place = kiln.iota %zero, %one axis 1 : tensor<i32> -> !n
  %left = kiln.min %place, %three : !n
  %count = kiln.cast %left : !n -> !x
  // CHECK: %[[MEAN:.*]] = kiln.div %[[SUM]], %[[COUNT]]
  // CHECK-NOT: kiln.window
  // CHECK-NOT: kiln.convolve
  %mean = kiln.div %sum, %count : !x
  %y = kiln.convolve %mean, %w strides [1] dilations [1] : !x, tensor<1x8x3xf32> -> !y
  // CHECK: %[[SHIFT:.*]] = kiln.broadcast
  // CHECK: kiln.add %[[MEAN]], %[[SHIFT]]
  %shift = kiln.broadcast %s map [2] : tensor<3xf32> -> !y
  %r = kiln.add %y, %shift : !y
  return %r : !y
}

// Of a pool of a pool both.
// CHECK-LABEL: @twice
// CHECK-SAME: (%[[X:[^:]*]]: tensor
func.func @twice(%x: !x) -> !y {
  %w = kiln.constant_ref 0 : tensor<1x8x3xf32>
  %z = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
  // CHECK: %[[V:.*]] = kiln.convolve %[[X]]
  // CHECK: kiln.window %[[V]], {{.*}} starts [0, -1, 0]
  // CHECK: %[[FIRST:.*]] = kiln.add
  // CHECK: kiln.window %[[FIRST]], {{.*}} starts [0, 1, 0]
  // CHECK: %[[SECOND:.*]] = kiln.sub
  // CHECK-NEXT: return %[[SECOND]]
  %a = kiln.window %x, %z starts [0, -1, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %b = kiln.window %x, %z starts [0, 0, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %first = kiln.add %a, %b : !x
  %c = kiln.window %first, %z starts [0, 1, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %d = kiln.window %first, %z starts [0, 0, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %second = kiln.sub %c, %d : !x
  %y = kiln.convolve %second, %w strides [1] dilations [1] : !x, tensor<1x8x3xf32> -> !y
  return %y : !y
}

// Twin: there are no fewer channels behind the convolution.
// CHECK-LABEL: @as_many_channels
func.func @as_many_channels(%x: !x) -> !x {
  // CHECK: kiln.window
  // CHECK: kiln.convolve
  %w = kiln.constant_ref 0 : tensor<1x8x8xf32>
  %z = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
  %a = kiln.window %x, %z starts [0, -1, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %y = kiln.convolve %a, %w strides [1] dilations [1] : !x, tensor<1x8x8xf32> -> !x
  return %y : !x
}

// Twin: the weights are fed.
// CHECK-LABEL: @open_weights
func.func @open_weights(%x: !x, %w: tensor<1x8x3xf32>) -> !y {
  // CHECK: kiln.window
  // CHECK: kiln.convolve
  %z = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
  %a = kiln.window %x, %z starts [0, -1, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %y = kiln.convolve %a, %w strides [1] dilations [1] : !x, tensor<1x8x3xf32> -> !y
  return %y : !y
}

// Twin: the pool itself is needed.
// CHECK-LABEL: @used_twice
func.func @used_twice(%x: !x) -> (!x, !y) {
  // CHECK: kiln.window
  // CHECK: kiln.convolve
  %w = kiln.constant_ref 0 : tensor<1x8x3xf32>
  %z = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
  %a = kiln.window %x, %z starts [0, -1, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %y = kiln.convolve %a, %w strides [1] dilations [1] : !x, tensor<1x8x3xf32> -> !y
  return %a, %y : !x, !y
}

// Twin: what lies outside is not 0.
// CHECK-LABEL: @padded_by_one
func.func @padded_by_one(%x: !x) -> !y {
  // CHECK: kiln.window
  // CHECK: kiln.convolve
  %w = kiln.constant_ref 0 : tensor<1x8x3xf32>
  %one = kiln.constant dense<1.0> : tensor<f32> : tensor<f32>
  %a = kiln.window %x, %one starts [0, -1, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %y = kiln.convolve %a, %w strides [1] dilations [1] : !x, tensor<1x8x3xf32> -> !y
  return %y : !y
}

// Twin: a maximum is not linear.
// CHECK-LABEL: @maximum
func.func @maximum(%x: !x) -> !y {
  // CHECK: kiln.window
  // CHECK: kiln.max
  // CHECK: kiln.convolve
  %w = kiln.constant_ref 0 : tensor<1x8x3xf32>
  %z = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
  %a = kiln.window %x, %z starts [0, -1, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %b = kiln.window %x, %z starts [0, 0, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %m = kiln.max %a, %b : !x
  %y = kiln.convolve %m, %w strides [1] dilations [1] : !x, tensor<1x8x3xf32> -> !y
  return %y : !y
}

// Twin: a factor for each channel.
// CHECK-LABEL: @of_channels
func.func @of_channels(%x: !x, %s: tensor<8xf32>) -> !y {
  // CHECK: kiln.mul
  // CHECK: kiln.convolve
  %w = kiln.constant_ref 0 : tensor<1x8x3xf32>
  %z = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
  %a = kiln.window %x, %z starts [0, -1, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %b = kiln.broadcast %s map [2] : tensor<8xf32> -> !x
  %m = kiln.mul %a, %b : !x
  %y = kiln.convolve %m, %w strides [1] dilations [1] : !x, tensor<1x8x3xf32> -> !y
  return %y : !y
}

// Twin: sums of two images.
// CHECK-LABEL: @two_images
func.func @two_images(%x: !x, %t: !x) -> !y {
  // CHECK: kiln.add
  // CHECK: kiln.convolve
  %w = kiln.constant_ref 0 : tensor<1x8x3xf32>
  %z = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
  %a = kiln.window %x, %z starts [0, -1, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %b = kiln.window %t, %z starts [0, 0, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %m = kiln.add %a, %b : !x
  %y = kiln.convolve %m, %w strides [1] dilations [1] : !x, tensor<1x8x3xf32> -> !y
  return %y : !y
}

// Twin: the windows are of more than one element.
// CHECK-LABEL: @wide_windows
func.func @wide_windows(%x: !x) -> tensor<?x4x3xf32, #kiln.sym<0>> {
  // CHECK: kiln.window
  // CHECK: kiln.convolve
  %w = kiln.constant_ref 0 : tensor<2x8x3xf32>
  %z = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
  %a = kiln.window %x, %z starts [0, -1, 0] strides [1, 1, 1] : !x, tensor<f32> -> !x
  %y = kiln.convolve %a, %w strides [1] dilations [1] : !x, tensor<2x8x3xf32> -> tensor<?x4x3xf32, #kiln.sym<0>>
  return %y : tensor<?x4x3xf32, #kiln.sym<0>>
}

// Twin: the convolution of all of the image would be the larger one.
// CHECK-LABEL: @fewer_places
func.func @fewer_places(%x: tensor<?x9x8xf32, #kiln.sym<0>>) -> !y {
  // CHECK: kiln.slice
  // CHECK: kiln.convolve
  %w = kiln.constant_ref 0 : tensor<1x8x3xf32>
  %a = kiln.slice %x starts [0, 0, 0] strides [1, 2, 1] : tensor<?x9x8xf32, #kiln.sym<0>> -> !x
  %b = kiln.slice %x starts [0, 1, 0] strides [1, 1, 1] : tensor<?x9x8xf32, #kiln.sym<0>> -> !x
  %m = kiln.add %a, %b : !x
  %y = kiln.convolve %m, %w strides [1] dilations [1] : !x, tensor<1x8x3xf32> -> !y
  return %y : !y
}

// Twin: integers, whose quotients round.
// CHECK-LABEL: @integers
func.func @integers(%x: !n) -> tensor<?x5x3xi32, #kiln.sym<0>> {
  // CHECK: kiln.window
  // CHECK: kiln.convolve
  %w = kiln.constant_ref 0 : tensor<1x8x3xi32>
  %z = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %a = kiln.window %x, %z starts [0, -1, 0] strides [1, 1, 1] : !n, tensor<i32> -> !n
  %y = kiln.convolve %a, %w strides [1] dilations [1] : !n, tensor<1x8x3xi32> -> tensor<?x5x3xi32, #kiln.sym<0>>
  return %y : tensor<?x5x3xi32, #kiln.sym<0>>
}
