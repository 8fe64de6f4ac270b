"""Best play: each turn the choice that minimises the expected number of turns, knowing the state.

`loadout` compiles the attacks, `gating` finds every state of their counters with what may be done in it,
`moves` says what an action does to the enemies, `solving` goes up from few HP to many, `following` walks
forward again under the policy that was found. Spec, The attacker's action: Optimal play.
"""
