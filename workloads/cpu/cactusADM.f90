! cactusADM.f90 - stands in for SPEC's cactusADM: evolution of a metric and its curvature; twelve fields, first and mixed second
! derivatives of each at every point, by one long loop body.
program cactusadm
  implicit none
  integer, parameter :: n = 60
  real(8), allocatable :: g(:,:,:,:), k(:,:,:,:), gn(:,:,:,:), kn(:,:,:,:)
  integer :: x, y, z, c, step
  real(8) :: dx, dy, dz, dxx, dyy, dzz, dxy, dxz, dyz
  allocate(g(n,n,n,6), k(n,n,n,6), gn(n,n,n,6), kn(n,n,n,6))
  do c = 1, 6; do z = 1, n; do y = 1, n; do x = 1, n
    g(x,y,z,c) = 1d0 + 0.05d0 * sin(0.1d0 * (x * c + y - z))
    k(x,y,z,c) = 0.01d0 * cos(0.1d0 * (x + y * c + z))
  end do; end do; end do; end do
  do step = 1, 12
    do z = 2, n - 1; do y = 2, n - 1; do x = 2, n - 1
      do c = 1, 6
        dx = g(x+1,y,z,c) - g(x-1,y,z,c); dy = g(x,y+1,z,c) - g(x,y-1,z,c); dz = g(x,y,z+1,c) - g(x,y,z-1,c)
        dxx = g(x+1,y,z,c) - 2d0 * g(x,y,z,c) + g(x-1,y,z,c)
        dyy = g(x,y+1,z,c) - 2d0 * g(x,y,z,c) + g(x,y-1,z,c)
        dzz = g(x,y,z+1,c) - 2d0 * g(x,y,z,c) + g(x,y,z-1,c)
        dxy = g(x+1,y+1,z,c) - g(x+1,y-1,z,c) - g(x-1,y+1,z,c) + g(x-1,y-1,z,c)
        dxz = g(x+1,y,z+1,c) - g(x+1,y,z-1,c) - g(x-1,y,z+1,c) + g(x-1,y,z-1,c)
        dyz = g(x,y+1,z+1,c) - g(x,y+1,z-1,c) - g(x,y-1,z+1,c) + g(x,y-1,z-1,c)
        gn(x,y,z,c) = g(x,y,z,c) - 0.02d0 * k(x,y,z,c)
        kn(x,y,z,c) = k(x,y,z,c) + 0.01d0 * (dxx + dyy + dzz + 0.25d0 * (dxy + dxz + dyz)) &
                      - 0.001d0 * (dx * dx + dy * dy + dz * dz) / g(x,y,z,1)
      end do
    end do; end do; end do
    g(2:n-1,2:n-1,2:n-1,:) = gn(2:n-1,2:n-1,2:n-1,:)
    k(2:n-1,2:n-1,2:n-1,:) = kn(2:n-1,2:n-1,2:n-1,:)
  end do
  print *, g(5,6,7,1)
end program
