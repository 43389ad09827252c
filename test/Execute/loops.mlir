// RUN: kiln-check %s
// Loops: values from iteration to iteration.

// No iteration, one, many: counted by the values themselves.
func.func @iterations(
    %none: tensor<i32> {check.value = dense<0> : tensor<i32>},
    %one: tensor<i32> {check.value = dense<1> : tensor<i32>},
    %many: tensor<i32> {check.value = dense<40> : tensor<i32>},
    %x: tensor<2xi64> {check.value = dense<[1, 3]> : tensor<2xi64>}) {
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %step = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %0:2 = kiln.while (%i: tensor<i32> = %zero, %a: tensor<2xi64> = %x) -> (tensor<i32>, tensor<2xi64>) {
    %c = kiln.compare lt %i, %none : tensor<i32> -> tensor<i1>
    kiln.condition %c, %i, %a : tensor<i32>, tensor<2xi64>
  } do (%j: tensor<i32>, %b: tensor<2xi64>) {
    %k = kiln.add %j, %step : tensor<i32>
    %y = kiln.add %b, %b : tensor<2xi64>
    kiln.yield %k, %y : tensor<i32>, tensor<2xi64>
  }
  %1:2 = kiln.while (%i: tensor<i32> = %zero, %a: tensor<2xi64> = %x) -> (tensor<i32>, tensor<2xi64>) {
    %c = kiln.compare lt %i, %one : tensor<i32> -> tensor<i1>
    kiln.condition %c, %i, %a : tensor<i32>, tensor<2xi64>
  } do (%j: tensor<i32>, %b: tensor<2xi64>) {
    %k = kiln.add %j, %step : tensor<i32>
    %y = kiln.add %b, %b : tensor<2xi64>
    kiln.yield %k, %y : tensor<i32>, tensor<2xi64>
  }
  %2:2 = kiln.while (%i: tensor<i32> = %zero, %a: tensor<2xi64> = %x) -> (tensor<i32>, tensor<2xi64>) {
    %c = kiln.compare lt %i, %many : tensor<i32> -> tensor<i1>
    kiln.condition %c, %i, %a : tensor<i32>, tensor<2xi64>
  } do (%j: tensor<i32>, %b: tensor<2xi64>) {
    %k = kiln.add %j, %step : tensor<i32>
    %y = kiln.add %b, %b : tensor<2xi64>
    kiln.yield %k, %y : tensor<i32>, tensor<2xi64>
  }
  check.expect_eq %0#1 : tensor<2xi64>, dense<[1, 3]> : tensor<2xi64>
  check.expect_eq %1#0 : tensor<i32>, dense<1> : tensor<i32>
  check.expect_eq %1#1 : tensor<2xi64>, dense<[2, 6]> : tensor<2xi64>
  check.expect_eq %2#0 : tensor<i32>, dense<40> : tensor<i32>
  check.expect_eq %2#1 : tensor<2xi64>, dense<[1099511627776, 3298534883328]> : tensor<2xi64>
  return
}

// a, b = b, a + b; and two values that change places.
func.func @fibonacci(%n: tensor<i32> {check.value = dense<9> : tensor<i32>},
    %x: tensor<3xi32> {check.value = dense<[0, 1, 2]> : tensor<3xi32>},
    %y: tensor<3xi32> {check.value = dense<[1, 1, 5]> : tensor<3xi32>}) {
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %r:5 = kiln.while (%i: tensor<i32> = %zero, %a: tensor<3xi32> = %x, %b: tensor<3xi32> = %y, %p: tensor<3xi32> = %x, %q: tensor<3xi32> = %y)
      -> (tensor<i32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
    %c = kiln.compare lt %i, %n : tensor<i32> -> tensor<i1>
    kiln.condition %c, %i, %a, %b, %p, %q : tensor<i32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
  } do (%i: tensor<i32>, %a: tensor<3xi32>, %b: tensor<3xi32>, %p: tensor<3xi32>, %q: tensor<3xi32>) {
    %j = kiln.add %i, %one : tensor<i32>
    %s = kiln.add %a, %b : tensor<3xi32>
    kiln.yield %j, %b, %s, %q, %p : tensor<i32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
  }
  check.expect_eq %r#1 : tensor<3xi32>, dense<[34, 55, 212]> : tensor<3xi32>
  check.expect_eq %r#2 : tensor<3xi32>, dense<[55, 89, 343]> : tensor<3xi32>
  check.expect_eq %r#3 : tensor<3xi32>, dense<[1, 1, 5]> : tensor<3xi32>
  check.expect_eq %r#4 : tensor<3xi32>, dense<[0, 1, 2]> : tensor<3xi32>
  return
}

