# Completes as bash does it: the function, the words so far, COMPREPLY.
"$TRACEQ" completion bash >script || exit
bash -n script || exit
# shellcheck disable=SC1091
source ./script
tab() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_traceq 2>/dev/null
	echo "$*: ${COMPREPLY[*]}"
}
tab traceq to
tab traceq che
tab traceq --v
tab traceq top --row
tab traceq top --sor
tab traceq top --format ''
tab traceq top --format = c
tab traceq top a.json --color al
tab traceq top -u ''
tab traceq top -o ''
tab traceq explain truncated_
tab traceq completion ''
tab traceq help expl
complete -p traceq
