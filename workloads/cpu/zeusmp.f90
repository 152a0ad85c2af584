! zeusmp.f90 - stands in for SPEC's zeusmp: magnetohydrodynamics by operator splitting; upwind sweeps over eight separate fields
! along x, then y, then z, so that each array is walked with three strides.
program zeusmp
  implicit none
  integer, parameter :: n = 80, fields = 8
  real(8), allocatable :: u(:,:,:,:), v(:,:,:,:)
  integer :: step
  allocate(u(n,n,n,fields), v(n,n,n,3))
  call start
  do step = 1, 12
    call sweep_x; call sweep_y; call sweep_z
  end do
  print *, u(5,6,7,1)
contains
  subroutine start
    integer :: i, j, k, f
    do f = 1, fields; do k = 1, n; do j = 1, n; do i = 1, n
      u(i,j,k,f) = 1d0 + 0.2d0 * sin(0.07d0 * (i * f + j + 2 * k))
      if (f <= 3) v(i,j,k,f) = 0.3d0 * cos(0.05d0 * (i + j * f - k))
    end do; end do; end do; end do
  end subroutine
  subroutine sweep_x
    integer :: i, j, k, f
    do f = 1, fields; do k = 1, n; do j = 1, n; do i = n - 1, 2, -1
      u(i,j,k,f) = u(i,j,k,f) - 0.1d0 * (max(v(i,j,k,1), 0d0) * (u(i,j,k,f) - u(i-1,j,k,f)) &
                   + min(v(i,j,k,1), 0d0) * (u(i+1,j,k,f) - u(i,j,k,f)))
    end do; end do; end do; end do
  end subroutine
  subroutine sweep_y
    integer :: i, j, k, f
    do f = 1, fields; do k = 1, n; do i = 1, n; do j = n - 1, 2, -1
      u(i,j,k,f) = u(i,j,k,f) - 0.1d0 * (max(v(i,j,k,2), 0d0) * (u(i,j,k,f) - u(i,j-1,k,f)) &
                   + min(v(i,j,k,2), 0d0) * (u(i,j+1,k,f) - u(i,j,k,f)))
    end do; end do; end do; end do
  end subroutine
  subroutine sweep_z
    integer :: i, j, k, f
    do f = 1, fields; do j = 1, n; do i = 1, n; do k = n - 1, 2, -1
      u(i,j,k,f) = u(i,j,k,f) - 0.1d0 * (max(v(i,j,k,3), 0d0) * (u(i,j,k,f) - u(i,j,k-1,f)) &
                   + min(v(i,j,k,3), 0d0) * (u(i,j,k+1,f) - u(i,j,k,f)))
    end do; end do; end do; end do
  end subroutine
end program
