import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'
import { addMember, shopWithOrders } from '../../support/console-orders.ts'

const shownReferences = `[...document.querySelectorAll('[data-row] .row-link')].map((each) => each.textContent)`
const rowOf = (reference: string) =>
  `[...document.querySelectorAll('[data-row]')].find((row) => row.textContent.includes(${JSON.stringify(reference)}))`
const drawer = `document.querySelector('dialog.drawer[open]')`

describe('orders in a browser', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const shop = await shopWithOrders(app, 14)
  const { storeId, key, owner, placed } = shop
  const list = `/console/${storeId}/orders`
  const browser = await openConsole(app)
  afterAll(() => browser.close())
  beforeAll(() => browser.signIn(owner))
  const change = (id: string, body: object, as = key) => app.ok('PATCH', `/v1/orders/${id}`, { as, body })
  const statusOf = async (id: string) => (await app.ok('GET', `/v1/orders/${id}`, { as: key })).data.status
  const act = async (name: string) => {
    const button = `[...document.querySelectorAll('.action-bar button')].find((each) => each.textContent === ${JSON.stringify(name)})`
    await browser.wait(button)
    await browser.evaluate(`${button}.click()`)
  }
  const confirm = (at: number) => change(placed[at]!.id, { status: 'confirmed' })

  test('the filters of the address, the rows of the list and the CSV export name the same orders', async () => {
    const query = 'status=pending&stateCode=16&sort=-total'
    await browser.visit(`${list}?${query}`)
    const rows = await browser.evaluate<string[]>(shownReferences)
    const path = await browser.evaluate<string>(`document.querySelector('a[download]').getAttribute('href')`)
    const csv: string = (await app.call('GET', path, { as: owner.token })).body
    const exported = csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0])
    const { data } = await app.ok('GET', `/v1/orders?storeId=${storeId}&${query}`, { as: owner.token })
    expect(rows.length).toBeGreaterThan(2)
    expect(rows.length).toBeLessThan(placed.length)
    expect(rows).toEqual(data.map(({ reference }: { reference: string }) => reference))
    expect(exported).toEqual(rows)
  })

  test('back and forward keep the filters, the tab and the text of the search', async () => {
    await confirm(0)
    await browser.visit(list)
    await browser.evaluate(`document.querySelector('nav.tabs a[href*="status=confirmed"]').click()`)
    await browser.wait(`${shownReferences}.length === 1`)
    await browser.press('/', { code: 'Slash' })
    await browser.view.cdp('Input.insertText', { text: 'Nobody' })
    await browser.wait(`location.search === '?status=confirmed&q=Nobody' && document.querySelector('.empty')`)
    await browser.evaluate('history.back()')
    await browser.wait(`location.search === '?status=confirmed' && ${shownReferences}.length === 1`)
    expect(await browser.evaluate(`document.querySelector('input[type=search]').value`)).toBe('')
    await browser.evaluate('history.back()')
    await browser.wait(`location.search === '' && ${shownReferences}.length === ${placed.length}`)
    await browser.evaluate('history.forward()')
    await browser.wait(
      `location.search === '?status=confirmed' && document.querySelector('nav.tabs [aria-current]').textContent.startsWith('Confirmed')`,
    )
  })

  test('a filter that is saved under a name becomes a tab, for all of the store when it is shared', async () => {
    await browser.visit(`${list}?stateCode=31&sort=-total`)
    await browser.click('Save this filter')
    await browser.fill('Name', 'Oran <b>first</b>')
    await browser.click('Everybody in the store sees it')
    await browser.evaluate(`document.querySelector('dialog form').requestSubmit()`)
    const tab = `[...document.querySelectorAll('nav.tabs a')].find((each) => each.textContent === 'Oran <b>first</b>')`
    await browser.wait(`!document.querySelector('dialog') && ${tab}?.getAttribute('aria-current') === 'page'`)
    await browser.visit(list)
    await browser.wait(tab)
    await browser.evaluate(`${tab}.click()`)
    await browser.wait(`location.search === '?stateCode=31&sort=-total' && document.querySelector('.chip')`)
    const { data } = await app.ok('GET', `/v1/stores/${storeId}/saved-filters?page=orders`, { as: owner.token })
    expect(data).toMatchObject([{ name: 'Oran <b>first</b>', query: 'stateCode=31&sort=-total', isShared: true }])
    await browser.click('Delete this saved filter')
    await browser.wait(`!${tab} && document.querySelector('.chip')`)
  })

  test('the keyboard alone goes through the rows, chooses some, opens an order, goes on in the drawer and comes back', async () => {
    await browser.visit(list)
    for (const key of ['j', 'j', 'x', 'j', 'j', 'X'])
      await browser.press(key, { code: `Key${key.toUpperCase()}`, modifiers: key === 'X' ? 8 : 0 })
    await browser.wait(`document.querySelectorAll('[aria-selected=true]').length === 3`)
    const references = await browser.evaluate<string[]>(shownReferences)
    await browser.view.cdp('Input.dispatchKeyEvent', {
      type: 'keyDown',
      key: 'Enter',
      code: 'Enter',
      windowsVirtualKeyCode: 13,
      text: '\r',
    })
    await browser.wait(`${drawer}?.innerText.includes(${JSON.stringify(references[3])})`)
    await browser.press('j')
    await browser.wait(`${drawer}.querySelector('h2').textContent === ${JSON.stringify(references[4])}`)
    await browser.wait(`location.pathname.endsWith('/orders/' + ${JSON.stringify(placed.at(-5)!.id)})`)
    await browser.press('Escape')
    await browser.wait(`!${drawer} && location.pathname === ${JSON.stringify(list)}`)
    await browser.wait(`document.activeElement?.textContent === ${JSON.stringify(references[4])}`)
    await browser.press('Escape')
    await browser.wait(`document.querySelectorAll('[aria-selected=true]').length === 0`)
  })

  test('a scan opens its order over an open drawer too, and its letters are no keys of the page', async () => {
    const { id, reference } = placed[5]!
    await browser.visit(list)
    await browser.evaluate(`document.querySelector('[data-row] .row-link').click()`)
    await browser.wait(drawer)
    const heard = await browser.evaluate<string[]>(`(() => {
      const heard = []
      addEventListener('keydown', ({ key }) => heard.push(key))
      for (const key of [...${JSON.stringify(reference)}, 'Enter'])
        ${drawer}.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      return heard
    })()`)
    expect(heard).toEqual([reference[0]!])
    await browser.wait(`location.pathname.endsWith('/orders/${id}')`)
  })

  test('the address of an order that is opened directly shows it as a page, and leads back to the list', async () => {
    const { id, reference } = placed[5]!
    await browser.visit(`${list}/${id}?status=pending`)
    await browser.wait(`document.querySelector('h1').textContent === ${JSON.stringify(reference)} && document.querySelector('.timeline')`)
    expect(await browser.evaluate(`document.querySelector('dialog')`)).toBeNull()
    await browser.evaluate(`document.querySelector('.back').click()`)
    await browser.wait(`location.search === '?status=pending' && ${shownReferences}.length > 3`)
  })

  test('confirming shows at once in the order and its row, which keeps its place, and can be undone', async () => {
    const { id, reference } = placed[3]!
    await browser.visit(`${list}?status=pending`)
    const before = await browser.evaluate<string[]>(shownReferences)
    await browser.evaluate(`${rowOf(reference)}.querySelector('a').click()`)
    await act('Confirm')
    await browser.wait(`${rowOf(reference)}.textContent.includes('Confirmed') && document.querySelector('.toast')`)
    expect(await statusOf(id)).toBe('confirmed')
    expect(await browser.evaluate<string[]>(shownReferences)).toEqual(before)
    // The rest of the page cannot be reached while the drawer is open.
    await browser.wait(`document.querySelector('dialog.drawer .toast')`)
    await browser.click('Undo')
    await browser.wait(`${rowOf(reference)}.textContent.includes('To confirm')`)
    expect(await statusOf(id)).toBe('pending')
    expect(browser.problems).toEqual([])
  })

  test('cancelling asks for the reason, which the history shows with the name of the person', async () => {
    const { id } = placed[4]!
    await browser.visit(`${list}/${id}`)
    await browser.click('Cancel the order')
    await browser.fill('Reason', 'Too <b>far</b>')
    await browser.evaluate(`document.querySelector('dialog form').requestSubmit()`)
    await browser.wait(`document.querySelector('.timeline').innerText.includes('Too <b>far</b>')`)
    expect(await browser.evaluate(`document.querySelector('.timeline li').innerText`)).toMatch(/^Cancelled[\s\S]*Owner/)
    const { history } = (await app.ok('GET', `/v1/orders/${id}`, { as: key })).data
    expect(history.at(-1)).toMatchObject({ toStatus: 'cancelled', reason: 'Too <b>far</b>' })
  })

  test('postponing to a day brings the order back to the desk then, and the order shows the call', async () => {
    const { id } = placed[9]!
    await browser.visit(`${list}/${id}`)
    await browser.wait(`document.querySelector('.action-bar')`)
    await browser.click('Postpone')
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    await browser.wait(`document.querySelector('dialog input[name=day]')`)
    await browser.evaluate(`document.querySelector('dialog input[name=day]').value = '${day}'`)
    await browser.evaluate(`document.querySelector('dialog form').requestSubmit()`)
    await browser.wait(`!document.querySelector('dialog') && document.querySelector('.order').innerText.includes('1 call')`)
    expect(await browser.evaluate(`document.querySelector('.order').innerText`)).toMatch(/postponed[\s\S]*Owner · next call/)
    const { data } = await app.ok('GET', `/v1/orders/${id}`, { as: key })
    expect(data.status).toBe('postponed')
    expect(data.pastCalls[0].nextTryAt >= day).toBe(true)
  })

  test('an edit that a colleague was faster with says who changed the order, and shows it as it is now', async () => {
    const agent = await addMember(app, shop, 'agent', 'Nadia Ziani')
    const { id } = placed[6]!
    // Without the live stream, the page does not show the change by itself.
    await browser.view.cdp('Network.enable')
    await browser.view.cdp('Network.setBlockedURLs', { urls: ['*/live'] })
    await browser.visit(`${list}/${id}`)
    await browser.wait(`document.querySelector('.action-bar')`)
    await change(id, { status: 'confirmed' }, agent.token)
    await app.ok('POST', `/v1/stores/${storeId}/orders/${id}/carriers/sandbox/send`, { as: agent.token, body: {} })
    await act('Confirm')
    await browser.wait(`document.querySelector('.toast')?.innerText.includes('Nadia Ziani changed this order meanwhile: Sent')`)
    await browser.wait(`document.querySelector('.page-head .status').textContent === 'Sent'`)
    await browser.view.cdp('Network.setBlockedURLs', { urls: [] })
    browser.problems.length = 0
  })

  test('an open order shows what a colleague changes, without being asked', async () => {
    const { id } = placed[10]!
    await browser.visit(`${list}/${id}`)
    await browser.wait(`document.querySelector('.page-head .status')?.textContent === 'To confirm'`)
    await change(id, { status: 'confirmed' })
    await browser.wait(`document.querySelector('.page-head .status').textContent === 'Confirmed'`)
  })

  test('an order is assigned and sent with a carrier, and its label can be printed', async () => {
    const { id } = placed[7]!
    await change(id, { status: 'confirmed' })
    await browser.visit(`${list}/${id}`)
    await browser.click('Assign')
    await browser.click('Nadia Ziani')
    await browser.wait(`document.querySelector('.facts').innerText.includes('Nadia Ziani')`)
    // The navigation has a page of the same name.
    await browser.evaluate(
      `[...document.querySelectorAll('.action-bar button')].find((each) => each.textContent.startsWith('Send')).click()`,
    )
    await browser.wait(`document.querySelector('dialog input[name=carrier]')`)
    await browser.evaluate(`document.querySelector('dialog form').requestSubmit()`)
    await browser.wait(`document.querySelector('.parcel-item') && !document.querySelector('dialog')`)
    expect(await statusOf(id)).toBe('sent')
    const label = await browser.evaluate<string>(`document.querySelector('.action-bar a[target=_blank]').getAttribute('href')`)
    const answer = await fetch(app.origin + label, { headers: { authorization: `Bearer ${owner.token}` } })
    expect(answer.headers.get('content-type')).toBe('application/pdf')
  })

  test('orders that come later are counted by a button, and no row moves until it is pressed', async () => {
    await browser.visit(list)
    const before = await browser.evaluate<string[]>(shownReferences)
    await shop.place(1)
    const { reference } = await shop.place(2)
    // The live stream tells of them: the list itself looks only once a minute.
    await browser.wait(`document.querySelector('.new-rows')?.textContent === '2 new orders'`)
    expect(await browser.evaluate<string[]>(shownReferences)).toEqual(before)
    await browser.click('2 new orders')
    await browser.wait(`${shownReferences}[0] === ${JSON.stringify(reference)} && !document.querySelector('.new-rows')`)
  })

  test('names of customers and reasons are shown as text, whatever they contain', async () => {
    await browser.visit(list)
    expect(await browser.evaluate(`document.body.innerText.includes('<img src=x onerror=alert(1)>')`)).toBe(true)
    expect(await browser.evaluate(`document.querySelectorAll('img').length`)).toBe(0)
    expect(browser.problems).toEqual([])
  })

  test('a viewer sees no control that writes, neither in the list nor in an order', async () => {
    await browser.signIn(await addMember(app, shop, 'viewer', 'Viewer'))
    await browser.visit(list)
    expect(await browser.evaluate(`document.querySelectorAll('main input[type=checkbox]').length`)).toBe(0)
    const { id } = placed[8]!
    await browser.visit(`${list}/${id}`)
    await browser.wait(`document.querySelector('.timeline')`)
    expect(await browser.evaluate(`[...document.querySelectorAll('main button')].map((each) => each.textContent)`)).toEqual([])
    await browser.press('s')
    await Bun.sleep(100)
    expect(await browser.evaluate(`document.querySelector('dialog')`)).toBeNull()
    expect(browser.problems).toEqual([])
    await browser.signIn(owner)
  })
})
