# two paths are compared unless --style says otherwise; other GPUs are compared when that is allowed
"$FIXTURES" healthy --steps 6 >base.json
"$FIXTURES" healthy --steps 6 --seed 2 >new.json
"$TRACEQ" report -q base.json new.json | sed -n '/^WHAT CHANGED/,/^WHERE/p'
echo "== the same, with vs"
"$TRACEQ" report -q base.json vs new.json | grep "step time:"
echo "== as runs"
"$TRACEQ" report -q base.json new.json --style run | sed -n '/^RUN REPORT/,/^WHERE/p' | head -n 8
echo "== other GPUs"
sed 's/NVIDIA H100 80GB HBM3/NVIDIA A100-SXM4-80GB/' new.json >other.json
"$TRACEQ" report -q base.json other.json
echo "exit $?"
"$TRACEQ" report -q base.json other.json --allow-env gpu | grep -e "step time:" -e "GPU  "
"$TRACEQ" plot -q compare-step base.json other.json
echo "exit $?"
"$TRACEQ" plot -q --allow-env gpu --list base.json other.json | grep compare
