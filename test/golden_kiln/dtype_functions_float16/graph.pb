
7
aPlaceholder*
shape:ÿÿÿÿÿÿÿÿÿ*
dtype0
7
bPlaceholder*
shape:ÿÿÿÿÿÿÿÿÿ*
dtype0

ExpExpa*
T0

Expm1Expm1a*
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
AtanAtana*
T0

SinhSinha*
T0

CoshCosha*
T0

TanhTanha*
T0

SigmoidSigmoida*
T0

ErfErfa*
T0
 
SoftplusSoftplusa*
T0

LogLoga*
T0

Log1pLog1pa*
T0

RsqrtRsqrta*
T0

PowPowab*
T0"ª