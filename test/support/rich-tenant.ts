import type { Shop, TestApp } from './app.ts'
import { letIn, newApp } from './oauth.ts'
import { bodySchema, type Described, parametersOf, type Schema } from './openapi.ts'
import { richAi } from './rich-ai.ts'
import { richChat, skillOf } from './rich-chat.ts'
import { richConnector } from './rich-connector.ts'
import { contentParameters, contentSubjects, richContent } from './rich-content.ts'
import { richPayment } from './rich-payment.ts'
import { richReturn } from './rich-return.ts'

export const CUSTOMER = { name: 'Amina Saadi', phone: '0550123456' }
const ADDRESS = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'cité 5 juillet', deliveryType: 'home' }
const SECRET = 'a secret'
/** Nobody listens there. */
const RECEIVER = 'http://127.0.0.1:9/hook'

/** A shop that has one of everything. */
export async function richTenant(app: TestApp) {
  const { ok } = app
  const shop: Shop = await app.shop()
  const { storeId, projectId, key } = shop
  const as = shop.owner.token
  const made = async (path: string, body: object, credential = key) => (await ok('POST', path, { as: credential, body })).data
  const product = await made('/v1/products', { storeId, name: 'Basket', sku: 'SNK-42', price: 6500, initialStock: 1000 })
  const { data: carrier } = await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, {
    as,
    body: { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} },
  })
  const productImport = await importedProducts(app, storeId, key)
  const orderImport = await importedOrders(app, storeId, key)
  const newOrder = { storeId, customer: CUSTOMER, destination: ADDRESS, items: [{ productId: product.id, quantity: 1 }] }
  const order = await made('/v1/orders', newOrder)
  const sent = await made('/v1/orders', newOrder)
  const { parcel: sentParcel } = await made(`/v1/stores/${storeId}/orders/${sent.id}/carriers/sandbox/send`, {}, as)
  const returned = await richReturn(app, shop, newOrder, SECRET)
  const newParcel = { recipient: CUSTOMER, destination: ADDRESS, codAmount: 1200 }
  const parcel = await made('/v1/parcels', newParcel)
  const batch = await made('/v1/parcels/batches', { parcels: [newParcel] })
  const job = await made('/v1/orders/bulk', { storeId, ids: ['ord_of_nobody'], action: { type: 'confirm' } })
  const promo = await made('/v1/promos', { storeId, code: 'EID', kind: 'percent', value: 10 })
  const legs = [{ namespace: 'main', key: 'SNK-42', quantity: 5 }]
  const operation = await made('/v1/inventory/operations', { type: 'receive', legs })
  const reservation = await made('/v1/inventory/reservations', { legs })
  // Of nothing that happens by itself: what fails is written beside it.
  const endpoint = await made('/v1/webhook-endpoints', { url: RECEIVER, events: ['inventory.reservation.expired'] })
  await made(`/v1/webhook-endpoints/${endpoint.id}/test`, {})
  const {
    data: [delivery],
  } = await ok('GET', `/v1/webhook-endpoints/${endpoint.id}/deliveries`, { as: key })
  const hooks = `/v1/stores/${storeId}/integrations/webhooks`
  const webhook = await made(hooks, { url: RECEIVER, events: ['order.created'] }, as)
  const { data: history } = await ok('POST', `${hooks}/${webhook.id}/test`, { as })
  const spareKey = await made(`/v1/projects/${projectId}/api-keys`, { name: 'geo only', scopes: ['geo:read'] }, as)
  const otherKey = await made(`/v1/projects/${projectId}/api-keys`, { name: 'orders only', scopes: ['orders:read'] }, as)
  const viewer = await app.person('Viewer')
  await made(`/v1/stores/${storeId}/members`, { email: viewer.email, role: 'viewer' }, as)
  const guest = await app.person('Guest')
  const invitation = await made(`/v1/stores/${storeId}/invites`, { email: `invited-${storeId}@example.dz`, role: 'viewer' }, as)
  const block = await made(`/v1/stores/${storeId}/integrations/security/block`, { phone: '0559999999' })
  const {
    data: [session],
  } = await ok('GET', '/v1/users/auth/tokens', { as })
  // A program of the tenant's, which one of its people let in.
  const program = await newApp(app, shop.owner)
  await letIn(app, program, viewer)
  await letIn(app, program, shop.owner)
  const { tenantId } = (await ok('GET', `/v1/projects/${projectId}`, { as })).data
  const { customer, erasure } = await erasable(app, shop, newOrder)
  const content = await richContent(app, shop)
  const paid = await richPayment(app, shop, newOrder)
  const connected = await richConnector(app, shop)
  const ai = await richAi(app, shop)
  const talked = await richChat(app, shop)
  // Nobody is there.
  const mcpServer = await made('/v1/chat/mcp-servers', { storeId, name: 'Tools', url: 'http://127.0.0.1:1/mcp', shared: true }, as)
  const manifest = await made(`/v1/stores/${storeId}/manifests`, { connectionId: carrier.id }, as)
  await made(`/v1/stores/${storeId}/manifests/${manifest.id}/parcels`, { codes: [sentParcel.trackingId] }, as)
  const comment = await made(`/v1/stores/${storeId}/orders/${order.id}/comments`, { text: 'Called twice.' }, as)
  const savedFilter = await made(`/v1/stores/${storeId}/saved-filters`, { page: 'orders', name: 'To call', query: 'status=pending' }, as)
  return {
    ...shop,
    ...ai,
    ...talked,
    ...paid,
    ...connected,
    ...returned,
    content,
    program,
    tenantId,
    as,
    product,
    productImport,
    orderImport,
    customer,
    erasure,
    carrier,
    order,
    sent,
    sentParcel,
    parcel,
    batch,
    job,
    promo,
    operation,
    reservation,
    endpoint,
    delivery,
    webhook,
    history,
    spareKey,
    otherKey,
    viewer,
    guest,
    invitation,
    block,
    session,
    mcpServer,
    manifest,
    comment,
    savedFilter,
  }
}

