import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { uploadSheet } from '../../support/cash.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'

/** Members by role, and two whose permissions narrow it. */
const members = [
  { name: 'viewer', role: 'viewer' },
  { name: 'agent', role: 'agent' },
  { name: 'admin', role: 'admin' },
  { name: 'packer', role: 'agent', permissions: ['orders:read', 'parcels:read', 'parcels:write'] },
  { name: 'accountant', role: 'admin', permissions: ['cash:read', 'cash:write'] },
  { name: 'catalogue keeper', role: 'admin', permissions: ['products:read', 'products:write'] },
] as const
const PAGES = [
  ...['today', 'desk', 'orders', 'orders/ord', 'orders/new', 'send', 'pack', 'customers'],
  ...['cash', 'cash/payout?carrier=sandbox&id=rem', 'cash/import?carrier=sandbox'],
]
/** Clicks on one page at most: more than any page has controls. */
const MOST_CLICKS = 60

/** Clicks the first visible control of the page, or of its open dialog, that was not clicked yet. Returns its text; null when none is left. */
const clickNext = (clicked: readonly string[]) => `(() => {
  const clicked = new Set(${JSON.stringify(clicked)})
  const textOf = (element) => (element.textContent || element.ariaLabel || '').trim()
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled
  const within = document.querySelector('dialog[open]') ?? document.querySelector('main')
  const find = (root) => [...root.querySelectorAll('button, [role=tab], input[type=checkbox]')].filter(isShown).find((element) => !clicked.has(textOf(element)))
  const next = find(within) ?? find(document.querySelector('main'))
  if (!next) return null
  const text = textOf(next)
  next.click()
  return text
})()`

describe('what each role sees of the console, in a browser', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const { ok } = app
  const shop = await app.shop({ name: 'Boutique Lina' })
  const { storeId, owner } = shop
  await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, {
    as: owner.token,
    body: { enabled: true, credentials: { webhookSecret: 'a secret' }, settings: {} },
  })
  const { data: product } = await ok('POST', '/v1/products', {
    as: owner.token,
    body: { storeId, name: 'Basket', sku: 'B-1', price: 6500, status: 'active', initialStock: 100 },
  })
  const orders: string[] = []
  for (let at = 0; at < 12; at += 1) {
    const { data: order } = await ok('POST', '/v1/orders', {
      as: owner.token,
      body: {
        storeId,
        customer: { name: `Customer ${at}`, phone: `05500000${at + 10}` },
        destination: { country: 'DZ', stateCode: '16', cityName: 'Hydra', address: 'rue 1', deliveryType: 'home' },
        items: [{ productId: product.id, quantity: 1 }],
      },
    })
    orders.push(order.id)
  }
  const sheets = `/v1/stores/${storeId}/integrations/sandbox/encaissements/import`
  const payout = (await uploadSheet(app, sheets, 'Tracking;Montant\nSBX-1;4500\n', { as: owner.token })).body.data
  const browser = await openConsole(app)
  afterAll(() => browser.close())
  const refused: string[] = []
  await browser.view.cdp('Network.enable')
  browser.view.addEventListener('Network.responseReceived', (event) => {
    const { response } = (event as MessageEvent<{ response: { status: number; url: string } }>).data
    if (response.status === 403) refused.push(response.url)
  })

  test.each(members)(
    'no visible control of a member answers 403: $name',
    async ({ name, role, ...rest }) => {
      const person = await app.person(name)
      await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: person.email, role, ...rest } })
      await browser.forget()
      await browser.signIn(person)
      const clicks: string[] = []
      for (const page of PAGES) {
        const path = `/console/${storeId}/${page.replace(/ord$/, orders.at(-1 - members.findIndex((each) => each.name === name)) ?? '').replace(/rem$/, payout.id)}`
        const clicked: string[] = []
        for (let at = 0; at < MOST_CLICKS; at += 1) {
          if (at === 0 || (await browser.evaluate('location.pathname + location.search')) !== path) await browser.visit(path)
          const text = await browser.evaluate<string | null>(clickNext(clicked))
          if (text === null) break
          clicked.push(text)
          await Bun.sleep(60)
        }
        clicks.push(...clicked)
        await browser.settled()
      }
      expect(refused).toEqual([])
      expect(clicks.length).toBeGreaterThan(name === 'admin' ? 15 : -1)
    },
    120_000,
  )
})
