
/
namePlaceholder*
dtype0*
shape:
3
contentsPlaceholder*
dtype0*
shape:
&
	WriteFile	WriteFilenamecontents
/
pathPlaceholder*
dtype0*
shape:

ReadFileReadFilepath
$
MatchingFilesMatchingFilespath
6
StringLengthStringLengthReadFile*
unitBYTE"ª