// RUN: kiln-check %s
// Variables and random numbers.

// A read is the value at its place; later writes do not change it.
kiln.variable @v index 0 : tensor<2xf32> {check.initial = dense<[1.0, 2.0]> : tensor<2xf32>}
func.func @reads_and_writes(
    %x: tensor<2xf32> {check.value = dense<[10.0, 20.0]> : tensor<2xf32>}) {
  %0 = kiln.var_read @v : tensor<2xf32>
  %1 = kiln.add %0, %x : tensor<2xf32>
  kiln.var_write @v, %1 : tensor<2xf32>
  check.expect_eq %0 : tensor<2xf32>, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_variable @v, dense<[11.0, 22.0]> : tensor<2xf32>
  return
}

// -----

// A variable without a value has one behind a write.
kiln.variable @fresh index 0 : tensor<3xi32>
func.func @initializes() {
  %before = kiln.var_is_initialized @fresh : tensor<i1>
  %0 = kiln.constant dense<[3, 1, 2]> : tensor<3xi32> : tensor<3xi32>
  kiln.var_write @fresh, %0 : tensor<3xi32>
  check.expect_eq %before : tensor<i1>, dense<false> : tensor<i1>
  check.expect_variable @fresh, dense<[3, 1, 2]> : tensor<3xi32>
  return
}

// -----

// An error before the writes leaves the variable as it was.
kiln.variable @kept index 0 : tensor<i32> {check.initial = dense<5> : tensor<i32>}
func.func @an_error_writes_nothing(
    %x: tensor<i32> {check.value = dense<0> : tensor<i32>}) {
  %0 = kiln.var_read @kept : tensor<i32>
  %1 = kiln.div %0, %x : tensor<i32> loc("ratio")
  kiln.var_write @kept, %1 : tensor<i32>
  check.expect_error "INVALID_ARGUMENT: Integer division by zero [[{{node ratio}}]]"
  check.expect_variable @kept, dense<5> : tensor<i32>
  return
}

// -----

// The second update reads what the first has written, in another order.
kiln.variable @twice index 0 : tensor<2x2xf32> {check.initial = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>}
func.func @an_update_of_an_update() {
  %0 = kiln.var_read @twice : tensor<2x2xf32>
  %1 = kiln.add %0, %0 : tensor<2x2xf32>
  kiln.var_write @twice, %1 : tensor<2x2xf32>
  %2 = kiln.matmul %1, %1 transposed : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  kiln.var_write @twice, %2 : tensor<2x2xf32>
  check.expect_variable @twice, dense<[[20.0, 44.0], [44.0, 100.0]]> : tensor<2x2xf32>
  return
}