/** Makes a customer with one order, whom requests may erase without touching the other orders, and an erasure of a number nobody has. */
async function erasable({ ok }: TestApp, { storeId, key, owner: { token: as } }: Shop, newOrder: object) {
  const phone = '0551234567'
  await ok('POST', '/v1/orders', { as: key, body: { ...newOrder, customer: { ...CUSTOMER, phone } } })
  const { data: customers } = await ok('GET', `/v1/stores/${storeId}/customers?filter[phone]=${phone}`, { as })
  const { data: erasure } = await ok('POST', `/v1/stores/${storeId}/erasures`, { as, body: { phone: '0557654321' } })
  return { customer: customers[0] as { readonly id: string }, erasure }
}

/** A sheet of a product that nobody sees yet. */
const importedProducts = (app: TestApp, storeId: string, key: string) =>
  importedSheet(app, `/v1/products/import?storeId=${storeId}`, key, 'sku,name,price,status\nSHEET-1,Cap,900,draft\n')

/** Tries an order and keeps nothing of it: the tenant has no more orders than the others here say. */
const importedOrders = (app: TestApp, storeId: string, key: string) =>
  importedSheet(
    app,
    `/v1/orders/import?storeId=${storeId}&dryRun=true`,
    key,
    'name,phone,state,city,product\nLina,0550112233,16,Hydra,None\n',
  )

async function importedSheet({ handle }: TestApp, path: string, key: string, csv: string): Promise<{ readonly id: string }> {
  const form = new FormData()
  form.set('file', new File([csv], 'sheet.csv'))
  const answer = await handle(
    new Request(`http://localhost${path}`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form }),
  )
  if (answer.status !== 201) throw new Error(`The sheet was answered ${answer.status}.`)
  return ((await answer.json()) as { data: { id: string } }).data
}

export type RichTenant = Awaited<ReturnType<typeof richTenant>>

