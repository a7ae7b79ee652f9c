! A host of finite elements in a few lines: it drives joints through its user routines, rejects
! increments, and restarts from a file.
module host
  implicit none
  integer, parameter :: nstatv = 40
  integer :: faults = 0

  interface
    subroutine umat(stress, statev, ddsdde, sse, spd, scd, rpl, ddsddt, drplde, drpldt, stran, &
        dstran, time, dtime, temp, dtemp, predef, dpred, cmname, ndi, nshr, ntens, nstatv, props, &
        nprops, coords, drot, pnewdt, celent, dfgrd0, dfgrd1, noel, npt, layer, kspt, jstep, kinc)
      integer :: ndi, nshr, ntens, nstatv, nprops, noel, npt, layer, kspt, jstep(4), kinc
      double precision :: stress(ntens), statev(nstatv), ddsdde(ntens, ntens), sse, spd, scd, rpl, &
        ddsddt(ntens), drplde(ntens), drpldt, stran(ntens), dstran(ntens), time(2), dtime, temp, &
        dtemp, predef(1), dpred(1), props(nprops), coords(3), drot(3, 3), pnewdt, celent, &
        dfgrd0(3, 3), dfgrd1(3, 3)
      character(80) :: cmname
    end subroutine
    subroutine uel(rhs, amatrx, svars, energy, ndofel, nrhs, nsvars, props, nprops, coords, mcrd, &
        nnode, u, du, v, a, jtype, time, dtime, kstep, kinc, jelem, params, ndload, jdltyp, adlmag, &
        predef, npredf, lflags, mlvarx, ddlmag, mdload, pnewdt, jprops, njprop, period)
      integer :: ndofel, nrhs, nsvars, nprops, mcrd, nnode, jtype, kstep, kinc, jelem, ndload, &
        jdltyp(1), npredf, lflags(5), mlvarx, mdload, jprops(1), njprop
      double precision :: rhs(mlvarx, nrhs), amatrx(ndofel, ndofel), svars(nsvars), energy(8), &
        props(nprops), coords(mcrd, nnode), u(ndofel), du(mlvarx, 1), v(ndofel), a(ndofel), time(2), &
        dtime, params(3), adlmag(1), predef(1), ddlmag(1), pnewdt, period
    end subroutine
    subroutine microslip_spring(name, props, nprops, u, dt, statev, nstatv, force, tangent, &
        dissipated, stored, info, message)
      character(*) :: name, message
      integer :: nprops, nstatv, info
      double precision :: props(nprops), u, dt, statev(nstatv), force, tangent, dissipated, stored
    end subroutine
    subroutine microslip_states(name, props, nprops, count)
      character(*) :: name
      integer :: nprops, count
      double precision :: props(nprops)
    end subroutine
  end interface

