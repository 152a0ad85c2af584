/* Stop watches as NVIDIA's sample programs use them, by their names; written anew. They read the host's clock: the time that a
 * simulated kernel took is told by events. */
#ifndef WARPLINE_HELPER_TIMER_H
#define WARPLINE_HELPER_TIMER_H
#include <chrono>
#include <vector>
class StopWatchInterface {
public:
    StopWatchInterface() {}
    virtual ~StopWatchInterface() {}
    virtual void start() = 0;
    virtual void stop() = 0;
    virtual void reset() = 0;
    virtual float getTime() = 0;
    virtual float getAverageTime() = 0;
};
class StopWatchLinux : public StopWatchInterface {
public:
    void start() override { since = clock::now(), running = true; }
    void stop() override { total += now(), running = false, runs++; }
    void reset() override { total = 0, runs = 0, since = clock::now(); }
    float getTime() override { return total + (running ? now() : 0.0f); }
    float getAverageTime() override { return runs ? total / (float)runs : 0.0f; }

private:
    typedef std::chrono::steady_clock clock;
    float now() const { return std::chrono::duration<float, std::milli>(clock::now() - since).count(); }
    clock::time_point since;
    float total = 0;
    bool running = false;
    int runs = 0;
};
inline bool sdkCreateTimer(StopWatchInterface **timer) { return *timer = new StopWatchLinux(), true; }
inline bool sdkDeleteTimer(StopWatchInterface **timer) { return delete *timer, *timer = nullptr, true; }
inline bool sdkStartTimer(StopWatchInterface **timer)
{
    if (*timer)
        (*timer)->start();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer)
{
    if (*timer)
        (*timer)->stop();
    return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer)
{
    if (*timer)
        (*timer)->reset();
    return true;
}
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) { return *timer ? (*timer)->getAverageTime() : 0.0f; }
inline float sdkGetTimerValue(StopWatchInterface **timer) { return *timer ? (*timer)->getTime() : 0.0f; }
#endif
