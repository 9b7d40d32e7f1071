import { afterAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AnyElysia, Elysia } from 'elysia'
import { errorEnvelope } from '../../core/http/errors/envelope.ts'
import { buildOpenApi as describeRoutes } from '../../core/http/openapi/openapi.ts'
import { pluginHost } from '../../core/integrations/operations/plugin-host.ts'
import { eventsIn } from '../../plugins/acceptance/webhooks.ts'
import { carrier } from '../../plugins/carrier/kind.ts'
import { brandPath, endpointsOf } from '../../plugins/host/endpoints.ts'
import { type KindHost, mountPlugins } from '../../plugins/host/mount.ts'
import { openRegistry } from '../../plugins/host/registry.ts'
import type { Kind } from '../../plugins/kind.ts'
import type { Operation } from '../../plugins/operation.ts'
import { startApp } from '../support/app.ts'
import { scratchFolder } from '../support/scratch.ts'
import { atlas, contextOf, put } from './atlas.ts'
import { type MessageAdapter, message } from './message/kind.ts'

const kinds: readonly Kind[] = [carrier, message]
const folder = await scratchFolder()
const pigeon = (await readFile(join(import.meta.dir, 'message/template/index.ts'), 'utf8')).replace(
  "slug: 'example'",
  "slug: 'grey-pigeon'",
)
const LIST = `list: (_, { status }) => ({ rows: [{ trackingId: 'A1', carrierStatus: status ?? 'Done', at: '2026-11-22T10:00:00Z' }], nextCursor: null }),`
await put(join(folder, 'carrier/atlas'), { 'index.ts': atlas({ members: LIST }) })
await put(join(folder, 'message/pigeon'), { 'index.ts': pigeon })

/** The server whose people, stores and keys these are; it knows nothing of messages. */
const app = await startApp({ adapterDirs: [folder], adapterIsolation: 'none' })
const { owner, storeId, key } = await app.shop()
const stranger = await app.person()
const base = `/v1/stores/${storeId}/integrations`
await app.ok('PUT', `${base}/atlas`, { as: owner.token, body: { enabled: true, credentials: { token: 't' }, settings: {} } })
const registry = await openRegistry(
  { own: [], others: [folder], enabled: [], isolation: 'none', approval: 'auto' },
  { folder: await scratchFolder(), processes: 2, memoryMb: 64, kinds },
  { rejected() {}, pending() {}, process() {} },
)
afterAll(() => registry.close())

/** What a core would do for messages, as far as it is told apart here. */
const messages: KindHost<MessageAdapter> = {
  async perform({ adapter, name, params, query, body, inbound }) {
    const context = contextOf('c')
    if (name === 'balance') return adapter.purse?.balance(context)
    if (name === 'initiate')
      return adapter.send(context, { reference: String(params.orderId), phone: '0550', ...(body as { text: string }) })
    if (name === 'arrived') return inbound && eventsIn(adapter, { ...inbound, headers: { 'x-secret': 'right' } }, context)
    const { limit, state } = (body ?? query) as { limit: number; state?: string }
    const rows = (await adapter.deliveries?.(context, { ...(state && { state }) })) ?? []
    return { data: rows.slice(0, limit), nextCursor: null }
  },
}

const { context } = app
const real = pluginHost({ ...context, plugins: registry })
const mounted = mountPlugins({ ...real, kinds: { ...real.kinds, message: messages } }, kinds)
const both = new Elysia({ systemRouter: false, normalize: false } as object).use(errorEnvelope(context.log, context.bodies)).use(mounted)
context.bodies.registerRoutes(both.routes)
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: both.fetch })
afterAll(() => server.stop(true))

