// A gear selector that skips a gear when the driver is quick: can it ever jump by two?
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

enum gear { REVERSE, NEUTRAL, FIRST, SECOND, THIRD };

struct selector {
    enum gear gear;
    unsigned speed : 8;
    unsigned clutch : 1;
};

static enum gear next(const struct selector *s, unsigned char lever)
{
    if (!s->clutch)
        return s->gear;
    switch (lever) {
    case 'u':
        return s->gear < THIRD ? s->gear + 1 : THIRD;
    case 'd':
        return s->gear > REVERSE ? s->gear - 1 : REVERSE;
    case 'n':
        return NEUTRAL;
    default:
        return s->gear;
    }
}

int main(void)
{
    struct selector s = { .gear = NEUTRAL };
    for (int step = 0; step < 6; step++) {
        s.speed = __VERIFIER_nondet_uchar();
        s.clutch = __VERIFIER_nondet_uchar();
        enum gear old = s.gear;
        s.gear = next(&s, __VERIFIER_nondet_uchar());
        if (s.gear > old + 1 || old > s.gear + 1)
            reach_error();
    }
    return 0;
}
