import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { findDrift } from '../../support/checks.ts'
import { often } from '../../support/thorough.ts'

const { call, ok, shop, context } = await startApp({ databasePool: 16 })
await shop() // the first account sees everything; no test wants to be it
const SOAK_SECONDS = Number(process.env.SOAK_SECONDS ?? often({ quick: 1, thorough: 2 }))

test(
  'parallel writers on hot items never deadlock, oversell or fail',
  async () => {
    const { key: as, projectId } = await shop()
    const hot = Array.from({ length: 10 }, (_, at) => `hot-${at}`)
    const namespaces = ['n1', 'n2', 'n3']
    await ok('POST', '/v1/inventory/operations', {
      as,
      body: {
        type: 'receive',
        legs: hot.flatMap((key) => namespaces.map((namespace) => ({ namespace, key, quantity: 30 }))),
      },
    })
    const answers = new Map<string, number>()
    const random = <V>(of: readonly V[]) => of[Math.floor(Math.random() * of.length)]!
    const some = () =>
      Array.from({ length: 1 + Math.floor(Math.random() * 4) }, () => ({
        namespace: random(namespaces),
        key: random(hot),
        quantity: 1 + Math.floor(Math.random() * 5),
      }))
    const send = async (path: string, body?: unknown) => {
      const answer = await call('POST', `/v1/inventory/${path}`, { as, ...(body !== undefined && { body }) })
      const outcome = `${answer.status} ${answer.body.error?.code ?? ''}`.trim()
      answers.set(outcome, (answers.get(outcome) ?? 0) + 1)
      return answer.status < 300 ? answer.body.data : null
    }
    const acts: (() => Promise<unknown>)[] = [
      () =>
        send('operations', {
          type: 'transfer',
          legs: some().flatMap((leg) => [
            { ...leg, quantity: -leg.quantity },
            { ...leg, namespace: random(namespaces) },
          ]),
        }),
      () =>
        send('operations', {
          type: 'receive',
          legs: some().map((leg) => ({
            ...leg,
            batch: random(['', 'b1', 'b2', `fresh-${Math.floor(Math.random() * 200)}`]),
          })),
        }),
      () => send('operations', { type: 'fulfill', legs: some().map((leg) => ({ ...leg, quantity: -leg.quantity })) }),
      () =>
        send('operations', {
          type: 'pos_sale',
          legs: some().map((leg) => ({ ...leg, quantity: -leg.quantity, batch: random(['', 'b1']) })),
        }),
      async () => {
        const reservation = await send('reservations', { legs: some(), ...(Math.random() < 0.3 && { ttlSeconds: 1 }) })
        if (!reservation) return
        const [first] = reservation.legs
        const taking = () =>
          send('operations', {
            type: 'fulfill',
            reservationId: reservation.id,
            legs: [{ namespace: first.namespace, key: first.key, quantity: -1 }],
          })
        const releasing = () => send(`reservations/${reservation.id}/release`)
        if (Math.random() < 0.8) await Promise.all([taking(), random([taking, releasing])(), releasing()])
      },
      async () => {
        const operation = await send('operations', { type: 'adjust', note: 'soak', legs: some() })
        if (operation) await Promise.all([send(`operations/${operation.id}/reverse`), send(`operations/${operation.id}/reverse`)])
      },
    ]
    const end = Date.now() + SOAK_SECONDS * 1000
    const writers = SOAK_SECONDS > 10 ? 64 : 24
    await Promise.all(
      Array.from({ length: writers }, async () => {
        while (Date.now() < end || (answers.get('201') ?? 0) <= SOAK_SECONDS * 50) await random(acts)()
      }),
    )
    const allowed = ['201', '200', '422 reserved_stock_conflict', '422 operation_not_reversible', '422 reservation_not_active']
    expect([...answers.keys()].filter((outcome) => !allowed.includes(outcome))).toEqual([])
    expect(answers.get('201')).toBeGreaterThan(SOAK_SECONDS * 50)
    for (let waited = 0; waited < 40 && (await dueLeft(projectId)) > 0; waited += 1) await Bun.sleep(100)
    expect(await findDrift(context.sql, projectId)).toEqual([])
    const [{ deadlocks }] = (await context.sql<
      { deadlocks: number }[]
    >`select deadlocks from pg_stat_database where datname = current_database()`) as unknown as [{ deadlocks: number }]
    expect(deadlocks).toBe(0)
  },
  SOAK_SECONDS * 1000 + 60_000,
)

const dueLeft = async (projectId: string) =>
  (await context.sql`select 1 from inventory_reservations where project_id = ${projectId} and status = 'active' and expires_at is not null`)
    .length
