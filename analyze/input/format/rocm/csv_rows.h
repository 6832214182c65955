/*
 * rocprofv3's CSVs: one table of records a file, known by its columns.  Only rocprof_csv.c and the
 * list of columns include this.
 */
#ifndef ANALYZE_INPUT_FORMAT_ROCM_CSV_ROWS_H
#define ANALYZE_INPUT_FORMAT_ROCM_CSV_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/input/artifact/tables/csv_cells.h"

/* X(name, heading): versions differ in the case of letters, and in which they have */
#define ROCM_COLUMNS(X)                    \
	X(KIND, "Kind")                    \
	X(DOMAIN, "Domain")                \
	X(FUNCTION, "Function")            \
	X(OPERATION, "Operation")          \
	X(DIRECTION, "Direction")          \
	X(PROCESS, "Process_Id")           \
	X(THREAD, "Thread_Id")             \
	X(CORRELATION, "Correlation_Id")   \
	X(START, "Start_Timestamp")        \
	X(END, "End_Timestamp")            \
	X(AGENT, "Agent_Id")               \
	X(FROM, "Source_Agent_Id")         \
	X(TO, "Destination_Agent_Id")      \
	X(QUEUE, "Queue_Id")               \
	X(STREAM, "Stream_Id")             \
	X(DISPATCH, "Dispatch_Id")         \
	X(NAME, "Kernel_Name")             \
	X(COUNTER, "Counter_Name")         \
	X(LDS, "LDS_Block_Size")           \
	X(SEGMENT, "Group_Segment_Size")   \
	X(VGPRS, "VGPR_Count")             \
	X(ACCUM, "Accum_VGPR_Count")       \
	X(GROUP_X, "Workgroup_Size_X")     \
	X(GROUP_Y, "Workgroup_Size_Y")     \
	X(GROUP_Z, "Workgroup_Size_Z")     \
	X(GRID_X, "Grid_Size_X")           \
	X(GRID_Y, "Grid_Size_Y")           \
	X(GRID_Z, "Grid_Size_Z")           \
	X(NODE, "Node_Id")                 \
	X(LOGICAL_NODE, "Logical_Node_Id") \
	X(AGENT_TYPE, "Agent_Type")        \
	X(AGENT_NAME, "Name")              \
	X(PRODUCT, "Product_Name")         \
	X(CUS, "Cu_Count")                 \
	X(WARP, "Wave_Front_Size")         \
	X(WAVES, "Max_Waves_Per_Cu")       \
	X(LDS_KB, "Lds_Size_In_Kb")        \
	X(TARGET, "Gfx_Target_Version")

enum rocm_column {
#define X(name, heading) ROCM_##name,
	ROCM_COLUMNS(X)
#undef X
		ROCM_COLUMN_COUNT
};

enum { ROCM_COLUMN_ABSENT = -1 };

/* Which records a table has. */
enum rocm_table {
	TABLE_NONE,
	TABLE_AGENTS,
	TABLE_KERNELS,
	TABLE_COUNTERS, /* a row for each counter of a dispatch */
	TABLE_CALLS,
	TABLE_COPIES,
	TABLE_ALLOCATIONS /* of memory, of scratch */
};

struct rocm_heading {
	enum rocm_table table;
	size_t n; /* columns */
	int at[ROCM_COLUMN_COUNT];
};

/* What a table with that heading has. */
void rocm_heading(const struct csv_row *row, struct rocm_heading *h);

/* A row's text, empty where there is no such column; its number, -1 where it is none. */
struct span rocm_cell(const struct rocm_heading *h, const struct csv_row *row, enum rocm_column c);
int64_t rocm_number(const struct rocm_heading *h, const struct csv_row *row, enum rocm_column c);

#endif
