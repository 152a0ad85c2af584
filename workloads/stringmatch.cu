// stringmatch - lines of a file that contain a word (Mars's form): a thread looks for the word at every place of its line, one byte load after the other, first
// to count and then to emit. The lanes of a warp are each in their own line.
#include "common/mapreduce.h"

using workload::Piece;
enum { MOST_LETTERS = 16 };
__constant__ char wanted[MOST_LETTERS];

__device__ static bool is_here(const char *text, int at, int letters)
{
    for (int k = 0; k < letters; k++)
        if (text[at + k] != wanted[k])
            return false;
    return true;
}

__global__ void sm_map_count(const char *text, const Piece *line, int *count, int lines, int letters)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines)
        return;
    int found = 0;
    for (int k = 0; k + letters < line[i].length; k++)
        found += is_here(text, line[i].at + k, letters);
    count[i] = found;
}

__global__ void sm_map(const char *text, const Piece *line, const int *start, Piece *match, int lines, int letters)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines || start[i] == start[i + 1])
        return;
    int out = start[i];
    for (int k = 0; k + letters < line[i].length; k++)
        if (is_here(text, line[i].at + k, letters))
            match[out++] = {line[i].at, k};
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "stringmatch");
    const size_t bytes = workload::pick<size_t>(run, 2048, 524288, 8388608, 1155000);
    workload::Rng rng(run.seed);
    const workload::Words words(rng, 4096);
    const workload::Text t(rng, words, bytes, 60);
    const std::string word = words.draw(rng).substr(0, 4);
    const int lines = static_cast<int>(t.lines.size()), letters = static_cast<int>(word.size());
    workload::must(cudaMemcpyToSymbol(wanted, word.data(), word.size()), "copy of the word");
    workload::Buffer<char> text(std::vector<char>(t.text.begin(), t.text.end()));
    workload::Buffer<Piece> line(t.lines);
    workload::Buffer<int> count(lines);
    const unsigned blocks = workload::blocks_for(lines, workload::MAP_THREADS);
    sm_map_count<<<blocks, workload::MAP_THREADS>>>(text.get(), line.get(), count.get(), lines, letters);
    workload::finish_kernels("sm_map_count");
    const std::vector<int> starts = workload::starts_of(count.download());
    workload::Buffer<int> start(starts);
    workload::Buffer<Piece> match(static_cast<size_t>(starts.back()) + 1);
    sm_map<<<blocks, workload::MAP_THREADS>>>(text.get(), line.get(), start.get(), match.get(), lines, letters);
    workload::finish_kernels("sm_map");
    const std::vector<Piece> found = match.download();
    bool right = true;
    size_t next = 0, line_now = 0;
    for (size_t at = t.text.find(word); at != std::string::npos; at = t.text.find(word, at + 1)) { // a word has no newline, so that no match is in two lines
        while (static_cast<size_t>(t.lines[line_now].at + t.lines[line_now].length) <= at)
            line_now++;
        right = right && next < static_cast<size_t>(starts.back()) && found[next].at == t.lines[line_now].at && found[next].length == static_cast<int>(at) - t.lines[line_now].at;
        next++;
    }
    return workload::verdict(run, right && next == static_cast<size_t>(starts.back()), "matches");
}
