// Constant folding: integers and moved elements here, floats by the evaluator alone (kiln-opt has none).
// RUN: kiln-opt %s --kiln-simplify | FileCheck %s
// RUN: kiln-opt %s --kiln-simplify=max-folded-elements=3 | FileCheck %s --check-prefix=LIMIT

// Arithmetic wraps, and division rounds as the ops say.
// CHECK-LABEL: @integers
func.func @integers() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %a = kiln.constant dense<[2147483647, -7]> : tensor<2xi32> : tensor<2xi32>
  %b = kiln.constant dense<[2, 2]> : tensor<2xi32> : tensor<2xi32>
  // CHECK-DAG: %[[ADD:.*]] = kiln.constant dense<[-2147483647, -5]>
  %0 = kiln.add %a, %b : tensor<2xi32>
  // CHECK-DAG: %[[DIV:.*]] = kiln.constant dense<[1073741823, -3]>
  %1 = kiln.div %a, %b : tensor<2xi32>
  // CHECK-DAG: %[[FDIV:.*]] = kiln.constant dense<[1073741823, -4]>
  %2 = kiln.floor_div %a, %b : tensor<2xi32>
  // CHECK-DAG: %[[FMOD:.*]] = kiln.constant dense<1> : tensor<i32> : tensor<2xi32>
  %3 = kiln.floor_mod %a, %b : tensor<2xi32>
  // CHECK-DAG: %[[POW:.*]] = kiln.constant dense<[1, 49]>
  %4 = kiln.pow %a, %b : tensor<2xi32>
  // CHECK: return %[[ADD]], %[[DIV]], %[[FDIV]], %[[FMOD]], %[[POW]]
  return %0, %1, %2, %3, %4 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// Twin: an error of the run stays one.
