
,
xPlaceholder*
dtype0*
shape:
,
yPlaceholder*
dtype0*
shape:

LgammaLgammax*
T0

Lgamma_1Lgammax*
T0

DigammaDigammax*
T0
 
	Digamma_1Digammax*
T0
 
BesselI0BesselI0x*
T0
"

BesselI0_1BesselI0x*
T0
"
	BesselI0e	BesselI0ex*
T0
$
BesselI0e_1	BesselI0ex*
T0
 
BesselI1BesselI1x*
T0
"

BesselI1_1BesselI1x*
T0
"
	BesselI1e	BesselI1ex*
T0
$
BesselI1e_1	BesselI1ex*
T0"ª