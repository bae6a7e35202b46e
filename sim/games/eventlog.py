"""The event log of a game, as compiled rules write it: int32 [rows, 6]."""

from sim.compiled import big_rule, rule


@rule
def note(s, log, event, time, seat, a, b, c):
    """Write a row of the event log, if one is kept."""
    if log.shape[0] > 0:
        write(s, log, event, time, seat, a, b, c)


@big_rule
def write(s, log, event, time, seat, a, b, c):
    """Write a row of the event log; rows beyond its end are only counted."""
    if s.log_n < log.shape[0]:
        row = s.log_n
        log[row, 0] = event
        log[row, 1] = time
        log[row, 2] = seat
        log[row, 3] = a
        log[row, 4] = b
        log[row, 5] = c
    s.log_n += 1
