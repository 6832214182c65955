#!/bin/bash
set -e
step=1 lr=0.1 loss=2
python train.py --enable-profiling --memory-log-steps 10
