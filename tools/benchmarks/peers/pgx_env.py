"""The pgx library: batches of random tic-tac-toe games, compiled by JAX."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.peers.measuring import Do

ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
LONGEST = 9  # the maximum number of moves in a game; moves after the end of a game change nothing


def playouts(batch: int) -> Do:
    """Return a function that plays random games. Each compiled call plays `batch` complete games."""
    os.environ.setdefault("XLA_FLAGS", ONE_THREAD)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make("tic_tac_toe")

    @jax.jit
    def play(seed: int) -> jax.Array:
        # JAX's fastest random number generator
        key, first = jax.random.split(jax.random.key(seed, impl="unsafe_rbg"))

        def move(_: int, carried: tuple[pgx.State, jax.Array]) -> tuple[pgx.State, jax.Array]:
            state, key = carried
            key, drawn = jax.random.split(key)
            number = jnp.where(state.legal_action_mask, jax.random.uniform(drawn, state.legal_action_mask.shape), -1.0)
            return jax.vmap(env.step)(state, jnp.argmax(number, axis=-1)), key

        begun = jax.vmap(env.init)(jax.random.split(first, batch))
        state, _ = jax.lax.fori_loop(0, LONGEST, move, (begun, key))
        return state.rewards.sum(axis=0)

    calls = 0

    def do(count: int) -> int:
        nonlocal calls
        needed = -(-count // batch)
        for _ in range(needed):
            calls += 1
            jax.block_until_ready(play(calls))
        return needed * batch

    return do
