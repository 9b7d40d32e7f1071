import { afterAll, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { enqueueDuePolls } from '../../../core/logistics/tracking/poll-carriers.ts'
import { startApp } from '../../support/app.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { untilValue } from '../../support/until.ts'

const TOKEN = 'sesame/open+1'
const folder = await scratchFolder()
await mkdir(join(folder, 'odd'))
await writeFile(
  join(folder, 'odd/index.ts'),
  `import { carrier, CarrierError, createReceiver } from 'serai/carrier'
const one = (slug, rateWindows, trackMax) => carrier({
  slug, label: slug, countries: ['DZ'], currency: 'DZD', net: ['api.odd.example'], settings: {}, trackMax, rateWindows,
  credentials: { token: { label: 'Token', secret: true } },
  exactlyOnce: 'unsafe', settleSeconds: 2, deliveryTypes: ['home'], editableIn: [], cancellableIn: [],
  statuses: { moving: 'in_transit', missed: 'delivery_failed', arrived: 'delivered', back: 'returning' },
  async testConnection(context) {
    const answer = await context.fetch('https://api.odd.example/me', { headers: { authorization: context.credentials.token } })
    if (!answer.ok) throw new CarrierError('unauthorized', await answer.text(), { message: context.credentials.token })
    return {}
  },
  async send(context, { reference, recipient }) {
    const answer = await context.fetch('https://api.odd.example/send', { method: 'POST', body: JSON.stringify({ reference, name: recipient.name }) })
    if (!answer.ok) throw new CarrierError('refused', await answer.text())
    return { trackingId: 'T-' + reference }
  },
  async track(context, ids) {
    const answer = await context.fetch('https://api.odd.example/track?ids=' + ids.join(), { headers: { authorization: context.credentials.token } })
    if (answer.status === 401) throw new CarrierError('unauthorized', 'no')
    return (await answer.json()).map(({ id, said }) => ({ trackingId: id, carrierStatus: said.status, at: said.at }))
  },
  webhook: {
    receive: createReceiver({
      verify: ({ headers }, { credentials }) => headers['x-odd'] === credentials.token,
      parse: ({ body }) => JSON.parse(new TextDecoder().decode(body)),
    }),
  },
})
export default [one('odd', [], 10), one('paced', [{ calls: 4, seconds: 5 }], 1)]`,
)

const said = new Map<string, { status: string; at: string } | null>()
const asked: string[] = []
let isShut = false
const carrier = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/me') {
      const token = request.headers.get('authorization')!
      return token === TOKEN ? new Response('ok') : new Response(`Token ${token} is not known`, { status: 401 })
    }
    if (pathname === '/track') {
      asked.push(searchParams.get('ids')!)
      if (isShut) return new Response('', { status: 401 })
      return Response.json(
        searchParams
          .get('ids')!
          .split(',')
          .map((id) => ({ id, said: said.has(id) ? said.get(id) : { status: 'moving', at: '2026-01-01T00:00:00Z' } })),
      )
    }
    const text = await request.text()
    const { name, reference } = JSON.parse(text) as { name: string; reference: string }
    if (name === 'HANG') await Bun.sleep(6_000)
    if (name === 'EMOJI') return new Response(`${'x'.repeat(10 * 1024 - 1)}😀 and more`)
    if (name === 'REFUSED') return new Response(`refused\u0000 by ${TOKEN}`, { status: 422 })
    if (name === 'EARLY') {
      await callback([{ trackingId: `T-${reference}`, carrierStatus: 'arrived', at: new Date().toISOString() }])
      await Bun.sleep(300)
    }
    return new Response('taken')
  },
})
afterAll(() => carrier.stop(true))

const { call, ok, shop, context } = await startApp({
  adapterDirs: [folder],
  // As our own run: what comes from elsewhere is checked on its way here.
  adapterIsolation: 'none',
  simulators: { 'api.odd.example': `http://127.0.0.1:${carrier.port}` },
})
const { storeId, owner, key } = await shop()
const base = `/v1/stores/${storeId}/integrations`
const connect = async (slug: string, token = TOKEN) =>
  (await ok('PUT', `${base}/${slug}`, { as: owner.token, body: { enabled: true, credentials: { token } } })).data as {
    id: string
    statusMessage: string
  }
const account = await connect('odd')

