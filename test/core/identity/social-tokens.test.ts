import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { openProviderKeys } from '../../../core/identity/social/providers/identity-token.ts'
import { sha256 } from '../../../core/lib/crypto/crypto.ts'
import { type Answer, type Person, startApp } from '../../support/app.ts'
import { byTheClock } from '../../support/clock.ts'
import { letterTo, tokenIn } from '../../support/letters.ts'
import { openProviders, type Slug } from '../../support/social.ts'
import { codeFromNow } from '../../support/totp.ts'

const providers = await openProviders()
afterAll(() => providers.stop())
const app = await startApp({ publicUrl: 'https://shop.example', simulators: providers.simulators, trustedProxies: 1 })
const { call, ok, person, context } = app
const admin = await person('The administrator')
// Keys that are not known are looked for at once, and nobody is waited for.
Object.assign(context, { providerKeys: openProviderKeys(context.outbound, { lookAgainMs: 0, fetchMs: 300 }) })
const APP_ID = 'ios-1234.apps.googleusercontent.com'
await providers.connect(app, admin, { appIds: `com.example.app,${APP_ID}` })
const { google, facebook, apple } = providers

const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? body?.data?.outcome ?? ''}`.trim()
let networks = 0
/** From a place that nobody came from yet. */
function from() {
  networks += 1
  return { 'x-forwarded-for': `198.51.${100 + (networks >> 8)}.${networks & 255}` }
}
const show = (slug: Slug, body: object, as?: string, headers: Record<string, string> = from()) =>
  call('POST', `/v1/users/auth/social/${slug}/token`, { body, headers, ...(as && { as }) })
const keysAsked = () => google.requests.filter(({ path }) => path === '/oauth2/v3/certs').length
const confirm = (mine: Person) => context.sql`update users set email_verified = true where id = ${mine.id}`

let people = 0
const somebody = (change: object = {}) => {
  people += 1
  return { subject: `t-${people}`, email: `token${people}@example.dz`, emailVerified: true, name: `Token ${people}`, ...change }
}
beforeEach(() => {
  for (const one of [google, facebook, apple]) one.calm()
})

describe('an identity token', () => {
  test('signs in once, however often it is sent; a new user gets an account', async () => {
    const account = somebody()
    const token = await google.idToken(account)
    const answers = await Promise.all(Array.from({ length: 3 }, () => show('google', { token })))
    expect(answers.map(outcome).sort()).toEqual(['200 signed_up', '422 invalid_code', '422 invalid_code'])
    // The same token, its signature written otherwise.
    expect(outcome(await show('google', { token: `${token}A` }))).toMatch(/^4\d\d invalid_c/)
    expect(outcome(await show('google', { token: await google.idToken(account) }))).toBe('200 signed_in')
    expect(outcome(await show('apple', { token: await apple.idToken(somebody(), { aud: 'com.example.app' }) }))).toBe('200 signed_up')
  })

  test('was made for this server or an app of it, for now, and with the nonce that is shown', async () => {
    const account = somebody()
    const nonce = 'a nonce of the app'
    const wrong = [
      { aud: 'another.apps.googleusercontent.com' },
      { aud: [] },
      { iss: 'https://evil.example' },
      { exp: Math.floor(Date.now() / 1000) - 60 },
      { nbf: Math.floor(Date.now() / 1000) + 600 },
      { nonce: 'another' },
    ]
    for (const claims of wrong)
      expect([claims, outcome(await show('google', { token: await google.idToken(account, claims), nonce }))]).toEqual([
        claims,
        '401 invalid_credentials',
      ])
    expect(outcome(await show('google', { token: await google.idToken(account, { nonce }) }))).toBe('401 invalid_credentials')
    expect(outcome(await show('google', { token: await google.idToken(account), nonce }))).toBe('401 invalid_credentials')
    expect(outcome(await show('google', { token: await google.idToken(account, { nonce, aud: APP_ID }), nonce }))).toBe('200 signed_up')
    expect(outcome(await show('google', { token: await google.idToken(account, { nonce: sha256(nonce) }), nonce }))).toBe('200 signed_in')
  })

  test('that nobody signed, or somebody else, is none; what cannot be one costs no question', async () => {
    const account = somebody()
    await show('google', { token: await google.idToken(account) })
    const claims = google.claimsOf(account)
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const [head, body] = (await google.idToken(account)).split('.')
    const stranger = await generateKeyPair('RS256')
    const before = keysAsked()
    const forged = [
      `${part({ alg: 'none' })}.${part(claims)}.`,
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
        .sign(new TextEncoder().encode(JSON.stringify(await exportJWK(stranger.publicKey)))),
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(stranger.privateKey),
      `${head}.${part({ ...claims, sub: 'somebody-else' })}.${body}`,
      'a.b.c',
      'x',
      'eyJhbGciOiJSUzI1NiJ9..',
    ]
    for (const token of forged) expect([token, outcome(await show('google', { token }))]).toEqual([token, '401 invalid_credentials'])
    expect(keysAsked()).toBe(before)
  })

  test(
    'of a key that came since is taken, and of one that went is not; where no keys can be had that is said in time',
    byTheClock,
    async () => {
      const old = await google.idToken(somebody())
      await google.rotate()
      const token = await google.idToken(somebody())
      expect(outcome(await show('google', { token }))).toBe('200 signed_up')
      expect(outcome(await show('google', { token: old }))).toBe('401 invalid_credentials')
      await google.rotate()
      const another = await google.idToken(somebody())
      Object.assign(google.faults, { on: '/certs$', error500: 1 })
      expect(outcome(await show('google', { token: another }))).toBe('502 upstream_error')
      Object.assign(google.faults, { on: '/certs$', error500: 0, ignore: 1 })
      const began = performance.now()
      expect(outcome(await show('google', { token: another }))).toBe('502 upstream_error')
      expect(performance.now() - began).toBeLessThan(2_000)
      google.calm()
      expect(outcome(await show('google', { token: another }))).toBe('200 signed_up')
    },
  )

  test('tries that come to nothing are spaced, and those that do are not counted', async () => {
    const headers = from()
    for (let tries = 0; tries < 25; tries += 1) await show('google', { token: await google.idToken(somebody()) }, undefined, headers)
    const answers: string[] = []
    for (let tries = 0; tries < 22; tries += 1) answers.push(outcome(await show('google', { token: 'x' }, undefined, headers)))
    expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => '401 invalid_credentials'))
    expect(answers.at(-1)).toBe('429 rate_limited')
  })
})

describe("an app's token of another kind", () => {
  test('of Facebook is asked about: it has to be of this app, and of now', async () => {
    const account = somebody()
    const token = facebook.books.newToken(account)
    expect(outcome(await show('facebook', { token }))).toBe('200 signed_up')
    expect(outcome(await show('facebook', { token }))).toBe('200 signed_in')
    facebook.foreign.add(token)
    expect(outcome(await show('facebook', { token }))).toBe('401 invalid_credentials')
    facebook.foreign.delete(token)
    facebook.over.add(token)
    expect(outcome(await show('facebook', { token }))).toBe('401 invalid_credentials')
    expect(outcome(await show('facebook', { token: 'nonsense' }))).toBe('401 invalid_credentials')
    Object.assign(facebook.faults, { on: '/debug_token$', error500: 1 })
    expect(outcome(await show('facebook', { token }))).toBe('502 upstream_error')
  })

  test('of Limited Login counts where that is set; TikTok has none', async () => {
    const token = await facebook.idToken(somebody())
    expect(outcome(await show('facebook', { token }))).toBe('401 invalid_credentials')
    await ok('PATCH', '/v1/platform/integrations/facebook', { as: admin.token, body: { settings: { limitedLogin: true } } })
    expect(outcome(await show('facebook', { token }))).toBe('200 signed_up')
    expect(outcome(await show('tiktok', { token: 'x' }))).toBe('422 adapter_refused')
  })

  test('a code that an app was given itself is taken with what the app has of it', async () => {
    const account = somebody()
    google.books.state.account = account
    const redirectUri = 'https://app.example/signed-in'
    const code = google.books.issue(new URLSearchParams({ redirect_uri: redirectUri, nonce: 'n' }))
    const take = (body: object) => call('POST', '/v1/users/auth/social/google/callback', { body, headers: from() })
    expect(outcome(await take({ code, redirectUri: 'https://evil.example/' }))).toBe('400 invalid_request')
    expect(outcome(await take({}))).toBe('400 invalid_request')
    expect(outcome(await take({ code, redirectUri, nonce: 'n' }))).toBe('200 signed_up')
    expect(outcome(await take({ code, redirectUri, nonce: 'n' }))).toBe('401 invalid_credentials')
  })
})

describe('an account that is there', () => {
  test('is joined by an address that both sides confirmed, and by no other', async () => {
    const mine = await person()
    const shown = async (change: object) => show('google', { token: await google.idToken(somebody({ email: mine.email, ...change })) })
    expect(outcome(await shown({}))).toBe('409 email_taken')
    await confirm(mine)
    expect(outcome(await shown({ emailVerified: false }))).toBe('409 email_taken')
    expect(outcome(await shown({ emailVerified: undefined }))).toBe('409 email_taken')
    const joined = await shown({ email: mine.email.toUpperCase() })
    expect([outcome(joined), joined.body.data.user.id]).toEqual(['200 signed_in', mine.id])
    // One sign-in of a provider; another of the same address is another's.
    expect(outcome(await shown({}))).toBe('409 conflict')
  })

  test('asks for its second factor, also before it is joined', async () => {
    const mine = await person()
    await confirm(mine)
    const secret = Buffer.from('12345678901234567890')
    const sealed = context.vault.seal(secret.toString('base64'), `second factor ${mine.id}`)
    await context.sql`insert into second_factors (user_id, secret, confirmed_at) values (${mine.id}, ${sealed}, now())`
    const account = somebody({ email: mine.email })
    const token = await google.idToken(account)
    expect(outcome(await show('google', { token }))).toBe('401 second_factor_required')
    expect(outcome(await show('google', { token, secondFactor: '000000' }))).toBe('422 invalid_code')
    expect((await context.sql`select 1 from social_identities where user_id = ${mine.id}`).length).toBe(0)
    expect(outcome(await show('google', { token, secondFactor: codeFromNow(secret) }))).toBe('200 signed_in')
  })

  test("that was made with somebody else's address passes to the owner of that address once they read its mail", async () => {
    const thief = somebody({ email: 'victim@example.dz' })
    expect(outcome(await show('facebook', { token: facebook.books.newToken(thief) }))).toBe('200 signed_up')
    expect(outcome(await show('google', { token: await google.idToken(somebody({ email: 'victim@example.dz' })) }))).toBe('409 email_taken')
    const asked = await ok('POST', '/v1/users/auth/code', { body: { email: thief.email, purpose: 'reset_password' }, headers: from() })
    expect(asked.data.purpose).toBe('reset_password')
    const token = tokenIn(await letterTo(app, thief.email, 'assword'))
    const raw = new URLSearchParams({ token, password: 'an entirely new one' }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...from() }
    expect((await call('POST', '/v1/auth/web/reset-password-confirm', { raw, headers })).body).toContain('changed')
    expect(outcome(await show('facebook', { token: facebook.books.newToken(thief) }))).toBe('409 email_taken')
  })

  test('of a person who was deleted lets nobody in', async () => {
    const account = somebody()
    const { data } = (await show('google', { token: await google.idToken(account) })).body
    await ok('DELETE', `/v1/users/${data.user.id}`, { as: admin.token })
    expect((await context.sql`select 1 from social_identities where user_id = ${data.user.id}`).length).toBe(0)
    const again = await show('google', { token: await google.idToken(account) })
    expect([outcome(again), again.body.data.user.id === data.user.id]).toEqual(['200 signed_up', false])
  })
})
