// RUN: kiln-opt %s --split-input-file --kiln-bufferize | FileCheck %s --enable-var-scope

// An update that comes behind a check is computed, in place, behind it.
// CHECK: kiln.runtime_call "FailRange"
// CHECK: kiln.begin_writes
// CHECK: kiln.fusion {{.*}} outs(%{{.*}} :
// CHECK-NOT: kiln.fusion
module {
  kiln.variable @v index 0 : tensor<4xf32>
  func.func @behind_a_check(%c: tensor<i1>) {
    %old = kiln.var_read @v : tensor<4xf32>
    %new = kiln.fusion (%a: tensor<4xf32> = %old : tensor<4xf32>) -> tensor<4xf32> {
      %s = kiln.add %a, %a : tensor<4xf32>
      kiln.yield %s : tensor<4xf32>
    }
    kiln.if %c {
    } else {
      kiln.runtime_call "FailRange" ins() types []
    }
    kiln.var_write @v, %new : tensor<4xf32>
    return
  }
}

// -----

// So is what it needs itself.
// CHECK: kiln.runtime_call "FailRange"
// CHECK: kiln.begin_writes
// CHECK: kiln.fusion
// CHECK: kiln.fusion
// CHECK-NOT: kiln.fusion
module {
  kiln.variable @v index 0 : tensor<4xf32>
  kiln.variable @w index 1 : tensor<4xf32>
  func.func @what_it_needs(%x: tensor<4xf32>) {
    %m = kiln.fusion (%a: tensor<4xf32> = %x : tensor<4xf32>) -> tensor<4xf32> {
      %s = kiln.add %a, %a : tensor<4xf32>
      kiln.yield %s : tensor<4xf32>
    }
    %n = kiln.fusion (%a: tensor<4xf32> = %m : tensor<4xf32>) -> tensor<4xf32> {
      %s = kiln.add %a, %a : tensor<4xf32>
      kiln.yield %s : tensor<4xf32>
    }
    kiln.runtime_call "FailRange" ins() types []
    kiln.var_write @v, %m : tensor<4xf32>
    kiln.var_write @w, %n : tensor<4xf32>
    return
  }
}

// -----

// What the check itself looks at is computed before, and copied behind it.
// CHECK: %[[T:.*]] = kiln.buffer temporary 0
// CHECK: %[[V:.*]] = kiln.buffer variable 0
// CHECK: kiln.fusion {{.*}} outs(%[[T]] :
// CHECK: kiln.runtime_call "FailRange"
// CHECK: kiln.begin_writes
// CHECK: kiln.fusion (%{{.*}} = %[[T]] : {{.*}}) outs(%[[V]] :
module {
  kiln.variable @v index 0 : tensor<4xf32>
  func.func @before_the_check(%x: tensor<4xf32>) {
    %n = kiln.fusion (%a: tensor<4xf32> = %x : tensor<4xf32>) -> tensor<4xf32> {
      %s = kiln.add %a, %a : tensor<4xf32>
      kiln.yield %s : tensor<4xf32>
    }
    kiln.runtime_call "FailRange" ins(%n : tensor<4xf32>) types [tensor<4xf32>]
    kiln.var_write @v, %n : tensor<4xf32>
    return
  }
}

// -----

// What else reads the old value does so before, also by a view of it.
// CHECK: %[[V:.*]] = kiln.buffer variable 0
// CHECK: kiln.fusion {{.*}} = %[[V]] : {{.*}} outs(%[[R:.*]] :
// CHECK-NEXT: kiln.sub
// CHECK: kiln.fusion {{.*}} = %[[V]] : {{.*}} outs(%[[V]] :
// CHECK-NEXT: kiln.add
// CHECK-NOT: kiln.fusion
module {
  kiln.variable @v index 0 : tensor<4xf32>
  func.func @old_value_is_read_before() -> tensor<2x2xf32> {
    %old = kiln.var_read @v : tensor<4xf32>
    %new = kiln.fusion (%a: tensor<4xf32> = %old : tensor<4xf32>) -> tensor<4xf32> {
      %s = kiln.add %a, %a : tensor<4xf32>
      kiln.yield %s : tensor<4xf32>
    }
    %view = kiln.reshape %old : tensor<4xf32> -> tensor<2x2xf32>
    %other = kiln.fusion (%a: tensor<2x2xf32> = %view : tensor<2x2xf32>) -> tensor<2x2xf32> {
      %s = kiln.sub %a, %a : tensor<2x2xf32>
      kiln.yield %s : tensor<2x2xf32>
    }
    kiln.var_write @v, %new : tensor<4xf32>
    return %other : tensor<2x2xf32>
  }
}
