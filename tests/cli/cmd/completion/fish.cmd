command -v fish >/dev/null || { echo "fish is not installed"; exit 77; }
"$TRACEQ" completion fish >script && fish -n script && fish --no-config -c '
	source script
	for line in "traceq che" "traceq top --form" "traceq top --format j" "traceq explain truncated_g"
		complete -C $line | sed "s/^/$line: /"
	end'