// Three values go round, and numbers as well as vectors.
func.func @rotate(%n: tensor<i32> {check.value = dense<4> : tensor<i32>},
    %x: tensor<f32> {check.value = dense<1.0> : tensor<f32>},
    %y: tensor<f32> {check.value = dense<2.0> : tensor<f32>},
    %z: tensor<f32> {check.value = dense<3.0> : tensor<f32>}) {
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %r:4 = kiln.while (%i: tensor<i32> = %zero, %a: tensor<f32> = %x, %b: tensor<f32> = %y, %c: tensor<f32> = %z)
      -> (tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>) {
    %go = kiln.compare lt %i, %n : tensor<i32> -> tensor<i1>
    kiln.condition %go, %i, %a, %b, %c : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  } do (%i: tensor<i32>, %a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) {
    %j = kiln.add %i, %one : tensor<i32>
    kiln.yield %j, %b, %c, %a : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  check.expect_eq %r#1 : tensor<f32>, dense<2.0> : tensor<f32>
  check.expect_eq %r#2 : tensor<f32>, dense<3.0> : tensor<f32>
  check.expect_eq %r#3 : tensor<f32>, dense<1.0> : tensor<f32>
  return
}

// What is forwarded is not what is carried: the half and how often it fits.
func.func @other_values_forwarded(%x: tensor<f32> {check.value = dense<20.0> : tensor<f32>}) {
  %two = kiln.constant dense<2.0> : tensor<f32> : tensor<f32>
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %r:2 = kiln.while (%a: tensor<f32> = %x, %i: tensor<i32> = %zero) -> (tensor<i32>, tensor<f32>) {
    %half = kiln.div %a, %two : tensor<f32>
    %c = kiln.compare gt %half, %two : tensor<f32> -> tensor<i1>
    kiln.condition %c, %i, %half : tensor<i32>, tensor<f32>
  } do (%i: tensor<i32>, %half: tensor<f32>) {
    %j = kiln.add %i, %one : tensor<i32>
    kiln.yield %half, %j : tensor<f32>, tensor<i32>
  }
  check.expect_eq %r#0 : tensor<i32>, dense<3> : tensor<i32>
  check.expect_eq %r#1 : tensor<f32>, dense<1.25> : tensor<f32>
  return
}

// Products, sums and a transpose in every iteration; the matrix is of outside, and
// the first value is needed behind the loop.
func.func @contractions(%n: tensor<i32> {check.value = dense<3> : tensor<i32>},
    %m: tensor<2x2xf32> {check.value = dense<[[1.0, 1.0], [0.0, 2.0]]> : tensor<2x2xf32>},
    %x: tensor<2x2xf32> {check.value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>}) {
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %none = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
  %first = kiln.neg %x : tensor<2x2xf32>
  %r:3 = kiln.while (%i: tensor<i32> = %zero, %a: tensor<2x2xf32> = %first, %s: tensor<f32> = %none)
      -> (tensor<i32>, tensor<2x2xf32>, tensor<f32>) {
    %c = kiln.compare lt %i, %n : tensor<i32> -> tensor<i1>
    kiln.condition %c, %i, %a, %s : tensor<i32>, tensor<2x2xf32>, tensor<f32>
  } do (%i: tensor<i32>, %a: tensor<2x2xf32>, %s: tensor<f32>) {
    %j = kiln.add %i, %one : tensor<i32>
    %p = kiln.matmul %m, %a : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
    %t = kiln.transpose %p permutation [1, 0] : tensor<2x2xf32> -> tensor<2x2xf32>
    %sum = kiln.reduce sum %t axes [0, 1] : tensor<2x2xf32> -> tensor<f32>
    %total = kiln.add %s, %sum : tensor<f32>
    kiln.yield %j, %t, %total : tensor<i32>, tensor<2x2xf32>, tensor<f32>
  }
  %both = kiln.add %first, %r#1 : tensor<2x2xf32>
  check.expect_eq %r#1 : tensor<2x2xf32>, dense<[[-24.0, -28.0], [-28.0, -32.0]]> : tensor<2x2xf32>
  check.expect_eq %r#2 : tensor<f32>, dense<-188.0> : tensor<f32>
  check.expect_eq %both : tensor<2x2xf32>, dense<[[-25.0, -30.0], [-31.0, -36.0]]> : tensor<2x2xf32>
  return
}

// A loop in a loop, with a branch in it: for i in 4: for j in i: odd sums.
func.func @nested(%n: tensor<i32> {check.value = dense<4> : tensor<i32>},
    %x: tensor<2xf32> {check.value = dense<[1.0, 0.5]> : tensor<2xf32>}) {
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %two = kiln.constant dense<2> : tensor<i32> : tensor<i32>
  %r:2 = kiln.while (%i: tensor<i32> = %zero, %a: tensor<2xf32> = %x) -> (tensor<i32>, tensor<2xf32>) {
    %c = kiln.compare lt %i, %n : tensor<i32> -> tensor<i1>
    kiln.condition %c, %i, %a : tensor<i32>, tensor<2xf32>
  } do (%i: tensor<i32>, %a: tensor<2xf32>) {
    %inner:2 = kiln.while (%j: tensor<i32> = %zero, %b: tensor<2xf32> = %a) -> (tensor<i32>, tensor<2xf32>) {
      %c = kiln.compare lt %j, %i : tensor<i32> -> tensor<i1>
      kiln.condition %c, %j, %b : tensor<i32>, tensor<2xf32>
    } do (%j: tensor<i32>, %b: tensor<2xf32>) {
      %k = kiln.add %j, %one : tensor<i32>
      %odd = kiln.rem %j, %two : tensor<i32>
      %isOdd = kiln.compare eq %odd, %one : tensor<i32> -> tensor<i1>
      %next = kiln.if %isOdd -> (tensor<2xf32>) {
        %d = kiln.add %b, %b : tensor<2xf32>
        kiln.yield %d : tensor<2xf32>
      } else {
        %s = kiln.add %b, %a : tensor<2xf32>
        kiln.yield %s : tensor<2xf32>
      }
      kiln.yield %k, %next : tensor<i32>, tensor<2xf32>
    }
    %next = kiln.add %i, %one : tensor<i32>
    kiln.yield %next, %inner#1 : tensor<i32>, tensor<2xf32>
  }
  check.expect_eq %r#1 : tensor<2xf32>, dense<[40.0, 20.0]> : tensor<2xf32>
  return
}
