/**
 * Returns a function that calls `open` at its first call, and gives the same value from then on. Libraries that few servers use are loaded so:
 * `lazy(() => require('name') as typeof import('name'))`. An idle server is then smaller and starts faster.
 */
export function lazy<V>(open: () => V): () => V {
  // `open` is dropped once it was called, with all that it holds.
  let state: { readonly open: () => V } | { readonly value: V } = { open }
  return () => {
    if ('open' in state) state = { value: state.open() }
    return state.value
  }
}
