// Feature: a binary tree on the heap
// Exit: 0
// Output: 10 20 25 30 50 60 70 80 depth 4
typedef __typeof__(sizeof 0) size;
void *malloc(size);
void free(void *);
int printf(const char *, ...);

struct tree {
  int key;
  struct tree *left, *right;
};

static struct tree *insert(struct tree *t, int key) {
  if (!t) {
    t = malloc(sizeof *t);
    *t = (struct tree){key};
  } else if (key < t->key) {
    t->left = insert(t->left, key);
  } else if (key > t->key) {
    t->right = insert(t->right, key);
  }
  return t;
}
static int walk(struct tree *t, int depth) {
  if (!t) return depth;
  int left = walk(t->left, depth + 1);
  printf("%d ", t->key);
  int right = walk(t->right, depth + 1);
  free(t);
  return left > right ? left : right;
}

int main(void) {
  int keys[] = {50, 20, 70, 10, 30, 60, 20, 80, 25};
  struct tree *root = 0;
  for (int i = 0; i < 9; i++) root = insert(root, keys[i]);
  printf("depth %d\n", walk(root, 0));
  return 0;
}
