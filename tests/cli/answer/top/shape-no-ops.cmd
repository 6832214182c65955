# device work alone has no shapes: the empty answer says why
"$FIXTURES" gpu-only --steps 1 >t.json
"$TRACEQ" top --by shape t.json
