// Algebra on single elements, each rule with a twin where it would change bits.
// RUN: kiln-opt %s --kiln-simplify | FileCheck %s

!v = tensor<?xf32, #kiln.sym<0>>
!i = tensor<4xi32>

// CHECK-LABEL: @neg_of_neg
// CHECK-SAME: (%[[X:[^:]*]]: tensor
func.func @neg_of_neg(%x: !v) -> !v {
  %0 = kiln.neg %x : !v
  %1 = kiln.neg %0 : !v
  // CHECK: return %[[X]]
  return %1 : !v
}

// -0 is the neutral element of a float sum.
// CHECK-LABEL: @add_negative_zero
// CHECK-SAME: (%[[X:[^:]*]]: tensor
func.func @add_negative_zero(%x: !v) -> !v {
  %zero = kiln.constant dense<-0.0> : tensor<f32> : !v
  %0 = kiln.add %x, %zero : !v
  // CHECK: return %[[X]]
  return %0 : !v
}

// Twin: -0 + 0 = 0.
// CHECK-LABEL: @add_zero
func.func @add_zero(%x: !v) -> !v {
  %zero = kiln.constant dense<0.0> : tensor<f32> : !v
  // CHECK: kiln.add
  %0 = kiln.add %x, %zero : !v
  return %0 : !v
}

// CHECK-LABEL: @add_integer_zero
// CHECK-SAME: (%[[X:[^:]*]]: tensor
func.func @add_integer_zero(%x: !i) -> !i {
  %zero = kiln.constant dense<0> : tensor<i32> : !i
  %0 = kiln.add %zero, %x : !i
  // CHECK: return %[[X]]
  return %0 : !i
}

// CHECK-LABEL: @sub_zero
// CHECK-SAME: (%[[X:[^:]*]]: tensor
func.func @sub_zero(%x: !v) -> !v {
  %zero = kiln.constant dense<0.0> : tensor<f32> : !v
  %0 = kiln.sub %x, %zero : !v
  // CHECK: return %[[X]]
  return %0 : !v
}

// A sum with a negated value is a difference.
// CHECK-LABEL: @add_of_neg
// CHECK-SAME: (%[[X:[^:]*]]: tensor{{.*}}, %[[Y:[^:]*]]: tensor
func.func @add_of_neg(%x: !v, %y: !v) -> !v {
  %0 = kiln.neg %y : !v
  // CHECK: kiln.sub %[[X]], %[[Y]]
  %1 = kiln.add %0, %x : !v
  return %1 : !v
}

// Twin: -(x - x) = -0.
// CHECK-LABEL: @neg_of_sub
func.func @neg_of_sub(%x: !v, %y: !v) -> !v {
  // CHECK: kiln.sub
  %0 = kiln.sub %x, %y : !v
  // CHECK: kiln.neg
  %1 = kiln.neg %0 : !v
  return %1 : !v
}

// CHECK-LABEL: @sub_itself
func.func @sub_itself(%x: !i, %y: !v) -> (!i, !v) {
  // CHECK: %[[ZERO:.*]] = kiln.constant dense<0> : tensor<i32> : tensor<4xi32>
  %0 = kiln.sub %x, %x : !i
  // Twin: an infinity gives NaN.
  // CHECK: %[[Y:.*]] = kiln.sub
  %1 = kiln.sub %y, %y : !v
  // CHECK: return %[[ZERO]], %[[Y]]
  return %0, %1 : !i, !v
}

// CHECK-LABEL: @mul_one
// CHECK-SAME: (%[[X:[^:]*]]: tensor
func.func @mul_one(%x: !v) -> !v {
  %one = kiln.constant dense<1.0> : tensor<f32> : !v
  %0 = kiln.mul %one, %x : !v
  %1 = kiln.div %0, %one : !v
  // CHECK: return %[[X]]
  return %1 : !v
}

// Twin: 0 * NaN is NaN.
// CHECK-LABEL: @mul_zero
func.func @mul_zero(%x: !v) -> !v {
  %zero = kiln.constant dense<0.0> : tensor<f32> : !v
  // CHECK: kiln.mul
  %0 = kiln.mul %x, %zero : !v
  return %0 : !v
}

