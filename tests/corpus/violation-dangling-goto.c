// Feature: a goto out of two blocks ends the lifetimes of what they declare
// Ended: invalid dereference
// Gcc: no
int main(void) {
  int *p, kept = 4;
  {
    int outer = 1;
    p = &outer;
    {
      int inner = 2;
      p = &inner;
      if (kept) goto middle;
    }
  middle:
    p = &outer;
    kept -= *p;
    if (kept > 2) goto end;
  }
end:
  return *p; // ends here
}
