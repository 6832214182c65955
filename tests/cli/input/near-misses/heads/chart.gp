# traceq: step-time, drawn by gnuplot from the file of data beside this one.
$text << E
step=1 loss=0.5
step=2 loss=0.4
step=3 loss=0.3
E
