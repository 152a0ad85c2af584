// invertedindex - MapReduce over HTML text (Mars's form): each map thread reads one line of the text byte by byte with a state machine
// that finds the links; a first pass counts, a scan places, a second pass writes. Every thread walks its own lines of the cache, 32 to
// a warp, and needs each of them again for the next 127 bytes.
#include <string>

#include "common/workload.h"

enum { THREADS = 256 };
enum State { TEXT, TAG, ANCHOR, LINK };

struct Scan { // where a line's state machine is
    State state;
    unsigned hash;
    int begin;
};

// Takes one byte; true when it ended a link, which `scan` then describes.
__host__ __device__ static bool take(Scan &scan, char byte, int at)
{
    switch (scan.state) {
    case TEXT:
        if (byte == '<')
            scan.state = TAG;
        return false;
    case TAG:
        scan.state = byte == 'a' ? ANCHOR : TEXT;
        return false;
    case ANCHOR:
        if (byte == '"') {
            scan.state = LINK;
            scan.hash = 2166136261u;
            scan.begin = at + 1;
        } else if (byte == '>') {
            scan.state = TEXT;
        }
        return false;
    default:
        if (byte == '"') {
            scan.state = ANCHOR;
            return true;
        }
        scan.hash = (scan.hash ^ static_cast<unsigned char>(byte)) * 16777619u;
        return false;
    }
}

__global__ void index_count(const char *text, const int *starts, int lines, int *counts)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines)
        return;
    Scan scan = {TEXT, 0, 0};
    int found = 0;
    for (int at = starts[i]; at < starts[i + 1]; at++)
        found += take(scan, text[at], at);
    counts[i] = found;
}

__global__ void index_emit(const char *text, const int *starts, int lines, const int *offsets, int *positions, unsigned *hashes)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines)
        return;
    Scan scan = {TEXT, 0, 0};
    int slot = offsets[i];
    for (int at = starts[i]; at < starts[i + 1]; at++)
        if (take(scan, text[at], at)) {
            positions[slot] = scan.begin;
            hashes[slot++] = scan.hash;
        }
}

// Words made of syllables; the k-th is drawn about 1/k as often as the first, as in languages.
static std::vector<std::string> make_words(workload::Rng &rng)
{
    static const char *const syllables[] = {"the", "an", "re", "in", "to", "ver", "con", "al", "ti", "ma", "pro", "de", "ing", "est", "or", "lu"};
    std::vector<std::string> words(4096);
    for (size_t k = 0; k < words.size(); k++)
        for (size_t n = 0; n <= (k > 16) + (k > 256) + rng.below(2); n++)
            words[k] += syllables[rng.below(16)];
    return words;
}

// Lines of 60 to 250 bytes or so; one in two has a link, and links go to few pages often and to many rarely.
static std::string make_text(workload::Rng &rng, int lines, std::vector<int> &starts)
{
    const std::vector<std::string> words = make_words(rng);
    std::string text;
    const auto word = [&]() -> const std::string & { return words[static_cast<size_t>(std::pow(4096.0f, rng.uniform())) - 1]; };
    starts.push_back(0);
    for (int line = 0; line < lines; line++) {
        const size_t length = text.size() + 60 + rng.below(120);
        text += "<p>";
        if (rng.below(2))
            text += "<a href=\"" + word() + "/" + word() + ".html\">" + word() + "</a>";
        while (text.size() < length)
            text += " " + word();
        text += "</p>\n";
        starts.push_back(static_cast<int>(text.size()));
    }
    return text;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "invertedindex");
    const int lines = workload::pick(run, 256, 7680, 69120, 230400);
    workload::Rng rng(run.seed);
    std::vector<int> starts;
    const std::string text = make_text(rng, lines, starts);
    workload::Buffer<char> dt(std::vector<char>(text.begin(), text.end()));
    workload::Buffer<int> ds(starts), dcount(lines);
    index_count<<<workload::blocks_for(lines, THREADS), THREADS>>>(dt.get(), ds.get(), lines, dcount.get());
    workload::finish_kernels("index_count");
    std::vector<int> offsets(1, 0), want;
    for (int c : dcount.download())
        offsets.push_back(offsets.back() + c);
    std::vector<unsigned> want_hash;
    static const char mark[] = "<a href=\"";
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
        const size_t begin = at + sizeof mark - 1, end = text.find('"', begin);
        unsigned hash = 2166136261u;
        for (size_t k = begin; k < end; k++)
            hash = (hash ^ static_cast<unsigned char>(text[k])) * 16777619u;
        want.push_back(static_cast<int>(begin));
        want_hash.push_back(hash);
    }
    if (offsets.back() != static_cast<int>(want.size()))
        return workload::verdict(run, false, "number of links");
    workload::Buffer<int> doff(offsets), dpos(want.size());
    workload::Buffer<unsigned> dhash(want.size());
    index_emit<<<workload::blocks_for(lines, THREADS), THREADS>>>(dt.get(), ds.get(), lines, doff.get(), dpos.get(), dhash.get());
    workload::finish_kernels("index_emit");
    return workload::verdict(run, dpos.download() == want && dhash.download() == want_hash, "link index");
}
