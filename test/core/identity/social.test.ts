import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { decodeJwt } from 'jose'
import { type Answer, startApp } from '../../support/app.ts'
import { newVerifier, openBrowser, type Page } from '../../support/oauth.ts'
import { atProvider, DEEP, openProviders, RETURN, type Slug, throughProvider, ticketFrom } from '../../support/social.ts'
import { codeFromNow } from '../../support/totp.ts'
import { until } from '../../support/until.ts'

const ORIGIN = 'https://shop.example'
const providers = await openProviders()
afterAll(() => providers.stop())
const app = await startApp({ publicUrl: ORIGIN, simulators: providers.simulators, trustedProxies: 1 })
const { call, ok, person, context } = app
const { apple } = providers
const admin = await person('The administrator')
await providers.connect(app, admin)

const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const newBrowser = () => openBrowser(app, { 'x-forwarded-for': '203.0.113.9' })
const redeem = (slug: Slug, body: object, as?: string) =>
  call('POST', `/v1/users/auth/social/${slug}/callback`, { body, ...(as && { as }) })
const calls = (slug: Slug, path: string) => providers[slug].requests.filter((request) => request.path === path)

let people = 0
/** Somebody else sits before the browser from now on. */
function sits(slug: Slug, change: object = {}) {
  people += 1
  const account = { subject: `s-${people}`, email: `social${people}@example.dz`, emailVerified: true, name: `Social ${people}`, ...change }
  providers[slug].books.state.account = account
  return account
}
beforeEach(() => {
  for (const slug of ['google', 'apple', 'facebook', 'tiktok'] as const) {
    providers[slug].calm()
    providers[slug].books.state.denies = false
  }
})

