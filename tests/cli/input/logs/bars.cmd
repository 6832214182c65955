# Bars: one value for each position, the last that was written; "s/it" is a rate, too; loading is none.
{
	printf 'Loading checkpoint shards: 50%%|#####     | 1/2 [00:01<00:01,  1.00s/it]\n'
	printf 'Epoch 0:  10%%|#         | 10/100 [00:05<00:45,  2.00it/s, loss=0.90]\r'
	printf 'Epoch 0:  10%%|#         | 10/100 [00:05<00:45,  2.00it/s, loss=0.80]\r'
	printf 'Epoch 0:  20%%|##        | 20/100 [00:10<00:40,  2.00s/it, loss=0.70, lr=1e-4]\r'
	printf 'model.bin:  20%%|##        | 200M/1.00G [00:10<00:40, 20.0MB/s]\r'
	printf '\033[32mEpoch 0:  30%%|###       | 30/100 [00:15<00:35,  4.00it/s, loss=0.60]\033[0m\n'
} >log
"$TRACEQ" info log
