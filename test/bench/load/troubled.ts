import { answerWith } from '../child.ts'

/** Receivers, the first of which never answers; of the others each fails at this part of what it gets, the first time. */
export type Asked = { readonly open: number; readonly failing: number } | { readonly read: true } | { readonly forget: true }

export interface Heard {
  /** Different events that each has taken. */
  readonly taken: readonly number[]
  /** Milliseconds from the event to its arrival where nothing failed on the way. */
  readonly ages: readonly number[]
  /** When the last of those came. */
  readonly lastAt: number
}

interface Receiver {
  readonly taken: Set<string>
  readonly failed: Set<string>
}

let receivers: Receiver[] = []
let ages: number[] = []
let lastAt = 0
const CREATED = /"createdAt":"([^"]+)"/

function open(count: number, failing: number): string[] {
  receivers = Array.from({ length: count }, () => ({ taken: new Set(), failed: new Set() }))
  return receivers.map(
    (receiver, at) => `${Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: at === 0 ? hang : take(receiver, failing) }).url}hook`,
  )
}

const hang = () => new Promise<Response>(() => {})

const take =
  ({ taken, failed }: Receiver, failing: number) =>
  async (request: Request) => {
    const id = request.headers.get('x-service-cloud-id') ?? ''
    const body = await request.text()
    if (!failed.has(id) && !taken.has(id) && Math.random() < failing) {
      failed.add(id)
      return new Response(null, { status: 500 })
    }
    if (!taken.has(id) && !failed.has(id)) {
      lastAt = Date.now()
      ages.push(lastAt - Date.parse(CREATED.exec(body.slice(0, 300))?.[1] ?? ''))
    }
    taken.add(id)
    return new Response(null, { status: 204 })
  }

answerWith<Asked>(async (asked) => {
  if ('open' in asked) return open(asked.open, asked.failing)
  const heard: Heard = { taken: receivers.map(({ taken }) => taken.size), ages, lastAt }
  if ('forget' in asked) {
    for (const { taken, failed } of receivers) for (const all of [taken, failed]) all.clear()
    ages = []
  }
  return heard
})
