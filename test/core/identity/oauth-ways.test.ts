import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium, elsewhere, openChromium } from '../../support/chromium.ts'
import { letterTo } from '../../support/letters.ts'
import { CALLBACK, newApp, newVerifier, openBrowser } from '../../support/oauth.ts'
import { openProviders } from '../../support/social.ts'

const HOST = 'shop.example'
const WAIT_MS = 60_000
const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
}

const providers = await openProviders()
afterAll(() => providers.stop())
const app = await startApp({ publicUrl: `https://${HOST}`, simulators: providers.simulators }, { socket: true })
const admin = await app.person('The administrator')
await providers.connect(app, admin)
const { owner } = await app.shop({ name: 'Boutique' })
const made = await newApp(app, await app.person('Maker'))

const pathOfPage = (more: Record<string, string> = {}) => {
  const query = { client_id: made.id, redirect_uri: CALLBACK, response_type: 'code', scope: 'stores:read', state: 's' }
  const challenge = { code_challenge: newVerifier().challenge, code_challenge_method: 'S256' }
  return `/oauth/authorize?${new URLSearchParams({ ...query, ...challenge, ui_locales: 'en', ...more })}`
}

describe('the sign-in page without JavaScript', () => {
  test('keeps the typed address when the password is wrong, as text and not as markup', async () => {
    const browser = openBrowser(app)
    await browser.ask(pathOfPage())
    const page = await browser.press('sign-in', { email: owner.email, password: 'wrong password' })
    expect(page.status).toBe(401)
    expect(page.text).toContain(`value="${owner.email}"`)
    const odd = await browser.press('sign-in', { email: '"><b>@example.dz', password: 'wrong password' })
    expect(odd.text).toContain('value="&quot;&gt;&lt;b&gt;@example.dz"')
  })

  test.each(['en', 'fr', 'ar'])(
    'mails a link to choose a new password, in %s, and says the same where there is no account',
    async (language) => {
      const browser = openBrowser(app)
      await browser.ask(pathOfPage({ ui_locales: language }))
      const known = await browser.press('forgot', { email: owner.email })
      expect([known.status, known.text.includes('role="status"')]).toEqual([200, true])
      await letterTo(app, owner.email, { en: 'password', fr: 'mot de passe', ar: 'كلمة' }[language] ?? '')
      const unknown = await browser.press('forgot', { email: `nobody-${language}@example.dz` })
      expect(unknown.text.replaceAll(`nobody-${language}@example.dz`, owner.email).replace(/nonce="\w+"/, '')).toBe(
        known.text.replace(/nonce="\w+"/, ''),
      )
      expect((await browser.press('forgot', { email: '' })).status).toBe(400)
    },
  )

  test('takes no form of another site', async () => {
    const answer = await fetch(app.origin + pathOfPage(), {
      method: 'POST',
      body: new URLSearchParams({ action: 'social', provider: 'google' }),
      redirect: 'manual',
    })
    expect(answer.status).toBe(403)
  })

  test('refuses what is no answer of an authenticator', async () => {
    for (const passkey of ['', 'x', '{}', '{"id":"x","response":{}}']) {
      const browser = openBrowser(app)
      await browser.ask(pathOfPage())
      const page = await browser.press('passkey', { passkey })
      expect([page.status, page.text.includes('The passkey did not work')]).toEqual([400, true])
    }
  })

  test('allows one script by a nonce and no other', async () => {
    const browser = openBrowser(app)
    const policies = await Promise.all([1, 2].map(async () => (await browser.ask(pathOfPage())).headers.get('content-security-policy')))
    expect(policies[0]).toMatch(/script-src 'nonce-\w{20,}'; connect-src 'self'$/)
    expect(policies[0]).not.toBe(policies[1])
    expect(policies[0]).not.toContain("script-src 'self'")
  })

  test('offers no provider that is switched off', async () => {
    const browser = openBrowser(app)
    expect((await browser.ask(pathOfPage())).text).toContain('value="google"')
    await app.context.sql`update integrations set enabled = false where key = 'google' and project_id = ''`
    expect((await browser.ask(pathOfPage())).text).not.toContain('value="google"')
    await app.context.sql`update integrations set enabled = true where key = 'google' and project_id = ''`
  })
})

describe('the sign-in page, in Chromium', async () => {
  if (chromium === null) return test.skip('there is none here', () => {})
  const browser = await openChromium({
    ...Object.fromEntries(Object.entries(providers.simulators).map(([host, url]) => [host, elsewhere(url)])),
    [HOST]: elsewhere(app.origin),
    [new URL(CALLBACK).host]: () => new Response('<!doctype html><p>Back at the desk.</p>', { headers: { 'content-type': 'text/html' } }),
  })
  afterAll(() => browser.close())
  const { view, reads } = browser
  /** Also below what can be seen without moving the page. */
  const press = (selector: string) => view.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`)
  const open = () => view.navigate(`https://${HOST}${pathOfPage()}`)

  test.each(['google', 'apple', 'facebook'] as const)(
    'leads to %s and back to the question of the app',
    async (slug) => {
      await browser.forget()
      await browser.speaks('en')
      providers[slug].books.state.account = { subject: `w-${slug}`, email: `ways-${slug}@example.dz`, emailVerified: true, name: 'Amel' }
      await open()
      await reads(/Forgot your password/)
      expect(await browser.fits()).toBe(true)
      await press(`form:has(input[value=${slug}]) button[value=social]`)
      expect(await reads(/wants to act as you/)).toContain(`ways-${slug}@example.dz`)
      await press('button[value=allow]')
      await reads(/Back at the desk/)
    },
    WAIT_MS,
  )

  test(
    'signs in with a passkey by the page’s own script',
    async () => {
      await browser.forget()
      await view.navigate(`https://${HOST}/health/live`)
      await view.cdp('WebAuthn.enable')
      await view.cdp('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR })
      const registered = await view.evaluate(`(async () => {
        const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + ${JSON.stringify(owner.token)} }
        const ask = async (path, body) => (await fetch('/v1/passkeys/' + path, { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) })).json()
        const { data } = await ask('register/start')
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data.options)
        const made = await ask('register/finish', { id: data.id, response: (await navigator.credentials.create({ publicKey })).toJSON() })
        return JSON.stringify(made)
      })()`)
      expect(String(registered)).toContain('"name"')
      await open()
      await reads(/Sign in with a passkey/)
      await press('#passkey button')
      expect(await reads(/wants to act as you/)).toContain(owner.email)
    },
    WAIT_MS,
  )
})
