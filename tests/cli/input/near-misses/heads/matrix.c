#include <stdio.h>

int main(void)
{
	int step=1, iter=2;
	double loss=0.5;

	for (step=0; step < 10; step++)
		printf("step=%d loss=%f\n", step, loss);
	return 0;
}
