/* The driver API is not part of warpline; programs include this file for the version and a few names. */
#ifndef WARPLINE_CUDA_H
#define WARPLINE_CUDA_H
#include <stdint.h>
#include <stdlib.h>
#define CUDA_VERSION 12000
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
#endif
