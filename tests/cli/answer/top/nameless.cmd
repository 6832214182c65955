# A row whose name is dashes has that name; a table without a column of names is none.
cat >dashes <<'END'
Name  Self CPU  Self CUDA  # of Calls
-------- -------- -------- --------
%%       2us      4us      1
--       3us      1us      1
-------- -------- -------- --------
END
"$TRACEQ" top -q dashes
"$TRACEQ" diagnose -q dashes | tail -n 3
sed 's/^Name /Names/' dashes >none
"$TRACEQ" top none
echo "exit $?"
