/* cuSPARSE's calls that compute. Included by cusparse.h, whose types these are. */
#ifndef WARPLINE_SPARSE_CALLS_H
#define WARPLINE_SPARSE_CALLS_H

namespace warpline_sparse {
inline cusparseStatus_t ended(bool ok) { return ok ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED; }
inline cusparseStatus_t not_there(const char *call, const char *what)
{
    (void)fprintf(stderr, "warpline: %s: %s is not part of warpline's cuSPARSE\n", call, what);
    return CUSPARSE_STATUS_NOT_SUPPORTED;
}
inline cublasPointerMode_t mode_of(cusparseHandle_t h) { return h->mode == CUSPARSE_POINTER_MODE_HOST ? CUBLAS_POINTER_MODE_HOST : CUBLAS_POINTER_MODE_DEVICE; }
template <class T> inline T scalar(cusparseHandle_t h, const void *p) { return warpline_blas::scalar(mode_of(h), h->stream, (const T *)p); }
template <class T> inline factor<T> factor_of(cusparseHandle_t h, const void *p) { return warpline_blas::factor_of(mode_of(h), (const T *)p); }
/* A CSC matrix lies as its transpose's CSR. */
inline lines lines_of(cusparseConstSpMatDescr_t d, int batch = 0)
{
    const bool turned = d->format == CUSPARSE_FORMAT_CSC, wide = d->start_type == CUSPARSE_INDEX_64I, wide_across = d->across_type == CUSPARSE_INDEX_64I;
    const char *const starts = (const char *)d->starts + batch * d->start_stride * (wide ? 8 : 4);
    const char *const across = (const char *)d->across + batch * d->value_stride * (wide_across ? 8 : 4);
    return lines{{starts, wide}, {across, wide_across}, turned ? d->columns : d->rows, turned ? d->rows : d->columns, d->nnz, (long long)d->base,
                 d->format == CUSPARSE_FORMAT_COO};
}
inline bool is_turned(cusparseConstSpMatDescr_t d, cusparseOperation_t op) { return (d->format == CUSPARSE_FORMAT_CSC) != (op != CUSPARSE_OPERATION_NON_TRANSPOSE); }
template <class T> inline dense<T> laid(cusparseConstDnMatDescr_t d, cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE, int batch = 0)
{
    const bool by_rows = (d->order == CUSPARSE_ORDER_ROW) != (op != CUSPARSE_OPERATION_NON_TRANSPOSE);
    return dense<T>{(T *)d->values + batch * d->stride, by_rows ? d->ld : 1, by_rows ? 1 : d->ld};
}
/* Calls `with` for the types of a matrix, what it meets and the sum; elements of the first two are of one type. */
template <class F> inline cusparseStatus_t by_types(const char *call, cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType compute, F with)
{
#define WARPLINE_TYPES(A, C, S, at, ct, st) if (a == A && b == A && c == C && compute == S) return with((at *)0, (ct *)0, (st *)0);
    WARPLINE_TYPES(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, float, float, float)
    WARPLINE_TYPES(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, double, double, double)
    WARPLINE_TYPES(CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, float2, float2, float2)
    WARPLINE_TYPES(CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, double2, double2, double2)
    WARPLINE_TYPES(CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, __half, __half, float)
    WARPLINE_TYPES(CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, __half, float, float)
    WARPLINE_TYPES(CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, __nv_bfloat16, __nv_bfloat16, float)
    WARPLINE_TYPES(CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, __nv_bfloat16, float, float)
#undef WARPLINE_TYPES
    return not_there(call, "this combination of types");
}
/* Only types that atomics add: the transposed products. */
template <class A, class C, class S> struct spreads { enum { value = std::is_same<C, S>::value }; };
template <class A, class S>
inline cusparseStatus_t spread(cusparseHandle_t h, cusparseOperation_t op, lines m, const A *values, dense<const A> b, bool conjugated_b, dense<S> c, long long columns,
                               S alpha, S beta, const char *)
{
    return ended(by_turned<A, S>(h->stream, m, values, op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, b, conjugated_b, c, columns, alpha, beta));
}
template <class A, class C, class S>
inline cusparseStatus_t spread(cusparseHandle_t, cusparseOperation_t, lines, const A *, dense<const A>, bool, dense<C>, long long, S, S, const char *call)
{
    return not_there(call, "a transposed matrix of halves");
}
}

