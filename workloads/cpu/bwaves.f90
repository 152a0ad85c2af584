! bwaves.f90 - stands in for SPEC's bwaves: blast waves by an implicit solver; five values per cell side by side, and a 5 x 5 block
! applied to six neighbours in each relaxation.
program bwaves
  implicit none
  integer, parameter :: n = 64
  real(8), allocatable :: q(:,:,:,:), r(:,:,:,:), jac(:,:,:,:,:)
  integer :: i, j, k, l, m, step
  allocate(q(5,n,n,n), r(5,n,n,n), jac(5,5,n,n,n))
  do k = 1, n; do j = 1, n; do i = 1, n; do m = 1, 5
    q(m,i,j,k) = 1d0 + 0.1d0 * sin(0.1d0 * (i + m * j - k))
    do l = 1, 5
      jac(l,m,i,j,k) = 0.01d0 * cos(0.05d0 * (i * l + j * m + k))
    end do
  end do; end do; end do; end do
  do step = 1, 20
    do k = 2, n - 1; do j = 2, n - 1; do i = 2, n - 1
      do m = 1, 5
        r(m,i,j,k) = q(m,i,j,k)
        do l = 1, 5
          r(m,i,j,k) = r(m,i,j,k) + jac(l,m,i,j,k) * (q(l,i-1,j,k) + q(l,i+1,j,k) + q(l,i,j-1,k) + q(l,i,j+1,k) &
                       + q(l,i,j,k-1) + q(l,i,j,k+1) - 6d0 * q(l,i,j,k))
        end do
      end do
    end do; end do; end do
    q(:,2:n-1,2:n-1,2:n-1) = r(:,2:n-1,2:n-1,2:n-1)
  end do
  print *, q(1,5,6,7)
end program
