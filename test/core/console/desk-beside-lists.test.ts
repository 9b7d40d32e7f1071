import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'
import { openAllDay, shopWithOrders } from '../../support/console-orders.ts'
import { until } from '../../support/until.ts'

describe('the desk and the lists of orders in one tab', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const shop = await shopWithOrders(app, 4)
  await openAllDay(app, shop)
  const { storeId, key, owner, placed } = shop
  const browser = await openConsole(app)
  afterAll(() => browser.close())
  beforeAll(() => browser.signIn(owner))

  /** Follows a link of the navigation, so that what was read stays in the cache. */
  const go = async (place: 'orders' | 'desk') => {
    await browser.evaluate(`document.querySelector('.sidebar a[href$="/${place}"]').click()`)
    await browser.settled()
  }
  const onDesk = `document.querySelector('main.desk[data-order] .desk-history p, main.desk[data-order] .desk-history li')`
  const rowOf = (reference: string) =>
    `[...document.querySelectorAll('[data-row]')].find((row) => row.textContent.includes(${JSON.stringify(reference)}))`

  test('an order changed in a list after a visit of the desk shows in its row, and the desk opens again', async () => {
    const { id, reference } = placed[3]!
    await browser.visit(`/console/${storeId}/desk`)
    await browser.wait(onDesk)
    await browser.click('Find the order of a caller')
    await browser.fill('Phone, last four digits, name or reference', reference)
    await browser.wait(`document.querySelector('.desk-found li')`)
    await browser.press('Escape')
    await go('orders')
    await browser.wait(rowOf(reference))
    await browser.evaluate(`${rowOf(reference)}.querySelector('a').click()`)
    const confirm = `[...document.querySelectorAll('.action-bar button')].find((each) => each.textContent === 'Confirm')`
    await browser.wait(confirm)
    await browser.evaluate(`${confirm}.click()`)
    await browser.wait(`${rowOf(reference)}.textContent.includes('Confirmed')`)
    await until(async () => (await app.ok('GET', `/v1/orders/${id}`, { as: key })).data.status === 'confirmed')
    await browser.press('Escape')
    await browser.wait(`!document.querySelector('dialog[open]')`)
    await go('desk')
    await browser.wait(onDesk)
    expect(browser.problems).toEqual([])
  })
})
