/* Another user of CUPTI within the test program. */
#pragma once

/* It begins and ends, as torch.profiler does, all of it or only a part:
 *
 *   profile   buffers, a clock, kinds; then kinds off and a forced flush
 *   buffers   only takes CUPTI's buffers over, for ever
 *   clock     only registers a clock
 *   kinds     only switches kinds off, and not on again
 *   ids       only buffers and external ids of its own, and says how many ids it met that were not
 *   foreign   has its buffers given back to whom they do not belong
 *   /A/FILE   only loads a library: PyTorch, or a CUPTI of its own */
void app_other_begin(const char *what);
void app_other_end(const char *what);
