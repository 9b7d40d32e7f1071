import type { Context } from '../../../context.ts'
import { findGeneration, type GenerationKey, listPartsAfter } from './generations.queries.ts'
import { type NumberedPart, presentPart } from './parts.ts'
import type { StreamRelease } from './stream-limit.ts'

const READ_AT_ONCE = 200
/** Interval of polls for an answer that another process generates. */
const POLL_MS = 150
/** Silence after which a comment keeps the connection open. */
const KEEP_ALIVE_MS = 10_000
/** Parts of one write: limits the memory that a slow client holds. */
const BATCH = 50

type Needs = Pick<Context, 'sql' | 'generationRunner'>

/**
 * Yields the parts of an answer after a part, in order, to its end: from memory when this process generates it, else from the database.
 * Yields an empty batch as a keep-alive.
 */
async function* followParts(
  { sql, generationRunner: generating }: Needs,
  generation: GenerationKey,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly NumberedPart[]> {
  let seen = after
  let sentAt = performance.now()
  while (!signal.aborted) {
    const live = generating.find(generation.id)
    const isHere = live !== undefined && !live.hasEnded && seen >= live.row.lastSeq
    const changed = live?.nextChange
    const next = isHere
      ? live.parts.slice(seen - live.row.lastSeq, seen - live.row.lastSeq + BATCH)
      : await listPartsAfter(sql, generation, seen, READ_AT_ONCE)
    const last = next.at(-1)
    if (last) {
      seen = last.seq
      sentAt = performance.now()
      yield next
      if (last.part.type === 'end') return
      continue
    }
    if (!isHere && (await hasEnded(sql, generation, seen))) return
    await waitFor(isHere && changed ? changed : Bun.sleep(POLL_MS), signal, isHere ? KEEP_ALIVE_MS : POLL_MS)
    if (performance.now() - sentAt < KEEP_ALIVE_MS) continue
    sentAt = performance.now()
    yield []
  }
}

const hasEnded = async (sql: Needs['sql'], key: GenerationKey, seen: number) => {
  const generation = await findGeneration(sql, key)
  // Reads the parts again: the generation may have ended since the last read. One whose parts have expired has none.
  return !generation || (generation.state !== 'running' && (await listPartsAfter(sql, key, seen, 1)).length === 0)
}

const waitFor = (work: Promise<unknown>, signal: AbortSignal, ms: number) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    void work.then(done, done)
  })

const encoder = new TextEncoder()
const frame = (event: string, data: unknown, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/**
 * Streams an answer as server-sent events, from after a part on. A slow client slows only its own stream, and a disconnect does not cancel
 * the generation. Calls `release` when the stream ends; `first` is sent before all parts.
 */
export function streamEvents(context: Needs, generation: GenerationKey, after: number, release: StreamRelease, first?: object): Response {
  const disconnected = new AbortController()
  const parts = followParts(context, generation, after, disconnected.signal)
  let greeting = first ? frame('begun', first) : ''
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (greeting !== '') {
          controller.enqueue(encoder.encode(greeting))
          greeting = ''
          return
        }
        const { value, done } = await parts.next().catch((error) => {
          release()
          throw error
        })
        if (done) {
          release()
          return controller.close()
        }
        const text = value.length === 0 ? ': \n\n' : value.map(({ seq, part }) => frame(part.type, presentPart(part), seq)).join('')
        controller.enqueue(encoder.encode(text))
      },
      async cancel() {
        release()
        disconnected.abort()
        await parts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
  })
}

/** Returns true when the client accepts `text/event-stream`. */
export const wantsEventStream = (request: Request): boolean => (request.headers.get('accept') ?? '').includes('text/event-stream')

/** Returns the part after which a client resumes, from `Last-Event-ID`; 0 when the header is missing or invalid. */
export const parseLastEventId = (request: Request): number => {
  const header = request.headers.get('last-event-id') ?? ''
  return /^\d{1,9}$/.test(header) ? Number(header) : 0
}