WARPLINE_SPARSE_CALL cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void *,
                                             cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, size_t *bytes)
{
    return *bytes = 16, CUSPARSE_STATUS_SUCCESS; /* needs none; programs take 0 for a failed call */
}
WARPLINE_SPARSE_CALL cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void *,
                                             cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void *)
{
    return CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseSpMV(cusparseHandle_t h, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                  const void *beta, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t, void *)
{
    using namespace warpline_sparse;
    const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    if (x->size != (plain ? a->columns : a->rows) || y->size != (plain ? a->rows : a->columns))
        return CUSPARSE_STATUS_INVALID_VALUE;
    return by_types("cusparseSpMV", a->type, x->type, y->type, compute, [=](auto *pa, auto *pc, auto *ps) {
        typedef typename std::remove_pointer<decltype(pa)>::type A;
        typedef typename std::remove_pointer<decltype(pc)>::type C;
        typedef typename std::remove_pointer<decltype(ps)>::type S;
        if (is_turned(a, op))
            return spread(h, op, lines_of(a), (const A *)a->values, dense<const A>{(const A *)x->values, 1, 0}, false, dense<C>{(C *)y->values, 1, 0}, 1,
                          scalar<S>(h, alpha), scalar<S>(h, beta), "cusparseSpMV");
        if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && is_complex<A>::value)
            return not_there("cusparseSpMV", "the conjugate transpose of a CSC matrix");
        return ended(by_vector<A, C, S>(h->stream, lines_of(a), (const A *)a->values, (const A *)x->values, (C *)y->values, factor_of<S>(h, alpha), factor_of<S>(h, beta)));
    });
}
WARPLINE_SPARSE_CALL cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
                                             cusparseConstDnMatDescr_t, const void *, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, size_t *bytes)
{
    return *bytes = 16, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseSpMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
                                             cusparseConstDnMatDescr_t, const void *, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, void *)
{
    return CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseSpMM(cusparseHandle_t h, cusparseOperation_t op, cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
                                  cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t, void *)
{
    using namespace warpline_sparse;
    const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE, plain_b = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    if (c->rows != (plain ? a->rows : a->columns) || c->columns != (plain_b ? b->columns : b->rows) ||
        (plain_b ? b->rows : b->columns) != (plain ? a->columns : a->rows))
        return CUSPARSE_STATUS_INVALID_VALUE;
    return by_types("cusparseSpMM", a->type, b->type, c->type, compute, [=](auto *pa, auto *pc, auto *ps) {
        typedef typename std::remove_pointer<decltype(pa)>::type A;
        typedef typename std::remove_pointer<decltype(pc)>::type C;
        typedef typename std::remove_pointer<decltype(ps)>::type S;
        const S al = scalar<S>(h, alpha), be = scalar<S>(h, beta);
        const bool conjugated = op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
        if (!is_turned(a, op) && op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && is_complex<A>::value)
            return not_there("cusparseSpMM", "the conjugate transpose of a CSC matrix");
        cusparseStatus_t s = CUSPARSE_STATUS_SUCCESS;
        for (int i = 0; i < c->batch && s == CUSPARSE_STATUS_SUCCESS; i++) {
            const A *const values = (const A *)a->values + (a->batch > 1 ? i * a->value_stride : 0);
            const lines m = lines_of(a, a->batch > 1 ? i : 0);
            const dense<const A> from = laid<const A>(b, op_b, b->batch > 1 ? i : 0);
            const dense<C> to = laid<C>(c, CUSPARSE_OPERATION_NON_TRANSPOSE, i);
            s = is_turned(a, op) ? spread(h, op, m, values, from, conjugated, to, c->columns, al, be, "cusparseSpMM")
                                 : ended(by_matrix<A, C, S>(h->stream, m, values, from, conjugated, to, c->columns, al, be));
        }
        return s;
    });
}
WARPLINE_SPARSE_CALL cusparseSDDMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstDnMatDescr_t,
                                              cusparseConstDnMatDescr_t, const void *, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t, size_t *bytes)
{
    return *bytes = 16, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseSDDMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstDnMatDescr_t,
                                              cusparseConstDnMatDescr_t, const void *, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t, void *)
{
    return CUSPARSE_STATUS_SUCCESS;
}
/* The product of two dense matrices, at the places that c has. */
WARPLINE_SPARSE_CALL cusparseSDDMM(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha, cusparseConstDnMatDescr_t a,
                                   cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSDDMMAlg_t, void *)
{
    using namespace warpline_sparse;
    const long long inner = op_a == CUSPARSE_OPERATION_NON_TRANSPOSE ? a->columns : a->rows;
    if (c->format == CUSPARSE_FORMAT_CSC || inner != (op_b == CUSPARSE_OPERATION_NON_TRANSPOSE ? b->rows : b->columns))
        return CUSPARSE_STATUS_INVALID_VALUE;
    if ((a->type == CUDA_C_32F || a->type == CUDA_C_64F) && (op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE || op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE))
        return not_there("cusparseSDDMM", "the conjugate transpose of a complex matrix");
    return by_types("cusparseSDDMM", a->type, b->type, c->type, compute, [=](auto *pa, auto *pc, auto *ps) {
        typedef typename std::remove_pointer<decltype(pa)>::type A;
        typedef typename std::remove_pointer<decltype(pc)>::type C;
        typedef typename std::remove_pointer<decltype(ps)>::type S;
        const S al = scalar<S>(h, alpha), be = scalar<S>(h, beta);
        bool ok = true;
        for (int batch = 0; ok && batch < c->batch; batch++) {
            const lines m = lines_of(c, batch);
            C *const values = (C *)c->values + batch * c->value_stride;
            const dense<const A> left = laid<const A>(a, op_a, a->batch > 1 ? batch : 0), right = laid<const A>(b, op_b, b->batch > 1 ? batch : 0);
            ok = each(h->stream, m.nnz, [=] __device__(size_t i) {
                const long long row = m.line_of((long long)i), column = m.column((long long)i);
                S sum = as<S>::of(0);
                for (long long k = 0; k < inner; k++)
                    sum = warpline_blas::plus(sum, times(as<S>::of(left(row, k)), as<S>::of(right(k, column))));
                values[i] = as<C>::of(is_zero(be) ? times(al, sum) : warpline_blas::plus(times(al, sum), times(be, as<S>::of(values[i]))));
            });
        }
        return ended(ok);
    });
}

