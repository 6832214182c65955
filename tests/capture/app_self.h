/* What the test program looks up about itself. */
#pragma once

/* Files mapped into this process whose name has libcupti in it, each once. */
int app_count_cuptis(void);

/* Prints the most memory this program has had; for atexit, after everybody else has finished. */
void app_report_peak(void);
