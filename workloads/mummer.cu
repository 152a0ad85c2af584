// mummer - exact matches of many DNA reads against a genome: each thread walks a suffix automaton of the genome letter by letter,
// following a suffix link where a letter does not continue. A pointer chase per thread, into a structure much larger than the caches.
#include "common/workload.h"

struct State {
    int next[4];
    int link, length;
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

// The longest match that ends anywhere in the read.
__host__ __device__ static int longest_match(const State *states, const char *read, int length)
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

__global__ void match_reads(const State *states, const char *reads, int read_length, int count, int *best)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        best[i] = longest_match(states, reads + i * read_length, read_length);
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "mummer");
    const int genome_length = workload::pick(run, 2000, 60000, 400000, 2000000), reads = workload::pick(run, 128, 5760, 30720, 50000), read_length = workload::pick(run, 24, 40, 100, 25);
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
    workload::Buffer<State> ds(states);
    workload::Buffer<char> dr(text);
    workload::Buffer<int> db(reads);
    match_reads<<<workload::blocks_for(reads, 256), 256>>>(ds.get(), dr.get(), read_length, reads, db.get());
    workload::finish_kernels("match_reads");
    std::vector<int> want(reads);
    for (int r = 0; r < reads; r++)
        want[r] = longest_match(states.data(), &text[static_cast<size_t>(r) * read_length], read_length);
    return workload::verdict(run, db.download() == want, "longest matches");
}