/** What `{id}` is under each path. A path that is not here asks to be taught. */
const subjects: readonly [RegExp, (tenant: RichTenant) => string][] = [
  [/^\/v1\/products\/imports\//, (tenant) => tenant.productImport.id],
  [/^\/v1\/products\//, (tenant) => tenant.product.id],
  [/^\/v1\/orders\/bulk\//, (tenant) => tenant.job.id],
  [/^\/v1\/orders\/imports\//, (tenant) => tenant.orderImport.id],
  [/^\/v1\/promos\//, (tenant) => tenant.promo.id],
  [/^\/v1\/orders\/\{id\}\/payments\//, (tenant) => tenant.prepaid.id],
  [/^\/v1\/orders\/\{id\}\/returns\//, (tenant) => tenant.deliveredOrder.id],
  [/^\/v1\/payments\//, (tenant) => tenant.payment.id],
  [/^\/v1\/orders\//, (tenant) => tenant.order.id],
  [/^\/v1\/parcels\/batches\//, (tenant) => tenant.batch.id],
  [/^\/v1\/parcels\//, (tenant) => tenant.parcel.id],
  [/^\/v1\/inventory\/operations\//, (tenant) => tenant.operation.id],
  [/^\/v1\/inventory\/reservations\//, (tenant) => tenant.reservation.id],
  [/^\/v1\/webhook-endpoints\//, (tenant) => tenant.endpoint.id],
  [/^\/v1\/projects\//, (tenant) => tenant.projectId],
  [/^\/v1\/tenants\//, (tenant) => String(tenant.tenantId)],
  [/^\/v1\/(apps|users\/auth\/connected-apps)\//, (tenant) => tenant.program.id],
  [/^\/v1\/(admins\/ai-tasks|ai\/tasks)\//, (tenant) => tenant.aiTask.id],
  [/^\/v1\/admins\/projects\//, (tenant) => tenant.projectId],
  [/^\/v1\/admins\/stores\//, (tenant) => tenant.storeId],
  [/^\/v1\/plans\//, () => 'pln_of_nobody'],
  [/^\/v1\/(platform\/)?subscription-payments\//, () => 'spy_of_nobody'],
  [/^\/v1\/(users|admins)\//, (tenant) => tenant.viewer.id],
  [/^\/v1\/passkeys\//, () => 'psk_of_nobody'],
  [/^\/v1\/chat\/mcp-servers\//, (tenant) => tenant.mcpServer.id],
  [/^\/v1\/chat\/conversations\//, ({ chat }) => chat.conversationId],
  [/^\/v1\/chat\/rules\//, ({ chat }) => chat.ruleId],
  [/^\/v1\/chat\/skills\//, ({ chat }) => chat.skillId],
  [/^\/v1\/chat\/proposals\//, ({ chat }) => chat.proposal],
  ...contentSubjects,
]

/** Names that mean the same wherever they stand: parameters and fields. */
const meanings: Readonly<Record<string, (tenant: RichTenant) => unknown>> = {
  storeId: (tenant) => tenant.storeId,
  userId: (tenant) => tenant.viewer.id,
  keyId: (tenant) => tenant.spareKey.id,
  identifier: (tenant) => tenant.session.id,
  orderId: (tenant) => tenant.order.id,
  customerId: (tenant) => tenant.customer.id,
  erasureId: (tenant) => tenant.erasure.id,
  inviteId: (tenant) => tenant.invitation.id,
  blockId: (tenant) => tenant.block.id,
  productId: (tenant) => tenant.product.id,
  categoryId: (tenant) => tenant.content.category.id,
  deliveryId: (tenant) => tenant.delivery.id,
  webhookId: (tenant) => tenant.webhook.id,
  // Whatever orders say of it: nobody else's can stand there.
  landingPageId: () => 'page-1',
  commentId: (tenant) => tenant.comment.id,
  filterId: (tenant) => tenant.savedFilter.id,
  historyId: (tenant) => tenant.history.id,
  operationId: (tenant) => tenant.operation.id,
  reservationId: (tenant) => tenant.reservation.id,
  carrierAccountId: (tenant) => tenant.carrier.id,
  connectionId: (tenant) => tenant.carrier.id,
  manifestId: (tenant) => tenant.manifest.id,
  parcelId: (tenant) => tenant.sentParcel.id,
  tracking: (tenant) => tenant.sentParcel.trackingId,
  trackings: (tenant) => tenant.sentParcel.trackingId,
  notificationId: () => 'ntf_of_nobody',
  paymentId: (tenant) => tenant.payment.id,
  returnId: (tenant) => tenant.awaited.id,
  refundId: (tenant) => tenant.refund.id,
  payoutId: (tenant) => tenant.payout.id,
  lineId: (tenant) => tenant.payoutLine.id,
  batchId: () => 'payout-1',
  carrierCode: () => 'sandbox',
  key: () => 'sandbox',
  connectorId: (tenant) => tenant.shopOfOrders.connector.id,
  goodsId: (tenant) => tenant.shopOfOrders.goodsId,
  channelOrderId: (tenant) => tenant.shopOfOrders.orderId,
  platform: () => 'sandbox-shop',
  spreadsheetId: () => 'sheet_of_nobody',
  sheetName: () => 'Orders',
  pageId: () => '100',
  formId: () => '200',
  kind: () => 'states',
  provider: () => 'google',
  adId: () => '4001',
  linkId: () => 'adl_of_nobody',
  itemId: ({ chat }) => chat.queuedId,
  messageId: ({ chat }) => chat.message,
  generationId: ({ chat }) => chat.generation,
  jobId: ({ chat }) => chat.generation,
  email: (tenant) => tenant.guest.email,
}

/** What stands in a request of this tenant for a path or query parameter; undefined where nothing of the tenant does. */
export function parameterValue(tenant: RichTenant, path: string, name: string): string | undefined {
  if (name === 'id') return subjects.find(([pattern]) => pattern.test(path))?.[1](tenant)
  const value = meanings[name]?.(tenant) ?? contentParameters[name]
  return value === undefined ? undefined : String(value)
}

/** The path with the tenant's own ids in it. */
export function pathOf(tenant: RichTenant, { path }: Described): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameterValue(tenant, path, name)
    if (value === undefined) throw new Error(`test/support/rich-tenant.ts must learn what {${name}} is in ${path}.`)
    return encodeURIComponent(value)
  })
}

/** The query that the operation needs, and the tenant's store where a store may be named. */
export function queryOf(tenant: RichTenant, described: Described): string {
  const chosen = parametersOf(described, 'query').filter(({ name, required }) => required || name === 'storeId')
  const pairs = chosen.map(
    ({ name, schema }) => [name, parameterValue(tenant, described.path, name) ?? String(example(tenant, name, schema))] as [string, string],
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}

/** Values that a schema alone does not tell. */
const wellKnown: Readonly<Record<string, unknown>> = {
  country: 'DZ',
  countryCode: 'DZ',
  currency: 'DZD',
  currencyCode: 'DZD',
  plan: 'free',
  stateCode: '16',
  cityName: 'Bab Ezzouar',
  phone: CUSTOMER.phone,
  url: RECEIVER,
  events: ['parcel.created'],
  password: 'correct horse',
  currentPassword: 'correct horse',
  namespace: 'main',
  key: 'SNK-42',
  taken: false,
  code: 'EID',
  type: 'receive',
  credentials: { webhookSecret: SECRET },
  redirectUris: ['https://app.example/callback'],
  q: 'alger',
  lat: 36.7,
  lon: 3.1,
  limit: 10,
}

const fits = ({ pattern, items }: Schema, value: unknown) =>
  items?.type !== 'object' && (pattern === undefined || typeof value !== 'string' || new RegExp(pattern).test(value))

/** A value that the schema takes, as small as can be, naming the tenant's own things. */
export function example(tenant: RichTenant, name: string, schema: Schema): unknown {
  if (name in meanings && schema.type === 'string' && name !== 'key' && name !== 'kind') return meanings[name]!(tenant)
  if (name in wellKnown && fits(schema, wellKnown[name])) return wellKnown[name]
  if (schema.pattern === '^[A-Z]{2}$') return 'XQ'
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf && schema.type === undefined) return example(tenant, name, schema.anyOf[0]!)
  if (schema.type === 'object') return exampleObject(tenant, schema)
  if (schema.type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, () => example(tenant, name.replace(/s$/, ''), schema.items ?? {}))
  if (schema.type === 'boolean') return true
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(schema.minimum ?? 0, 1)
  return schema.format === 'date-time' ? '2031-01-01T00:00:00.000Z' : 'x'.repeat(Math.max(schema.minLength ?? 1, 1))
}

function exampleObject(tenant: RichTenant, schema: Schema): Record<string, unknown> {
  const { properties = {}, minProperties = 0, oneOf: [chosen] = [] } = schema
  const required = [...(schema.required ?? []), ...(chosen?.required ?? [])]
  const wanted = required.length >= minProperties ? required : [...required, ...Object.keys(properties).slice(0, minProperties)]
  // A key may leave its store out, a person may not.
  const names = 'storeId' in properties && !wanted.includes('storeId') ? ['storeId', ...wanted] : wanted
  return Object.fromEntries(names.map((name) => [name, example(tenant, name, properties[name]!)]))
}

/** What is asked where no schema says what makes sense. */
const particular: Readonly<Record<string, (tenant: RichTenant) => object>> = {
  'POST /mcp': () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  'POST /v1/actions/generateCatalogCsv': ({ storeId }) => ({ storeId, platform: 'meta', productUrl: 'https://shop.example/p/{id}' }),
  'POST /v1/actions/resolveComponents': ({ storeId }) => ({ storeId, names: ['header'] }),
  'POST /v1/admins/projects/{id}/ai-credit': () => ({ amount: 1, currency: 'USD', note: 'Paid' }),
  'POST /v1/admins/ai-tasks/{id}/settle': () => ({ charged: 0, note: 'Nothing came' }),
  'POST /v1/ai/tasks': () => ({ model: 'sandbox-model/writer', input: { type: 'text', messages: [{ role: 'user', text: 'Hello' }] } }),
  'POST /v1/orders/bulk': ({ storeId, order }) => ({ storeId, ids: [order.id], action: { type: 'assign', userIds: [] } }),
  'POST /v1/chat/skills': ({ storeId }) => ({ storeId, content: skillOf('wrapping') }),
  'PATCH /v1/chat/skills/{id}': () => ({ content: skillOf('packing') }),
  'PUT /v1/chat/conversations/{id}/queue/reorder': ({ chat }) => ({ ids: [chat.queuedId] }),
}

export function bodyOf(tenant: RichTenant, described: Described): unknown {
  const own = particular[`${described.method} ${described.path}`]
  if (own) return own(tenant)
  const schema = bodySchema(described)
  return schema && example(tenant, 'body', schema)
}
