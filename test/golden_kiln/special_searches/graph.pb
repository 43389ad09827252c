
4
	s_float16Placeholder*
shape:*
dtype0
4
	v_float16Placeholder*
shape:*
dtype0
G

LowerBound
LowerBound	s_float16	v_float16*
out_type0*
T0
I
LowerBound_1
LowerBound	s_float16	v_float16*
out_type0	*
T0
G

UpperBound
UpperBound	s_float16	v_float16*
out_type0*
T0
I
UpperBound_1
UpperBound	s_float16	v_float16*
out_type0	*
T0
5

s_bfloat16Placeholder*
shape:*
dtype0
5

v_bfloat16Placeholder*
shape:*
dtype0
K
LowerBound_2
LowerBound
s_bfloat16
v_bfloat16*
out_type0*
T0
K
LowerBound_3
LowerBound
s_bfloat16
v_bfloat16*
out_type0	*
T0
K
UpperBound_2
UpperBound
s_bfloat16
v_bfloat16*
out_type0*
T0
K
UpperBound_3
UpperBound
s_bfloat16
v_bfloat16*
out_type0	*
T0
4
	s_float32Placeholder*
shape:*
dtype0
4
	v_float32Placeholder*
shape:*
dtype0
I
LowerBound_4
LowerBound	s_float32	v_float32*
out_type0*
T0
I
LowerBound_5
LowerBound	s_float32	v_float32*
out_type0	*
T0
I
UpperBound_4
UpperBound	s_float32	v_float32*
out_type0*
T0
I
UpperBound_5
UpperBound	s_float32	v_float32*
out_type0	*
T0
4
	s_float64Placeholder*
shape:*
dtype0
4
	v_float64Placeholder*
shape:*
dtype0
I
LowerBound_6
LowerBound	s_float64	v_float64*
out_type0*
T0
I
LowerBound_7
LowerBound	s_float64	v_float64*
out_type0	*
T0
I
UpperBound_6
UpperBound	s_float64	v_float64*
out_type0*
T0
I
UpperBound_7
UpperBound	s_float64	v_float64*
out_type0	*
T0
1
s_int8Placeholder*
shape:*
dtype0
1
v_int8Placeholder*
shape:*
dtype0
C
LowerBound_8
LowerBounds_int8v_int8*
out_type0*
T0
C
LowerBound_9
LowerBounds_int8v_int8*
out_type0	*
T0
C
UpperBound_8
UpperBounds_int8v_int8*
out_type0*
T0
C
UpperBound_9
UpperBounds_int8v_int8*
out_type0	*
T0
2
s_uint8Placeholder*
shape:*
dtype0
2
v_uint8Placeholder*
shape:*
dtype0
F
LowerBound_10
LowerBounds_uint8v_uint8*
out_type0*
T0
F
LowerBound_11
LowerBounds_uint8v_uint8*
out_type0	*
T0
F
UpperBound_10
UpperBounds_uint8v_uint8*
out_type0*
T0
F
UpperBound_11
UpperBounds_uint8v_uint8*
out_type0	*
T0
2
s_int16Placeholder*
shape:*
dtype0
2
v_int16Placeholder*
shape:*
dtype0
F
LowerBound_12
LowerBounds_int16v_int16*
out_type0*
T0
F
LowerBound_13
LowerBounds_int16v_int16*
out_type0	*
T0
F
UpperBound_12
UpperBounds_int16v_int16*
out_type0*
T0
F
UpperBound_13
UpperBounds_int16v_int16*
out_type0	*
T0
3
s_uint16Placeholder*
shape:*
dtype0
3
v_uint16Placeholder*
shape:*
dtype0
H
LowerBound_14
LowerBounds_uint16v_uint16*
out_type0*
T0
H
LowerBound_15
LowerBounds_uint16v_uint16*
out_type0	*
T0
H
UpperBound_14
UpperBounds_uint16v_uint16*
out_type0*
T0
H
UpperBound_15
UpperBounds_uint16v_uint16*
out_type0	*
T0
2
s_int32Placeholder*
shape:*
dtype0
2
v_int32Placeholder*
shape:*
dtype0
F
LowerBound_16
LowerBounds_int32v_int32*
out_type0*
T0
F
LowerBound_17
LowerBounds_int32v_int32*
out_type0	*
T0
F
UpperBound_16
UpperBounds_int32v_int32*
out_type0*
T0
F
UpperBound_17
UpperBounds_int32v_int32*
out_type0	*
T0
3
s_uint32Placeholder*
shape:*
dtype0
3
v_uint32Placeholder*
shape:*
dtype0
H
LowerBound_18
LowerBounds_uint32v_uint32*
out_type0*
T0
H
LowerBound_19
LowerBounds_uint32v_uint32*
out_type0	*
T0
H
UpperBound_18
UpperBounds_uint32v_uint32*
out_type0*
T0
H
UpperBound_19
UpperBounds_uint32v_uint32*
out_type0	*
T0
2
s_int64Placeholder*
shape:*
dtype0	
2
v_int64Placeholder*
shape:*
dtype0	
F
LowerBound_20
LowerBounds_int64v_int64*
out_type0*
T0	
F
LowerBound_21
LowerBounds_int64v_int64*
out_type0	*
T0	
F
UpperBound_20
UpperBounds_int64v_int64*
out_type0*
T0	
F
UpperBound_21
UpperBounds_int64v_int64*
out_type0	*
T0	
3
s_uint64Placeholder*
shape:*
dtype0
3
v_uint64Placeholder*
shape:*
dtype0
H
LowerBound_22
LowerBounds_uint64v_uint64*
out_type0*
T0
H
LowerBound_23
LowerBounds_uint64v_uint64*
out_type0	*
T0
H
UpperBound_22
UpperBounds_uint64v_uint64*
out_type0*
T0
H
UpperBound_23
UpperBounds_uint64v_uint64*
out_type0	*
T0
2
i_int32Placeholder*
shape:*
dtype0
2
d_int32Placeholder*
shape:*
dtype0
:
UnravelIndexUnravelIndexi_int32d_int32*

