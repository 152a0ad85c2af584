/* cuSPARSE's products of two sparse matrices in CSR (SpGEMM). Included by cusparse.h. A thread makes a row: it merges the rows of b into a
 * sorted list, first in memory of the call's own, which cusparseSpGEMM_copy then gives out. */
#ifndef WARPLINE_SPGEMM_H
#define WARPLINE_SPGEMM_H
namespace warpline_sparse {
inline void forget_product(cusparseSpGEMMDescr_t d)
{
    (void)cudaFree(d->room_at), (void)cudaFree(d->count_of), (void)cudaFree(d->columns), (void)cudaFree(d->values);
    *d = cusparseSpGEMMDescr();
}
template <class T> inline cusparseStatus_t multiply(cusparseHandle_t h, T alpha, cusparseConstSpMatDescr_t da, cusparseConstSpMatDescr_t db, cusparseSpMatDescr_t dc, cusparseSpGEMMDescr_t d)
{
    const lines a = lines_of(da), b = lines_of(db);
    const T *const av = (const T *)da->values, *const bv = (const T *)db->values;
    const long long rows = a.count;
    forget_product(d);
    if (cudaMalloc((void **)&d->room_at, (size_t)(rows + 1) * 8) != cudaSuccess || cudaMalloc((void **)&d->count_of, (size_t)(rows + 1) * 8) != cudaSuccess)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    long long *const room_at = d->room_at, *const count_of = d->count_of, room, nnz;
    bool ok = each(h->stream, rows, [=] __device__(size_t row) {
        long long most = 0;
        for (long long i = a.begin((long long)row), end = a.end((long long)row); i < end; i++)
            most += b.end(a.column(i)) - b.begin(a.column(i));
        room_at[row] = most;
    });
    ok = ok && sum_up(h->stream, indices{room_at, true}, rows, 0, &room);
    if (!ok || cudaMalloc((void **)&d->columns, (size_t)(room + 1) * 8) != cudaSuccess || cudaMalloc(&d->values, (size_t)(room + 1) * sizeof(T)) != cudaSuccess)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    long long *const columns = d->columns;
    T *const values = (T *)d->values;
    ok = each(h->stream, rows, [=] __device__(size_t row) {
        long long *const at = columns + room_at[row], count = 0;
        T *const sums = values + room_at[row];
        for (long long i = a.begin((long long)row), end = a.end((long long)row); i < end; i++) {
            const T factor = times(alpha, av[i]);
            for (long long q = b.begin(a.column(i)), last = b.end(a.column(i)); q < last; q++) {
                const long long place = first_at_least(indices{at, true}, count, b.column(q));
                if (place == count || at[place] != b.column(q)) {
                    for (long long s = count++; s > place; s--) {
                        at[s] = at[s - 1];
                        sums[s] = sums[s - 1];
                    }
                    at[place] = b.column(q);
                    sums[place] = as<T>::of(0);
                }
                sums[place] = plus(sums[place], times(factor, bv[q]));
            }
        }
        count_of[row] = count;
    });
    ok = ok && sum_up(h->stream, indices{count_of, true}, rows, 0, &nnz);
    dc->rows = da->rows;
    dc->columns = db->columns;
    dc->nnz = ok ? nnz : 0;
    return ended(ok);
}
template <class T> inline cusparseStatus_t give_product(cusparseHandle_t h, T beta, cusparseSpMatDescr_t c, cusparseSpGEMMDescr_t d)
{
    const long long rows = c->rows, base = c->base, *const room_at = d->room_at, *const start_of = d->count_of, *const columns = d->columns;
    const T *const values = (const T *)d->values;
    const indices starts = {c->starts, c->start_type == CUSPARSE_INDEX_64I}, across = {c->across, c->across_type == CUSPARSE_INDEX_64I};
    T *const out = (T *)c->values;
    return ended(each(h->stream, rows + 1, [=] __device__(size_t row) {
        starts.set((long long)row, start_of[row] + base);
        for (long long i = 0; (long long)row < rows && i < start_of[row + 1] - start_of[row]; i++) {
            const long long to = start_of[row] + i;
            across.set(to, columns[room_at[row] + i] + base);
            out[to] = is_zero(beta) ? values[room_at[row] + i] : plus(values[room_at[row] + i], times(beta, out[to]));
        }
    }));
}
inline bool can_multiply(cusparseOperation_t op_a, cusparseOperation_t op_b, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b)
{
    return op_a == CUSPARSE_OPERATION_NON_TRANSPOSE && op_b == op_a && a->format == CUSPARSE_FORMAT_CSR && b->format == a->format && a->type == b->type;
}
}
WARPLINE_SPARSE_CALL cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *d) { return *d = new cusparseSpGEMMDescr(), CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t d) { return warpline_sparse::forget_product(d), delete d, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSpGEMM_workEstimation(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                                   const void *, cusparseSpMatDescr_t, cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t, size_t *bytes, void *)
{
    return *bytes = 16, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseSpGEMM_compute(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
                                            cusparseConstSpMatDescr_t b, const void *, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t,
                                            cusparseSpGEMMDescr_t d, size_t *bytes, void *buffer)
{
    using namespace warpline_sparse;
    if (!buffer)
        return *bytes = 16, CUSPARSE_STATUS_SUCCESS;
    if (!can_multiply(op_a, op_b, a, b) || a->type != compute)
        return not_there("cusparseSpGEMM", "a product that is not of two matrices of one type in CSR");
    return by_type("cusparseSpGEMM", compute, [=](auto *p) {
        typedef typename std::remove_pointer<decltype(p)>::type T;
        return multiply<T>(h, scalar<T>(h, alpha), a, b, c, d);
    });
}
WARPLINE_SPARSE_CALL cusparseSpGEMM_copy(cusparseHandle_t h, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                         const void *beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t d)
{
    using namespace warpline_sparse;
    return by_type("cusparseSpGEMM_copy", compute, [=](auto *p) {
        typedef typename std::remove_pointer<decltype(p)>::type T;
        return give_product<T>(h, scalar<T>(h, beta), c, d);
    });
}
#endif
