/*
 * Known work on a real GPU, for smoke.sh and full.sh: what it did goes to stdout as one JSON object.
 *
 *   work [n=1000] [t=1] [graph=0] [copy=1] [spin_us=0] [end=sync]
 *
 *   end: sync nosync reset _exit kill9 term hold
 */
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unistd.h>
#include <vector>

#define CHECK(call)                                                                              \
	do {                                                                                     \
		cudaError_t code_ = (call);                                                      \
		if (code_ != cudaSuccess) {                                                      \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(code_));           \
			exit(4);                                                                 \
		}                                                                                \
	} while (0)

__global__ void saxpy(int n, float a, const float *x, float *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] += a * x[i];
}

__global__ void empty()
{
}

__global__ void spin(long long clocks)
{
	long long began = clock64();

	while (clock64() - began < clocks)
		;
}

static long number(int argc, char **argv, const char *key, long otherwise)
{
	size_t n = strlen(key);

	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], key, n) == 0 && argv[i][n] == '=')
			return strtol(argv[i] + n + 1, nullptr, 10);
	return otherwise;
}

static void launches(long n)
{
	cudaStream_t stream;

	CHECK(cudaStreamCreate(&stream));
	for (long i = 0; i < n; i++)
		empty<<<1, 32, 0, stream>>>();
	CHECK(cudaStreamSynchronize(stream));
}

static void graphs(long n)
{
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	for (int i = 0; i < 20; i++)
		empty<<<1, 32, 0, stream>>>();
	CHECK(cudaStreamEndCapture(stream, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	for (long i = 0; i < n; i++)
		CHECK(cudaGraphLaunch(exec, stream));
	CHECK(cudaStreamSynchronize(stream));
}

/* What CUDA's own events say a spin took, in microseconds. */
static float timed_spin(long us)
{
	cudaEvent_t began, ended;
	float ms = 0;
	int khz = 0;

	CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
	CHECK(cudaEventCreate(&began));
	CHECK(cudaEventCreate(&ended));
	CHECK(cudaEventRecord(began));
	spin<<<1, 1>>>((long long)us * khz / 1000);
	CHECK(cudaEventRecord(ended));
	CHECK(cudaEventSynchronize(ended));
	CHECK(cudaEventElapsedTime(&ms, began, ended));
	return ms * 1000;
}

int main(int argc, char **argv)
{
	const long n = number(argc, argv, "n", 1000), t = number(argc, argv, "t", 1);
	const long graph = number(argc, argv, "graph", 0), us = number(argc, argv, "spin_us", 0);
	const int bytes = 1 << 20;
	const char *end = "sync";
	int extra = 0;
	std::vector<std::thread> threads;
	std::vector<char> host(bytes);
	float *x, *y, spun = 0;

	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "end=", 4) == 0)
			end = argv[i] + 4;
	CHECK(cudaMalloc(&x, bytes));
	CHECK(cudaMalloc(&y, bytes));
	CHECK(cudaMemcpy(x, host.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemset(y, 0, bytes));
	saxpy<<<bytes / 4 / 256, 256>>>(bytes / 4, 2, x, y);
	CHECK(cudaMemcpy(host.data(), y, bytes, cudaMemcpyDeviceToHost));
	for (long i = 0; i < t; i++)
		threads.emplace_back(launches, n);
	for (auto &thread : threads)
		thread.join();
	if (graph)
		graphs(graph);
	if (us)
		spun = timed_spin(us);
	extra = strcmp(end, "nosync") == 0;
	printf("{\"maybe\": %d, \"empty\": %ld, \"saxpy\": 1, \"copies\": 2, \"copy_bytes\": %d, \"sets\": 1, "
	       "\"graph_nodes\": %ld, \"spin_us\": %.3f}\n",
		extra, n * t, 2 * bytes, graph * 20, spun);
	fflush(stdout);
	if (strcmp(end, "reset") == 0)
		CHECK(cudaDeviceReset());
	if (strcmp(end, "nosync") == 0)
		empty<<<1, 32>>>();
	if (strcmp(end, "_exit") == 0) {
		sleep(2); /* a program that ends before the first flush leaves no file */
		_exit(3);
	}
	if (strcmp(end, "hold") == 0)
		sleep(3);
	if (strcmp(end, "kill9") == 0) {
		sleep(2);
		raise(SIGKILL);
	}
	if (strcmp(end, "term") == 0) {
		raise(SIGTERM);
		sleep(20);
	}
	return 0;
}
