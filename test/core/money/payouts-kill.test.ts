import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Connection, connectPool } from '../../../core/data/sql.ts'
import { findCashDifferences } from '../../support/cash.ts'
import { findPayoutDifferences } from '../../support/checks.ts'
import { connectionUrl } from '../../support/database.ts'
import { spawnServer } from '../../support/process.ts'
import { inParallel, storefront } from '../../support/storefront.ts'
import { until } from '../../support/until.ts'
import { stripeAt } from './payouts-shop.ts'

const SOLD = 6
const FEES = 30
/** Pages that a reading is let to ask for before it is killed. */
const KILLED_AFTER = [3, 6]

const { stripe } = stripeAt()
const given = await connectionUrl()
const server = await spawnServer({ ...given, SIMULATORS: `api.stripe.com=${stripe.url}` })
afterAll(() => server.stop())
const connection: Connection = given.DATABASE_URL
  ? { url: given.DATABASE_URL }
  : { socketDir: join(server.dataDir, 'postgres'), port: 5432, user: 'serai', database: 'postgres' }
const { ok, open } = storefront(server.url)

test('a reading that is killed again and again is taken up, and each line is posted once', async () => {
  const { as } = await open()
  const store = await ok('POST', '/v1/stores', as, { name: 'Abroad', countryCode: 'DZ', currencyCode: 'USD' })
  const at = `/v1/stores/${store.id}`
  const { id: connectionId } = await ok('PUT', `${at}/integrations/stripe`, as, {
    enabled: true,
    credentials: { ...stripe.credentials },
    settings: {},
  })
  const product = await ok('POST', '/v1/products', as, { storeId: store.id, name: 'Basket', sku: 'B', price: 20, initialStock: 100 })
  await inParallel(Array.from({ length: SOLD }), 3, async () => {
    const order = await ok('POST', '/v1/orders', as, {
      storeId: store.id,
      customer: { name: 'Lina', phone: '0550123456' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
      items: [{ productId: product.id, quantity: 1 }],
    })
    const { id } = await ok('POST', `/v1/orders/${order.id}/payment/stripe/initiate`, as, {})
    const [session] = stripe.sessions(id)
    stripe.move(session!.id, 'paid')
    await ok('POST', `/v1/orders/${order.id}/payments/${id}/sync`, as)
  })
  for (let count = 0; count < FEES; count += 1) stripe.stray({ type: 'stripe_fee', amount: -1 })
  stripe.habits.pageMax = 4
  const { amount } = stripe.payOut()

  const asked = () => stripe.requests.filter(({ path }) => path.startsWith('/v1/balance_transactions')).length
  for (const pages of KILLED_AFTER) {
    await ok('POST', `${at}/payouts/pull`, as)
    const before = asked()
    for (const end = Date.now() + 10_000; asked() < before + pages && Date.now() < end; ) await Bun.sleep(2)
    expect(asked()).toBeGreaterThanOrEqual(before + 1)
    await server.kill()
    await server.start()
  }
  await ok('POST', `${at}/payouts/pull`, as)
  await until(async () => {
    const [payout] = await ok('GET', `${at}/payouts`, as)
    return payout?.state === 'posted' && payout.waiting === 0
  }, 30_000)
  const sql = connectPool(connection, 1)
  try {
    const [row] = await sql<{ bank: number; carrier: number; entries: number; lines: number }[]>`
      select sum(bank)::float8 as bank, sum(carrier)::float8 as carrier, count(payout_line_id)::int as entries, count(distinct payout_line_id)::int as lines
      from ledger_entries where connection_id = ${connectionId}`
    expect(row).toEqual({ bank: amount / 100, carrier: 0, entries: SOLD + FEES, lines: SOLD + FEES })
    expect(await findPayoutDifferences(sql)).toEqual([])
    expect(await findCashDifferences(sql)).toEqual([])
  } finally {
    await sql.end()
  }
}, 60_000)
