/* generate.h - manual page and shell completion, made from the declarations. */
#ifndef WARPLINE_CLI_GENERATE_H
#define WARPLINE_CLI_GENERATE_H
#include <stdio.h>

void generate_man_page(FILE *out);
void generate_bash_completion(FILE *out);
void generate_zsh_completion(FILE *out);
void generate_fish_completion(FILE *out);
#endif
