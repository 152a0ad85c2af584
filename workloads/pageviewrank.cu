// pageviewrank - pages by how often they were seen (Mars's form): a thread reads the record of a page as text, one byte load after the other, finds its
// address and its number, and emits them; then a bitonic sort by number. The lanes of a warp are each in their own record.
#include "common/mapreduce.h"

using workload::Piece;

struct Seen {
    int views;
    Piece address;
};

__global__ void pvr_map_count(const char *log, const Piece *record, int *count, int records)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= records)
        return;
    int blanks = 0;
    for (int k = 0; k < record[i].length; k++)
        blanks += log[record[i].at + k] == ' ';
    count[i] = blanks == 1;
}

// "address views"
__global__ void pvr_map(const char *log, const Piece *record, const int *start, Seen *seen, int records)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= records || start[i + 1] == start[i])
        return;
    const Piece r = record[i];
    int k = 0, views = 0;
    while (log[r.at + k] != ' ')
        k++;
    const int length = k;
    for (k++; log[r.at + k] != '\n'; k++)
        views = 10 * views + log[r.at + k] - '0';
    seen[start[i]] = {views, {r.at, length}};
}

// Most first; the same number by place.
struct ByViews {
    const Seen *seen;
    __device__ bool operator()(int a, int b) const { return seen[a].views != seen[b].views ? seen[a].views > seen[b].views : a < b; }
};

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "pageviewrank");
    const int records = workload::pick(run, 200, 3500, 60000, 1000000);
    workload::Rng rng(run.seed);
    const workload::Words words(rng, 1000);
    std::string log;
    std::vector<Piece> record;
    std::vector<int> views;
    for (int i = 0; i < records; i++) { // few pages are seen often
        const size_t at = log.size();
        views.push_back(static_cast<int>(1.0f / (rng.uniform() + 1e-6f)));
        log += "www." + words.draw(rng) + ".org/" + words.draw(rng) + " " + std::to_string(views.back()) + "\n";
        record.push_back({static_cast<int>(at), static_cast<int>(log.size() - at)});
    }
    workload::Buffer<char> text(std::vector<char>(log.begin(), log.end()));
    workload::Buffer<Piece> dr(record);
    workload::Buffer<int> count(records);
    const unsigned blocks = workload::blocks_for(records, workload::MAP_THREADS);
    pvr_map_count<<<blocks, workload::MAP_THREADS>>>(text.get(), dr.get(), count.get(), records);
    workload::finish_kernels("pvr_map_count");
    const int room = workload::power_of_two_above(records);
    workload::Buffer<int> start(workload::starts_of(count.download())), order(workload::counting_up(room));
    workload::Buffer<Seen> seen(std::vector<Seen>(room, Seen{0, {0, 0}}));
    pvr_map<<<blocks, workload::MAP_THREADS>>>(text.get(), dr.get(), start.get(), seen.get(), records);
    workload::finish_kernels("pvr_map");
    workload::bitonic_sort(order, room, ByViews{seen.get()});
    std::vector<int> want = workload::counting_up(records), got = order.download();
    std::stable_sort(want.begin(), want.end(), [&](int a, int b) { return views[a] > views[b]; });
    got.resize(records);
    const std::vector<Seen> found = seen.download();
    bool right = got == want;
    for (int i = 0; i < records; i++)
        right = right && found[i].views == views[i] && found[i].address.at == record[i].at && log[record[i].at + found[i].address.length] == ' ';
    return workload::verdict(run, right, "pages by rank");
}
