# the console of 40_profile_gpu.py (S0-A7): its rows are what fit reads
cat >profile_gpu.log <<'END'
CUDA Available: True
============================================================
Model Memory Requirements
============================================================

Model                     Inference (fp16)     Training (fp16+Adam)     
----------------------------------------------------------------------
DeepSeek-Math-7B            13.0 GB              78.2 GB
DeepSeek-Math-70B          130.4 GB             782.3 GB
DeepSeek-V3 (active)        68.9 GB             413.5 GB

============================================================
Model Compatibility Check
============================================================

Available GPU Memory: 16.00 GB

Model                             Required        Status         
-----------------------------------------------------------------
DeepSeek-Math-7B (inference)       14.0 GB       ✓ Fits
DeepSeek-Math-7B (training)        60.0 GB       ✗ Too large
DeepSeek-V3 active (training)     296.0 GB       ✗ Too large
END
"$TRACEQ" info profile_gpu.log
"$TRACEQ" fit profile_gpu.log --format seed -q
