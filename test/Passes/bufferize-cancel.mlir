// RUN: kiln-opt %s --split-input-file --kiln-bufferize | FileCheck %s

// An update that takes long may be cancelled, the copy behind it may not.
// CHECK: %[[T:.*]] = kiln.buffer temporary 0
// CHECK: %[[V:.*]] = kiln.buffer variable 0
// CHECK: kiln.fusion {{.*}} outs(%[[T]] :
// CHECK: kiln.begin_writes
// CHECK: kiln.fusion (%{{.*}} = %[[T]] : {{.*}}) outs(%[[V]] :
module {
  kiln.variable @v index 0 : tensor<64x64xf32>
  func.func @long_update(%x: tensor<64x4194304xf32>, %y: tensor<4194304x64xf32>) {
    %n = kiln.fusion (%a: tensor<64x4194304xf32> = %x : tensor<64x4194304xf32>, %b: tensor<4194304x64xf32> = %y : tensor<4194304x64xf32>) -> tensor<64x64xf32> {
      %p = kiln.matmul %a, %b : tensor<64x4194304xf32>, tensor<4194304x64xf32> -> tensor<64x64xf32>
      kiln.yield %p : tensor<64x64xf32>
    }
    kiln.var_write @v, %n : tensor<64x64xf32>
    return
  }
}

// -----

// As may a sum of as many rows as a run feeds ...
// CHECK: %[[T:.*]] = kiln.buffer temporary 0
// CHECK: kiln.fusion {{.*}} outs(%[[T]] :
module {
  kiln.variable @v index 0 : tensor<f32>
  func.func @sum_of_fed_rows(%x: tensor<?xf32, #kiln.sym<0>>) {
    %n = kiln.fusion (%a: tensor<?xf32, #kiln.sym<0>> = %x : tensor<?xf32, #kiln.sym<0>>) -> tensor<f32> {
      %s = kiln.reduce sum %a axes [0] : tensor<?xf32, #kiln.sym<0>> -> tensor<f32>
      kiln.yield %s : tensor<f32>
    }
    kiln.var_write @v, %n : tensor<f32>
    return
  }
}

// -----

// ... and a chain of functions over many elements, but not one addition, which
// takes as long as the copy would.
// CHECK: %[[T:.*]] = kiln.buffer temporary 0
// CHECK: %[[W:.*]] = kiln.buffer variable 1
// CHECK: kiln.fusion {{.*}} outs(%[[T]] :
// CHECK: kiln.fusion {{.*}} outs(%[[W]] :
// CHECK: kiln.add
module {
  kiln.variable @v index 0 : tensor<100000000xf32>
  kiln.variable @w index 1 : tensor<100000000xf32>
  func.func @chain_of_functions(%x: tensor<100000000xf32>) {
    %n = kiln.fusion (%a: tensor<100000000xf32> = %x : tensor<100000000xf32>) -> tensor<100000000xf32> {
      %1 = kiln.sin %a : tensor<100000000xf32>
      %2 = kiln.exp %1 : tensor<100000000xf32>
      %3 = kiln.tanh %2 : tensor<100000000xf32>
      %4 = kiln.sin %3 : tensor<100000000xf32>
      %5 = kiln.sin %4 : tensor<100000000xf32>
      kiln.yield %5 : tensor<100000000xf32>
    }
    kiln.var_write @v, %n : tensor<100000000xf32>
    %m = kiln.fusion (%a: tensor<100000000xf32> = %x : tensor<100000000xf32>) -> tensor<100000000xf32> {
      %1 = kiln.add %a, %a : tensor<100000000xf32>
      kiln.yield %1 : tensor<100000000xf32>
    }
    kiln.var_write @w, %m : tensor<100000000xf32>
    return
  }
}