const callback = (reports: unknown, token = TOKEN) => call('POST', `${base}/odd/webhook`, { body: reports, headers: { 'x-odd': token } })
const destination = { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'Rue 1', deliveryType: 'home' }
const parcelOf = async (id: string) => (await ok('GET', `/v1/parcels/${id}`, { as: key })).data
const traceOf = async (id: string) => (await ok('GET', `/v1/parcels/${id}/trace`, { as: key })).data

let made = 0
async function make(name = 'Lina', carrierAccountId = account.id) {
  const body = {
    reference: `odd-${++made}`,
    submit: true,
    carrierAccountId,
    recipient: { name, phone: '0550123456' },
    destination,
    codAmount: 100,
  }
  return (await ok('POST', '/v1/parcels', { as: key, body })).data as { id: string; reference: string }
}
async function sent(carrierAccountId = account.id) {
  const { id } = await make('Lina', carrierAccountId)
  return untilValue(
    () => parcelOf(id),
    ({ trackingId }) => trackingId !== null,
  )
}
const makeDue = (ids: readonly string[]) =>
  context.sql`update parcels set poll_at = now() - interval '1 second' where id = any (${ids as string[]})`
const pollsOf = async (ids: readonly string[]) =>
  (await context.sql<{ pollAt: string | null }[]>`select poll_at from parcels where id = any (${ids as string[]}) order by id`).map(
    ({ pollAt }) => pollAt,
  )
const now = () => new Date().toISOString()

test('a secret that the carrier repeats is in no answer', async () => {
  const { statusMessage } = await connect('odd', 'sesame-wrong')
  expect(statusMessage).toBe('Token •••• is not known')
  await connect('odd')
})

test('traces: the request is recorded when no answer came, and when the answer cannot be stored as it is', async () => {
  const [hung, emoji, refused] = [await make('HANG'), await make('EMOJI'), await make('REFUSED')]
  const trace = (id: string) =>
    untilValue(
      () => traceOf(id),
      ({ length }) => length > 0,
    )
  const [timeout] = await trace(hung.id)
  expect(timeout).toMatchObject({ operation: 'send', outcome: 'timeout' })
  expect(timeout.exchanges).toEqual([
    expect.objectContaining({ method: 'POST', request: expect.stringContaining(hung.reference), status: null, error: expect.any(String) }),
  ])
  expect((await trace(emoji.id))[0].exchanges[0].response).toStartWith('xxx')
  expect((await trace(refused.id))[0]).toMatchObject({ outcome: 'refused', message: 'refused by ••••' })
  expect(await parcelOf(refused.id)).toMatchObject({ status: 'created', lastError: { code: 'refused', message: 'refused by ••••' } })
})

test('a callback that comes before the answer to the sending waits for it', async () => {
  const { id } = await make('EARLY')
  const { status } = await untilValue(
    () => parcelOf(id),
    (parcel) => parcel.status === 'delivered',
  )
  expect(status).toBe('delivered')
})

test('a callback that is odd neither hides the news beside it nor what follows', async () => {
  const [late, ahead, wordy] = [await sent(), await sent(), await sent()]
  const word = Array.from({ length: 9_000 }, () => String.fromCharCode(97 + Math.random() * 26)).join('')
  const odd = await callback([
    { trackingId: late.trackingId, carrierStatus: 'moving', at: '0001-01-01T00:00:00Z' },
    { trackingId: ahead.trackingId, carrierStatus: 'moving', at: '9999-01-01T00:00:00Z' },
    { trackingId: wordy.trackingId, carrierStatus: word, at: now(), eventId: word },
    { trackingId: wordy.trackingId, carrierStatus: 'half \ud800 and \u0000', reason: '\ud800\u0000', at: now(), eventId: '\u0000' },
    { trackingId: '\u0000', carrierStatus: 'moving', at: now() },
    { trackingId: late.trackingId, carrierStatus: 'arrived', at: now() },
  ])
  expect([odd.status, odd.body.data]).toEqual([200, { received: 6, applied: 2 }])
  await callback([{ trackingId: ahead.trackingId, carrierStatus: 'arrived', at: now() }])
  for (const { id } of [late, ahead]) expect((await parcelOf(id)).status).toBe('delivered')
  const { data: unknown } = await ok('GET', `${base}/odd/statuses/unknown`, { as: owner.token })
  expect(unknown.map(({ raw }: { raw: string }) => raw.slice(0, 5)).sort()).toEqual(['half ', word.slice(0, 5)].sort())
  for (const { raw } of unknown) await ok('PUT', `${base}/odd/statuses`, { as: owner.token, body: { raw, status: 'returning' } })
  await untilValue(
    () => parcelOf(wordy.id),
    ({ status }) => status === 'returning',
  )
  expect((await callback([{ trackingId: 1 }])).status).toBe(502)
  expect((await callback([], 'another')).status).toBe(401)
})