Tidx0
2
i_int64Placeholder*
shape:*
dtype0	
2
d_int64Placeholder*
shape:*
dtype0	
<
UnravelIndex_1UnravelIndexi_int64d_int64*

Tidx0	
2
x_int32Placeholder*
shape:*
dtype0
2
r_int32Placeholder*
shape:*
dtype0
2
n_int32Placeholder*
shape:*
dtype0
[
HistogramFixedWidthHistogramFixedWidthx_int32r_int32n_int32*
T0*
dtype0
]
HistogramFixedWidth_1HistogramFixedWidthx_int32r_int32n_int32*
T0*
dtype0	
2
x_int64Placeholder*
shape:*
dtype0	
2
r_int64Placeholder*
shape:*
dtype0	
2
n_int64Placeholder*
shape:*
dtype0
]
HistogramFixedWidth_2HistogramFixedWidthx_int64r_int64n_int64*
T0	*
dtype0
]
HistogramFixedWidth_3HistogramFixedWidthx_int64r_int64n_int64*
T0	*
dtype0	
4
	x_float32Placeholder*
shape:*
dtype0
4
	r_float32Placeholder*
shape:*
dtype0
4
	n_float32Placeholder*
shape:*
dtype0
c
HistogramFixedWidth_4HistogramFixedWidth	x_float32	r_float32	n_float32*
T0*
dtype0
c
HistogramFixedWidth_5HistogramFixedWidth	x_float32	r_float32	n_float32*
T0*
dtype0	
4
	x_float64Placeholder*
shape:*
dtype0
4
	r_float64Placeholder*
shape:*
dtype0
4
	n_float64Placeholder*
shape:*
dtype0
c
HistogramFixedWidth_6HistogramFixedWidth	x_float64	r_float64	n_float64*
T0*
dtype0
c
HistogramFixedWidth_7HistogramFixedWidth	x_float64	r_float64	n_float64*
T0*
dtype0	"ª