/* Triangles. There is nothing to analyse: rows are solved in turn. */
WARPLINE_SPARSE_CALL cusparseSpSV_createDescr(cusparseSpSVDescr_t *d) { return *d = new cusparseSpSVDescr(), CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSpSV_destroyDescr(cusparseSpSVDescr_t d) { return delete d, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                             cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t, cusparseSpSVDescr_t, size_t *bytes)
{
    return *bytes = 16, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                           cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t, cusparseSpSVDescr_t, void *)
{
    return CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseSpSM_createDescr(cusparseSpSMDescr_t *d) { return *d = new cusparseSpSMDescr(), CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSpSM_destroyDescr(cusparseSpSMDescr_t d) { return delete d, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSpSM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
                                             cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType, cusparseSpSMAlg_t, cusparseSpSMDescr_t, size_t *bytes)
{
    return *bytes = 16, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseSpSM_analysis(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
                                           cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType, cusparseSpSMAlg_t, cusparseSpSMDescr_t, void *)
{
    return CUSPARSE_STATUS_SUCCESS;
}
namespace warpline_sparse {
template <class T>
inline cusparseStatus_t solve(cusparseHandle_t h, const char *call, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a, dense<const T> b, dense<T> x,
                              long long columns)
{
    if (a->format == CUSPARSE_FORMAT_CSC || a->rows != a->columns)
        return not_there(call, "a triangle in CSC, or one that is not square,");
    const triangle t = {a->fill == CUSPARSE_FILL_MODE_UPPER, a->diag == CUSPARSE_DIAG_TYPE_UNIT};
    const T al = scalar<T>(h, alpha);
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
        solve_rows<T><<<(unsigned)columns, 32, 0, h->stream>>>(lines_of(a), (const T *)a->values, t, b, x, al);
    else
        solve_turned<T><<<(unsigned)columns, 32, 0, h->stream>>>(lines_of(a), (const T *)a->values, t, op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, b, x, al);
    return ended(cudaGetLastError() == cudaSuccess);
}
/* Calls `with` for one type throughout. */
template <class F> inline cusparseStatus_t by_type(const char *call, cudaDataType type, F with)
{
    switch (type) {
    case CUDA_R_32F: return with((float *)0);
    case CUDA_R_64F: return with((double *)0);
    case CUDA_C_32F: return with((float2 *)0);
    case CUDA_C_64F: return with((double2 *)0);
    default: return not_there(call, "this type");
    }
}
}
WARPLINE_SPARSE_CALL cusparseSpSV_solve(cusparseHandle_t h, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t b,
                                        cusparseDnVecDescr_t x, cudaDataType compute, cusparseSpSVAlg_t, cusparseSpSVDescr_t)
{
    using namespace warpline_sparse;
    return by_type("cusparseSpSV", compute, [=](auto *p) {
        typedef typename std::remove_pointer<decltype(p)>::type T;
        return solve<T>(h, "cusparseSpSV", op, alpha, a, dense<const T>{(const T *)b->values, 1, 0}, dense<T>{(T *)x->values, 1, 0}, 1);
    });
}
WARPLINE_SPARSE_CALL cusparseSpSM_solve(cusparseHandle_t h, cusparseOperation_t op, cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
                                        cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t x, cudaDataType compute, cusparseSpSMAlg_t, cusparseSpSMDescr_t)
{
    using namespace warpline_sparse;
    return by_type("cusparseSpSM", compute, [=](auto *p) {
        typedef typename std::remove_pointer<decltype(p)>::type T;
        return solve<T>(h, "cusparseSpSM", op, alpha, a, laid<const T>(b, op_b), laid<T>(x), x->columns);
    });
}

/* Sparse vectors. */
namespace warpline_sparse {
inline indices indices_of(cusparseConstSpVecDescr_t x) { return indices{x->indices, x->index_type == CUSPARSE_INDEX_64I}; }
}
WARPLINE_SPARSE_CALL cusparseAxpby(cusparseHandle_t h, const void *alpha, cusparseConstSpVecDescr_t x, const void *beta, cusparseDnVecDescr_t y)
{
    using namespace warpline_sparse;
    return by_type("cusparseAxpby", y->type, [=](auto *p) {
        typedef typename std::remove_pointer<decltype(p)>::type T;
        const T al = scalar<T>(h, alpha), be = scalar<T>(h, beta), *const from = (const T *)x->values;
        T *const to = (T *)y->values;
        const indices at = indices_of(x);
        const long long base = x->base;
        return ended(each(h->stream, y->size, [=] __device__(size_t i) { to[i] = times(be, to[i]); }) &&
                     each(h->stream, x->nnz, [=] __device__(size_t i) {
                         T *const place = to + (at[(long long)i] - base);
                         *place = warpline_blas::plus(*place, times(al, from[i]));
                     }));
    });
}
WARPLINE_SPARSE_CALL cusparseGather(cusparseHandle_t h, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x)
{
    using namespace warpline_sparse;
    return by_type("cusparseGather", y->type, [=](auto *p) {
        typedef typename std::remove_pointer<decltype(p)>::type T;
        const T *const from = (const T *)y->values;
        T *const to = (T *)x->values;
        const indices at = indices_of(x);
        const long long base = x->base;
        return ended(each(h->stream, x->nnz, [=] __device__(size_t i) { to[i] = from[at[(long long)i] - base]; }));
    });
}
WARPLINE_SPARSE_CALL cusparseScatter(cusparseHandle_t h, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y)
{
    using namespace warpline_sparse;
    return by_type("cusparseScatter", y->type, [=](auto *p) {
        typedef typename std::remove_pointer<decltype(p)>::type T;
        const T *const from = (const T *)x->values;
        T *const to = (T *)y->values;
        const indices at = indices_of(x);
        const long long base = x->base;
        return ended(each(h->stream, x->nnz, [=] __device__(size_t i) { to[at[(long long)i] - base] = from[i]; }));
    });
}

/* From one form to another. */
WARPLINE_SPARSE_CALL cusparseSparseToDense_bufferSize(cusparseHandle_t, cusparseConstSpMatDescr_t, cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t, size_t *bytes)
{
    return *bytes = 16, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseSparseToDense(cusparseHandle_t h, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void *)
{
    using namespace warpline_sparse;
    return by_type("cusparseSparseToDense", a->type, [=](auto *p) {
        typedef typename std::remove_pointer<decltype(p)>::type T;
        const lines m = lines_of(a);
        const dense<T> to = laid<T>(b);
        const T *const values = (const T *)a->values;
        const long long columns = b->columns;
        const bool turned = a->format == CUSPARSE_FORMAT_CSC;
        return ended(each(h->stream, b->rows * columns, [=] __device__(size_t i) { to((long long)i / columns, (long long)i % columns) = as<T>::of(0); }) &&
                     each(h->stream, m.count, [=] __device__(size_t line) {
                         for (long long i = m.begin((long long)line), end = m.end((long long)line); i < end; i++)
                             (turned ? to(m.column(i), (long long)line) : to((long long)line, m.column(i))) = values[i];
                     }));
    });
}
WARPLINE_SPARSE_CALL cusparseDenseToSparse_bufferSize(cusparseHandle_t, cusparseConstDnMatDescr_t, cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t, size_t *bytes)
{
    return *bytes = 16, CUSPARSE_STATUS_SUCCESS;
}
/* Says where lines start and how many elements there are; the program then gives room for them. */
WARPLINE_SPARSE_CALL cusparseDenseToSparse_analysis(cusparseHandle_t h, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void *)
{
    using namespace warpline_sparse;
    if (b->format == CUSPARSE_FORMAT_COO)
        return not_there("cusparseDenseToSparse", "COO");
    return by_type("cusparseDenseToSparse", a->type, [=](auto *p) {
        typedef typename std::remove_pointer<decltype(p)>::type T;
        const lines m = lines_of(b);
        const dense<const T> from = b->format == CUSPARSE_FORMAT_CSC ? laid<const T>(a, CUSPARSE_OPERATION_TRANSPOSE) : laid<const T>(a);
        long long total = 0;
        const bool ok = each(h->stream, m.count, [=] __device__(size_t line) {
            long long here = 0;
            for (long long c = 0; c < m.across_count; c++)
                here += !is_zero(from((long long)line, c));
            m.starts.set((long long)line, here);
        });
        if (!ok || !sum_up(h->stream, m.starts, m.count, m.base, &total))
            return CUSPARSE_STATUS_EXECUTION_FAILED;
        b->nnz = total;
        return CUSPARSE_STATUS_SUCCESS;
    });
}
WARPLINE_SPARSE_CALL cusparseDenseToSparse_convert(cusparseHandle_t h, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void *)
{
    using namespace warpline_sparse;
    return by_type("cusparseDenseToSparse", a->type, [=](auto *p) {
        typedef typename std::remove_pointer<decltype(p)>::type T;
        const lines m = lines_of(b);
        const dense<const T> from = b->format == CUSPARSE_FORMAT_CSC ? laid<const T>(a, CUSPARSE_OPERATION_TRANSPOSE) : laid<const T>(a);
        T *const values = (T *)b->values;
        return ended(each(h->stream, m.count, [=] __device__(size_t line) {
            long long at = m.begin((long long)line);
            for (long long c = 0; c < m.across_count; c++)
                if (!is_zero(from((long long)line, c))) {
                    m.across.set(at, c + m.base);
                    values[at++] = from((long long)line, c);
                }
        }));
    });
}

/* Element after element by one thread, so that rows come in their order. */
WARPLINE_SPARSE_CALL cusparseCsr2cscEx2_bufferSize(cusparseHandle_t, int, int, int, const void *, const int *, const int *, void *, int *, int *, cudaDataType,
                                                   cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t, size_t *bytes)
{
    return *bytes = 16, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseCsr2cscEx2(cusparseHandle_t h, int m, int n, int, const void *values, const int *starts, const int *across, void *by_column,
                                        int *column_starts, int *rows, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void *)
{
    using namespace warpline_sparse;
    return by_type("cusparseCsr2cscEx2", type, [=](auto *p) {
        typedef typename std::remove_pointer<decltype(p)>::type T;
        const T *const from = (const T *)values;
        T *const to = (T *)by_column;
        const int first = base;
        const bool numbers = action == CUSPARSE_ACTION_NUMERIC;
        return ended(each(h->stream, 1, [=] __device__(size_t) {
            for (int j = 0; j <= n; j++)
                column_starts[j] = 0;
            for (int i = 0; i < starts[m] - first; i++)
                column_starts[across[i] - first + 1]++;
            for (int j = 0; j < n; j++)
                column_starts[j + 1] += column_starts[j];
            for (int row = 0; row < m; row++)
                for (int i = starts[row] - first; i < starts[row + 1] - first; i++) {
                    const int at = column_starts[across[i] - first]++;
                    rows[at] = row + first;
                    if (numbers)
                        to[at] = from[i];
                }
            for (int j = n; j > 0; j--)
                column_starts[j] = column_starts[j - 1] + first;
            column_starts[0] = first;
        }));
    });
}
WARPLINE_SPARSE_CALL cusparseCreateIdentityPermutation(cusparseHandle_t h, int n, int *p)
{
    return warpline_sparse::ended(warpline_sparse::each(h->stream, n, [=] __device__(size_t i) { p[i] = (int)i; }));
}
WARPLINE_SPARSE_CALL cusparseXcsrsort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *, size_t *bytes)
{
    return *bytes = 16, CUSPARSE_STATUS_SUCCESS;
}
/* Columns in order within each row, and where they came from; a thread for each row. */
WARPLINE_SPARSE_CALL cusparseXcsrsort(cusparseHandle_t h, int m, int, int, const cusparseMatDescr_t d, const int *starts, int *across, int *p, void *)
{
    const int base = d->base;
    return warpline_sparse::ended(warpline_sparse::each(h->stream, m, [=] __device__(size_t row) {
        const int begin = starts[row] - base, end = starts[row + 1] - base;
        for (int i = begin + 1; i < end; i++) {
            const int column = across[i], from = p ? p[i] : 0;
            int at = i;
            for (; at > begin && across[at - 1] > column; at--) {
                across[at] = across[at - 1];
                if (p)
                    p[at] = p[at - 1];
            }
            across[at] = column;
            if (p)
                p[at] = from;
        }
    }));
}

/* The old calls, which say the types by their names. */
#define WARPLINE_SPARSE_OLD(S, T)                                                                                                              \
    WARPLINE_SPARSE_CALL cusparse##S##csrmv(cusparseHandle_t h, cusparseOperation_t op, int m, int n, int nnz, const T *alpha,                 \
                                            const cusparseMatDescr_t d, const T *values, const int *starts, const int *across, const T *x,     \
                                            const T *beta, T *y)                                                                               \
    {                                                                                                                                          \
        using namespace warpline_sparse;                                                                                                       \
        const lines l = {{starts, false}, {across, false}, m, n, nnz, (long long)d->base, false};                                              \
        if (d->type == CUSPARSE_MATRIX_TYPE_SYMMETRIC || d->type == CUSPARSE_MATRIX_TYPE_HERMITIAN)                                            \
            return not_there("cusparseXcsrmv", "half of a symmetric matrix");                                                                  \
        if (op != CUSPARSE_OPERATION_NON_TRANSPOSE)                                                                                            \
            return spread(h, op, l, values, dense<const T>{x, 1, 0}, false, dense<T>{y, 1, 0}, 1, scalar<T>(h, alpha),                   \
                          scalar<T>(h, beta), "cusparseXcsrmv");                                                                               \
        return ended(by_vector<T, T, T>(h->stream, l, values, x, y, factor_of<T>(h, alpha), factor_of<T>(h, beta)));                           \
    }                                                                                                                                          \
    WARPLINE_SPARSE_CALL cusparse##S##csrmm(cusparseHandle_t h, cusparseOperation_t op, int m, int n, int k, int nnz, const T *alpha,          \
                                            const cusparseMatDescr_t d, const T *values, const int *starts, const int *across, const T *b,     \
                                            int ldb, const T *beta, T *c, int ldc)                                                             \
    {                                                                                                                                          \
        using namespace warpline_sparse;                                                                                                       \
        const lines l = {{starts, false}, {across, false}, m, k, nnz, (long long)d->base, false};                                              \
        const T al = scalar<T>(h, alpha), be = scalar<T>(h, beta);                                                                             \
        if (d->type == CUSPARSE_MATRIX_TYPE_SYMMETRIC || d->type == CUSPARSE_MATRIX_TYPE_HERMITIAN)                                            \
            return not_there("cusparseXcsrmm", "half of a symmetric matrix");                                                                  \
        if (op != CUSPARSE_OPERATION_NON_TRANSPOSE)                                                                                            \
            return spread(h, op, l, values, dense<const T>{b, 1, ldb}, false, dense<T>{c, 1, ldc}, n, al, be, "cusparseXcsrmm");               \
        return ended(by_matrix<T, T, T>(h->stream, l, values, dense<const T>{b, 1, ldb}, false, dense<T>{c, 1, ldc}, n, al, be));              \
    }                                                                                                                                          \
    WARPLINE_SPARSE_CALL cusparse##S##csrilu02_bufferSize(cusparseHandle_t, int, int, const cusparseMatDescr_t, T *, const int *, const int *, \
                                                          csrilu02Info_t, int *bytes)                                                          \
    { return *bytes = 16, CUSPARSE_STATUS_SUCCESS; }                                                                                           \
    WARPLINE_SPARSE_CALL cusparse##S##csrilu02_analysis(cusparseHandle_t, int, int, const cusparseMatDescr_t, const T *, const int *,          \
                                                        const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *)                            \
    { return CUSPARSE_STATUS_SUCCESS; }                                                                                                        \
    WARPLINE_SPARSE_CALL cusparse##S##csrilu02(cusparseHandle_t h, int m, int nnz, const cusparseMatDescr_t d, T *values, const int *starts,   \
                                               const int *across, csrilu02Info_t info, cusparseSolvePolicy_t, void *)                          \
    {                                                                                                                                          \
        using namespace warpline_sparse;                                                                                                       \
        const lines l = {{starts, false}, {across, false}, m, m, nnz, (long long)d->base, false};                                              \
        factor_rows<T><<<1, 32, 0, h->stream>>>(l, values, info->zero_pivot);                                                                  \
        return ended(cudaGetLastError() == cudaSuccess);                                                                                       \
    }                                                                                                                                          \
    WARPLINE_SPARSE_CALL cusparse##S##nnz(cusparseHandle_t h, cusparseDirection_t direction, int m, int n, const cusparseMatDescr_t,           \
                                          const T *a, int lda, int *per_line, int *total)                                                      \
    {                                                                                                                                          \
        using namespace warpline_sparse;                                                                                                       \
        const bool by_row = direction == CUSPARSE_DIRECTION_ROW;                                                                               \
        const int count = by_row ? m : n, across = by_row ? n : m;                                                                             \
        const bool ok = each(h->stream, count, [=] __device__(size_t line) {                                                                   \
            int here = 0;                                                                                                                      \
            for (int i = 0; i < across; i++)                                                                                                   \
                here += !is_zero(by_row ? a[line + (size_t)i * lda] : a[i + line * lda]);                                                      \
            per_line[line] = here;                                                                                                             \
        });                                                                                                                                    \
        wp::room<int> sum(wp::on_device{h->stream}, 1);                                                                                        \
        if (count)                                                                                                                             \
            wp::reduce_n<int>(wp::on_device{h->stream}, (size_t)count, wp::reads_memory<int>{per_line},                                        \
                              [] __device__(int x, int y) { return x + y; }, sum.data);                                                        \
        (void)cudaMemcpyAsync(total, sum.data, sizeof *total, cudaMemcpyDefault, h->stream);                                                   \
        return ended(ok && cudaStreamSynchronize(h->stream) == cudaSuccess);                                                                   \
    }
WARPLINE_SPARSE_OLD(S, float)
WARPLINE_SPARSE_OLD(D, double)
#undef WARPLINE_SPARSE_OLD
WARPLINE_SPARSE_CALL cusparseCreateCsrilu02Info(csrilu02Info_t *info)
{
    const int none = -1;
    *info = new csrilu02Info();
    return warpline_sparse::ended(cudaMalloc((void **)&(*info)->zero_pivot, sizeof(int)) == cudaSuccess &&
                                  cudaMemcpy((*info)->zero_pivot, &none, sizeof none, cudaMemcpyHostToDevice) == cudaSuccess);
}
WARPLINE_SPARSE_CALL cusparseDestroyCsrilu02Info(csrilu02Info_t info) { return (void)cudaFree(info->zero_pivot), delete info, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseXcsrilu02_zeroPivot(cusparseHandle_t h, csrilu02Info_t info, int *position)
{
    const int found = warpline_parallel::fetch(warpline_parallel::on_device{h->stream}, info->zero_pivot);
    (void)cudaMemcpy(position, &found, sizeof found, cudaMemcpyDefault);
    return found < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}
#endif
