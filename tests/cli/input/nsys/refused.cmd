# What is no export: the report itself, a broken database, a database of something else, one without activity.
"$TRACEQ" --version | grep -q SQLite || { echo "traceq was built without SQLite"; exit 77; }
printf 'NVIDIA Tegra Profiler Report 2025@6@1@190-256136389829v0.\n\013Local (CLI)' >run.nsys-rep
printf 'SQLite format 3\0and nothing else that SQLite knows, not even its length' >broken.sqlite
python3 - <<'P'
import sqlite3
def make(path, sql):
    db = sqlite3.connect(path)
    db.executescript(sql)
    db.close()
make("photos.db", "CREATE TABLE photos(id)")
make("empty.sqlite", """CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT); CREATE TABLE META_DATA_EXPORT(name, value);
CREATE TABLE OSRT_API(start, end); INSERT INTO OSRT_API VALUES(1, 2), (3, 4);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end)""")
make("cut.sqlite", "PRAGMA page_size = 512; CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
     "INSERT INTO StringIds VALUES(1, 'k');"
     "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, demangledName);"
     + "".join(f"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES({i * 10}, {i * 10 + 5}, 0, 7, 1);" for i in range(1, 500)))
with open("cut.sqlite", "r+b") as f:
    f.seek(14 * 512)
    f.write(b"\xff" * 512)
P
for file in run.nsys-rep broken.sqlite photos.db empty.sqlite; do "$TRACEQ" top $file; echo "exit $?"; done
"$TRACEQ" top cut.sqlite
"$TRACEQ" top --strict cut.sqlite
echo "exit $?"
