# how a picture is to look: heading, size, colours, how many bars; and what is refused
"$FIXTURES" healthy --steps 3 >t.json
mkdir run ranks
echo '{"stage_times": {"forward": [0.12, 0.13], "backward": [0.25, 0.27]}, "total_steps": 2}' >run/stage_times.json
for r in 0 1; do "$FIXTURES" multi-rank --rank $r --world 2 --steps 2 >ranks/rank$r.json; done
texts() { awk '/^\$text/ { on = 1; next } /^END_OF/ { on = 0 } on' "$1"; }
draw() { PATH= "$TRACEQ" plot "$@" -q -o a.svg 2>/dev/null; }
echo 'heading'; draw step-ledger t.json; texts a.gp | sed -n 3,4p
draw step-ledger t.json --steps 3-4; texts a.gp | sed -n 4p
draw kernel-type ranks; texts a.gp | sed -n 4p
draw kernel-type ranks/rank0.json ranks/rank1.json; texts a.gp | sed -n 4p
draw stage-bar run; texts a.gp | sed -n 3,4p; sed -n 3,4p a.dat
echo 'title, bars'; draw top-kernels t.json --title 'Before the change' --limit 2
texts a.gp | sed -n 3,5p; grep -c '^ ' a.dat; sed -n 2p a.gp
echo 'size'; draw top-kernels t.json --size 480x300; grep -o 'svg size .* dynamic .*font.*[0-9]' a.gp
draw top-kernels t.json --size 1600x1000; grep -o 'svg size .* dynamic .*font.*[0-9]' a.gp
echo 'dark'; draw top-kernels t.json --theme dark; grep '^c_paper\|^c_text' a.gp
echo 'refused'
try() { "$TRACEQ" "$@" -q -o no.svg; echo "exit $?"; }
for size in 399x300 480x239 8001x600 480 480x 480x300x1 x300 -480x300; do try plot top-kernels t.json "--size=$size"; done
try plot top-kernels t.json --theme blue
try plot top-kernels t.json --limit 201
try plot top-kernels t.json --title ' '
try plot gpu-util ranks/* ranks/* ranks/* ranks/* --size 400x240
"$TRACEQ" report t.json --size 480x300; echo "exit $?"
ls
