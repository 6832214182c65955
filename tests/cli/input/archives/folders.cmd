# Archives: of one file that file, of several a folder; members by name; what is left out is said.
"$TRACEQ" --version | grep -q libarchive || { echo "traceq was built without libarchive"; exit 77; }
mkdir -p run/logs run/.git
"$FIXTURES" tiny >run/rank0.json
"$FIXTURES" tiny --seed 2 | gzip -n >run/rank1.json.gz
"$FIXTURES" artifact smi >run/logs/gpu.csv
echo x >run/.git/config
ln -s rank0.json run/latest
make_tar() { tar --sort=name --mtime=@1700000000 --owner=0 --group=0 -c "$@"; }
make_tar -f run.tar run
make_tar run | zstd -q -c >run.tar.zst
make_tar -C run rank0.json | gzip -n >one.tgz
cat >zips.py <<'P'
import zipfile
T = (2024, 1, 1, 0, 0, 0)
def make(name, members, how=zipfile.ZIP_DEFLATED, **more):
    with zipfile.ZipFile(name, "w", how) as z:
        for path, text in members:
            i = zipfile.ZipInfo(path, T)
            i.compress_type = how
            with z.open(i, "w", **more) as f:
                f.write(text)
trace = open("run/rank0.json", "rb").read()
make("one.zip", [("deep/er/t.json", trace)])
make("zip64.zip", [("t.json", trace)], force_zip64=True)
make("lzma.zip", [("t.json", trace)], zipfile.ZIP_LZMA)
make("runs.zip", [("%s/%s" % (r, n), open("run/" + n, "rb").read())
                  for r in ("base", "new") for n in ("rank0.json", "rank1.json.gz")])
make("evil.zip", [("../../escaped.json", trace), ("/etc/x.json", trace), ("caf\u00e9.json", trace), ("a\x1b[31m\nb.json", trace), ("in.zip", open("one.zip", "rb").read())])
locked = bytearray(open("one.zip", "rb").read())
locked[6] |= 1
locked[locked.find(b"PK\x01\x02") + 8] |= 1
open("locked.zip", "wb").write(locked)
P
python3 zips.py
"$TRACEQ" top run/rank0.json >want
for f in one.tgz one.zip zip64.zip lzma.zip 'run.tar!run/rank0.json' 'runs.zip!new/rank0.json'; do
	"$TRACEQ" top "$f" | cmp - want && echo "$f: $("$TRACEQ" info "$f" | grep -a ^container)"
	[ -e "$f" ] && "$TRACEQ" top - <"$f" | cmp - want
done
echo "== as the folder it was packed from"
"$TRACEQ" info run | sed -n '/^what it is /,/^$/p'
for f in run.tar 'run.tar.zst!run/'; do
	"$TRACEQ" info "$f" 2>&1 >all | sed 's/^/on stderr: /'
	sed -n '/^what it is /,/^$/p; /^note: .*not looked/p' all
done
echo "== runs in it"
"$TRACEQ" summary runs.zip | grep -aE '^runs.zip[^:]*$'
"$TRACEQ" diff 'runs.zip!base/' 'runs.zip!new/' | head -n 3
echo "== a folder of archives"
mkdir nights && cp run.tar nights/night1.tar && make_tar run | zstd -q -c >nights/night2.tar.zst
"$TRACEQ" summary nights 2>/dev/null | grep -aE '^nights[^:]*$'
"$TRACEQ" info nights 2>&1 | grep -a 'not looked at'
echo "== names are texts"
"$TRACEQ" info evil.zip 2>&1 >all | sed 's/^/on stderr: /'
sed -n '/^what it is /,/^$/p; /^note: .*not looked/p' all
find .. -name '*scaped*'
echo "== refused"
make_tar -f outer.tar one.zip
for f in locked.zip outer.tar 'run.tar!run/none.json' 'run.tar!run/latest' 'run.tar!run' 'run/rank0.json!x'; do
	"$TRACEQ" top "$f" 2>&1
	echo "exit $?"
done
echo "== from a pipe the first file"
cat run.tar | "$TRACEQ" top - 2>&1 >/dev/null
echo "== cut"
head -c 10000 run.tar >cut.tar
"$TRACEQ" top cut.tar 2>&1 >/dev/null
"$TRACEQ" top --strict cut.tar
echo "exit $?"
