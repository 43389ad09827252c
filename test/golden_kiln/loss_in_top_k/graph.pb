
,
pPlaceholder*
dtype0*
shape:
8
targets_int32Placeholder*
dtype0*
shape:
2
k_int32Placeholder*
dtype0*
shape:
8
InTopKV2InTopKV2ptargets_int32k_int32*
T0
4
InTopKInTopKptargets_int32*
k*
T0
8
targets_int64Placeholder*
dtype0	*
shape:
2
k_int64Placeholder*
dtype0	*
shape:
:

InTopKV2_1InTopKV2ptargets_int64k_int64*
T0	
6
InTopK_1InTopKptargets_int64*
k*
T0	"ª