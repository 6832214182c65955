# the documents' tables, to the digit
"$TRACEQ" fit --seed-compat
"$TRACEQ" fit --seed-compat --gpu 80GiB --format csv -q
"$TRACEQ" fit --seed-compat --gpu 80GiB --format csv -q --table seed_compatibility
echo "# as the script prints them"
"$TRACEQ" fit --seed-compat --format seed
"$FIXTURES" artifact gpu-profile >gpu_profile.json
"$TRACEQ" fit gpu_profile.json --format seed -q
"$FIXTURES" artifact gpu-profile-cpu >cpu.json
"$TRACEQ" fit cpu.json --format seed -q
