/* team.c - rounds of a job over several threads; see team.h. A futex is all that is needed of the host: two words, one that counts
 * rounds and one that counts who has yet to finish. */
#include "base/team.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

/* How often a word is looked at before going to sleep: at most about 100 us long, more than a round and a serial part take. Whoever
 * went to sleep in the end looks half as long the next time, for others need the core; but never less than going to sleep and
 * waking would take, unless there are fewer cores than members. */
enum { PATIENCE_MOST = 4000, PATIENCE_LEAST = 400, PATIENCE_CROWDED = 8 };

/* Whether a team pays is found out by trying: so many rounds of one kind, then of the other. While it pays, few rounds are done
 * alone; while it does not, it is tried less and less often. The first rounds of a trial do not count: state moves from core to
 * core then. Nor does a round count as more than a few, for somebody else had a core; several of those end the trial. */
enum { WARM_UP = 32, TRIES = 64, REST_LEAST = 128, REST_MOST = 1 << 14, GOOD_FOR = 4096, MOST = 4, FAR_TOO_LONG = 16, STRIKES = 4 };
struct trial {
    bool together, insists, measures;
    uint32_t left, rest, strikes;
    int64_t sum, count;  /* ns and rounds of this trial; the count begins below 0 */
    int64_t alone, team; /* ns: a round of the last trial of each kind */
};

/* A word that changes, and how many sleep until it does. */
struct bell {
    _Alignas(HOST_LINE_BYTES) _Atomic uint32_t word;
    _Atomic uint32_t sleepers;
};

struct team {
    struct bell round; /* counts rounds */
    struct bell left;  /* members that have yet to finish the round */
    _Alignas(HOST_LINE_BYTES) void (*job)(void *context, uint32_t member);
    void *context;
    uint32_t members, started, patience; /* patience: the first member's */
    bool over;
    struct trial trial;
    struct team_times times;
    struct member {
        struct team *team;
        uint32_t number, patience;
        pthread_t thread;
    } * member;
};

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static uint32_t cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
}

/* Until the word is no longer `old`. */
static void wait_while(struct bell *b, uint32_t old, uint32_t *patience)
{
    for (uint32_t i = 0; i < *patience; i++) {
        if (atomic_load_explicit(&b->word, memory_order_acquire) != old) {
            *patience += *patience < PATIENCE_MOST ? *patience / 8 : 0; /* crowded: stays as it is */
            return;
        }
        relax();
    }
    *patience = *patience >= 2 * PATIENCE_LEAST ? *patience / 2 : *patience;
    while (atomic_load_explicit(&b->word, memory_order_acquire) == old) {
        atomic_fetch_add(&b->sleepers, 1);
        (void)syscall(SYS_futex, &b->word, FUTEX_WAIT_PRIVATE, old, NULL, NULL, 0);
        atomic_fetch_sub(&b->sleepers, 1);
    }
}

