# A fifth of the kernels came without times (CUPTI wrote 0): they are in no figure, and the gap they leave is no idleness. The
# verdict, the busy share and what a change would save are those of the whole trace.
"$TRACEQ" --version | grep -q SQLite || { echo "traceq was built without SQLite"; exit 77; }
"$FIXTURES" healthy --steps 6 >whole.json
"$FIXTURES" transcode nsys whole.json -o whole.sqlite
cp whole.sqlite lost.sqlite
python3 - <<'P'
import sqlite3
db = sqlite3.connect("lost.sqlite")
first, last = db.execute("SELECT min(start), max(end) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone()
db.execute("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 0, end = 0 WHERE start BETWEEN ? AND ?",
           (first + (last - first) * 2 // 5, first + (last - first) * 3 // 5))
db.commit()
P
for t in whole lost; do
	echo "== $t"
	"$TRACEQ" diagnose $t.sqlite | grep -E '^(verdict|because|but|GPU busy|compute|idle|all but|step |CRIT|WARN|note)' -A1 |
		grep -vE '^--|^ +(matmul|rule)'
done
"$TRACEQ" check lost.sqlite | grep -E '^(reliable|why|bad)'
