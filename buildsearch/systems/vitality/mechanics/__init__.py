"""The rules of a fight as steps without chance: numbers in, numbers out, each stated once.

Engines own the rest: the kernel draws what happens and calls a step, exact engines call it for everything
that can happen. Steps take and give numbers (counters also take the record of an attack's limits) and are
inlined into compiled code, where they cost nothing; from Python they can be called as they are. Each cites
the section of the reading that it states; `reference/` is the witness that shares none of this.

The order of a turn (spec, A turn, and ruling bleed_tick):

1. If bleeds tick at the start: those that are due.
2. Somebody stands there: the attacker acts. Limits say what can be done, play chooses, an
   attempt spends and is rolled for (`limits`). Strikes go at their targets, each base strike followed by what
   it sets off (`strikes`).
   Nobody stands there: charge and channel are lost.
3. If bleeds tick at the end: those that are due.
4. Nobody stands there: the fight is over, or the next wave arrives and nobody retaliates.
5. The first few living enemies retaliate.
"""
