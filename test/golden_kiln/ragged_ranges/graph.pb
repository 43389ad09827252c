
8
start_float32Placeholder*
shape:*
dtype0
8
limit_float32Placeholder*
shape:*
dtype0
8
delta_float32Placeholder*
shape:*
dtype0
_
RaggedRangeRaggedRangestart_float32limit_float32delta_float32*
Tsplits0*
T0
a
RaggedRange_1RaggedRangestart_float32limit_float32delta_float32*
Tsplits0	*
T0
8
start_float64Placeholder*
shape:*
dtype0
8
limit_float64Placeholder*
shape:*
dtype0
8
delta_float64Placeholder*
shape:*
dtype0
a
RaggedRange_2RaggedRangestart_float64limit_float64delta_float64*
Tsplits0*
T0
a
RaggedRange_3RaggedRangestart_float64limit_float64delta_float64*
Tsplits0	*
T0
6
start_int32Placeholder*
shape:*
dtype0
6
limit_int32Placeholder*
shape:*
dtype0
6
delta_int32Placeholder*
shape:*
dtype0
[
RaggedRange_4RaggedRangestart_int32limit_int32delta_int32*
Tsplits0*
T0
[
RaggedRange_5RaggedRangestart_int32limit_int32delta_int32*
Tsplits0	*
T0
6
start_int64Placeholder*
shape:*
dtype0	
6
limit_int64Placeholder*
shape:*
dtype0	
6
delta_int64Placeholder*
shape:*
dtype0	
[
RaggedRange_6RaggedRangestart_int64limit_int64delta_int64*
Tsplits0*
T0	
[
RaggedRange_7RaggedRangestart_int64limit_int64delta_int64*
Tsplits0	*
T0	"ª