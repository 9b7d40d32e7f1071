import { afterAll, describe, expect, test } from 'bun:test'
import { type Shop, startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'
import { addMember, openAllDay, shopWithOrders } from '../../support/console-orders.ts'

const FIND = 'Find the order of a caller'

describe('dialogs and pauses of the desk, in a browser', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const browser = await openConsole(app)
  afterAll(() => browser.close())

  async function openShop(orders: number) {
    const shop = await shopWithOrders(app, orders)
    await openAllDay(app, shop)
    return shop
  }
  const digit = (value: string) => browser.press(value, { code: `Digit${value}` })
  const onDesk = `document.querySelector('main.desk')?.dataset.order`

  test('the digits record nothing while the search for a caller stands over the order', async () => {
    const { owner, storeId } = await openShop(2)
    await browser.signIn(owner)
    await browser.visit(`/console/${storeId}/desk`)
    await browser.wait(onDesk)
    const order = await browser.evaluate<string>(onDesk)
    await browser.click(FIND)
    await browser.wait(`document.querySelector('dialog[open]')`)
    await browser.evaluate(`document.querySelector('dialog[open] button').focus()`)
    await digit('2')
    await browser.press('Escape')
    await browser.wait(`!document.querySelector('dialog[open]')`)
    expect(await browser.evaluate<string>(onDesk)).toBe(order)
    // The same key works again afterwards.
    await digit('2')
    await browser.wait(`${onDesk} !== undefined && ${onDesk} !== '${order}'`)
  }, 60_000)

  test('a correction that cannot be saved keeps the dialog of the outcome open, and says so in it', async () => {
    const { owner, storeId, key } = await openShop(1)
    await browser.signIn(owner)
    await browser.visit(`/console/${storeId}/desk`)
    await browser.wait(onDesk)
    const order = await browser.evaluate<string>(onDesk)
    await browser.press('e')
    await browser.fill('Address', 'Rue 9')
    await app.ok('PATCH', `/v1/orders/${order}`, { as: key, body: { note: 'Changed meanwhile' } })
    await browser.evaluate('document.activeElement.blur()')
    await digit('4')
    await browser.wait(`document.querySelector('dialog[open]')`)
    await digit('1')
    await browser.wait(`document.querySelector('dialog[open] .toast')?.textContent.startsWith('The correction was not saved.')`)
    expect(await browser.evaluate<string>(onDesk)).toBe(order)
  }, 60_000)

  test('orders that are due for a colleague alone are not asked for again and again', async () => {
    const shop = await openShop(1)
    const { owner, storeId, key, placed } = shop
    const colleague = await addMember(app, shop, 'agent', 'Colleague')
    const body = { storeId, orderId: placed[0]?.id, userId: colleague.id }
    await app.ok('POST', '/v1/orders/assign', { as: key, body })
    await browser.signIn(owner)
    await browser.visit(`/console/${storeId}/desk`)
    await browser.wait(`document.body.innerText.includes('Nothing to call now')`)
    await Bun.sleep(2_000)
    const asked = await browser.evaluate<number>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/confirmation/next')).length`,
    )
    expect(asked).toBeLessThan(4)
  }, 60_000)

  /** Opens the desk in a page whose polls never come, so that only hints of changes can move it. */
  async function openWithoutPolls({ owner, storeId }: Shop): Promise<void> {
    await browser.signIn(owner)
    const { identifier } = await browser.view.cdp<{ identifier: string }>('Page.addScriptToEvaluateOnNewDocument', {
      source: 'globalThis.setInterval = () => 0',
    })
    await browser.visit(`/console/${storeId}/desk`)
    await browser.view.cdp('Page.removeScriptToEvaluateOnNewDocument', { identifier })
  }
  const counts = (text: string) => browser.wait(`document.querySelector('.desk-counts')?.innerText.includes('${text}')`)
  const requestsOf = (path: string) =>
    browser.evaluate<readonly number[]>(
      `performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.endsWith('${path}')).map(({ startTime }) => startTime)`,
    )

  test('an order that a colleague writes is counted without a poll, and many are counted at most once a second', async () => {
    const shop = await openShop(2)
    await openWithoutPolls(shop)
    await browser.wait(onDesk)
    // The order on the desk waits no more.
    await counts('1 to call')
    const agent = await addMember(app, shop, 'agent', 'Colleague')
    const { storeId } = shop
    const [{ id: productId }] = (await app.ok('GET', `/v1/products?storeId=${storeId}`, { as: shop.key })).data
    const before = (await requestsOf('/confirmation/counts')).length
    for (let at = 0; at < 6; at += 1) {
      const customer = { name: 'Amina', phone: `066100000${at}` }
      const destination = { country: 'DZ', stateCode: '16', cityName: 'Kouba', address: '', deliveryType: 'home' }
      await app.ok('POST', '/v1/orders', { as: agent.token, body: { storeId, customer, destination, items: [{ productId, quantity: 1 }] } })
      await Bun.sleep(400)
    }
    await counts('7 to call')
    const at = (await requestsOf('/confirmation/counts')).slice(before)
    const pauses = at.slice(1).map((each, index) => each - (at[index] ?? 0))
    expect(pauses.filter((pause) => pause < 900)).toEqual([])
  }, 60_000)

  test('at an empty desk a new order comes without a poll, and changes of an order of a colleague ask for none', async () => {
    const shop = await openShop(1)
    const { storeId, key, placed } = shop
    const id = placed[0]?.id
    const colleague = await addMember(app, shop, 'agent', 'Colleague')
    await app.ok('POST', '/v1/orders/assign', { as: key, body: { storeId, orderId: id, userId: colleague.id } })
    await openWithoutPolls(shop)
    await browser.wait(`document.body.innerText.includes('Nothing to call now')`)
    await counts('1 to call')
    await browser.settled()
    const asked = (await requestsOf('/confirmation/next')).length
    for (const note of ['One', 'Two', 'Three']) {
      const read = (await requestsOf('/confirmation/counts')).length
      await app.ok('PATCH', `/v1/orders/${id}`, { as: key, body: { note } })
      await browser.wait(
        `performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.endsWith('/confirmation/counts')).length > ${read}`,
      )
    }
    expect((await requestsOf('/confirmation/next')).length - asked).toBeLessThan(2)
    const { id: fresh } = await shop.place(1)
    await browser.wait(`${onDesk} === '${fresh}'`)
  }, 60_000)
})
