"""The demonstration: invented companies, vehicles and complaints at real places of the towns served.

Everything comes in through the services that real data comes through, with days relative to the day of
loading, so that every case is there whenever it is loaded. Nothing of it reaches a city hall.

Plates begin with ZZ. Series are handed to the states in alphabetical order, and the end of the alphabet has
been handed to none: no vehicle on the road bears one.
"""

from portal.demo.loading import load_demonstration

__all__ = ["load_demonstration"]
