/*
 * What the test program looks up about itself.
 */
#ifndef TESTS_CAPTURE_APP_SELF_H
#define TESTS_CAPTURE_APP_SELF_H

/* Files mapped into this process whose name has libcupti in it, each once. */
int app_count_cuptis(void);

/* Prints the most memory this program has had; for atexit, after everybody else has finished. */
void app_report_peak(void);

#endif
