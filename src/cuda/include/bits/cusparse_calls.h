/* The calls of cuSPARSE that host code links with: declarations for files that the host's compiler reads and, in the library (cusparse_library.cu), what
 * the definitions of cusparse.h are held against. CALL is what stands in front of each. */
CALL cusparseCreate(cusparseHandle_t *h);
CALL cusparseDestroy(cusparseHandle_t h);
CALL cusparseSetStream(cusparseHandle_t h, cudaStream_t s);
CALL cusparseGetStream(cusparseHandle_t h, cudaStream_t *s);
CALL cusparseSetPointerMode(cusparseHandle_t h, cusparsePointerMode_t m);
CALL cusparseGetPointerMode(cusparseHandle_t h, cusparsePointerMode_t *m);
CALL cusparseGetVersion(cusparseHandle_t, int *version);
CALL cusparseCreateMatDescr(cusparseMatDescr_t *d);
CALL cusparseDestroyMatDescr(cusparseMatDescr_t d);
CALL cusparseSetMatType(cusparseMatDescr_t d, cusparseMatrixType_t v);
CALL cusparseSetMatFillMode(cusparseMatDescr_t d, cusparseFillMode_t v);
CALL cusparseSetMatDiagType(cusparseMatDescr_t d, cusparseDiagType_t v);
CALL cusparseSetMatIndexBase(cusparseMatDescr_t d, cusparseIndexBase_t v);
CALL cusparseCreateCsr(cusparseSpMatDescr_t *d, int64_t rows, int64_t columns, int64_t nnz, void *starts, void *across, void *values,
     cusparseIndexType_t start_type, cusparseIndexType_t across_type, cusparseIndexBase_t base, cudaDataType type);
CALL cusparseCreateCsc(cusparseSpMatDescr_t *d, int64_t rows, int64_t columns, int64_t nnz, void *starts, void *across, void *values,
     cusparseIndexType_t start_type, cusparseIndexType_t across_type, cusparseIndexBase_t base, cudaDataType type);
CALL cusparseCreateConstCsr(cusparseConstSpMatDescr_t *d, int64_t rows, int64_t columns, int64_t nnz, const void *starts, const void *across, const
     void *values, cusparseIndexType_t start_type, cusparseIndexType_t across_type, cusparseIndexBase_t base, cudaDataType type);
CALL cusparseCreateConstCsc(cusparseConstSpMatDescr_t *d, int64_t rows, int64_t columns, int64_t nnz, const void *starts, const void *across, const
     void *values, cusparseIndexType_t start_type, cusparseIndexType_t across_type, cusparseIndexBase_t base, cudaDataType type);
CALL cusparseCreateCoo(cusparseSpMatDescr_t *d, int64_t rows, int64_t columns, int64_t nnz, void *row_of, void *column_of, void *values,
     cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
CALL cusparseDestroySpMat(cusparseConstSpMatDescr_t d);
CALL cusparseSpMatGetSize(cusparseConstSpMatDescr_t d, int64_t *rows, int64_t *columns, int64_t *nnz);
CALL cusparseSpMatGetFormat(cusparseConstSpMatDescr_t d, cusparseFormat_t *f);
CALL cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t d, cusparseIndexBase_t *b);
CALL cusparseSpMatGetValues(cusparseSpMatDescr_t d, void **values);
CALL cusparseSpMatSetValues(cusparseSpMatDescr_t d, void *values);
CALL cusparseCsrSetPointers(cusparseSpMatDescr_t d, void *starts, void *across, void *values);
CALL cusparseCsrSetStridedBatch(cusparseSpMatDescr_t d, int batch, int64_t start_stride, int64_t value_stride);
CALL cusparseSpMatSetAttribute(cusparseSpMatDescr_t d, cusparseSpMatAttribute_t which, const void *value, size_t bytes);
CALL cusparseCreateDnMat(cusparseDnMatDescr_t *d, int64_t rows, int64_t columns, int64_t ld, void *values, cudaDataType type, cusparseOrder_t order);
CALL cusparseDestroyDnMat(cusparseConstDnMatDescr_t d);
CALL cusparseDnMatGetValues(cusparseDnMatDescr_t d, void **values);
CALL cusparseDnMatSetValues(cusparseDnMatDescr_t d, void *values);
CALL cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t d, int batch, int64_t stride);
CALL cusparseCreateDnVec(cusparseDnVecDescr_t *d, int64_t size, void *values, cudaDataType type);
CALL cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *d, int64_t size, const void *values, cudaDataType type);
CALL cusparseDestroyDnVec(cusparseConstDnVecDescr_t d);
CALL cusparseDnVecGetValues(cusparseDnVecDescr_t d, void **values);
CALL cusparseDnVecSetValues(cusparseDnVecDescr_t d, void *values);
CALL cusparseCreateSpVec(cusparseSpVecDescr_t *d, int64_t size, int64_t nnz, void *indices, void *values, cusparseIndexType_t index_type,
     cusparseIndexBase_t base, cudaDataType type);
