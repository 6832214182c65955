# More traces of a job than are looked at together: who is waited for is among them and marked, as all ranks say, not those of a part.
"$FIXTURES" multi-rank --all-ranks job --world 66 --layers 1 --steps 3 --slow-rank 65
"$TRACEQ" plot straggler job -o part.svg
grep -o '>[^<]*\(waited\|straggler\|64 of\)[^<]*<' part.svg
"$TRACEQ" ranks job | head -1
