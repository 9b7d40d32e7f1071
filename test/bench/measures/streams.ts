import { storefront } from '../../support/storefront.ts'
import { quantile } from '../figures.ts'
import { memoryOf, UNREADABLE, watchMemory } from '../memory.ts'
import { milliseconds, type Row } from '../table.ts'
import { type Closers, startSubject } from '../world.ts'

const STREAMS = 200
/** Answers that are streamed to one person at the same time. */
const EACH = 5
const BEGUN_PER_SECOND = 40
/** All are under way together for a while. */
const WORDS = 100
const BETWEEN_MS = 100
const OTHERS_PER_SECOND = 40
const OTHERS_P99_MS = 100
const KEY = 'sk-bench'

interface Client {
  readonly as: string
  readonly storeId: string
  readonly key: string
}

/** So many assistants' answers streamed at once by one server, beside its other work: what we add before the first word, what others wait, what each costs. */
export async function streamsAtOnce(outer: Closers): Promise<Row[]> {
  const side = startModels()
  outer.push(() => side.stop())
  const subject = await startSubject(outer, { SIMULATORS: `api.openai.com=${side.url}` })
  const { ok, open } = storefront(subject.server.url)
  const clients: Client[] = []
  for (let count = 0; count < STREAMS / EACH; count += 1) {
    const client = await open()
    await ok('PUT', `/v1/stores/${client.storeId}/integrations/openai`, client.as, {
      enabled: true,
      credentials: { apiKey: KEY },
      settings: {},
    })
    clients.push(client)
  }
  const pid = await subject.pid()
  const before = await memoryOf(pid)
  const memory = watchMemory(pid)
  const others = askOthers(subject.server.url, clients)
  const streams = clients.flatMap((client) => Array.from({ length: EACH }, (_, at) => ({ client, at })))
  const firsts = await Promise.all(
    streams.map(async ({ client, at }, number) => {
      await Bun.sleep((number * 1000) / BEGUN_PER_SECOND)
      return follow(subject.server.url, client, at)
    }),
  )
  const waits = await others.stop()
  const peak = memory.stop()
  const added = firsts.map(({ marker, at }) => at - (side.firsts.get(marker) ?? Number.NaN))
  const p99 = quantile(waits, 0.99)
  return [
    { what: `${STREAMS} answers at once: the first word, later than the model's own, p50`, ours: milliseconds(quantile(added, 0.5)) },
    { what: `${STREAMS} answers at once: the same, p99`, ours: milliseconds(quantile(added, 0.99)) },
    {
      what: `others beside them, at ${OTHERS_PER_SECOND}/s, p99`,
      ours: milliseconds(p99),
      target: `< ${OTHERS_P99_MS} ms`,
      reached: p99 < OTHERS_P99_MS,
    },
    { what: 'memory of each (RSS, peak)', ours: before ? `${(((peak - before.rssMiB) * 1024) / STREAMS).toFixed(0)} KiB` : UNREADABLE },
  ]
}

/** A model that says a word every so often, and remembers when it said the first. */
function startModels() {
  const firsts = new Map<string, number>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      if (!request.url.endsWith('/chat/completions'))
        return Response.json({ data: [{ id: 'gpt-bench', object: 'model', owned_by: 'openai' }] })
      const { messages } = (await request.json()) as { messages: unknown }
      const marker = /marker-[\w-]+/.exec(JSON.stringify(messages))?.[0] ?? ''
      return new Response(spoken(marker, firsts), { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  return { url: server.url.origin, firsts, stop: () => server.stop(true) }
}

async function* spoken(marker: string, firsts: Map<string, number>): AsyncGenerator<string> {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: marker, object: 'chat.completion.chunk', created: 1, model: 'gpt-bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  for (let word = 0; word < WORDS; word += 1) {
    await Bun.sleep(BETWEEN_MS)
    if (word === 0) firsts.set(marker, performance.now())
    yield chunk({ content: `word${word} ` })
  }
  yield `${chunk({}, 'stop')}data: [DONE]\n\n`
}

/** Says something, and gives when the first word of the answer came; reads it to its end, and insists on all of it. */
async function follow(url: string, { as, storeId }: Client, at: number) {
  const marker = `marker-${storeId}-${at}`
  const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' }
  const { ok } = storefront(url)
  const { id } = await ok('POST', '/v1/chat/conversations', as, { storeId })
  const answer = await fetch(`${url}/v1/chat/conversations/${id}/messages`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/event-stream' },
    body: JSON.stringify({ text: `Speak, ${marker}` }),
  })
  if (!answer.ok || !answer.body) throw new Error(`A stream was answered ${answer.status}: ${await answer.text()}`)
  const decoder = new TextDecoder()
  let [said, first] = ['', 0]
  for await (const bytes of answer.body) {
    said += decoder.decode(bytes, { stream: true })
    if (first === 0 && said.includes('word0')) first = performance.now()
  }
  if (!said.includes(`word${WORDS - 1}`)) throw new Error(`A stream ended early: ${said.slice(-200)}`)
  return { marker, at: first }
}

/** What has nothing to do with assistants, asked evenly until it is told to stop; gives how long each waited. */
function askOthers(url: string, clients: readonly Client[]) {
  const waits: number[] = []
  const under: Promise<void>[] = []
  let count = 0
  const timer = setInterval(() => {
    const { key, storeId } = clients[count % clients.length] ?? { key: '', storeId: '' }
    count += 1
    const began = performance.now()
    const asked = fetch(`${url}/v1/orders?storeId=${storeId}`, { headers: { authorization: `Bearer ${key}` } }).then(async (answer) => {
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`Orders were answered ${answer.status}.`)
      waits.push(performance.now() - began)
    })
    under.push(asked)
  }, 1000 / OTHERS_PER_SECOND)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(under)
      return waits
    },
  }
}