// CHECK-LABEL: @mul_of_neg
// CHECK-SAME: (%[[X:[^:]*]]: tensor
func.func @mul_of_neg(%x: !v) -> !v {
  %half = kiln.constant dense<0.5> : tensor<f32> : !v
  %0 = kiln.neg %x : !v
  // CHECK: %[[HALF:.*]] = kiln.constant dense<-5.000000e-01>
  // CHECK: kiln.mul %[[X]], %[[HALF]]
  %1 = kiln.mul %0, %half : !v
  return %1 : !v
}

// The inverse of a power of two is exact.
// CHECK-LABEL: @div_by_eight
// CHECK-SAME: (%[[X:[^:]*]]: tensor
func.func @div_by_eight(%x: !v) -> !v {
  %eight = kiln.constant dense<8.0> : tensor<f32> : !v
  // CHECK: %[[EIGHTH:.*]] = kiln.constant dense<1.250000e-01>
  // CHECK: kiln.mul %[[X]], %[[EIGHTH]]
  %0 = kiln.div %x, %eight : !v
  return %0 : !v
}

// Twin: that of 3 is not.
// CHECK-LABEL: @div_by_three
func.func @div_by_three(%x: !v) -> !v {
  %three = kiln.constant dense<3.0> : tensor<f32> : !v
  // CHECK: kiln.div
  %0 = kiln.div %x, %three : !v
  return %0 : !v
}

// CHECK-LABEL: @integer_remainders
func.func @integer_remainders(%x: !i) -> (!i, !i) {
  %one = kiln.constant dense<1> : tensor<i32> : !i
  // CHECK: %[[ZERO:.*]] = kiln.constant dense<0>
  %0 = kiln.floor_mod %x, %one : !i
  %1 = kiln.rem %x, %one : !i
  // CHECK: return %[[ZERO]], %[[ZERO]]
  return %0, %1 : !i, !i
}

// Widening to f32 and back is nothing; rounding to bf16 and back is not.
// CHECK-LABEL: @cast_of_bf16
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4xbf16>, %[[Y:[^:]*]]: tensor
func.func @cast_of_bf16(%x: tensor<4xbf16>, %y: tensor<4xf32>) -> (tensor<4xbf16>, tensor<4xf32>) {
  %0 = kiln.cast %x : tensor<4xbf16> -> tensor<4xf32>
  %1 = kiln.cast %0 : tensor<4xf32> -> tensor<4xbf16>
  // CHECK: %[[N:.*]] = kiln.cast %[[Y]]
  %2 = kiln.cast %y : tensor<4xf32> -> tensor<4xbf16>
  // CHECK: %[[W:.*]] = kiln.cast %[[N]]
  %3 = kiln.cast %2 : tensor<4xbf16> -> tensor<4xf32>
  // CHECK: return %[[X]], %[[W]]
  return %1, %3 : tensor<4xbf16>, tensor<4xf32>
}

// ui32 does not go through f64: what is beyond i32 would wrap, not saturate.
// CHECK-LABEL: @cast_of_ui32
func.func @cast_of_ui32(%x: tensor<4xui32>, %y: tensor<4xui16>) -> (tensor<4xi32>, tensor<4xi32>) {
  // CHECK: kiln.cast %{{.*}} : tensor<4xui32> -> tensor<4xf64>
  %0 = kiln.cast %x : tensor<4xui32> -> tensor<4xf64>
  %1 = kiln.cast %0 : tensor<4xf64> -> tensor<4xi32>
  // CHECK: kiln.cast %{{.*}} : tensor<4xui16> -> tensor<4xi32>
  %2 = kiln.cast %y : tensor<4xui16> -> tensor<4xf64>
  %3 = kiln.cast %2 : tensor<4xf64> -> tensor<4xi32>
  return %1, %3 : tensor<4xi32>, tensor<4xi32>
}

// All bits are the neutral element of `and` on bool alone.
// CHECK-LABEL: @and_of_integers
func.func @and_of_integers(%x: !i) -> !i {
  %one = kiln.constant dense<1> : tensor<i32> : !i
  // CHECK: kiln.and
  %0 = kiln.and %x, %one : !i
  return %0 : !i
}
