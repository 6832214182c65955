# base units and whole numbers; the parts of all tables add up to the window
"$FIXTURES" tiny >t.json && "$TRACEQ" critical t.json --json
"$FIXTURES" multi-stream --steps 3 >t.json && "$TRACEQ" critical t.json --json -n 0 --list |
	python3 -c '
import json, sys
t = {t["id"]: t["rows"] for t in json.load(sys.stdin)["tables"]}
print("window", t["bound"][0]["window_ns"])
for table, column in (("path", "on_path_ns"), ("owners", "on_path_ns"), ("phases", "on_path_ns"),
                      ("steps", "duration_ns"), ("segments", "duration_ns")):
    print(table, sum(r[column] for r in t[table]))'
