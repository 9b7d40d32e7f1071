import { beforeAll, expect, test } from 'bun:test'
import { WAITING_MAX, type WaitingCounter } from '../../../core/data/waiting.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import type { AttentionSource } from '../../../core/shop/attention/attention-source.ts'
import { readAttention } from '../../../core/shop/attention/read-attention.ts'
import type { ActingUser } from '../../../core/shop/stores/access.ts'
import { type Person, type Shop, startApp } from '../../support/app.ts'

const app = await startApp()
const { call, ok, context } = app
const { sql } = context
const shop = await app.shop()
let product: string
let connection: string

interface Row {
  readonly kind: string
  readonly count: number
  readonly oldestAt: string
  readonly oldest: Readonly<Record<string, string | null>>
}

const pathOf = (of: Shop = shop) => `/v1/stores/${of.storeId}/attention`
const read = async (as = shop.owner.token): Promise<Row[]> => (await ok('GET', pathOf(), { as })).data
const find = async (kind: string) => (await read()).find((row) => row.kind === kind)

async function order(name: string): Promise<string> {
  const body = {
    storeId: shop.storeId,
    customer: { name, phone: '0550123456' },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
    items: [{ productId: product, quantity: 1 }],
  }
  return (await ok('POST', '/v1/orders', { as: shop.key, body })).data.id
}

async function member(role: string, permissions: readonly string[] | null): Promise<Person> {
  const person = await app.person('A colleague')
  await ok('POST', `/v1/stores/${shop.storeId}/members`, { as: shop.owner.token, body: { email: person.email, role, permissions } })
  return person
}

beforeAll(async () => {
  const body = { storeId: shop.storeId, name: 'Basket', price: 1000, initialStock: 100 }
  product = (await ok('POST', '/v1/products', { as: shop.key, body })).data.id
  const sandbox = { enabled: true, credentials: { webhookSecret: 'a secret' }, settings: {} }
  connection = (await ok('PUT', `/v1/stores/${shop.storeId}/integrations/sandbox`, { as: shop.owner.token, body: sandbox })).data.id
})

test('attention: nothing waits in a new store', async () => {
  expect(await read()).toEqual([])
})

test('attention: a new order waits to be confirmed, and a confirmed one to be sent', async () => {
  const [waiting, confirmed] = [await order('Lina'), await order('Karim')]
  await ok('PATCH', `/v1/orders/${confirmed}`, { as: shop.owner.token, body: { status: 'confirmed' } })
  await drainChanges(context)
  expect(await find('orders_to_confirm')).toMatchObject({ group: 'orders', count: 1, isMore: false, oldest: { orderId: waiting } })
  const [row] = await sql<{ waitingSince: string }[]>`select waiting_since from order_search where id = ${confirmed}`
  expect(await find('orders_to_send')).toMatchObject({ count: 1, oldestAt: row?.waitingSince, oldest: { orderId: confirmed } })
})

test('attention: parcels that were refused or whose outcome is unknown wait, the oldest first', async () => {
  const at = '2026-01-02T03:04:05.000Z'
  await sql`insert into parcels (project_id, tenant_id, id, reference, status, carrier_account_id, recipient, destination, cod_amount, declared_value,
      outcome_unknown, last_error, updated_at, submitting_since)
    select ${shop.projectId}, tenant_id, v.id, v.id, v.status, ${connection}, '{}', '{}', 1, 1, v.status = 'submitting',
      '{"code": "invalid", "message": "The phone number is wrong."}', v.at::timestamptz, case when v.status = 'submitting' then v.at::timestamptz end
    from projects, (values ('par_1', 'created', '2026-02-02'), ('par_2', 'created', ${at}), ('par_3', 'submitting', ${at})) v (id, status, at)
    where projects.id = ${shop.projectId}`
  expect(await find('parcels_refused')).toMatchObject({ group: 'parcels', count: 2, oldestAt: at, oldest: { parcelId: 'par_2' } })
  expect(await find('parcels_outcome_unknown')).toMatchObject({
    count: 1,
    oldestAt: at,
    oldest: { parcelId: 'par_3', connectionId: connection },
  })
})

