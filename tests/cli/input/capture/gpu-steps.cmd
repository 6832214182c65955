# The twelve steps of a first day with a GPU, and no more than a word where there is none.
steps=$T/../../../capture/gpu/steps.sh
bash "$steps" list
bash "$steps" >/dev/null
echo "exit $?"
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/nvcc && chmod +x bin/nvcc
PATH=$PWD/bin:$PATH bash "$steps" out 1 2 3
echo "exit $?"
