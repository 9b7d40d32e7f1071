import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { errorStatuses } from '../../core/http/errors/statuses.ts'
import { type Answer, startApp } from '../support/app.ts'
import { bodySchema, type Described, describedBy, readDocument, takes } from '../support/openapi.ts'
import { bodyOf, CUSTOMER, pathOf, queryOf, richTenant } from '../support/rich-tenant.ts'
import { casesAt, often } from '../support/thorough.ts'
import { requestsTo, type Wire } from './requests.ts'
import { disruption } from './tried-order.ts'

/** Requests per operation. `bun run fuzz` sets more. */
const RUNS = Number(process.env.FUZZ_RUNS ?? often({ quick: 3, thorough: 12 }))
/** Fixed, so that the same code gives the same result. `bun run fuzz` draws new ones. */
const SEED = Number(process.env.FUZZ_SEED ?? 56_595_128)
const TIME_MS = Math.max(60_000, RUNS * 2_000)

/** Where apps are answered as RFC 6749 says, and people with pages. */
const OF_OAUTH = /^\/(v1\/)?oauth\//
/** Where a browser stands, the answer is a page. */
const PAGES = /^\/(v1\/)?oauth\/|^\/v1\/social\/\{provider\}\/|^\/v1\/chat\/mcp-servers\/oauth\//

/** Shops that are looked up by any name. */
const shops = Bun.serve({
  port: 0,
  fetch: () => Response.json({ products: [], data: [], meta: { pagination: { current_page: 1, total_pages: 1 } } }),
})
afterAll(() => shops.stop(true))
const at = shops.url.origin
const app = await startApp({ simulators: { '*.myshopify.com': at, '*.youcan.shop': at } })
const tenant = await richTenant(app)
/** Nothing above touches what is this one's. */
const calm = await richTenant(app)
const document = await readDocument(app)

const operations = describedBy(document)

operations.sort((a, b) => disruption(a) - disruption(b))

async function credentialFor(described: Described): Promise<string | undefined> {
  if (!described.operation.security?.length) return undefined
  if (/^\/v1\/users\/auth/.test(described.path)) return (await app.person()).token
  return takes(described, 'apiKey') ? tenant.key : tenant.as
}

/** The tenant was the first to sign up: it administers the platform. */
const calmCredential = (described: Described) => {
  if (described.operation['x-role'] === 'admin of the platform') return tenant.as
  return takes(described, 'apiKey') ? calm.key : calm.as
}

function complaint(described: Described, answer: Answer): string | null {
  const { status, headers, body } = answer
  if (!headers.get('x-request-id')) return 'it has no X-Request-Id'
  // The sandbox keeps its parcels here, so nothing outside can fail either: a 502 would hide a fault of ours.
  if (status >= 500) return 'it is a failure of ours'
  if (status < 400) return status === 302 || String(status) in described.operation.responses ? null : 'its status is not described'
  if (PAGES.test(described.path) && typeof body === 'string' && body.startsWith('<!doctype html>')) return null
  // What JSON-RPC says.
  if (described.path === '/mcp' && body.jsonrpc === '2.0') return null
  // What RFC 6749 says.
  if (OF_OAUTH.test(described.path) && typeof body.error === 'string') return null
  const { code, message, requestId } = body?.error ?? {}
  if (!(code in errorStatuses)) return 'its code is not in the catalogue'
  if (errorStatuses[code as keyof typeof errorStatuses] !== status) return 'its code belongs to another status'
  if (typeof message !== 'string' || message === '') return 'it has no message'
  if (requestId !== headers.get('x-request-id')) return 'its requestId is another'
  const isTold = (status !== 409 && status !== 422) || described.operation.responses[status]?.description.includes(`\`${code}\``)
  return isTold
    ? null
    : 'its code is not told of the operation: write core/reference/error-codes.json with bun test/interface/error-codes.ts'
}

async function check(described: Described, wire: Wire, as: string | undefined) {
  const bodiless = described.method === 'GET' || wire.raw === null
  const answer = await app.call(described.method, wire.path, {
    ...(as && { as }),
    ...(!bodiless && { raw: wire.raw! }),
    headers: { ...wire.headers },
  })
  const wrong = complaint(described, answer)
  if (wrong)
    throw new Error(
      `${described.method} ${wire.path.slice(0, 300)}\n  answered ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}\n  and ${wrong}.`,
    )
}

describe('whatever is sent, the answer is one of ours', () => {
  test.each(operations.map((described) => [`${described.method} ${described.path}`, described] as const))(
    '%s',
    async (_, described) => {
      const as = await credentialFor(described)
      await fc.assert(
        fc.asyncProperty(requestsTo(tenant, described), (wire) => check(described, wire, as)),
        { seed: SEED, numRuns: RUNS, endOnFailure: false },
      )
    },
    TIME_MS,
  )
})

