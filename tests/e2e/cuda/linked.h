// What linked.cu and linked_part.cu know of each other.
#pragma once
#include "check.h"
typedef float (*unary)(float);
struct particle {
    float x, v;
    __host__ __device__ particle();
    __device__ void advance(float dt);
};
extern __device__ int counter;
extern __constant__ float scale[4];
extern __device__ float *pointer;
extern __device__ unary there;
extern "C" __device__ float twice(float x);
__device__ unary choose(int i);
__global__ void remote(float *out);
inline __device__ int in_both = 3; // one variable, although each file has it
inline __device__ int next_number()
{
    static int number = 5;
    return atomicAdd(&number, 1);
}
__device__ int chosen(); // linked.cu has a weak one
void see_in_both(int *out);
int count_of_the_other_file();
void tell_of_the_other_file(float *out);
