# Slurm's jobs: 3600 and 3590 s, 1-02:03:04 is 93784 s, 02:03.500 is 123.5 s, 123456K is 126418944 bytes, 1.5G 1610612736; one ran out of
# memory, and its energy is not known
"$FIXTURES" artifact sacct >f
"$TRACEQ" info f --wide 2>&1
"$TRACEQ" metrics f
