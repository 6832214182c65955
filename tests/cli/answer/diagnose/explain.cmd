# Rules and checks are words.
"$TRACEQ" explain G03
"$TRACEQ" explain q01
"$TRACEQ" explain partial_overlap
