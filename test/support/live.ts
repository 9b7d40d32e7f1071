import { until } from './until.ts'

/** Event of a live stream, with the time at which it arrived. */
export interface LiveEvent {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  readonly data: any
  readonly at: number
}

/** A client that reads a live stream. */
export interface LiveClient {
  readonly status: number
  readonly events: readonly LiveEvent[]
  /** Hints as `topic id`. */
  hints(): string[]
  /** Whether the server has ended the stream. */
  hasEnded(): boolean
  /** Waits for the end of the stream and returns its reason. */
  closed(): Promise<string>
  leave(): void
}

/** Opens a live stream over a socket, and waits until it is ready or refused. */
export async function openLiveClient(origin: string, storeId: string, headers: Record<string, string>): Promise<LiveClient> {
  const controller = new AbortController()
  const response = await fetch(`${origin}/v1/stores/${storeId}/live`, { headers, signal: controller.signal })
  const events: LiveEvent[] = []
  let hasEnded = response.status !== 200
  const read = async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) {
        const event = /^event: (.*)$/m.exec(frame)?.[1]
        if (event) events.push({ event, data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? 'null'), at: performance.now() })
      }
    }
  }
  if (!hasEnded)
    void read()
      .catch(() => {})
      .finally(() => (hasEnded = true))
  else await response.body?.cancel()
  const client: LiveClient = {
    status: response.status,
    events,
    hints: () => events.filter(({ event }) => event === 'hint').map(({ data }) => `${data.topic} ${data.id}`),
    hasEnded: () => hasEnded,
    closed: async () => {
      await until(() => hasEnded, 10_000)
      return events.find(({ event }) => event === 'closed')?.data.reason ?? 'without a reason'
    },
    leave: () => controller.abort(),
  }
  if (response.status === 200) await until(() => events.some(({ event }) => event === 'ready'), 5_000)
  return client
}
