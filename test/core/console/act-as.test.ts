import { describe, expect, test } from 'bun:test'
import { type Answer, type CallOptions, startApp, type TestApp } from '../../support/app.ts'
import { letterTo, tokenIn } from '../../support/letters.ts'

const PATH = '/console/session/act-as'
const PASSWORD = 'correct horse'
const REASON = 'They asked for help by phone'
const app = await startApp({}, { socket: true })
const OURS = { origin: app.origin, 'x-serai-console': '1' }
const boss = await app.person('Boss')

type Cookies = Readonly<Record<string, string>>
const [MAIN, ADMIN] = ['serai_console', 'serai_console_admin']
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()

/** Cookies after an answer, as a browser keeps them. */
function kept(before: Cookies, { headers }: Pick<Answer, 'headers'>): Cookies {
  const after = { ...before }
  for (const line of headers.getSetCookie()) {
    const [name = '', value = ''] = line.split(';')[0]!.split('=')
    if (value === '') delete after[name]
    else after[name] = value
  }
  return after
}

/** Sends a request as a page of the console does: with these cookies, the header and our origin. */
const send = (cookies: Cookies, method: string, path: string, { headers = OURS, ...options }: CallOptions = {}, server: TestApp = app) => {
  const cookie = Object.entries(cookies).map((pair) => pair.join('='))
  return server.call(method, path, { ...options, headers: { ...headers, ...(cookie.length > 0 && { cookie: cookie.join('; ') }) } })
}

async function signIn({ email }: { readonly email: string }, isOwnDevice = true): Promise<Cookies> {
  const answer = await send({}, 'POST', '/console/session', { body: { isOwnDevice, password: { email, password: PASSWORD } } })
  return kept({}, answer)
}

const actAs = (cookies: Cookies, userId: string, options: CallOptions = {}) =>
  send(cookies, 'POST', PATH, { body: { userId, reason: REASON }, ...options })
const stop = (cookies: Cookies, options: CallOptions = {}) => send(cookies, 'DELETE', PATH, options)
const whoIs = async (cookies: Cookies) => {
  const { status, body } = await send(cookies, 'GET', '/v1/me')
  return status === 200 ? (body.data.user.id as string) : status
}
const isAlive = async (token: string | undefined) => (await app.call('GET', '/v1/users/auth', { as: token ?? '' })).status === 200

/** An administrator who signed in and acts as a user. */
async function acting(user?: { readonly id: string }) {
  const own = await signIn(boss)
  const person = user ?? (await app.person('Amina'))
  const answer = await actAs(own, person.id)
  return { own, person, answer, cookies: kept(own, answer) }
}

/** Another administrator of the platform. */
async function deputy() {
  const person = await app.person('Deputy')
  const token = tokenIn(await letterTo(app, person.email, 'Confirm your'))
  await app.ok('POST', '/v1/users/auth/verify-email/confirm', { body: { token } })
  await app.ok('POST', '/v1/admins', { as: boss.token, body: { email: person.email } })
  return person
}

