// Sizes that a run finds out.
// RUN: kiln-opt %s | kiln-opt | FileCheck %s --enable-var-scope

// CHECK-LABEL: @sizes
func.func @sizes(%x: tensor<9xf32>, %b: memref<?xi64>, %n: i64) {
  // CHECK: %{{.*}} = kiln.runtime_call "Where" ins(%{{.*}} : tensor<9xf32>) types [tensor<9xf32>, tensor<?x1xi64, #kiln.sym<7>>] {binds = array<i64: 7>} -> tensor<?x1xi64, #kiln.sym<7>>
  %w = kiln.runtime_call "Where" ins(%x : tensor<9xf32>) types [tensor<9xf32>, tensor<?x1xi64, #kiln.sym<7>>] {binds = array<i64: 7>} -> tensor<?x1xi64, #kiln.sym<7>>
  // CHECK: kiln.define 8 mul [s7, 4]
  kiln.define 8 mul [s7, 4]
  // CHECK: kiln.define 9 floor_div [s8, s7]
  kiln.define 9 floor_div [s8, s7]
  // CHECK: kiln.guard 0 equal [s7, s8]
  kiln.guard 0 equal [s7, s8]
  // CHECK: kiln.guard 1 non_negative [s8, 0]
  kiln.guard 1 non_negative [s8, 0]
  // CHECK: %{{.*}}:2 = kiln.bind [5](%{{.*}}, %{{.*}} : tensor<9xf32>, tensor<?x1xi64, #kiln.sym<7>>) -> tensor<?xf32, #kiln.sym<5>>, tensor<?x1xi64, #kiln.sym<7>>
  %y:2 = kiln.bind [5] (%x, %w : tensor<9xf32>, tensor<?x1xi64, #kiln.sym<7>>) -> tensor<?xf32, #kiln.sym<5>>, tensor<?x1xi64, #kiln.sym<7>>
  // CHECK: kiln.symbol 8 late
  %s = kiln.symbol 8 late
  // CHECK: kiln.mark_tail
  %m = kiln.mark_tail
  // CHECK: kiln.release_tail
  kiln.release_tail %m
  // CHECK: kiln.set_symbol 8, %{{.*}}
  kiln.set_symbol 8, %n
  // CHECK: kiln.allocate temporary 3 : tensor<?x4xf32, #kiln.sym<7>>
  kiln.allocate temporary 3 : tensor<?x4xf32, #kiln.sym<7>>
  // CHECK: kiln.allocate temporary 3 kept : tensor<?x4xf32, #kiln.sym<7>>
  kiln.allocate temporary 3 kept : tensor<?x4xf32, #kiln.sym<7>>
  // CHECK: kiln.allocate temporary 4 optional : tensor<?x4xf32, #kiln.sym<7>>
  kiln.allocate temporary 4 optional : tensor<?x4xf32, #kiln.sym<7>>
  // CHECK: kiln.buffer temporary 3 late : memref<?xf32>
  %t = kiln.buffer temporary 3 late : memref<?xf32>
  return
}
