# Flag, then NO_COLOR, then *_FORCE, then what stdout is.
cp "$T/tiny.json" .
colored() {
	if env "$@" "$TRACEQ" top tiny.json 2>/dev/null $flag | grep -q $'\033\['; then
		echo "yes $flag $*"
	else
		echo "no $flag $*"
	fi
}
flag=
colored A=1
colored FORCE_COLOR=1
colored FORCE_COLOR=0
colored CLICOLOR_FORCE=1
colored CLICOLOR_FORCE=1 NO_COLOR=
colored CLICOLOR_FORCE=1 NO_COLOR=1
flag=--color=always
colored NO_COLOR=1
flag=--color=never
colored FORCE_COLOR=1
flag='--color=auto -o -'
colored FORCE_COLOR=1
FORCE_COLOR=1 "$TRACEQ" top tiny.json -o file 2>/dev/null
grep -c $'\033' file
