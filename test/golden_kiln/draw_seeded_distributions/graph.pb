
,
nPlaceholder*
dtype0*
shape:
/
seedPlaceholder*
dtype0*
shape:
4
	p_float16Placeholder*
dtype0*
shape:
g
StatelessRandomGammaV2StatelessRandomGammaV2nseed	p_float16*
T0*
dtype0*
Tseed0
t
StatelessRandomPoissonStatelessRandomPoissonnseed	p_float16*
Rtype0*
T0*
dtype0*
Tseed0
v
StatelessRandomPoisson_1StatelessRandomPoissonnseed	p_float16*
T0*
Rtype0*
dtype0*
Tseed0
v
StatelessRandomPoisson_2StatelessRandomPoissonnseed	p_float16*
T0*
Rtype0*
dtype0*
Tseed0
v
StatelessRandomPoisson_3StatelessRandomPoissonnseed	p_float16*
Rtype0*
T0*
dtype0*
Tseed0
v
StatelessRandomPoisson_4StatelessRandomPoissonnseed	p_float16*
Rtype0*
T0*
dtype0	*
Tseed0
9
counts_float16Placeholder*
dtype0*
shape:
8
probs_float16Placeholder*
dtype0*
shape:
†
StatelessRandomBinomialStatelessRandomBinomialnseedcounts_float16probs_float16*
S0*
T0*
dtype0*
Tseed0
ˆ
StatelessRandomBinomial_1StatelessRandomBinomialnseedcounts_float16probs_float16*
T0*
S0*
dtype0*
Tseed0
ˆ
StatelessRandomBinomial_2StatelessRandomBinomialnseedcounts_float16probs_float16*
T0*
S0*
dtype0*
Tseed0
ˆ
StatelessRandomBinomial_3StatelessRandomBinomialnseedcounts_float16probs_float16*
S0*
T0*
dtype0*
Tseed0
ˆ
StatelessRandomBinomial_4StatelessRandomBinomialnseedcounts_float16probs_float16*
T0*
S0*
dtype0	*
Tseed0
4
	p_float32Placeholder*
dtype0*
shape:
i
StatelessRandomGammaV2_1StatelessRandomGammaV2nseed	p_float32*
T0*
dtype0*
Tseed0
v
StatelessRandomPoisson_5StatelessRandomPoissonnseed	p_float32*
Rtype0*
T0*
dtype0*
Tseed0
v
StatelessRandomPoisson_6StatelessRandomPoissonnseed	p_float32*
T0*
Rtype0*
dtype0*
Tseed0
v
StatelessRandomPoisson_7StatelessRandomPoissonnseed	p_float32*
Rtype0*
T0*
dtype0*
Tseed0
v
StatelessRandomPoisson_8StatelessRandomPoissonnseed	p_float32*
Rtype0*
T0*
dtype0*
Tseed0
v
StatelessRandomPoisson_9StatelessRandomPoissonnseed	p_float32*
Rtype0*
T0*
dtype0	*
Tseed0
9
counts_float32Placeholder*
dtype0*
shape:
8
probs_float32Placeholder*
dtype0*
shape:
ˆ
StatelessRandomBinomial_5StatelessRandomBinomialnseedcounts_float32probs_float32*
T0*
S0*
dtype0*
Tseed0
ˆ
StatelessRandomBinomial_6StatelessRandomBinomialnseedcounts_float32probs_float32*
T0*
S0*
dtype0*
Tseed0
ˆ
StatelessRandomBinomial_7StatelessRandomBinomialnseedcounts_float32probs_float32*
S0*
T0*
dtype0*
Tseed0
ˆ
StatelessRandomBinomial_8StatelessRandomBinomialnseedcounts_float32probs_float32*
T0*
S0*
dtype0*
Tseed0
ˆ
StatelessRandomBinomial_9StatelessRandomBinomialnseedcounts_float32probs_float32*
S0*
T0*
dtype0	*
Tseed0
4
	p_float64Placeholder*
