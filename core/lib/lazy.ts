/**
 * Returns a function that calls `open` at its first call, and gives the same value from then on. Libraries that few servers use are loaded so:
 * `lazy(() => require('name') as typeof import('name'))`. An idle server is then smaller and starts faster.
 */
export function lazy<V>(open: () => V): () => V {
  let opened: { readonly value: V } | undefined
  return () => {
    opened ??= { value: open() }
    return opened.value
  }
}
