
7
aPlaceholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
7
bPlaceholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
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
2
	LeakyRelu	LeakyRelua*
alpha%ÍÌL>*
T0
 
SoftsignSoftsigna*
T0

RsqrtRsqrta*
T0

SinSina*
T0

CosCosa*
T0

TanTana*
T0

AsinAsina*
T0

AcosAcosa*
T0

AtanAtana*
T0

CoshCosha*
T0

AcoshAcosha*
T0

AtanhAtanha*
T0

ErfcErfca*
T0

ExpExpa*
T0

Expm1Expm1a*
T0

LogLoga*
T0

Log1pLog1pa*
T0

SinhSinha*
T0

TanhTanha*
T0

AsinhAsinha*
T0

ErfErfa*
T0
$

Reciprocal
Reciprocala*
T0

InvInva*
T0

SigmoidSigmoida*
T0

EluElua*
T0

SeluSelua*
T0
 
SoftplusSoftplusa*
T0

AddV2AddV2ab*
T0

SubSubab*
T0

MulMulab*
T0

DivDivab*
T0
!
RealDivRealDivab*
T0
#
FloorDivFloorDivab*
T0
#
FloorModFloorModab*
T0
)
TruncateDivTruncateDivab*
T0
#
DivNoNanDivNoNanab*
T0
!
MaximumMaximumab*
T0
!
MinimumMinimumab*
T0
5
SquaredDifferenceSquaredDifferenceab*
T0

XdivyXdivyab*
T0
#
ReluGradReluGradab*
T0
%
	Relu6Grad	Relu6Gradab*
T0
=
LeakyReluGradLeakyReluGradab*
alpha%ÍÌL>*
T0
+
SoftsignGradSoftsignGradab*
T0
!
EluGradEluGradab*
T0
#
SeluGradSeluGradab*
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
%
	RsqrtGrad	RsqrtGradab*
T0
/
ReciprocalGradReciprocalGradab*
T0
!
InvGradInvGradab*
T0
=
EqualEqualab*
incompatible_shape_error(*
T0
C
NotEqualNotEqualab*
incompatible_shape_error(*
T0

LessLessab*
T0
%
	LessEqual	LessEqualab*
T0
!
GreaterGreaterab*
T0
+
GreaterEqualGreaterEqualab*
T0

PowPowab*
T0

Atan2Atan2ba*
T0

XlogyXlogyab*
T0
!
Xlog1pyXlog1pyab*
T0
+
SoftplusGradSoftplusGradab*
T0"ª