test('attention: money that waits names its payout or payment', async () => {
  await sql`insert into remittances (project_id, connection_id, id, source, amount, parcels)
    values (${shop.projectId}, ${connection}, 'bat_1', 'carrier', 100, 1), (${shop.projectId}, ${connection}, 'bat_2', 'carrier', 100, 1)`
  await sql`update remittances set state = 'confirmed' where id = 'bat_2'`
  expect(await find('payouts_to_confirm')).toMatchObject({
    group: 'money',
    count: 1,
    oldest: { payoutId: 'bat_1', connectionId: connection, orderId: null },
  })
})

test('attention: payouts of a removed connection do not wait', async () => {
  await sql`update integrations set deleted_at = now() where id = ${connection}`
  expect(await find('payouts_to_confirm')).toBeUndefined()
  await sql`update integrations set deleted_at = null where id = ${connection}`
  expect(await find('payouts_to_confirm')).toMatchObject({ count: 1 })
})

test('attention: connections, unknown words of carriers and webhooks that fail wait', async () => {
  const at = '2026-01-02T03:04:05.000Z'
  await sql`update integrations set attention = 'Sign in again.', attention_since = ${at}, attention_operation = 'send' where id = ${connection}`
  await sql`insert into unknown_statuses (project_id, connection_id, raw, first_seen_at) values (${shop.projectId}, ${connection}, 'Perdu?', ${at})`
  const body = { url: 'http://127.0.0.1:9/hook', events: ['order.created'] }
  const hook = async () =>
    (await ok('POST', `/v1/stores/${shop.storeId}/integrations/webhooks`, { as: shop.owner.token, body })).data.id as string
  const [failing, off] = [await hook(), await hook()]
  await sql`update webhook_endpoints set failing_since = ${at} where id = ${failing}`
  await sql`update webhook_endpoints set enabled = false, disabled_reason = 'gone' where id = ${off}`
  const row = { group: 'connections', count: 1, isMore: false, problem: null }
  expect(await find('connections_to_repair')).toMatchObject({ ...row, oldestAt: at, oldest: { connectionId: connection } })
  expect(await find('statuses_unknown')).toMatchObject({ ...row, oldestAt: at, oldest: { connectionId: connection } })
  expect(await find('webhooks_failing')).toMatchObject({ ...row, oldestAt: at })
  expect(await find('webhooks_switched_off')).toMatchObject(row)
})

test('attention: returns, orders without a carrier and what connected shops sent wait', async () => {
  const at = '2026-01-02T03:04:05.000Z'
  const { projectId } = shop
  const left = await order('Salim')
  await ok('PATCH', `/v1/orders/${left}`, { as: shop.owner.token, body: { status: 'confirmed' } })
  await sql`insert into dispatches (project_id, id, order_id, reason, outcome, at) values
    (${projectId}, 'dsp_1', ${left}, 'No rule fits.', 'sent', ${at}), (${projectId}, 'dsp_2', ${left}, 'No rule fits.', 'waiting', ${at})`
  await sql`insert into order_returns (project_id, order_id, id, restocked, status, created_at) values
    (${projectId}, ${left}, 'ret_1', false, 'awaited', ${at}), (${projectId}, ${left}, 'ret_2', false, 'cancelled', ${at})`
  await sql`insert into connector_orders (project_id, connection_id, external_id, id, number, state, why, told, told_at, created_at)
    select ${projectId}, ${connection}, v.id, v.id, v.id, v.state, v.why, '{}', now(), ${at}
    from (values ('cho_1', 'waiting', 'unreadable'), ('cho_2', 'waiting', 'goods'), ('cho_3', 'over', null)) v (id, state, why)`
  await sql`insert into connector_goods (project_id, connection_id, key, id, name, product_id, created_at) values
    (${projectId}, ${connection}, 'a', 'cgd_1', 'Basket', null, ${at}), (${projectId}, ${connection}, 'b', 'cgd_2', 'Bag', ${product}, ${at})`
  expect(await find('orders_not_dispatched')).toMatchObject({ count: 1, oldestAt: at, oldest: { orderId: left } })
  expect(await find('returns_awaited')).toMatchObject({ count: 1, oldestAt: at, oldest: { orderId: left } })
  for (const kind of ['shop_orders_unreadable', 'shop_orders_waiting', 'shop_goods_unmatched'])
    expect(await find(kind)).toMatchObject({ count: 1, oldestAt: at, oldest: { connectionId: connection } })
})