test('tracking: events that share one id are all kept, and each counts once', async () => {
  const parcel = await sent()
  const began = Date.now() - 60_000
  const word = (carrierStatus: string, minute: number) => ({
    trackingId: parcel.trackingId,
    carrierStatus,
    at: new Date(began + minute * 1000).toISOString(),
    eventId: 'delivery 7',
  })
  const events = [word('moving', 1), word('missed', 2), word('missed', 3), word('missed', 4), word('arrived', 5)]
  expect((await callback(events)).body.data).toEqual({ received: 5, applied: 5 })
  expect((await callback(events)).body.data).toEqual({ received: 5, applied: 0 })
  expect(await parcelOf(parcel.id)).toMatchObject({ status: 'delivered', deliveryAttempts: 3 })
})

test("tracking: a report about a parcel's former tracking number is ignored", async () => {
  const { id, reference } = await sent()
  const { body } = await callback([{ trackingId: 'T-before', reference, carrierStatus: 'back', at: now() }])
  expect(body.data).toEqual({ received: 1, applied: 0 })
  expect((await parcelOf(id)).status).toBe('submitted')
})

test('a word is explained and callbacks are taken while the connection is off', async () => {
  const parcel = await sent()
  await callback([{ trackingId: parcel.trackingId, carrierStatus: 'gone fishing', at: now() }])
  await ok('POST', `${base}/odd/enable`, { as: owner.token, body: { enabled: false } })
  await ok('PUT', `${base}/odd/statuses`, { as: owner.token, body: { raw: 'gone fishing', status: 'on_hold' } })
  await untilValue(
    () => parcelOf(parcel.id),
    ({ status }) => status === 'on_hold',
  )
  await callback([{ trackingId: parcel.trackingId, carrierStatus: 'arrived', at: now() }])
  expect((await parcelOf(parcel.id)).status).toBe('delivered')
  await ok('POST', `${base}/odd/enable`, { as: owner.token, body: { enabled: true } })
})

test('tracking: one parcel that the adapter cannot read does not delay the reports of the others', async () => {
  const parcels = await Promise.all(Array.from({ length: 5 }, () => sent()))
  for (const { trackingId } of parcels) said.set(trackingId, { status: 'arrived', at: now() })
  said.set(parcels[2]!.trackingId, null)
  await makeDue(parcels.map(({ id }) => id))
  await enqueueDuePolls(context)
  for (const { id } of parcels.toSpliced(2, 1))
    await untilValue(
      () => parcelOf(id),
      ({ status }) => status === 'delivered',
    )
  const [next] = await untilValue(
    () => pollsOf([parcels[2]!.id]),
    ([at]) => Date.parse(at!) > Date.now() + 15 * 60_000,
  )
  expect(next).not.toBeNull()
})

test('a carrier that no longer knows the account is asked in vain for sixty days, not for ever', async () => {
  const [fresh, silent] = [await sent(), await sent()]
  await context.sql`update parcels set submitted_at = now() - interval '61 days' where id = ${silent.id}`
  isShut = true
  await makeDue([fresh.id, silent.id])
  await enqueueDuePolls(context)
  await untilValue(
    () => pollsOf([silent.id]),
    ([at]) => at === null,
  )
  expect(Date.parse((await pollsOf([fresh.id]))[0]!)).toBeGreaterThan(Date.now() + 5 * 60_000)
  isShut = false
})

test('a synchronisation that meets the end of the quota goes on when there is more', async () => {
  const { id } = await connect('paced')
  const parcels = []
  for (let at = 0; at < 3; at += 1) parcels.push(await make('Lina', id))
  for (const parcel of parcels)
    await untilValue(
      () => parcelOf(parcel.id),
      ({ trackingId }) => trackingId !== null,
    )
  await ok('POST', `${base}/paced/sync`, { as: owner.token })
  const state = async () => (await ok('GET', `${base}/paced/sync/status`, { as: owner.token })).data
  const waits = await untilValue(state, ({ message }) => message !== null)
  expect(waits).toMatchObject({ status: 'running', finishedAt: null })
  const done = await untilValue(state, ({ status }) => status !== 'running')
  expect(done).toMatchObject({ status: 'done', parcels: 3, startedAt: waits.startedAt })
}, 120_000)
