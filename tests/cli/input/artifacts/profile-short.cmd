# S0-A1
"$FIXTURES" artifact profile-short --rows 6 >f
"$TRACEQ" info f 2>&1
