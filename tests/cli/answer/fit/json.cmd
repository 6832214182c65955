"$TRACEQ" fit --params 494,033,920 --gpu 16GiB --regime lora --json
