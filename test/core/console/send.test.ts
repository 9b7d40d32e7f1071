import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'
import { addMember, shopWithOrders } from '../../support/console-orders.ts'

describe('sending in the console', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const shop = await shopWithOrders(app, 0)
  const { storeId } = shop
  const confirmed = async (at: number, more: Record<string, unknown> = {}) => {
    const order = await shop.place(at, more)
    await app.ok('PATCH', `/v1/orders/${order.id}`, { as: shop.key, body: { status: 'confirmed' } })
    return order
  }
  const first = await confirmed(0)
  for (const at of [1, 3, 4]) await confirmed(at)
  const waiting = await shop.place(5)
  const lost = await confirmed(1, {
    destination: { country: 'DZ', stateCode: 'Zzz', cityName: 'Nowhere', address: 'x', deliveryType: 'home' },
  })
  const statusOf = async (id: string) => (await app.ok('GET', `/v1/orders/${id}`, { as: shop.key })).data.status

  const browser = await openConsole(app)
  afterAll(() => browser.close())
  await browser.signIn(shop.owner)
  const page = () => browser.evaluate<string>(`document.querySelector('main').innerText.replace(/\\s+/g, ' ')`)

  test('what is confirmed is planned, sent and printed with two clicks, and what cannot go says why', async () => {
    await browser.visit(`/console/${storeId}/orders`)
    await browser.press('g')
    await browser.press('s')
    await browser.wait(
      `document.querySelector('.plan tbody')?.innerText.includes('Sandbox (rehearsal)') && document.querySelector('.unplanned li')`,
    )
    expect(await page()).toMatch(/^4 orders to send/)
    expect(await page()).toMatch(/Sandbox \(rehearsal\) 4 /)
    expect(await page()).toContain(`1 order cannot be sent ${lost.reference}`)
    await browser.click('Send and print 4')
    await browser.wait(`document.querySelector('.job-card a[href$="labels.pdf"]')`, 60_000)
    await browser.wait(`!document.querySelector('.plan')`)
    expect([await statusOf(first.id), await statusOf(waiting.id), await statusOf(lost.id)]).toEqual(['sent', 'pending', 'confirmed'])
    const pdf = await browser.evaluate<string>(
      `fetch(document.querySelector('.job-card a[href$="labels.pdf"]').href).then((answer) => answer.text()).then((text) => text.slice(0, 5))`,
    )
    expect(pdf).toBe('%PDF-')
    await browser.visit(`/console/${storeId}/send`)
    await browser.wait(`document.querySelector('.job-card a[href$="labels.pdf"]')`)
    expect(browser.problems).toEqual([])
  }, 90_000)

  test('an order that is confirmed meanwhile appears by itself', async () => {
    await browser.visit(`/console/${storeId}/send`)
    await app.ok('PATCH', `/v1/orders/${waiting.id}`, { as: shop.key, body: { status: 'confirmed' } })
    await browser.wait(`document.querySelector('.plan tbody tr')`)
    expect(await page()).toMatch(/^1 order to send/)
  }, 60_000)

  test('somebody who may only look does not see the page', async () => {
    const viewer = await addMember(app, shop, 'viewer', 'Viewer')
    await browser.signIn(viewer)
    await browser.visit(`/console/${storeId}/send`)
    expect(await browser.evaluate(`[...document.querySelectorAll('.sidebar nav a')].some((link) => link.textContent === 'Send')`)).toBe(
      false,
    )
    expect(await browser.evaluate(`document.querySelector('.plan') === null && document.querySelector('.button.primary') === null`)).toBe(
      true,
    )
    await browser.signIn(shop.owner)
  }, 60_000)
})