describe('signing in by a browser', () => {
  test('makes an account the first time and signs in to it from then on; the code is proven, and nothing is told in an address', async () => {
    const account = sits('google')
    const browser = newBrowser()
    const { ticket, verifier, address } = await ticketFrom(providers, browser, 'google')
    expect(address).toBe(RETURN)
    const { data } = (await redeem('google', { ticket, verifier })).body
    expect(data).toMatchObject({ outcome: 'signed_up', user: { email: account.email, emailVerified: true, name: account.name } })
    expect((await ok('GET', '/v1/users/auth/tokens', { as: data.token })).data).toMatchObject([{ means: 'social', current: true }])
    const asked = new URLSearchParams(calls('google', '/token').at(-1)!.body)
    expect([asked.get('redirect_uri'), asked.get('code_verifier')?.length]).toEqual([`${ORIGIN}/v1/social/google/callback`, 64])
    expect(calls('google', '/o/oauth2/v2/auth').at(-1)!.query.get('scope')).toBe('openid email profile')
    // Known by the subject: at another address as well.
    providers.google.books.state.account = { ...account, email: 'moved@example.dz' }
    const again = await ticketFrom(providers, browser, 'google', DEEP)
    expect(again.address).toBe(DEEP)
    const signedIn = (await redeem('google', { ticket: again.ticket, verifier: again.verifier })).body.data
    expect(signedIn).toMatchObject({ outcome: 'signed_in', user: { id: data.user.id, email: account.email } })
    const kept = await context.sql`select digest from social_states union all select digest from social_tickets`
    expect(kept.length).toBe(0)
    expect((await call('POST', '/v1/users/auth/signin', { body: { email: account.email, password: '' } })).status).toBe(401)
  })

  test('comes as a form from Apple, whose secret is signed anew, and which says a name once', async () => {
    const account = sits('apple', { email: 'relay1@privaterelay.appleid.com', name: 'Amel Haddad' })
    const browser = newBrowser()
    const first = await ticketFrom(providers, browser, 'apple')
    const { data } = (await redeem('apple', { ticket: first.ticket, verifier: first.verifier })).body
    expect(data).toMatchObject({ outcome: 'signed_up', user: { email: account.email, emailVerified: true, name: 'Amel Haddad' } })
    const second = await ticketFrom(providers, browser, 'apple')
    expect((await redeem('apple', { ticket: second.ticket, verifier: second.verifier })).body.data).toMatchObject({
      outcome: 'signed_in',
      user: { id: data.user.id, name: 'Amel Haddad' },
    })
    const secrets = calls('apple', '/auth/token').map(({ body }) => decodeJwt(new URLSearchParams(body).get('client_secret') ?? ''))
    expect(secrets).toMatchObject(secrets.map(() => ({ iss: apple.client.teamId, sub: apple.client.clientId })))
    expect(secrets.map(({ exp = 0, iat = 0 }) => [exp - iat, Math.abs(iat - Date.now() / 1000) < 60])).toEqual([
      [300, true],
      [300, true],
    ])
    const cookie = (await browser.ask('/v1/social/apple/redirect')).headers.getSetCookie()
    expect(cookie).toEqual([expect.stringMatching(/^__Host-serai_social=\w+; Path=\/; HttpOnly; Max-Age=1200; SameSite=None; Secure$/)])
  })

  test('with Facebook leaves the address to be confirmed, and never leads into an account that is there', async () => {
    const account = sits('facebook')
    const first = await ticketFrom(providers, newBrowser(), 'facebook')
    const { data } = (await redeem('facebook', { ticket: first.ticket, verifier: first.verifier })).body
    expect(data).toMatchObject({ outcome: 'signed_up', user: { email: account.email, emailVerified: false } })
    const theirs = await person()
    await context.sql`update users set email_verified = true where id = ${theirs.id}`
    sits('facebook', { email: theirs.email })
    const second = await ticketFrom(providers, newBrowser(), 'facebook')
    expect(outcome(await redeem('facebook', { ticket: second.ticket, verifier: second.verifier }))).toBe('409 email_taken')
  })

  test('with TikTok asks for an address, and the ticket waits for it', async () => {
    const account = sits('tiktok')
    const { ticket, verifier } = await ticketFrom(providers, newBrowser(), 'tiktok')
    expect(outcome(await redeem('tiktok', { ticket, verifier }))).toBe('422 email_required')
    const { data } = (await redeem('tiktok', { ticket, verifier, email: account.email })).body
    expect(data).toMatchObject({ outcome: 'signed_up', user: { email: account.email, emailVerified: false, name: account.name } })
    expect(calls('tiktok', '/v2/auth/authorize').at(-1)!.query.get('scope')).toBe('user.info.basic')
  })

  test('writes the challenge as the setting says', async () => {
    const asked = async () => new URL((await newBrowser().ask('/v1/social/tiktok/redirect')).location!).searchParams.get('code_challenge')
    expect(await asked()).toMatch(/^[\w-]{43}$/)
    await ok('PATCH', '/v1/platform/integrations/tiktok', { as: admin.token, body: { settings: { challenge: 'hex' } } })
    expect(await asked()).toMatch(/^[0-9a-f]{64}$/)
    await ok('PATCH', '/v1/platform/integrations/tiktok', { as: admin.token, body: { settings: { challenge: 'base64url' } } })
  })
})

describe('a ticket', () => {
  test('is redeemed once, only with its verifier and at its own provider', async () => {
    sits('google')
    const { ticket, verifier } = await ticketFrom(providers, newBrowser(), 'google')
    expect(outcome(await redeem('google', { ticket, verifier: newVerifier().verifier }))).toBe('422 invalid_code')
    expect(outcome(await redeem('google', { ticket }))).toBe('422 invalid_code')
    expect(outcome(await redeem('apple', { ticket, verifier }))).toBe('422 invalid_code')
    expect(outcome(await redeem('google', { ticket, verifier, code: 'x' }))).toBe('400 invalid_request')
    const answers = await Promise.all(Array.from({ length: 4 }, () => redeem('google', { ticket, verifier })))
    expect(answers.map(outcome).sort()).toEqual(['200', '422 invalid_code', '422 invalid_code', '422 invalid_code'])
  })

  test('two of somebody new make one account', async () => {
    sits('google')
    const [one, other] = await Promise.all([0, 1].map(() => ticketFrom(providers, newBrowser(), 'google')))
    const answers = await Promise.all([one!, other!].map(({ ticket, verifier }) => redeem('google', { ticket, verifier })))
    expect(answers.map(({ body }) => body.data.outcome).sort()).toEqual(['signed_in', 'signed_up'])
    expect(new Set(answers.map(({ body }) => body.data.user.id)).size).toBe(1)
  })
})

