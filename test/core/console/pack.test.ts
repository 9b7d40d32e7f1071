import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'
import { shopWithOrders } from '../../support/console-orders.ts'

describe('packing in the console', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const shop = await shopWithOrders(app, 2)
  const { storeId, placed } = shop
  const sent: { id: string; trackingId: string }[] = []
  for (const { id } of placed) {
    const path = `/v1/stores/${storeId}/orders/${id}/carriers/sandbox/send`
    sent.push((await app.ok('POST', path, { as: shop.key, body: { force: true } })).data.parcel)
  }
  const [first, second] = sent
  const recorded = () =>
    app.context.sql<{ id: string; packed: boolean; handedOver: boolean }[]>`
      select id, packed_at is not null as packed, handed_over_at is not null as handed_over from parcels
      where id = any (${sent.map(({ id }) => id)}) order by id`

  const browser = await openConsole(app)
  afterAll(() => browser.close())
  await browser.signIn(shop.owner)
  const results = () =>
    browser.evaluate<string[]>(`[...document.querySelectorAll('.scans li')].map((row) => row.innerText.replace(/\\s+/g, ' ').trim())`)
  /** Types as a scanner does, into the field that has the focus. */
  async function scan(code: string, count: number) {
    await browser.wait(`document.activeElement?.matches('.scan-form input')`)
    await browser.view.cdp('Input.insertText', { text: code })
    await browser.press('Enter')
    await browser.wait(`document.querySelectorAll('.scans li').length === ${count}`)
  }

  test('a scanner alone packs parcels, and each scan says whether it counted', async () => {
    await browser.visit(`/console/${storeId}/orders`)
    await browser.press('g')
    await browser.press('p')
    await scan(first?.trackingId ?? '', 1)
    expect((await results())[0]).toStartWith(`Recorded ${first?.trackingId}`)
    await scan(first?.trackingId ?? '', 2)
    expect((await results())[0]).toStartWith(`Recorded before ${first?.trackingId}`)
    await scan('NOBODY-1', 3)
    expect((await results())[0]).toBe('No parcel has this number NOBODY-1')
    expect((await recorded()).map(({ packed, handedOver }) => [packed, handedOver])).toEqual([
      [true, false],
      [false, false],
    ])
    expect(browser.problems).toEqual([])
  }, 60_000)

  test('another step begins with an empty list, and several codes are recorded at once', async () => {
    await browser.visit(`/console/${storeId}/pack`)
    await browser.click('Hand over')
    await browser.wait(`!document.querySelector('.scans')`)
    await scan(`${first?.trackingId} ${second?.trackingId}`, 2)
    expect((await recorded()).every(({ handedOver }) => handedOver)).toBe(true)
    await browser.click('Return in good condition')
    await scan(first?.trackingId ?? '', 1)
    expect((await results())[0]).toStartWith('Not on its way back')
  }, 60_000)

  test('a packer with parcels alone has the page, and somebody with orders alone has not', async () => {
    const member = await app.person('Packer')
    const mayDo = (permission: string) =>
      app.context
        .sql`insert into store_members (store_id, user_id, role, permissions) values (${storeId}, ${member.id}, 'agent', ${[permission, 'parcels:read']})
        on conflict (store_id, user_id) do update set permissions = excluded.permissions`
    await mayDo('parcels:write')
    await browser.signIn(member)
    await browser.visit(`/console/${storeId}/pack`)
    await browser.wait(`document.querySelector('.scan-form')`)
    await mayDo('orders:write')
    await browser.visit(`/console/${storeId}/pack`)
    expect(await browser.evaluate(`document.querySelector('.scan-form')`)).toBeNull()
    await browser.signIn(shop.owner)
  }, 60_000)
})
