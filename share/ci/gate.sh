#!/bin/bash
# The steps of a gate in CI, the same on GitHub, GitLab and in a shell.
#
#   gate.sh find       which traceq: $TRACEQ, that of PATH, that beside this script; else builds the tree
#                      that this script lies in
#   gate.sh gate       holds the run against the store; reports go to $TRACEQ_OUT; exit 0 whatever comes
#   gate.sh keep       where the gate passed, or there was no base: the run becomes one
#   gate.sh comment    the summary as a comment of the pull or merge request, one that is updated
#   gate.sh verdict    the exit code of the gate: 0 passed, 1 worse, 2 no answer
#   gate.sh all        find, gate, keep when TRACEQ_UPDATE is true, comment when TRACEQ_COMMENT is, verdict
#
# Asked by variables:
#   TRACEQ_RUN         files or folders of the new run, one a line
#   TRACEQ_STORE       the store of baselines [traceq-store]
#   TRACEQ_OUT         where reports go [traceq-gate]
#   TRACEQ_NAME        tells several gates of one repository apart [gate]
#   TRACEQ_OPTIONS     further options of traceq gate, one a line: --tier=perf
#   TRACEQ_MISSING     without a base: error, warn or pass [warn]
#   TRACEQ_UPDATE TRACEQ_COMMENT TRACEQ_HTML      true or false [false false true]
#   TRACEQ_COMMIT      of the run [$GITHUB_SHA, $CI_COMMIT_SHA]
#   TRACEQ_PULL        number of the pull request [of GitHub's or GitLab's variables]
#   GH_TOKEN, TRACEQ_GITLAB_TOKEN                 for the comment
# Nothing of them is run: they are words of command lines and never text of a script.
set -uo pipefail

store=${TRACEQ_STORE:-traceq-store}
out=${TRACEQ_OUT:-traceq-gate}
name=${TRACEQ_NAME:-gate}
commit=${TRACEQ_COMMIT:-${GITHUB_SHA:-${CI_COMMIT_SHA:-}}}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 2

say() { echo "traceq gate: $*" >&2; }
fail() { say "$*"; exit 2; }

# lines TEXT: its lines that are not empty, into the array `list`.
lines() {
	local line
	list=()
	while IFS= read -r line; do
		[ -z "$line" ] || list+=("$line")
	done <<<"$1"
}

# output KEY VALUE: for later steps.  The end of a value is a word that nobody can know.
output() {
	local end
	[ -n "${GITHUB_OUTPUT:-}" ] || return 0
	end=end-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	printf '%s<<%s\n%s\n%s\n' "$1" "$end" "$2" "$end" >>"$GITHUB_OUTPUT"
}

# The program, into `traceq`.
find_traceq() {
	local tree=$here/../..
	if [ -n "${TRACEQ:-}" ]; then
		traceq=$TRACEQ
	elif command -v traceq >/dev/null 2>&1; then
		traceq=$(command -v traceq)
	elif [ -x "$here/../../../bin/traceq" ]; then
		traceq=$here/../../../bin/traceq
	else
		traceq=$tree/build/release/traceq
		if [ ! -x "$traceq" ]; then
			[ -f "$tree/Makefile" ] || fail "no traceq: set TRACEQ, or install it"
			make -C "$tree" -j"$(nproc)" all >&2 || fail "traceq cannot be built"
		fi
	fi
	"$traceq" --version >&2 || fail "$traceq does not run"
}

