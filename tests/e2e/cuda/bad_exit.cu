// expect-exit: 1
// expect-stderr: exit code 3
#include "check.h"
int main()
{
    int *d = on_device<int>(nullptr, 2);
    (void)d;
    return 3;
}
