/* The command-line services that NVIDIA's sample programs share, by their names; written anew. A flag is "-name", "--name" or "name",
 * a value follows '='; letters' case does not matter. */
#ifndef WARPLINE_HELPER_STRING_H
#define WARPLINE_HELPER_STRING_H
#include <fstream>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <string.h>
#include <strings.h>
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, size, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) (result == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif

/* Behind the name and its '=', or NULL. With `exactly`, the name must end there or at '='. */
static inline const char *warpline_argument(int argc, const char **argv, const char *name, bool exactly)
{
    const size_t length = strlen(name);
    const char *found = NULL;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i] + strspn(argv[i], "-");
        if (strncasecmp(word, name, length) == 0 && (!exactly || word[length] == 0 || word[length] == '='))
            found = word + length + (word[length] == '=');
    }
    return found;
}
inline int stringRemoveDelimiter(char delimiter, const char *text)
{
    int n = 0;
    while (text[n] == delimiter)
        n++;
    return text[n] && text[n + 1] ? n : 0;
}
inline int getFileExtension(char *file, char **extension)
{
    char *dot = strrchr(file, '.');
    *extension = dot ? dot + 1 : NULL;
    return dot ? (int)(dot + 1 - file) : 0;
}
inline bool checkCmdLineFlag(const int argc, const char **argv, const char *name)
{
    return warpline_argument(argc, argv, name, true) != NULL;
}
template <class T> inline bool getCmdLineArgumentValue(const int argc, const char **argv, const char *name, T *value)
{
    const char *text = warpline_argument(argc, argv, name, false);
    if (text && *text)
        *value = (T)atoi(text);
    return text != NULL;
}
inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *name)
{
    const char *text = warpline_argument(argc, argv, name, false);
    return text ? atoi(text) : 0;
}
inline float getCmdLineArgumentFloat(const int argc, const char **argv, const char *name)
{
    const char *text = warpline_argument(argc, argv, name, false);
    return text ? (float)atof(text) : 0.0f;
}
inline bool getCmdLineArgumentString(const int argc, const char **argv, const char *name, char **value)
{
    *value = (char *)warpline_argument(argc, argv, name, false);
    return *value != NULL;
}
/* The file in the usual folders of the samples; malloc'ed, NULL when it is in none. */
inline char *sdkFindFilePath(const char *file, const char *program)
{
    std::string name = program ? program : "";
    name = name.substr(name.find_last_of('/') + 1);
    std::string folders[12] = {"./", "./data/", "../data/", "../../data/"};
    size_t n = 4;
    for (const char *up : {"../../", "../../../", "../../../../"}) {
        folders[n++] = std::string(up) + "Common/data/";
        if (program)
            folders[n++] = std::string(up) + "Samples/" + name + "/data/";
    }
    for (size_t i = 0; i < n; i++)
        if (FILE *f = fopen((folders[i] + file).c_str(), "rb")) {
            fclose(f);
            return strdup((folders[i] + file).c_str());
        }
    return NULL;
}
#endif
