// Groups over one input are joined as long as they are short: long ones that are
// alike are compiled once where they stay apart.
// RUN: kiln-opt %s --kiln-fuse | FileCheck %s

// CHECK-LABEL: func.func @long_siblings
// CHECK-COUNT-2: kiln.fusion
// CHECK-NOT: kiln.fusion
// CHECK-LABEL: func.func @short_siblings
// CHECK: kiln.fusion
// CHECK-NOT: kiln.fusion
func.func @long_siblings(%x: tensor<64x64xf32>, %a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %a0 = kiln.sub %x, %a : tensor<64x64xf32>
  %a1 = kiln.mul %a0, %a : tensor<64x64xf32>
  %a2 = kiln.add %a1, %a : tensor<64x64xf32>
  %a3 = kiln.mul %a2, %a : tensor<64x64xf32>
  %a4 = kiln.add %a3, %a : tensor<64x64xf32>
  %a5 = kiln.mul %a4, %a : tensor<64x64xf32>
  %a6 = kiln.add %a5, %a : tensor<64x64xf32>
  %a7 = kiln.mul %a6, %a : tensor<64x64xf32>
  %a8 = kiln.add %a7, %a : tensor<64x64xf32>
  %a9 = kiln.mul %a8, %a : tensor<64x64xf32>
  %a10 = kiln.add %a9, %a : tensor<64x64xf32>
  %a11 = kiln.mul %a10, %a : tensor<64x64xf32>
  %a12 = kiln.add %a11, %a : tensor<64x64xf32>
  %a13 = kiln.mul %a12, %a : tensor<64x64xf32>
  %a14 = kiln.add %a13, %a : tensor<64x64xf32>
  %a15 = kiln.mul %a14, %a : tensor<64x64xf32>
  %a16 = kiln.add %a15, %a : tensor<64x64xf32>
  %a17 = kiln.mul %a16, %a : tensor<64x64xf32>
  %a18 = kiln.add %a17, %a : tensor<64x64xf32>
  %a19 = kiln.mul %a18, %a : tensor<64x64xf32>
  %a20 = kiln.add %a19, %a : tensor<64x64xf32>
  %a21 = kiln.mul %a20, %a : tensor<64x64xf32>
  %a22 = kiln.add %a21, %a : tensor<64x64xf32>
  %a23 = kiln.mul %a22, %a : tensor<64x64xf32>
  %a24 = kiln.add %a23, %a : tensor<64x64xf32>
  %b0 = kiln.sub %x, %b : tensor<64x64xf32>
  %b1 = kiln.mul %b0, %b : tensor<64x64xf32>
  %b2 = kiln.add %b1, %b : tensor<64x64xf32>
  %b3 = kiln.mul %b2, %b : tensor<64x64xf32>
  %b4 = kiln.add %b3, %b : tensor<64x64xf32>
  %b5 = kiln.mul %b4, %b : tensor<64x64xf32>
  %b6 = kiln.add %b5, %b : tensor<64x64xf32>
  %b7 = kiln.mul %b6, %b : tensor<64x64xf32>
  %b8 = kiln.add %b7, %b : tensor<64x64xf32>
  %b9 = kiln.mul %b8, %b : tensor<64x64xf32>
  %b10 = kiln.add %b9, %b : tensor<64x64xf32>
  %b11 = kiln.mul %b10, %b : tensor<64x64xf32>
  %b12 = kiln.add %b11, %b : tensor<64x64xf32>
  %b13 = kiln.mul %b12, %b : tensor<64x64xf32>
  %b14 = kiln.add %b13, %b : tensor<64x64xf32>
  %b15 = kiln.mul %b14, %b : tensor<64x64xf32>
  %b16 = kiln.add %b15, %b : tensor<64x64xf32>
  %b17 = kiln.mul %b16, %b : tensor<64x64xf32>
  %b18 = kiln.add %b17, %b : tensor<64x64xf32>
  %b19 = kiln.mul %b18, %b : tensor<64x64xf32>
  %b20 = kiln.add %b19, %b : tensor<64x64xf32>
  %b21 = kiln.mul %b20, %b : tensor<64x64xf32>
  %b22 = kiln.add %b21, %b : tensor<64x64xf32>
  %b23 = kiln.mul %b22, %b : tensor<64x64xf32>
  %b24 = kiln.add %b23, %b : tensor<64x64xf32>
  return %a24, %b24 : tensor<64x64xf32>, tensor<64x64xf32>
}

