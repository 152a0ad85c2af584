// invertedindex - MapReduce over HTML-like text (Mars's form): each map thread scans its own stretch of the text byte by byte
// for link starts and records them; a first pass counts, a scan places, a second pass writes.
#include "common/workload.h"

static const char MARK[] = "href=\"";
enum { MARK_LENGTH = 6 };

__device__ static int link_length(const char *text, int at, int end)
{
    const char mark[MARK_LENGTH] = {'h', 'r', 'e', 'f', '=', '"'};
    for (int k = 0; k < MARK_LENGTH; k++)
        if (at + k >= end || text[at + k] != mark[k])
            return 0;
    int length = 0;
    while (at + MARK_LENGTH + length < end && text[at + MARK_LENGTH + length] != '"')
        length++;
    return length;
}

__global__ void index_count(const char *text, int bytes, int chunk, int *counts)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, first = i * chunk;
    if (first >= bytes)
        return;
    const int last = first + chunk < bytes ? first + chunk : bytes;
    int found = 0;
    for (int at = first; at < last; at++)
        found += text[at] == 'h' && link_length(text, at, bytes) > 0;
    counts[i] = found;
}

__global__ void index_emit(const char *text, int bytes, int chunk, const int *offsets, int *positions, unsigned *hashes)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, first = i * chunk;
    if (first >= bytes)
        return;
    const int last = first + chunk < bytes ? first + chunk : bytes;
    int slot = offsets[i];
    for (int at = first; at < last; at++) {
        const int length = text[at] == 'h' ? link_length(text, at, bytes) : 0;
        if (!length)
            continue;
        unsigned hash = 2166136261u;
        for (int k = 0; k < length; k++)
            hash = (hash ^ static_cast<unsigned char>(text[at + MARK_LENGTH + k])) * 16777619u;
        positions[slot] = at;
        hashes[slot++] = hash;
    }
}

static std::vector<char> make_text(workload::Rng &rng, int bytes)
{
    static const char letters[] = "etaoinshrdlucmfwypvbgkjqxz    <>/\n";
    std::vector<char> text;
    while (static_cast<int>(text.size()) < bytes) {
        for (uint32_t k = 20 + rng.below(120); k > 0; k--)
            text.push_back(letters[rng.below(sizeof letters - 1)]);
        text.insert(text.end(), MARK, MARK + MARK_LENGTH);
        for (uint32_t k = 8 + rng.below(24); k > 0; k--)
            text.push_back(static_cast<char>('a' + rng.below(26)));
        text.push_back('"');
    }
    text.resize(static_cast<size_t>(bytes));
    return text;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "invertedindex");
    const int bytes = workload::pick(run, 1 << 14, 1 << 18, 1 << 22, 1 << 25), chunk = workload::pick(run, 64, 64, 256, 1024);
    workload::Rng rng(run.seed);
    const std::vector<char> text = make_text(rng, bytes);
    const int threads = (bytes + chunk - 1) / chunk;
    workload::Buffer<char> dt(text);
    workload::Buffer<int> dcount(threads);
    index_count<<<workload::blocks_for(threads, 256), 256>>>(dt.get(), bytes, chunk, dcount.get());
    workload::finish_kernels("index_count");
    std::vector<int> offsets(1, 0);
    for (int c : dcount.download())
        offsets.push_back(offsets.back() + c);
    std::vector<int> want;
    std::vector<unsigned> want_hash;
    for (int at = 0; at + MARK_LENGTH < bytes; at++) {
        if (std::memcmp(&text[at], MARK, MARK_LENGTH) != 0)
            continue;
        unsigned hash = 2166136261u;
        int k = at + MARK_LENGTH;
        for (; k < bytes && text[k] != '"'; k++)
            hash = (hash ^ static_cast<unsigned char>(text[k])) * 16777619u;
        if (k > at + MARK_LENGTH) {
            want.push_back(at);
            want_hash.push_back(hash);
        }
    }
    if (offsets.back() != static_cast<int>(want.size()))
        return workload::verdict(run, false, "number of links");
    workload::Buffer<int> doff(offsets), dpos(want.size());
    workload::Buffer<unsigned> dhash(want.size());
    index_emit<<<workload::blocks_for(threads, 256), 256>>>(dt.get(), bytes, chunk, doff.get(), dpos.get(), dhash.get());
    workload::finish_kernels("index_emit");
    return workload::verdict(run, dpos.download() == want && dhash.download() == want_hash, "link index");
}
