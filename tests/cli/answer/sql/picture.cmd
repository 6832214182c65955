# rows as bars: the first number that is no id, called by texts and ids; nothing to draw is said
$FIXTURES tiny >t.json
$TRACEQ sql t.json 'select name, step, count(*) as n, sum(dur_ns) from kernels group by name_id order by 3 desc, 1' -o p.svg -q 2>no-gnuplot
cat p.dat
$TRACEQ sql t.json 'select sum(dur_ns), stream from kernels group by stream' -o q.svg -q 2>no-gnuplot
cat q.dat
$TRACEQ sql t.json 'select name, step from kernels' -o none.svg
$TRACEQ sql t.json 'select sum(dur_ns) from kernels where name = 1 group by name' -o none.svg
ls
