/** What came of it, for whoever asks later: its value, or what it threw. */
export const settled = <V>(work: Promise<V>): Promise<() => V> =>
  work.then(
    (value) => () => value,
    (error) => () => {
      throw error
    },
  )
