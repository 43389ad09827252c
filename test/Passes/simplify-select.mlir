// Choices, bools and casts.
// RUN: kiln-opt %s --kiln-simplify | FileCheck %s

!v = tensor<?xf32, #kiln.sym<0>>
!b = tensor<?xi1, #kiln.sym<0>>

// CHECK-LABEL: @constant_condition
// CHECK-SAME: (%[[X:[^:]*]]: tensor{{.*}}, %[[Y:[^:]*]]: tensor
func.func @constant_condition(%x: !v, %y: !v) -> (!v, !v) {
  %true = kiln.constant dense<true> : tensor<i1> : !b
  %false = kiln.constant dense<false> : tensor<i1> : !b
  %0 = kiln.select %true, %x, %y : !b, !v
  %1 = kiln.select %false, %x, %y : !b, !v
  // CHECK: return %[[X]], %[[Y]]
  return %0, %1 : !v, !v
}

// Merging duplicates makes the arms equal.
// CHECK-LABEL: @equal_arms
func.func @equal_arms(%c: !b, %x: !v) -> !v {
  // CHECK: %[[E:.*]] = kiln.exp
  %0 = kiln.exp %x : !v
  %1 = kiln.exp %x : !v
  %2 = kiln.select %c, %0, %1 : !b, !v
  // CHECK-NEXT: return %[[E]]
  return %2 : !v
}

// CHECK-LABEL: @negated_condition
// CHECK-SAME: (%[[C:[^:]*]]: tensor{{.*}}, %[[X:[^:]*]]: tensor{{.*}}, %[[Y:[^:]*]]: tensor
func.func @negated_condition(%c: !b, %x: !v, %y: !v) -> !v {
  %0 = kiln.not %c : !b
  // CHECK: kiln.select %[[C]], %[[Y]], %[[X]]
  %1 = kiln.select %0, %x, %y : !b, !v
  return %1 : !v
}

// CHECK-LABEL: @select_of_bools
// CHECK-SAME: (%[[C:[^:]*]]: tensor
func.func @select_of_bools(%c: !b) -> (!b, !b) {
  %true = kiln.constant dense<true> : tensor<i1> : !b
  %false = kiln.constant dense<false> : tensor<i1> : !b
  %0 = kiln.select %c, %true, %false : !b, !b
  // CHECK: %[[N:.*]] = kiln.not %[[C]]
  %1 = kiln.select %c, %false, %true : !b, !b
  // CHECK: return %[[C]], %[[N]]
  return %0, %1 : !b, !b
}

// CHECK-LABEL: @not_of_compare
func.func @not_of_compare(%x: !v, %y: !v) -> (!b, !b) {
  %0 = kiln.compare eq %x, %y : !v -> !b
  // CHECK: kiln.compare ne
  %1 = kiln.not %0 : !b
  // Twin: with a NaN neither < nor >= holds.
  // CHECK: kiln.compare lt
  %2 = kiln.compare lt %x, %y : !v -> !b
  // CHECK: kiln.not
  %3 = kiln.not %2 : !b
  return %1, %3 : !b, !b
}

// CHECK-LABEL: @logical
// CHECK-SAME: (%[[C:[^:]*]]: tensor
func.func @logical(%c: !b) -> (!b, !b) {
  %true = kiln.constant dense<true> : tensor<i1> : !b
  // CHECK: %[[TRUE:.*]] = kiln.constant dense<true>
  %0 = kiln.and %true, %c : !b
  %1 = kiln.or %c, %true : !b
  // CHECK: return %[[C]], %[[TRUE]]
  return %0, %1 : !b, !b
}

// What a cast loses nothing of, the next one can start from.
// CHECK-LABEL: @casts
// CHECK-SAME: (%[[X:[^:]*]]: tensor{{.*}}, %[[I:[^:]*]]: tensor
func.func @casts(%x: !v, %i: tensor<i32>) -> (!v, tensor<f32>) {
  %0 = kiln.cast %x : !v -> tensor<?xf64, #kiln.sym<0>>
  %1 = kiln.cast %0 : tensor<?xf64, #kiln.sym<0>> -> !v
  %2 = kiln.cast %i : tensor<i32> -> tensor<f64>
  // CHECK: %[[F:.*]] = kiln.cast %[[I]] : tensor<i32> -> tensor<f32>
  %3 = kiln.cast %2 : tensor<f64> -> tensor<f32>
  // CHECK: return %[[X]], %[[F]]
  return %1, %3 : !v, tensor<f32>
}

// Twin: f64 to f32 and i32 to f32 round.
// CHECK-LABEL: @rounding_casts
func.func @rounding_casts(%x: tensor<f64>, %i: tensor<i32>) -> (tensor<f64>, tensor<i32>) {
  // CHECK-COUNT-4: kiln.cast
  %0 = kiln.cast %x : tensor<f64> -> tensor<f32>
  %1 = kiln.cast %0 : tensor<f32> -> tensor<f64>
  %2 = kiln.cast %i : tensor<i32> -> tensor<f32>
  %3 = kiln.cast %2 : tensor<f32> -> tensor<i32>
  return %1, %3 : tensor<f64>, tensor<i32>
}
