import { describe, expect, test } from 'bun:test'
import { scopes } from '../../../core/http/auth/scopes.ts'
import { languages } from '../../../core/http/pages/language.ts'
import { authorizeMessages } from '../../../core/identity/oauth/authorize/messages.ts'
import { startApp } from '../../support/app.ts'
import { CALLBACK, newApp, openBrowser } from '../../support/oauth.ts'

const app = await startApp({ trustedProxies: 1 }, { socket: true })
const { call, ok, origin } = app
await app.person('The administrator')
const maker = await app.person('Maker')
const shop = await app.shop({ name: 'Boutique <b>' })
const made = await newApp(app, maker, { name: 'Étagère <script>alert(1)</script> "x"' })
const addressOf = (change: Record<string, string> = {}, id = made.id) =>
  `/oauth/authorize?${new URLSearchParams({ client_id: id, redirect_uri: CALLBACK, response_type: 'code', scope: 'stores:read orders:write', state: 's', ...change })}`
const parametersOf = (location: string | null) => Object.fromEntries(new URL(location!).searchParams)

describe('a page', () => {
  test('runs nothing, is framed by nobody, and kept nowhere', async () => {
    const { headers, text, status } = await openBrowser(app).ask(addressOf())
    expect(status).toBe(200)
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    // Browsers would stop the person at what comes after the app's own address.
    expect(policy).not.toContain('form-action')
    expect([headers.get('x-frame-options'), headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'DENY',
      'no-store',
      'no-referrer',
    ])
    expect(policy).toMatch(/script-src 'nonce-\w+'; connect-src 'self'$/)
    expect(text.match(/<script/g)).toEqual(['<script'])
    expect(text).toContain('name="viewport" content="width=device-width')
  })

  test.each([
    ['en', 'ltr', 'Allow', {}],
    ['fr', 'ltr', 'Autoriser', { 'accept-language': 'fr-DZ,ar;q=0.5' }],
    ['ar', 'rtl', 'السماح', { 'accept-language': 'xx, ar-DZ' }],
  ] as const)('speaks %s, %s', async (language, direction, allow, headers) => {
    const browser = openBrowser(app, headers)
    expect((await browser.ask(addressOf())).text).toContain(`<html lang="${language}" dir="${direction}">`)
    const { text } = await browser.signIn(shop.owner)
    expect(text).toContain(`<html lang="${language}" dir="${direction}">`)
    expect(text).toContain(`>${allow}</button>`)
    for (const scope of ['stores:read', 'orders:write'] as const)
      expect(text).toContain(`<li>${authorizeMessages[language].scopes[scope]}</li>`)
    expect(text).not.toContain(authorizeMessages[language].scopes['orders:read'])
    expect(text).toContain('Étagère &lt;script&gt;alert(1)&lt;/script&gt; &quot;x&quot;')
    expect(text).toContain('Boutique &lt;b&gt;')
    expect(text).toContain(shop.owner.email)
    expect(text).toContain('app.example')
  })

  test('names an app as it is called, whatever it is called', async () => {
    const { id } = await newApp(app, shop.owner, { name: "Cash $& $' app" })
    const browser = openBrowser(app)
    await browser.ask(addressOf({ client_id: id }))
    const { text } = await browser.signIn(shop.owner)
    expect(text).toContain('<title>Allow Cash $&amp; $&#39; app?</title>')
  })

  test('changes its language by a link, and keeps it through signing in', async () => {
    const browser = openBrowser(app, { 'accept-language': 'fr' })
    const { text } = await browser.ask(addressOf())
    const link = /<a href="([^"]+)" lang="ar"/.exec(text)![1]!.replaceAll('&amp;', '&')
    expect((await browser.ask(link)).text).toContain('dir="rtl"')
    expect((await browser.signIn(shop.owner)).text).toContain('dir="rtl"')
    expect(parametersOf((await browser.press('allow')).location)).toMatchObject({ state: 's', iss: origin })
  })

  test('has words for every scope and everything that it says, in every language', () => {
    for (const language of languages) {
      expect(Object.keys(authorizeMessages[language].scopes).sort()).toEqual([...scopes].sort())
      expect(Object.keys(authorizeMessages[language])).toEqual(Object.keys(authorizeMessages.en))
    }
    const texts = languages.flatMap((language) => Object.values(authorizeMessages[language].scopes))
    expect(new Set(texts).size).toBe(texts.length)
  })
})

