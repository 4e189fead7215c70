// Feature: designators that come back to the member of a union that has been chosen keep what it was given
// Exit: 0
// Output: 8086 100e 1
// Output: 7 0 2
// Output: 0 3 0
// Output: 1 2 3
// Output: 1 6
// Output: 0 4
// Output: 4000201
int printf(const char *format, ...);

struct device {
    union {
        struct {
            unsigned vendor, product;
        };
        unsigned long long id;
    };
    int flags;
};

union word {
    struct {
        unsigned char a, b, c, d;
    };
    unsigned all;
};

struct outer {
    union {
        struct {
            int x, y;
        } s;
        long long both;
    } u;
    int last;
};

static const struct device table[] = {
    {.vendor = 0x8086, .product = 0x100e, .flags = 1},
    {.vendor = 0x10ec, .id = 7, .flags = 2},
    {.id = 9, .product = 3},
};
static struct outer twice = {.u.s.x = 1, .u.s.y = 2, .last = 3};
static struct outer whole = {.u.s = {5, 6}, .u.s.x = 1};
static struct outer other = {.u.s.x = 1, .u.both = -1, .u.s.y = 4};

int main(void) {
    for (int i = 0; i < 3; i++) {
        printf("%x %x %d\n", table[i].vendor, table[i].product, table[i].flags);
    }
    printf("%d %d %d\n", twice.u.s.x, twice.u.s.y, twice.last);
    printf("%d %d\n", whole.u.s.x, whole.u.s.y);
    printf("%d %d\n", other.u.s.x, other.u.s.y);
    union word w = {.a = 1, .b = 2, .d = 4};
    printf("%x\n", w.all);
    return 0;
}
