/* The services of NVIDIA's sample programs together. */
#ifndef WARPLINE_HELPER_FUNCTIONS_H
#define WARPLINE_HELPER_FUNCTIONS_H
#include "bits/names_hidden.h"
#include <algorithm>
#include <assert.h>
#include <fstream>
#include <helper_image.h>
#include <helper_string.h>
#include <helper_timer.h>
#include <iostream>
#include <math.h>
#include <string>
#include <vector>
#include "bits/names_shown.h"
#endif
