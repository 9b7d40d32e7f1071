import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'
import { addMember, shopWithOrders } from '../../support/console-orders.ts'
import { until } from '../../support/until.ts'

describe('many orders at once in a browser', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const shop = await shopWithOrders(app, 12)
  const { storeId, key, owner } = shop
  const list = `/console/${storeId}/orders`
  const browser = await openConsole(app)
  afterAll(() => browser.close())
  const orders = async (query = '') => (await app.ok('GET', `/v1/orders?storeId=${storeId}&limit=100${query}`, { as: key })).data
  const choose = async (count: number) => {
    for (let at = 0; at < count; at += 1) for (const pressed of ['j', 'x']) await browser.press(pressed)
    await browser.wait(`document.querySelectorAll('[aria-selected=true]').length === ${count}`)
  }
  /** Clicks a button of the bar of chosen rows, which has the same name as others of the page. */
  const act = async (name: string) => {
    const button = `[...document.querySelectorAll('.bulk-bar button')].find((each) => each.textContent === ${JSON.stringify(name)})`
    await browser.wait(button)
    await browser.evaluate(`${button}.click()`)
  }
  const submit = async () => {
    await browser.wait(`document.querySelector('dialog[open] form')`)
    await browser.evaluate(`document.querySelector('dialog[open] form').requestSubmit()`)
  }

  test('chosen orders are confirmed with progress, and rows show it in place', async () => {
    await browser.signIn(owner)
    await browser.visit(list)
    await choose(3)
    await act('Confirm')
    await browser.wait(`document.querySelector('.job-card')?.innerText.includes('3 done')`)
    await browser.wait(`[...document.querySelectorAll('[data-row]')].slice(0, 3).every((row) => row.textContent.includes('Confirmed'))`)
    expect((await orders('&status=confirmed')).length).toBe(3)
    expect(await browser.evaluate(`document.querySelectorAll('[aria-selected=true]').length`)).toBe(0)
  })

  test('a job is still shown after the page was loaded anew, until it is closed', async () => {
    await browser.visit(list)
    await browser.wait(`document.querySelector('.job-card')?.innerText.includes('Confirm 3 orders')`)
    await browser.evaluate(`document.querySelector('.job-card [aria-label=Close]').click()`)
    await browser.wait(`!document.querySelector('.job-card')`)
    await browser.visit(list)
    await Bun.sleep(300)
    expect(await browser.evaluate(`document.querySelector('.job-card')`)).toBeNull()
  })

  test('confirmed orders are sent with a carrier, and their labels are printed as one document', async () => {
    await browser.visit(`${list}?status=confirmed`)
    await choose(3)
    await act('Send')
    await submit()
    await browser.wait(`document.querySelector('.job-card')?.innerText.match(/Send 3 orders[^]*3 done/)`)
    await browser.visit(`${list}?status=sent`)
    await choose(3)
    await act('Print labels')
    await browser.wait(`document.querySelector('.job-card a[href$="labels.pdf"]')`)
    const path = await browser.evaluate<string>(`document.querySelector('.job-card a[href$="labels.pdf"]').getAttribute('href')`)
    const answer = await fetch(app.origin + path, { headers: { authorization: `Bearer ${owner.token}` } })
    expect(answer.headers.get('content-type')).toBe('application/pdf')
  })

  test('orders are assigned to agents in turn, and cancelled with a reason', async () => {
    const agent = await addMember(app, shop, 'agent', 'Nadia Ziani')
    await browser.visit(`${list}?status=pending`)
    await choose(2)
    await browser.click('Assign')
    await browser.wait(`document.querySelector('input[name=agent][value="${agent.id}"]')`)
    await browser.evaluate(`document.querySelector('input[name=agent][value="${agent.id}"]').click()`)
    await submit()
    await until(async () => (await orders(`&assignedTo=${agent.id}`)).length === 2)
    await browser.visit(`${list}?assignedTo=${agent.id}`)
    await choose(2)
    await browser.click('Cancel the orders')
    await browser.fill('Reason', 'Ordered twice')
    await submit()
    await until(async () => (await orders(`&status=cancelled&assignedTo=${agent.id}`)).length === 2)
  })

  test('all that match the filters are confirmed, also those that were never loaded, and failures say why', async () => {
    const { sql } = app.context
    const columns = await sql<{ name: string }[]>`select column_name as name from information_schema.columns
      where table_name = 'orders' and column_name not in ('id', 'reference', 'parcel_id', 'reservation_id')`
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    const [first] = await orders('&status=pending')
    await sql.unsafe(`insert into orders (id, reference, ${names})
      select 'ord_00' || lpad(n::text, 24, '0'), 'R' || n, ${names} from orders, generate_series(1, 150) n where id = '${first.id}'`)
    await browser.visit(`${list}?status=pending&q=R`)
    await browser.visit(`${list}?status=pending`)
    await browser.evaluate(`document.querySelector('thead input').click()`)
    await browser.wait(`[...document.querySelectorAll('.bulk-bar button')].some((each) => each.textContent.startsWith('Select all'))`)
    await browser.evaluate(
      `[...document.querySelectorAll('.bulk-bar button')].find((each) => each.textContent.startsWith('Select all')).click()`,
    )
    await act('Confirm')
    await submit()
    await browser.wait(`document.querySelector('.job-card')?.innerText.match(/15\\d done/)`, 60_000)
    expect((await orders('&status=pending')).length).toBe(0)
    expect(browser.problems).toEqual([])
  }, 90_000)

  test('the bar and the cards have no accessibility violation in Arabic on a phone', async () => {
    await browser.visit(list, { language: 'ar', theme: 'dark', size: 'phone' })
    await browser.evaluate(`document.querySelector('.page-head .menu button').click()`)
    await browser.wait(`document.querySelector('.order-card input')`)
    await browser.evaluate(`document.querySelector('.order-card input').click()`)
    await browser.wait(`document.querySelector('.bulk-bar')`)
    expect([...(await browser.axe()), ...(await browser.outside())]).toEqual([])
    await browser.visit(list, { language: 'fr' })
    await choose(2)
    await Bun.sleep(300)
    expect([...(await browser.axe()), ...(await browser.outside())]).toEqual([])
  })
})
