import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { cashDesk, findCashDifferences } from '../../support/cash.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'

describe('cash in the console', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  await app.person('The administrator')
  const desk = await cashDesk(app)
  const { storeId } = desk
  const browser = await openConsole(app)
  afterAll(() => browser.close())
  await browser.signIn(desk.owner)
  afterEach(async () => {
    expect(await findCashDifferences(app.context.sql)).toEqual([])
    expect(browser.problems).toEqual([])
  })

  const page = () =>
    browser.evaluate<string>(`document.querySelector('main').innerText.replace(/[\\u2066-\\u2069]/g, '').replace(/\\s+/g, ' ')`)
  const rows = () =>
    browser.evaluate<string[]>(`[...document.querySelectorAll('main tbody tr')].map((row) => row.innerText.replace(/\\s+/g, ' ').trim())`)
  const choose = (name: string, content: string) =>
    browser.evaluate(`(() => {
      const chosen = new DataTransfer()
      chosen.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}))
      const field = document.querySelector('input[type=file]')
      field.files = chosen.files
      field.dispatchEvent(new Event('change', { bubbles: true }))
    })()`)
  /** Confirms the payout whose money is this amount, as the button names it. */
  async function confirm(amount: string) {
    const button = `document.querySelector('.page-head .button.primary')`
    await browser.wait(button)
    expect(await browser.evaluate<string>(`${button}.innerText.replace(/[\\u2066-\\u2069]/g, '').replace(/\\s/g, ' ')`)).toBe(
      `The ${amount} DA arrived`,
    )
    await browser.evaluate(`${button}.click()`)
  }
  /** Says what the column with a heading is. */
  const say = (heading: string, field: string) =>
    browser.evaluate(`(() => {
      const select = [...document.querySelectorAll('select')].find((each) => each.getAttribute('aria-label').includes(${JSON.stringify(heading)}))
      select.value = ${JSON.stringify(field)}
      select.dispatchEvent(new Event('change', { bubbles: true }))
    })()`)

  test('a payout file with strange headings is mapped, compared, confirmed and reversed', async () => {
    const [exact, short] = [await desk.deliver(3000), await desk.deliver(2000)]
    await desk.deliver(700)
    await browser.visit(`/console/${storeId}/orders`)
    await browser.press('g')
    await browser.press('m')
    await browser.wait(`document.querySelector('.holders')`)
    expect(await rows()).toEqual([expect.stringMatching(/5 700 DA .* 3 Payout file$/)])
    await browser.click('Payout file of Sandbox (rehearsal)')
    await browser.wait(`document.querySelector('input[type=file]')`)

    await choose(
      'novembre.csv',
      `Client;Zed;Q1;Q2\nLina;${exact.trackingId};3000;2600\nAli;${short.trackingId};1500;1500\nEva;LOST-1;90;90\n`,
    )
    await browser.wait(`document.querySelectorAll('.sample select').length === 4 && document.querySelector('.notice.bad')`)
    expect(await page()).toContain('The file cannot be imported yet.')
    await say('Zed', 'tracking')
    await browser.wait(`document.querySelector('.sample select').closest('main').ariaBusy !== 'true'`)
    await say('Q1', 'amount')
    await browser.wait(`document.querySelector('.outcome-counts')`)
    expect(await page()).toMatch(/Agrees 1 .*Too little 1 .*Unknown parcel 1/)
    expect(await desk.get('encaissements/batches')).toEqual([])

    await browser.click('Import 3 parcels')
    await browser.wait(`document.querySelector('.payout-lines')`)
    expect(await page()).toMatch(/1 delivered parcel is not in this payout 700 DA in all/)
    await browser.click('Too little1')
    await browser.wait(`document.querySelectorAll('.payout-lines tbody tr').length === 1`)
    expect(await rows()).toEqual([`${short.trackingId} Too little 2 000 DA 1 500 DA 0 DA 1 500 DA`])

    await confirm('4 590')
    await browser.wait(`document.querySelector('.payout-head .status.ok')`)
    expect((await desk.get('finance')).owed).toBe(700)
    await browser.click('Reverse')
    await browser.wait(`document.querySelector('dialog[open] form')`)
    await browser.evaluate(`document.querySelector('dialog form').requestSubmit()`)
    await browser.wait(`document.querySelector('.payout-head .status.over')`)
    expect((await desk.get('finance')).owed).toBe(5700)
  }, 90_000)

  test('the same file says that it was imported before, and leads to its payout', async () => {
    const parcel = await desk.deliver(450)
    const csv = `Tracking;Montant\n${parcel.trackingId};450\n`
    const payout = (await desk.upload(csv)).body.data
    await browser.visit(`/console/${storeId}/cash/import?carrier=sandbox`)
    await choose('again.csv', csv)
    await browser.click('Open the payout')
    await browser.wait(`location.search.includes(${JSON.stringify(payout.id)}) && document.querySelector('.payout-lines')`)
    await desk.confirm(payout.id)
  }, 60_000)

  test('payouts are listed by state, and one that is confirmed meanwhile is shown as confirmed', async () => {
    const parcel = await desk.deliver(900)
    const payout = await desk.payoutOf([[parcel.trackingId, 900]])
    await browser.visit(`/console/${storeId}/cash`)
    await browser.wait(`document.querySelectorAll('.payouts tbody tr').length === 1`)
    await browser.evaluate(`document.querySelector('.payouts .row-link').click()`)
    await browser.wait(`document.querySelector('.payout-lines')`)
    await desk.confirm(payout.id)
    await confirm('900')
    await browser.wait(`document.querySelector('.payout-head .status.ok')`)
    await browser.click('All cash')
    await browser.click('Confirmed')
    await browser.wait(
      `[...document.querySelectorAll('.payouts .status')].length >= 2 && [...document.querySelectorAll('.payouts .status')].every((each) => each.classList.contains('ok'))`,
    )
  }, 60_000)

  test('what is owed follows the changes of cash that the server tells of', async () => {
    await browser.visit(`/console/${storeId}/cash`)
    await browser.wait(`document.querySelector('.holders')`)
    const before = (await desk.get('finance')).owed
    await desk.deliver(1234)
    const { owed } = await desk.get('finance')
    expect(owed).toBe(before + 1234)
    await browser.evaluate(`new BroadcastChannel('serai.live.${storeId}').postMessage({ topic: 'cash', id: null })`)
    const shown = `document.querySelector('.holders').innerText.replace(/\\D/g, '')`
    await browser.wait(`${shown}.includes('${owed}')`, 20_000)
  }, 60_000)

  test('somebody with cash alone sees the cash, and nothing that answers with a refusal', async () => {
    const accountant = await app.person('Accountant')
    await app.context
      .sql`insert into store_members (store_id, user_id, role, permissions) values (${storeId}, ${accountant.id}, 'admin', '{cash:read}')`
    await browser.signIn(accountant)
    await browser.visit(`/console/${storeId}`)
    await browser.wait(`location.pathname.endsWith('/cash') && document.querySelector('.holders')`)
    expect(await browser.evaluate(`[...document.querySelectorAll('.sidebar nav a')].map((link) => link.textContent)`)).toEqual(['Cash'])
    expect(await page()).not.toContain('Payout file')
    expect(await page()).not.toContain('Ask the carriers')
    await browser.click('All')
    await browser.wait(`document.querySelectorAll('.payouts tbody tr').length >= 3`)
    await browser.evaluate(`document.querySelector('.payouts .row-link').click()`)
    await browser.wait(`document.querySelector('.payout-lines')`)
    expect(await browser.evaluate(`document.querySelectorAll('.page-head button').length`)).toBe(0)
    await browser.visit(`/console/${storeId}/cash/import?carrier=sandbox`)
    await browser.wait(`!document.querySelector('input[type=file]') && document.querySelector('main')`)
    await browser.signIn(desk.owner)
  }, 60_000)
})
