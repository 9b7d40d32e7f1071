import { describe, expect, test } from 'bun:test'
import { type Answer, startApp } from '../../support/app.ts'
import { codeIn, letterTo, pathIn, tokenIn } from '../../support/letters.ts'
import { readOutbox } from '../../support/outbox.ts'

const app = await startApp({ trustedProxies: 1 })
const { call, ok, person } = app
let addresses = 0
/** From a place that nobody asked from yet. */
const from = () => ({ headers: { 'x-forwarded-for': `203.0.113.${++addresses}` } })
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const form = (path: string, fields: Record<string, string>) =>
  call('POST', path, { raw: new URLSearchParams(fields).toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } })

async function codeFor(email: string, purpose = 'sign_in', words = 'sign-in code', before = 0) {
  const asked = (await ok('POST', '/v1/users/auth/code', { body: { email, purpose }, ...from() })).data
  return { id: asked.id as string, code: codeIn(await letterTo(app, email, words, before)) }
}

describe('a sign-in code', () => {
  test('comes by mail, is inspected without being used, and signs in once', async () => {
    const { email } = await person()
    const given = await codeFor(email)
    expect(given.code).toMatch(/^\d{8}$/)
    const { data } = await ok('POST', '/v1/users/auth/code/inspect', { body: given })
    expect(data).toMatchObject({ purpose: 'sign_in', email, attemptsLeft: 5 })
    const used = await ok('POST', '/v1/users/auth/code/consume', { body: given })
    expect(used.data).toMatchObject({ purpose: 'sign_in', user: { email, emailVerified: true } })
    expect((await ok('GET', '/v1/users/auth', { as: used.data.token })).data.email).toBe(email)
    expect(outcome(await call('POST', '/v1/users/auth/code/consume', { body: given }))).toBe('422 invalid_code')
    const [session] = (await ok('GET', '/v1/users/auth/tokens', { as: used.data.token })).data
    expect(session).toMatchObject({ current: true, means: 'code', device: 'unknown', place: 'unknown' })
  })

  test('takes an account over that nobody had confirmed: who only typed the address comes in no more', async () => {
    const typed = await person()
    const password = 'correct horse'
    const factor = await ok('POST', '/v1/users/auth/second-factor', { as: typed.token, body: { currentPassword: password } })
    await app.context.sql`update second_factors set confirmed_at = now() where user_id = ${typed.id}`
    expect(factor.data.secret).toBeString()
    const used = await ok('POST', '/v1/users/auth/code/consume', { body: await codeFor(typed.email) })
    expect((await call('GET', '/v1/users/auth', { as: typed.token })).status).toBe(401)
    expect(outcome(await call('POST', '/v1/users/auth/signin', { body: { email: typed.email, password }, ...from() }))).toBe(
      '401 invalid_credentials',
    )
    expect((await call('GET', '/v1/users/auth', { as: used.data.token })).status).toBe(200)
    // From now on it is confirmed: the next code leaves all as it is.
    const again = await ok('POST', '/v1/users/auth/code/consume', { body: await codeFor(typed.email, 'sign_in', 'sign-in code', 1) })
    for (const token of [used.data.token, again.data.token]) expect((await call('GET', '/v1/users/auth', { as: token })).status).toBe(200)
  })

  test('ends after five wrong tries, however many come at once; of many right ones one comes through', async () => {
    const { email } = await person()
    const given = await codeFor(email)
    const wrong = { ...given, code: given.code === '00000000' ? '11111111' : '00000000' }
    const tries = await Promise.all(Array.from({ length: 12 }, () => call('POST', '/v1/users/auth/code/inspect', { body: wrong })))
    expect(new Set(tries.map(outcome))).toEqual(new Set(['422 invalid_code']))
    expect(outcome(await call('POST', '/v1/users/auth/code/consume', { body: given }))).toBe('422 invalid_code')

    const other = await person()
    const good = await codeFor(other.email)
    const uses = await Promise.all(Array.from({ length: 5 }, () => call('POST', '/v1/users/auth/code/consume', { body: good })))
    expect(uses.map(({ status }) => status).filter((status) => status === 200)).toEqual([200])
  })

  test('is kept as a digest, and is over after its time', async () => {
    const { email } = await person()
    const given = await codeFor(email)
    const [row] = await app.context.sql`select * from one_time_codes where id = ${given.id}`
    expect(JSON.stringify(row)).not.toContain(given.code)
    await app.context.sql`update one_time_codes set expires_at = now() - interval '1 second' where id = ${given.id}`
    expect(outcome(await call('POST', '/v1/users/auth/code/consume', { body: given }))).toBe('422 invalid_code')
  })

  test('is asked for in the same way of nobody, who gets no mail', async () => {
    const asked = await call('POST', '/v1/users/auth/code', { body: { email: 'nobody@example.dz' }, ...from() })
    const real = await call('POST', '/v1/users/auth/code', { body: { email: (await person()).email }, ...from() })
    expect([asked.status, Object.keys(asked.body.data).sort()]).toEqual([202, Object.keys(real.body.data).sort()])
    const guess = await call('POST', '/v1/users/auth/code/consume', { body: { id: asked.body.data.id, code: '12345678' } })
    expect(outcome(guess)).toBe('422 invalid_code')
    expect((await readOutbox(app.context.config.dataDir)).filter(({ to }) => to === 'nobody@example.dz')).toEqual([])
  })

  test('cannot be asked for without end; the owner elsewhere still can', async () => {
    const { email } = await person()
    const stranger = from()
    const asked: string[] = []
    for (let at = 0; at < 6; at += 1) asked.push(outcome(await call('POST', '/v1/users/auth/code', { body: { email }, ...stranger })))
    expect(asked).toEqual([...Array(4).fill('202'), '429 rate_limited', '429 rate_limited'])
    expect(outcome(await call('POST', '/v1/users/auth/code', { body: { email }, ...from() }))).toBe('202')
  })
})

