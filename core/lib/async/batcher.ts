interface Waiting<Q, A> {
  readonly question: Q
  resolve(answer: A): void
  reject(error: unknown): void
}

/**
 * Questions that come at once, asked together: the first goes by itself, and who comes while it is under way goes with all others that wait by
 * then, up to `most`. Only questions with the same key go together, and wait for each other. `ask` gives an answer for each, in their order; where it
 * fails for several, each is asked once more alone, so that nobody fails for another's sake.
 */
export function batcher<Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
  { keyOf, most }: { readonly keyOf: (question: Q) => string; readonly most: number },
): (question: Q) => Promise<A> {
  /** Of each key of which something is under way, who waits. */
  const queues = new Map<string, Waiting<Q, A>[]>()

  async function answer(group: readonly Waiting<Q, A>[]): Promise<void> {
    try {
      const answers = await ask(group.map(({ question }) => question))
      group.forEach(({ resolve }, at) => {
        resolve(answers[at] as A)
      })
    } catch (error) {
      if (group.length > 1) for (const one of group) await answer([one])
      else for (const { reject } of group) reject(error)
    }
  }

  async function go(key: string, queue: Waiting<Q, A>[]): Promise<void> {
    while (queue.length > 0) await answer(queue.splice(0, most))
    queues.delete(key)
  }

  return (question) =>
    new Promise((resolve, reject) => {
      const key = keyOf(question)
      const one = { question, resolve, reject }
      const queue = queues.get(key)
      if (queue) {
        queue.push(one)
        return
      }
      const begun = [one]
      queues.set(key, begun)
      void go(key, begun)
    })
}
