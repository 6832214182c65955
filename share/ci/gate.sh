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
#   TRACEQ_OPTIONS     options that tune, one a line, with = before a value: --tier=perf; which: TUNING below
#   TRACEQ_MISSING     without a base: error, warn or pass [warn]
#   TRACEQ_UPDATE TRACEQ_COMMENT TRACEQ_HTML      true or false [false false true]
#   TRACEQ_COMMIT      of the run [$GITHUB_SHA, $CI_COMMIT_SHA]
#   TRACEQ_PULL        number of the pull request [of GitHub's or GitLab's variables]
#   GH_TOKEN, TRACEQ_GITLAB_TOKEN                 for the comment
# Nothing of them is run: they are words of command lines and never text of a script.
set -uo pipefail

# What TRACEQ_OPTIONS may say.  All else would make it another gate, or none, or turn off a report of this script.
TUNING=(--tier= --check= --better= --noise= --gate-on= --fail-on= --strict-unknown --allow-lost= --allow-env= --warmup= --thresholds= --no-config
	--steps= --device= --stream= --rank= --cat= --comm= --strict
	--window= --alpha= --min-change= --limit= --row-limit= --unit= --time-unit= --verbose --wide --ascii --ci= --threads=)
GITHUB_MOST=65536 GITLAB_MOST=1000000 # bytes of a comment; the servers count characters

store=${TRACEQ_STORE:-traceq-store}
out=${TRACEQ_OUT:-traceq-gate}
name=${TRACEQ_NAME:-gate}
commit=${TRACEQ_COMMIT:-${GITHUB_SHA:-${CI_COMMIT_SHA:-}}}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 2

# Whatever is said is one line, and no order to a runner.
say() {
	local text=${*//[![:print:]]/?}
	printf 'traceq gate: %s\n' "${text//'##'/'# #'}" >&2
}
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

# The words of TRACEQ_OPTIONS, into `list`.  Each is a line of its own, so none is the value of another.
tuning() {
	local word name known
	lines "${TRACEQ_OPTIONS:-}"
	for word in ${list[@]+"${list[@]}"}; do
		name=${word%%=*}
		[ "$name" = "$word" ] || name="$name="
		for known in "${TUNING[@]}"; do
			[ "$name" != "$known" ] || continue 2
		done
		for known in "${TUNING[@]}"; do
			[ "$name=" != "$known" ] || fail "TRACEQ_OPTIONS: $name wants its value in the same line, as in ${name}VALUE"
			[ "$name" != "$known=" ] || fail "TRACEQ_OPTIONS: $known takes no value"
		done
		fail "TRACEQ_OPTIONS: $(printf %q "${name%=}") is not an option that tunes the gate; those are ${TUNING[*]}"
	done
}

# How many figures were compared, as the report in JUnit says it, into `compared`.  Its second line is the root
# element: names that come from a trace cannot look like it, as quotes in attributes are escaped.
count() {
	local root='' shape='^<testsuites name="traceq gate" tests="([0-9]{1,9})" failures="[0-9]{1,9}" errors="([0-9]{1,9})" skipped="([0-9]{1,9})" time='
	compared=0
	[ -f "$out/gate.xml" ] && { read -r _ && IFS= read -r root; } <"$out/gate.xml"
	[[ ! $root =~ $shape ]] || compared=$((10#${BASH_REMATCH[1]} - 10#${BASH_REMATCH[2]} - 10#${BASH_REMATCH[3]}))
}

# Whether there was no base, and that was to be none, as the program says it.
is_first() {
	[ "${TRACEQ_MISSING:-warn}" != error ] && grep -qs '"id": "no_baseline"' "$out/gate.json"
}

# Whether noise alone keeps a figure from having failed.
is_noisy() { grep -qs '"verdict": "gate NOISY"' "$out/gate.json"; }

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

# Where the whole of a report is that a comment has no room for.
place() {
	if [ -n "${GITHUB_RUN_ID:-}" ] && [ -n "${GITHUB_REPOSITORY:-}" ]; then
		echo "gate.md among [the artifacts of this run](${GITHUB_SERVER_URL:-https://github.com}/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID)"
	elif [ -n "${CI_JOB_URL:-}" ]; then
		echo "gate.md among [the artifacts of this job]($CI_JOB_URL)"
	else
		echo "gate.md"
	fi
}

# The comment: as much of gate.md as the server takes, cut at a line, what is folded closed.
comment_body() {
	local marker="<!-- traceq: ${name//[^A-Za-z0-9_.-]/_} -->" most=$GITHUB_MOST last
	[ -z "${GITLAB_CI:-}" ] || most=$GITLAB_MOST
	last="The rest is cut: this is longer than a comment may be. The whole is in $(place)."
	echo "$marker"
	if [ ! -s "$out/gate.md" ]; then
		echo "traceq gate: no answer, see the log."
	else
		LC_ALL=C awk -v most=$((most - ${#marker} - 1)) -v last="$last" '
			# What comes behind a line is kept back until it is known whether all of it has room.
			{ all += length($0) + 1; line[NR] = $0; size[NR] = all
			  if (/^<details>/) open = 1
			  is_open[NR] = open
			  if (/^<\/details>/) open = is_open[NR] = 0 }
			END {
				room = most - length(last) - length("\n</details>\n\n\n")
				for (n = NR; all > most && n > 0 && size[n] > room; n--) ;
				for (i = 1; i <= n; i++) print line[i]
				if (n < NR) printf "%s\n%s\n", is_open[n] ? "\n</details>\n" : "", last
			}' "$out/gate.md"
	fi
}

gate() {
	local code=0 verdict=pass compared
	local r page=()
	mkdir -p -- "$out" || fail "cannot make $out"
	echo 2 >"$out/exit-code" # whatever ends this early is no answer
	find_traceq
	runs
	for r in "${run[@]}"; do
		[ -e "$r" ] || fail "there is no run $r"
	done
	sides
	rm -f -- "$out"/gate.{txt,xml,md,json,html} "$out/metrics.txt" "$out/report.html" "$out/comment.md"
	tuning
	[ "${TRACEQ_HTML:-true}" != true ] || page=("--html=$out/gate.html")
	"$traceq" gate "--missing-baseline=${TRACEQ_MISSING:-warn}" "--junit=$out/gate.xml" "--md=$out/gate.md" \
		"--json-out=$out/gate.json" "--openmetrics=$out/metrics.txt" ${page[@]+"${page[@]}"} ${list[@]+"${list[@]}"} \
		-- "${side[@]}" >"$out/gate.txt" || code=$?
	cat "$out/gate.txt"
	[ "$code" -le 2 ] || code=2
	count
	if [ "$code" != 2 ] && [ "$compared" -le 0 ] && ! is_first; then
		say "no answer: not one figure was compared"
		code=2
	fi
	case $code in 0) ! is_noisy || verdict=noisy ;; 1) verdict=fail ;; 2) verdict=none ;; esac
	if [ "${TRACEQ_HTML:-true}" = true ]; then
		"$traceq" report -q -o "$out/report.html" -- "${run[@]}" || say "no report.html"
	fi
	comment_body >"$out/comment.md"
	echo "$code" >"$out/exit-code"
	output verdict "$verdict"
	output exit-code "$code"
	output compared "$compared"
}

# Noise is no green: a check of its own on GitHub, neutral, where the token may write checks.
neutral() {
	[ -n "${GITHUB_REPOSITORY:-}" ] && [ -n "${GH_TOKEN:-}" ] || return 0
	gh api --silent "repos/$GITHUB_REPOSITORY/check-runs" -f "name=traceq $name" -f "head_sha=$commit" -f status=completed \
		-f conclusion=neutral -f 'output[title]=noisy: more runs would decide' -F "output[summary]=@$out/comment.md" 2>/dev/null
}

verdict() {
	[ -s "$out/exit-code" ] || fail "there was no gate in $out"
	case $(cat "$out/exit-code") in
	0) ! is_noisy || neutral || say "no neutral check: that wants checks: write"; return 0 ;;
	1) return 1 ;;
	*) return 2 ;;
	esac
}

