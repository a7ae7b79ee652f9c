program push
  implicit none
  integer, parameter :: n = 60
  double precision :: props(4) = [1d0, 1d0, -0.5d0, 0.1d0], statev(n), trial(n), u, force, tangent, &
    dissipated, stored
  integer :: i, info
  character(120) :: message
  statev = 0                               ! at rest
  do i = 1, 100
    u = sin(0.1d0 * i)
    trial = statev                         ! an iteration starts from the last converged increment
    call microslip_spring('iwan4', props, 4, u, 0.1d0, trial, n, force, tangent, dissipated, stored, &
      info, message)
    if (info == 2) error stop trim(message)
    if (info == 0) statev = trial          ! converged: accept
    print *, u, force, tangent, dissipated
  end do
end program
