# Statements over a small trace, in each form of answers; the statement may stand before the files.
cp "$T/../../input/tiny.json" a.json 2>/dev/null || "$FIXTURES" tiny >a.json
"$TRACEQ" sql a.json 'select kind, count(*), sum(dur_ns) from events group by kind order by kind'
"$TRACEQ" sql a.json 'select name, dur_ns, launch_name, op from kernels order by dur_ns desc limit 3'
"$TRACEQ" sql a.json 'select name, dur_ns, step from kernels limit 2' --json
"$TRACEQ" sql a.json "select name, dur_ns from kernels where name like '%a%' limit 2" --format csv
"$TRACEQ" sql a.json 'select name, name, 1.5, null, x'"'ff'"' from kernels limit 1' --format tsv
"$TRACEQ" sql 'select count(*) from steps' a.json --format md
"$TRACEQ" sql -e 'select count(*) n from kernels' a.json a.json
"$TRACEQ" sql a.json 'select name from kernels where 0'
# Ranks of a folder are told apart.
mkdir ranks
for rank in 0 1; do "$FIXTURES" multi-rank --world 2 --rank $rank --steps 2 >ranks/rank$rank.json; done
"$TRACEQ" sql ranks/ 'select rank, file, count(*) from collectives group by rank order by rank'
"$TRACEQ" sql ranks/ 'select name, count(*), count(distinct rank) ranks from collectives group by name_id'
"$TRACEQ" sql - 'select count(*) n from kernels' <a.json