test('attention: payouts and payments of gateways wait until somebody decided', async () => {
  const at = '2026-01-02T03:04:05.000Z'
  const { projectId } = shop
  const paid = await order('Nadia')
  await sql`insert into gateway_payouts (project_id, id, connection_id, gateway, external_id, status, amount, currency, decimals, detail, made_at, waiting)
    select ${projectId}, v.id, ${connection}, 'sandbox', v.id, 'paid', 100, 'DZD', 2, 'ready', ${at}, v.waiting
    from (values ('pot_1', 2), ('pot_2', 0)) v (id, waiting)`
  await sql`insert into payments (project_id, id, payable_kind, payable_id, connection_id, gateway, status, amount, currency, decimals, language, concern, concern_since)
    select ${projectId}, v.id, 'order', ${paid}, ${connection}, 'sandbox', 'paid', 100, 'DZD', 2, 'en', v.concern, case when v.concern is not null then ${at}::timestamptz end
    from (values ('pay_1', 'paid_less'), ('pay_2', null)) v (id, concern)`
  expect(await find('gateway_payouts_to_review')).toMatchObject({ group: 'money', count: 1, oldestAt: at, oldest: { payoutId: 'pot_1' } })
  expect(await find('payments_to_review')).toMatchObject({ count: 1, oldestAt: at, oldest: { paymentId: 'pay_1', orderId: paid } })
})

test('attention: members see what their role and permissions show, and nothing else', async () => {
  const kindsOf = async (role: string, permissions: readonly string[] | null) =>
    (await read((await member(role, permissions)).token)).map(({ kind }) => kind)
  expect(await kindsOf('agent', ['parcels:read', 'parcels:write'])).toEqual(['parcels_outcome_unknown', 'parcels_refused'])
  expect(await kindsOf('admin', ['cash:read', 'cash:write'])).toEqual(['payouts_to_confirm', 'gateway_payouts_to_review'])
  expect(await kindsOf('viewer', null)).toEqual([])
  const agent = await kindsOf('agent', null)
  expect(agent).toContain('orders_to_confirm')
  expect(agent).not.toContain('connections_to_repair')
})

test('attention: more than can be counted says so', async () => {
  await sql`insert into unknown_statuses (project_id, connection_id, raw) select ${shop.projectId}, ${connection}, 'word ' || n
    from generate_series(1, ${WAITING_MAX}) n`
  expect(await find('statuses_unknown')).toMatchObject({ count: WAITING_MAX, isMore: true })
})

test('attention: a kind that is slow or fails says so, and the others are counted', async () => {
  const source = (kind: string, count: WaitingCounter): AttentionSource => ({
    kind,
    meaning: '',
    group: 'orders',
    right: ['viewer'],
    count,
  })
  const waiting = { count: 3, oldestAt: null, oldest: null }
  const after =
    (statement: string): WaitingCounter =>
    async (tx) => {
      await tx.unsafe(statement)
      return waiting
    }
  const user: ActingUser = { ...shop.owner, isAdmin: false }
  const found = await readAttention(context, user, shop.storeId, undefined, [
    source('slow', after('select pg_sleep(20)')),
    source('broken', after(`select 'three'::text::integer`)),
    source('counted', async () => waiting),
  ])
  expect(found.map(({ kind, count, problem }) => [kind, count, problem])).toEqual([
    ['slow', null, 'slow'],
    ['broken', null, 'failed'],
    ['counted', 3, null],
  ])
})

test('attention: no credential, a key and strangers are refused', async () => {
  const status = async (as?: string) => (await call('GET', pathOf(), as === undefined ? {} : { as })).status
  const stranger = await app.shop()
  expect(await status()).toBe(401)
  expect(await status('sk_wrong')).toBe(401)
  expect(await status(shop.key)).toBe(403)
  expect(await status(stranger.owner.token)).toBe(404)
  expect((await ok('GET', pathOf(stranger), { as: stranger.owner.token })).data).toEqual([])
})
