import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { languages, openConsole, type Size, sizes, themes } from '../../support/console.ts'
import { shopWithOrders } from '../../support/console-orders.ts'

const CONTROL = 2

describe('the search over everything', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const shop = await shopWithOrders(app, 3)
  const { data: order } = await app.ok('GET', `/v1/orders/${shop.placed[0]?.id}`, { as: shop.key })
  const browser = await openConsole(app)
  afterAll(() => browser.close())
  await browser.signIn(shop.owner)

  const toggle = (key = 'k') => browser.press(key, { code: 'KeyK', modifiers: CONTROL })
  const open = async () => {
    await toggle()
    await browser.wait(`document.activeElement.matches('dialog.command input')`)
  }
  const type = (text: string) => browser.view.cdp('Input.insertText', { text })
  const options = () =>
    browser.evaluate<string[]>(
      `[...document.querySelectorAll('dialog.command [role=option] > bdi:first-of-type')].map((each) => each.textContent)`,
    )
  const isClosed = () => browser.wait(`!document.querySelector('dialog.command')`)

  test('the keyboard alone opens a place, an action, an order and a customer', async () => {
    await browser.visit(`/console/${shop.storeId}/orders`)
    await open()
    expect(await options()).toEqual(['New order', 'Today', 'Confirm', 'Orders', 'Send', 'Pack', 'Customers', 'Cash'])
    await type('cust')
    await browser.wait(`document.querySelectorAll('dialog.command [role=option]').length === 1`)
    await browser.press('Enter')
    await browser.wait(`location.pathname.endsWith('/customers')`)
    await isClosed()

    await open()
    await type('new')
    await browser.wait(`document.querySelector('dialog.command [aria-selected=true]')?.textContent === 'New order'`)
    await browser.press('Enter')
    await browser.wait(`location.pathname.endsWith('/orders/new')`)

    await open()
    await type(order.reference)
    await browser.wait(`document.querySelector('dialog.command [aria-selected=true]')?.textContent.includes('${order.reference}')`)
    await browser.press('Enter')
    await browser.wait(`location.pathname.endsWith('/orders/${order.id}')`)

    await open()
    await type(`0${order.customer.phone.slice(4)}`)
    await browser.wait(`document.querySelector('dialog.command [role=group]:last-child [role=option] .small')`)
    await browser.press('ArrowUp')
    await browser.press('Enter')
    await browser.wait(`location.pathname.includes('/customers/cus_')`)
    expect(browser.problems).toEqual([])
  }, 60_000)

  test('is closed by Escape and by a second ⌘K, on an Arabic keyboard too, and inside a field', async () => {
    await browser.visit(`/console/${shop.storeId}/customers`)
    await browser.press('/', { code: 'Slash' })
    await browser.wait(`document.activeElement.type === 'search'`)
    await toggle('ن')
    await browser.wait(`document.querySelector('dialog.command')`)
    await toggle('ن')
    await isClosed()
    await open()
    await browser.press('Escape')
    await isClosed()
  }, 60_000)

  test('a member who may not see orders finds neither orders nor customers', async () => {
    const packer = await app.person('Packer')
    const body = { email: packer.email, role: 'viewer', permissions: ['products:read'] }
    await app.ok('POST', `/v1/stores/${shop.storeId}/members`, { as: shop.owner.token, body })
    await browser.signIn(packer)
    await browser.visit(`/console/${shop.storeId}/nowhere`)
    await open()
    await type(order.reference)
    await browser.wait(`document.querySelector('.command-none')`)
    await browser.signIn(shop.owner)
  }, 60_000)

  test('it has no accessibility violation and nothing outside the window, in each language, theme and size', async () => {
    const faults: string[] = []
    for (const language of languages)
      for (const theme of themes)
        for (const size of Object.keys(sizes) as Size[]) {
          await browser.visit(`/console/${shop.storeId}/orders`, { language, theme, size })
          await open()
          await type(order.customer.name.slice(0, 4))
          await browser.wait(`document.querySelectorAll('dialog.command [role=group]').length === 2`)
          faults.push(...[...(await browser.axe()), ...(await browser.outside())].map((fault) => `${language} ${theme} ${size}: ${fault}`))
        }
    expect(faults).toEqual([])
  }, 120_000)
})
