# the documents' tables, to the digit
"$TRACEQ" fit --seed-compat
"$TRACEQ" fit --seed-compat --gpu 80GiB --format csv -q
"$TRACEQ" fit --seed-compat --gpu 80GiB --format csv -q --table seed_compatibility
