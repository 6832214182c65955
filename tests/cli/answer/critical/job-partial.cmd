# Records of collectives are lost, so that nobody can tell who came last; one rank alone; no collective.
"$FIXTURES" multi-rank --all-ranks lost --world 2 --layers 4 --steps 4 --slow-rank none --lose-events tail@1
"$TRACEQ" critical lost -q --table job_bound --format tsv
"$TRACEQ" critical lost/rank0.json --table job_path --format tsv
"$FIXTURES" tiny --rank 0 --world 2 >rank0.json
"$FIXTURES" tiny --rank 1 --world 2 --seed 2 >rank1.json
"$TRACEQ" critical rank0.json rank1.json -n 4 | sed '/^the critical path, by owner/,/^--per/d'
