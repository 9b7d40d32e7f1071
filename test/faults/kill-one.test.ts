import { afterAll, describe, expect, test } from 'bun:test'
import { external } from '../support/database.ts'
import { receiver } from '../support/receiver.ts'
import { type Sibling, severalOn } from '../support/several.ts'
import { storefront } from '../support/storefront.ts'
import { untilValue } from '../support/until.ts'

/** Nobody waits longer for what a dead process had in hand. */
const TAKEN_UP_WITHIN_MS = 5_000
const PARCELS = 240

if (!external.databaseUrl) console.log('Not run: two processes need a database that both can reach (TEST_DATABASE_URL).')

describe.skipIf(!external.databaseUrl).each([
  ['with Redis', {}],
  ['with a Redis that is away', { REDIS_URL: 'redis://127.0.0.1:9' }],
])('two processes behind one port, %s', (_, environment) => {
  test('share what there is to do; one is killed, and the other takes up all that it held within five seconds', async () => {
    const server = await severalOn(environment)
    afterAll(() => server.end())
    const { sql } = server
    const both = [await server.start(), await server.start()] as const
    const hook = receiver(async () => {
      await Bun.sleep(120)
      return new Response()
    })
    const { ok, open } = storefront(server.url)
    const { as, key, storeId } = await open()
    await ok('POST', '/v1/webhook-endpoints', key, { url: hook.url, events: ['parcel.created', 'parcel.status_changed'] })
    const { id: carrierAccountId } = await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, as, { enabled: true, credentials: {} })
    const parcels = (from: number) =>
      Array.from({ length: PARCELS / 2 }, (_, at) => ({
        reference: `R-${from + at}`,
        // Calls of these parcels are still waiting when their process dies.
        recipient: { name: at % 20 === 0 ? 'SLOW Lina' : 'Lina B', phone: '0550123456' },
        destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
        codAmount: 2500,
      }))
    for (const from of [0, PARCELS / 2])
      await ok('POST', '/v1/parcels/batches', key, { carrierAccountId, submit: true, parcels: parcels(from) })

    const [dead, other] = await holderOf(sql, both)
    dead.signal('SIGKILL')
    const killedAt = performance.now()
    await untilValue(
      () => heldBy(sql, dead.number),
      (count) => count === 0,
      TAKEN_UP_WITHIN_MS,
    )
    console.log(`all that the dead process held was taken up after ${Math.round(performance.now() - killedAt)} ms`)

    // Each parcel was announced at least once, whichever process died meanwhile.
    const created = () => new Set(hook.all.flatMap(({ event }) => (event.type === 'parcel.created' ? [event.data.parcel.id] : [])))
    await untilValue(
      () => created().size,
      (count) => count === PARCELS,
    )
    const living = await sql<{ number: number }[]>`select number from processes`
    expect(living.map(({ number }) => number)).toEqual([other.number])
  }, 120_000)
})

/** Waits until both hold something of each kind, and gives first the one that is to die. */
async function holderOf(sql: Awaited<ReturnType<typeof severalOn>>['sql'], both: readonly [Sibling, Sibling]) {
  for (const until = Date.now() + 60_000; Date.now() < until; await Bun.sleep(10)) {
    const [first, second] = await Promise.all(both.map(({ number }) => kindsHeldBy(sql, number)))
    const shared = first!.deliveries > 0 && second!.deliveries > 0
    if (shared && first!.sends > 0) return both
    if (shared && second!.sends > 0) return [both[1], both[0]] as const
  }
  throw new Error('The two did not share what there was to do.')
}

type Sql = Awaited<ReturnType<typeof severalOn>>['sql']

async function kindsHeldBy(sql: Sql, number: number) {
  const [row] = await sql<{ deliveries: number; sends: number }[]>`select
    (select count(*)::int from webhook_deliveries where locked_by = ${number} and status = 'pending' and locked_until > now()) as deliveries,
    (select count(*)::int from parcels where submitting_by = ${number} and status = 'submitting' and submit_at > now()) as sends`
  return row!
}

async function heldBy(sql: Sql, number: number) {
  const { deliveries, sends } = await kindsHeldBy(sql, number)
  const [{ jobs }] = (await sql`select count(*)::int as jobs from graphile_worker.jobs
    where locked_by is not null and locked_by <> all (array(select unnest(worker_ids) from processes where number <> ${number}))`) as unknown as [
    { jobs: number },
  ]
  return deliveries + sends + jobs
}
