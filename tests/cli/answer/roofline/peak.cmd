# Given peaks over those of the device; wrong ones are an error.
"$FIXTURES" healthy --steps 2 >t.json
"$TRACEQ" roofline t.json --peak bf16=708T,mem=4.0T -n 2
"$TRACEQ" roofline t.json --peak MI300X -n 1
"$TRACEQ" roofline t.json --peak bf16=fast
