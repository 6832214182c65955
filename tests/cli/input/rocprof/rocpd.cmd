# A scenario as rocprofv3 records it: its answers, from a file and through a pipe.
"$TRACEQ" --version | grep -q SQLite || { echo "built without SQLite"; exit 77; }
"$FIXTURES" rocm --steps 2 --layout rocpd >run.db || { echo "no SQLite here"; exit 77; }
"$TRACEQ" top run.db
"$TRACEQ" top - <run.db | head -n 2
cat run.db | "$TRACEQ" top - | head -n 2
"$TRACEQ" steps run.db
"$TRACEQ" launches run.db
