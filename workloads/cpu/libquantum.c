/* libquantum.c - stands in for SPEC's libquantum, with the same library: the quantum part of Shor's factorisation.
 * libquantum NUMBER BASE */
#include <quantum.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int number = argc > 1 ? atoi(argv[1]) : 1397, base = argc > 2 ? atoi(argv[2]) : 8;
    const int width = quantum_getwidth(number * number), scratch = quantum_getwidth(number);
    quantum_reg reg = quantum_new_qureg(0, width);
    for (int i = 0; i < width; i++)
        quantum_hadamard(i, &reg);
    quantum_addscratch(3 * scratch + 2, &reg);
    quantum_exp_mod_n(number, base, width, scratch, &reg);
    for (int i = 0; i < 3 * scratch + 2; i++)
        quantum_bmeasure(0, &reg);
    quantum_qft(width, &reg);
    printf("%lld\n", (long long)quantum_measure(reg));
    return 0;
}
