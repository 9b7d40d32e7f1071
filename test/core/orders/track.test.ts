import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const { call, ok, shop } = await startApp()
const on = await shop()
const { data: product } = await ok('POST', '/v1/products', { as: on.key, body: { storeId: on.storeId, name: 'Basket', price: 1000 } })
const customer = { name: 'Amina <b>Saadi</b>', phone: '0550123456' }
const { data: order } = await ok('POST', '/v1/orders', {
  as: on.key,
  body: {
    storeId: on.storeId,
    customer,
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'cité 5 juillet', deliveryType: 'home' },
    items: [{ productId: product.id, quantity: 1 }],
  },
})
const open = (headers: Record<string, string>, id = order.id, query = '') => call('GET', `/v1/orders/${id}/track${query}`, { headers })

test("tracking page: the link shows the order's status, as a page in the visitor's language or as JSON", async () => {
  expect((await open({ accept: 'application/json' })).body.data).toMatchObject({ reference: order.reference, status: 'pending' })
  expect((await open({ accept: '*/*' })).body.data.status).toBe('pending')
  for (const [language, words, direction] of [
    ['fr-FR,fr;q=0.9', 'Nous avons bien reçu votre commande', 'ltr'],
    ['ar-DZ', 'استلمنا طلبكم', 'rtl'],
    ['de', 'We have received your order', 'ltr'],
  ] as const) {
    const page = await open({ accept: 'text/html,application/xhtml+xml', 'accept-language': language })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.body).toContain(words)
    expect(page.body).toContain(`dir="${direction}"`)
    expect(page.body).toContain(order.reference)
  }
  expect((await open({ accept: 'text/html', 'accept-language': 'fr' }, order.id, '?language=ar')).body).toContain('استلمنا طلبكم')
})

test('tells nothing of the customer and of the money, and nothing of other orders', async () => {
  for (const accept of ['text/html', 'application/json']) {
    const { body } = await open({ accept })
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    for (const secret of ['Amina', '550123456', 'Bab Ezzouar', 'juillet', '1000', on.storeId, on.projectId])
      expect(text).not.toContain(secret)
  }
  expect((await open({ accept: 'text/html' }, 'ord_none')).status).toBe(404)
  expect((await open({}, order.id, '?language=de')).status).toBe(400)
})

test('follows what becomes of it', async () => {
  await ok('PATCH', `/v1/orders/${order.id}`, { as: on.key, body: { status: 'cancelled' } })
  expect((await open({ accept: 'text/html' })).body).toContain('Your order was cancelled')
})

test('the link of an order that is not there is a page in the language of who opens it, else JSON', async () => {
  for (const [language, words] of [
    ['fr', 'Aucune commande ne correspond'],
    ['ar-DZ', 'لا يوجد طلب'],
    ['de', 'There is no order'],
  ] as const) {
    const page = await open({ accept: 'text/html', 'accept-language': language }, 'ord_unknown')
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.body).toContain(words)
  }
  expect((await open({ accept: 'text/html' }, 'ord_unknown', '?language=fr')).body).toContain('Aucune commande')
  const plain = await open({ accept: 'application/json' }, 'ord_unknown')
  expect([plain.status, plain.body.error.code]).toEqual([404, 'not_found'])
})
