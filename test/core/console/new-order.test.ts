import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'

describe('an order that is written by hand', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const shop = await app.shop({ settings: { deliveryPrices: { home: 600, pickup: 350, byState: { '16': { home: 400 } } } } })
  const create = async (path: string, body: object) =>
    (await app.ok('POST', path, { as: shop.key, body: { storeId: shop.storeId, ...body } })).data
  await create('/v1/products', { name: 'Parfum Oud', sku: 'P', price: 2600, initialStock: 3 })
  const sizes = [{ options: { Taille: 'M' } }, { options: { Taille: 'L' }, price: 8000 }]
  await create('/v1/products', { name: 'Abaya', price: 7100, options: [{ name: 'Taille', values: ['M', 'L'] }], variants: sizes })
  const orders = async () => (await app.ok('GET', `/v1/orders?storeId=${shop.storeId}`, { as: shop.key })).data
  const browser = await openConsole(app)
  afterAll(() => browser.close())
  await browser.signIn(shop.owner)

  const choose = async (label: string, text: string, found: string) => {
    await browser.fill(label, text)
    await browser.wait(`document.querySelector('[role=option]')?.textContent.includes(${JSON.stringify(found)})`)
    await browser.press('ArrowDown')
    await browser.press('Enter')
  }
  const totals = () =>
    browser.evaluate<string>(
      `document.querySelector('.totals').innerText.replace(/[\\u2066\\u2069]/g, '').replace(/[\\s\\u00a0\\u202f]+/g, ' ')`,
    )
  const saysTotal = (total: string) =>
    browser.wait(`document.querySelector('.totals .sum').innerText.replace(/[^0-9]/g, '') === '${total}'`)

  test('the total follows what is typed, and two taps create one order', async () => {
    await browser.visit(`/console/${shop.storeId}/orders/new`)
    await choose('Add a product', 'oud', 'Parfum Oud')
    await choose('Add a product', 'abaya', 'Abaya – M')
    await browser.wait(`document.querySelectorAll('.order-lines li').length === 2`)
    await browser.evaluate(
      `(() => { const variant = document.querySelector('.order-lines select'); variant.selectedIndex = 1; variant.dispatchEvent(new Event('change', { bubbles: true })) })()`,
    )
    await browser.click('More: Quantity of Parfum Oud')
    await saysTotal('13200')
    await browser.fill('Phone', '0550 12 34 56')
    await browser.fill('Name', 'أمينة قاسمي')
    await choose('Wilaya', 'alg', '16 · Alger')
    await choose('Commune', 'bab ez', 'Bab Ezzouar')
    await saysTotal('13600')
    await browser.fill('Address', 'Cité 5 Juillet')
    await browser.fill('Discount by hand', '1 000')
    await browser.fill('Why this discount?', 'A friend')
    await saysTotal('12600')
    await browser.fill('Delivery price', '500')
    await saysTotal('12700')
    expect(await totals()).toBe('Goods 13 200 DA Delivery 500 DA Discount -1 000 DA Total 12 700 DA')
    await browser.evaluate(`(() => { const form = document.querySelector('form'); form.requestSubmit(); form.requestSubmit() })()`)
    await browser.wait(`/\\/orders\\/ord_/.test(location.pathname)`)
    const [order, ...others] = await orders()
    expect(others).toEqual([])
    expect(order.totals).toEqual({ subtotal: 13_200, delivery: 500, discount: 1000, total: 12_700 })
    expect(order.customer).toMatchObject({ name: 'أمينة قاسمي', phone: '+213550123456' })
    expect(order.destination).toMatchObject({ stateCode: '16', cityName: 'Bab Ezzouar', deliveryType: 'home' })
    expect(order.items.map(({ name, quantity }: { name: string; quantity: number }) => [name, quantity])).toEqual([
      ['Parfum Oud', 2],
      ['Abaya – L', 1],
    ])
    expect(browser.problems).toEqual([])
  }, 60_000)

  test('what is missing or wrong is said beside its field, and what was typed stays', async () => {
    await browser.visit(`/console/${shop.storeId}/orders/new`)
    await browser.click('Create order')
    const problems = () =>
      browser.evaluate<string[]>(
        `[...document.querySelectorAll('.problem')].map((each) => each.parentElement.firstChild.textContent + ': ' + each.textContent)`,
      )
    await browser.wait(`document.querySelector('.problem')`)
    expect(await problems()).toEqual([
      'Add a product: Add at least one product.',
      'Phone: Fill this in.',
      'Name: Fill this in.',
      'Wilaya: Fill this in.',
      'Commune: Fill this in.',
    ])
    await browser.wait(`document.activeElement.placeholder === 'Name or reference of a product'`)
    await choose('Add a product', 'oud', 'Parfum Oud')
    await browser.fill('Phone', '0550')
    await browser.fill('Name', 'Amina')
    await browser.fill('Wilaya', '31')
    await choose('Commune', 'oran', 'Oran')
    await browser.click('Create order')
    await browser.wait(`document.querySelector('.problem')?.parentElement.firstChild.textContent === 'Phone'`)
    await browser.wait(`document.activeElement.value === '0550'`)
    await browser.fill('Phone', '0550123456')
    // The order before holds two of three.
    await browser.click('More: Quantity of Parfum Oud')
    await browser.wait(`document.querySelector('.order-lines .problem')?.textContent === 'Parfum Oud: 1 free, 2 asked.'`)
    expect((await orders()).length).toBe(1)
  }, 60_000)

  test('the customer of a known number is named with the outcomes of their orders', async () => {
    await browser.visit(`/console/${shop.storeId}/orders/new`)
    await browser.fill('Phone', '0550123456')
    await browser.wait(`document.body.innerText.includes('أمينة قاسمي: 1 order')`)
    await browser.wait(
      `[...document.querySelectorAll('label')].find((each) => each.textContent === 'Name').control.value === 'أمينة قاسمي'`,
    )
  }, 60_000)
})
