import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'
import { shopWithOrders } from '../../support/console-orders.ts'

/** Copies an order, so that a store has a long list within a second. */
const ROWS = 10_000

describe('a long list of orders in a browser', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const shop = await shopWithOrders(app, 1)
  const { sql } = app.context
  const columns = await sql<{ name: string }[]>`select column_name as name from information_schema.columns
    where table_name = 'orders' and column_name not in ('id', 'reference', 'parcel_id', 'reservation_id')`
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  await sql.unsafe(`insert into orders (id, reference, ${names})
    select 'ord_00' || lpad(n::text, 24, '0'), 'R' || n, ${names} from orders, generate_series(1, ${ROWS}) n where id = '${shop.placed[0]!.id}'`)
  const browser = await openConsole(app)
  afterAll(() => browser.close())

  test('the rows of a page of a hundred appear soon after a click', async () => {
    await browser.signIn(shop.owner)
    await browser.visit(`/console/${shop.storeId}/orders?status=lost`)
    const ms = await browser.evaluate<number>(`(async () => {
      const began = performance.now()
      document.querySelector('nav.tabs a').click()
      while (!document.querySelector('[data-row="20"]')) await new Promise((resolve) => requestAnimationFrame(resolve))
      return performance.now() - began
    })()`)
    console.log(`100 of ${ROWS} rows in ${Math.round(ms)} ms`)
    // The budget is 150 ms, which the bench measures; machines of tests are busy.
    expect(ms).toBeLessThan(10_000)
  })

  test('ten thousand rows can be scrolled through, while only those near the window are drawn', async () => {
    await browser.visit(`/console/${shop.storeId}/orders`)
    const began = performance.now()
    await browser.evaluate(`(() => { window.scroller = setInterval(() => scrollTo(0, document.documentElement.scrollHeight), 20) })()`)
    await browser.wait(`document.querySelector('[data-row="${ROWS}"]')`, 120_000)
    await browser.evaluate('clearInterval(window.scroller)')
    console.log(`${ROWS} rows in ${Math.round(performance.now() - began)} ms`)
    expect(await browser.evaluate<number>(`document.querySelectorAll('[data-row]').length`)).toBeLessThan(100)
    expect(
      await browser.evaluate(
        `new Set([...document.querySelectorAll('.row-link')].map((each) => each.textContent)).size === document.querySelectorAll('.row-link').length`,
      ),
    ).toBe(true)
  }, 150_000)

  test('a key moves on soon at the end of ten thousand rows', async () => {
    await browser.evaluate(`document.querySelector('[data-row="${ROWS - 20}"] .row-link').focus()`)
    const times = await browser.evaluate<number[]>(`(async () => {
      const times = []
      for (let at = 0; at < 15; at += 1) {
        const began = performance.now()
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', code: 'KeyJ', repeat: true, bubbles: true, cancelable: true }))
        await new Promise((resolve) => setTimeout(resolve))
        times.push(performance.now() - began)
      }
      return times
    })()`)
    await browser.wait(`document.activeElement.closest('[data-row]')?.dataset.row === '${ROWS - 5}'`)
    const median = times.toSorted((a, b) => a - b)[7]!
    console.log('ms per key', median)
    // The budget is 25 ms, which the bench measures; machines of tests are busy.
    expect(median).toBeLessThan(500)
  })
})
