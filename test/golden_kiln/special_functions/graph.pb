
4
	x_float32Placeholder*
dtype0*
shape:
"
DawsnDawsn	x_float32*
T0
$
ExpintExpint	x_float32*
T0
,

FresnelCos
FresnelCos	x_float32*
T0
,

FresnelSin
FresnelSin	x_float32*
T0
$
SpenceSpence	x_float32*
T0
4
	x_float64Placeholder*
dtype0*
shape:
$
Dawsn_1Dawsn	x_float64*
T0
&
Expint_1Expint	x_float64*
T0
.
FresnelCos_1
FresnelCos	x_float64*
T0
.
FresnelSin_1
FresnelSin	x_float64*
T0
&
Spence_1Spence	x_float64*
T0
4
	b_float16Placeholder*
dtype0*
shape:
(
BesselJ0BesselJ0	b_float16*
T0
(
BesselJ1BesselJ1	b_float16*
T0
(
BesselY0BesselY0	b_float16*
T0
(
BesselY1BesselY1	b_float16*
T0
(
BesselK0BesselK0	b_float16*
T0
*
	BesselK0e	BesselK0e	b_float16*
T0
(
BesselK1BesselK1	b_float16*
T0
*
	BesselK1e	BesselK1e	b_float16*
T0
4
	b_float32Placeholder*
dtype0*
shape:
*

BesselJ0_1BesselJ0	b_float32*
T0
*

BesselJ1_1BesselJ1	b_float32*
T0
*

BesselY0_1BesselY0	b_float32*
T0
*

BesselY1_1BesselY1	b_float32*
T0
*

BesselK0_1BesselK0	b_float32*
T0
,
BesselK0e_1	BesselK0e	b_float32*
T0
*

BesselK1_1BesselK1	b_float32*
T0
,
BesselK1e_1	BesselK1e	b_float32*
T0
4
	b_float64Placeholder*
dtype0*
shape:
*

BesselJ0_2BesselJ0	b_float64*
T0
*

BesselJ1_2BesselJ1	b_float64*
T0
*

BesselY0_2BesselY0	b_float64*
T0
*

BesselY1_2BesselY1	b_float64*
T0
*

BesselK0_2BesselK0	b_float64*
T0
,
BesselK0e_2	BesselK0e	b_float64*
T0
*

BesselK1_2BesselK1	b_float64*
T0
,
BesselK1e_2	BesselK1e	b_float64*
T0
*

BesselJ0_3BesselJ0	b_float64*
T0"ª