# a picture of its own: boxes exact, each with its title; nothing but the file
"$FIXTURES" python-stacks --steps 1 >t.json
mkdir out
"$TRACEQ" stacks t.json -o out/x.svg && ls out
grep -c '<rect class="f' out/x.svg
sed -n 's/.*<title>\(all: .*\)<.title>.*/\1/p' out/x.svg
grep -o '<title>[^<]*</title><rect [^>]*>' out/x.svg | sed -n 1,4p
"$TRACEQ" stacks t.json --order time -o out/time.svg && grep -c '<title>' out/time.svg
"$TRACEQ" stacks t.json -o out/x.svg --format csv -q && sed 1q out/x.svg
"$TRACEQ" stacks t.json --metric device -f nothing -o out/none.svg; ls out