describe('the callback', () => {
  const isPage = (page: Page, status: number) =>
    expect([page.status, page.location, page.headers.get('content-type')]).toEqual([status, null, 'text/html; charset=utf-8'])

  test('counts once, for the browser that began, and for its own provider', async () => {
    sits('google')
    const [mine, theirs] = [newBrowser(), newBrowser()]
    await theirs.ask('/v1/social/google/redirect')
    const { location } = await mine.ask('/v1/social/google/redirect')
    const { address } = await atProvider(providers, 'google', location!)
    const before = calls('google', '/token').length
    isPage(await theirs.ask(address), 422)
    isPage(await openBrowser(app).ask(address), 422)
    isPage(await mine.ask(address.replace('/google/callback', '/google/link/callback')), 422)
    isPage(await mine.ask(address.replace('/google/', '/facebook/')), 422)
    for (const nonsense of ['', '?state=', '?state=x&code=y', '?state=x&state=y', '?state=%00'])
      await mine.ask(`/v1/social/google/callback${nonsense}`)
    expect(calls('google', '/token').length).toBe(before)
    const answers = await Promise.all([mine.ask(address), mine.ask(address)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    isPage(await mine.ask(address), 422)
    expect(calls('google', '/token').length).toBe(before + 1)
  })

  test('is believed with the nonce that the sign-in was begun with alone', async () => {
    sits('google')
    const browser = newBrowser()
    const { location } = await browser.ask('/v1/social/google/redirect')
    const { address } = await atProvider(providers, 'google', location!)
    const { codes } = providers.google.books
    const [[code, issued] = []] = codes
    codes.set(code!, { ...issued!, nonce: 'of another sign-in' })
    isPage(await browser.ask(address), 401)
    expect(codes.size).toBe(0)
  })

  test('is over after ten minutes, and forgotten', async () => {
    const browser = newBrowser()
    const { location } = await browser.ask('/v1/social/google/redirect')
    const { address } = await atProvider(providers, 'google', location!)
    await context.sql`update social_states set expires_at = now() - interval '1 second'`
    isPage(await browser.ask(address), 422)
    const { deleteExpiredFlows: forgetOver } = await import('../../../core/identity/social/social.queries.ts')
    expect(await forgetOver(context.sql, 100)).toBeGreaterThan(0)
    expect((await context.sql`select 1 from social_states`).length).toBe(0)
  })

  test('a no of the person, of the provider and of a code is told to the app, or on a page', async () => {
    for (const slug of ['google', 'apple', 'facebook', 'tiktok'] as const) {
      providers[slug].books.state.denies = true
      expect((await ticketFrom(providers, newBrowser(), slug)).error).toBe('forbidden')
      const page = await throughProvider(providers, newBrowser(), slug)
      isPage(page, 403)
      expect(page.text).toContain('Nothing has changed')
      providers[slug].books.state.denies = false
      // A code that was used meanwhile.
      const browser = newBrowser()
      const { location } = await browser.ask(`/v1/social/${slug}/redirect`)
      const { address, init } = await atProvider(providers, slug, location!)
      providers[slug].books.codes.clear()
      isPage(await browser.ask(address, init), 401)
    }
  })

  test('a provider that fails is told as that, and nothing of it is kept', async () => {
    Object.assign(providers.google.faults, { on: '', error500: 1 })
    const { verifier, challenge } = newVerifier()
    const browser = newBrowser()
    const { location } = await browser.ask(`/v1/social/google/redirect?${new URLSearchParams({ returnTo: RETURN, challenge })}`)
    providers.google.calm()
    const { address } = await atProvider(providers, 'google', location!)
    Object.assign(providers.google.faults, { on: '/token$', malformed: 1 })
    expect((await browser.ask(address)).location).toContain('error=upstream_error')
    expect(verifier.length).toBe(43)
    providers.google.calm()
    // It is the platform's client that is refused, and nobody who signs in.
    const connection = '/v1/platform/integrations/google'
    await ok('PATCH', connection, { as: admin.token, body: { credentials: { clientSecret: 'another' } } })
    isPage(await throughProvider(providers, newBrowser(), 'google'), 502)
    await ok('PATCH', connection, { as: admin.token, body: { credentials: { clientSecret: 'GOCSPX-simulated-secret' } } })
    Object.assign(providers.facebook.faults, { on: '/me$', error500: 1 })
    isPage(await throughProvider(providers, newBrowser(), 'facebook'), 502)
    const told = () => context.sql<{ told: string }[]>`select exchanges::text as told from carrier_traces`
    await until(async () => (await told()).length > 0)
    const traces = await told()
    expect(traces.map(({ told }) => told).join()).not.toMatch(/code-|token-|simulated-secret/)
  })
})

describe('without an app', () => {
  const signedIn = (browser: ReturnType<typeof newBrowser>) => browser.cookies.get('__Host-serai_session')

  test('a browser is signed in to our own pages', async () => {
    const account = sits('google')
    const browser = newBrowser()
    const page = await throughProvider(providers, browser, 'google')
    expect([page.status, page.text.includes('You are signed in')]).toEqual([200, true])
    expect((await ok('GET', '/v1/users/auth', { as: signedIn(browser)! })).data.email).toBe(account.email)
  })

  test('it is asked for what is missing: an address, and the second factor, of whose page nobody else has use', async () => {
    const account = sits('tiktok')
    const browser = newBrowser()
    expect((await throughProvider(providers, browser, 'tiktok')).text).toContain('E-mail address')
    expect((await browser.press('go-on', { email: 'none' })).text).toContain('E-mail address')
    expect((await browser.press('go-on', { email: account.email })).text).toContain('You are signed in')
    const { data: me } = await ok('GET', '/v1/users/auth', { as: signedIn(browser)! })
    const secret = Buffer.from('12345678901234567890')
    const sealed = context.vault.seal(secret.toString('base64'), `second factor ${me.id}`)
    await context.sql`insert into second_factors (user_id, secret, confirmed_at) values (${me.id}, ${sealed}, now())`
    const other = newBrowser()
    const asked = await throughProvider(providers, other, 'tiktok')
    expect(asked.text).toContain('second factor')
    const [, ticket = ''] = /name="ticket" value="(\w+)"/.exec(asked.text) ?? []
    const stranger = await newBrowser().ask('/v1/social/tiktok/callback', { method: 'POST', body: new URLSearchParams({ ticket }) })
    expect(stranger.status).toBe(422)
    expect((await other.press('go-on', { secondFactor: '000000' })).text).toContain('wrong or was already used')
    expect((await other.press('go-on', { secondFactor: codeFromNow(secret) })).text).toContain('You are signed in')
    expect(signedIn(other)).toStartWith('st_')
    const app = await ticketFrom(providers, newBrowser(), 'tiktok')
    expect(outcome(await redeem('tiktok', { ticket: app.ticket, verifier: app.verifier }))).toBe('401 second_factor_required')
    const code = codeFromNow(secret, 1)
    expect(outcome(await redeem('tiktok', { ticket: app.ticket, verifier: app.verifier, secondFactor: code }))).toBe('200')
  })
})

test('social sign-in: an unregistered redirect address, a missing challenge and an unknown or disabled provider are refused', async () => {
  const browser = newBrowser()
  const { challenge } = newVerifier()
  const leave = (query: Record<string, string>, slug = 'google') => browser.ask(`/v1/social/${slug}/redirect?${new URLSearchParams(query)}`)
  for (const returnTo of ['https://evil.example/', `${RETURN}?x`, `${RETURN}/../evil`, 'javascript:alert(1)', `${RETURN},`, 'app.example'])
    expect([returnTo, (await leave({ returnTo, challenge })).location]).toEqual([returnTo, null])
  expect((await leave({ returnTo: RETURN })).status).toBe(400)
  expect((await leave({ returnTo: RETURN, challenge: 'short' })).status).toBe(400)
  expect((await leave({}, 'sandbox')).status).toBe(404)
  await ok('PATCH', '/v1/platform/integrations/facebook', { as: admin.token, body: { enabled: false } })
  expect([(await leave({}, 'facebook')).status, (await leave({}, 'facebook')).text.includes('not set up')]).toEqual([422, true])
  expect(outcome(await call('POST', '/v1/users/auth/social/facebook/token', { body: { token: 'x' } }))).toBe('422 adapter_not_enabled')
  await ok('PATCH', '/v1/platform/integrations/facebook', { as: admin.token, body: { enabled: true } })
  const shop = await app.shop()
  expect(
    (
      await call('PUT', `/v1/stores/${shop.storeId}/integrations/google`, {
        as: shop.owner.token,
        body: { enabled: true, credentials: {} },
      })
    ).status,
  ).toBe(404)
})
