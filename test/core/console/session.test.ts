import { describe, expect, test } from 'bun:test'
import { type CallOptions, startApp } from '../../support/app.ts'

const app = await startApp()
const PASSWORD = 'correct horse'
const OURS = { origin: app.origin, 'x-serai-console': '1' }
const DAY_SECONDS = 86_400

const signIn = (email: string, { isOwnDevice = true, headers = OURS }: { isOwnDevice?: boolean; headers?: Record<string, string> } = {}) =>
  app.call('POST', '/console/session', { headers, body: { isOwnDevice, password: { email, password: PASSWORD } } })

/** The cookie that an answer sets, as a browser sends it back. */
const cookieOf = (headers: Headers) => (headers.get('set-cookie') ?? '').split(';')[0]!

async function signedIn(isOwnDevice = true) {
  const person = await app.person()
  const answer = await signIn(person.email, { isOwnDevice })
  const cookie = cookieOf(answer.headers)
  const call = (method: string, path: string, { headers, ...options }: CallOptions = {}) =>
    app.call(method, path, { ...options, headers: { cookie, ...headers } })
  return { person, answer, cookie, call }
}

describe('signing in to the console', () => {
  test('console session: the token is in an HttpOnly cookie and in no body', async () => {
    const { answer, person } = await signedIn()
    expect(answer).toMatchObject({ status: 200, body: { data: { user: { id: person.id } } } })
    expect(JSON.stringify(answer.body)).not.toMatch(/st_|token/i)
    expect(answer.headers.get('set-cookie')).toMatch(
      new RegExp(`^serai_console=st_\\w+; Path=/; HttpOnly; SameSite=Lax; Max-Age=${90 * DAY_SECONDS}$`),
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('console session: it is valid for 12 hours on a shared device, and its cookie is kept until the browser closes', async () => {
    const { answer, call } = await signedIn(false)
    expect(answer.headers.get('set-cookie')).not.toContain('Max-Age')
    const { body } = await call('GET', '/v1/users/auth/tokens')
    const { createdAt, expiresAt } = body.data.find(({ current }: { current: boolean }) => current)
    expect(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 3_600_000)).toBe(12)
  })

  test('console session: a sign-in from a foreign page, or without the header, is refused', async () => {
    const { email } = await app.person()
    for (const headers of [{ ...OURS, origin: 'https://elsewhere.example' }, { origin: app.origin }, { 'x-serai-console': '1' }] as const) {
      const answer = await signIn(email, { headers: { ...headers } })
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
  })

  test('console session: a wrong password, an unknown account and a bad body open none', async () => {
    const { email } = await app.person()
    const post = (body: unknown) => app.call('POST', '/console/session', { headers: OURS, body })
    expect((await post({ isOwnDevice: true, password: { email, password: 'wrong' } })).status).toBe(401)
    expect((await post({ isOwnDevice: true, password: { email: 'no@example.dz', password: 'wrong' } })).status).toBe(401)
    expect((await post({ isOwnDevice: true })).status).toBe(400)
    expect((await post({ password: { email, password: PASSWORD } })).status).toBe(400)
    const passkey = { id: 'x', response: { id: 'AA', rawId: 'AA', type: 'public-key', response: {} } }
    expect((await post({ isOwnDevice: true, password: { email, password: PASSWORD }, passkey })).status).toBe(400)
    const social = { provider: 'nobody', ticket: 'x', verifier: 'v'.repeat(43) }
    expect((await post({ isOwnDevice: true, social })).status).toBe(404)
  })
})

describe('the session cookie', () => {
  test('console session: reads need nothing but the cookie, and no cache may keep the answer', async () => {
    const { call, person } = await signedIn()
    const answer = await call('GET', '/v1/users/auth')
    expect(answer).toMatchObject({ status: 200, body: { data: { id: person.id } } })
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    expect(answer.headers.get('vary')).toContain('cookie')
  })

  test('console session: a change needs the header and our own origin', async () => {
    const { call } = await signedIn()
    const change = (headers: Record<string, string>) => call('PUT', '/v1/users/auth', { headers, body: { name: 'Amina' } })
    expect((await change({})).status).toBe(403)
    expect((await change({ origin: app.origin })).status).toBe(403)
    expect((await change({ 'x-serai-console': '1' })).status).toBe(403)
    expect((await change({ ...OURS, origin: 'https://elsewhere.example' })).status).toBe(403)
    expect((await change({ ...OURS, origin: 'null' })).status).toBe(403)
    expect(await change(OURS)).toMatchObject({ status: 200, body: { data: { name: 'Amina' } } })
  })

  test('console session: Authorization wins over the cookie, and needs no header', async () => {
    const { call } = await signedIn()
    const other = await app.person()
    expect((await call('GET', '/v1/users/auth', { as: other.token })).body.data.id).toBe(other.id)
    expect((await call('PUT', '/v1/users/auth', { as: other.token, body: { name: 'Nour' } })).status).toBe(200)
    expect((await call('GET', '/v1/users/auth', { as: 'st_unknown' })).status).toBe(401)
  })

  test('console session: it is listed and revoked as every session is', async () => {
    const { call, person, cookie } = await signedIn()
    const { body } = await call('GET', '/v1/users/auth/tokens')
    const { id } = body.data.find(({ current }: { current: boolean }) => current)
    expect((await app.call('DELETE', `/v1/users/auth/tokens/${id}`, { as: person.token })).status).toBe(204)
    expect(await call('GET', '/v1/users/auth')).toMatchObject({ status: 401, body: { error: { code: 'invalid_token' } } })
    const again = await app.call('GET', '/health/live', { headers: { cookie } })
    expect(again.status).toBe(200)
  })

  test('console session: an ended or foreign one does not close what is open to anyone', async () => {
    const { email } = await app.person()
    const stale = { ...OURS, cookie: 'serai_console=st_unknown' }
    expect((await signIn(email, { headers: stale })).status).toBe(200)
    const { cookie } = await signedIn()
    const body = { email, password: PASSWORD }
    expect((await app.call('POST', '/v1/users/auth/signin', { headers: { cookie }, body })).status).toBe(200)
  })

  test('console session: only session tokens count', async () => {
    const { key } = await app.shop()
    const answer = await app.call('GET', '/v1/users/auth', { headers: { cookie: `serai_console=${key}` } })
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthenticated' } } })
  })

  test('console session: signing out ends it and deletes the cookie; it needs our own page', async () => {
    const { call } = await signedIn()
    expect((await call('DELETE', '/console/session')).status).toBe(403)
    expect((await call('GET', '/v1/users/auth')).status).toBe(200)
    const out = await call('DELETE', '/console/session', { headers: OURS })
    expect(out.status).toBe(204)
    expect(out.headers.get('set-cookie')).toBe('serai_console=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
    expect((await call('GET', '/v1/users/auth')).status).toBe(401)
    expect((await call('DELETE', '/console/session', { headers: OURS })).status).toBe(204)
  })

  test('console session: no foreign page gets credentials by CORS', async () => {
    const { call } = await signedIn()
    const origin = 'https://elsewhere.example'
    const read = await call('GET', '/v1/users/auth', { headers: { origin } })
    expect(read.headers.get('access-control-allow-credentials')).toBeNull()
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-serai-console' }
    const preflight = await app.call('OPTIONS', '/console/session', { headers: asked })
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    expect(preflight.headers.get('access-control-allow-headers')).not.toContain('x-serai-console')
  })
})

test('console session: over HTTPS the cookie is Secure and bound to the host', async () => {
  const secure = await startApp({ publicUrl: 'https://shop.example' })
  const { email } = await secure.person()
  const headers = { origin: 'https://shop.example', 'x-serai-console': '1' }
  const body = { isOwnDevice: true, password: { email, password: PASSWORD } }
  const answer = await secure.call('POST', '/console/session', { headers, body })
  expect(answer.headers.get('set-cookie')).toMatch(/^__Host-serai_console=st_\w+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/)
  const cookie = cookieOf(answer.headers)
  expect((await secure.call('GET', '/v1/users/auth', { headers: { cookie } })).status).toBe(200)
  expect((await secure.call('GET', '/v1/users/auth', { headers: { cookie: cookie.replace('__Host-', '') } })).status).toBe(401)
})

test('console session: with CONSOLE=false there is none, and no cookie counts', async () => {
  const without = await startApp({ console: false })
  const { token, email } = await without.person()
  const body = { isOwnDevice: true, password: { email, password: PASSWORD } }
  expect((await without.call('POST', '/console/session', { headers: OURS, body })).status).toBe(404)
  expect((await without.call('GET', '/v1/users/auth', { headers: { cookie: `serai_console=${token}` } })).status).toBe(401)
})
