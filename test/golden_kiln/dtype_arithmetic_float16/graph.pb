
7
aPlaceholder*
shape:ÿÿÿÿÿÿÿÿÿ*
dtype0
7
bPlaceholder*
shape:ÿÿÿÿÿÿÿÿÿ*
dtype0

AddV2AddV2ab*
T0

SubSubab*
T0

MulMulab*
T0
!
RealDivRealDivab*
T0

DivDivab*
T0
!
MaximumMaximumab*
T0
!
MinimumMinimumab*
T0

LessLessab*
T0
+
GreaterEqualGreaterEqualab*
T0
=
EqualEqualab*
T0*
incompatible_shape_error(
C
NotEqualNotEqualab*
T0*
incompatible_shape_error(
5
SquaredDifferenceSquaredDifferenceab*
T0
#
DivNoNanDivNoNanab*
T0

mul_1Mulab*
T0

addAddV2mul_1a*
T0

add_1AddV2ab*
T0

sub_1Subab*
T0
#
mul_2Muladd_1sub_1*
T0
%
truedivRealDivmul_2b*
T0

mul_3Mulab*
T0
+
AddNAddNabmul_3*
N*
T0
#
FloorDivFloorDivab*
T0
#
FloorModFloorModab*
T0

NegNega*
T0

AbsAbsa*
T0

SignSigna*
T0

SquareSquarea*
T0

SqrtSqrta*
T0

FloorFloora*
T0

CeilCeila*
T0

RoundRounda*
T0
$

Reciprocal
Reciprocala*
T0

IsNanIsNana*
T0

IsInfIsInfa*
T0
 
IsFiniteIsFinitea*
T0
 
OnesLikeOnesLikea*
T0
"
	ZerosLike	ZerosLikea*
T0

ReluRelua*
T0

Relu6Relu6a*
T0
#
ReluGradReluGradba*
T0
#
TanhGradTanhGradab*
T0
)
SigmoidGradSigmoidGradab*
T0
#
SqrtGradSqrtGradab*
T0
/
ReciprocalGradReciprocalGradab*
T0"ª