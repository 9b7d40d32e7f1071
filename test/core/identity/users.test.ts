import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startApp } from '../../support/app.ts'

const { call, ok, person } = await startApp()
const admin = await person('First')

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

test('where signing up is closed only the first person can', async () => {
  const closed = await startApp({ openSignup: false })
  await closed.person('First')
  const second = await closed.call('POST', '/v1/users/auth/signup', {
    body: { name: 'B', email: 'b@example.dz', password: 'correct horse' },
  })
  expect([second.status, second.body.error.code]).toEqual([403, 'signup_closed'])
})

test('a password is hashed at the recommended cost', async () => {
  const crypto = join(import.meta.dir, '../../../core/lib/crypto.ts')
  const script = `import { hashPassword } from '${crypto}'; console.log(await hashPassword('correct horse'))`
  const told = await new Response(Bun.spawn([process.execPath, '-e', script]).stdout).text()
  expect(told).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$')
})
