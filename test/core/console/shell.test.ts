import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'

const app = await startApp({}, { socket: true })
const get = (path: string, headers: Record<string, string> = {}) => fetch(app.origin + path, { redirect: 'manual', headers })

test('the start of the server leads to the console', async () => {
  const response = await get('/')
  expect([response.status, response.headers.get('location')]).toEqual([302, '/console'])
})

test("the domain of a store does not lead its customers to the console, as the server's own does", async () => {
  const server = await startApp({ publicUrl: 'https://serai.example' })
  const { storeId } = await server.shop()
  await server.context
    .sql`insert into store_domains (store_id, id, host, proof, state) values (${storeId}, 'dom_1', 'shop.example', 'p', 'live')`
  const ask = async (host: string) => (await server.handle(new Request(`http://${host}/`))).status
  expect([await ask('shop.example'), await ask('serai.example')]).toEqual([404, 302])
})

test('the page allows its own scripts alone, and is asked for anew each time', async () => {
  for (const path of ['/console', '/console/sto_1/orders/ord_1']) {
    const response = await get(path)
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ])
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(await response.text()).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/)
  }
})

test('the files of the page are compressed, kept for a year, and gone under any other name', async () => {
  const page = await (await get('/console')).text()
  const files = [...page.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  expect(files).toHaveLength(2)
  for (const path of files) {
    const response = await get(path, { 'accept-encoding': 'gzip' })
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect((await response.bytes()).length).toBeGreaterThan(1_000)
  }
  for (const refused of ['gzip;q=0', '*;q=0', 'gzip;q=0, *', 'identity'])
    expect([refused, (await get(files[0]!, { 'accept-encoding': refused })).headers.get('content-encoding')]).toEqual([refused, null])
  for (const path of ['/console/assets/main-00000000.js', '/console/fonts/none.woff2', '/console/assets/..%2f..%2fapp.ts'])
    expect((await get(path)).status).toBe(404)
  expect((await get('/console/fonts/inter-latin-5.3.0.woff2')).headers.get('content-type')).toBe('font/woff2')
})

test('a server without the console has neither page nor session', async () => {
  const { origin } = await startApp({ console: false }, { socket: true })
  for (const path of ['/', '/console', '/console/setup']) expect((await fetch(origin + path, { redirect: 'manual' })).status).toBe(404)
})

describe('in a browser', () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})

  test('a new server leads through the first account and the first store, in Arabic on a phone', async () => {
    const browser = await openConsole(app)
    afterAll(() => browser.close())
    await browser.visit('/', { language: 'ar', size: 'phone' })
    expect(await browser.evaluate('document.documentElement.dir')).toBe('rtl')
    await browser.fill('اسمك', 'أمينة')
    await browser.fill('البريد الإلكتروني', 'amina@example.dz')
    await browser.fill('كلمة السر', 'correct horse')
    await browser.click('إنشاء الحساب')
    await browser.fill('اسم المتجر', 'متجر لينا')
    await browser.wait(`document.querySelector('option[value=DZ]')`)
    await browser.evaluate(`document.querySelector('select').value = 'DZ'`)
    await browser.click('إنشاء المتجر')
    await browser.click('ربط الشركة التجريبية')
    await browser.fill('رقم هاتفك', '0550 12 34 56')
    await browser.click('إنشاء منتج وطلب')
    await browser.wait(`location.pathname.endsWith('/desk')`)
    const orders = await browser.evaluate(
      `fetch('/v1/orders?storeId=' + location.pathname.split('/')[2]).then((answer) => answer.json()).then(({ data }) => data)`,
    )
    expect(orders).toMatchObject([{ status: 'pending', items: [{ quantity: 1 }], totals: { subtotal: 2500 } }])
    expect(await browser.evaluate('document.cookie')).toBe('')
    expect(browser.problems).toEqual([])
  }, 60_000)

  test('opens the first store of somebody with several, and then the one used last', async () => {
    const { owner, storeId } = await app.shop()
    const body = { name: 'Second', countryCode: 'DZ', currencyCode: 'DZD' }
    const { data: second } = await app.ok('POST', '/v1/stores', { as: owner.token, body })
    const browser = await openConsole(app)
    afterAll(() => browser.close())
    await browser.forget()
    await browser.signIn(owner)
    const opened = async () => {
      await browser.visit('/console')
      await browser.wait(`location.pathname.split('/').length > 3`)
      return browser.evaluate<string>(`location.pathname.split('/')[2]`)
    }
    expect(await opened()).toBe(storeId)
    await browser.visit(`/console/${second.id}/customers`)
    expect(await opened()).toBe(second.id)
    await browser.evaluate(`localStorage.setItem('serai.store', 'sto_of_somebody_else')`)
    expect(await opened()).toBe(storeId)
  }, 60_000)

  test('a page whose file is gone loads the new version once, and says so', async () => {
    const { owner, storeId } = await app.shop()
    const browser = await openConsole(app)
    afterAll(() => browser.close())
    await browser.forget()
    await browser.signIn(owner)
    await browser.visit(`/console/${storeId}/orders`)
    let failed = 0
    browser.view.addEventListener('Fetch.requestPaused', (event) => {
      const { requestId } = (event as MessageEvent).data as { requestId: string }
      failed += 1
      // The page and its words are asked for at once. What is still held when the first has failed goes on.
      if (failed > 1) return
      void browser.view.cdp('Fetch.failRequest', { requestId, errorReason: 'Failed' }).then(() => browser.view.cdp('Fetch.disable'))
    })
    await browser.view.cdp('Fetch.enable', { patterns: [{ urlPattern: '*/console/assets/*' }] })
    // As if the page ran another script than the server has now.
    await browser.evaluate(`document.querySelector('script[src]').remove()`)
    await browser.click('Customers')
    await browser.wait(`document.querySelector('.toast')?.textContent === 'The console was updated to a new version.'`)
    await browser.wait(`location.pathname.endsWith('/customers') && document.querySelector('main h1')`)
    expect(failed).toBeGreaterThan(0)
  }, 60_000)

  test('signs in with a password, says what is wrong, and signs out', async () => {
    const owner = (await app.shop({ name: 'Boutique Lina' })).owner
    const browser = await openConsole(app)
    afterAll(() => browser.close())
    await browser.forget()
    await browser.visit('/console')
    await browser.fill('E-mail', owner.email)
    await browser.fill('Password', 'wrong horse')
    await browser.click('Sign in')
    await browser.wait(`document.querySelector('[role=alert]')`)
    await browser.fill('Password', 'correct horse')
    await browser.click('Sign in')
    await browser.wait(`document.body.innerText.includes('Boutique Lina')`)
    await browser.evaluate('globalThis.isOldPage = true')
    await browser.click('Owner')
    await browser.click('Sign out')
    await browser.wait(`globalThis.isOldPage === undefined && document.querySelector('input[type=password]')`)
    expect(await browser.evaluate(`[location.pathname, sessionStorage.length]`)).toEqual(['/console', 0])
    expect(await browser.evaluate(`fetch('/v1/me').then(({ status }) => status)`)).toBe(401)
  }, 60_000)

  test('a session that ended leads to the sign-in as soon as something is read', async () => {
    const { owner, storeId } = await app.shop({ name: 'Boutique Lina' })
    const browser = await openConsole(app)
    afterAll(() => browser.close())
    await browser.signIn(owner)
    await browser.visit(`/console/${storeId}/orders`)
    await browser.forget()
    await browser.click('Customers')
    await browser.wait(`document.querySelector('input[type=password]')`)
  }, 60_000)

  test('a member whose rights have no page is told so, and not that the page does not exist', async () => {
    const { owner, storeId } = await app.shop({ name: 'Boutique Lina' })
    const person = await app.person('Auditor')
    const body = { email: person.email, role: 'admin', permissions: ['audit:read'] }
    await app.ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body })
    const browser = await openConsole(app)
    afterAll(() => browser.close())
    await browser.signIn(person)
    await browser.visit('/console')
    await browser.wait(`document.querySelector('h1')?.textContent === 'You have no access to a page of this store'`)
    expect(browser.problems).toEqual([])
  }, 60_000)
})
