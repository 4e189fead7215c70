// A bounded counter: it is reset before it can pass its limit.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define LIMIT 100

int main(void)
{
    int count = 0;
    while (__VERIFIER_nondet_int()) {
        count++;
        if (count == LIMIT)
            count = 0;
        if (count > LIMIT)
            reach_error();
    }
    return 0;
}
