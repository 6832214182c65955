# a run of two causes is called by both words, as the overview calls it
"$FIXTURES" mixed >m.json
"$TRACEQ" m.json | grep '^verdict'
"$TRACEQ" report m.json | grep '^!!'
"$TRACEQ" report m.json -o m.html && grep -c 'dataloader-bound, sync-bound' m.html