keep() {
	local words=()
	find_traceq
	runs
	verdict || { say "the run is not kept: it did not pass"; return 0; }
	[ -z "$commit" ] || words+=("--commit=$commit")
	"$traceq" baseline add "${words[@]}" -- "$store" "${run[@]}"
}

# Who writes to GitHub: the token's user, or the app it belongs to.  A workflow's own token may not ask.
github_login() {
	local login
	login=$(gh api user --jq .login 2>/dev/null) ||
		login=$(gh api graphql -f 'query={viewer{login}}' --jq .data.viewer.login 2>/dev/null) ||
		login='github-actions[bot]'
	case ${login%'[bot]'} in *[!A-Za-z0-9_-]* | '') return 1 ;; esac
	echo "$login"
}

# The request's comments: ours has the marker and was written by us, the newest if there are several.
comment_github() {
	local pull=$1 marker login id=''
	marker=$(head -n 1 "$out/comment.md")
	if login=$(github_login); then
		id=$(gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$pull/comments" \
			--jq ".[] | select(.user.login == \"$login\" and (.body | startswith(\"$marker\n\"))) | .id" | tail -n 1) || return 1
	fi
	if [ -n "$id" ]; then
		gh api --silent -X PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$out/comment.md"
	else
		gh api --silent "repos/$GITHUB_REPOSITORY/issues/$pull/comments" -F "body=@$out/comment.md"
	fi
}

# gitlab WORD...: curl with the token, which stands in no argument, no file and no trace of the shell.
gitlab() (
	{ set +x; } 2>/dev/null
	case $TRACEQ_GITLAB_TOKEN in
	*[!A-Za-z0-9_.~+/=@:-]*) fail "TRACEQ_GITLAB_TOKEN has characters that no token has" ;;
	esac
	printf 'header = "PRIVATE-TOKEN: %s"\n' "$TRACEQ_GITLAB_TOKEN" | curl -sSf --config - "$@"
)

# Ours is that with the marker and of the token's user, the newest if there are several; notes come newest first.
comment_gitlab() {
	local at=$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$1/notes marker me notes id='' page
	marker=$(head -n 1 "$out/comment.md")
	me=$(gitlab "$CI_API_V4_URL/user" | jq -er '.id | numbers') || return 1
	for ((page = 1; page <= 100; page++)); do
		notes=$(gitlab "$at?per_page=100&page=$page") || return 1
		id=$(jq -r --arg m "$marker" --argjson me "$me" '[.[] | select(.author.id == $me and (.system | not)
			and (.body | startswith($m + "\n"))) | .id] | first // empty' <<<"$notes") || return 1
		if [ -n "$id" ] || [ "$(jq length <<<"$notes")" != 100 ]; then break; fi
	done
	if [ -n "$id" ]; then
		gitlab -o /dev/null -X PUT "$at/$id" --data-urlencode "body@$out/comment.md"
	else
		gitlab -o /dev/null "$at" --data-urlencode "body@$out/comment.md"
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
		elif [ -n "${TRACEQ_GITLAB_TOKEN:+set}" ]; then
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
