/* Of CUDA's pipelines, the primitives; the classes of nvcuda::experimental are not there. */
#include "cuda_pipeline_primitives.h"
