// A program with a header: it is preprocessed by the system's compiler first.
#include <stdio.h>

int main(void)
{
    printf("Hello, %d-bit world\n", (int)(8 * sizeof(long)));
    return 0;
}
