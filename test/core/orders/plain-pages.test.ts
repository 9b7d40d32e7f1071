import { describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'
import { paymentShop } from '../money/payment-shop.ts'

const app = await startApp()
const { call } = app
const shop = await paymentShop(app)
const page = (path: string, language: string, options: object = {}) =>
  call('GET', path, { headers: { accept: 'text/html', 'accept-language': language, ...options } })
const pathOf = (url: string) => new URL(url).pathname + new URL(url).search
/** Sends the form of a page as a browser without scripts does. */
const press = async (path: string, body: string, choice: string) => {
  const [, proof = ''] = /name=proof value="([^"]+)"/.exec(body) ?? []
  return call('POST', path, {
    raw: new URLSearchParams({ proof, choice }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'fr' },
  })
}

describe('the page of the sandbox gateway', () => {
  test.each([
    ['pay', 'C’est payé', 'paid'],
    ['cancel', 'Ce paiement est terminé', 'cancelled'],
  ] as const)('works without a script: %s', async (choice, said, status) => {
    const order = await shop.order()
    const { body } = await shop.initiate(order.id, { as: shop.key })
    const path = pathOf(body.data.checkoutUrl)
    const opened = await page(path, 'fr')
    expect(opened.body).toContain('<form method=post')
    const answer = await press(path, opened.body, choice)
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/html'])
    expect(answer.body).toContain(said)
    const [, onward = ''] = /<a href="([^"]+)"/.exec(answer.body) ?? []
    const goOn = () => page(pathOf(onward.replaceAll('&amp;', '&')), 'fr')
    expect((await goOn()).status).toBe(200)
    // The gateway is asked again after three seconds.
    await until(async () => (await goOn()) && (await shop.read(order.id, body.data.id)).status === status)
  })

  test('changes nothing for a form without the proof of the page', async () => {
    const order = await shop.order()
    const { body } = await shop.initiate(order.id, { as: shop.key })
    const path = pathOf(body.data.checkoutUrl)
    expect((await press(path, '', 'pay')).status).toBe(401)
    expect((await shop.read(order.id, body.data.id)).status).toBe('open')
  })

  test.each([
    ['fr-DZ,fr;q=0.9', 'lang=fr'],
    ['ar', 'lang=ar'],
    ['en-US', 'lang=en'],
    ['de', 'lang=ar'],
  ])('speaks the language of the browser: %s', async (accepted, mark) => {
    const order = await shop.order()
    const { body } = await shop.initiate(order.id, { as: shop.key })
    expect((await page(pathOf(body.data.checkoutUrl), accepted)).body).toContain(mark)
  })
})

test('the page that a payer comes back to speaks the language of the browser, and is refreshed by a script or a link, not by a meta element', async () => {
  const order = await shop.order()
  const { body } = await shop.initiate(order.id, { as: shop.key })
  const returned = await page(`/v1/payments/${body.data.id}/return`, 'fr')
  expect(returned.body).toContain('En attente de la confirmation du paiement.')
  expect(returned.body).toContain('<a class="again" href="">Actualiser</a>')
  expect(returned.body).not.toContain('http-equiv')
  const [, nonce] = /<script src="\/pages\/refresh.js" data-seconds="4" nonce="(\w+)" defer>/.exec(returned.body) ?? []
  expect(returned.headers.get('content-security-policy')).toContain(`script-src 'nonce-${nonce}'`)
  expect((await call('GET', '/pages/refresh.js')).body).toContain('location.reload')
})

test('the page of an order names the shop, the goods, the amount and what is paid, and no slug', async () => {
  const order = await shop.order(2)
  const before = (await page(`/v1/orders/${order.id}/track`, 'en')).body
  for (const words of ['Boutique', '2 × Basket', 'Amount', 'Paid', 'Nothing yet']) expect(before).toContain(words)
  expect(before).toMatch(/DZD\s?5,000\.00/)
  await shop.paid(order.id)
  const { status } = await shop.send(order.id)
  expect(status).toBeOneOf([200, 201, 202])
  const after = (await page(`/v1/orders/${order.id}/track`, 'fr')).body
  expect(after).toMatch(/<dt>Payé<\/dt><dd><bdi>5[\s\u202f]000,00/)
  expect(after).toContain('Sandbox (rehearsal)')
  for (const slug of ['<bdi>sandbox</bdi>', 'partially_paid', 'out_for_delivery', 'unpaid']) expect(after).not.toContain(slug)
  for (const secret of ['Lina', '550123456', 'Bab Ezzouar']) expect(after).not.toContain(secret)
})
