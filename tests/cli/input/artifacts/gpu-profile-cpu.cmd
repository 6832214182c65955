# S0-A7
"$FIXTURES" artifact gpu-profile-cpu --rows 6 >f
"$TRACEQ" info f 2>&1
