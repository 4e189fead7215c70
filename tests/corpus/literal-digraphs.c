// Feature: digraphs
// Exit: 0
// Output: 3 <:not:>
int printf(const char *, ...);

int main(void) <%
  int cells<:3:> = <% 1, 2, 3 %>;
  printf("%d %s\n", cells<:2:>, "<:not:>");
  return 0;
%>
