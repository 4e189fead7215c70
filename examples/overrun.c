// The last iteration writes one element too far.
int main(void)
{
    int samples[10];
    int i;

    for (i = 0; i <= 10; i++)
        samples[i] = i * i;
    return samples[9];
}
