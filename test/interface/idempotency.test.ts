import { expect, test } from 'bun:test'
import { type Answer, startApp } from '../support/app.ts'
import { type Described, describedBy, isOpen, readDocument, takes } from '../support/openapi.ts'
import { bodyOf, pathOf, queryOf, richTenant } from '../support/rich-tenant.ts'

const app = await startApp({ domainTarget: 'shops.serai.example' })
const admin = await app.person('The administrator')
const tenant = await richTenant(app)
const { storeId, key } = tenant
await app.ok('PUT', `/v1/stores/${storeId}/integrations/sandbox-payment`, {
  as: key,
  body: { enabled: true, credentials: {}, settings: {} },
})
const creating = describedBy(await readDocument(app)).filter(
  (one) => (one.operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key') && '201' in (one.operation.responses ?? {}),
)

/** Bodies that are known to create something, where the schema alone does not say which do. */
const CONNECTOR = {
  platform: 'sandbox-shop',
  credentials: { webhookSecret: 'rehearsal' },
  settings: { shop: 'demo.example' },
}
const bodies: Readonly<Record<string, unknown>> = {
  'POST /v1/stores/{storeId}/integrations/connectors': CONNECTOR,
  'POST /v1/users/auth/signup': { name: 'Amel', email: 'idem-1@example.dz', password: 'correct horse' },
  'POST /v1/users': { name: 'Amel', email: 'idem-2@example.dz', password: 'correct horse' },
  'POST /v1/stores/{storeId}/invites': { email: 'idem-3@example.dz', role: 'agent' },
  'POST /v1/orders': {
    storeId,
    customer: { name: 'Lina', phone: '0661234567' },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
    items: [{ productId: tenant.product.id, quantity: 1 }],
  },
  'POST /v1/orders/labels': { storeId, orderIds: [tenant.order.id], own: true },
  'POST /v1/stores/{storeId}/domain': { host: 'idem.example.dz' },
}
const paths: Readonly<Record<string, string>> = {
  'POST /v1/orders/{id}/payment/{gateway}/initiate': `/v1/orders/${tenant.order.id}/payment/sandbox-payment/initiate`,
}

/** Creations that this tenant cannot make: they need a file, a model, an authenticator, a spreadsheet or an order that was delivered. */
const ELSEWHERE = [
  'POST /v1/actions/editOrGenerateSimpleImage',
  'POST /v1/actions/generateLogo',
  'POST /v1/actions/generateVoiceover',
  'POST /v1/actions/uploadCustomFieldFile',
  'POST /v1/admins',
  'POST /v1/files',
  'POST /v1/orders/import',
  'POST /v1/orders/return',
  'POST /v1/passkeys/register/finish',
  'POST /v1/products/import',
  'POST /v1/promos',
  'POST /v1/stores/{storeId}/integrations/connectors/{connectorId}/{platform}/spreadsheets',
  'POST /v1/stores/{storeId}/integrations/{key}/create',
  'POST /v1/stores/{storeId}/integrations/{key}/create-spreadsheet',
  'POST /v1/stores/{storeId}/integrations/{key}/encaissements/import',
  // It would take the customers of the other cases away.
  'POST /v1/stores/{storeId}/customers/{customerId}/erase',
  'POST /v1/stores/{storeId}/subscription/payDue',
]

const titleOf = ({ method, path }: Described) => `${method} ${path}`
const credentialsOf = (one: Described) =>
  isOpen(one) ? [undefined] : [...(takes(one, 'apiKey') ? [key] : []), tenant.owner.token, admin.token]

async function ask(one: Described, as: string | undefined, idempotencyKey: string, body: unknown): Promise<Answer> {
  const address = paths[titleOf(one)] ?? pathOf(tenant, one) + queryOf(tenant, one)
  return app.call(one.method, address, {
    ...(as !== undefined && { as }),
    ...(body !== undefined && { body }),
    headers: { 'idempotency-key': idempotencyKey },
  })
}

const created: string[] = []

const reached = creating.filter((one) => !ELSEWHERE.includes(titleOf(one)))

test.each(reached.map((one) => [titleOf(one), one] as const))('%s honours its Idempotency-Key', async (title, one) => {
  const body = title in bodies ? bodies[title] : bodyOf(tenant, one)
  for (const as of credentialsOf(one)) {
    const idempotencyKey = crypto.randomUUID()
    const first = await ask(one, as, idempotencyKey, body)
    if (first.status !== 201) continue
    created.push(title)
    const again = await ask(one, as, idempotencyKey, body)
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body])
    if (one.operation.requestBody === undefined) return
    const other = await otherBody(one, as, idempotencyKey, body)
    expect(other && [other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused'])
    expect((await ask(one, as, 'x'.repeat(256), body)).status).toBe(400)
    return
  }
})

/** The answer to a body that differs from the first in one value, as far as the schema takes it. */
async function otherBody(one: Described, as: string | undefined, idempotencyKey: string, body: unknown): Promise<Answer | undefined> {
  let last: Answer | undefined
  for (const changed of changesOf(body)) {
    last = await ask(one, as, idempotencyKey, changed)
    if (last.status !== 400) return last
  }
  return last
}

function* changesOf(body: unknown): Generator<unknown> {
  if (body === undefined || body === null) {
    yield {}
    yield { language: 'fr' }
    return
  }
  for (const [name, value] of Object.entries(body)) {
    if (name === 'storeId') continue
    if (typeof value === 'string') yield { ...body, [name]: `${value}y` }
    if (typeof value === 'boolean') yield { ...body, [name]: !value }
    if (typeof value === 'number') yield { ...body, [name]: value + 1 }
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const inner of changesOf(value)) yield { ...body, [name]: inner }
    if (Array.isArray(value) && value.length > 0)
      for (const inner of changesOf(value[0])) yield { ...body, [name]: [inner, ...value.slice(1)] }
  }
  for (const extra of [
    { metadata: { changed: 'yes' } },
    { name: 'Other' },
    { note: 'other' },
    { reason: 'other' },
    { title: 'other' },
    { code: 'OTHER' },
    { language: 'fr' },
    { email: 'other@example.dz' },
  ])
    yield { ...body, ...extra }
}

