/* Images and comparisons as NVIDIA's sample programs use them, by their names; written anew. */
#ifndef WARPLINE_HELPER_IMAGE_H
#define WARPLINE_HELPER_IMAGE_H
#include <assert.h>
#include <cmath>
#include <fstream>
#include <helper_string.h>
#include <iostream>
#include <stdint.h>
#include <vector>
#ifndef MIN
#define MIN(a, b) ((a < b) ? a : b)
#endif
#ifndef MAX
#define MAX(a, b) ((a > b) ? a : b)
#endif

static inline float warpline_pixel(unsigned char value, float *) { return (float)value / 255.0f; }
static inline unsigned char warpline_pixel(unsigned char value, unsigned char *) { return value; }
static inline unsigned char warpline_byte(float value) { return (unsigned char)(value * 255.0f); }
static inline unsigned char warpline_byte(unsigned char value) { return value; }

/* P5 and P6 with one byte a channel; comments in the header are skipped. */
inline bool __loadPPM(const char *file, unsigned char **data, unsigned int *w, unsigned int *h, unsigned int *channels)
{
    std::ifstream in(file, std::ios::binary);
    std::string kind, word;
    unsigned int number[3] = {0, 0, 0}, n = 0;
    in >> kind;
    *channels = kind == "P5" ? 1 : kind == "P6" ? 3 : 0;
    while (n < 3 && in >> word)
        if (word[0] == '#')
            std::getline(in, word);
        else
            number[n++] = (unsigned int)strtoul(word.c_str(), NULL, 10);
    if (!in || *channels == 0 || n < 3) {
        std::cerr << file << " is not a PPM or PGM image" << std::endl;
        return false;
    }
    in.get();
    const size_t size = (size_t)number[0] * number[1] * *channels;
    if (*data && (*w != number[0] || *h != number[1]))
        std::cerr << file << ": the image is of another size" << std::endl;
    if (!*data)
        *data = (unsigned char *)malloc(size);
    *w = number[0], *h = number[1];
    return bool(in.read((char *)*data, (std::streamsize)size));
}
inline bool __savePPM(const char *file, unsigned char *data, unsigned int w, unsigned int h, unsigned int channels)
{
    std::ofstream out(file, std::ios::binary);
    out << (channels == 1 ? "P5\n" : "P6\n") << w << "\n" << h << "\n255\n";
    out.write((const char *)data, (std::streamsize)w * h * channels);
    return bool(out.flush());
}
template <class T> inline bool sdkLoadPGM(const char *file, T **data, unsigned int *w, unsigned int *h)
{
    unsigned char *bytes = NULL;
    unsigned int channels;
    if (!__loadPPM(file, &bytes, w, h, &channels))
        return false;
    const size_t size = (size_t)*w * *h * channels;
    if (!*data)
        *data = (T *)malloc(size * sizeof(T));
    for (size_t i = 0; i < size; i++)
        (*data)[i] = warpline_pixel(bytes[i], (T *)NULL);
    free(bytes);
    return true;
}
template <class T> inline bool sdkSavePGM(const char *file, T *data, unsigned int w, unsigned int h)
{
    std::vector<unsigned char> bytes((size_t)w * h);
    for (size_t i = 0; i < bytes.size(); i++)
        bytes[i] = warpline_byte(data[i]);
    return __savePPM(file, bytes.data(), w, h, 1);
}
template <class T> inline bool sdkLoadPPM4(const char *file, T **data, unsigned int *w, unsigned int *h)
{
    unsigned char *bytes = NULL;
    unsigned int channels;
    if (!__loadPPM(file, &bytes, w, h, &channels))
        return false;
    const size_t pixels = (size_t)*w * *h;
    *data = (T *)malloc(pixels * 4 * sizeof(T));
    for (size_t i = 0; i < pixels * 4; i++)
        (*data)[i] = i % 4 == 3 ? 0 : bytes[i / 4 * channels + (channels == 3 ? i % 4 : 0)];
    free(bytes);
    return true;
}
inline bool sdkLoadPPM4ub(const char *file, unsigned char **data, unsigned int *w, unsigned int *h) { return sdkLoadPPM4(file, data, w, h); }
inline bool sdkSavePPM4ub(const char *file, unsigned char *data, unsigned int w, unsigned int h)
{
    std::vector<unsigned char> bytes((size_t)w * h * 3);
    for (size_t i = 0; i < bytes.size(); i++)
        bytes[i] = data[i / 3 * 4 + i % 3];
    return __savePPM(file, bytes.data(), w, h, 3);
}
template <class T> inline bool sdkReadFile(const char *file, T **data, unsigned int *len, bool)
{
    std::ifstream in(file);
    std::vector<T> all;
    if (!in)
        return printf("Unable to open input file: %s\n", file), false;
    for (T one; in >> one;)
        all.push_back(one);
    if (*data && *len != all.size())
        return false;
    if (!*data)
        *data = (T *)malloc(all.size() * sizeof(T)), *len = (unsigned int)all.size();
    for (size_t i = 0; i < all.size(); i++)
        (*data)[i] = all[i];
    return true;
}
template <class T, class S> inline bool sdkWriteFile(const char *file, const T *data, unsigned int len, const S epsilon, bool, bool append = false)
{
    std::ofstream out(file, append ? std::ios::app : std::ios::out);
    out << "# " << epsilon << "\n";
    for (unsigned int i = 0; i < len; i++)
        out << data[i] << ' ';
    return bool(out << std::endl);
}
/* How many may differ by more than `epsilon`: the share `threshold` of them, none when it is 0. */
template <class T, class S> inline bool compareData(const T *reference, const T *data, const unsigned int len, const S epsilon, const float threshold)
{
    unsigned int wrong = 0;
    for (unsigned int i = 0; i < len; i++)
        wrong += !(std::fabs((float)reference[i] - (float)data[i]) <= (float)epsilon);
    return threshold == 0.0f ? wrong == 0 : (float)wrong < (float)len * threshold;
}
template <class T, class S> inline bool compareDataAsFloatThreshold(const T *reference, const T *data, const unsigned int len, const S epsilon,
                                                                    const float threshold)
{
    return compareData(reference, data, len, epsilon, threshold);
}
/* The norm of the difference over that of the reference. */
inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int len, const float epsilon)
{
    double error = 0, norm = 0;
    for (unsigned int i = 0; i < len; i++) {
        const double difference = (double)reference[i] - (double)data[i];
        error += difference * difference;
        norm += (double)reference[i] * (double)reference[i];
    }
    return std::sqrt(norm) >= 1e-7 && std::sqrt(error) / std::sqrt(norm) < (double)epsilon;
}
inline bool sdkComparePPM(const char *one, const char *other, const float epsilon, const float threshold, bool)
{
    unsigned char *a = NULL, *b = NULL;
    unsigned int w = 0, h = 0, w2 = 0, h2 = 0;
    const bool same = sdkLoadPPM4ub(one, &a, &w, &h) && sdkLoadPPM4ub(other, &b, &w2, &h2) && w == w2 && h == h2 &&
                      compareData(a, b, w * h * 4, epsilon, threshold);
    free(a);
    free(b);
    return same;
}
inline bool sdkDumpBin(void *data, unsigned int bytes, const char *file)
{
    std::ofstream out(file, std::ios::binary);
    return bool(out.write((const char *)data, bytes));
}
#endif