describe('an e-mail address', () => {
  test('gets the codes that its owner asks for from a known network, however many strangers ask for codes', async () => {
    const { email } = await person()
    const ask = (options: object) => ok('POST', '/v1/users/auth/code', { body: { email }, ...options })
    await Promise.all(Array.from({ length: 14 }, () => ask(from())))
    await letterTo(app, email, 'sign-in code', 11)
    const { data } = await ask({})
    const body = { id: data.id, code: codeIn(await letterTo(app, email, 'sign-in code', 12)) }
    expect((await ok('POST', '/v1/users/auth/code/consume', { body })).data.user.email).toBe(email)
  })

  test('is confirmed by the page that the mail of the sign-up leads to, not by looking at it', async () => {
    const { email, token } = await person()
    const letter = await letterTo(app, email, 'Confirm your e-mail')
    const page = await call('GET', `${pathIn(letter)}&ui_locales=ar`)
    expect([page.status, page.headers.get('referrer-policy'), page.headers.get('x-frame-options')]).toEqual([200, 'no-referrer', 'DENY'])
    expect(page.body).toContain('dir="rtl"')
    expect((await ok('GET', '/v1/users/auth', { as: token })).data.emailVerified).toBe(false)
    expect((await form('/v1/__/email/verify', { token: tokenIn(letter), ui_locales: 'fr' })).body).toContain('est confirmée')
    expect((await ok('GET', '/v1/users/auth', { as: token })).data.emailVerified).toBe(true)
    expect((await form('/v1/__/email/verify', { token: tokenIn(letter) })).body).toContain('does not work')
    expect(outcome(await call('POST', '/v1/users/auth/verify-email/resend', { as: token, ...from() }))).toBe('409 conflict')
  })

  test('is confirmed by the token or by the code, but no longer where it is another by now', async () => {
    const mine = await person()
    await letterTo(app, mine.email, 'Confirm your e-mail')
    const again = await ok('POST', '/v1/users/auth/verify-email/resend', { as: mine.token, ...from() })
    const letter = await letterTo(app, mine.email, 'Confirm your e-mail', 1)
    const { data } = await ok('POST', '/v1/users/auth/code/consume', { body: { id: again.data.id, code: codeIn(letter) } })
    expect(data).toMatchObject({ purpose: 'verify_email', token: null, user: { emailVerified: true } })

    const moved = await person()
    const old = await letterTo(app, moved.email, 'Confirm your e-mail')
    const next = `new-${moved.email}`
    await ok('PUT', '/v1/users/auth', { as: moved.token, body: { email: next, currentPassword: 'correct horse' } })
    expect(outcome(await call('POST', '/v1/users/auth/verify-email/confirm', { body: { token: tokenIn(old) } }))).toBe('422 invalid_code')
    const token = tokenIn(await letterTo(app, next, 'Confirm your e-mail'))
    expect((await ok('POST', '/v1/users/auth/verify-email/confirm', { body: { token } })).data).toMatchObject({
      email: next,
      emailVerified: true,
    })
  })
})