contains

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    if (condition) return
    faults = faults + 1
    write (0, *) 'fails: ', what
  end subroutine

  ! One increment of a truss with the law as its material.
  subroutine material(name, props, strain, increment, dtime, statev, stress, tangent, sse, spd, pnewdt)
    character(*), intent(in) :: name
    double precision, intent(in) :: props(:), strain, increment, dtime
    double precision, intent(inout) :: statev(:), stress, tangent, sse, spd, pnewdt
    double precision :: s(1), d(1, 1), none(1), t(2), x(3), r(3, 3), scd, rpl, p(size(props)), &
      e(1), de(1), c, g, dt
    integer :: step(4)
    character(80) :: cmname
    cmname = name
    s = stress
    p = props
    none = 0; t = 0; x = 0; r = 0; scd = 0; rpl = 0; c = 1; g = 0; step = 1
    e = strain; de = increment; dt = dtime
    call umat(s, statev, d, sse, spd, scd, rpl, none, none, g, e, de, t, dt, g, g, none, none, &
      cmname, 1, 0, 1, size(statev), p, size(props), x, r, pnewdt, c, r, r, 1, 1, 1, 1, step, 1)
    stress = s(1)
    tangent = d(1, 1)
  end subroutine

  ! Jenkins, k = 2, phi = 0.5, in closed form: sliding from u = 0.25 on.
  subroutine closed_form()
    double precision :: statev(nstatv), stress, tangent, sse, spd, pnewdt
    statev = 0; stress = 0; sse = 0; spd = 0; pnewdt = 1
    call material('MICROSLIP_JENKINS', [2d0, 0.5d0], 0d0, 0.125d0, 1d0, statev, stress, tangent, sse, &
      spd, pnewdt)
    call check(stress == 0.25d0 .and. tangent == 2 .and. spd == 0 .and. sse == 0.015625d0, 'sticking')
    call material('MICROSLIP_JENKINS', [2d0, 0.5d0], 0.125d0, 0.875d0, 1d0, statev, stress, tangent, &
      sse, spd, pnewdt)
    ! 0.5 * 0.75 is lost; 0.5**2 / (2 * 2) is stored.
    call check(stress == 0.5d0 .and. tangent == 0 .and. spd == 0.375d0 .and. sse == 0.0625d0, 'sliding')
    call check(pnewdt == 1, 'no cut-back')
  end subroutine

  ! Increments that the host rejects, and a restart from a file, leave no trace.
  subroutine increments_and_restart()
    double precision :: statev(nstatv), trial(nstatv), plain(nstatv), stress, tangent, sse, spd, &
      pnewdt, u, next, force, df, lost, stored
    double precision, parameter :: props(4) = [1d0, 1d0, -0.5d0, 0.1d0]
    integer :: i, unit, info
    character(100) :: message
    statev = 0; plain = 0; u = 0; stress = 0; sse = 0; spd = 0; pnewdt = 1
    do i = 1, 200
      next = 0.02d0 * i * sin(0.3d0 * i)
      ! Too far, rejected: the host throws the new state variables away.
      trial = statev
      call material('microslip_iwan4', props, u, 3 * (next - u), 0.1d0, trial, stress, tangent, sse, &
        spd, pnewdt)
      trial = statev
      call material('microslip_iwan4', props, u, next - u, 0.1d0, trial, stress, tangent, sse, spd, &
        pnewdt)
      statev = trial
      u = next
      if (i == 77) then
        open (newunit=unit, file='restart.bin', form='unformatted', status='replace')
        write (unit) statev
        close (unit)
        statev = -1
        open (newunit=unit, file='restart.bin', form='unformatted', status='old')
        read (unit) statev
        close (unit, status='delete')
      end if
      ! A joint that was never rejected nor restarted.
      call microslip_spring('iwan4', props, 4, u, 0.1d0, plain, nstatv, force, df, lost, stored, info, &
        message)
      call check(info == 0, 'spring')
      call check(abs(stress - force) < 1d-14 .and. abs(spd - lost) < 1d-13, 'history')
    end do
    call check(spd > 0.1d0, 'the joint has slipped')
  end subroutine

  ! Two masses' worth of element: force and stiffness between two degrees of freedom.
  subroutine element()
    double precision :: rhs(2, 1), k(2, 2), svars(nstatv), energy(8), u(2), du(2, 1), zero(2), t(2), &
      p(3), one(1), pnewdt, x(3, 2), props(2)
    integer :: flags(5), type
    rhs = 7; k = 7; svars = 0; energy = 0; u = [1d0, 1.125d0]; du = 0; zero = 0; t = 0; p = 0; one = 0
    pnewdt = 1; x = 0; flags = [1, 0, 1, 0, 0]
    props = [2d0, 0.5d0]
    type = 7 ! jenkins, seventh in the list of laws
    call uel(rhs, k, svars, energy, 2, 1, nstatv, props, 2, x, 3, 2, u, du, zero, zero, type, t, 0.1d0, &
      1, 1, 1, p, 0, [0], one, one, 0, flags, 2, one, 0, pnewdt, [0], 0, 1d0)
    call check(all(rhs(:, 1) == [0.25d0, -0.25d0]), 'forces of the element')
    call check(all(k == reshape([2d0, -2d0, -2d0, 2d0], [2, 2])), 'stiffness of the element')
    call check(energy(2) == 0.015625d0 .and. energy(4) == 0, 'energies of the element')
    flags(3) = 4
    call uel(rhs, k, svars, energy, 2, 1, nstatv, props, 2, x, 3, 2, u, du, zero, zero, type, t, 0.1d0, &
      1, 1, 1, p, 0, [0], one, one, 0, flags, 2, one, 0, pnewdt, [0], 0, 1d0)
    call check(all(k == 0) .and. all(rhs == 0), 'no mass')
  end subroutine

  ! A spring between two nodes with three translations each, along the line between them.
  subroutine element_in_space(nnode, type, x, u, props, jprops, flags, alpha, dtime, pnewdt, svars, f, k)
    integer, intent(in) :: nnode, type, jprops(:), flags(5)
    double precision, intent(in) :: x(3, nnode), u(:), props(:), alpha, dtime
    double precision, intent(inout) :: pnewdt, svars(:)
    double precision, intent(out) :: f(size(u)), k(size(u), size(u))
    double precision :: rhs(size(u), 1), energy(8), du(size(u), 1), zero(size(u)), t(2), p(3), one(1), &
      numbers(size(props)), places(3, nnode), now(size(u))
    integer :: asked(5), whole(size(jprops))
    rhs = 7; k = 7; energy = 0; du = 0; zero = 0; t = 0; p = [alpha, 0.25d0, 0.5d0]; one = 0
    numbers = props; places = x; asked = flags; whole = jprops; now = u
    call uel(rhs, k, svars, energy, size(u), 1, size(svars), numbers, size(props), places, 3, nnode, now, &
      du, zero, zero, type, t, dtime, 1, 1, 1, p, 0, [0], one, one, 0, asked, size(u), one, 0, pnewdt, &
      whole, size(whole), 1d0)
    f = rhs(:, 1)
  end subroutine

  subroutine directions()
    double precision :: x(3, 2), u(6), f(6), k(6, 6), w(6), svars(nstatv), pnewdt
    double precision, parameter :: jenkins(2) = [2d0, 0.5d0]
    integer, parameter :: static(5) = [1, 0, 1, 0, 0]
    x = reshape([0d0, 0d0, 0d0, 3d0, 4d0, 0d0], [3, 2])
    w = [-0.6d0, -0.8d0, 0d0, 0.6d0, 0.8d0, 0d0]
    u = [0d0, 0d0, 9d0, 0.1d0, 0.05d0, -3d0] ! stretched by 0.1
    svars = 0; pnewdt = 1
    call element_in_space(2, 7, x, u, jenkins, [integer ::], static, 0d0, 0.1d0, pnewdt, svars, f, k)
    call check(maxval(abs(f + 0.2d0 * w)) < 1d-15, 'forces along the line between the nodes')
    call check(maxval(abs(k - 2 * spread(w, 2, 6) * spread(w, 1, 6))) < 1d-15, 'stiffness along the line')
    ! The first integer property chooses a translation; -1 a vector at the end of the properties.
    svars = 0
    call element_in_space(2, 7, x, u, jenkins, [2], static, 0d0, 0.1d0, pnewdt, svars, f, k)
    call check(all(f == [0d0, 0.1d0, 0d0, 0d0, -0.1d0, 0d0]), 'forces along a translation')
    svars = 0
    call element_in_space(2, 7, x, u, [2d0, 0.5d0, 0d0, 3d0, 0d0], [-1], static, 0d0, 0.1d0, pnewdt, svars, &
      f, k)
    call check(all(f == [0d0, 0.1d0, 0d0, 0d0, -0.1d0, 0d0]), 'forces along a vector')
    svars = 0
    call element_in_space(1, 7, x(:, 1:1), u(4:6), jenkins, [1], static, 0d0, 0.1d0, pnewdt, svars, f(1:3), &
      k(1:3, 1:3))
    call check(all(f(1:3) == [-0.2d0, 0d0, 0d0]), 'to the ground')
    ! Two nodes at one place have no line between them, and a type that is none: the host must stop.
    x(:, 2) = 0
    call element_in_space(2, 7, x, u, jenkins, [integer ::], static, 0d0, 0.1d0, pnewdt, svars, f, k)
    call check(all(f /= f) .and. all(k /= k), 'no direction: no numbers')
    call element_in_space(2, 0, x, u, jenkins, [1], static, 0d0, 0.1d0, pnewdt, svars, f, k)
    call check(all(f /= f) .and. all(k /= k), 'a type that is none: no numbers')
    call check(pnewdt == 1, 'bad input does not touch the increment')
    ! An increment that the host has cut already is never made longer.
    svars = 0; pnewdt = 0.1d0
    call element_in_space(2, 1, x, 1d308 * [-1d0, 0d0, 0d0, 1d0, 0d0, 0d0], [10d0], [1], static, 0d0, 0.1d0, &
      pnewdt, svars, f, k)
    call check(pnewdt == 0.1d0, 'the increment is only ever cut')
  end subroutine

  ! Dynamics: the force of both ends of an increment, weighted with alpha; damping of a dashpot.
  subroutine dynamics()
    double precision :: x(3, 1), f(1), k(1, 1), svars(nstatv), pnewdt
    integer, parameter :: dynamic(5) = [11, 0, 1, 0, 0]
    double precision, parameter :: jenkins(2) = [2d0, 0.5d0], alpha = -0.05d0
    x = 0; svars = 0; pnewdt = 1
    call element_in_space(1, 7, x, [0.1d0], jenkins, [1], dynamic, alpha, 0.1d0, pnewdt, svars, f, k)
    call check(abs(f(1) + 0.95d0 * 0.2d0) < 1d-16 .and. abs(k(1, 1) - 0.95d0 * 2) < 1d-15, 'first increment')
    call element_in_space(1, 7, x, [0.2d0], jenkins, [1], dynamic, alpha, 0.1d0, pnewdt, svars, f, k)
    call check(abs(f(1) + 0.95d0 * 0.4d0 + 0.05d0 * 0.2d0) < 1d-15, 'the force of both ends')
    ! Questions leave the state alone.
    call element_in_space(1, 7, x, [9d0], jenkins, [1], [11, 0, 5, 0, 0], alpha, 0.1d0, pnewdt, svars, f, k)
    call check(abs(f(1) + 0.95d0 * 0.5d0 + 0.05d0 * 0.4d0) < 1d-15 .and. all(k == 0), 'residual alone')
    call element_in_space(1, 7, x, [9d0], jenkins, [1], [11, 0, 2, 0, 0], 0d0, 0.1d0, pnewdt, svars, f, k)
    call check(f(1) == 0 .and. k(1, 1) == 0, 'stiffness alone: sliding')
    call element_in_space(1, 7, x, [0.2d0], jenkins, [1], dynamic, alpha, 0.1d0, pnewdt, svars, f, k)
    call check(abs(f(1) + 0.4d0) < 1d-15, 'the state before the questions')
    svars = 0
    call element_in_space(1, 39, x, [0.2d0], [3d0], [1], [11, 0, 3, 0, 0], 0d0, 0.1d0, pnewdt, svars, &
      f, k)
    call check(abs(k(1, 1) - 3) < 1d-12 .and. f(1) == 0, 'damping of a dashpot')
  end subroutine

  subroutine refusals()
    double precision :: statev(nstatv), force, tangent, lost, stored, before(nstatv)
    integer :: info, count, i
    character(120) :: message
    call microslip_states('iwan4', [1d0, 1d0, -0.5d0, 0.1d0], 4, count)
    call check(count > 2 .and. count <= nstatv, 'number of state variables')
    call microslip_states('iwan9', [1d0], 1, count)
    call check(count == -1, 'unknown law')
    statev = 0
    call microslip_spring('jenkins', [2d0], 1, 1d0, 1d0, statev, nstatv, force, tangent, lost, stored, &
      info, message)
    call check(info == 2 .and. index(message, 'the next one is phi') > 0, 'too few numbers')
    call microslip_spring('jenkins', [2d0, -1d0], 2, 1d0, 1d0, statev, nstatv, force, tangent, lost, &
      stored, info, message)
    call check(info == 2 .and. index(message, 'must lie in') > 0, 'a number out of bounds')
    call check(all(statev == 0), 'state untouched')
    statev(1) = 1d9
    call microslip_spring('jenkins', [2d0, 1d0], 2, 1d0, 1d0, statev, nstatv, force, tangent, lost, &
      stored, info, message)
    call check(info == 2 .and. index(message, 'damaged') > 0, 'damaged state')
    ! A memory that outgrows the state variables is an error, never silent, and changes nothing.
    call microslip_states('iwan4', [1d0, 1d0, -0.5d0, 0.1d0], 4, count)
    statev = 0
    do i = 1, 100
      before = statev
      call microslip_spring('iwan4', [1d0, 1d0, -0.5d0, 0.1d0], 4, (-1d0)**i * (2 - 0.01d0 * i), 1d0, &
        statev, count + 6, force, tangent, lost, stored, info, message)
      if (info /= 0) exit
    end do
    call check(info == 2 .and. index(message, 'state variables by now') > 0, 'growing memory')
    call check(all(statev == before), 'state of the last good step')
    ! A force that is too large for a number is no answer: a smaller increment is asked for.
    statev = 0
    call microslip_spring('linear', [10d0], 1, 1d308, 1d0, statev, nstatv, force, tangent, lost, stored, &
      info, message)
    call check(info == 1 .and. all(statev == 0), 'a force too large for a number')
    ! Lists: masing with two elements, k then phi. Sliding at 0.5, sticking with k = 2.
    statev = 0
    call microslip_spring('masing', [1d0, 2d0, 0.5d0, 3d0], 4, 1d0, 1d0, statev, nstatv, force, tangent, &
      lost, stored, info, message)
    call check(info == 0 .and. force == 2.5d0 .and. tangent == 2, 'lists')
  end subroutine

end module

program test_hosts
  use host
  implicit none
  call closed_form()
  call increments_and_restart()
  call element()
  call directions()
  call dynamics()
  call refusals()
  if (faults > 0) error stop 'the entry points fail'
  print *, 'the entry points of the hosts work'
end program
