#!/bin/bash
# Answers for the traces of a large job on a Slurm cluster: one task a trace makes its digest, then one
# job makes the answers of all digests.
#
#   submit.sh TRACES OUT [-- SBATCH-OPTION...]
#
# TRACES   a folder of traces (*.json, *.json.gz ...), or a list: a path a line, or "NODE:PATH" where
#          the trace lies on that node's own disk, and is read there
# OUT      a new folder that all nodes see: digests/ and log/, then job.tqd and answers/
#
#   TRACEQ          the program, as the nodes see it [traceq]
#   TRACEQ_BASE     digests or traces of an earlier job: the answers have a gate against it
#   TRACEQ_TASKS    most tasks of an array, MaxArraySize - 1 of the cluster or less [1000]
#
# Prints the numbers of the jobs, the last that of the answers.  Of more traces than tasks each task
# makes several.  The answers wait for all digests (afterok): where one fails they are not made.
set -euo pipefail

die() {
	echo "submit.sh: $*" >&2
	exit 2
}

[ $# -ge 2 ] || die "usage: submit.sh TRACES OUT [-- SBATCH-OPTION...]"
traces=$1 out=$2
shift 2
[ "${1-}" != -- ] || shift
here=$(cd "$(dirname "$0")" && pwd)
tasks=${TRACEQ_TASKS:-1000}
[[ $tasks =~ ^[1-9][0-9]*$ ]] || die "TRACEQ_TASKS is a number of 1 or more, not '$tasks'"

# What there is to do: lines "NODE<tab>PATH", the node empty where every node sees the trace.
listed() {
	if [ -d "$traces" ]; then
		find "$(cd "$traces" && pwd)" -type f \( -name '*.json' -o -name '*.json.*' \) | LC_ALL=C sort |
			sed 's/^/\t/'
	elif [ -f "$traces" ]; then
		sed -E -e '/^[[:space:]]*(#|$)/d' -e '/^\//{s/^/\t/;b' -e '}' \
			-e '/^[A-Za-z0-9._-]+:\//{s/:/\t/;b' -e '}' -e "s|^|\t$PWD/|" "$traces"
	else
		die "$traces: no folder and no list of traces"
	fi
}

mkdir -p "$(dirname "$out")"
mkdir "$out" 2>/dev/null || die "$out: is there already, or cannot be made"
out=$(cd "$out" && pwd)
mkdir "$out/digests" "$out/log" "$out/list"

# A list for each node: "NUMBER<tab>PATH", the numbers those of all traces, so that no two digests
# have one name.
listed | dir=$out/list awk -F '\t' '{
	file = ENVIRON["dir"] "/" ($1 == "" ? "any" : "node." $1)
	printf "%06d\t%s\n", NR, substr($0, length($1) + 2) >file
}'
compgen -G "$out/list/*" >/dev/null || die "$traces: no trace in it"

after=
for list in "$out"/list/*; do
	n=$(wc -l <"$list")
	[ "$n" -le "$tasks" ] || n=$tasks
	where=()
	[ "${list##*/}" = any ] || where=(--nodelist="${list##*/node.}")
	id=$(sbatch --parsable --array=0-$((n - 1)) --output="$out/log/digest-%A-%a.txt" \
		"${where[@]}" "$@" "$here/digest.sh" "$list" "$out/digests")
	id=${id%%;*}
	echo "$id"
	after+=:$id
done
id=$(sbatch --parsable --dependency="afterok$after" --kill-on-invalid-dep=yes \
	--output="$out/log/answers.txt" "$@" "$here/reduce.sh" "$out" "$(cat "$out"/list/* | wc -l)")
echo "${id%%;*}"
