// Round trips of the ops on variables.
// RUN: kiln-opt %s | kiln-opt | FileCheck %s

// CHECK: kiln.variable @w index 0 : tensor<9x1xf32>
kiln.variable @w index 0 : tensor<9x1xf32>

// CHECK-LABEL: @update
func.func @update() -> tensor<i1> {
  // CHECK: %[[W:.*]] = kiln.var_read @w : tensor<9x1xf32>
  %w = kiln.var_read @w : tensor<9x1xf32>
  // CHECK: kiln.var_write @w, %[[W]] : tensor<9x1xf32>
  kiln.var_write @w, %w : tensor<9x1xf32>
  // CHECK: kiln.var_is_initialized @w : tensor<i1>
  %i = kiln.var_is_initialized @w : tensor<i1>
  return %i : tensor<i1>
}

// One that takes other shapes.
// CHECK: kiln.variable @open index 1 resized : tensor<?xf32, #kiln.sym<0>>
kiln.variable @open index 1 resized : tensor<?xf32, #kiln.sym<0>>

// CHECK-LABEL: @resize
func.func @resize(%x: tensor<4x?xf32, #kiln.sym<1>>) -> tensor<?xf32, #kiln.sym<0>> {
  // CHECK: %[[OLD:.*]] = kiln.var_read @open : tensor<?xf32, #kiln.sym<0>>
  %old = kiln.var_read @open : tensor<?xf32, #kiln.sym<0>>
  // CHECK: kiln.var_write @open, %{{.*}} : tensor<4x?xf32, {{.*}}>
  kiln.var_write @open, %x : tensor<4x?xf32, #kiln.sym<1>>
  return %old : tensor<?xf32, #kiln.sym<0>>
}
