/** Waits for `work`. Returns a function that returns its value or throws its error. */
export const capture = <V>(work: Promise<V>): Promise<() => V> =>
  work.then(
    (value) => () => value,
    (error) => () => {
      throw error
    },
  )