describe('a forgotten password', () => {
  const ask = (email: string) => ok('POST', '/v1/users/auth/reset-password', { body: { email, language: 'fr' }, ...from() })

  test('is replaced on a page, once; everybody is signed out and only the new one works', async () => {
    const { email, token } = await person()
    await ask(email)
    const letter = await letterTo(app, email, 'nouveau mot de passe')
    const page = await call('GET', pathIn(letter))
    expect(page.body).toContain('lang="fr"')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const choose = (password: string) => form('/v1/auth/web/reset-password-confirm', { token: tokenIn(letter), password, ui_locales: 'fr' })
    expect((await choose('short')).body).toContain('de 8 à 200')
    expect((await choose('iloveyou1')).body).toContain('trop courant')
    const both = await Promise.all([choose('battery staple one'), choose('battery staple two')])
    expect(both.filter(({ body }) => body.includes('a été modifié')).length).toBe(1)
    const chosen = both[0]!.body.includes('a été modifié') ? 'battery staple one' : 'battery staple two'
    expect((await call('GET', '/v1/users/auth', { as: token })).status).toBe(401)
    expect(outcome(await call('POST', '/v1/users/auth/signin', { body: { email, password: 'correct horse' } }))).toContain('401')
    expect((await ok('POST', '/v1/users/auth/signin', { body: { email, password: chosen } })).data.user.emailVerified).toBe(true)
    expect((await choose('battery staple three')).body).toContain('ne fonctionne pas')
    expect((await call('GET', pathIn(letter))).body).toContain('ne fonctionne pas')
  })

  test('is replaced with the code of the mail as well, in every language, once', async () => {
    const { email } = await person()
    const password = 'battery staple four'
    for (const [at, language, words] of [
      [0, 'en', 'new password'],
      [1, 'fr', 'nouveau mot de passe'],
      [2, 'ar', 'كلمة مرور جديدة'],
    ] as const) {
      const asked = await ok('POST', '/v1/users/auth/code', { body: { email, purpose: 'reset_password', language }, ...from() })
      const letter = await letterTo(app, email, words)
      const given = { id: asked.data.id, code: codeIn(letter) }
      expect(letter.html).toContain(given.code)
      expect(outcome(await call('POST', '/v1/users/auth/code/consume', { body: given }))).toBe('400 invalid_request')
      const used = await ok('POST', '/v1/users/auth/code/consume', { body: { ...given, password: `${password} ${at}` } })
      expect(used.data).toMatchObject({ purpose: 'reset_password', token: null, user: { email } })
      expect(outcome(await call('POST', '/v1/users/auth/code/consume', { body: { ...given, password } }))).toBe('422 invalid_code')
    }
    expect(outcome(await call('POST', '/v1/users/auth/signin', { body: { email, password: `${password} 2` }, ...from() }))).toBe('200')
  })

  test('a link for one thing does nothing else, and no request says where links lead', async () => {
    const { email } = await person()
    await call('POST', '/v1/users/auth/reset-password', { body: { email }, headers: { ...from().headers, host: 'evil.example' } })
    const letter = await letterTo(app, email, 'new password')
    expect(letter.text).not.toContain('evil.example')
    expect(outcome(await call('POST', '/v1/users/auth/verify-email/confirm', { body: { token: tokenIn(letter) } }))).toBe(
      '422 invalid_code',
    )
    expect((await call('POST', '/v1/auth/web/reset-password-confirm', { body: { token: 'x' } })).status).toBe(415)
  })

  test('can be asked for by anybody, who learns nothing', async () => {
    expect(await ask('nobody-else@example.dz')).toEqual(await ask((await person()).email))
  })
})

