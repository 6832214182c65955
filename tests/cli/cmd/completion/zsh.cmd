command -v zsh >/dev/null || { echo "zsh is not installed"; exit 77; }
"$TRACEQ" completion zsh >_traceq && zsh -n _traceq && head -n 1 _traceq
# As an autoloaded function, with _arguments replaced by one that shows what it is given.
zsh -f -c '
	fpath=($PWD $fpath)
	autoload -U _traceq
	_arguments() { print -rl -- "$@" | grep -e --json -e "^-o" -e --output -e --color -e "^\*"; }
	words=(traceq top "") CURRENT=3
	_traceq
'
