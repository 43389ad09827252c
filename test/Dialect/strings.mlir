// Round trips of tensors of strings.
// RUN: kiln-opt %s | kiln-opt | FileCheck %s --enable-var-scope

// What moves elements moves strings.
// CHECK-LABEL: func.func @moves
func.func @moves(%x: tensor<2x3x!kiln.string>, %i: tensor<4xi32>) -> (tensor<4x3x!kiln.string>, tensor<4x5x!kiln.string>) {
  // CHECK: kiln.gather %{{.*}}, %{{.*}} axis 0 : tensor<2x3x!kiln.string>, tensor<4xi32> -> tensor<4x3x!kiln.string>
  %g = kiln.gather %x, %i axis 0 : tensor<2x3x!kiln.string>, tensor<4xi32> -> tensor<4x3x!kiln.string>
  %e = kiln.constant_ref 0 : tensor<!kiln.string>
  // CHECK: kiln.pad %{{.*}}, %{{.*}} low [0, 1] : tensor<4x3x!kiln.string>, tensor<!kiln.string> -> tensor<4x5x!kiln.string>
  %p = kiln.pad %g, %e low [0, 1] : tensor<4x3x!kiln.string>, tensor<!kiln.string> -> tensor<4x5x!kiln.string>
  return %g, %p : tensor<4x3x!kiln.string>, tensor<4x5x!kiln.string>
}
