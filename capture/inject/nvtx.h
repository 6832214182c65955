/* NVTX as the program calls it: functions put into the tables of each object that uses NVTX. */
#pragma once

#include <stdbool.h>

#include "capture/inject/nvtx_abi.h"

struct ranges;

/* Puts our functions into one object's tables; they write to r, which must be the same each time.
 * False when the object's NVTX is of no known version: it then works as without us. */
bool nvtx_attach(struct ranges *r, nvtx_export_fn get_export);
