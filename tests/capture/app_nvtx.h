/* NVTX for the test program, without NVTX's headers. */
#pragma once

/* Loads what NVTX_INJECTION64_PATH names, as a program's first NVTX call does. */
void app_nvtx_load(void);

void app_push(const char *name);
void app_pop(void);

/* Each kind of call once, with hostile texts; how many ranges that are. */
long app_nvtx_everything(void);
