"$TRACEQ" critical --help
"$TRACEQ" explain least_slack_ns
"$TRACEQ" explain path_is_guessed
