/* main.c - where the program begins. */
#include "base/pages.h"
#include "cli/cli.h"

int main(int argc, char **argv)
{
    pages_for_heap();
    return cli_main(argc, argv);
}