const withBody = operations
  .filter((described) => bodySchema(described) && !OF_OAUTH.test(described.path))
  .map((described) => [`${described.method} ${described.path}`, described] as const)

describe('a body that cannot be read is refused before anything else but the credential', () => {
  const bodies: [string, string | Uint8Array, Record<string, string>, string][] = [
    ['broken', '{"name": ', {}, '400 invalid_json'],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22]), {}, '400 invalid_json'],
    ['another type', '<name/>', { 'content-type': 'application/xml' }, '415 unsupported_media_type'],
    ['too large', JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), {}, '413 payload_too_large'],
    ['too deep', `${'['.repeat(100)}${']'.repeat(100)}`, {}, '400 invalid_request'],
    ['absurdly deep', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, {}, '400'],
  ]
  for (const [at, [title, described]] of withBody.entries())
    for (const [name, raw, headers, expected] of casesAt(bodies, at))
      test(`${name}: ${title}`, async () => {
        const as = calmCredential(described)
        const answer = await app.call(described.method, pathOf(calm, described) + queryOf(calm, described), { as, raw, headers })
        expect(`${answer.status} ${answer.body?.error?.code}`).toStartWith(expected)
      })
})

test('examples of the document are taken for what they are', async () => {
  const refused: string[] = []
  for (const [title, described] of withBody) {
    // Other prompts wait by then.
    if (disruption(described) > 1 || described.path.endsWith('/queue/reorder')) continue
    // The tenant's parcel has no carrier, and its only customer cannot be merged with another.
    if (/\/parcels\/\{id\}\/submit$|\/merge$/.test(described.path)) continue
    const answer = await app.call(described.method, pathOf(calm, described) + queryOf(calm, described), {
      as: calmCredential(described),
      body: bodyOf(calm, described),
    })
    if (answer.status === 400) refused.push(`${title}: ${JSON.stringify(answer.body.error)}`)
  }
  expect(refused).toEqual([])
}, 120_000)

describe('what was found once', () => {
  const { storeId, key: as } = calm
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Alger', address: '', deliveryType: 'home' }
  const code = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()

  test('an order of more than money can say is refused, and the list still answers', async () => {
    const { data: dear } = await app.ok('POST', '/v1/products', { as, body: { storeId, name: 'Dear', price: 1e11, stockKeeping: false } })
    const order = (quantity: number) => ({ storeId, customer: CUSTOMER, destination, items: [{ productId: dear.id, quantity }] })
    expect(code(await app.call('POST', '/v1/orders', { as, body: order(2) }))).toBe('400 invalid_request')
    expect(code(await app.call('POST', '/v1/orders', { as, body: order(100_000) }))).toBe('400 invalid_request')
    expect(code(await app.call('POST', '/v1/orders', { as, body: order(1) }))).toBe('201')
    expect(code(await app.call('GET', '/v1/orders', { as }))).toBe('200')
  })

  test('a tracking number with a NUL character is no number, and no carrier is asked', async () => {
    const labels = `/v1/stores/${storeId}/integrations/sandbox/labels`
    expect(code(await app.call('POST', labels, { as, body: { trackings: ['SBX\u0000'] } }))).toBe('400 invalid_request')
    expect(code(await app.call('GET', `/v1/stores/${storeId}/integrations/sandbox/parcels/%00`, { as }))).toBe('404 not_found')
  })

  test('a number with more decimals than are kept is refused, not rounded', async () => {
    const promo = { storeId, code: 'FINE', kind: 'percent' }
    expect(code(await app.call('POST', '/v1/promos', { as, body: { ...promo, value: 1e-7 } }))).toBe('400 invalid_request')
    expect(code(await app.call('POST', '/v1/promos', { as, body: { ...promo, value: 1, minimumSubtotal: 0.001 } }))).toBe(
      '400 invalid_request',
    )
    expect(code(await app.call('POST', '/v1/promos', { as, body: { ...promo, value: 0.5 } }))).toBe('201')
  })

  test('a name with a line break does not carry a value past the schema of a map', async () => {
    const variants = [{ name: 'Red', options: { 'a\nb': { not: 'a text' } } }]
    expect(code(await app.call('POST', '/v1/products', { as, body: { storeId, name: 'Odd', price: 1, variants } }))).toBe(
      '400 invalid_request',
    )
    expect(
      code(await app.call('POST', '/v1/products', { as, body: { storeId, name: 'Odd', price: 1, metadata: { ['k'.repeat(101)]: 1 } } })),
    ).toBe('400 invalid_request')
  })
})
