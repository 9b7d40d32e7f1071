import { afterAll, describe, expect, test } from 'bun:test'
import { noticeResponse } from '../../../core/http/pages/notice-page.ts'
import { createSignInLink } from '../../../core/identity/codes/sign-in-link.ts'
import { startApp } from '../../support/app.ts'
import { chromium, elsewhere } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'
import { openProviders } from '../../support/social.ts'
import { bytesOf, codeFromNow } from '../../support/totp.ts'

const PASSWORD = 'correct horse'
const WAIT_MS = 60_000

/** In a real browser, by each means that a person has. */
describe('signing in to the console, in Chromium', async () => {
  if (chromium === null) return test.skip('there is no Chromium here', () => {})
  const app = await startApp({}, { socket: true })
  const { ok } = app
  const browser = await openConsole(app)
  afterAll(() => browser.close())
  const isIn = (name: string) => browser.wait(`document.body.innerText.includes(${JSON.stringify(name)})`)

  test(
    'a passkey of the device signs in without a word typed',
    async () => {
      const shop = await app.shop({ name: 'By passkey' })
      await browser.forget()
      await browser.visit('/console')
      await browser.view.cdp('WebAuthn.enable')
      await browser.view.cdp('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      await browser.evaluate(`(async () => {
        const ask = async (path, body) => (await fetch('/v1/passkeys/register/' + path, { method: 'POST', body: body && JSON.stringify(body),
          headers: { authorization: 'Bearer ${shop.owner.token}', ...(body && { 'content-type': 'application/json' }) } })).json()
        const { data } = await ask('start')
        const credential = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(data.options) })
        return ask('finish', { id: data.id, response: credential.toJSON() })
      })()`)
      await browser.click('Sign in with a passkey')
      await isIn('By passkey')
      expect(browser.problems).toEqual([])
    },
    WAIT_MS,
  )

  test(
    'a second factor is asked for after the password, and by a link too',
    async () => {
      const { owner } = await app.shop({ name: 'With a factor' })
      const path = '/v1/users/auth/second-factor'
      const { data } = await ok('POST', path, { as: owner.token, body: { currentPassword: PASSWORD } })
      const secret = bytesOf(data.secret)
      await ok('POST', `${path}/confirm`, { as: owner.token, body: { secondFactor: codeFromNow(secret) } })
      await browser.forget()
      await browser.visit('/console')
      await browser.fill('E-mail', owner.email)
      await browser.fill('Password', PASSWORD)
      await browser.click('Sign in')
      await browser.fill('Code of your authenticator app', codeFromNow(secret, 1))
      await browser.click('Sign in')
      await isIn('With a factor')
      await browser.forget()
      await browser.visit(`/console/link#${await createSignInLink(app.context.sql, owner.email)}`)
      await browser.wait(`!location.href.includes('ml_')`)
      await browser.click('Sign in with this link')
      await browser.wait(`document.querySelector('[name=secondFactor]')`)
    },
    WAIT_MS,
  )

  test(
    'a link of the operator signs in once',
    async () => {
      const { owner } = await app.shop({ name: 'By link' })
      const link = `/console/link#${await createSignInLink(app.context.sql, owner.email)}`
      await browser.forget()
      await browser.visit(link)
      // Another language shows the page anew, and keeps the link.
      await browser.click('Français')
      await browser.click('Se connecter avec ce lien')
      await isIn('By link')
      await browser.forget()
      await browser.visit(link)
      await browser.click('Sign in with this link')
      await isIn('This link was used or has expired')
    },
    WAIT_MS,
  )

  test(
    'the path that was wanted is shown after a sign-in, and nothing in an address leads elsewhere',
    async () => {
      browser.problems.length = 0
      const { owner, storeId } = await app.shop({ name: 'By path' })
      const signInByLink = async () => {
        await browser.visit(`/console/link#${await createSignInLink(app.context.sql, owner.email)}`)
        await browser.click('Sign in with this link')
      }
      await browser.forget()
      await browser.visit(`/console/${storeId}/orders?status=pending`)
      await browser.wait(`document.querySelector('[name=password]')`)
      await signInByLink()
      await browser.wait(`location.pathname + location.search === '/console/${storeId}/orders?status=pending'`)
      for (const next of ['//evil.example', '/\\\\evil.example', 'https://evil.example']) {
        await browser.visit(`/console/sign-in?next=${encodeURIComponent(next)}`)
        await browser.wait(`location.pathname === '/console/${storeId}/today'`)
        expect(await browser.evaluate('location.origin')).toBe(browser.origin)
      }
      expect(browser.problems).toEqual([])
    },
    WAIT_MS,
  )

  test(
    'the page of a mailed link hands the account to the sign-in in the fragment, which no log shows',
    async () => {
      const page = await noticeResponse({ language: 'en', title: 'T', tone: 'good', text: 'T', goesOnAs: 'a+b@example.dz' }).text()
      const [, href = ''] = /href="([^"]*sign-in[^"]*)"/.exec(page) ?? []
      expect(new URL(href, browser.origin).search).toBe('')
      await browser.forget()
      await browser.visit(href)
      await browser.wait(`document.querySelector('[name=email]')?.value === 'a+b@example.dz'`)
    },
    WAIT_MS,
  )

  test(
    'an account at a provider signs in, and a ticket from elsewhere does not',
    async () => {
      const host = 'shop.example'
      const providers = await openProviders()
      const shops = await startApp({ publicUrl: `https://${host}`, simulators: providers.simulators }, { socket: true })
      await providers.connect(shops, await shops.person('The administrator'))
      const outside = await openConsole(shops, {
        origin: `https://${host}`,
        sites: {
          ...Object.fromEntries(Object.entries(providers.simulators).map(([each, url]) => [each, elsewhere(url)])),
          [host]: elsewhere(shops.origin),
        },
      })
      providers.google.books.state.account = { subject: 'g-1', email: 'social@example.dz', emailVerified: true, name: 'Lina' }
      await outside.visit('/console')
      await outside.click('Continue with Google')
      await outside.fill('Name of the store', 'By Google')
      expect(await outside.evaluate('location.href')).not.toMatch(/ticket|st_/)
      await outside.forget()
      await outside.visit('/console/social-return#provider=google&ticket=invented')
      await outside.wait(`document.body.innerText.includes('did not finish')`)
      await outside.close()
      await providers.stop()
    },
    WAIT_MS,
  )
})