CALL cusparseDestroySpVec(cusparseConstSpVecDescr_t d);
CALL cusparseSpVecGetValues(cusparseSpVecDescr_t d, void **values);
CALL cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void *,
     cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, size_t *bytes);
CALL cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void *,
     cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void *);
CALL cusparseSpMV(cusparseHandle_t h, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void
     *beta, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t, void *);
CALL cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
     cusparseConstDnMatDescr_t, const void *, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, size_t *bytes);
CALL cusparseSpMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
     cusparseConstDnMatDescr_t, const void *, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, void *);
CALL cusparseSpMM(cusparseHandle_t h, cusparseOperation_t op, cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
     cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t, void *);
CALL cusparseSDDMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstDnMatDescr_t,
     cusparseConstDnMatDescr_t, const void *, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t, size_t *bytes);
CALL cusparseSDDMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstDnMatDescr_t,
     cusparseConstDnMatDescr_t, const void *, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t, void *);
CALL cusparseSDDMM(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha, cusparseConstDnMatDescr_t a,
     cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSDDMMAlg_t, void *);
CALL cusparseSpSV_createDescr(cusparseSpSVDescr_t *d);
CALL cusparseSpSV_destroyDescr(cusparseSpSVDescr_t d);
CALL cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
     cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t, cusparseSpSVDescr_t, size_t *bytes);
CALL cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
     cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t, cusparseSpSVDescr_t, void *);
CALL cusparseSpSM_createDescr(cusparseSpSMDescr_t *d);
CALL cusparseSpSM_destroyDescr(cusparseSpSMDescr_t d);
CALL cusparseSpSM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
     cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType, cusparseSpSMAlg_t, cusparseSpSMDescr_t, size_t *bytes);
CALL cusparseSpSM_analysis(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
     cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType, cusparseSpSMAlg_t, cusparseSpSMDescr_t, void *);
CALL cusparseSpSV_solve(cusparseHandle_t h, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t b,
     cusparseDnVecDescr_t x, cudaDataType compute, cusparseSpSVAlg_t, cusparseSpSVDescr_t);
CALL cusparseSpSM_solve(cusparseHandle_t h, cusparseOperation_t op, cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
     cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t x, cudaDataType compute, cusparseSpSMAlg_t, cusparseSpSMDescr_t);
CALL cusparseAxpby(cusparseHandle_t h, const void *alpha, cusparseConstSpVecDescr_t x, const void *beta, cusparseDnVecDescr_t y);
CALL cusparseGather(cusparseHandle_t h, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x);
CALL cusparseScatter(cusparseHandle_t h, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y);
CALL cusparseSparseToDense_bufferSize(cusparseHandle_t, cusparseConstSpMatDescr_t, cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t, size_t *bytes);
CALL cusparseSparseToDense(cusparseHandle_t h, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void *);
CALL cusparseDenseToSparse_bufferSize(cusparseHandle_t, cusparseConstDnMatDescr_t, cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t, size_t *bytes);
CALL cusparseDenseToSparse_analysis(cusparseHandle_t h, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void *);
CALL cusparseDenseToSparse_convert(cusparseHandle_t h, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void *);
CALL cusparseCsr2cscEx2_bufferSize(cusparseHandle_t, int, int, int, const void *, const int *, const int *, void *, int *, int *, cudaDataType,
     cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t, size_t *bytes);
