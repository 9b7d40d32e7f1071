import { expect, test } from 'bun:test'
import { quotaShares } from '../../core/integrations/egress/quota.ts'
import { readPages } from '../docs/generated.ts'
import { startApp } from '../support/app.ts'
import { readDocument } from '../support/openapi.ts'
import { CODES_FILE } from './error-codes.ts'
import { webhooksPages } from './webhooks-page.ts'

type Node = Record<string, unknown>
const app = await startApp()
// The document as data: tests look freely into it.
// biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
const document = (await readDocument(app)) as any
const operations = Object.entries(document.paths as Record<string, Record<string, Node>>).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
const pascal = (text: string) => text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

function* nodesIn(value: unknown, path: string): Generator<[path: string, node: Node]> {
  if (Array.isArray(value)) for (const [at, one] of value.entries()) yield* nodesIn(one, `${path}/${at}`)
  else if (value !== null && typeof value === 'object') {
    yield [path, value as Node]
    for (const [key, one] of Object.entries(value))
      if (!['enum', 'example', 'default', 'required'].includes(key)) yield* nodesIn(one, `${path}/${key}`)
  }
}

test('every value of an enum has its meaning: write it in core/reference/meanings', () => {
  const nodes = [...nodesIn(document, '')]
  // Of a parameter, the meanings stand beside its schema.
  const atParameter = new Map(
    nodes.flatMap(([path, { schema, in: place, description }]) => (schema && place ? [[`${path}/schema`, description]] : [])),
  )
  const without = nodes.flatMap(([path, { enum: values, description = atParameter.get(path) }]) =>
    Array.isArray(values) && values.length > 1
      ? values.filter((one) => typeof one === 'string' && !String(description).includes(`- \`${one}\`:`)).map((one) => `${path}: ${one}`)
      : [],
  )
  expect(without).toEqual([])
})

test('Orders come first, and every tag that is used is listed once', () => {
  const names = (document.tags as { name: string }[]).map(({ name }) => name)
  expect(names[0]).toBe('Orders')
  expect(names.toSorted()).toEqual([...new Set(operations.flatMap(({ operation }) => operation.tags as string[]))].sort())
})

test('who may ask stands in the description, where reference pages show it', () => {
  const silent = operations.filter(({ operation }) => !String(operation.description).includes(`- Role: \`${operation['x-role']}\``))
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('the description of a parameter stands at the parameter', () => {
  const hidden = operations.flatMap(({ name, operation }) =>
    ((operation.parameters ?? []) as { name: string; description?: string; schema: Node }[])
      .filter(({ description, schema }) => schema.description !== undefined && (description === undefined || 'enum' in schema))
      .map((parameter) => `${name}: ${parameter.name}`),
  )
  expect(hidden).toEqual([])
})

test('no two types of a generated client have the same name', () => {
  const names = [...Object.keys(document.components.schemas)]
  for (const [name, schema] of Object.entries(document.components.schemas as Record<string, { properties?: Record<string, Node> }>))
    for (const [property, one] of Object.entries(schema.properties ?? {})) if (one.enum) names.push(pascal(name) + pascal(property))
  for (const { operation } of operations) {
    const id = pascal(String(operation.operationId))
    names.push(...['Result', 'Params', 'Body'].map((suffix) => id + suffix))
    for (const { name, schema } of (operation.parameters ?? []) as { name: string; schema: Node }[])
      if (schema.enum) names.push(id + pascal(name))
  }
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  expect(twice).toEqual([])
})

test('every JSON body has an example with all that it requires', () => {
  const lacking = operations.flatMap(({ name, operation }) => {
    const media = (operation.requestBody as { content?: Record<string, Node> } | undefined)?.content?.['application/json']
    return media && media.example === undefined ? [name] : []
  })
  expect(lacking).toEqual([])
  expect(document.paths['/v1/orders'].post.requestBody.content['application/json'].example).toMatchObject({
    customer: { name: 'Amina Saadi', phone: '0550123456' },
    destination: { stateCode: '16', deliveryType: 'home' },
  })
})

test('parameters of /oauth/authorize and the fields of the forms of OAuth are described', () => {
  const names = document.paths['/oauth/authorize'].get.parameters.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['client_id', 'response_type', 'redirect_uri', 'scope', 'state', 'code_challenge']))
  const form = (path: string) =>
    Object.keys(document.paths[path].post.requestBody.content['application/x-www-form-urlencoded'].schema.properties)
  expect(form('/oauth/token')).toEqual(expect.arrayContaining(['grant_type', 'code', 'code_verifier', 'refresh_token']))
  expect(form('/oauth/revoke')).toContain('token')
  expect(form('/oauth/introspect')).toContain('token')
  expect(form('/oauth/par')).toContain('code_challenge')
  expect(form('/oauth/authorize')).toContain('csrf')
})

