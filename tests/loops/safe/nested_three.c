// Three loops deep.
extern void reach_error(void);

int main(void) {
  int n = 0;
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++)
      for (int k = 0; k < 100; k++)
        if (i + j + k > 297) reach_error();
}
