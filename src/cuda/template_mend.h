/* template_mend.h - calls of member templates, rewritten for clang. */
#ifndef WARPLINE_CUDA_TEMPLATE_MEND_H
#define WARPLINE_CUDA_TEMPLATE_MEND_H

/* The text with `template` in front of f in every X<...>::f<...>(...) that is called; NULL when there is none. nvcc does without
 * the word where X depends on a template's parameters. Line numbers stay. The caller frees. */
char *mend_member_templates(const char *text);
#endif
