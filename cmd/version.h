/* Which traceq this is. */
#pragma once

/* "0.9.0": the release, constant. */
extern const char version_release[];

/* Prints "traceq 0.9.0 (abc1234def, ISA-L, zlib 1.2.13, avx2)" on stdout; the exit code. */
int version_print(void);