runs() {
	lines "${TRACEQ_RUN:-}"
	[ ${#list[@]} -gt 0 ] || fail "TRACEQ_RUN names no run"
	run=("${list[@]}")
}

# The operands: one base and one run, or labels where the run is several.
sides() {
	local r
	if [ ${#run[@]} -eq 1 ]; then
		side=("$store" "${run[0]}")
	else
		side=("base=$store")
		for r in "${run[@]}"; do side+=("new=$r"); done
	fi
}

comment_body() {
	echo "<!-- traceq: ${name//[^A-Za-z0-9_.-]/_} -->"
	if [ -s "$out/gate.md" ]; then cat "$out/gate.md"; else echo "traceq gate: no answer, see the log."; fi
}

gate() {
	local code=0 verdict=pass
	local r
	mkdir -p "$out" || fail "cannot make $out"
	echo 2 >"$out/exit-code" # whatever ends this early is no answer
	find_traceq
	runs
	for r in "${run[@]}"; do
		[ -e "$r" ] || fail "there is no run $r"
	done
	sides
	rm -f "$out"/gate.{txt,xml,md,json} "$out/metrics.txt" "$out/report.html" "$out/comment.md"
	lines "${TRACEQ_OPTIONS:-}"
	"$traceq" gate "--missing-baseline=${TRACEQ_MISSING:-warn}" "--junit=$out/gate.xml" "--md=$out/gate.md" \
		"--json-out=$out/gate.json" "--openmetrics=$out/metrics.txt" ${list[@]+"${list[@]}"} \
		-- "${side[@]}" >"$out/gate.txt" || code=$?
	cat "$out/gate.txt"
	[ "$code" -le 2 ] || code=2
	case $code in 1) verdict=fail ;; 2) verdict=none ;; esac
	if [ "${TRACEQ_HTML:-true}" = true ]; then
		"$traceq" report -q -o "$out/report.html" -- "${run[@]}" || say "no report.html"
	fi
	comment_body >"$out/comment.md"
	echo "$code" >"$out/exit-code"
	output verdict "$verdict"
	output exit-code "$code"
}

verdict() {
	[ -s "$out/exit-code" ] || fail "there was no gate in $out"
	return "$(cat "$out/exit-code")"
}

keep() {
	local words=()
	find_traceq
	runs
	verdict || { say "the run is not kept: it did not pass"; return 0; }
	[ -z "$commit" ] || words+=("--commit=$commit")
	"$traceq" baseline add "${words[@]}" -- "$store" "${run[@]}"
}

# The request's comments: the id of ours, the newest if there are several.
comment_github() {
	local pull=$1 marker id
	marker=$(head -n 1 "$out/comment.md")
	id=$(gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$pull/comments" \
		--jq ".[] | select(.body | startswith(\"$marker\")) | .id" | tail -n 1) || return 1
	if [ -n "$id" ]; then
		gh api --silent -X PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$out/comment.md"
	else
		gh api --silent "repos/$GITHUB_REPOSITORY/issues/$pull/comments" -F "body=@$out/comment.md"
	fi
}

comment_gitlab() {
	local at=$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$1/notes marker id
	marker=$(head -n 1 "$out/comment.md")
	id=$(curl -sSf -H "PRIVATE-TOKEN: $TRACEQ_GITLAB_TOKEN" "$at?per_page=100" |
		jq -r --arg m "$marker" '[.[] | select(.body | startswith($m)) | .id] | last // empty') || return 1
	if [ -n "$id" ]; then
		curl -sSf -o /dev/null -X PUT -H "PRIVATE-TOKEN: $TRACEQ_GITLAB_TOKEN" "$at/$id" \
			--data-urlencode "body@$out/comment.md"
	else
		curl -sSf -o /dev/null -H "PRIVATE-TOKEN: $TRACEQ_GITLAB_TOKEN" "$at" \
			--data-urlencode "body@$out/comment.md"
	fi
}

# A comment that cannot be written changes no verdict.
comment() {
	local pull=${TRACEQ_PULL:-${CI_MERGE_REQUEST_IID:-}}
	[ -s "$out/comment.md" ] || fail "there was no gate in $out"
	case $pull in
	'') say "no comment: this is no pull request" ;;
	*[!0-9]*) fail "TRACEQ_PULL is no number" ;;
	*)
		if [ -n "${GITHUB_REPOSITORY:-}" ]; then
			comment_github "$pull" || say "the comment was not written: may the token write to pull requests?"
		elif [ -n "${TRACEQ_GITLAB_TOKEN:-}" ]; then
			comment_gitlab "$pull" || say "the comment was not written"
		else
			say "no comment: TRACEQ_GITLAB_TOKEN is not set"
		fi
		;;
	esac
}

all() {
	gate
	[ "${TRACEQ_UPDATE:-false}" != true ] || keep || exit 2
	[ "${TRACEQ_COMMENT:-false}" != true ] || comment
	verdict
}

case ${1:-} in
find)
	find_traceq
	output traceq "$traceq"
	;;
gate | keep | comment | verdict | all) "$1" ;;
*) fail "which step? find, gate, keep, comment, verdict or all" ;;
esac
