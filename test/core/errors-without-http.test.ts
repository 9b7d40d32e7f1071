import { expect, test } from 'bun:test'
import { callBuiltInTool } from '../../core/assistant/tools/call-tool.ts'
import { startApp } from '../support/app.ts'
import { until } from '../support/until.ts'

const { context, ok, call, handle, person, shop } = await startApp()
await person('The administrator')
const { storeId, projectId, key, owner } = await shop()
const as = owner.token
const destination = { country: 'DZ', stateCode: '16', cityName: 'Hydra', address: 'Rue 1', deliveryType: 'home' }
const RULE = 'price: at most 2 decimals.'

const { data: product } = await ok('POST', '/v1/products', { as, body: { storeId, name: 'Lamp', price: 1000 } })

async function newOrder() {
  const items = [{ productId: product.id, quantity: 1 }]
  const body = { storeId, customer: { name: 'Lina', phone: '0550123456' }, destination, items }
  return (await ok('POST', '/v1/orders', { as, body })).data
}

test('a request with three decimals is told the pointer and the rule', async () => {
  const { status, body } = await call('PATCH', `/v1/products/${product.id}`, { as, body: { price: 99.999 } })
  expect([status, body.error]).toMatchObject([
    400,
    {
      code: 'invalid_request',
      message: 'The request has values that cannot be accepted; see details.',
      details: [{ path: '/body/price', message: 'At most 2 decimals.' }],
    },
  ])
})

test('a tool call of the assistant with three decimals is told the field and the rule', async () => {
  const of = { projectId, userId: owner.id, generationId: 'gen_none' }
  const args = JSON.stringify({ productId: product.id, change: { price: 99.999 } })
  expect(await callBuiltInTool(context, of, 'propose_product_change', args)).toEqual({ text: RULE, failed: true, proposalId: null })
  const prices = JSON.stringify({ change: { home: 99.999 } })
  expect((await callBuiltInTool(context, of, 'propose_delivery_prices', prices)).text).toBe('home: at most 2 decimals.')
})

test('a tool call of the assistant with arguments that do not fit is told the field', async () => {
  const of = { projectId, userId: owner.id, generationId: 'gen_none' }
  const { text } = await callBuiltInTool(
    context,
    of,
    'propose_product_change',
    JSON.stringify({ productId: product.id, change: { price: 'x' } }),
  )
  expect(text).toStartWith('The arguments do not fit the tool: change.price: ')
})

test('a row of a bulk change with three decimals is told the field and the rule, and stops no other row', async () => {
  const [wrong, right] = [await newOrder(), await newOrder()]
  const orders = [
    { id: wrong.id, deliveryPrice: 99.999 },
    { id: right.id, deliveryPrice: 99 },
  ]
  const { data } = await ok('POST', '/v1/orders:batchUpdate', { as, body: { storeId, orders } })
  expect(data).toMatchObject([
    {
      outcome: 'refused',
      error: {
        code: 'invalid_request',
        message: 'deliveryPrice: at most 2 decimals.',
        details: [{ path: '/body/deliveryPrice', message: 'At most 2 decimals.' }],
      },
    },
    { outcome: 'changed' },
  ])
})

test('a row of a batch of parcels with three decimals is told the field and the rule', async () => {
  const recipient = { name: 'Lina', phone: '0550123456' }
  const parcels = [{ recipient, destination, codAmount: 99.999 }]
  const { data: batch } = await ok('POST', '/v1/parcels/batches', { as: key, body: { parcels } })
  const read = async () => (await ok('GET', `/v1/parcels/batches/${batch.id}`, { as: key })).data
  await until(async () => ((await read()).status === 'completed' ? true : null))
  const { results } = await read()
  expect(results[0].error.message).toBe('codAmount: at most 2 decimals.')
})

test('a row of a product sheet with three decimals is told the column and the rule', async () => {
  const form = new FormData()
  form.set('file', new File(['sku;name;price\nA;A;99,9995'], 'products.csv'))
  const headers = { authorization: `Bearer ${key}` }
  const asked = new Request(`http://localhost/v1/products/import?storeId=${storeId}`, { method: 'POST', headers, body: form })
  const { data } = (await (await handle(asked)).json()) as { data: { id: string } }
  const [row] = (await ok('GET', `/v1/products/imports/${data.id}/rows`, { as: key })).data
  expect(row).toMatchObject({ status: 'failed', error: { code: 'invalid_request', message: RULE } })
})

test('a row of a payout sheet with more decimals than its currency is told the row, the column and the rule', async () => {
  await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, {
    as,
    body: { enabled: true, credentials: { webhookSecret: 'a secret' }, settings: {} },
  })
  const form = new FormData()
  form.set('file', new File(['Tracking;Montant;Frais\nSBX-1;99,99955;4\n'], 'payout.csv'))
  const path = `/v1/stores/${storeId}/integrations/sandbox/encaissements/import`
  const asked = new Request(`http://localhost${path}`, { method: 'POST', headers: { authorization: `Bearer ${as}` }, body: form })
  const { error } = (await (await handle(asked)).json()) as { error: unknown }
  expect(error).toMatchObject({
    code: 'sheet_unreadable',
    details: [{ path: '/file/rows/2', message: '"99,99955" is not an amount in DZD. (amount)' }],
  })
})
