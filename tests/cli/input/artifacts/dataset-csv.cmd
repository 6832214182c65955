# S4-A5
"$FIXTURES" artifact dataset-csv >val_df.csv
"$TRACEQ" info val_df.csv 2>&1