// CHECK-LABEL: @division_by_zero
func.func @division_by_zero() -> tensor<2xi32> {
  %a = kiln.constant dense<[1, 2]> : tensor<2xi32> : tensor<2xi32>
  %b = kiln.constant dense<[1, 0]> : tensor<2xi32> : tensor<2xi32>
  // CHECK: kiln.div
  %0 = kiln.div %a, %b : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// Twin: floats are the evaluator's.
// CHECK-LABEL: @floats
func.func @floats() -> tensor<2xf32> {
  %a = kiln.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  // CHECK: kiln.exp
  %0 = kiln.exp %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @bools
func.func @bools() -> (tensor<2xi1>, tensor<i1>, tensor<2xi32>) {
  %a = kiln.constant dense<[1, 2]> : tensor<2xi64> : tensor<2xi64>
  %b = kiln.constant dense<[1, 3]> : tensor<2xi64> : tensor<2xi64>
  // CHECK-DAG: %[[C:.*]] = kiln.constant dense<[true, false]>
  %0 = kiln.compare eq %a, %b : tensor<2xi64> -> tensor<2xi1>
  // CHECK-DAG: %[[ALL:.*]] = kiln.constant dense<false>
  %1 = kiln.reduce all %0 axes [0] : tensor<2xi1> -> tensor<i1>
  // CHECK-DAG: %[[I:.*]] = kiln.constant dense<[1, 0]> : tensor<2xi32>
  %2 = kiln.cast %0 : tensor<2xi1> -> tensor<2xi32>
  // CHECK: return %[[C]], %[[ALL]], %[[I]]
  return %0, %1, %2 : tensor<2xi1>, tensor<i1>, tensor<2xi32>
}

// CHECK-LABEL: @reductions
func.func @reductions() -> (tensor<2xi32>, tensor<i32>) {
  %a = kiln.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32> : tensor<2x3xi32>
  %empty = kiln.constant dense<> : tensor<0xi32> : tensor<0xi32>
  // CHECK-DAG: %[[S:.*]] = kiln.constant dense<[6, 15]>
  %0 = kiln.reduce sum %a axes [1] : tensor<2x3xi32> -> tensor<2xi32>
  // CHECK-DAG: %[[M:.*]] = kiln.constant dense<-2147483648>
  %1 = kiln.reduce max %empty axes [0] : tensor<0xi32> -> tensor<i32>
  // CHECK: return %[[S]], %[[M]]
  return %0, %1 : tensor<2xi32>, tensor<i32>
}

// Moving keeps bits, so floats move too.
// CHECK-LABEL: @moves
// LIMIT-LABEL: @moves
func.func @moves() -> (tensor<3x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<3xf32>) {
  %a = kiln.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32> : tensor<2x3xf32>
  %b = kiln.constant dense<[7.0, 8.0]> : tensor<2xf32> : tensor<2xf32>
  %at = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  // CHECK-DAG: %[[T:.*]] = kiln.constant dense<{{\[}}[1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]>
  // LIMIT: kiln.transpose
  %0 = kiln.transpose %a permutation [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %1 = kiln.slice %a starts [1, 2] strides [1, -2] : tensor<2x3xf32> -> tensor<1x2xf32>
  // CHECK-DAG: %[[S:.*]] = kiln.constant dense<[6.000000e+00, 4.000000e+00]>
  %2 = kiln.reshape %1 : tensor<1x2xf32> -> tensor<2xf32>
  // CHECK-DAG: %[[B:.*]] = kiln.constant dense<{{\[}}[7.000000e+00, 8.000000e+00], [7.000000e+00, 8.000000e+00]]>
  %3 = kiln.broadcast %b map [1] : tensor<2xf32> -> tensor<2x2xf32>
  // CHECK-DAG: %[[G:.*]] = kiln.constant dense<[4.000000e+00, 5.000000e+00, 6.000000e+00]>
  %4 = kiln.gather %a, %at axis 0 : tensor<2x3xf32>, tensor<i32> -> tensor<3xf32>
  // CHECK: return %[[T]], %[[S]], %[[B]], %[[G]]
  return %0, %2, %3, %4 : tensor<3x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<3xf32>
}

// So do gathers of batches, but not one whose index is out of range.
// CHECK-LABEL: @gather_batch
func.func @gather_batch() -> (tensor<2x1xf32>, tensor<2x1xf32>) {
  %a = kiln.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32> : tensor<2x2xf32>
  %at = kiln.constant dense<[[1], [0]]> : tensor<2x1xi32> : tensor<2x1xi32>
  %outside = kiln.constant dense<[[1], [2]]> : tensor<2x1xi32> : tensor<2x1xi32>
  // CHECK-DAG: %[[G:.*]] = kiln.constant dense<{{\[}}[2.000000e+00], [3.000000e+00]]>
  %0 = kiln.gather %a, %at axis 1 batch 1 : tensor<2x2xf32>, tensor<2x1xi32> -> tensor<2x1xf32>
  // CHECK-DAG: %[[O:.*]] = kiln.gather %{{.*}}, %{{.*}} axis 1 batch 1
  %1 = kiln.gather %a, %outside axis 1 batch 1 : tensor<2x2xf32>, tensor<2x1xi32> -> tensor<2x1xf32>
  // CHECK: return %[[G]], %[[O]]
  return %0, %1 : tensor<2x1xf32>, tensor<2x1xf32>
}

// Shape values move as numbers do, and known ones are numbers.
// CHECK-LABEL: @dims
func.func @dims() -> (tensor<i32>, tensor<3xi32>, tensor<2xi32>) {
  %d = kiln.dims [s0, 9] : tensor<2xi32>
  %one = kiln.constant dense<1> : tensor<i32> : tensor<1xi32>
  %at = kiln.constant dense<[1, 1]> : tensor<2xi32> : tensor<2xi32>
  %0 = kiln.slice %d starts [0] strides [1] : tensor<2xi32> -> tensor<1xi32>
  // CHECK-DAG: %[[S:.*]] = kiln.dims [s0] : tensor<i32>
  %1 = kiln.reshape %0 : tensor<1xi32> -> tensor<i32>
  // CHECK-DAG: %[[C:.*]] = kiln.dims [s0, 9, 1] : tensor<3xi32>
  %2 = kiln.concat %d, %one axis 0 : tensor<2xi32>, tensor<1xi32> -> tensor<3xi32>
  // CHECK-DAG: %[[G:.*]] = kiln.constant dense<9> : tensor<i32> : tensor<2xi32>
  %3 = kiln.gather %d, %at axis 0 : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
  // CHECK: return %[[S]], %[[C]], %[[G]]
  return %1, %2, %3 : tensor<i32>, tensor<3xi32>, tensor<2xi32>
}

// A contraction is never folded, however small.
// CHECK-LABEL: @contraction
// CHECK: kiln.matmul
func.func @contraction() -> tensor<2x2xi32> {
  %a = kiln.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32> : tensor<2x2xi32>
  %0 = kiln.matmul %a, %a : tensor<2x2xi32>, tensor<2x2xi32> -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// Calls of a kernel that depends on its operands alone are merged, and dropped where nobody asks; others are not.
// CHECK-LABEL: @kernels
func.func @kernels(%x: tensor<2x!kiln.string>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2x!kiln.string>) {
  // CHECK: %[[N:.*]] = kiln.runtime_call "StringLength"
  // CHECK-NOT: "StringLength"
  %0 = kiln.runtime_call "StringLength" ins(%x : tensor<2x!kiln.string>) types [tensor<2x!kiln.string>, tensor<2xi32>] {numbers = array<i64: 0>, pure} -> tensor<2xi32>
  %1 = kiln.runtime_call "StringLength" ins(%x : tensor<2x!kiln.string>) types [tensor<2x!kiln.string>, tensor<2xi32>] {numbers = array<i64: 0>, pure} -> tensor<2xi32>
  %2 = kiln.runtime_call "StringLength" ins(%x : tensor<2x!kiln.string>) types [tensor<2x!kiln.string>, tensor<2xi32>] {numbers = array<i64: 1>, pure} -> tensor<2xi32>
  // CHECK-COUNT-2: kiln.runtime_call "StringStrip"
  %3 = kiln.runtime_call "StringStrip" ins(%x : tensor<2x!kiln.string>) types [tensor<2x!kiln.string>, tensor<2x!kiln.string>] -> tensor<2x!kiln.string>
  %4 = kiln.runtime_call "StringStrip" ins(%x : tensor<2x!kiln.string>) types [tensor<2x!kiln.string>, tensor<2x!kiln.string>] -> tensor<2x!kiln.string>
  // CHECK: return %[[N]], %[[N]]
  return %0, %1, %4 : tensor<2xi32>, tensor<2xi32>, tensor<2x!kiln.string>
}