CALL cusparseCsr2cscEx2(cusparseHandle_t h, int m, int n, int, const void *values, const int *starts, const int *across, void *by_column, int
     *column_starts, int *rows, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void *);
CALL cusparseCreateIdentityPermutation(cusparseHandle_t h, int n, int *p);
CALL cusparseXcsrsort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *, size_t *bytes);
CALL cusparseXcsrsort(cusparseHandle_t h, int m, int, int, const cusparseMatDescr_t d, const int *starts, int *across, int *p, void *);
CALL cusparseScsrmv(cusparseHandle_t h, cusparseOperation_t op, int m, int n, int nnz, const float *alpha, const cusparseMatDescr_t d, const float
     *values, const int *starts, const int *across, const float *x, const float *beta, float *y);
CALL cusparseScsrmm(cusparseHandle_t h, cusparseOperation_t op, int m, int n, int k, int nnz, const float *alpha, const cusparseMatDescr_t d, const
     float *values, const int *starts, const int *across, const float *b, int ldb, const float *beta, float *c, int ldc);
CALL cusparseScsrilu02_bufferSize(cusparseHandle_t, int, int, const cusparseMatDescr_t, float *, const int *, const int *, csrilu02Info_t, int
     *bytes);
CALL cusparseScsrilu02_analysis(cusparseHandle_t, int, int, const cusparseMatDescr_t, const float *, const int *, const int *, csrilu02Info_t,
     cusparseSolvePolicy_t, void *);
CALL cusparseScsrilu02(cusparseHandle_t h, int m, int nnz, const cusparseMatDescr_t d, float *values, const int *starts, const int *across,
     csrilu02Info_t info, cusparseSolvePolicy_t, void *);
CALL cusparseSnnz(cusparseHandle_t h, cusparseDirection_t direction, int m, int n, const cusparseMatDescr_t, const float *a, int lda, int *per_line,
     int *total);
CALL cusparseDcsrmv(cusparseHandle_t h, cusparseOperation_t op, int m, int n, int nnz, const double *alpha, const cusparseMatDescr_t d, const double
     *values, const int *starts, const int *across, const double *x, const double *beta, double *y);
CALL cusparseDcsrmm(cusparseHandle_t h, cusparseOperation_t op, int m, int n, int k, int nnz, const double *alpha, const cusparseMatDescr_t d, const
     double *values, const int *starts, const int *across, const double *b, int ldb, const double *beta, double *c, int ldc);
CALL cusparseDcsrilu02_bufferSize(cusparseHandle_t, int, int, const cusparseMatDescr_t, double *, const int *, const int *, csrilu02Info_t, int
     *bytes);
CALL cusparseDcsrilu02_analysis(cusparseHandle_t, int, int, const cusparseMatDescr_t, const double *, const int *, const int *, csrilu02Info_t,
     cusparseSolvePolicy_t, void *);
CALL cusparseDcsrilu02(cusparseHandle_t h, int m, int nnz, const cusparseMatDescr_t d, double *values, const int *starts, const int *across,
     csrilu02Info_t info, cusparseSolvePolicy_t, void *);
CALL cusparseDnnz(cusparseHandle_t h, cusparseDirection_t direction, int m, int n, const cusparseMatDescr_t, const double *a, int lda, int *per_line,
     int *total);
CALL cusparseCreateCsrilu02Info(csrilu02Info_t *info);
CALL cusparseDestroyCsrilu02Info(csrilu02Info_t info);
CALL cusparseXcsrilu02_zeroPivot(cusparseHandle_t h, csrilu02Info_t info, int *position);
CALL cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *d);
CALL cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t d);
CALL cusparseSpGEMM_workEstimation(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
     cusparseConstSpMatDescr_t, const void *, cusparseSpMatDescr_t, cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t, size_t *bytes, void *);
CALL cusparseSpGEMM_compute(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
     cusparseConstSpMatDescr_t b, const void *, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t d, size_t
     *bytes, void *buffer);
CALL cusparseSpGEMM_copy(cusparseHandle_t h, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
     cusparseConstSpMatDescr_t, const void *beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t d);
