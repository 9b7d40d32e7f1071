import { expect, test } from 'bun:test'
import { transaction } from '../../../core/data/sql.ts'
import { recordAudit } from '../../../core/platform/audit/record-audit.ts'
import { startApp } from '../../support/app.ts'
import { letIn, newApp } from '../../support/oauth.ts'

const app = await startApp()
const { call, ok, shop, person, context } = app
const { sql } = context
await person('The administrator')
const { storeId, projectId, key, owner } = await shop()
const theirs = await shop()
const path = `/v1/stores/${storeId}/audit`
const as = owner.token
const entries = async (query = '') => (await ok('GET', `${path}${query}`, { as })).data
const last = async (query = '') => (await entries(query))[0]
const byOwner = { kind: 'person', id: owner.id, name: 'Owner', appId: null, appName: null, administrator: null }
const { data: product } = await ok('POST', '/v1/products', {
  as,
  body: { storeId, name: 'Shoe', price: 100, variants: [{ name: 'S' }, { name: 'L' }] },
})

test('keys: it says who made and ended which, and nothing of their text', async () => {
  const keys = `/v1/projects/${projectId}/api-keys`
  const { data: made } = await ok('POST', keys, { as, body: { name: 'warehouse', scopes: ['orders:read'] } })
  expect(await last('?what=key.created')).toMatchObject({
    thing: made.id,
    by: byOwner,
    before: null,
    after: { name: 'warehouse', scopes: ['orders:read'], last4: made.last4 },
  })
  await ok('DELETE', `${keys}/${made.id}`, { as })
  expect(await last(`?thing=${made.id}`)).toMatchObject({ what: 'key.revoked', by: byOwner, before: null, after: null })
  expect((await call('DELETE', `${keys}/${made.id}`, { as })).status).toBe(404)
  expect(await entries(`?thing=${made.id}`)).toHaveLength(2)
  expect(JSON.stringify(await sql`select * from audit_entries`)).not.toContain(made.key)
})

test('connections: it says that credentials changed, and nothing of them', async () => {
  const connection = `/v1/stores/${storeId}/integrations/sandbox`
  const put = (webhookSecret: string, settings = {}) =>
    ok('PUT', connection, { as, body: { enabled: true, credentials: { webhookSecret }, settings } })
  const { data } = await put('hush hush')
  expect(await last()).toMatchObject({
    what: 'connection.connected',
    thing: data.id,
    after: { key: 'sandbox', kind: 'carrier', enabled: true },
  })
  await ok('PATCH', connection, { as, body: { enabled: false } })
  expect(await last()).toMatchObject({ what: 'connection.changed', before: { enabled: true }, after: { enabled: false } })
  await put('hush again')
  expect((await last()).after).toEqual({ enabled: true, credentials: 'given anew' })
  await ok('DELETE', connection, { as })
  expect(await last()).toMatchObject({ what: 'connection.disconnected', before: { key: 'sandbox' }, after: null })
  expect(JSON.stringify(await sql`select * from audit_entries`)).not.toContain('hush')
})

test('prices: what they were, and what they are, by a key too; and nothing where they stay', async () => {
  const change = (body: object, credential = key) => ok('PATCH', `/v1/products/${product.id}`, { as: credential, body })
  await change({ price: 120.5 })
  const entry = await last()
  expect(entry).toMatchObject({ what: 'product.price_changed', thing: product.id, before: { price: 100 }, after: { price: 120.5 } })
  expect(Object.keys(entry.after)).toEqual(['price'])
  expect(entry.by).toMatchObject({ kind: 'key', name: 'all', appId: null })
  const variants = product.variants.map(({ id, name }: { id: string; name: string }, at: number) => ({ id, name, price: 50 + at }))
  await change({ variants }, as)
  expect((await last()).after).toEqual({ variants: { [variants[0].id]: 50, [variants[1].id]: 51 } })
  const before = await entries()
  await change({ description: 'A shoe' })
  expect(await entries()).toEqual(before)
})

