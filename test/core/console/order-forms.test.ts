import { afterAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'

const SECRET = 'a secret'

describe('the forms of an order', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const shop = await app.shop({
    phone: '0550111111',
    address: '5 rue des Ateliers',
    settings: { deliveryPrices: { home: 600, pickup: 350 } },
  })
  const { storeId, key: as } = shop
  const create = async (path: string, body: object) => (await app.ok('POST', path, { as, body: { storeId, ...body } })).data
  await app.ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, {
    as: shop.owner.token,
    body: { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} },
  })
  const perfume = await create('/v1/products', { name: 'Parfum Oud', sku: 'P', price: 2600, initialStock: 50 })
  const lamp = await create('/v1/products', { name: 'Lamp', sku: 'L', price: 500, initialStock: 50 })
  const pack = [{ name: 'Pack of 2', price: 900, quantity: 2, items: [] }]
  const soap = await create('/v1/products', {
    name: 'Soap',
    price: 500,
    bundles: pack.map(({ items: _, ...each }) => ({ ...each, items: [{ productId: lamp.id, quantity: 1 }] })),
  })
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '12 rue', deliveryType: 'home' }
  let people = 0
  const order = async (items: readonly object[] = [{ productId: perfume.id, quantity: 3 }]) =>
    create('/v1/orders', { customer: { name: 'Lina', phone: `055012${String(++people).padStart(4, '0')}` }, destination, items })
  const read = async ({ id }: { id: string }) => (await app.ok('GET', `/v1/orders/${id}`, { as })).data
  async function delivered(items?: readonly object[]) {
    const made = await order(items)
    await app.ok('POST', `/v1/stores/${storeId}/orders/${made.id}/carriers/sandbox/send`, { as, body: {} })
    const { trackingId } = (await read(made)).parcels[0]
    const raw = JSON.stringify({ tracking: trackingId, status: 'delivered', at: new Date().toISOString(), eventId: made.id })
    const signature = `sha256=${createHmac('sha256', SECRET).update(raw).digest('hex')}`
    await app.ok('POST', `/v1/stores/${storeId}/integrations/sandbox/webhook`, { raw, headers: { 'x-sandbox-signature': signature } })
    return made
  }

  const browser = await openConsole(app)
  afterAll(() => browser.close())
  await browser.signIn(shop.owner)
  const open = async ({ id }: { id: string }, form: string) => {
    await browser.visit(`/console/${storeId}/orders/${id}`)
    await browser.click(form)
    await browser.wait(`document.querySelector('.dialog-form')`)
  }
  const isClosed = () => browser.wait(`!document.querySelector('.dialog-form')`)
  const choose = async (label: string, text: string, found: string) => {
    await browser.fill(label, text)
    await browser.wait(`document.querySelector('[role=option]')?.textContent.includes(${JSON.stringify(found)})`)
    await browser.press('ArrowDown')
    await browser.press('Enter')
  }
  const saysTotal = (total: string) =>
    browser.wait(`document.querySelector('.totals .sum').innerText.replace(/[^0-9]/g, '') === '${total}'`)

  test('the customer, the place, the goods and the delivery price of an order change, and only those are sent', async () => {
    const made = await order()
    await open(made, 'Edit')
    await saysTotal('8400')
    await browser.fill('Name', 'Amina')
    await choose('Wilaya', 'oran', '31 · Oran')
    await choose('Commune', 'es sen', 'Es Senia')
    await browser.click('Less: Quantity of Parfum Oud')
    await choose('Add a product', 'lamp', 'Lamp')
    await saysTotal('6300')
    await browser.fill('Delivery price', '450')
    await saysTotal('6150')
    await browser.click('Save')
    await isClosed()
    expect(await read(made)).toMatchObject({
      customer: { name: 'Amina', phone: made.customer.phone },
      destination: { stateCode: '31', cityName: 'Es Senia', address: '12 rue' },
      items: [
        { name: 'Parfum Oud', quantity: 2 },
        { name: 'Lamp', quantity: 1 },
      ],
      totals: { subtotal: 5700, delivery: 450, discount: 0, total: 6150 },
    })
  }, 60_000)

  test('an order that holds the last pieces is priced although none is left', async () => {
    const { id: productId } = await create('/v1/products', { name: 'Rare book', price: 1000, initialStock: 3 })
    const made = await order([{ productId, quantity: 3 }])
    await open(made, 'Edit')
    await choose('Wilaya', 'oran', '31 · Oran')
    await choose('Commune', 'es sen', 'Es Senia')
    await browser.click('Less: Quantity of Rare book')
    await saysTotal('2600')
    expect(browser.problems).toEqual([])
    await browser.click('Save')
    await isClosed()
  }, 60_000)

  test('the lines of a bundle are edited as one line', async () => {
    const made = await order([{ productId: soap.id, offerId: soap.bundles[0].id, quantity: 2 }])
    await open(made, 'Edit')
    await browser.wait(`document.querySelectorAll('.order-lines li').length === 1`)
    await browser.click('More: Quantity of Soap – Pack of 2')
    await saysTotal('3300')
    await browser.click('Save')
    await isClosed()
    const { items, totals } = await read(made)
    expect(items.map(({ name, quantity }: { name: string; quantity: number }) => [name.split(' ')[0], quantity])).toEqual([
      ['Soap', 6],
      ['Lamp', 3],
    ])
    expect(totals.total).toBe(3300)
  }, 60_000)

  test('a discount above the goods, and one without a reason, are refused before anything is sent', async () => {
    const made = await order()
    await open(made, 'Edit')
    await browser.fill('Discount by hand', '9000')
    await browser.click('Save')
    await browser.wait(`document.querySelectorAll('.problem').length === 2`)
    await browser.fill('Discount by hand', '800')
    await browser.fill('Why this discount?', 'A gift')
    await browser.click('Save')
    await isClosed()
    expect((await read(made)).totals).toMatchObject({ discount: 800, total: 7600 })
  }, 60_000)

  test('what a colleague changed meanwhile is not overwritten, and saving once more changes the rest', async () => {
    const made = await order()
    await open(made, 'Edit')
    await app.ok('PATCH', `/v1/orders/${made.id}`, { as, body: { note: 'Call in the evening' } })
    await browser.fill('Name', 'Amina')
    await browser.click('Save')
    await browser.wait(`document.querySelector('.dialog-foot [role=alert]')`)
    expect(await read(made)).toMatchObject({ customer: { name: 'Lina' }, note: 'Call in the evening' })
    await browser.wait(`!document.querySelector('.dialog-foot [type=submit]').disabled`)
    await browser.click('Save')
    await isClosed()
    expect(await read(made)).toMatchObject({ customer: { name: 'Amina' }, note: 'Call in the evening' })
    browser.problems.length = 0
  }, 60_000)

  const nameField = `[...document.querySelectorAll('label')].find((each) => each.textContent === 'Name').control`
  const typedName = () => browser.evaluate<string>(`${nameField}.value`)
  const mouse = (type: 'mousePressed' | 'mouseReleased', point: { readonly x: number; readonly y: number }) =>
    browser.view.cdp('Input.dispatchMouseEvent', { type, ...point, button: 'left', clickCount: 1 })
  /** A point beside the dialog, which stands at the end of the window. */
  const beside = { x: 300, y: 400 }

  test('what was typed stays when a colleague changes the goods of the order', async () => {
    const made = await order()
    await open(made, 'Edit')
    await browser.fill('Name', 'Amina')
    await app.ok('PATCH', `/v1/orders/${made.id}`, { as, body: { items: [{ productId: lamp.id, quantity: 1 }] } })
    await browser.wait(`document.querySelector('.order .lines').innerText.includes('Lamp')`)
    expect(await typedName()).toBe('Amina')
    expect(browser.problems).toEqual([])
  }, 60_000)

  test('a selection that is dragged out of a field leaves the dialog open, although nothing was typed', async () => {
    await open(await order(), 'Edit')
    const field = await browser.evaluate<{ x: number; y: number }>(
      `(() => { const { x, y, height } = ${nameField}.getBoundingClientRect(); return { x: x + 20, y: y + height / 2 } })()`,
    )
    await mouse('mousePressed', field)
    await mouse('mouseReleased', beside)
    expect(await typedName()).toBe('Lina')
  }, 60_000)

  test('a click beside the dialog closes it while nothing was typed, and does nothing afterwards', async () => {
    const click = async () => {
      await mouse('mousePressed', beside)
      await mouse('mouseReleased', beside)
    }
    const made = await order()
    await open(made, 'Edit')
    await click()
    await isClosed()
    await open(made, 'Edit')
    await browser.fill('Name', 'Amina')
    await click()
    expect(await typedName()).toBe('Amina')
  }, 60_000)

  test('a tag and comments are written on an order and stay, as text whatever they contain', async () => {
    const made = await order()
    const hostile = '<img src=x onerror=alert(1)>'
    const comments = `[...document.querySelectorAll('.order .note')].map((each) => each.textContent).join()`
    const visit = () => browser.visit(`/console/${storeId}/orders/${made.id}`)
    await visit()
    await browser.fill('Add a tag', 'gift, fragile')
    await browser.press('Enter')
    await browser.wait(`document.querySelectorAll('.order .chip').length === 2`)
    await browser.click('Remove the tag: fragile')
    await browser.wait(`document.querySelectorAll('.order .chip').length === 1`)
    for (const expected of [hostile, `${hostile},${hostile}`]) {
      await browser.fill('Write a comment', hostile)
      await browser.click('Save')
      await browser.wait(`${comments} === ${JSON.stringify(expected)}`)
    }
    await visit()
    await browser.wait(`${comments} === ${JSON.stringify(`${hostile},${hostile}`)}`)
    expect(await browser.evaluate(`document.querySelector('.order .chip').textContent`)).toBe('gift')
    expect(await browser.evaluate(`document.querySelectorAll('img').length`)).toBe(0)
    expect(browser.problems).toEqual([])
  }, 60_000)

  test('some goods go in a parcel of their own', async () => {
    const made = await order()
    await open(made, 'Send in several parcels')
    await browser.click('More: Quantity of Parfum Oud')
    await browser.fill('Amount to collect', '3000')
    await browser.wait(`document.querySelector('.dialog-form select')?.value === 'sandbox'`)
    await browser.click('Send this parcel')
    await isClosed()
    const { parcels, fulfilment } = await read(made)
    expect(parcels).toMatchObject([{ codAmount: 3000, items: [{ item: 0, quantity: 1 }] }])
    expect(fulfilment).toMatchObject([{ left: 2, sent: 1 }])
  }, 60_000)

  test('delivered goods come back in part, and an exchange makes one new order', async () => {
    const made = await delivered()
    await open(made, 'Return or exchange')
    await browser.click('Less: Quantity of Parfum Oud')
    await browser.click('Less: Quantity of Parfum Oud')
    await browser.click('Send other goods instead')
    await choose('Add a product', 'lamp', 'Lamp')
    await browser.evaluate(`(() => { const form = document.querySelector('.dialog-form'); form.requestSubmit(); form.requestSubmit() })()`)
    await isClosed()
    const { returns } = await read(made)
    expect(returns).toMatchObject([{ status: 'received', items: [{ item: 0, quantity: 1 }], restocked: true }])
    await browser.click('Open it')
    await browser.wait(`location.pathname.endsWith('${returns[0].exchangeOrderId}')`)
  }, 60_000)

  test('a return that is awaited is received later', async () => {
    const made = await delivered()
    await open(made, 'Return or exchange')
    await browser.click('Still with the customer')
    await browser.click('Record the return')
    await isClosed()
    expect((await read(made)).returns).toMatchObject([{ status: 'awaited' }])
    await browser.click('Received')
    await browser.wait(`!document.body.innerText.includes('Awaited')`)
    expect((await read(made)).returns).toMatchObject([{ status: 'received' }])
    expect(browser.problems).toEqual([])
  }, 60_000)
})
