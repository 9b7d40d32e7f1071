import { afterAll, describe, expect, test } from 'bun:test'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'
import { openAllDay, shopWithOrders } from '../../support/console-orders.ts'

describe('what waits, on the page of today', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const { ok, context } = app
  const { sql } = context
  await app.person('The administrator')
  const shop = await shopWithOrders(app, 3)
  const { storeId, projectId, owner, placed } = shop
  await openAllDay(app, shop)
  const browser = await openConsole(app)
  afterAll(() => browser.close())

  const confirm = (id: string | undefined) => ok('PATCH', `/v1/orders/${id}`, { as: owner.token, body: { status: 'confirmed' } })
  /** Rows of the page: the group, the words, and the path that a row leads to below the store. */
  const rows = () =>
    browser.evaluate<string[]>(`[...document.querySelectorAll('.today section')].flatMap((section) =>
      [...section.querySelectorAll('li')].map((row) => [
        section.querySelector('h2').innerText,
        row.querySelector('.kind').innerText,
        row.querySelector('a')?.getAttribute('href').replace('/console/${storeId}', '') ?? 'no link',
      ].join(' | ')))`)
  const member = async (role: string, permissions: readonly string[] | null) => {
    const person = await app.person('A colleague')
    await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: person.email, role, permissions } })
    return person
  }
  const signInAs = async (person: { readonly email: string }) => {
    await browser.forget()
    await browser.signIn(person)
  }

  test('a store where nothing waits says so', async () => {
    const empty = await app.shop()
    await signInAs(empty.owner)
    await browser.visit(`/console/${empty.storeId}/today`)
    expect(await browser.evaluate(`document.querySelector('main').innerText`)).toContain('Nothing waits for you.')
  })

  test('the owner begins with what waits, by group, and each row leads to the page that shows it', async () => {
    await confirm(placed[0]?.id)
    const [connection] = await sql<{ id: string }[]>`select id from integrations where project_id = ${projectId}`
    await sql`insert into parcels (project_id, tenant_id, id, reference, status, carrier_account_id, order_id, recipient, destination, cod_amount,
        declared_value, last_error)
      select ${projectId}, tenant_id, 'par_refused', 'R-1', 'created', ${connection?.id ?? ''}, ${placed[1]?.id ?? ''}, '{}', '{}', 1, 1,
        '{"code": "invalid", "message": "The phone number is wrong."}' from projects where id = ${projectId}`
    await sql`insert into remittances (project_id, connection_id, id, source, amount, parcels)
      values (${projectId}, ${connection?.id ?? ''}, 'bat_1', 'carrier', 100, 1)`
    await sql`update integrations set attention = 'Sign in again.', attention_since = now(), attention_operation = 'send' where project_id = ${projectId}`
    await drainChanges(context)

    await signInAs(owner)
    await browser.visit('/console')
    await browser.wait(`location.pathname === '/console/${storeId}/today' && document.querySelectorAll('.today li').length === 5`)
    expect(await rows()).toEqual([
      'Orders | 2 orders to confirm | /desk',
      `Parcels | 1 parcel was refused by its carrier | /orders/${placed[1]?.id}`,
      `Parcels | 1 order to send | /send`,
      'Money | 1 payout of a carrier to confirm | /cash',
      'Connections | 1 connection to repair | no link',
    ])

    await browser.evaluate(`document.querySelector('.today a[href$="${placed[1]?.id}"]').click()`)
    await browser.wait(`document.body.innerText.includes('${placed[1]?.reference}')`)
    await browser.press('g')
    await browser.press('h')
    await browser.wait(`document.querySelectorAll('.today li').length === 5`)
    await browser.evaluate(`document.querySelector('.today a[href$="/cash"]').click()`)
    await browser.wait(`document.querySelector('.payouts tbody tr')`)
    expect(browser.problems).toEqual([])
  }, 60_000)

  test('orders to send lead to the page that sends them, and a change appears by itself', async () => {
    await signInAs(owner)
    await browser.visit(`/console/${storeId}/today`)
    expect(await rows()).toContain('Orders | 2 orders to confirm | /desk')
    const another = await shop.place(4)
    await confirm(another.id)
    await browser.wait(`document.querySelector('.today').innerText.includes('2 orders to send')`, 50_000)
    await drainChanges(context)
    await browser.evaluate(`document.querySelector('.today a[href$="/send"]').click()`)
    await browser.wait(`document.querySelector('main h1')?.innerText === '2 orders to send'`)
  }, 90_000)

  test('an agent begins at the desk, on a phone too, and a packer sees parcels alone', async () => {
    await signInAs(await member('agent', null))
    await browser.visit('/console', { size: 'phone' })
    await browser.wait(`location.pathname === '/console/${storeId}/desk'`)
    expect(await browser.evaluate(`document.querySelector('.bottom-bar a').innerText.trim()`)).toBe('Confirm')
    await browser.visit(`/console/${storeId}/today`)
    expect((await rows()).map((row) => row.split(' | ')[0])).toEqual(['Orders', 'Parcels', 'Parcels'])

    await signInAs(await member('agent', ['parcels:read', 'parcels:write']))
    await browser.visit(`/console/${storeId}/today`)
    expect(await rows()).toEqual(['Parcels | 1 parcel was refused by its carrier | no link'])
  }, 60_000)

  test('somebody who can solve nothing has no place of today', async () => {
    await signInAs(await member('viewer', null))
    await browser.visit(`/console/${storeId}/orders`)
    expect(await browser.evaluate(`document.querySelector('.sidebar nav').innerText`)).not.toContain('Today')
  })
})