test('a page that a browser is answered is described, also where it is a failure', () => {
  const { responses } = document.paths['/v1/orders/{id}/track'].get
  expect(Object.keys(responses['200'].content).sort()).toEqual(['application/json', 'text/html'])
  expect(Object.keys(responses['404'].content)).toContain('text/html')
  expect(Object.keys(document.paths['/oauth/authorize'].get.responses['400'].content)).toContain('text/html')
})

test('events are typed by their names, with patterns for the one that has topics', () => {
  const { properties } = document.components.schemas.NewWebhookEndpoint
  expect(JSON.stringify(properties.events)).toContain('#/components/schemas/ProjectEventName')
  expect(JSON.stringify(properties.events)).toContain('inventory')
  expect(document.components.schemas.ProjectEventName.enum).toContain('parcel.status_changed')
  expect(document.components.schemas.StoreEventName.enum).toContain('order.created')
  expect(document.components.schemas.StoreEventName.enum).not.toContain('inventory.stock.changed')
})

test('an order says its currency', async () => {
  const { storeId, key } = await app.shop()
  const { data: product } = await app.ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Cap', price: 900, initialStock: 3 } })
  const body = {
    storeId,
    customer: { name: 'Amina Saadi', phone: '0550123456' },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'x', deliveryType: 'home' },
    items: [{ productId: product.id, quantity: 1 }],
  }
  const { data: order } = await app.ok('POST', '/v1/orders', { as: key, body })
  expect(order.currency).toBe('DZD')
  expect((await app.ok('GET', `/v1/orders/${order.id}`, { as: key })).data.currency).toBe('DZD')
  expect((await app.ok('GET', '/v1/orders', { as: key })).data[0].currency).toBe('DZD')
})

test('docs/webhooks.md and docs/webhooks/ show every event of both families: write them with bun test/interface/webhooks-page.ts', async () => {
  const written = await readPages('webhooks')
  expect(written).toEqual(webhooksPages(written['webhooks.md'] ?? '', document))
  const page = Object.values(written).join('\n')
  for (const name of [...document.components.schemas.ProjectEventName.enum, ...document.components.schemas.StoreEventName.enum])
    if (name !== '*') expect(page).toContain(`\n## \`${name}\``)
})

test('docs/quotas.md names each class of calls with the share of a limit that it may fill', async () => {
  const page = await Bun.file(`${import.meta.dir}/../../docs/quotas.md`).text()
  const rows = [...page.matchAll(/^\| `(\w+)` \|.*\| (\d+) % \|$/gm)].map(([, name, share]) => [name, Number(share) / 100])
  expect(Object.fromEntries(rows)).toEqual({ ...quotaShares })
})

test('409 and 422 say their codes, and no operation that is gone has any', async () => {
  const { post } = document.paths['/v1/orders']
  for (const code of ['duplicate_order', 'idempotency_in_progress']) expect(post.responses['409'].description).toContain(`\`${code}\``)
  for (const code of ['invalid_phone', 'recipient_blocked']) expect(post.responses['422'].description).toContain(`\`${code}\``)
  expect(JSON.stringify(post.responses['422'].content)).toContain('"invalid_promo"')
  const ids = new Set(operations.map(({ operation }) => String(operation.operationId)))
  const written = Object.keys(await Bun.file(CODES_FILE).json())
  expect(written.filter((id) => !ids.has(id))).toEqual([])
})
