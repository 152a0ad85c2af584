// wordcount - how often each word occurs in a text (Mars's form): a thread counts the words of its line, then emits them, one byte load after the other; the
// words are sorted by comparing their letters where they lie in the text, and a thread at each first of a kind counts its run. The lanes of a warp are each in their own line.
#include <map>

#include "common/mapreduce.h"

using workload::Piece;

__global__ void wc_map_count(const char *text, const Piece *line, int *count, int lines)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines)
        return;
    int words = 0;
    for (int k = 0; k < line[i].length; k++) {
        const char c = text[line[i].at + k];
        words += c == ' ' || c == '\n';
    }
    count[i] = words;
}

__global__ void wc_map(const char *text, const Piece *line, const int *start, Piece *word, int lines)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines)
        return;
    int out = start[i], from = line[i].at;
    for (int k = line[i].at; k < line[i].at + line[i].length; k++) {
        const char c = text[k];
        if (c == ' ' || c == '\n') {
            word[out++] = {from, k - from};
            from = k + 1;
        }
    }
}

__host__ __device__ static int compare(const char *text, Piece a, Piece b)
{
    for (int k = 0; k < a.length && k < b.length; k++)
        if (text[a.at + k] != text[b.at + k])
            return text[a.at + k] < text[b.at + k] ? -1 : 1;
    return a.length == b.length ? 0 : a.length < b.length ? -1 : 1;
}

// By letters, then by place; what fills up the power of two (no length) comes last.
struct ByLetters {
    const char *text;
    const Piece *word;
    __device__ bool operator()(int a, int b) const
    {
        const Piece x = word[a], y = word[b];
        if (x.length == 0 || y.length == 0)
            return x.length != y.length ? y.length == 0 : a < b;
        const int c = compare(text, x, y);
        return c != 0 ? c < 0 : a < b;
    }
};

__global__ void wc_reduce(const char *text, const Piece *word, const int *order, int *run, int words)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words)
        return;
    run[i] = 0;
    if (i > 0 && compare(text, word[order[i - 1]], word[order[i]]) == 0)
        return;
    int k = i + 1;
    while (k < words && compare(text, word[order[i]], word[order[k]]) == 0)
        k++;
    run[i] = k - i;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "wordcount");
    const size_t bytes = workload::pick<size_t>(run, 1024, 8192, 88064, 88064);
    workload::Rng rng(run.seed);
    const workload::Words vocabulary(rng, workload::pick(run, 64, 512, 2048, 2048));
    const workload::Text t(rng, vocabulary, bytes, 60);
    const int lines = static_cast<int>(t.lines.size());
    workload::Buffer<char> text(std::vector<char>(t.text.begin(), t.text.end()));
    workload::Buffer<Piece> line(t.lines);
    workload::Buffer<int> count(lines);
    const unsigned blocks = workload::blocks_for(lines, workload::MAP_THREADS);
    wc_map_count<<<blocks, workload::MAP_THREADS>>>(text.get(), line.get(), count.get(), lines);
    workload::finish_kernels("wc_map_count");
    const std::vector<int> starts = workload::starts_of(count.download());
    const int words = starts.back(), room = workload::power_of_two_above(words);
    workload::Buffer<int> start(starts), order(workload::counting_up(room)), runs(words);
    workload::Buffer<Piece> word(std::vector<Piece>(room, Piece{0, 0}));
    wc_map<<<blocks, workload::MAP_THREADS>>>(text.get(), line.get(), start.get(), word.get(), lines);
    workload::finish_kernels("wc_map");
    workload::bitonic_sort(order, room, ByLetters{text.get(), word.get()});
    wc_reduce<<<workload::blocks_for(words, workload::MAP_THREADS), workload::MAP_THREADS>>>(text.get(), word.get(), order.get(), runs.get(), words);
    workload::finish_kernels("wc_reduce");
    std::map<std::string, int> want, got;
    std::string next;
    for (char c : t.text)
        if (c == ' ' || c == '\n') {
            want[next]++;
            next.clear();
        } else {
            next += c;
        }
    const std::vector<int> sorted = order.download(), found = runs.download();
    const std::vector<Piece> pieces = word.download();
    bool is_once = true;
    for (int i = 0; i < words; i++)
        if (found[i] > 0) {
            const Piece p = pieces[sorted[i]];
            is_once = got.insert({t.text.substr(p.at, p.length), found[i]}).second && is_once;
        }
    return workload::verdict(run, is_once && got == want, "words and how often");
}
