# Names of files and words of a command line: one line each, nothing in it steers a terminal or a CI
# server; letters of all scripts stay.
"$TRACEQ" top $'a\n::error::x'
"$TRACEQ" top $'::error file=a::b' $'\e]0;t\a'
"$TRACEQ" top $'\u202egnp.exe\u2066' $'\u00e9t\u00e9 \u65e5\u672c.json'
"$TRACEQ" $'x\n##[error]y'
"$TRACEQ" top $'--##vso[task.x]\r::y' a.json
"$TRACEQ" explain $' ::stop-commands::z'
mkdir $'d\n::error::x' && "$TRACEQ" report $'d\n::error::x'
"$TRACEQ" gate --ci github $'a\n::error::x,%' b.json
"$TRACEQ" baseline prune $'s\n::error::x' --keep 1
"$FIXTURES" healthy --steps 4 --seed 1 >a.json
"$TRACEQ" baseline add $'s\n::error::x' a.json --accept $'\u202e' --label $'::error::x\e' --time 0
"$TRACEQ" baseline list $'s\n::error::x' | cut -c1-40
exit 0