test('a password that guessers try first is refused wherever one is chosen', async () => {
  const { email, token } = await person()
  const signUp = (password: string, at = 'someone@example.dz') =>
    call('POST', '/v1/users/auth/signup', { body: { name: 'A', email: at, password } })
  const listed = ['password', 'Iloveyou', 'sunshine1!', 'someone@example.dz', '1q2w3e4r']
  const repeated = ['00000000', 'aaaaaaaa', 'AAAAAAAA1!', '88888888', '123123123', 'abcabcab', 'ééééééééé', ' '.repeat(10)]
  const runs = [
    '87654321',
    '987654321',
    '0123456789',
    '٠١٢٣٤٥٦٧٨',
    'abcdefghij',
    'ZYXWVUTSR',
    'poiuytreza',
    'qwerty1234',
    '１２３４５６７８',
    'شسيبلاتن',
  ]
  for (const password of [...listed, ...repeated, ...runs])
    expect(`${password} ${outcome(await signUp(password))}`).toBe(`${password} 422 password_too_common`)
  const body = { password: 'baseball', currentPassword: 'correct horse' }
  expect(outcome(await call('PUT', '/v1/users/auth', { as: token, body }))).toBe('422 password_too_common')
  expect(outcome(await call('POST', '/v1/users/auth/signin', { body: { email, password: 'correct horse' } }))).toBe('200')
  const list = (await Bun.file(`${import.meta.dir}/../../../core/identity/auth/passwords/commonest-passwords.txt`).text())
    .trim()
    .split('\n')
  expect(list.length).toBeGreaterThan(10_000)
})

test('passwords: accents may be composed or decomposed; hashes of the raw text still work', async () => {
  const password = 'crème brûlée à midi'
  const signIn = (email: string, typed: string) => call('POST', '/v1/users/auth/signin', { body: { email, password: typed }, ...from() })
  const signUp = async (email: string, typed: string) =>
    ok('POST', '/v1/users/auth/signup', { body: { name: 'A', email, password: typed } })
  await signUp('nfd@example.dz', password.normalize('NFD'))
  await signUp('nfc@example.dz', password.normalize('NFC'))
  for (const email of ['nfd@example.dz', 'nfc@example.dz'])
    for (const form of ['NFC', 'NFD']) expect(outcome(await signIn(email, password.normalize(form)))).toBe('200')
  const kept = await Bun.password.hash(password.normalize('NFD'))
  await app.context.sql`update users set password_hash = ${kept} where email = 'nfd@example.dz'`
  expect(outcome(await signIn('nfd@example.dz', password.normalize('NFD')))).toBe('200')
  expect(outcome(await signIn('nfc@example.dz', 'creme brulee a midi'))).toBe('401 invalid_credentials')
  await signUp('words@example.dz', 'abba sang 1974')
})

test('sign-in: a new device is announced by mail; sessions list their device and place', async () => {
  const { email, token } = await person()
  const headers = {
    'x-forwarded-for': '8.8.4.77',
    'user-agent': 'Mozilla/5.0 (Linux; Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
  }
  await ok('POST', '/v1/users/auth/signin', { body: { email, password: 'correct horse' }, headers })
  expect((await letterTo(app, email, 'new sign-in')).text).toContain('Firefox on Android')
  const { data } = await ok('GET', '/v1/users/auth/tokens', { as: token })
  expect(data[0]).toMatchObject({ device: 'Firefox on Android', place: '8.8.4.x', means: 'password', current: false })
})
