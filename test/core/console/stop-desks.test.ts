import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { atlas, put } from '../../plugins/atlas.ts'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'
import { openAllDay } from '../../support/console-orders.ts'
import { scratchFolder } from '../../support/scratch.ts'

/** A second carrier with two desks in Algiers, one of which has the ID of a desk of the sandbox carrier. */
const desks = atlas({
  members: `
    states: () => [{ id: '16', code: '16', name: 'Alger', deliverable: true }],
    centers: () => [
      { id: 'SBC16', name: 'Atlas Hydra', stateId: '16', cityName: 'Hydra', address: '1 rue A' },
      { id: 'A2', name: 'Atlas Kouba', stateId: '16', cityName: 'Kouba', address: '2 rue B' },
    ],`,
})

describe('the choice of a stop desk, in a browser', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const folder = await scratchFolder()
  await put(join(folder, 'atlas'), { 'index.ts': desks })
  const app = await startApp({ adapterDirs: [folder] }, { socket: true })
  const shop = await app.shop({ settings: { deliveryPrices: { home: 600, pickup: 350 } } })
  await openAllDay(app, shop)
  const { storeId, key: as, owner } = shop
  for (const [carrier, credentials] of [['sandbox', {}] as const, ['atlas', { token: 'x' }] as const])
    await app.ok('PUT', `/v1/stores/${storeId}/integrations/${carrier}`, {
      as: owner.token,
      body: { enabled: true, credentials, settings: {} },
    })
  const { data: product } = await app.ok('POST', '/v1/products', { as, body: { storeId, name: 'Parfum Oud', price: 2600 } })
  let people = 0
  const order = async (destination: object) => {
    const place = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '12 rue', deliveryType: 'pickup', ...destination }
    const customer = { name: 'Lina', phone: `055012${String(++people).padStart(4, '0')}` }
    const body = { storeId, customer, destination: place, items: [{ productId: product.id, quantity: 1 }] }
    return (await app.ok('POST', '/v1/orders', { as, body })).data
  }
  const destinationOf = async (id: string) => (await app.ok('GET', `/v1/orders/${id}`, { as })).data.destination

  const browser = await openConsole(app)
  afterAll(() => browser.close())
  await browser.signIn(owner)

  const fieldOf = (label: string) => `[...document.querySelectorAll('label[for]')].find((each) => each.textContent === '${label}')?.control`
  const STOP_DESK = fieldOf('Stop desk')
  const CHOSEN = `${STOP_DESK}?.selectedOptions[0]?.textContent.replace(/[\\u2068\\u2069]/g, '')`
  const says = (text: string) => browser.wait(`${CHOSEN} === ${JSON.stringify(text)}`)
  const groups = () =>
    browser.evaluate<string[]>(
      `[...${STOP_DESK}.querySelectorAll('optgroup')].map(({ label, children }) => label + ': ' + [...children].map((each) => each.textContent.replace(/[\\u2068\\u2069]/g, '')).join(', '))`,
    )
  /** Presses Tab until a field has the focus. */
  async function tabTo(field: string): Promise<void> {
    for (let at = 0; at < 40; at += 1) {
      if (await browser.evaluate(`document.activeElement === (${field})`)) return
      await browser.press('Tab')
    }
    throw new Error(`No Tab leads to ${field}.`)
  }
  const chooseOption = async (label: string, text: string) => {
    const field = fieldOf(label)
    const option = `[...(${field})?.options ?? []].find((each) => each.textContent.replace(/[\\u2068\\u2069]/g, '').includes(${JSON.stringify(text)}))`
    await browser.wait(option)
    await browser.evaluate(
      `(() => { const select = ${field}; select.value = ${option}.value; select.dispatchEvent(new Event('change', { bubbles: true })) })()`,
    )
  }
  const choosePlace = async (label: string, text: string, found: string) => {
    await browser.fill(label, text)
    await browser.wait(`document.querySelector('[role=option]')?.textContent.includes(${JSON.stringify(found)})`)
    await browser.press('ArrowDown')
    await browser.press('Enter')
  }
  const edit = async ({ id }: { id: string }) => {
    await browser.visit(`/console/${storeId}/orders/${id}`)
    await browser.click('Edit')
    await browser.wait(`document.querySelector('.dialog-form')`)
  }
  const save = async () => {
    await browser.click('Save')
    await browser.wait(`!document.querySelector('.dialog-form')`)
  }

  test('a new order gets its stop desk by keyboard alone', async () => {
    await browser.visit(`/console/${storeId}/orders/new`)
    await choosePlace('Add a product', 'oud', 'Parfum Oud')
    await browser.fill('Phone', '0550 99 99 99')
    await browser.fill('Name', 'Amina')
    expect(await browser.evaluate(`Boolean(${STOP_DESK})`)).toBe(false)
    await tabTo(`document.querySelector('[type=radio][value=home]')`)
    await browser.press('ArrowRight')
    await browser.wait(STOP_DESK)
    await says('Nearest')
    await choosePlace('Wilaya', 'alg', '16 · Alger')
    await choosePlace('Commune', 'kouba', 'Kouba')
    await browser.wait(`${STOP_DESK}.options.length === 4`)
    // The carrier whose desk is nearest stands first, each with its nearest desk first.
    expect(await groups()).toEqual(['Atlas: Atlas Kouba · Kouba, Atlas Hydra · Hydra', 'Sandbox (rehearsal): Sandbox Alger · Alger Centre'])
    await tabTo(STOP_DESK)
    await browser.press('ArrowDown')
    await says('Atlas Kouba · Kouba')
    await browser.press('Enter')
    await tabTo(`document.querySelector('.form-actions [type=submit]')`)
    await browser.press('Enter')
    await browser.wait(`/\\/orders\\/ord_/.test(location.pathname)`)
    const id = await browser.evaluate<string>(`location.pathname.split('/').at(-1)`)
    expect(await destinationOf(id)).toMatchObject({ stateCode: '16', cityName: 'Kouba', deliveryType: 'pickup', pickupId: 'A2' })
    expect(browser.problems).toEqual([])
  }, 60_000)

  test('a change of the place or of the delivery type clears the stop desk, and the nearest is meant', async () => {
    const made = await order({ pickupId: 'A2' })
    await edit(made)
    await says('Atlas Kouba · Kouba')
    await choosePlace('Commune', 'hydra', 'Hydra')
    await says('Nearest')
    await chooseOption('Stop desk', 'Sandbox Alger')
    await browser.click('To the door')
    await browser.wait(`!${STOP_DESK}`)
    await browser.evaluate(`document.querySelector('.dialog-form [type=radio][value=pickup]').click()`)
    await says('Nearest')
    await save()
    expect(await destinationOf(made.id)).toMatchObject({ cityName: 'Hydra', deliveryType: 'pickup', pickupId: null })
  }, 60_000)

  test('a stop desk that no carrier lists any more stays chosen while something else changes', async () => {
    const made = await order({ pickupId: 'OLD7' })
    await edit(made)
    await says('OLD7 – not in the list now')
    await browser.fill('Address', '14 rue')
    await save()
    expect(await destinationOf(made.id)).toMatchObject({ address: '14 rue', pickupId: 'OLD7' })
    await edit(made)
    await says('OLD7 – not in the list now')
    await chooseOption('Stop desk', 'Nearest')
    await save()
    expect(await destinationOf(made.id)).toMatchObject({ pickupId: null })
  }, 60_000)

  test('of two desks with the same ID, the one that was chosen is shown as chosen', async () => {
    const made = await order({})
    await edit(made)
    for (const desk of ['Atlas Hydra · Hydra', 'Sandbox Alger · Alger Centre']) {
      await chooseOption('Stop desk', desk)
      await browser.evaluate('new Promise(requestAnimationFrame)')
      await says(desk)
    }
    await save()
    expect(await destinationOf(made.id)).toMatchObject({ pickupId: 'SBC16' })
  }, 60_000)

  test('a user without a right to the desks of carriers sees no field, and a change of place still clears the desk', async () => {
    const person = await app.person('Clerk')
    const permissions = ['orders:read', 'orders:write', 'products:read']
    await app.ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: person.email, role: 'agent', permissions } })
    const made = await order({ pickupId: 'A2' })
    await browser.signIn(person)
    await edit(made)
    await choosePlace('Commune', 'hydra', 'Hydra')
    expect(await browser.evaluate(`Boolean(${STOP_DESK})`)).toBe(false)
    await save()
    expect(await destinationOf(made.id)).toMatchObject({ cityName: 'Hydra', pickupId: null })
    await browser.signIn(owner)
  }, 60_000)

  test('at the desk, the agent chooses the stop desk by keyboard, and another commune clears it', async () => {
    // Only the order of this test waits for a call.
    const { data: waiting } = await app.ok('GET', `/v1/orders?storeId=${storeId}`, { as })
    for (const { id } of waiting) await app.ok('PATCH', `/v1/orders/${id}`, { as, body: { status: 'confirmed' } })
    const { id } = await order({ deliveryType: 'home' })
    await browser.visit(`/console/${storeId}/desk`)
    await browser.wait(`document.querySelector('main.desk')?.dataset.order === '${id}'`)
    await browser.press('e')
    await chooseOption('Delivered to', 'Stop desk')
    await browser.wait(`${STOP_DESK}?.options.length === 4`)
    await tabTo(STOP_DESK)
    await browser.press('ArrowDown')
    await browser.wait(`${CHOSEN} !== 'Nearest'`)
    await chooseOption('Commune', 'Kouba')
    await says('Nearest')
    await chooseOption('Stop desk', 'Atlas Kouba')
    await browser.evaluate('document.activeElement.blur()')
    await browser.press('1', { code: 'Digit1' })
    await browser.wait(`document.body.innerText.includes('Nothing to call now')`)
    expect(await destinationOf(id)).toMatchObject({ cityName: 'Kouba', deliveryType: 'pickup', pickupId: 'A2' })
    expect(browser.problems).toEqual([])
  }, 60_000)

  test('the field speaks the language of the page', async () => {
    const { id } = await order({ pickupId: 'OLD7' })
    for (const [language, button, label, gone] of [
      ['fr', 'Modifier', 'Stop desk', 'OLD7 – absent de la liste'],
      ['ar', 'تعديل', 'مكتب التوصيل', 'OLD7 – لم يعد في القائمة'],
    ] as const) {
      await browser.visit(`/console/${storeId}/orders/${id}`, { language, size: 'phone' })
      await browser.click(button)
      await browser.wait(`${fieldOf(label)}?.selectedOptions[0].textContent.replace(/[\\u2068\\u2069]/g, '') === ${JSON.stringify(gone)}`)
      expect(await browser.axe()).toEqual([])
      expect(await browser.outside()).toEqual([])
    }
  }, 60_000)
})
