// mummer - exact matches of many DNA reads against a genome: each thread walks a suffix automaton of the genome letter by letter,
// following a suffix link where a letter does not continue. A pointer chase per thread, into a structure much larger than the caches, which
// is read through textures as the suite's suffix tree is; the reads lie in global memory.
#include "common/texture.h"

struct State {
    int next[4];
    int link, length;
};

// The automaton as two textures: next states, and link with length.
struct Automaton {
    cudaTextureObject_t next, back;
};

static std::vector<State> build_automaton(const std::vector<char> &text)
{
    std::vector<State> states(1, State{{-1, -1, -1, -1}, -1, 0});
    int last = 0;
    for (char letter : text) {
        const int current = static_cast<int>(states.size());
        states.push_back({{-1, -1, -1, -1}, 0, states[last].length + 1});
        int p = last;
        for (; p >= 0 && states[p].next[static_cast<int>(letter)] < 0; p = states[p].link)
            states[p].next[static_cast<int>(letter)] = current;
        if (p >= 0) {
            const int q = states[p].next[static_cast<int>(letter)];
            if (states[q].length == states[p].length + 1) {
                states[current].link = q;
            } else {
                const int clone = static_cast<int>(states.size());
                states.push_back(states[q]);
                states[clone].length = states[p].length + 1;
                for (; p >= 0 && states[p].next[static_cast<int>(letter)] == q; p = states[p].link)
                    states[p].next[static_cast<int>(letter)] = clone;
                states[q].link = states[current].link = clone;
            }
        }
        last = current;
    }
    return states;
}

static std::vector<int> parts_of(const std::vector<State> &states, bool back)
{
    std::vector<int> words;
    for (const State &s : states)
        if (back)
            words.insert(words.end(), {s.link, s.length});
        else
            words.insert(words.end(), s.next, s.next + 4);
    return words;
}

__device__ static int component(const int4 &v, int letter) { return letter == 0 ? v.x : letter == 1 ? v.y : letter == 2 ? v.z : v.w; }

__global__ void match_reads(Automaton automaton, const char *reads, int read_length, int count, int *best)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const char *const read = reads + i * read_length;
    int state = 0, matched = 0, most = 0;
    for (int at = 0; at < read_length; at++) {
        const int letter = read[at];
        int next = component(tex1Dfetch<int4>(automaton.next, state), letter);
        while (state > 0 && next < 0) {
            const int2 back = tex1Dfetch<int2>(automaton.back, state);
            state = back.x;
            matched = state > 0 ? tex1Dfetch<int2>(automaton.back, state).y : 0;
            next = component(tex1Dfetch<int4>(automaton.next, state), letter);
        }
        if (next >= 0) {
            state = next;
            matched++;
        }
        most = max(most, matched);
    }
    best[i] = most;
}

// The longest match that ends anywhere in the read.
static int longest_match(const State *states, const char *read, int length)
{
    int state = 0, matched = 0, best = 0;
    for (int i = 0; i < length; i++) {
        const int letter = read[i];
        while (state > 0 && states[state].next[letter] < 0) {
            state = states[state].link;
            matched = states[state].length;
        }
        if (states[state].next[letter] >= 0) {
            state = states[state].next[letter];
            matched++;
        }
        best = matched > best ? matched : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "mummer");
    const int genome_length = workload::pick(run, 2000, 60000, 400000, 2000000), reads = workload::pick(run, "reads", 128, 11520, 92160, 50000), read_length = workload::pick(run, 24, 25, 40, 25);
    workload::Rng rng(run.seed);
    std::vector<char> genome;
    while (static_cast<int>(genome.size()) < genome_length) { // fresh stretches and repeats of earlier ones
        const uint32_t length = 20 + rng.below(200);
        const uint32_t from = genome.size() > 1000 && rng.below(3) == 0 ? rng.below(static_cast<uint32_t>(genome.size() - 300)) : 0;
        for (uint32_t k = 0; k < length; k++)
            genome.push_back(from ? genome[from + k] : static_cast<char>(rng.below(4)));
    }
    const std::vector<State> states = build_automaton(genome);
    std::vector<char> text(static_cast<size_t>(reads) * read_length);
    for (int r = 0; r < reads; r++) {
        const uint32_t from = rng.below(static_cast<uint32_t>(genome.size() - read_length));
        for (int k = 0; k < read_length; k++) // reads are pieces of the genome with one letter in 30 misread
            text[static_cast<size_t>(r) * read_length + k] = rng.below(30) ? genome[from + k] : static_cast<char>(rng.below(4));
    }
    workload::Buffer<int> dnext(parts_of(states, false)), dback(parts_of(states, true));
    const workload::Texture next = workload::Texture::line(reinterpret_cast<int4 *>(dnext.get()), states.size());
    const workload::Texture back = workload::Texture::line(reinterpret_cast<int2 *>(dback.get()), states.size());
    workload::Buffer<char> dr(text);
    workload::Buffer<int> db(reads);
    match_reads<<<workload::blocks_for(reads, 256), 256>>>(Automaton{next.get(), back.get()}, dr.get(), read_length, reads, db.get());
    workload::finish_kernels("match_reads");
    std::vector<int> want(reads);
    for (int r = 0; r < reads; r++)
        want[r] = longest_match(states.data(), &text[static_cast<size_t>(r) * read_length], read_length);
    return workload::verdict(run, db.download() == want, "longest matches");
}
