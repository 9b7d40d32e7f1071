/** What came of it, for whoever asks later: its value, or what it threw. */
export const capture = <V>(work: Promise<V>): Promise<() => V> =>
  work.then(
    (value) => () => value,
    (error) => () => {
      throw error
    },
  )
