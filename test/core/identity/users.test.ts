import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { transaction } from '../../../core/data/sql.ts'
import { hashPassword } from '../../../core/lib/crypto/crypto.ts'
import { type Answer, startApp } from '../../support/app.ts'
import { letterTo, tokenIn } from '../../support/letters.ts'
import { untilWaiting } from '../../support/waiting.ts'

const app = await startApp()
const { call, ok, person, context } = app
const admin = await person('First')
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()

test('the first to sign up administers the platform, the second does not', async () => {
  const second = await person('Second')
  expect((await ok('GET', '/v1/users/auth', { as: admin.token })).data.isAdmin).toBe(true)
  expect((await ok('GET', '/v1/users/auth', { as: second.token })).data).toMatchObject({
    isAdmin: false,
    emailVerified: false,
    name: 'Second',
  })
})

test('an e-mail address has one account, whatever its case', async () => {
  const { email } = await person()
  const again = await call('POST', '/v1/users/auth/signup', { body: { name: 'B', email: email.toUpperCase(), password: 'another one' } })
  expect([again.status, again.body.error.code]).toEqual([409, 'email_taken'])
  expect(
    (await ok('POST', '/v1/users/auth/signin', { body: { email: email.toUpperCase(), password: 'correct horse' } })).data.token,
  ).toStartWith('st_')
})

test('signing out ends this session, and the list shows which is which', async () => {
  const { email, token } = await person()
  const other = (await ok('POST', '/v1/users/auth/signin', { body: { email, password: 'correct horse' } })).data.token
  const { data } = await ok('GET', '/v1/users/auth/tokens', { as: token })
  expect(data.map((session: { current: boolean }) => session.current).sort()).toEqual([false, true])
  expect((await call('POST', '/v1/users/auth/signout', { as: other })).status).toBe(204)
  expect((await call('GET', '/v1/users/auth', { as: other })).body.error.code).toBe('invalid_token')
  expect((await call('GET', '/v1/users/auth', { as: token })).status).toBe(200)
})

test('a session is revoked by its owner alone, all of them at once', async () => {
  const mine = await person()
  const theirs = await person()
  const [session] = (await ok('GET', '/v1/users/auth/tokens', { as: mine.token })).data
  expect((await call('DELETE', `/v1/users/auth/tokens/${session.id}`, { as: theirs.token })).status).toBe(404)
  expect((await call('DELETE', `/v1/users/auth/tokens/${session.id}`, { as: mine.token })).status).toBe(204)
  expect((await call('GET', '/v1/users/auth', { as: mine.token })).status).toBe(401)
  expect((await ok('POST', '/v1/users/auth/tokens/revoke-all', { as: theirs.token })).data.revoked).toBe(1)
  expect((await call('GET', '/v1/users/auth', { as: theirs.token })).status).toBe(401)
})

test('a password changes with the current one only, and ends the other sessions', async () => {
  const { email, token } = await person()
  const other = (await ok('POST', '/v1/users/auth/signin', { body: { email, password: 'correct horse' } })).data.token
  expect((await call('PUT', '/v1/users/auth', { as: token, body: { password: 'a better one' } })).body.error.code).toBe(
    'invalid_credentials',
  )
  await ok('PUT', '/v1/users/auth', { as: token, body: { password: 'a better one', currentPassword: 'correct horse' } })
  expect((await call('GET', '/v1/users/auth', { as: token })).status).toBe(200)
  expect((await call('GET', '/v1/users/auth', { as: other })).status).toBe(401)
  expect((await call('POST', '/v1/users/auth/signin', { body: { email, password: 'correct horse' } })).status).toBe(401)
})

test('no answer ever holds a password or its hash', async () => {
  const { email, token } = await person()
  for (const answer of [
    await call('GET', '/v1/users/auth', { as: token }),
    await call('POST', '/v1/users/auth/signin', { body: { email, password: 'correct horse' } }),
  ]) {
    expect(JSON.stringify(answer.body)).not.toMatch(/argon2|passwordHash|correct horse/)
  }
})

test('sign-up: while it is closed only the first user can sign up', async () => {
  const closed = await startApp({ openSignup: false })
  const first = await closed.person('First')
  for (const email of ['b@example.dz', first.email, first.email.toUpperCase()]) {
    const body = { name: 'B', email, password: 'correct horse' }
    expect(outcome(await closed.call('POST', '/v1/users/auth/signup', { body }))).toBe('403 signup_closed')
  }
})

test('change of address: probing which addresses have an account is throttled', async () => {
  const [mine, other] = [await person(), await person()]
  const change = (body: object) => call('PUT', '/v1/users/auth', { as: mine.token, body: { currentPassword: 'correct horse', ...body } })
  for (const email of [other.email, 'nobody-yet@example.dz'])
    expect(outcome(await change({ email, password: 'password' }))).toBe('422 password_too_common')
  for (let at = 0; at < 5; at += 1) expect(outcome(await change({ email: other.email }))).toBe('409 email_taken')
  for (const email of [other.email, 'nobody-yet@example.dz']) {
    const refused = await change({ email })
    expect(outcome(refused)).toBe('429 rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
  }
  expect(outcome(await change({ name: 'Still me', email: mine.email }))).toBe('200')
})

test('an address in other letters is the same, with a new password as without', async () => {
  const { email, token } = await person()
  await ok('POST', '/v1/users/auth/verify-email/confirm', { body: { token: tokenIn(await letterTo(app, email, 'Confirm your e-mail')) } })
  const body = { email: email.toUpperCase(), password: 'battery staple', currentPassword: 'correct horse' }
  expect((await ok('PUT', '/v1/users/auth', { as: token, body })).data).toMatchObject({ email: body.email, emailVerified: true })
})

test('a password that was right opens nothing where another came at that moment', async () => {
  const { id, email, token } = await person()
  const next = await hashPassword('battery staple')
  const begun = await transaction(context.sql, async (tx) => {
    await tx`select 1 from users where id = ${id} for update`
    const calls = [
      call('POST', '/v1/users/auth/signin', { body: { email, password: 'correct horse' } }),
      call('PUT', '/v1/users/auth', { as: token, body: { password: 'another one', currentPassword: 'correct horse' } }),
    ]
    await untilWaiting(context.sql, calls.length)
    await tx`update users set password_hash = ${next} where id = ${id}`
    await tx`delete from session_tokens where user_id = ${id}`
    return { calls }
  })
  const [signIn, change] = (await Promise.all(begun.calls)).map(outcome)
  expect(signIn).toBe('401 invalid_credentials')
  // A slow request is asked for its session again, which ended meanwhile.
  expect(change).toBeOneOf(['401 invalid_credentials', '401 invalid_token'])
  expect((await context.sql`select 1 from session_tokens where user_id = ${id}`).length).toBe(0)
  await ok('POST', '/v1/users/auth/signin', { body: { email, password: 'battery staple' } })
})

test('sessions: the session of a deleted user gives no access', async () => {
  const { id, email } = await person()
  const { token } = (await ok('POST', '/v1/users/auth/signin', { body: { email, password: 'correct horse' } })).data
  await context.sql`update users set deleted_at = now() where id = ${id}`
  expect(outcome(await call('GET', '/v1/users/auth', { as: token }))).toBe('401 invalid_token')
})

test('a password is hashed at the recommended cost', async () => {
  const crypto = join(import.meta.dir, '../../../core/lib/crypto/crypto.ts')
  const script = `import { hashPassword } from '${crypto}'; console.log(await hashPassword('correct horse'))`
  const told = await new Response(Bun.spawn([process.execPath, '-e', script]).stdout).text()
  expect(told).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$')
})