test('prices by number, in bundles and of delivery; what is offered, and what is deleted', async () => {
  const [{ data: shirt }, { data: sock }] = await Promise.all(
    ['Shirt', 'Sock'].map((name) => ok('POST', '/v1/products', { as, body: { storeId, name, price: 100 } })),
  )
  const [shipping, tiers] = [{ home: 500, byState: { '16': { home: 300 } } }, [{ from: 3, price: 90 }]]
  const items = [{ productId: sock.id, quantity: 1 }]
  await ok('PATCH', `/v1/products/${shirt.id}`, { as, body: { tiers, shipping, bundles: [{ name: 'Both', price: 150, items }] } })
  expect(await last(`?thing=${shirt.id}`)).toMatchObject({
    what: 'product.price_changed',
    before: { tiers: [], bundles: [], shipping: null },
    after: { tiers, shipping, bundles: [{ name: 'Both', price: 150 }] },
  })
  await ok('PATCH', `/v1/products/${shirt.id}`, { as, body: { status: 'archived', tiers } })
  expect(await last(`?thing=${shirt.id}`)).toMatchObject({
    what: 'product.status_changed',
    before: { status: 'active' },
    after: { status: 'archived' },
  })
  await ok('DELETE', `/v1/products/${shirt.id}`, { as })
  expect(await last()).toMatchObject({ what: 'product.deleted', thing: shirt.id, by: byOwner, before: { name: 'Shirt' }, after: null })
})

test('promotions: what they took off, and what they take off now', async () => {
  const { data: promo } = await ok('POST', '/v1/promos', { as, body: { storeId, code: 'SPRING', kind: 'percent', value: 10 } })
  expect(await last()).toMatchObject({ what: 'promo.created', thing: promo.id, before: null, after: { code: 'SPRING', value: 10 } })
  await ok('PUT', `/v1/promos/${promo.id}`, { as: key, body: { code: 'SPRING', kind: 'percent', value: 90 } })
  const entry = await last()
  expect(entry).toMatchObject({ what: 'promo.changed', thing: promo.id, by: { kind: 'key' } })
  expect([entry.before, entry.after]).toEqual([{ value: 10 }, { value: 90 }])
  await Promise.all([20, 30].map((value) => ok('PUT', `/v1/promos/${promo.id}`, { as, body: { code: 'SPRING', kind: 'percent', value } })))
  const told = (await entries(`?thing=${promo.id}&what=promo.changed`)).slice(0, 2)
  expect(told[0].before).toEqual(told[1].after)
  await ok('DELETE', `/v1/promos/${promo.id}`, { as })
  expect(await last()).toMatchObject({ what: 'promo.deleted', thing: promo.id, before: { code: 'SPRING' }, after: null })
})

