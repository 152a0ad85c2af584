/* A shared library that is no plug-in. */
extern int nothing_to_see;
int nothing_to_see = 1;
