import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
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
})