describe('acting as a user in the console', () => {
  test('act as: the cookie becomes the session of the user, a second keeps the own one, and no body has a token', async () => {
    const { own, person, answer, cookies } = await acting()
    expect(answer).toMatchObject({ status: 200, body: { data: { user: { id: person.id } } } })
    expect(JSON.stringify(answer.body)).not.toMatch(/st_|token/i)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const [main = '', admin = ''] = answer.headers.getSetCookie()
    expect(main).toMatch(/^serai_console=st_\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=(1[78]\d\d)$/)
    expect(admin).toMatch(/^serai_console_admin=st_\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=77\d{5}$/)
    expect(cookies[ADMIN]).toBe(own[MAIN]!)
    expect(cookies[MAIN]).not.toBe(own[MAIN]!)
    expect((await send(cookies, 'GET', '/v1/me')).body.data).toMatchObject({
      user: { id: person.id },
      isAdmin: false,
      actingAs: { adminId: boss.id },
    })
    const [action] = (await app.ok('GET', '/v1/admins/actions', { as: boss.token })).data
    expect(action).toMatchObject({ what: 'login_as', adminId: boss.id, userId: person.id, reason: REASON })
  })

  test('act as: on a shared device both cookies last until the browser closes, and so does the own one after a stop', async () => {
    const own = await signIn(boss, false)
    const started = await actAs(own, (await app.person()).id)
    const stopped = await stop(kept(own, started))
    for (const { headers } of [started, stopped]) for (const line of headers.getSetCookie()) expect(line).not.toMatch(/=st_.*Max-Age/)
  })

  test('act as: a stop revokes the session of the user and gives the own one back', async () => {
    const { own, cookies } = await acting()
    const answer = await stop(cookies)
    expect(answer).toMatchObject({ status: 200, body: { data: { isSignedIn: true } } })
    expect(JSON.stringify(answer.body)).not.toContain('st_')
    const [main = '', admin = ''] = answer.headers.getSetCookie()
    expect(main).toMatch(/^serai_console=st_\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=77\d{5}$/)
    expect(admin).toBe('serai_console_admin=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
    expect(kept(cookies, answer)).toEqual(own)
    expect(await whoIs(own)).toBe(boss.id)
    expect(await isAlive(cookies[MAIN])).toBe(false)
  })

  test('act as: bad input, an unknown user and another administrator are refused, and no cookie changes', async () => {
    const own = await signIn(boss)
    const { id: userId } = await app.person()
    const other = await deputy()
    const outcomes: string[] = []
    for (const body of [
      { userId },
      { reason: REASON },
      { userId, reason: 'x' },
      { userId, reason: 'x'.repeat(501) },
      { userId, reason: REASON, token: 'st_x' },
      { userId: 'usr_nobody', reason: REASON },
      { userId: other.id, reason: REASON },
      { userId: boss.id, reason: REASON },
    ]) {
      const answer = await send(own, 'POST', PATH, { body })
      expect(answer.headers.getSetCookie()).toEqual([])
      outcomes.push(outcome(answer))
    }
    expect(outcomes).toEqual([...Array(5).fill('400 invalid_request'), '404 not_found', '403 forbidden', '403 forbidden'])
  })

  test('act as: only an administrator may, and only with the session cookie', async () => {
    const { id } = await app.person()
    const [plain, { key }] = [await signIn(await app.person()), await app.shop()]
    expect(outcome(await actAs({}, id))).toBe('401 unauthenticated')
    expect(outcome(await actAs({ [MAIN]: 'st_unknown' }, id))).toBe('401 invalid_token')
    expect(outcome(await actAs(plain, id))).toBe('403 forbidden')
    expect(outcome(await actAs({}, id, { as: key }))).toBe('403 forbidden')
    for (const cookies of [{}, await signIn(boss)]) {
      const answer = await actAs(cookies, id, { as: boss.token })
      expect(outcome(answer)).toBe('403 forbidden')
      expect(answer.body.error.message).toContain('session cookie')
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(outcome(await stop({}))).toBe('401 unauthenticated')
    expect(outcome(await stop({}, { as: boss.token }))).toBe('403 forbidden')
  })

  test('act as: neither start nor stop is accepted from a foreign page, or without the header', async () => {
    const { own, person, cookies } = await acting()
    const foreign: Record<string, string>[] = [
      {},
      { ...OURS, origin: 'https://elsewhere.example' },
      { ...OURS, origin: 'null' },
      { origin: app.origin },
      { 'x-serai-console': '1' },
    ]
    for (const headers of foreign)
      for (const answer of [await actAs(own, person.id, { headers }), await stop(cookies, { headers })]) {
        expect(outcome(answer)).toBe('403 forbidden')
        expect(answer.headers.getSetCookie()).toEqual([])
      }
    expect(await whoIs(cookies)).toBe(person.id)
  })

  test('act as: an administrator who acts already is told to stop first', async () => {
    const { cookies, person } = await acting()
    const answer = await actAs(cookies, (await app.person()).id)
    expect(outcome(answer)).toBe('403 forbidden')
    expect(answer.body.error.message).toContain('Stop acting')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await whoIs(cookies)).toBe(person.id)
  })
})

describe('the cookie that keeps the session of an administrator', () => {
  test('act as: it authenticates nothing, alone or beside an ended session', async () => {
    const { own, cookies, person } = await acting()
    const alone = { [ADMIN]: own[MAIN]! }
    for (const each of [alone, { ...alone, [MAIN]: 'st_unknown' }]) {
      expect(await whoIs(each)).toBe(401)
      expect((await actAs(each, person.id)).status).toBe(401)
      expect((await send(each, 'GET', '/v1/users')).status).toBe(401)
      expect((await send(each, 'PUT', '/v1/users/auth', { body: { name: 'Other' } })).status).toBe(401)
    }
    expect(outcome(await send(cookies, 'GET', '/v1/users'))).toBe('403 forbidden')
  })

  test("act as: somebody else's admin cookie gives nothing, and ends nothing", async () => {
    const { cookies, person } = await acting()
    const [other, plain] = [await signIn(await deputy()), await signIn(await app.person())]
    for (const each of [
      { ...cookies, [ADMIN]: other[MAIN]! },
      { ...plain, [ADMIN]: other[MAIN]! },
      { ...cookies, [ADMIN]: plain[MAIN]! },
    ]) {
      const answer = await stop(each)
      expect(outcome(answer)).toBe('403 forbidden')
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(await whoIs(cookies)).toBe(person.id)
    expect(await isAlive(other[MAIN])).toBe(true)
  })

  test('act as: a session in the name of a user is never given back as an own one', async () => {
    const { cookies } = await acting()
    const answer = await stop({ [ADMIN]: cookies[MAIN]! })
    expect(answer).toMatchObject({ status: 200, body: { data: { isSignedIn: false } } })
    expect(kept(cookies, answer)).toEqual({})
  })

  test('act as: a stop without acting changes no session and no cookie', async () => {
    const own = await signIn(boss)
    const answer = await stop(own)
    expect(answer).toMatchObject({ status: 200, body: { data: { isSignedIn: true } } })
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await whoIs(own)).toBe(boss.id)
  })

  test('act as: once the session of the user is over, the sign-in page knows, and a stop gives the own one back', async () => {
    const { own, cookies, person } = await acting()
    const isActing = async (each: Cookies) => (await send(each, 'GET', '/console/setup')).body.data.isActing
    await app.context
      .sql`update session_tokens set expires_at = now() - interval '1 second' where user_id = ${person.id} and means = 'admin'`
    while ((await whoIs(cookies)) !== 401) await Bun.sleep(20)
    expect([await isActing(cookies), await isActing(own), await isActing({})]).toEqual([true, false, false])
    const answer = await stop(cookies)
    expect(answer.body).toEqual({ data: { isSignedIn: true } })
    expect(kept(cookies, answer)).toEqual(own)
  })

  test('act as: if the own session has ended meanwhile, a stop ends the other one and clears both cookies', async () => {
    const { own, cookies } = await acting()
    expect((await app.call('DELETE', '/console/session', { headers: OURS, as: own[MAIN] ?? '' })).status).toBe(204)
    const answer = await stop(cookies)
    expect(answer.body).toEqual({ data: { isSignedIn: false } })
    expect(kept(cookies, answer)).toEqual({})
    expect(await isAlive(cookies[MAIN])).toBe(false)
  })

  test('act as: signing out ends both sessions and clears both cookies', async () => {
    const { own, cookies } = await acting()
    const answer = await send(cookies, 'DELETE', '/console/session')
    expect(answer.status).toBe(204)
    expect(kept(cookies, answer)).toEqual({})
    expect([await isAlive(cookies[MAIN]), await isAlive(own[MAIN])]).toEqual([false, false])
  })

  test('act as: another sign-in in the same browser forgets the kept session', async () => {
    const { cookies } = await acting()
    const person = await app.person()
    const body = { isOwnDevice: true, password: { email: person.email, password: PASSWORD } }
    const answer = await send(cookies, 'POST', '/console/session', { body })
    const after = kept(cookies, answer)
    expect(Object.keys(after)).toEqual([MAIN])
    expect(await whoIs(after)).toBe(person.id)
  })
})

describe('at the same time', () => {
  test('act as: of a stop and another start, the stop alone succeeds', async () => {
    const { own, cookies } = await acting()
    const { id } = await app.person()
    const [stopped, started, again] = await Promise.all([stop(cookies), actAs(cookies, id), stop(cookies)])
    expect([stopped.status, again.status]).toEqual([200, 200])
    expect([401, 403]).toContain(started.status)
    expect(started.headers.getSetCookie()).toEqual([])
    expect([kept(cookies, stopped), kept(cookies, again)]).toEqual([own, own])
    expect(await whoIs(own)).toBe(boss.id)
    expect(await app.context.sql`select 1 from session_tokens where user_id = ${id} and means = 'admin'`).toHaveLength(0)
  })

  test('act as: a start beside a stop that has nothing to end leaves cookies that belong together, in either order', async () => {
    const own = await signIn(boss)
    const { id } = await app.person()
    const [started, stopped] = await Promise.all([actAs(own, id), stop(own)])
    expect([started.status, stopped.status]).toEqual([200, 200])
    for (const after of [kept(kept(own, started), stopped), kept(kept(own, stopped), started)]) {
      expect(await whoIs(after)).toBe(id)
      expect(after[ADMIN]).toBe(own[MAIN]!)
    }
  })

  test('act as: no session in the name of a user begins once the own one has ended', async () => {
    const own = await signIn(boss)
    const { id } = await app.person()
    const out = send(own, 'DELETE', '/console/session')
    const [, started] = await Promise.all([out, actAs(own, id)])
    if (started.status !== 200) expect(outcome(started)).toMatch(/^401/)
    expect(outcome(await actAs(own, id))).toBe('401 invalid_token')
    const rows = await app.context.sql`select 1 from session_tokens where user_id = ${id} and means = 'admin'`
    expect(rows).toHaveLength(started.status === 200 ? 1 : 0)
  })
})

test('act as: over HTTPS both cookies are Secure and bound to the host, and count under those names alone', async () => {
  const secure = await startApp({ publicUrl: 'https://shop.example' })
  const headers = { origin: 'https://shop.example', 'x-serai-console': '1' }
  const [admin, person] = [await secure.person(), await secure.person()]
  const body = { isOwnDevice: true, password: { email: admin.email, password: PASSWORD } }
  const own = kept({}, await send({}, 'POST', '/console/session', { headers, body }, secure))
  const answer = await send(own, 'POST', PATH, { headers, body: { userId: person.id, reason: REASON } }, secure)
  for (const line of answer.headers.getSetCookie())
    expect(line).toMatch(/^__Host-serai_console(_admin)?=st_\w+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/)
  const cookies = kept(own, answer)
  const bare = { ...cookies, [ADMIN]: cookies[`__Host-${ADMIN}`]! }
  delete (bare as Record<string, string>)[`__Host-${ADMIN}`]
  const stopped = await send(bare, 'DELETE', PATH, { headers }, secure)
  expect(stopped.body).toEqual({ data: { isSignedIn: false } })
})

test('act as: with CONSOLE=false there is none', async () => {
  const without = await startApp({ console: false })
  const { id, token } = await without.person()
  const body = { userId: id, reason: REASON }
  expect((await without.call('POST', PATH, { as: token, headers: OURS, body })).status).toBe(404)
  expect((await without.call('DELETE', PATH, { as: token, headers: OURS })).status).toBe(404)
})
