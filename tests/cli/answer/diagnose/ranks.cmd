# A straggler: its victims' waiting is the job's finding, none of theirs; and what is CRIT of the job counts.
"$FIXTURES" multi-rank --world 4 --steps 4 --slow-percent 20 --all-ranks warn
"$TRACEQ" diagnose warn -q | sed '/^ranks of/,/^no room/d'
"$TRACEQ" diagnose warn -q --exit-code >warn.txt; echo "exit $?"
"$FIXTURES" multi-rank --world 4 --steps 4 --slow-percent 90 --all-ranks crit
"$TRACEQ" diagnose crit -q --exit-code >crit.txt; echo "exit $?"
head -2 crit.txt
grep G13 warn.txt crit.txt
# transfers that nothing hides stay a finding
"$FIXTURES" multi-rank --tp 4 --world 4 --steps 4 --slow-rank none --all-ranks none
"$TRACEQ" diagnose none -q | grep -E 'G13|^ok|WARN|CRIT'
