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

/* In which round it was begun last, and done. */
struct part {
    _Alignas(HOST_LINE_BYTES) _Atomic uint32_t begun, done;
};

enum { SHUT = 1 }; /* in the word of `round`: nobody may begin */
struct team {
    struct bell round;  /* twice the number of rounds, and SHUT */
    struct bell inside; /* members that look for parts, but for the caller */
    _Alignas(HOST_LINE_BYTES) void (*job)(void *context, uint32_t part);
    void *context;
    const struct team_part *plan;
    struct part *part;
    uint32_t parts, first, end;          /* of this round: first to end - 1 */
    uint32_t members, started, patience; /* patience: the first member's */
    bool over;
    struct trial trial;
    struct team_times times;
    struct times_of_parts *taken; /* when the times of parts are taken */
    struct member {
        struct team *team;
        uint32_t patience;
        int64_t busy_until; /* in a round that is measured */
        uint32_t *order;    /* of parts: its own, then others' from the last on */
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

/* Until the word, but for its last `less` bits, is no longer `old`. */
static void wait_while(struct bell *b, uint32_t old, uint32_t less, uint32_t *patience)
{
    uint32_t now;
    for (uint32_t i = 0; i < *patience; i++) {
        if (atomic_load_explicit(&b->word, memory_order_acquire) >> less != old >> less) {
            *patience += *patience < PATIENCE_MOST ? *patience / 8 : 0; /* crowded: stays as it is */
            return;
        }
        relax();
    }
    *patience = *patience >= 2 * PATIENCE_LEAST ? *patience / 2 : *patience;
    while ((now = atomic_load_explicit(&b->word, memory_order_acquire)) >> less == old >> less) {
        atomic_fetch_add(&b->sleepers, 1);
        (void)syscall(SYS_futex, &b->word, FUTEX_WAIT_PRIVATE, now, NULL, NULL, 0);
        atomic_fetch_sub(&b->sleepers, 1);
    }
}

/* The word has changed. Either a sleeper was counted before, or it sees the new word when it goes to sleep. */
static void ring(struct bell *b)
{
    if (atomic_load(&b->sleepers))
        (void)syscall(SYS_futex, &b->word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

/* ---- parts ------------------------------------------------------------------------------------------------------------------ */

static bool in_round(const struct team *t, uint32_t part)
{
    return part >= t->first && part < t->end;
}

static bool may_begin(const struct team *t, uint32_t part, uint32_t round)
{
    const struct team_part *plan = &t->plan[part];
    for (uint32_t i = plan->after; i < plan->after + plan->after_count; i++)
        if (in_round(t, i) && atomic_load_explicit(&t->part[i].done, memory_order_acquire) != round)
            return false;
    return true;
}

/* The first part in the member's order that nobody has begun and that need not wait. `*from`: all before it are begun. False: there
 * is none; *waits: one may come. */
static bool take_part(struct team *t, const struct member *me, uint32_t round, uint32_t *from, uint32_t *part, bool *waits)
{
    *waits = false;
    for (uint32_t i = *from; i < t->parts; i++) {
        *part = me->order[i];
        struct part *p = &t->part[*part];
        uint32_t begun = atomic_load_explicit(&p->begun, memory_order_relaxed);
        if (!in_round(t, *part) || begun == round)
            *from += i == *from;
        else if (!may_begin(t, *part, round))
            *waits = true;
        else if (atomic_compare_exchange_strong_explicit(&p->begun, &begun, round, memory_order_relaxed, memory_order_relaxed))
            return true;
    }
    return false;
}

static void do_parts(struct team *t, const struct member *me, uint32_t round)
{
    uint32_t from = 0, part, looked = 0;
    for (bool waits = true; waits;) {
        if (take_part(t, me, round, &from, &part, &waits)) {
            t->job(t->context, part);
            atomic_store_explicit(&t->part[part].done, round, memory_order_release);
            waits = true;
            looked = 0;
        } else if (++looked < me->patience) {
            relax();
        } else {
            (void)sched_yield(); /* whoever does what this waits for may need the core */
        }
    }
}

/* Whoever is inside keeps the round from ending, so that it is safe to look whether it is open then, and not before. */
static void *work(void *context)
{
    struct member *me = context;
    struct team *t = me->team;
    for (uint32_t round = SHUT;;) {
        wait_while(&t->round, round, 1, &me->patience);
        atomic_fetch_add(&t->inside.word, 1);
        round = atomic_load(&t->round.word);
        const bool open = !(round & SHUT), over = open && t->over;
        if (open && !over)
            do_parts(t, me, round);
        if (atomic_fetch_sub(&t->inside.word, 1) == 1)
            ring(&t->inside);
        if (over)
            return NULL;
    }
}

static void open_round(struct team *t)
{
    atomic_fetch_add(&t->round.word, 1);
    ring(&t->round);
}

static void shut_round(struct team *t)
{
    atomic_fetch_add(&t->round.word, SHUT);
    for (uint32_t inside; (inside = atomic_load(&t->inside.word));)
        wait_while(&t->inside, inside, 0, &t->patience);
}

/* ---- together or alone --------------------------------------------------------------------------------------------------------
 */

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
    for (uint32_t i = t->first; i < t->end; i++)
        t->job(t->context, i);
}

static void do_together(struct team *t)
{
    open_round(t);
    do_parts(t, &t->member[0], atomic_load_explicit(&t->round.word, memory_order_relaxed));
    shut_round(t);
}

/* ---- what more cores would give --------------------------------------------------------------------------------------------- */

/* Of the parts of a round, in ns from its begin. */
struct times_of_parts {
    int64_t took, done; /* done: -1: not begun */
};

/* The part that `me`, who has nothing to do from `now` on, takes: the first in its order that can begin, or the one that can
 * soonest. There is one, because parts wait for earlier ones. */
static uint32_t part_to_take(const struct team *t, const struct member *me, int64_t now, int64_t *begin)
{
    uint32_t best = UINT32_MAX;
    *begin = INT64_MAX;
    for (uint32_t i = 0; i<t->parts && * begin> now; i++) {
        const uint32_t part = me->order[i];
        if (!in_round(t, part) || t->taken[part].done >= 0)
            continue;
        int64_t ready = now;
        const struct team_part *plan = &t->plan[part];
        for (uint32_t k = plan->after; k < plan->after + plan->after_count; k++) {
            const int64_t done = !in_round(t, k) ? 0 : t->taken[k].done < 0 ? INT64_MAX : t->taken[k].done;
            ready = done > ready ? done : ready;
        }
        if (ready < *begin) {
            *begin = ready;
            best = part;
        }
    }
    return best;
}

/* As do_parts() would do them if each member had a core. */
static int64_t length_of_round(struct team *t)
{
    int64_t length = 0;
    for (uint32_t m = 0; m < t->members; m++)
        t->member[m].busy_until = 0;
    for (uint32_t left = t->end - t->first; left; left--) {
        struct member *me = &t->member[0];
        for (uint32_t m = 1; m < t->members; m++)
            me = t->member[m].busy_until < me->busy_until ? &t->member[m] : me;
        int64_t begin;
        const uint32_t part = part_to_take(t, me, me->busy_until, &begin);
        t->taken[part].done = me->busy_until = begin + t->taken[part].took;
        length = t->taken[part].done > length ? t->taken[part].done : length;
    }
    return length;
}

/* A part during which somebody else had the core is taken to have been as long as the one before it. */
static void do_measured(struct team *t)
{
    enum { INTERRUPTED = 1000000 }; /* ns */
    int64_t usual = 0, begin = nanoseconds();
    for (uint32_t i = t->first; i < t->end; i++) {
        t->job(t->context, i);
        const int64_t end = nanoseconds();
        int64_t took = end - begin;
        begin = end;
        took = took > INTERRUPTED ? usual : took;
        usual = took;
        t->taken[i] = (struct times_of_parts){ .took = took, .done = -1 };
        t->times.parts += 1e-9 * (double)took;
    }
    t->times.longest += 1e-9 * (double)length_of_round(t);
    t->times.rounds++;
    t->times.measuring += 1e-9 * (double)(nanoseconds() - begin);
}

void team_do(struct team *t, uint32_t first, uint32_t end)
{
    t->first = first;
    t->end = end;
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
    t->taken = must_calloc(t->parts, sizeof t->taken[0]);
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
    for (; t->started < t->members; t->started++)
        if (pthread_create(&t->member[t->started].thread, NULL, work, &t->member[t->started]) != 0)
            break;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return t->started == t->members;
}

/* Its own parts as they come. Others' from the last on: that is what their own members come to last. */
static uint32_t *order_of_parts(const struct team *t, uint32_t member)
{
    uint32_t *order = must_calloc(t->parts, sizeof order[0]), count = 0;
    for (uint32_t i = 0; i < t->parts; i++)
        if (t->plan[i].home == member)
            order[count++] = i;
    for (uint32_t i = t->parts; i--;)
        if (t->plan[i].home != member)
            order[count++] = i;
    return order;
}

struct team *team_new(uint32_t members, const struct team_part *part, uint32_t parts, void (*job)(void *context, uint32_t part),
                      void *context)
{
    struct team *t = must_calloc_aligned(1, sizeof *t);
    *t = (struct team){ .job = job, .context = context, .plan = part, .parts = parts, .members = members, .started = 1 };
    atomic_init(&t->round.word, SHUT);
    t->patience = cores() < members ? PATIENCE_CROWDED : PATIENCE_MOST;
    t->trial = (struct trial){ .left = TRIES, .rest = REST_LEAST };
    t->part = must_calloc_aligned(parts, sizeof t->part[0]);
    t->member = must_calloc(members, sizeof t->member[0]);
    for (uint32_t i = 0; i < members; i++)
        t->member[i] = (struct member){ .team = t, .patience = t->patience, .order = order_of_parts(t, i) };
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
    open_round(t);
    for (uint32_t i = 1; i < t->started; i++)
        pthread_join(t->member[i].thread, NULL);
    for (uint32_t i = 0; i < t->members; i++)
        free(t->member[i].order);
    free(t->member);
    free(t->part);
    free(t->taken);
    free(t);
}
