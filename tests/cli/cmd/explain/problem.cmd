"$TRACEQ" explain truncated_gzip