async function ask(method: string, path: string, as?: string, body?: object) {
  const response = await fetch(new URL(path, server.url), {
    method,
    headers: { ...(as && { authorization: `Bearer ${as}` }), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { data?: unknown; error?: { code: string; details?: { path: string }[] } }
  return { status: response.status, data: answer.data, code: answer.error?.code, at: answer.error?.details?.map(({ path }) => path) }
}

interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody?: object
  readonly responses: object
}

async function pathsOf(described: AnyElysia): Promise<Record<string, { get?: Described; post?: Described }>> {
  const { info } = (await app.ok('GET', '/openapi.json')) as { info: Parameters<typeof describeRoutes>[1] }
  return JSON.parse(JSON.stringify((await describeRoutes(described, info, ['/'])).paths))
}

describe('an address that two kinds share', () => {
  test('is answered by the kind of the adapter that it names, with its own query', async () => {
    expect(await ask('GET', `${base}/atlas/list?status=Lost`, owner.token)).toMatchObject({
      status: 200,
      data: [{ trackingId: 'A1', carrierStatus: 'Lost' }],
    })
    expect(await ask('GET', `${base}/grey-pigeon/list?state=delivered&limit=1`, owner.token)).toMatchObject({
      status: 200,
      data: [{ id: 'one', state: 'delivered' }],
    })
    expect(await ask('POST', `${base}/grey-pigeon/list`, owner.token, { state: 'delivered' })).toMatchObject({ status: 200 })
  })

  test('refuses what the other kind would take', async () => {
    const wrong: readonly [method: string, path: string, body: object | undefined, at: string][] = [
      ['GET', 'grey-pigeon/list?state=Lost', undefined, '/query/state'],
      ['GET', 'grey-pigeon/list?limit=0', undefined, '/query/limit'],
      ['POST', 'grey-pigeon/list', { status: 'Lost' }, '/body/status'],
      ['POST', 'atlas/list', { state: 'sent' }, '/body/state'],
    ]
    for (const [method, path, body, at] of wrong) {
      const { status, code, at: told } = await ask(method, `${base}/${path}`, owner.token, body)
      expect([path, status, code, told]).toEqual([path, 400, 'invalid_request', expect.arrayContaining([expect.stringContaining(at)])])
    }
  })

  test('asks for the scope of the kind that is meant, and for a credential before anything else', async () => {
    const made = await app.ok('GET', '/v1/projects', { as: owner.token })
    const projectId = made.data[0].id
    const keyWith = async (scope: string) =>
      (await app.ok('POST', `/v1/projects/${projectId}/api-keys`, { as: owner.token, body: { name: scope, scopes: [scope] } })).data.key
    const [orders, parcels] = [await keyWith('orders:write'), await keyWith('parcels:read')]
    const statuses = async (as?: string) =>
      Promise.all(['atlas', 'grey-pigeon'].map(async (slug) => (await ask('GET', `${base}/${slug}/list`, as)).status))
    expect(await statuses(orders)).toEqual([403, 200])
    expect(await statuses(parcels)).toEqual([200, 403])
    expect(await statuses(key)).toEqual([200, 200])
    expect(await statuses('st_nobody')).toEqual([401, 401])
    expect(await statuses()).toEqual([401, 401])
    expect((await ask('GET', `${base}/nobody/list`)).status).toBe(401)
    expect((await ask('GET', `${base}/nobody/list`, owner.token)).status).toBe(404)
    expect((await ask('GET', `${base}/atlas/list`, stranger.token)).status).toBe(404)
  })

  test('is described once, with what each of them takes', async () => {
    const { get, post } = (await pathsOf(both))['/v1/stores/{storeId}/integrations/{key}/list'] ?? {}
    expect(get?.parameters?.map(({ name }) => name)).toEqual(['storeId', 'key', 'limit', 'cursor', 'status', 'since', 'state'])
    expect([get?.operationId, get?.tags]).toEqual(['carrier.list.or.message.deliveries', ['Integrations']])
    expect(JSON.stringify(post?.requestBody)).toContain('"anyOf"')
    const answers = JSON.stringify(get?.responses)
    for (const field of ['CarrierParcel', 'delivered']) expect(answers).toContain(field)
  })
})

describe('who may ask something of a store', () => {
  const said = async (method: string, path: string, as: string, body?: object) => {
    const answer = await app.call(method, path, { as, ...(body && { body }) })
    return `${answer.status} ${answer.body.error?.code ?? answer.body.error?.message ?? ''}`.trim()
  }
  const sentence = async (path: string, as: string) => (await app.call('GET', path, { as })).body.error.message

  test('is judged by its route, before anybody looks for the adapter or for what it offers', async () => {
    expect(await sentence(`${base}/nobody/fees`, stranger.token)).toBe('The store was not found.')
    expect(await sentence(`${base}/nobody/fees`, owner.token)).toBe('An adapter "nobody" was not found.')
    const viewer = await app.person('Viewer')
    await app.ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: viewer.email, role: 'viewer' } })
    expect(await sentence(`${base}/atlas/finance`, viewer.token)).toBe(
      'This needs the role admin in the store; you are viewer. Ask its owner for it.',
    )
    expect(await said('POST', `${base}/atlas/setupWebhook`, viewer.token)).toBe('403 forbidden')
    expect(await said('POST', `${base}/atlas/setupWebhook`, owner.token)).toBe('404 not_found')
    expect(await said('POST', `${base}/atlas/enable`, viewer.token, { enabled: true })).toBe('403 forbidden')
  })

  test('is told of a malformed request before the store is looked up', async () => {
    for (const [path, body] of [
      ['scoring', { phone: '0550123456' }],
      ['enable', { enabled: true }],
    ] as const) {
      expect(await said('POST', `${base}/atlas/${path}`, stranger.token, { wrong: 1 })).toBe('400 invalid_request')
      expect(await said('POST', `${base}/atlas/${path}`, stranger.token, body)).toBe('404 not_found')
    }
  })

  test('is judged by the product of the kind that is meant, where kinds share an address and where they do not', async () => {
    const shop = await app.shop()
    const of = `/v1/stores/${shop.storeId}/integrations`
    const connection = { enabled: true, credentials: {}, settings: {} }
    await app.ok('PUT', `${of}/atlas`, { as: shop.owner.token, body: { ...connection, credentials: { token: 't' } } })
    await app.ok('PUT', `${of}/sandbox-payment`, { as: shop.owner.token, body: connection })
    await app.ok('PATCH', `/v1/projects/${shop.projectId}`, { as: shop.owner.token, body: { products: ['geo'] } })
    for (const as of [shop.owner.token, shop.key]) {
      expect(await said('GET', `${of}/atlas/statistics`, as)).toBe('403 product_not_enabled')
      expect(await said('POST', `${of}/atlas/testConnection`, as)).toBe('403 product_not_enabled')
      expect(await said('POST', `${of}/sandbox-payment/testConnection`, as)).toBe('200')
    }
    expect(await said('POST', `${of}/atlas/testConnection`, stranger.token)).toBe('404 not_found')
  })

  test('stands in the description', async () => {
    const { paths } = (await app.ok('GET', '/openapi.json')) as { paths: Record<string, Record<string, object>> }
    const of = (method: string, path: string) => paths[`/v1/stores/{storeId}/integrations/{key}/${path}`]?.[method]
    const parcels = { 'x-product': 'parcels', security: [{ session: [] }, { apiKey: [] }] }
    expect(of('get', 'fees')).toMatchObject({ 'x-role': 'viewer', 'x-scope': 'parcels:read', ...parcels })
    expect(of('post', 'send')).toMatchObject({ 'x-role': 'agent', 'x-scope': 'parcels:write', ...parcels })
    expect(of('get', 'finance')).toMatchObject({ 'x-role': 'admin', 'x-scope': 'parcels:write', ...parcels })
    expect(of('post', 'testConnection')).toMatchObject({
      'x-role': 'admin',
      'x-by-kind': {
        carrier: { role: 'admin', scope: 'parcels:write', product: 'parcels' },
        payment: { role: 'admin', scope: 'orders:write' },
      },
    })
  })
})

