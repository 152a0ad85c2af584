/* The calls of cuSOLVER for dense matrices that host code links with, as cusparse_calls.h has those of cuSPARSE. */
CALL cusolverDnCreate(cusolverDnHandle_t *h);
CALL cusolverDnDestroy(cusolverDnHandle_t h);
CALL cusolverDnSetStream(cusolverDnHandle_t h, cudaStream_t s);
CALL cusolverDnGetStream(cusolverDnHandle_t h, cudaStream_t *s);
CALL cusolverDnSpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, int *size);
CALL cusolverDnSpotrf(cusolverDnHandle_t h, cublasFillMode_t fill, int n, float *a, int lda, float *, int, int *info);
CALL cusolverDnSpotrs(cusolverDnHandle_t h, cublasFillMode_t fill, int n, int columns, const float *a, int lda, float *b, int ldb, int *info);
CALL cusolverDnSgetrf_bufferSize(cusolverDnHandle_t, int, int, float *, int, int *size);
CALL cusolverDnSgetrf(cusolverDnHandle_t h, int m, int n, float *a, int lda, float *, int *pivots, int *info);
CALL cusolverDnSgetrs(cusolverDnHandle_t h, cublasOperation_t op, int n, int columns, const float *a, int lda, const int *pivots, float *b, int ldb,
     int *info);
CALL cusolverDnSgeqrf_bufferSize(cusolverDnHandle_t, int, int, float *, int, int *size);
CALL cusolverDnSgeqrf(cusolverDnHandle_t h, int m, int n, float *a, int lda, float *taus, float *, int, int *info);
CALL cusolverDnSormqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int, const float *, int, const float *, const
     float *, int, int *size);
CALL cusolverDnSormqr(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const float *a, int lda, const float
     *taus, float *c, int ldc, float *, int, int *info);
CALL cusolverDnDpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, int *size);
CALL cusolverDnDpotrf(cusolverDnHandle_t h, cublasFillMode_t fill, int n, double *a, int lda, double *, int, int *info);
CALL cusolverDnDpotrs(cusolverDnHandle_t h, cublasFillMode_t fill, int n, int columns, const double *a, int lda, double *b, int ldb, int *info);
CALL cusolverDnDgetrf_bufferSize(cusolverDnHandle_t, int, int, double *, int, int *size);
CALL cusolverDnDgetrf(cusolverDnHandle_t h, int m, int n, double *a, int lda, double *, int *pivots, int *info);
CALL cusolverDnDgetrs(cusolverDnHandle_t h, cublasOperation_t op, int n, int columns, const double *a, int lda, const int *pivots, double *b, int ldb,
     int *info);
CALL cusolverDnDgeqrf_bufferSize(cusolverDnHandle_t, int, int, double *, int, int *size);
CALL cusolverDnDgeqrf(cusolverDnHandle_t h, int m, int n, double *a, int lda, double *taus, double *, int, int *info);
CALL cusolverDnDormqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int, const double *, int, const double *, const
     double *, int, int *size);
CALL cusolverDnDormqr(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const double *a, int lda, const double
     *taus, double *c, int ldc, double *, int, int *info);
CALL cusolverDnSgesvd_bufferSize(cusolverDnHandle_t, int, int n, int *size);
CALL cusolverDnSgesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, float *a, int lda, float *s, float *u, int ldu, float *vt,
     int ldvt, float *work, int size, float *, int *info);
CALL cusolverDnSsyevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int n, const float *, int, const float *, int *size);
CALL cusolverDnSsyevd(cusolverDnHandle_t h, cusolverEigMode_t job, cublasFillMode_t fill, int n, float *a, int lda, float *w, float *work, int size, int
     *info);
CALL cusolverDnDgesvd_bufferSize(cusolverDnHandle_t, int, int n, int *size);
CALL cusolverDnDgesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, double *a, int lda, double *s, double *u, int ldu, double *vt,
     int ldvt, double *work, int size, double *, int *info);
CALL cusolverDnDsyevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int n, const double *, int, const double *, int *size);
CALL cusolverDnDsyevd(cusolverDnHandle_t h, cusolverEigMode_t job, cublasFillMode_t fill, int n, double *a, int lda, double *w, double *work, int size, int
     *info);
CALL cusolverDnCgesvd_bufferSize(cusolverDnHandle_t, int, int n, int *size);
CALL cusolverDnCgesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, cuComplex *a, int lda, float *s, cuComplex *u, int ldu, cuComplex *vt,
     int ldvt, cuComplex *work, int size, float *, int *info);
CALL cusolverDnCheevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int n, const cuComplex *, int, const float *, int *size);
CALL cusolverDnCheevd(cusolverDnHandle_t h, cusolverEigMode_t job, cublasFillMode_t fill, int n, cuComplex *a, int lda, float *w, cuComplex *work, int size, int
     *info);
CALL cusolverDnZgesvd_bufferSize(cusolverDnHandle_t, int, int n, int *size);
CALL cusolverDnZgesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, cuDoubleComplex *a, int lda, double *s, cuDoubleComplex *u, int ldu, cuDoubleComplex *vt,
     int ldvt, cuDoubleComplex *work, int size, double *, int *info);
CALL cusolverDnZheevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int n, const cuDoubleComplex *, int, const double *, int *size);
CALL cusolverDnZheevd(cusolverDnHandle_t h, cusolverEigMode_t job, cublasFillMode_t fill, int n, cuDoubleComplex *a, int lda, double *w, cuDoubleComplex *work, int size, int
     *info);
