import { answerWith } from '../child.ts'

/** Requests that are sent at the same moment. */
export interface Burst {
  readonly url: string
  readonly asks: readonly {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
  }[]
}

export interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the shape of its own answer
  readonly body: any
  readonly ms: number
}

answerWith(({ url, asks }: Burst): Promise<Answered[]> => {
  const began = performance.now()
  return Promise.all(
    asks.map(async ({ method, path, headers, body }) => {
      const answer = await fetch(url + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(60_000),
      })
      return { status: answer.status, body: await answer.json().catch(() => null), ms: performance.now() - began }
    }),
  )
})