describe('a path of its own', () => {
  test('stands where the kind says, and takes its own body', async () => {
    const path = '/v1/orders/ord_7/message/grey-pigeon/initiate'
    expect(await ask('POST', path, key, { text: 'hello' })).toMatchObject({ status: 201, data: { id: 'c-ord_7' } })
    expect(await ask('POST', path, key, { words: 'hello' })).toMatchObject({ status: 400 })
    expect((await ask('POST', path, undefined, { text: 'hello' })).status).toBe(401)
    // Of another kind: there is no such thing.
    expect((await ask('POST', '/v1/orders/ord_7/message/atlas/initiate', key, { text: 'hello' })).status).toBe(404)
  })

  test('bears the name of a brand, where its adapter says so', async () => {
    expect(await ask('GET', '/v1/actions/getGreyPigeonBalance', owner.token)).toMatchObject({ status: 200, data: { amount: 12.5 } })
    expect((await ask('GET', '/v1/actions/getGreyPigeonBalance')).status).toBe(401)
    expect((await ask('GET', '/v1/actions/getAtlasBalance', owner.token)).status).toBe(404)
  })

  test('takes what the other side calls with, without a credential of ours', async () => {
    expect(await ask('GET', '/v1/actions/greyPigeonArrived?id=9')).toMatchObject({ status: 200, data: [{ id: '9', state: 'delivered' }] })
  })

  test('is made of the slug, and one slug has it', () => {
    expect(brandPath('/v1/actions/get{Brand}Products', 'google-sheets')).toBe('/v1/actions/getGoogleSheetsProducts')
    expect(brandPath('/v1/actions/{brand}Webhook', 'chargily')).toBe('/v1/actions/chargilyWebhook')
    const owl = (slug: string) => ({
      kind: 'message',
      slug,
      branded: ['balance'],
      contract: 3,
      label: '',
      net: [],
      credentials: {},
      settings: {},
      rateWindows: [],
    })
    const paths = endpointsOf([message], [owl('a-b'), owl('a--b'), owl('owl')]).filter(({ path }) => path.startsWith('/v1/actions/'))
    expect(paths.map(({ path, offers }) => [path, offers.map(({ slug }) => slug)])).toEqual([
      ['/v1/actions/getABBalance', ['a-b']],
      ['/v1/actions/getOwlBalance', ['owl']],
    ])
  })
})

