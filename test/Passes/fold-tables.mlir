// What depends on constants of the table alone is computed by the evaluator, and joins them.
// RUN: kiln-opt %s --split-input-file --test-kiln-fold-tables | FileCheck %s

// CHECK: kiln.constants = [dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>,
// CHECK-SAME: dense<[2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<3xf32>,
// CHECK-SAME: dense<[-2.000000e+00, -6.000000e+00, -1.200000e+01]> : tensor<3xf32>]
module attributes {kiln.constants = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>, dense<[2.0, 3.0, 4.0]> : tensor<3xf32>]} {
  // Only the last of several steps is a constant of its own.
  // CHECK-LABEL: @several_steps
  func.func @several_steps(%x: tensor<3xf32>) -> tensor<3xf32> {
    // CHECK: %[[V:.*]] = kiln.constant_ref 2 : tensor<3xf32>
    // CHECK-NEXT: %[[R:.*]] = kiln.add %{{.*}}, %[[V]]
    // CHECK-NEXT: return %[[R]]
    %w = kiln.constant_ref 0 : tensor<3xf32>
    %s = kiln.constant_ref 1 : tensor<3xf32>
    %p = kiln.mul %w, %s : tensor<3xf32>
    %v = kiln.neg %p : tensor<3xf32>
    %r = kiln.add %x, %v : tensor<3xf32>
    return %r : tensor<3xf32>
  }
}

// -----

// CHECK: kiln.constants = [dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>]
module attributes {kiln.constants = [dense<[1.0, 2.0]> : tensor<2xf32>]} {
  // A view costs a run nothing: a nest reads through it.
  // CHECK-LABEL: @view
  func.func @view(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
    // CHECK: %[[W:.*]] = kiln.constant_ref 0
    // CHECK: kiln.broadcast %[[W]]
    %w = kiln.constant_ref 0 : tensor<2xf32>
    %b = kiln.broadcast %w map [1] : tensor<2xf32> -> tensor<4x2xf32>
    %r = kiln.add %x, %b : tensor<4x2xf32>
    return %r : tensor<4x2xf32>
  }
}

// -----

// CHECK: kiln.constants = [dense<{{[^>]*}}> : tensor<2x2xf32>]
module attributes {kiln.constants = [dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>]} {
  // A contraction is the work that code is made for.
  // CHECK-LABEL: @contraction
  func.func @contraction() -> tensor<2x2xf32> {
    // CHECK: kiln.matmul
    %w = kiln.constant_ref 0 : tensor<2x2xf32>
    %r = kiln.matmul %w, %w : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
    return %r : tensor<2x2xf32>
  }
}

// -----

// CHECK: kiln.constants = [dense<[1, 2]> : tensor<2xi32>, dense<[1, 0]> : tensor<2xi32>]
module attributes {kiln.constants = [dense<[1, 2]> : tensor<2xi32>, dense<[1, 0]> : tensor<2xi32>]} {
  // A division by zero is the run's error, and no constant.
  // CHECK-LABEL: @what_would_fail
  func.func @what_would_fail() -> tensor<2xi32> {
    // CHECK: kiln.div
    %a = kiln.constant_ref 0 : tensor<2xi32>
    %b = kiln.constant_ref 1 : tensor<2xi32>
    %r = kiln.div %a, %b : tensor<2xi32>
    return %r : tensor<2xi32>
  }
}

// -----

// CHECK: kiln.constants = [dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>]
module attributes {kiln.constants = [dense<[1.0, 2.0]> : tensor<2xf32>]} {
  // What is much larger than what it is made of stays code: reading it would take longer.
  // CHECK-LABEL: @larger_than_its_parts
  func.func @larger_than_its_parts() -> tensor<2000x2xf32> {
    // CHECK: kiln.exp
    %w = kiln.constant_ref 0 : tensor<2xf32>
    %b = kiln.broadcast %w map [1] : tensor<2xf32> -> tensor<2000x2xf32>
    %r = kiln.exp %b : tensor<2000x2xf32>
    return %r : tensor<2000x2xf32>
  }
}

// -----

// CHECK: kiln.constants = [dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>]
module attributes {kiln.constants = [dense<[1.0, 2.0]> : tensor<2xf32>]} {
  // CHECK-LABEL: @of_a_feed
  func.func @of_a_feed(%x: tensor<2xf32>) -> tensor<2xf32> {
    // CHECK: kiln.mul
    %w = kiln.constant_ref 0 : tensor<2xf32>
    %r = kiln.mul %x, %w : tensor<2xf32>
    return %r : tensor<2xf32>
  }
}
