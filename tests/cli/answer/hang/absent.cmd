# Of some ranks there is no dump: a rank that died, one whose dump is cut, one that is there twice.
. "$T/dumps.sh"
for r in 0 1 3; do
	dump $r 'W: 0,1,2,3' <<<'1 W all_reduce 1 scheduled [8] Float'
done
echo == rank 2 left none
"$TRACEQ" hang .
echo == rank 3 is cut, rank 0 is there twice
head -c 300 _dump_3 >cut
mv cut _dump_3
cp _dump_0 copy_of_0
"$TRACEQ" hang . | head -n 4
echo == no file says which rank it is of
mkdir x
cp _dump_0 x/dump
"$TRACEQ" hang x
echo "exit $?"
