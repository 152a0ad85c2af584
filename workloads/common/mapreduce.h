// mapreduce.h - what programs in the manner of Mars share: text made of words by rank, where each record's output goes, and its bitonic sort.
#pragma once
#include <algorithm>
#include <string>

#include "workload.h"

namespace workload {

enum { MAP_THREADS = 256 };

// A place in the text.
struct Piece {
    int at, length;
};

// Words of 2 to 11 letters; the k-th is drawn with a chance of about 1 / k.
class Words {
  public:
    Words(Rng &rng, int count)
    {
        for (int i = 0; i < count; i++) {
            std::string word;
            for (uint32_t n = 2 + rng.below(10); n > 0; n--)
                word += static_cast<char>('a' + rng.below(26));
            word_.push_back(word);
        }
    }
    const std::string &draw(Rng &rng) const { return word_[static_cast<size_t>(std::pow(static_cast<float>(word_.size()), rng.uniform())) - 1]; }

  private:
    std::vector<std::string> word_;
};

// Lines of text of about `line` letters until there are `bytes`; words are separated by one blank, lines end with a newline.
struct Text {
    std::string text;
    std::vector<Piece> lines;

    Text(Rng &rng, const Words &words, size_t bytes, size_t line)
    {
        while (text.size() < bytes) {
            const size_t start = text.size();
            while (text.size() - start < line) {
                text += words.draw(rng);
                text += ' ';
            }
            text.back() = '\n';
            lines.push_back({static_cast<int>(start), static_cast<int>(text.size() - start)});
        }
    }
};

// A matrix as Mars makes them: whole numbers below 100, drawn at random. (What a compressed cache makes of it depends on this.)
inline std::vector<float> mars_matrix(Rng &rng, size_t count)
{
    std::vector<float> v(count);
    for (float &x : v)
        x = static_cast<float>(rng.below(100));
    return v;
}

// Starts of each record's output after the counting pass, and the sum at the end. (Mars scans on the GPU with library kernels.)
inline std::vector<int> starts_of(const std::vector<int> &count)
{
    std::vector<int> start(1, 0);
    for (int n : count)
        start.push_back(start.back() + n);
    return start;
}

// One step of a bitonic sort of `n` (a power of two) indices.
template <class Less> __global__ void bitonic_step(int *order, int n, int span, int distance, Less less)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
    if (i >= n || other < i)
        return;
    const int a = order[i], b = order[other];
    const bool goes_up = (i & span) == 0;
    if (goes_up ? less(b, a) : less(a, b)) {
        order[i] = b;
        order[other] = a;
    }
}

inline int power_of_two_above(int n)
{
    int p = 1;
    while (p < n)
        p *= 2;
    return p;
}

// `order` has 0 .. n - 1 sorted by `less` afterwards; n is a power of two.
template <class Less> void bitonic_sort(Buffer<int> &order, int n, Less less)
{
    for (int span = 2; span <= n; span *= 2)
        for (int distance = span / 2; distance > 0; distance /= 2)
            bitonic_step<<<blocks_for(static_cast<size_t>(n), MAP_THREADS), MAP_THREADS>>>(order.get(), n, span, distance, less);
    finish_kernels("bitonic_step");
}

inline std::vector<int> counting_up(int n)
{
    std::vector<int> v(static_cast<size_t>(n));
    for (int i = 0; i < n; i++)
        v[static_cast<size_t>(i)] = i;
    return v;
}

} // namespace workload
