import { afterAll, beforeAll, expect, test } from 'bun:test'
import { slowness } from '../support/clock.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { storefront } from '../support/storefront.ts'

/** Requests that one caller sends at once. */
const TOGETHER = 40
/** Asked of the server by somebody else, one after another. */
const ASKED = 40
/** What half of those may take at most while another computes. */
const MEDIAN_MS = 150 * slowness()
/** A busy machine has its own noise now and then; that of a caller comes each time. */
const ROUNDS = 3

let server: ServerProcess
let loud: Awaited<ReturnType<ReturnType<typeof storefront>['open']>>
let other: typeof loud
beforeAll(async () => {
  server = await spawnServer({ PUBLIC_RATE_LIMIT_PER_MINUTE: '100000', RATE_LIMIT_PER_MINUTE: '100000' })
  const { open } = storefront(server.url)
  ;[loud, other] = [await open(), await open()]
}, 120_000)
afterAll(() => server.stop())

/** What the server has computed so far; the ticks of Linux are hundredths. */
async function cpuSeconds(): Promise<number> {
  const stat = await Bun.file(`/proc/${server.pid()}/stat`).text()
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return ((user ?? 0) + (system ?? 0)) / 100
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function asks(count = ASKED): Promise<number[]> {
  const waits: number[] = []
  for (let at = 0; at < count; at += 1) {
    const began = performance.now()
    const answer = await fetch(`${server.url}/v1/parcels?limit=1`, { headers: { authorization: `Bearer ${other.key}` } })
    expect(answer.status).toBe(200)
    await answer.arrayBuffer()
    waits.push(performance.now() - began)
  }
  return waits
}

const post = (path: string, body: string, as?: string, signal?: AbortSignal) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(as && { authorization: `Bearer ${as}` }) },
    body,
    ...(signal && { signal }),
  })

/** Half of what the others waited, in the round in which they waited least. */
async function whileBusy(what: string, send: (signal: AbortSignal) => Promise<Response>) {
  const alone = median(await asks())
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && least >= MEDIAN_MS; round += 1) {
    const end = new AbortController()
    const sent = Array.from({ length: TOGETHER }, () => send(end.signal).catch(() => null))
    await Bun.sleep(100)
    least = Math.min(least, median(await asks()))
    end.abort()
    await Promise.all(sent)
  }
  console.log(`another tenant's median: alone ${Math.round(alone)} ms; beside ${TOGETHER} × ${what} ${Math.round(least)} ms`)
  return least
}

const invented = () =>
  JSON.stringify({
    items: Array.from({ length: 1_000 }, (_, at) => ({
      country: 'DZ',
      state: `wilaya de l'invention ${at}`,
      city: `hai el khayal ${(at * 7919) % 10_007} zone ${at}`,
      address: `rue ${at} cite ${(at * 31) % 997}`,
    })),
  })

test('forty batches of invented addresses of one key leave another tenant served, and end when their caller is gone', async () => {
  const body = invented()
  const busy = await whileBusy('1,000 invented addresses', (signal) => post('/v1/geo/resolve/batch', body, loud.key, signal))
  expect(busy).toBeLessThan(MEDIAN_MS)
  // The callers are gone: the server computes no more for them. Only Linux says how much that is.
  if (process.platform !== 'linux') return
  const used = async () => {
    const before = await cpuSeconds()
    await Bun.sleep(1_000)
    return (await cpuSeconds()) - before
  }
  await Bun.sleep(500)
  expect(Math.min(await used(), await used())).toBeLessThan(0.5)
}, 300_000)

test('batches of addresses that wait for their turn are all answered', async () => {
  const items = JSON.stringify({ items: Array.from({ length: 100 }, (_, at) => ({ state: '16', city: `Bab Ezzouar ${at}` })) })
  const answers = await Promise.all(Array.from({ length: TOGETHER }, () => post('/v1/geo/resolve/batch', items, loud.key)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
}, 120_000)

test('forty large batches of invented addresses are each answered: with the places, or with when to try again', async () => {
  const body = invented()
  const answers = await Promise.all(Array.from({ length: TOGETHER }, () => post('/v1/geo/resolve/batch', body, loud.key)))
  expect(answers.map(({ status }) => status)).toContain(200)
  for (const { status, headers } of answers) {
    if (status !== 200) expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
  }
}, 120_000)

test('forty orders of nobody with 9,999 lines each leave another tenant served', async () => {
  const order = {
    storeId: loud.storeId,
    customer: { name: 'Amina', phone: '0550123456' },
    destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
    items: Array.from({ length: 9_999 }, () => ({ productId: 'prd_1', quantity: 1 })),
  }
  const body = JSON.stringify(order)
  const busy = await whileBusy('9,999 lines', async (signal) => {
    let answer = await post('/v1/orders', body, undefined, signal)
    for (let at = 0; at < 20 && !signal.aborted; at += 1) answer = await post('/v1/orders', body, undefined, signal)
    return answer
  })
  expect(busy).toBeLessThan(MEDIAN_MS)
  const refused = await post('/v1/orders', body)
  expect(refused.status).toBe(400)
  expect(((await refused.json()) as { error: { details: unknown[] } }).error.details).toEqual([
    { path: '/body/items', message: 'Expected array length to be less or equal to 200' },
  ])
}, 300_000)
