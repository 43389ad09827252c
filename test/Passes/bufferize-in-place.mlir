// RUN: kiln-opt %s --split-input-file --kiln-bufferize --verify-each | FileCheck %s --enable-var-scope

// A division by numbers of which none is 0 cannot fail: the variable is written where it stands.
// CHECK-LABEL: func.func @division_by_known_numbers
// CHECK: %[[V:.*]] = kiln.buffer variable 0
// CHECK-NOT: kiln.poll
// CHECK: kiln.begin_writes
// CHECK: kiln.fusion {{.*}} outs(%[[V]] :
module {
  kiln.variable @v index 0 : tensor<4xi32>
  func.func @division_by_known_numbers() {
    %v = kiln.var_read @v : tensor<4xi32>
    %n = kiln.fusion (%a: tensor<4xi32> = %v : tensor<4xi32>) -> tensor<4xi32> {
      %c = kiln.constant dense<-2> : tensor<i32> : tensor<4xi32>
      %s = kiln.floor_div %a, %c : tensor<4xi32>
      kiln.yield %s : tensor<4xi32>
    }
    kiln.var_write @v, %n : tensor<4xi32>
    return
  }
}

// -----

// A negative exponent is an error of the run.
// CHECK-LABEL: func.func @negative_exponent
// CHECK: kiln.poll
module {
  kiln.variable @v index 0 : tensor<4xi32>
  func.func @negative_exponent() {
    %v = kiln.var_read @v : tensor<4xi32>
    %n = kiln.fusion (%a: tensor<4xi32> = %v : tensor<4xi32>) -> tensor<4xi32> {
      %c = kiln.constant dense<-2> : tensor<i32> : tensor<4xi32>
      %s = kiln.pow %a, %c : tensor<4xi32>
      kiln.yield %s : tensor<4xi32>
    }
    kiln.var_write @v, %n : tensor<4xi32>
    return
  }
}

// -----

// An unsigned exponent is not negative.
// CHECK-LABEL: func.func @unsigned_exponent
// CHECK: %[[V:.*]] = kiln.buffer variable 0
// CHECK-NOT: kiln.poll
// CHECK: kiln.fusion {{.*}} outs(%[[V]] :
module {
  kiln.variable @v index 0 : tensor<4xui32>
  func.func @unsigned_exponent(%x: tensor<4xui32>) {
    %v = kiln.var_read @v : tensor<4xui32>
    %n = kiln.fusion (%a: tensor<4xui32> = %v : tensor<4xui32>, %b: tensor<4xui32> = %x : tensor<4xui32>) -> tensor<4xui32> {
      %s = kiln.pow %a, %b : tensor<4xui32>
      kiln.yield %s : tensor<4xui32>
    }
    kiln.var_write @v, %n : tensor<4xui32>
    return
  }
}

// -----

// A scatter touches the rows of the variable that it changes, and copies none.
// CHECK-LABEL: func.func @scatter_into_a_variable
// CHECK: %[[V:.*]] = kiln.buffer variable 0
// CHECK: kiln.begin_writes
// CHECK: kiln.fusion (%{{.*}} = %[[V]] : {{.*}} outs(%[[V]] :
// CHECK-NOT: kiln.fusion
module {
  kiln.variable @v index 0 : tensor<9x4xf32>
  func.func @scatter_into_a_variable(%i: tensor<?xi64, #kiln.sym<0>>, %u: tensor<?x4xf32, #kiln.sym<0>>) {
    %v = kiln.var_read @v : tensor<9x4xf32>
    %n = kiln.fusion (%a: tensor<9x4xf32> = %v : tensor<9x4xf32>, %b: tensor<?xi64, #kiln.sym<0>> = %i : tensor<?xi64, #kiln.sym<0>>, %c: tensor<?x4xf32, #kiln.sym<0>> = %u : tensor<?x4xf32, #kiln.sym<0>>) -> tensor<9x4xf32> {
      %s = kiln.scatter add %a, %b, %c : tensor<9x4xf32>, tensor<?xi64, #kiln.sym<0>>, tensor<?x4xf32, #kiln.sym<0>> -> tensor<9x4xf32>
      kiln.yield %s : tensor<9x4xf32>
    }
    kiln.var_write @v, %n : tensor<9x4xf32>
    return
  }
}

// -----

// Not where the updates are the variable itself.
// CHECK-LABEL: func.func @scatter_of_the_variable_itself
// CHECK: %[[V:.*]] = kiln.buffer variable 0
// CHECK: %[[T:.*]] = kiln.buffer temporary 0
// CHECK: kiln.fusion {{.*}} outs(%[[T]] :
module {
  kiln.variable @v index 0 : tensor<4xf32>
  func.func @scatter_of_the_variable_itself(%i: tensor<4xi64>) {
    %v = kiln.var_read @v : tensor<4xf32>
    %n = kiln.fusion (%a: tensor<4xf32> = %v : tensor<4xf32>, %b: tensor<4xi64> = %i : tensor<4xi64>) -> tensor<4xf32> {
      %s = kiln.scatter add %a, %b, %a : tensor<4xf32>, tensor<4xi64>, tensor<4xf32> -> tensor<4xf32>
      kiln.yield %s : tensor<4xf32>
    }
    kiln.var_write @v, %n : tensor<4xf32>
    return
  }
}
