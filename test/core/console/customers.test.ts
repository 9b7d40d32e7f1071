import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'

describe('customers in the console', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const shop = await app.shop()
  const { storeId, key: as } = shop
  const create = async (path: string, body: object) => (await app.ok('POST', path, { as, body: { storeId, ...body } })).data
  const product = await create('/v1/products', { name: 'Parfum Oud', price: 2600 })
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '12 rue', deliveryType: 'home' }
  const order = (name: string, phone: string) =>
    create('/v1/orders', { customer: { name, phone }, destination, items: [{ productId: product.id, quantity: 1 }] })
  const first = await order('أمينة قاسمي', '0550123456')
  await order('أمينة قاسمي', '0550123456')
  await order('Karim Ait Ahmed', '0661000001')
  await order('K. Ait Ahmed', '0661000002')
  const blocks = async () => (await app.ok('GET', `/v1/stores/${storeId}/integrations/security/block`, { as })).data
  const customers = async (q: string) => (await app.ok('GET', `/v1/stores/${storeId}/customers?q=${encodeURIComponent(q)}`, { as })).data

  const browser = await openConsole(app)
  afterAll(() => browser.close())
  await browser.signIn(shop.owner)
  const names = () => browser.evaluate<string[]>(`[...document.querySelectorAll('.row-link')].map((each) => each.textContent)`)
  const search = async (text: string) => {
    await browser.press('/', { code: 'Slash' })
    await browser.wait(`document.activeElement.type === 'search'`)
    await browser.evaluate(`document.activeElement.select()`)
    await browser.view.cdp('Input.insertText', { text })
  }

  test('a customer is found by name and by phone, and opened by keys, with their orders', async () => {
    await browser.visit(`/console/${storeId}/orders`)
    await browser.press('g')
    await browser.press('c')
    await browser.wait(`document.querySelectorAll('.row-link').length === 3`)
    expect(await names()).toEqual(['K. Ait Ahmed', 'Karim Ait Ahmed', 'أمينة قاسمي'])
    await search('0550123456')
    await browser.wait(`document.querySelectorAll('.row-link').length === 1 && location.search.includes('q=')`)
    await browser.evaluate(`document.activeElement.blur()`)
    await browser.press('j')
    await browser.wait(`document.activeElement.className === 'row-link'`)
    await browser.press('Enter')
    await browser.wait(`document.querySelectorAll('.customer-orders li').length === 2`)
    expect(await browser.evaluate<string>(`document.querySelector('.outcomes').innerText.replace(/\\s+/g, ' ')`)).toBe(
      'Orders 2 Under way 2 Delivered 0 Returned 0 Cancelled 0',
    )
    await browser.press('Escape')
    await browser.wait(`!document.querySelector('dialog') && location.search.includes('q=')`)
    expect(browser.problems).toEqual([])
  }, 60_000)

  test('a phone number is blocked and can order again', async () => {
    const [{ id }] = await customers('قاسمي')
    await browser.visit(`/console/${storeId}/customers/${id}`)
    await browser.click('Block')
    await browser.wait(`document.querySelector('.customer .status.bad')`)
    expect(await blocks()).toMatchObject([{ kind: 'phone', phone: '+213550123456' }])
    await browser.click('Unblock')
    await browser.wait(`!document.querySelector('.customer .status.bad')`)
    expect(await blocks()).toEqual([])
  }, 60_000)

  test('a customer with two numbers becomes one', async () => {
    const [{ id }] = await customers('Karim')
    await browser.visit(`/console/${storeId}/customers/${id}`)
    await browser.click('Merge')
    await browser.fill('The other customer', 'K. Ait')
    await browser.wait(`document.querySelector('[role=option]')?.textContent.includes('0661 00 00 02')`)
    await browser.press('ArrowDown')
    await browser.press('Enter')
    await browser.evaluate(`document.querySelector('dialog.sheet form').requestSubmit()`)
    await browser.wait(`document.body.innerText.includes('0661 00 00 02') && document.querySelectorAll('.customer-orders li').length === 2`)
    expect((await customers('Ait Ahmed')).length).toBe(1)
  }, 60_000)

  test('a customer is exported as a file', async () => {
    const [{ id }] = await customers('Karim')
    await browser.visit(`/console/${storeId}/customers/${id}`)
    const said = `[...document.querySelectorAll('a[download]')].map((link) => fetch(link.href).then(async (answer) => [answer.headers.get('content-disposition'), (await answer.json()).data.orders.length]))[0]`
    await browser.wait(`document.querySelector('a[download]')`)
    expect(await browser.evaluate<unknown>(said)).toEqual([`attachment; filename="customer-${id}.json"`, 2])
  }, 60_000)

  test('a customer is erased only after the end of their number was typed', async () => {
    const [{ id }] = await customers('قاسمي')
    await browser.visit(`/console/${storeId}/customers/${id}`)
    await browser.click('Erase')
    await browser.fill('Last four digits of 0550 12 34 56', '1234')
    expect(await browser.evaluate<boolean>(`document.querySelector('dialog.sheet button[type=submit]').disabled`)).toBe(true)
    await browser.fill('Last four digits of 0550 12 34 56', '3456')
    await browser.wait(`!document.querySelector('dialog.sheet button[type=submit]').disabled`)
    await browser.click('Erase for good')
    await browser.wait(`!document.querySelector('dialog') && document.body.innerText.includes('The person is being erased.')`)
    expect(await customers('قاسمي')).toEqual([])
    expect((await app.call('GET', `/v1/stores/${storeId}/customers/${id}`, { as })).status).toBe(404)
    expect(first.id).toStartWith('ord_')
  }, 60_000)

  test('an order for a customer begins with their number', async () => {
    const [{ id }] = await customers('Karim')
    await browser.visit(`/console/${storeId}/customers/${id}`)
    await browser.click('New order')
    await browser.wait(
      `document.body.innerText.includes('Karim Ait Ahmed: 1 order') || document.body.innerText.includes('Karim Ait Ahmed: 2 orders')`,
    )
  }, 60_000)

  test('an agent neither merges, exports nor erases, and a viewer does not block either', async () => {
    const [{ id }] = await customers('Karim')
    const hidden = {
      agent: ['Merge', 'Export', 'Erase'],
      viewer: ['Merge', 'Export', 'Erase', 'Block', 'New order'],
    }
    for (const [role, names] of Object.entries(hidden)) {
      const member = await app.person(role)
      await app.ok('POST', `/v1/stores/${storeId}/members`, { as: shop.owner.token, body: { email: member.email, role } })
      await browser.signIn(member)
      await browser.visit(`/console/${storeId}/customers/${id}`)
      await browser.wait(`document.querySelector('.customer-orders')`)
      const shown = await browser.evaluate<string[]>(
        `[...document.querySelectorAll('.customer :is(.button)')].map((each) => each.textContent)`,
      )
      expect([role, shown]).toEqual([
        role,
        ['Block', 'Block', 'New order', 'Merge', 'Export', 'Erase'].filter((name) => !names.includes(name)),
      ])
    }
  }, 60_000)
})
