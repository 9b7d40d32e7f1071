interface Waiting<Q, A> {
  readonly question: Q
  resolve(answer: A): void
  reject(error: unknown): void
}

/**
 * Returns a function that batches concurrent questions with the same key. The first question runs alone. Questions that arrive meanwhile
 * wait and run together, at most `most` at once. `ask` returns one answer per question, in order. If it fails for several questions, each
 * is asked again alone, so one failure affects only itself.
 */
export function batcher<Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
  { keyOf, most }: { readonly keyOf: (question: Q) => string; readonly most: number },
): (question: Q) => Promise<A> {
  /** Waiting questions of each key that has a batch under way. */
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

  async function drain(key: string, queue: Waiting<Q, A>[]): Promise<void> {
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
      void drain(key, begun)
    })
}
