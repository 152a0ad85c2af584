/* OpenGL's buffers and pictures in CUDA: programs that show what they compute compile as they are. There is no screen in a simulation, so
 * every call is refused by name at run time; what such programs do without their windows (many have an option for it) runs. */
#ifndef WARPLINE_CUDA_GL_INTEROP_H
#define WARPLINE_CUDA_GL_INTEROP_H
#include <cuda_runtime_api.h>
#if defined(__has_include)
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#define WARPLINE_HAS_GL 1
#endif
#endif
#if !defined(WARPLINE_HAS_GL)
typedef unsigned int GLuint, GLenum;
#endif
enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame = 2, cudaGLDeviceListNextFrame = 3 };
enum cudaGLMapFlags { cudaGLMapFlagsNone, cudaGLMapFlagsReadOnly, cudaGLMapFlagsWriteDiscard };
#if defined(__cplusplus)
extern "C" {
#endif
cudaError_t cudaGLGetDevices(unsigned int *count, int *devices, unsigned int room, enum cudaGLDeviceList list);
cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **resource, GLuint image, GLenum target, unsigned int flags);
cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **resource, GLuint buffer, unsigned int flags);
cudaError_t cudaGLSetGLDevice(int device);
cudaError_t cudaGLRegisterBufferObject(GLuint buffer);
cudaError_t cudaGLMapBufferObject(void **pointer, GLuint buffer);
cudaError_t cudaGLUnmapBufferObject(GLuint buffer);
cudaError_t cudaGLUnregisterBufferObject(GLuint buffer);
cudaError_t cudaGLSetBufferObjectMapFlags(GLuint buffer, unsigned int flags);
cudaError_t cudaGLMapBufferObjectAsync(void **pointer, GLuint buffer, cudaStream_t stream);
cudaError_t cudaGLUnmapBufferObjectAsync(GLuint buffer, cudaStream_t stream);
#if defined(__cplusplus)
}
#endif
#endif
