import { describe, expect, test } from 'bun:test'
import { exampleId, otherExampleId } from '../../core/reference/examples/ids.ts'
import { type CallOptions, startApp } from '../support/app.ts'
import { readDocument } from '../support/openapi.ts'
import { bodyExamples } from './examples.ts'

const app = await startApp()
const examples = bodyExamples(await readDocument(app))
const { owner, storeId, projectId, key } = await app.shop()
const session = owner.token

/** Ids that the examples use, with those of the records that the requests have created. */
const real = new Map<string, string>([[exampleId('sto'), storeId]])

/** Returns the example with ids of this tenant. */
const withRealIds = (value: unknown): unknown => JSON.parse(JSON.stringify(value), (_, one) => real.get(one) ?? one)

/** Sends the example of an operation, and returns the data of its response. */
async function tryExample(method: string, path: string, options: CallOptions = {}, at: Record<string, string> = {}) {
  const found = examples.find((one) => one.method === method && one.path === path && one.type === 'application/json')
  const address = Object.entries(at).reduce((text, [name, value]) => text.replace(`{${name}}`, value), path)
  const body = await app.ok(method, address, { as: key, ...options, body: withRealIds(found?.example) })
  return body?.data
}

describe('an example of the reference is accepted by the server', () => {
  test('for a new product, its change, category, page, feedback and promotion', async () => {
    const product = await tryExample('POST', '/v1/products')
    real.set(exampleId('prd'), product.id)
    await tryExample('POST', '/v1/categories')
    await tryExample('POST', '/v1/pages')
    await tryExample('POST', '/v1/feedbacks')
    const promo = await tryExample('POST', '/v1/promos')
    await tryExample('PUT', '/v1/promos/{id}', {}, { id: promo.id })
    await tryExample('PUT', '/v1/products/{id}', {}, { id: product.id })
    await tryExample('PATCH', '/v1/products/{id}', {}, { id: product.id })
  })

  test('for delivery prices and other settings of the store', async () => {
    await tryExample('PATCH', '/v1/stores/{storeId}', { as: session }, { storeId })
    await tryExample('PUT', '/v1/stores/{storeId}', { as: session }, { storeId })
    await tryExample('POST', '/v1/orders/calculate')
  })

  test('for orders: create, replace, change, confirm and assign', async () => {
    const order = await tryExample('POST', '/v1/orders')
    real.set(exampleId('ord'), order.id)
    const other = await tryExample('POST', '/v1/orders')
    real.set(otherExampleId('ord'), other.id)
    real.set(exampleId('usr'), owner.id)
    await tryExample('PUT', '/v1/orders/{id}', {}, { id: other.id })
    await tryExample('PATCH', '/v1/orders/{id}', {}, { id: order.id })
    await tryExample('POST', '/v1/orders/assignMany')
  })

  test('for a carrier, rules of the dispatcher and sending', async () => {
    await tryExample('PUT', '/v1/stores/{storeId}/integrations/{key}', { as: session }, { storeId, key: 'sandbox' })
    await tryExample('PUT', '/v1/stores/{storeId}/integrations/dispatcher/rules', { as: session }, { storeId })
    await tryExample('POST', '/v1/stores/{storeId}/integrations/dispatcher/dispatch', {}, { storeId })
    const at = { storeId, orderId: real.get(exampleId('ord')) ?? '', carrierCode: 'sandbox' }
    const { parcel } = await tryExample('POST', '/v1/stores/{storeId}/orders/{orderId}/carriers/{carrierCode}/send', {}, at)
    await tryExample('PATCH', '/v1/parcels/{id}', {}, { id: parcel.id })
    await tryExample('POST', '/v1/stores/{storeId}/integrations/{key}/resolve', {}, { storeId, key: 'sandbox' })
  })

  test('for parcels, batches and places', async () => {
    await tryExample('POST', '/v1/parcels')
    await tryExample('POST', '/v1/parcels/batches')
    const place = await tryExample('POST', '/v1/geo/resolve')
    expect(JSON.stringify(place)).toContain('Bab Ezzouar')
    await tryExample('POST', '/v1/geo/resolve/batch')
  })

  test('for stock', async () => {
    const operation = await tryExample('POST', '/v1/inventory/operations')
    await tryExample('POST', '/v1/inventory/operations/{id}/reverse', {}, { id: operation.id })
    await tryExample('POST', '/v1/inventory/operations')
    await tryExample('POST', '/v1/inventory/reservations')
  })

  test('for webhooks of the project and of the store', async () => {
    const endpoint = await tryExample('POST', '/v1/webhook-endpoints')
    await tryExample('PATCH', '/v1/webhook-endpoints/{id}', {}, { id: endpoint.id })
    const webhook = await tryExample('POST', '/v1/stores/{storeId}/integrations/webhooks', { as: session }, { storeId })
    await tryExample('PATCH', '/v1/stores/{storeId}/integrations/webhooks/{webhookId}', { as: session }, { storeId, webhookId: webhook.id })
    await tryExample('POST', '/v1/stores/{storeId}/integrations/webhooks/send', { as: session }, { storeId })
  })

  test('for people of the store, and numbers that are blocked', async () => {
    await tryExample('POST', '/v1/stores/{storeId}/invites', { as: session }, { storeId })
    await tryExample('POST', '/v1/stores/{storeId}/integrations/security/block', {}, { storeId })
    await tryExample('POST', '/v1/users/auth/signup')
    await tryExample('POST', '/v1/users/auth/signin')
    await app.ok('POST', '/v1/users/auth/signup', {
      body: { name: 'Karim Bensalem', email: 'karim@example.dz', password: 'correct horse battery' },
    })
    const member = await tryExample('POST', '/v1/stores/{storeId}/members', { as: session }, { storeId })
    await tryExample('PUT', '/v1/stores/{storeId}/members/{userId}', { as: session }, { storeId, userId: member.userId })
  })

  test('for stores, projects and keys', async () => {
    await tryExample('POST', '/v1/stores', { as: session })
    await tryExample('POST', '/v1/projects', { as: session })
    await tryExample('POST', '/v1/projects/{id}/api-keys', { as: session }, { id: projectId })
  })

  test('for a connected shop', async () => {
    const connector = await tryExample('POST', '/v1/stores/{storeId}/integrations/connectors', { as: session }, { storeId })
    const at = { storeId, connectorId: connector.id }
    await tryExample('POST', '/v1/stores/{storeId}/integrations/connectors/{connectorId}/pull', { as: session }, at)
  })

  test('for figures of a store', async () => {
    await tryExample('POST', '/v1/actions/analytics/getFinancialTimeline')
    await tryExample('POST', '/v1/actions/analytics/getOrdersTimeline')
    await tryExample('POST', '/v1/actions/analytics/getOrdersCountByField')
  })
})