func.func @short_siblings(%x: tensor<64x64xf32>, %a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %a0 = kiln.sub %x, %a : tensor<64x64xf32>
  %a1 = kiln.mul %a0, %a : tensor<64x64xf32>
  %a2 = kiln.add %a1, %a : tensor<64x64xf32>
  %a3 = kiln.mul %a2, %a : tensor<64x64xf32>
  %a4 = kiln.add %a3, %a : tensor<64x64xf32>
  %a5 = kiln.mul %a4, %a : tensor<64x64xf32>
  %a6 = kiln.add %a5, %a : tensor<64x64xf32>
  %a7 = kiln.mul %a6, %a : tensor<64x64xf32>
  %a8 = kiln.add %a7, %a : tensor<64x64xf32>
  %a9 = kiln.mul %a8, %a : tensor<64x64xf32>
  %a10 = kiln.add %a9, %a : tensor<64x64xf32>
  %a11 = kiln.mul %a10, %a : tensor<64x64xf32>
  %a12 = kiln.add %a11, %a : tensor<64x64xf32>
  %a13 = kiln.mul %a12, %a : tensor<64x64xf32>
  %a14 = kiln.add %a13, %a : tensor<64x64xf32>
  %a15 = kiln.mul %a14, %a : tensor<64x64xf32>
  %a16 = kiln.add %a15, %a : tensor<64x64xf32>
  %a17 = kiln.mul %a16, %a : tensor<64x64xf32>
  %a18 = kiln.add %a17, %a : tensor<64x64xf32>
  %a19 = kiln.mul %a18, %a : tensor<64x64xf32>
  %a20 = kiln.add %a19, %a : tensor<64x64xf32>
  %a21 = kiln.mul %a20, %a : tensor<64x64xf32>
  %a22 = kiln.add %a21, %a : tensor<64x64xf32>
  %a23 = kiln.mul %a22, %a : tensor<64x64xf32>
  %b0 = kiln.sub %x, %b : tensor<64x64xf32>
  %b1 = kiln.mul %b0, %b : tensor<64x64xf32>
  %b2 = kiln.add %b1, %b : tensor<64x64xf32>
  %b3 = kiln.mul %b2, %b : tensor<64x64xf32>
  %b4 = kiln.add %b3, %b : tensor<64x64xf32>
  %b5 = kiln.mul %b4, %b : tensor<64x64xf32>
  %b6 = kiln.add %b5, %b : tensor<64x64xf32>
  %b7 = kiln.mul %b6, %b : tensor<64x64xf32>
  %b8 = kiln.add %b7, %b : tensor<64x64xf32>
  %b9 = kiln.mul %b8, %b : tensor<64x64xf32>
  %b10 = kiln.add %b9, %b : tensor<64x64xf32>
  %b11 = kiln.mul %b10, %b : tensor<64x64xf32>
  %b12 = kiln.add %b11, %b : tensor<64x64xf32>
  %b13 = kiln.mul %b12, %b : tensor<64x64xf32>
  %b14 = kiln.add %b13, %b : tensor<64x64xf32>
  %b15 = kiln.mul %b14, %b : tensor<64x64xf32>
  %b16 = kiln.add %b15, %b : tensor<64x64xf32>
  %b17 = kiln.mul %b16, %b : tensor<64x64xf32>
  %b18 = kiln.add %b17, %b : tensor<64x64xf32>
  %b19 = kiln.mul %b18, %b : tensor<64x64xf32>
  %b20 = kiln.add %b19, %b : tensor<64x64xf32>
  %b21 = kiln.mul %b20, %b : tensor<64x64xf32>
  %b22 = kiln.add %b21, %b : tensor<64x64xf32>
  %b23 = kiln.mul %b22, %b : tensor<64x64xf32>
  return %a23, %b23 : tensor<64x64xf32>, tensor<64x64xf32>
}
