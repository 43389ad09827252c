// Round trips of the ops that make, move and rearrange elements.
// RUN: kiln-opt %s | kiln-opt | FileCheck %s

!v = tensor<?xf32, #kiln.sym<0>>
!m = tensor<?x9xf32, #kiln.sym<0>>

// CHECK-LABEL: @constants
func.func @constants(%a: tensor<i32>) {
  // CHECK: kiln.constant dense<5.000000e-01> : tensor<f32> : tensor<?xf32, #kiln.sym<0>>
  %0 = kiln.constant dense<0.5> : tensor<f32> : !v
  // CHECK: kiln.constant dense<[1, 2]> : tensor<2xi64> : tensor<2xi64>
  %1 = kiln.constant dense<[1, 2]> : tensor<2xi64> : tensor<2xi64>
  // CHECK: kiln.constant_ref 3 : tensor<28x28xf32>
  %2 = kiln.constant_ref 3 : tensor<28x28xf32>
  // CHECK: kiln.dims [s0, 9] : tensor<2xi32>
  %3 = kiln.dims [s0, 9] : tensor<2xi32>
  // CHECK: kiln.dims [s12] : tensor<i64>
  %4 = kiln.dims [s12] : tensor<i64>
  // CHECK: kiln.dims [] : tensor<0xi32>
  %5 = kiln.dims [] : tensor<0xi32>
  // CHECK: kiln.iota %{{.*}}, %{{.*}} axis 1 : tensor<i32> -> tensor<?x4xi32, #kiln.sym<2>>
  %6 = kiln.iota %a, %a axis 1 : tensor<i32> -> tensor<?x4xi32, #kiln.sym<2>>
  return
}

// CHECK-LABEL: @views
func.func @views(%s: tensor<f32>, %v: !v, %m: !m, %at: tensor<2xi64>) {
  // CHECK: kiln.broadcast %{{.*}} map [] : tensor<f32> -> tensor<?x9xf32, #kiln.sym<0>>
  %0 = kiln.broadcast %s map [] : tensor<f32> -> !m
  // CHECK: kiln.broadcast %{{.*}} map [0] : tensor<?xf32, #kiln.sym<0>> -> tensor<?x9xf32, #kiln.sym<0>>
  %1 = kiln.broadcast %v map [0] : !v -> !m
  // CHECK: kiln.reshape %{{.*}} : tensor<?x9xf32, #kiln.sym<0>> -> tensor<?x3x3xf32, #kiln.sym<0>>
  %2 = kiln.reshape %m : !m -> tensor<?x3x3xf32, #kiln.sym<0>>
  // CHECK: kiln.transpose %{{.*}} permutation [1, 0] : tensor<?x9xf32, #kiln.sym<0>> -> tensor<9x?xf32, #kiln.sym<0>>
  %3 = kiln.transpose %m permutation [1, 0] : !m -> tensor<9x?xf32, #kiln.sym<0>>
  // CHECK: kiln.slice %{{.*}} starts [0, 8] strides [1, -2] : tensor<?x9xf32, #kiln.sym<0>> -> tensor<?x5xf32, #kiln.sym<0>>
  %4 = kiln.slice %m starts [0, 8] strides [1, -2] : !m -> tensor<?x5xf32, #kiln.sym<0>>
  // CHECK: kiln.slice %{{.*}} at %{{.*}} starts [0, 0] strides [1, 1] : tensor<?x9xf32, #kiln.sym<0>>, tensor<2xi64> -> tensor<1x9xf32>
  %5 = kiln.slice %m at %at starts [0, 0] strides [1, 1] : !m, tensor<2xi64> -> tensor<1x9xf32>
  return
}

// CHECK-LABEL: @joins
func.func @joins(%m: !m, %k: tensor<2x9xf32>, %zero: tensor<f32>, %at: tensor<2x3xi32>, %low: tensor<2xi64>) {
  // CHECK: kiln.concat %{{.*}}, %{{.*}} axis 0 : tensor<?x9xf32, #kiln.sym<0>>, tensor<2x9xf32> -> tensor<?x9xf32, #kiln.sym<1>>
  %0 = kiln.concat %m, %k axis 0 : !m, tensor<2x9xf32> -> tensor<?x9xf32, #kiln.sym<1>>
  // CHECK: kiln.pad %{{.*}}, %{{.*}} low [0, 1] : tensor<2x9xf32>, tensor<f32> -> tensor<2x11xf32>
  %1 = kiln.pad %k, %zero low [0, 1] : tensor<2x9xf32>, tensor<f32> -> tensor<2x11xf32>
  // CHECK: kiln.pad %{{.*}}, %{{.*}} at %{{.*}} low [0, 0] : tensor<2x9xf32>, tensor<f32>, tensor<2xi64> -> tensor<5x11xf32>
  %computed = kiln.pad %k, %zero at %low low [0, 0] : tensor<2x9xf32>, tensor<f32>, tensor<2xi64> -> tensor<5x11xf32>
  // CHECK: kiln.gather %{{.*}}, %{{.*}} axis 0 : tensor<?x9xf32, #kiln.sym<0>>, tensor<2x3xi32> -> tensor<2x3x9xf32>
  %2 = kiln.gather %m, %at axis 0 : !m, tensor<2x3xi32> -> tensor<2x3x9xf32>
  // CHECK: kiln.gather %{{.*}}, %{{.*}} axis 1 batch 1 : tensor<2x9xf32>, tensor<2x3xi32> -> tensor<2x3xf32>
  %3 = kiln.gather %k, %at axis 1 batch 1 : tensor<2x9xf32>, tensor<2x3xi32> -> tensor<2x3xf32>
  return
}
