// Threads share the rows of a few images, not the images alone.
// RUN: kiln-opt %s --split-input-file --kiln-vectorize | FileCheck %s

// CHECK: %[[ROWS:.*]] = arith.muli %{{.*}}, %c35
// CHECK: scf.for %[[AT:.*]] = %c0 to %[[ROWS]]
// CHECK: arith.divui %[[AT]], %c35
// CHECK: arith.remui %[[AT]], %c35
// CHECK: scf.for {{.*}} to %c17
// CHECK: {kiln.parallel}
func.func @few_images() {
  %0 = kiln.buffer feed 0 : memref<?xf32>
  %1 = kiln.buffer result 0 : memref<?xf32>
  kiln.fusion (%x: tensor<?x35x17x64xf32, #kiln.sym<0>> = %0 : memref<?xf32>) outs(%1 : memref<?xf32>) {
    %zero = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
    %a = kiln.window %x, %zero starts [0, -1, 0, 0] strides [1, 1, 1, 1] : tensor<?x35x17x64xf32, #kiln.sym<0>>, tensor<f32> -> tensor<?x35x17x64xf32, #kiln.sym<0>>
    %b = kiln.window %x, %zero starts [0, 0, 1, 0] strides [1, 1, 1, 1] : tensor<?x35x17x64xf32, #kiln.sym<0>>, tensor<f32> -> tensor<?x35x17x64xf32, #kiln.sym<0>>
    %c = kiln.add %a, %b : tensor<?x35x17x64xf32, #kiln.sym<0>>
    kiln.yield %c : tensor<?x35x17x64xf32, #kiln.sym<0>>
  }
  return
}

// -----

// Twin: enough images.
// CHECK: scf.for {{.*}} to %c128
// CHECK-NOT: arith.divui
// CHECK: scf.for {{.*}} to %c35
func.func @many_images() {
  %0 = kiln.buffer feed 0 : memref<?xf32>
  %1 = kiln.buffer result 0 : memref<?xf32>
  kiln.fusion (%x: tensor<128x35x17x64xf32> = %0 : memref<?xf32>) outs(%1 : memref<?xf32>) {
    %zero = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
    %a = kiln.window %x, %zero starts [0, -1, 0, 0] strides [1, 1, 1, 1] : tensor<128x35x17x64xf32>, tensor<f32> -> tensor<128x35x17x64xf32>
    kiln.yield %a : tensor<128x35x17x64xf32>
  }
  return
}
