// Feature: a string that initialises a flexible array member
// Exit: 0
// Output: 3 abc 0
// Output: 2 de 0
// Output: 4 fghi 0
int printf(const char *format, ...);

struct message {
    int length;
    char text[];
};

static struct message plain = {3, "abc"};
static struct message braced = {2, {"de"}};
static struct message named = {.text = "fghi", .length = 4};

static void show(const struct message *m) {
    printf("%d %s %d\n", m->length, m->text, m->text[m->length]);
}

int main(void) {
    show(&plain);
    show(&braced);
    show(&named);
    return plain.text[1] == 'b' ? 0 : 1;
}