test('a kind that nobody performs is our own fault', async () => {
  const half = new Elysia({ systemRouter: false, normalize: false } as object)
    .use(errorEnvelope(context.log, context.bodies))
    .use(mountPlugins(real, kinds))
  const response = await half.handle(
    new Request('http://localhost/v1/actions/getGreyPigeonBalance', { headers: { authorization: `Bearer ${owner.token}` } }),
  )
  expect(response.status).toBe(500)
})

test('a permission on a path that names no store is refused at the start, with the sentence that says why', () => {
  const { balance } = message.operations
  const closed = (changes: Partial<Operation>): Kind => ({
    ...message,
    operations: { balance: { ...balance, permission: 'cash:read', ...changes } },
  })
  const hosts = { ...real, kinds: { ...real.kinds, message: messages } }
  expect(() => mountPlugins(hosts, [closed({ paths: ['/v1/balances/:key'] })])).toThrow(
    'The operation message.balance needs the permission cash:read in a store, and its path names no store. Add :storeId to GET /v1/balances/:key, or remove the permission.',
  )
  expect(() => mountPlugins(hosts, [closed({ paths: [], brand: '/v1/actions/get{Brand}Balance' })])).toThrow(
    '/v1/actions/getGreyPigeonBalance',
  )
  expect(() => mountPlugins(hosts, [closed({ paths: ['balance'], brand: '/v1/stores/:storeId/{brand}Balance' })])).not.toThrow()
})

test('a server looks at adapters of its own kinds', async () => {
  const { data, rejected } = await app.ok('GET', '/v1/adapters', { as: owner.token })
  const keys = data.map((one: { key: string }) => one.key)
  expect([keys.includes('atlas'), keys.includes('grey-pigeon'), rejected]).toEqual([true, false, []])
})
