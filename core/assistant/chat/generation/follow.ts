import type { Context } from '../../../context.ts'
import { findGeneration, partsAfter } from './generations.queries.ts'
import type { Leave } from './listening.ts'
import { type Numbered, shownPart } from './parts.ts'

const READ_AT_ONCE = 200
const LOOK_MS = 150
const KEEP_ALIVE_MS = 10_000
/** Of one write, so that a client that is slow keeps no more than this waiting. */
const BATCH = 50

type Needs = Pick<Context, 'sql' | 'generating'>

/** What comes of an answer after a part, in order, to its end: from this process's memory where it is made here, else as it was written down. Nothing, now and then, while nothing comes. */
async function* follow({ sql, generating }: Needs, id: string, after: number, signal: AbortSignal): AsyncGenerator<readonly Numbered[]> {
  let seen = after
  let saidAt = performance.now()
  while (!signal.aborted) {
    const live = generating.find(id)
    const isHere = live !== undefined && !live.ended && seen >= live.row.lastSeq
    const changed = live?.changed
    const next = isHere
      ? live.parts.slice(seen - live.row.lastSeq, seen - live.row.lastSeq + BATCH)
      : await partsAfter(sql, id, seen, READ_AT_ONCE)
    const last = next.at(-1)
    if (last) {
      seen = last.seq
      saidAt = performance.now()
      yield next
      if (last.part.type === 'end') return
      continue
    }
    if (!isHere && (await isOver(sql, id, seen))) return
    await either(isHere && changed ? changed : Bun.sleep(LOOK_MS), signal, isHere ? KEEP_ALIVE_MS : LOOK_MS)
    if (performance.now() - saidAt < KEEP_ALIVE_MS) continue
    saidAt = performance.now()
    yield []
  }
}

const isOver = async (sql: Needs['sql'], id: string, seen: number) => {
  const generation = await findGeneration(sql, id)
  // What was not over when its parts were read may have ended since; whose parts were dropped has none.
  return !generation || (generation.state !== 'running' && (await partsAfter(sql, id, seen, 1)).length === 0)
}

const either = (what: Promise<unknown>, signal: AbortSignal, ms: number) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    void what.then(done, done)
  })

const encoder = new TextEncoder()
const frame = (event: string, data: unknown, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Server-sent events of an answer, from after a part on. A client that is slow is waited for; one that is gone ends nothing. `leave`: when it is over. */
export function eventsOf(context: Needs, id: string, after: number, leave: Leave, first?: object): Response {
  const gone = new AbortController()
  const parts = follow(context, id, after, gone.signal)
  let said = first ? frame('begun', first) : ''
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (said !== '') {
          controller.enqueue(encoder.encode(said))
          said = ''
          return
        }
        const { value, done } = await parts.next().catch((error) => {
          leave()
          throw error
        })
        if (done) {
          leave()
          return controller.close()
        }
        const text = value.length === 0 ? ': \n\n' : value.map(({ seq, part }) => frame(part.type, shownPart(part), seq)).join('')
        controller.enqueue(encoder.encode(text))
      },
      async cancel() {
        leave()
        gone.abort()
        await parts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
  })
}

/** Whether a client wants events. */
export const wantsEvents = (request: Request): boolean => (request.headers.get('accept') ?? '').includes('text/event-stream')

/** After which part a client goes on. */
export const lastEventOf = (request: Request): number => {
  const said = request.headers.get('last-event-id') ?? ''
  return /^\d{1,9}$/.test(said) ? Number(said) : 0
}