describe('a person', () => {
  test('who says no is taken back with that, signed in or not', async () => {
    for (const signsIn of [true, false]) {
      const browser = openBrowser(app)
      await browser.ask(addressOf())
      if (signsIn) await browser.signIn(shop.owner)
      const { location, status } = await browser.press('deny')
      expect(status).toBe(303)
      expect(parametersOf(location)).toEqual({
        error: 'access_denied',
        error_description: 'The user denied the request.',
        state: 's',
        iss: origin,
      })
    }
  })

  test('who mistypes tries again, and who guesses waits', async () => {
    const browser = openBrowser(app, { 'x-forwarded-for': '203.0.113.77' })
    const { email } = await app.person('Somebody')
    await browser.ask(addressOf())
    for (let tries = 0; tries < 10; tries += 1) {
      const wrong = await browser.signIn({ email }, `guess ${tries}`)
      expect([wrong.status, wrong.text.includes(authorizeMessages.en.wrong)]).toEqual([401, true])
    }
    const slow = await browser.signIn({ email })
    expect([slow.status, slow.text.includes(authorizeMessages.en.slow)]).toEqual([429, true])
    expect(Number(slow.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(browser.cookies.has('serai_session')).toBe(false)
  })

  test('who is somebody else signs out by "not you?", and that session is over', async () => {
    const browser = openBrowser(app)
    await browser.ask(addressOf())
    await browser.signIn(shop.owner)
    const token = browser.cookies.get('serai_session')!
    expect((await call('GET', '/v1/users/auth', { as: token })).status).toBe(200)
    const { location } = await browser.press('switch')
    expect((await browser.ask(location!)).text).toContain('name="password"')
    expect((await call('GET', '/v1/users/auth', { as: token })).status).toBe(401)
  })

  test('chooses a project among those that they may administer', async () => {
    const { data: second } = await ok('POST', '/v1/projects', { as: shop.owner.token, body: { name: 'Second' } })
    const stranger = await app.shop()
    const projectOf = async (project: string) => {
      const browser = openBrowser(app)
      await browser.ask(addressOf({ scope: 'parcels:read' }))
      const { text } = await browser.signIn(shop.owner)
      expect([...text.matchAll(/<option value="([^"]+)"/g)].map(([, id]) => id)).toEqual([shop.projectId, second.id])
      const { location, status } = await browser.press('allow', { project })
      if (status !== 303) return status
      const body = new URLSearchParams({ grant_type: 'authorization_code', code: parametersOf(location).code!, redirect_uri: CALLBACK })
      const headers = { authorization: `Basic ${btoa(`${made.id}:${made.secret}`)}` }
      const { access_token: as } = (await (await fetch(`${origin}/oauth/token`, { method: 'POST', headers, body })).json()) as {
        access_token: string
      }
      expect((await call('GET', '/v1/parcels', { as })).status).toBe(200)
      const [grant] = await app.context.sql<{ projectId: string }[]>`select project_id from oauth_grants order by id desc limit 1`
      return grant!.projectId
    }
    expect(await projectOf(shop.projectId)).toBe(shop.projectId)
    expect(await projectOf(second.id)).toBe(second.id)
    expect(await projectOf(stranger.projectId)).toBe(403)
  })
})

describe('a form of another site', () => {
  test('is taken from no browser: not without our token, nor with that of another browser or session', async () => {
    const victim = openBrowser(app)
    await victim.ask(addressOf())
    const { text } = await victim.signIn(shop.owner)
    const attacker = openBrowser(app)
    await attacker.ask(addressOf())
    const theirs = /name="csrf" value="(\w+)"/.exec((await attacker.signIn(maker)).text)![1]!
    const before = await app.context.sql`select count(*)::int as count from oauth_grants`
    for (const csrf of ['', 'x', theirs]) {
      const answer = await victim.ask(addressOf(), { method: 'POST', body: new URLSearchParams({ csrf, action: 'allow' }) })
      expect([answer.status, answer.location, answer.text.includes(authorizeMessages.en.old)]).toEqual([403, null, true])
    }
    // Nobody is signed in as somebody else by a form of theirs.
    const fresh = openBrowser(app)
    const login = new URLSearchParams({ csrf: theirs, action: 'sign-in', email: maker.email, password: 'correct horse' })
    expect((await fresh.ask(addressOf(), { method: 'POST', body: login })).status).toBe(403)
    expect(fresh.cookies.has('serai_session')).toBe(false)
    expect(await app.context.sql`select count(*)::int as count from oauth_grants`).toEqual(before)
    expect(text).toContain('name="csrf"')
  })

  test('is refused as JSON, and when it is too long', async () => {
    const browser = openBrowser(app)
    expect((await browser.ask(addressOf(), { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status).toBe(
      400,
    )
    expect((await browser.ask(addressOf(), { method: 'POST', body: new URLSearchParams({ csrf: 'x'.repeat(20_000) }) })).status).toBe(413)
  })
})

test('behind https, cookies are for https and this host alone', async () => {
  const secure = await startApp({ publicUrl: 'https://shop.example' }, { socket: true })
  const theirs = await newApp(secure, await secure.person('Maker'))
  const answer = await fetch(secure.origin + addressOf({}, theirs.id))
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-serai_visit=\w+; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ])
})