test('every other creation was really made and repeated', () => {
  const missing = reached.map(titleOf).filter((title) => !created.includes(title))
  expect(missing).toEqual([])
})

test('a creation at a gateway that failed may be repeated with its key', async () => {
  const address = `/v1/orders/${tenant.order.id}/payment/sandbox-payment/initiate`
  const headers = { 'idempotency-key': 'repeated-after-failure' }
  await app.ok('PUT', `/v1/stores/${storeId}/integrations/sandbox-payment`, {
    as: key,
    body: { enabled: false, credentials: {}, settings: {} },
  })
  expect((await app.call('POST', address, { as: key, body: {}, headers })).status).toBe(422)
  await app.ok('PUT', `/v1/stores/${storeId}/integrations/sandbox-payment`, {
    as: key,
    body: { enabled: true, credentials: {}, settings: {} },
  })
  const answers = await Promise.all([1, 2, 3].map(() => app.call('POST', address, { as: key, body: {}, headers })))
  expect(answers.filter(({ status, headers: told }) => status === 201 && told.get('idempotent-replayed') === null)).toHaveLength(1)
  for (const { status } of answers) expect(status).toBeOneOf([201, 409])
})

test.each([
  '/v1/ai/tasks',
  '/v1/chat/conversations/{id}/messages',
  '/v1/chat/conversations/{id}/queue/consume',
  '/v1/image_generations/{id}/generate',
  '/v1/actions/generateProductLandingPageTemplateData',
  '/v1/actions/generateAiLandingPage',
  '/v1/actions/generateImageLandingPage',
])('POST %s, a creation that is answered 202, names its Idempotency-Key in the OpenAPI document', async (path) => {
  const one = describedBy(await readDocument(app)).find((each) => each.method === 'POST' && each.path === path)
  expect(one?.operation.parameters?.map(({ name }) => name)).toContain('Idempotency-Key')
})