/* The word has changed. Either a sleeper was counted before, or it sees the new word when it goes to sleep. */
static void ring(struct bell *b)
{
    if (atomic_load(&b->sleepers))
        (void)syscall(SYS_futex, &b->word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

static void *work(void *context)
{
    struct member *me = context;
    struct team *t = me->team;
    for (uint32_t round = 0;; round++) {
        wait_while(&t->round, round, &me->patience);
        if (t->over)
            return NULL;
        t->job(t->context, me->number);
        if (atomic_fetch_sub(&t->left.word, 1) == 1)
            ring(&t->left);
    }
}

static void begin_round(struct team *t)
{
    atomic_store_explicit(&t->left.word, t->started, memory_order_relaxed);
    atomic_fetch_add(&t->round.word, 1);
    ring(&t->round);
}

static int64_t nanoseconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void next_trial(struct trial *t)
{
    const bool pays = t->team < t->alone;
    if (t->together && pays)
        t->rest = REST_LEAST;
    else if (t->together)
        t->rest = t->rest < REST_MOST ? t->rest * 2 : REST_MOST;
    t->together = !t->together;
    t->left = WARM_UP + (t->together != pays ? TRIES : pays ? GOOD_FOR : t->rest);
    t->sum = 0;
    t->count = -WARM_UP;
    t->strikes = 0;
}

/* A round of the present kind has taken so long. */
static void judge(struct trial *t, int64_t took)
{
    const int64_t alone = t->alone ? t->alone : took;
    t->sum += t->count++ < 0 ? 0 : took < MOST * alone ? took : MOST * alone;
    t->strikes += t->together && took > FAR_TOO_LONG * alone;
    if (--t->left && t->strikes < STRIKES)
        return;
    *(t->together ? &t->team : &t->alone) = t->count > 0 ? t->sum / t->count : MOST * alone;
    next_trial(t);
}

static void do_alone(struct team *t)
{
    for (uint32_t i = 0; i < t->members; i++)
        t->job(t->context, i);
}

static void do_together(struct team *t)
{
    begin_round(t);
    t->job(t->context, 0);
    for (uint32_t left; (left = atomic_load_explicit(&t->left.word, memory_order_acquire));)
        wait_while(&t->left, left, &t->patience);
}

/* A part during which somebody else had the core is taken to have been as long as the one before it. */
static void do_measured(struct team *t)
{
    enum { INTERRUPTED = 1000000 }; /* ns */
    int64_t longest = 0, usual = 0;
    for (uint32_t i = 0; i < t->members; i++) {
        const int64_t begin = nanoseconds();
        t->job(t->context, i);
        int64_t took = nanoseconds() - begin;
        took = took > INTERRUPTED ? usual : took;
        usual = took;
        longest = took > longest ? took : longest;
        t->times.parts += 1e-9 * (double)took;
    }
    t->times.longest += 1e-9 * (double)longest;
    t->times.rounds++;
}

void team_do(struct team *t)
{
    if (t->trial.measures) {
        do_measured(t);
        return;
    }
    if (t->trial.insists) {
        do_together(t);
        return;
    }
    const int64_t begin = nanoseconds();
    if (t->trial.together)
        do_together(t);
    else
        do_alone(t);
    judge(&t->trial, nanoseconds() - begin);
}

void team_measure(struct team *t)
{
    t->trial.measures = true;
}

struct team_times team_times(const struct team *t)
{
    return t->times;
}

void team_insist(struct team *t)
{
    t->trial.insists = true;
}

/* Signals are the first thread's: a handler of the program or ours runs where it would without a team. A crash is its own thread's:
 * blocked, it would end the process without a word from the handler that says whose fault it was. */
static bool start(struct team *t)
{
    static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    sigset_t all, before;
    sigfillset(&all);
    for (uint32_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        sigdelset(&all, crashes[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; t->started + 1 < t->members; t->started++) {
        struct member *m = &t->member[t->started];
        *m = (struct member){ .team = t, .number = t->started + 1, .patience = t->patience };
        if (pthread_create(&m->thread, NULL, work, m) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return t->started + 1 == t->members;
}

struct team *team_new(uint32_t members, void (*job)(void *context, uint32_t member), void *context)
{
    struct team *t = must_calloc_aligned(1, sizeof *t);
    t->job = job;
    t->context = context;
    t->members = members;
    t->patience = cores() < members ? PATIENCE_CROWDED : PATIENCE_MOST;
    t->trial = (struct trial){ .left = TRIES, .rest = REST_LEAST };
    t->member = must_calloc(members, sizeof t->member[0]);
    if (start(t))
        return t;
    team_free(t);
    return NULL;
}

void team_free(struct team *t)
{
    if (!t)
        return;
    t->over = true;
    begin_round(t);
    for (uint32_t i = 0; i < t->started; i++)
        pthread_join(t->member[i].thread, NULL);
    free(t->member);
    free(t);
}
