
6
outer_int32Placeholder*
shape:*
dtype0
6
inner_int32Placeholder*
shape:*
dtype0
7
values_int32Placeholder*
shape:*
dtype0
6
texts_int32Placeholder*
shape:*
dtype0
r
RaggedTensorToSparseRaggedTensorToSparseinner_int32values_int32*
Tsplits0*
T0*
RAGGED_RANK
Å
RaggedTensorToSparse_1RaggedTensorToSparseouter_int32inner_int32values_int32*
Tsplits0*
T0*
RAGGED_RANK
Ä
RaggedTensorToSparse_2RaggedTensorToSparseouter_int32inner_int32texts_int32*
Tsplits0*
T0*
RAGGED_RANK
6
outer_int64Placeholder*
shape:*
dtype0	
6
inner_int64Placeholder*
shape:*
dtype0	
7
values_int64Placeholder*
shape:*
dtype0
6
texts_int64Placeholder*
shape:*
dtype0
t
RaggedTensorToSparse_3RaggedTensorToSparseinner_int64values_int64*
Tsplits0	*
T0*
RAGGED_RANK
Å
RaggedTensorToSparse_4RaggedTensorToSparseouter_int64inner_int64values_int64*
Tsplits0	*
T0*
RAGGED_RANK
Ä
RaggedTensorToSparse_5RaggedTensorToSparseouter_int64inner_int64texts_int64*
Tsplits0	*
T0*
RAGGED_RANK"™