test("an order's lines, and an order that is deleted", async () => {
  const [one, other] = product.variants.map(({ id }: { id: string }) => id)
  const line = (variantId: string, quantity: number) => ({ productId: product.id, variantId, quantity })
  const { data: order } = await ok('POST', '/v1/orders', {
    as,
    body: {
      storeId,
      customer: { name: 'Amina', phone: '0550123499' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
      items: [line(one, 1)],
    },
  })
  await ok('PATCH', `/v1/orders/${order.id}`, { as, body: { items: [line(one, 1)], note: 'again' } })
  const ofLines = `?thing=${order.id}&what=order.lines_changed`
  expect(await entries(ofLines)).toEqual([])
  await ok('PATCH', `/v1/orders/${order.id}`, { as, body: { items: [line(other, 2)] } })
  expect(await entries(ofLines)).toMatchObject([
    { what: 'order.lines_changed', by: byOwner, before: { lines: [line(one, 1)] }, after: { lines: [line(other, 2)] } },
  ])
  await ok('DELETE', `/v1/orders/${order.id}`, { as })
  expect(await last()).toMatchObject({ what: 'order.deleted', thing: order.id, before: { reference: order.reference }, after: null })
})

test('statuses of orders: it says whether a user, a key or an app changed them', async () => {
  const program = await newApp(app, owner)
  const token = (await letIn(app, program, owner, 'orders:write')).access_token
  const order = async () =>
    (
      await ok('POST', '/v1/orders', {
        as,
        body: {
          storeId,
          customer: { name: 'Amina', phone: '0550123456' },
          destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
          items: [{ productId: product.id, variantId: product.variants[0].id, quantity: 1 }],
        },
      })
    ).data
  const { id } = await order()
  await ok('PATCH', `/v1/orders/${id}`, { as, body: { status: 'confirmed' } })
  expect(await last()).toMatchObject({
    what: 'order.status_changed',
    thing: id,
    by: byOwner,
    before: { status: 'pending' },
    after: { status: 'confirmed' },
  })
  await ok('PATCH', `/v1/orders/${id}`, { as, body: { status: 'confirmed', note: 'call first' } })
  expect(await entries(`?thing=${id}&what=order.status_changed`)).toHaveLength(1)
  expect((await call('PATCH', `/v1/orders/${id}`, { as, body: { status: 'delivered' } })).status).toBe(409)
  expect(await entries(`?thing=${id}&what=order.status_changed`)).toHaveLength(1)
  await ok('PATCH', `/v1/orders/${id}`, { as: token, body: { status: 'unreachable' } })
  expect((await last()).by).toMatchObject({ ...byOwner, appId: program.id, appName: expect.any(String) })
})

test('who is a member, and who was invited', async () => {
  const agent = await person('Agent')
  const members = `/v1/stores/${storeId}/members`
  await ok('POST', members, { as, body: { email: agent.email, role: 'agent' } })
  await ok('PUT', `${members}/${agent.id}`, { as, body: { role: 'admin' } })
  await ok('POST', `/v1/stores/${storeId}/invites`, { as: agent.token, body: { email: 'friend@example.dz', role: 'agent' } })
  await ok('DELETE', `${members}/${agent.id}`, { as })
  const found = await entries(`?thing=${agent.id}`)
  expect(found.map(({ what, before, after }: Record<string, unknown>) => [what, before, after])).toEqual([
    ['member.removed', { role: 'admin', permissions: null }, null],
    ['member.role_changed', { role: 'agent' }, { role: 'admin' }],
    ['member.added', null, { role: 'agent', permissions: null }],
  ])
  expect(await entries(`?by=${agent.id}`)).toMatchObject([
    { what: 'invitation.created', after: { email: 'friend@example.dz', role: 'agent' } },
  ])
})

test('is read page by page, filtered by time, by administrators alone', async () => {
  const all = await entries('?limit=100')
  const seen: string[] = []
  let cursor = ''
  do {
    const page = await ok('GET', `${path}?limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, { as })
    seen.push(...page.data.map(({ id }: { id: string }) => id))
    cursor = page.nextCursor ?? ''
  } while (cursor)
  expect(seen).toEqual(all.map(({ id }: { id: string }) => id))
  const middle = all[4].createdAt
  const [since, until] = [await entries(`?limit=100&from=${middle}`), await entries(`?limit=100&to=${middle}`)]
  expect([since.length + until.length, since.length > 3, until.length > 3]).toEqual([all.length, true, true])
  for (const [role, status] of [
    ['admin', 200],
    ['agent', 403],
  ] as const) {
    const member = await person(`A new ${role}`)
    await ok('POST', `/v1/stores/${storeId}/members`, { as, body: { email: member.email, role } })
    expect([role, (await call('GET', path, { as: member.token })).status]).toEqual([role, status])
  }
  expect((await call('GET', path, { as: key })).status).toBe(403)
  expect((await call('GET', path, { as: theirs.owner.token })).status).toBe(404)
  expect((await call('GET', `${path}?what=nothing`, { as })).status).toBe(400)
})

test('what nobody asked for is the system’s, what is rolled back is not there, and no field is kept that is not named', async () => {
  const note = (thing: string, after: object, { fails = false }: { readonly fails?: boolean } = {}) =>
    transaction(sql, async (tx) => {
      await recordAudit(tx, { storeId }, { what: 'order.status_changed', thing, before: { status: 'sent' }, after })
      if (fails) throw new Error('changed my mind')
    })
  await note('ord_system', { status: 'delivered', password: 'hush' })
  await note('ord_back', { status: 'delivered' }, { fails: true }).catch(() => {})
  expect(await entries('?thing=ord_system')).toMatchObject([
    { by: { kind: 'system', id: null, name: null }, before: { status: 'sent' }, after: { status: 'delivered' } },
  ])
  expect((await entries('?thing=ord_system'))[0].after).toEqual({ status: 'delivered' })
  expect(await entries('?thing=ord_back')).toEqual([])
  await transaction(sql, (tx) => recordAudit(tx, { projectId: 'prj_none' }, { what: 'key.revoked', thing: 'key_none' }))
  expect(await sql`select 1 from audit_entries where thing = 'key_none'`).toHaveLength(0)
})
