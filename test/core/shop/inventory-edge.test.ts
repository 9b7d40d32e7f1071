import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { findDrift } from '../../support/checks.ts'
import { type AnyLeg, ledger, leg, newKey, refused } from '../../support/ledger.ts'

const { call, ok, shop, context } = await startApp()
const { sql } = context
const main = await shop()

/** A namespace that is as odd. */
const namespaceBeside = (key: string) => key.replaceAll(/[/*]/g, '_')

const { post, posted, reserve, balances, balance } = ledger({ call, ok }, main.key)

test('input that cannot be is refused with its place', async () => {
  const key = newKey()
  const cases: [unknown, string][] = [
    [{ type: 'receive', legs: [leg(key, 1.00001)] }, '/body/legs/0/quantity'],
    [{ type: 'receive', legs: [leg(key, 1), leg(key, 1e-7)] }, '/body/legs/1/quantity'],
    [{ type: 'receive', legs: [leg(key, 0)] }, '/body/legs/0/quantity'],
    [{ type: 'receive', legs: [leg(key, 1e12)] }, '/body/legs/0/quantity'],
    [{ type: 'receive', legs: [leg(key, 1e11)] }, '/body/legs/0/quantity'],
    [{ type: 'receive', legs: [leg(key, 1, { unitCost: 0.00001 })] }, '/body/legs/0/unitCost'],
    [{ type: 'receive', legs: [leg(key, 1, { unitCost: -1 })] }, '/body/legs/0/unitCost'],
    [{ type: 'receive', legs: [] }, '/body/legs'],
    [{ type: 'receive', legs: Array.from({ length: 201 }, () => leg(key, 1)) }, '/body/legs'],
    [{ type: 'receive', legs: [leg('', 1)] }, '/body/legs/0/key'],
    [{ type: 'receive', legs: [leg('a\u0000b', 1)] }, '/body/legs/0/key'],
    [{ type: 'receive', legs: [leg('a\nb', 1)] }, '/body/legs/0/key'],
    [{ type: 'receive', legs: [leg('a\u0085b', 1)] }, '/body/legs/0/key'],
    [{ type: 'receive', legs: [leg('k'.repeat(201), 1)] }, '/body/legs/0/key'],
    [{ type: 'receive', legs: [leg(key, 1, { namespace: '' })] }, '/body/legs/0/namespace'],
    [{ type: 'receive', legs: [leg(key, 1, { namespace: 'a/b' })] }, '/body/legs/0/namespace'],
    [{ type: 'receive', legs: [leg(key, 1, { namespace: 'a*' })] }, '/body/legs/0/namespace'],
    [{ type: 'receive', legs: [leg(key, 1, { namespace: 'n'.repeat(201) })] }, '/body/legs/0/namespace'],
    [{ type: 'receive', legs: [leg(key, 1, { batch: 'b'.repeat(201) })] }, '/body/legs/0/batch'],
    [{ type: 'receive', legs: [leg(key, 1, { batch: 'a\tb' })] }, '/body/legs/0/batch'],
    [{ type: 'receive', legs: [leg(key, 1, { qty: 1 })] }, '/body/legs/0/qty'],
    [{ type: 'receive', legs: [leg(key, 1, { role: 'in' })] }, '/body/legs/0/role'],
    [{ type: 'receive', legs: [leg(key, '1' as never)] }, '/body/legs/0/quantity'],
    [{ type: 'receive', reservationId: 'res_x', legs: [leg(key, 1)] }, '/body/reservationId'],
    [{ type: 'steal', legs: [leg(key, 1)] }, '/body/type'],
  ]
  for (const [body, path] of cases) {
    expect(refused(await call('POST', '/v1/inventory/operations', { as: main.key, body }))).toEqual([400, 'invalid_request', path])
  }
  const surrogate = await call('POST', '/v1/inventory/operations', {
    as: main.key,
    raw: `{"type":"receive","legs":[{"namespace":"main","key":"\\ud800","quantity":1}]}`,
  })
  expect(surrogate.status).toBe(400)
  expect(await balances(key)).toEqual([])
})

const WIDE = '\u{800}'.repeat(200)
const odd = [
  '.',
  '..',
  'a/b',
  '/',
  '//',
  '100%',
  '%2F',
  'a b',
  ' ',
  'قميص أزرق',
  '💥',
  '*',
  'a+b',
  '?x=1&y#z',
  '[1]',
  '{"a":1}',
  '007',
  'true',
  'null',
  WIDE,
]

test('any text is a key, in bodies, in queries and in topics', async () => {
  const { data: endpoint } = await ok('POST', '/v1/webhook-endpoints', {
    as: main.key,
    body: { url: 'http://127.0.0.1:9/', events: odd.map((key) => `inventory.stock.changed:${namespaceBeside(key)}/${key}`) },
  })
  const { data: operation } = await ok('POST', '/v1/inventory/operations', {
    as: main.key,
    body: { type: 'receive', legs: odd.map((key) => leg(key, 2, { namespace: namespaceBeside(key), batch: key })) },
  })
  const read = async (path: string, query: Record<string, string>) =>
    (await ok('GET', `/v1/inventory/${path}?${new URLSearchParams(query)}`, { as: main.key })).data
  for (const [at, key] of odd.entries()) {
    const namespace = namespaceBeside(key)
    const [balance, ...others] = await read('balances', { namespace, key, batch: key })
    expect([balance, others]).toEqual([{ namespace, key, batch: key, onHand: 2, reserved: 0, available: 2, unitCost: null }, []])
    expect(await read('movements', { objectId: key })).toEqual([operation.movements[at]])
    expect((await read('movements', { holderRef: namespace })).map(({ id }: AnyLeg) => id)).toContain(operation.movements[at].id)
    const { data: held } = (await reserve([leg(key, 1, { namespace })])).body
    await posted('fulfill', [leg(key, -1, { namespace })], { reservationId: held.id })
  }
  const heard = await sql`
    select distinct e.body::jsonb -> 'data' ->> 'key' as key from events e join webhook_deliveries d on d.event_id = e.id
    where d.endpoint_id = ${endpoint.id} and e.type = 'inventory.stock.changed'`
  expect(heard).toHaveLength(odd.length)
  await ok('DELETE', `/v1/webhook-endpoints/${endpoint.id}`, { as: main.key })
})

test('two balances never have one name', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 1, { batch: 'x/y' }), leg(`${key}/x`, 2, { batch: 'y' })])
  expect([(await balance(key, 'x/y')).onHand, (await balance(`${key}/x`, 'y')).onHand]).toEqual([1, 2])
  const legs = [leg(key, -1, { batch: 'x/y' }), leg(`${key}/x`, 1, { batch: 'y', namespace: 'shop' })]
  expect(refused(await post('transfer', legs))[1]).toBe('unbalanced_operation')
})

test('the same Idempotency-Key posts once', async () => {
  const key = newKey()
  const request = {
    as: main.key,
    body: { type: 'receive', legs: [leg(key, 3)] },
    headers: { 'idempotency-key': `inv-${key}` },
  }
  const first = await call('POST', '/v1/inventory/operations', request)
  const again = await call('POST', '/v1/inventory/operations', request)
  expect([again.status, again.headers.get('idempotent-replayed'), again.body.data.id]).toEqual([201, 'true', first.body.data.id])
  const other = await call('POST', '/v1/inventory/operations', { ...request, body: { ...request.body, note: 'other' } })
  expect(refused(other).slice(0, 2)).toEqual([422, 'idempotency_key_reused'])
  const undo = { as: main.key, headers: { 'idempotency-key': `undo-${key}` } }
  const undone = await call('POST', `/v1/inventory/operations/${first.body.data.id}/reverse`, undo)
  expect((await call('POST', `/v1/inventory/operations/${first.body.data.id}/reverse`, undo)).body.data.id).toBe(undone.body.data.id)
  expect((await balance(key)).onHand).toBe(0)
})

test('the credential decides', async () => {
  const key = newKey()
  const operation = await posted('receive', [leg(key, 3)])
  const held = (await reserve([leg(key, 1)])).body.data
  const routes: [string, string, unknown?][] = [
    ['POST', '/v1/inventory/operations', { type: 'receive', legs: [leg(key, 1)] }],
    ['GET', '/v1/inventory/operations'],
    ['GET', `/v1/inventory/operations/${operation.id}`],
    ['POST', `/v1/inventory/operations/${operation.id}/reverse`],
    ['GET', `/v1/inventory/movements?objectId=${key}`],
    ['GET', '/v1/inventory/balances'],
    ['POST', '/v1/inventory/reservations', { legs: [leg(key, 1)] }],
    ['GET', `/v1/inventory/reservations/${held.id}`],
    ['POST', `/v1/inventory/reservations/${held.id}/release`],
  ]
  const narrow = async (scopes: string[]) =>
    (
      await ok('POST', `/v1/projects/${main.projectId}/api-keys`, {
        as: main.owner.token,
        body: { name: 'narrow', scopes },
      })
    ).data.key
  const [reader, writer] = [await narrow(['inventory:read']), await narrow(['inventory:write'])]
  for (const [method, path, body] of routes) {
    const send = (as?: string) => call(method, path, { ...(as && { as }), ...(body !== undefined && { body }) })
    expect((await send()).status).toBe(401)
    expect(refused(await send('sk_unknown'))[1]).toBe('invalid_api_key')
    // A person names the store whose stock is meant.
    expect((await send(main.owner.token)).status).toBe(400)
    expect(refused(await send(method === 'GET' ? writer : reader))[1]).toBe('insufficient_scope')
  }
  const theirs = await shop()
  for (const [method, path] of routes.filter(([, path]) => path.includes(operation.id) || path.includes(held.id))) {
    expect((await call(method, path, { as: theirs.key })).status).toBe(404)
  }
  for (const path of [`movements?objectId=${key}`, `movements?operationId=${operation.id}`, 'balances', 'operations']) {
    expect((await ok('GET', `/v1/inventory/${path}`, { as: theirs.key })).data).toEqual([])
  }
  expect(refused(await post('fulfill', [leg(key, -1)], { reservationId: held.id }, theirs.key))[0]).toBe(404)
  expect(refused(await post('fulfill', [leg(key, -1)], {}, theirs.key))[1]).toBe('reserved_stock_conflict')
  const without = await shop()
  await ok('PATCH', `/v1/projects/${without.projectId}`, { as: without.owner.token, body: { products: ['parcels'] } })
  expect(refused(await call('GET', '/v1/inventory/balances', { as: without.key }))[1]).toBe('product_not_enabled')
})

test('movements are listed by exactly one of item, namespace and operation', async () => {
  const key = newKey()
  const operation = await posted('receive', [leg(key, 3, { namespace: `ns-${key}` }), leg(key, 1)])
  const list = (query: string) => call('GET', `/v1/inventory/movements?${query}`, { as: main.key })
  for (const query of ['', `objectId=${key}&holderRef=main`, 'from=2020-01-01T00:00:00Z'])
    expect(refused(await list(query))).toEqual([400, 'invalid_request', '/query'])
  for (const query of [`objectId=${key}`, `operationId=${operation.id}`]) expect((await list(query)).body.data).toHaveLength(2)
  expect((await list(`holderRef=ns-${key}`)).body.data).toEqual([operation.movements[0]])
  expect((await list(`objectId=${key}&from=${operation.createdAt}`)).body.data).toHaveLength(2)
  expect((await list(`objectId=${key}&to=${operation.createdAt}`)).body.data).toHaveLength(0)
  expect((await list(`objectId=${key}&from=2026-13-01T00:00:00Z`)).status).toBe(400)
  for (const cursor of [
    'x',
    'azE6YQ',
    Buffer.from('k1:2026-01-01T00:00:00.000Z x').toString('base64url'),
    Buffer.from('k1:[]').toString('base64url'),
  ]) {
    expect((await list(`objectId=${key}&cursor=${cursor}`)).status).toBe(400)
    expect((await call('GET', `/v1/inventory/balances?cursor=${cursor}`, { as: main.key })).status).toBe(400)
  }
})

test('operations are filtered by type, reference and time', async () => {
  const key = newKey()
  const first = await posted('receive', [leg(key, 3)], { reference: `REF ${key}` })
  const second = await posted('fulfill', [leg(key, -1)], { reference: `REF ${key}` })
  const list = async (query: Record<string, string>) =>
    (await ok('GET', `/v1/inventory/operations?${new URLSearchParams(query)}`, { as: main.key })).data.map((row: AnyLeg) => row.id)
  expect(await list({ reference: `REF ${key}` })).toEqual([second.id, first.id])
  expect(await list({ reference: `REF ${key}`, type: 'receive' })).toEqual([first.id])
  expect(await list({ from: second.createdAt, reference: `REF ${key}`, type: 'receive' })).toEqual([])
  expect((await call('GET', '/v1/inventory/operations?type=steal', { as: main.key })).status).toBe(400)
})

test('pages neither skip nor repeat while others write', async () => {
  const key = newKey()
  for (let made = 0; made < 7; made += 1) await posted('receive', [leg(key, 1, { namespace: `n${made}` })], { reference: key })
  const walk = async (path: string, write: () => Promise<unknown>) => {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { data, nextCursor } = await ok('GET', `${path}&limit=3${cursor && `&cursor=${cursor}`}`, { as: main.key })
      seen.push(...data.map((row: AnyLeg) => String(row.id ?? row.namespace)))
      if (nextCursor === null) return seen
      cursor = nextCursor
      await write()
    }
  }
  const receive = (namespace: string) => () => posted('receive', [leg(key, 1, { namespace })], { reference: key })
  const movements = await walk(`/v1/inventory/movements?objectId=${key}`, receive('main'))
  expect([movements.length, new Set(movements).size]).toEqual([7, 7])
  const operations = await walk(`/v1/inventory/operations?reference=${key}`, receive('main'))
  expect([operations.length, new Set(operations).size]).toEqual([9, 9])
  expect(await walk(`/v1/inventory/balances?key=${key}`, receive('a-first'))).toEqual(['main', 'n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'])
})

test('a page of large operations ends before it is too much, and the next goes on there', async () => {
  const [key, reference] = [newKey(), newKey()]
  const counts = [...Array.from({ length: 11 }, () => 200), 1, 2]
  const ids: string[] = []
  for (const count of counts) {
    const legs = Array.from({ length: count }, () => leg(key, 1))
    ids.push((await posted('receive', legs, { reference })).id)
  }
  const pages: AnyLeg[][] = []
  let cursor = ''
  do {
    const query = `limit=100&reference=${reference}&sort=createdAt${cursor && `&cursor=${cursor}`}`
    const { data, nextCursor } = await ok('GET', `/v1/inventory/operations?${query}`, { as: main.key })
    pages.push(data)
    cursor = nextCursor
  } while (cursor)
  expect(pages.flat().map(({ id }) => id)).toEqual(ids)
  expect(pages.flat().map(({ movements }) => (movements as AnyLeg[]).length)).toEqual(counts)
  expect(pages.map((page) => page.length)).toEqual([5, 5, 3])
  expect(pages.flat().some((operation) => 'isCut' in operation)).toBe(false)
})

test('subscribers hear of operations, of stock by topic, and of expiry', async () => {
  const key = newKey()
  const { data: endpoint } = await ok('POST', '/v1/webhook-endpoints', {
    as: main.key,
    body: { url: 'http://127.0.0.1:9/', events: ['*'] },
  })
  const heard = async () =>
    (await sql<{ type: string; body: string }[]>`select type, body from events where body like ${`%"${key}"%`} order by id`).map(
      ({ type, body }) => ({ type, data: JSON.parse(body).data }),
    )
  const operation = await posted('receive', [leg(key, 3), leg(key, 2)])
  expect(await heard()).toEqual([
    { type: 'inventory.operation.posted', data: operation },
    {
      type: 'inventory.stock.changed',
      data: { namespace: 'main', key, batch: '', onHand: 5, reserved: 0, available: 5, operationId: operation.id },
    },
  ])
  await reserve([leg(key, 1)], { ttlSeconds: 1 })
  for (let waited = 0; !(await heard()).some(({ type }) => type === 'inventory.reservation.expired') && waited < 50; waited += 1)
    await Bun.sleep(100)
  expect((await heard()).map(({ type, data }) => [type, data.available ?? data.status]).slice(2)).toEqual([
    ['inventory.stock.changed', 4],
    ['inventory.reservation.expired', 'expired'],
    ['inventory.stock.changed', 5],
  ])
  await ok('DELETE', `/v1/webhook-endpoints/${endpoint.id}`, { as: main.key })
})

test('after all that every counter agrees with its lines', async () => {
  expect(await findDrift(sql)).toEqual([])
})
