
7
pPlaceholder*
shape:ÿÿÿÿÿÿÿÿÿ*
dtype0
2
StringUpperStringUpperp*
encodingUTF-8
6
StringUpper_1StringUpperp*
encoding	latin-1"ª