# a file that is nothing, or too short to tell, is answered with what was tried
"$FIXTURES" artifact profile | head -c 25 >cut.json
"$FIXTURES" tiny --layout line | head -c 40 >cut-trace.json
echo '{"foo": "bar"}' >other.json
echo '[1, 2, 3]' >list.json
echo '[]' >empty.json
echo 'hello world' >text
for f in cut.json cut-trace.json other.json list.json empty.json text; do
	"$TRACEQ" info "$f"
	echo "$?"
done
# help fits a terminal of 80 columns
for v in $("$TRACEQ" --help | sed -n '/^Commands/,/^$/s/^  \([a-z]\+\) .*/\1/p'); do
	"$TRACEQ" "$v" --help | awk -v v="$v" 'length($0) > 80 { print v ": " $0 }'
done
# tables of monitors are read as samples
printf '# gpu    pwr  gtemp  mtemp     sm    mem\n# Idx      W      C      C      %%      %%\n    0     60     41      -     12      3\n' >dmon
printf '#Date,Time,gpu,pwr,sm\n#YYYYMMDD,HH:MM:SS,Idx,W,%%\n20251130,12:00:00,0,60,12\n' >dmon.csv
printf 'device,GPU use (%%),GPU memory use (%%)\ncard0,12,3\n' >rocm.csv
for f in dmon dmon.csv rocm.csv; do
	"$TRACEQ" smi "$f"
	echo "$?"
done
