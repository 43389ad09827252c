
D
aPlaceholder*%
shape:ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ*
dtype0
D
bPlaceholder*%
shape:ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ*
dtype0

SoftmaxSoftmaxa*
T0
$

LogSoftmax
LogSoftmaxa*
T0
&
LogSoftmax_1
LogSoftmaxb*
T0
 
	Softmax_1Softmaxb*
T0
 
	Softmax_2Softmaxa*
T0
&
LogSoftmax_2
LogSoftmaxa*
T0
&
LogSoftmax_3
LogSoftmaxb*
T0
 
	Softmax_3Softmaxb*
T0
 
	Softmax_4Softmaxb*
T0
 
	Softmax_5Softmaxa*
T0
&
LogSoftmax_4
LogSoftmaxa*
T0
 
	Softmax_6Softmaxb*
T0
&
LogSoftmax_5
LogSoftmaxb*
T0"ª