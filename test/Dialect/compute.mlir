// Round trips of reductions, contractions and random generators.
// RUN: kiln-opt %s | kiln-opt | FileCheck %s

!m = tensor<?x9xf32, #kiln.sym<0>>

// CHECK-LABEL: @reductions
func.func @reductions(%x: !m, %b: tensor<4xi1>) {
  // CHECK: kiln.reduce sum %{{.*}} axes [0] : tensor<?x9xf32, #kiln.sym<0>> -> tensor<9xf32>
  %0 = kiln.reduce sum %x axes [0] : !m -> tensor<9xf32>
  // CHECK: kiln.reduce prod %{{.*}} axes [0, 1] : tensor<?x9xf32, #kiln.sym<0>> -> tensor<f32>
  %1 = kiln.reduce prod %x axes [0, 1] : !m -> tensor<f32>
  // CHECK: kiln.reduce max
  %2 = kiln.reduce max %x axes [0] : !m -> tensor<9xf32>
  // CHECK: kiln.reduce min
  %3 = kiln.reduce min %x axes [0] : !m -> tensor<9xf32>
  // CHECK: kiln.reduce all
  %4 = kiln.reduce all %b axes [0] : tensor<4xi1> -> tensor<i1>
  // CHECK: kiln.reduce any
  %5 = kiln.reduce any %b axes [0] : tensor<4xi1> -> tensor<i1>
  // CHECK: kiln.arg_reduce %{{.*}} axis 1 {smallest = false} : tensor<?x9xf32, #kiln.sym<0>> -> tensor<?xi64, #kiln.sym<0>>
  %6 = kiln.arg_reduce %x axis 1 {smallest = false} : !m -> tensor<?xi64, #kiln.sym<0>>
  return
}

// CHECK-LABEL: @matmuls
func.func @matmuls(%x: !m, %w: tensor<9x4xf32>, %v: tensor<4x9xf32>, %b: tensor<2x3x4xf64>) {
  // CHECK: kiln.matmul %{{.*}}, %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>, tensor<9x4xf32> -> tensor<?x4xf32, #kiln.sym<0>>
  %0 = kiln.matmul %x, %w : !m, tensor<9x4xf32> -> tensor<?x4xf32, #kiln.sym<0>>
  // CHECK: kiln.matmul %{{.*}}, %{{.*}} transposed : {{.*}} -> tensor<?x4xf32, #kiln.sym<0>>
  %1 = kiln.matmul %x, %v transposed : !m, tensor<4x9xf32> -> tensor<?x4xf32, #kiln.sym<0>>
  // CHECK: kiln.matmul %{{.*}} transposed, %{{.*}} : {{.*}} -> tensor<9x9xf32>
  %2 = kiln.matmul %x transposed, %x : !m, !m -> tensor<9x9xf32>
  // CHECK: kiln.matmul %{{.*}} transposed, %{{.*}} : {{.*}} -> tensor<2x4x4xf64>
  %3 = kiln.matmul %b transposed, %b : tensor<2x3x4xf64>, tensor<2x3x4xf64> -> tensor<2x4x4xf64>
  return
}

// CHECK-LABEL: @random
func.func @random(%a: tensor<i64>, %words: memref<?xi32>) {
  // CHECK: %[[STATE:.*]] = kiln.random_reserve 1 [s0, 9] : tensor<6xi32>
  %s = kiln.random_reserve 1 [s0, 9] : tensor<6xi32>
  // CHECK: kiln.reserve_stream 1 [s0, 9] outs(%{{.*}} : memref<?xi32>)
  kiln.reserve_stream 1 [s0, 9] outs(%words : memref<?xi32>)
  // CHECK: kiln.random uniform %[[STATE]] : tensor<6xi32> -> tensor<?x9xf32, #kiln.sym<0>>
  %0 = kiln.random uniform %s : tensor<6xi32> -> !m
  // CHECK: kiln.random normal %[[STATE]] : tensor<6xi32> -> tensor<?x9xf64, #kiln.sym<0>>
  %1 = kiln.random normal %s : tensor<6xi32> -> tensor<?x9xf64, #kiln.sym<0>>
  // CHECK: kiln.random_int %[[STATE]], %{{.*}}, %{{.*}} : tensor<6xi32>, tensor<i64> -> tensor<4xi64>
  %2 = kiln.random_int %s, %a, %a : tensor<6xi32>, tensor<i64> -> tensor<4xi64>
  return
}

// CHECK-LABEL: @scatters
func.func @scatters(%x: !m, %s: tensor<f32>, %i: tensor<4xi64>, %u: tensor<4x9xf32>) {
  // CHECK: kiln.scatter add %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>, tensor<4xi64>, tensor<4x9xf32> -> tensor<?x9xf32, #kiln.sym<0>>
  %0 = kiln.scatter add %x, %i, %u : !m, tensor<4xi64>, tensor<4x9xf32> -> !m
  // CHECK: kiln.scatter update %{{.*}}, %{{.*}}, %{{.*}} : tensor<f32>, tensor<4xi64>, tensor<4x9xf32> -> tensor<2x9xf32>
  %1 = kiln.scatter update %s, %i, %u : tensor<f32>, tensor<4xi64>, tensor<4x9xf32> -> tensor<2x9xf32>
  return
}

// CHECK-LABEL: @windows
func.func @windows(%x: tensor<?x9x3xf32, #kiln.sym<0>>, %w: tensor<3x3x8xf32>, %d: tensor<?x4x8xf32, #kiln.sym<0>>) {
  // CHECK: kiln.convolve %{{.*}}, %{{.*}} strides [2] dilations [1] : tensor<?x9x3xf32, #kiln.sym<0>>, tensor<3x3x8xf32> -> tensor<?x4x8xf32, #kiln.sym<0>>
  %0 = kiln.convolve %x, %w strides [2] dilations [1] : tensor<?x9x3xf32, #kiln.sym<0>>, tensor<3x3x8xf32> -> tensor<?x4x8xf32, #kiln.sym<0>>
  // CHECK: kiln.convolve %{{.*}} transposed, %{{.*}} strides [2] dilations [1] : {{.*}} -> tensor<3x3x8xf32>
  %1 = kiln.convolve %x transposed, %d strides [2] dilations [1] : tensor<?x9x3xf32, #kiln.sym<0>>, tensor<?x4x8xf32, #kiln.sym<0>> -> tensor<3x3x8xf32>
  return
}

// CHECK-LABEL: @padded_windows
func.func @padded_windows(%x: tensor<?x9x9x3xf32, #kiln.sym<0>>, %w: tensor<3x3x3x8xf32>) {
  // CHECK: kiln.convolve %{{.*}}, %{{.*}} strides [2, 2] dilations [1, 1] padded [0, 1] : {{.*}} -> tensor<?x4x4x8xf32, #kiln.sym<0>>
  %0 = kiln.convolve %x, %w strides [2, 2] dilations [1, 1] padded [0, 1] : tensor<?x9x9x3xf32, #kiln.sym<0>>, tensor<3x3x3x8xf32> -> tensor<?x4x4x8xf32, #kiln.sym<0>>
  return
}