dtype0*
shape:
i
StatelessRandomGammaV2_2StatelessRandomGammaV2nseed	p_float64*
T0*
dtype0*
Tseed0
w
StatelessRandomPoisson_10StatelessRandomPoissonnseed	p_float64*
T0*
Rtype0*
dtype0*
Tseed0
w
StatelessRandomPoisson_11StatelessRandomPoissonnseed	p_float64*
Rtype0*
T0*
dtype0*
Tseed0
w
StatelessRandomPoisson_12StatelessRandomPoissonnseed	p_float64*
T0*
Rtype0*
dtype0*
Tseed0
w
StatelessRandomPoisson_13StatelessRandomPoissonnseed	p_float64*
Rtype0*
T0*
dtype0*
Tseed0
w
StatelessRandomPoisson_14StatelessRandomPoissonnseed	p_float64*
Rtype0*
T0*
dtype0	*
Tseed0
9
counts_float64Placeholder*
dtype0*
shape:
8
probs_float64Placeholder*
dtype0*
shape:
‰
StatelessRandomBinomial_10StatelessRandomBinomialnseedcounts_float64probs_float64*
T0*
S0*
dtype0*
Tseed0
‰
StatelessRandomBinomial_11StatelessRandomBinomialnseedcounts_float64probs_float64*
T0*
S0*
dtype0*
Tseed0
‰
StatelessRandomBinomial_12StatelessRandomBinomialnseedcounts_float64probs_float64*
T0*
S0*
dtype0*
Tseed0
‰
StatelessRandomBinomial_13StatelessRandomBinomialnseedcounts_float64probs_float64*
T0*
S0*
dtype0*
Tseed0
‰
StatelessRandomBinomial_14StatelessRandomBinomialnseedcounts_float64probs_float64*
T0*
S0*
dtype0	*
Tseed0
1
logitsPlaceholder*
dtype0*
shape:
0
countPlaceholder*
dtype0*
shape:
k
StatelessMultinomialStatelessMultinomiallogitscountseed*
output_dtype0*
T0*
Tseed0
m
StatelessMultinomial_1StatelessMultinomiallogitscountseed*
T0*
output_dtype0	*
Tseed0
6
index_int32Placeholder*
dtype0*
shape:
5

most_int32Placeholder*
dtype0*
shape:
6
three_int32Placeholder*
dtype0*
shape:
v
RandomIndexShuffleRandomIndexShuffleindex_int32three_int32
most_int32*
rounds*
dtype0*
Tseed0
x
RandomIndexShuffle_1RandomIndexShuffleindex_int32three_int32
most_int32*
rounds*
dtype0*
Tseed0
7
index_uint32Placeholder*
dtype0*
shape:
6
most_uint32Placeholder*
dtype0*
shape:
7
three_uint32Placeholder*
dtype0*
shape:
{
RandomIndexShuffle_2RandomIndexShuffleindex_uint32three_uint32most_uint32*
rounds*
dtype0*
Tseed0
{
RandomIndexShuffle_3RandomIndexShuffleindex_uint32three_uint32most_uint32*
rounds*
dtype0*
Tseed0
6
index_int64Placeholder*
dtype0	*
shape:
5

most_int64Placeholder*
dtype0	*
shape:
6
three_int64Placeholder*
dtype0	*
shape:
x
RandomIndexShuffle_4RandomIndexShuffleindex_int64three_int64
most_int64*
rounds*
dtype0	*
Tseed0	
x
RandomIndexShuffle_5RandomIndexShuffleindex_int64three_int64
most_int64*
rounds*
dtype0	*
Tseed0	
7
index_uint64Placeholder*
dtype0*
shape:
6
most_uint64Placeholder*
dtype0*
shape:
7
three_uint64Placeholder*
dtype0*
shape:
{
RandomIndexShuffle_6RandomIndexShuffleindex_uint64three_uint64most_uint64*
rounds*
dtype0*
Tseed0
{
RandomIndexShuffle_7RandomIndexShuffleindex_uint64three_uint64most_uint64*
rounds*
dtype0*
Tseed0"ª