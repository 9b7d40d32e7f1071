import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Connection, connectPool } from '../../core/data/sql.ts'
import { findDrift } from '../support/checks.ts'
import { connectionUrl, external } from '../support/database.ts'
import { spawnServer } from '../support/process.ts'
import { storefront } from '../support/storefront.ts'
import { often } from '../support/thorough.ts'
import { until } from '../support/until.ts'

const WRITERS = 64
const SECONDS = Number(process.env.SOAK_SECONDS ?? often({ quick: 3, thorough: 6 }))
const KILLS = 2
const ITEMS = Array.from({ length: 10 }, (_, at) => `HOT-${at}`)
const EACH = 500

const given = await connectionUrl()
const server = await spawnServer({ ...given, DATABASE_POOL: '16' })
afterAll(() => server.stop())

const connection = (): Connection =>
  given.DATABASE_URL
    ? { url: given.DATABASE_URL }
    : { socketDir: join(server.dataDir, 'postgres'), port: 5432, user: 'serai', database: 'postgres' }

test(
  `${WRITERS} writers on ${ITEMS.length} hot items for ${SECONDS} s, the process killed: nothing oversold, no deadlock reaches a caller, the books agree`,
  async () => {
    const { ok, ask, open } = storefront(server.url)
    const { key } = await open()
    const namespaces = ['east', 'west']
    const random = <V>(of: readonly V[]) => of[Math.floor(Math.random() * of.length)]!
    const receive = {
      type: 'receive',
      legs: ITEMS.flatMap((item) => namespaces.map((namespace) => ({ namespace, key: item, quantity: EACH }))),
    }
    await ok('POST', '/v1/inventory/operations', key, receive)

    const outcomes = new Map<string, number>()
    const reserved: string[] = []
    let sold = 0
    let writing = true
    const send = async (path: string, body: unknown) => {
      const { status, body: answer } = await ask('POST', `/v1/inventory/${path}`, key, body, { 'idempotency-key': crypto.randomUUID() })
      const outcome = status < 300 ? 'done' : `${status} ${answer.error.code}`
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      return status < 300 ? answer.data : null
    }
    const legs = () =>
      Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => ({
        namespace: random(namespaces),
        key: random(ITEMS),
        quantity: 1 + Math.floor(Math.random() * 4),
      }))
    const acts = [
      () =>
        send('operations', {
          type: 'transfer',
          legs: legs().flatMap((leg) => [
            { ...leg, quantity: -leg.quantity },
            { ...leg, namespace: leg.namespace === 'east' ? 'west' : 'east' },
          ]),
        }),
      async () => {
        const taken = legs()
        if (await send('operations', { type: 'pos_sale', legs: taken.map((leg) => ({ ...leg, quantity: -leg.quantity })) })) {
          sold += taken.reduce((sum, { quantity }) => sum + quantity, 0)
        }
      },
      async () => {
        const reservation = await send('reservations', { legs: legs() })
        if (reservation) reserved.push(reservation.id)
      },
      async () => {
        const id = reserved.pop()
        if (id) await send(`reservations/${id}/release`, undefined)
      },
    ]
    const writers = Array.from({ length: WRITERS }, async () => {
      while (writing) await random(acts)()
    })
    for (let kills = 0; kills < KILLS; kills += 1) {
      await Bun.sleep((SECONDS * 1000) / (KILLS + 1))
      await server.kill({ database: kills === 1 && !external.databaseUrl })
      await server.start()
    }
    await Bun.sleep((SECONDS * 1000) / (KILLS + 1))
    await until(() => (outcomes.get('done') ?? 0) > 500)
    writing = false
    await Promise.all(writers)

    const refusals = [...outcomes.keys()].filter((outcome) => outcome !== 'done' && outcome !== '422 reserved_stock_conflict')
    expect(refusals).toEqual([])
    expect(outcomes.get('done')!).toBeGreaterThan(500)
    const sql = connectPool(connection(), 2)
    expect(await findDrift(sql)).toEqual([])
    const [left] = await sql<{ onHand: number; least: number }[]>`
      select sum(on_hand)::float8 as on_hand, min(on_hand - reserved)::float8 as least from inventory_balances where key like 'HOT-%'`
    await sql.end()
    // A repeat under its key is the same sale: what was answered "sold" left the shelf once, whatever was killed in between.
    expect(left!.onHand).toBe(ITEMS.length * namespaces.length * EACH - sold)
    expect(left!.least).toBeGreaterThanOrEqual(0)
  },
  (SECONDS + 300) * 1000,
)
