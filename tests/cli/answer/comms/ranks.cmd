# Ranks side by side, never mixed; an older layout; nothing to say.
"$FIXTURES" multi-rank --steps 2 --rank 0 --world 2 >a.json
"$FIXTURES" multi-rank --steps 2 --rank 1 --world 2 >b.json
"$TRACEQ" comms a.json b.json
"$FIXTURES" comm-bound --steps 1 --layout kineto2021 >t.json && "$TRACEQ" comms t.json
"$FIXTURES" healthy --steps 1 >t.json && "$TRACEQ" comms t.json
