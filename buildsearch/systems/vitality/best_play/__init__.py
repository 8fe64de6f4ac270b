"""Best play: each turn the choice that minimises the expected number of turns, knowing the state.

`loadout` compiles the attacks, `counter_graph` finds every state of their counters with what may be done in
it, `optimum` what an action does to the enemies, `general_solver` goes up from few HP to many, `playthrough`
walks forward again under the policy that was found. `kits` prepares many attacks at once for `fast_solver`;
`gains`, `savings`, `relaxation` and `dominance` say which loadouts need no solving.
Spec, The attacker's action: Optimal play.
"""
