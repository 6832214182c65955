# Control characters of a file's name do not reach the terminal.
cd "$PWD" || exit
"$TRACEQ" top $'evil\033[2J\a\nname.json' 2>&1 | LC_ALL=C tr -d '[:print:]\n' | od -c
"$TRACEQ" $'t\033[0mop' 2>&1 | LC_ALL=C tr -d '[:print:]\n' | od -c
"$TRACEQ" top $'--li\033mit' 2>&1 | LC_ALL=C tr -d '[:print:]\n' | od -c
