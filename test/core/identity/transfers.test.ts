import { expect, test } from 'bun:test'
import { transaction } from '../../../core/data/sql.ts'
import { startApp } from '../../support/app.ts'
import { letterTo, pathIn, tokenIn } from '../../support/letters.ts'
import { untilWaiting } from '../../support/waiting.ts'

const app = await startApp()
const { call, ok, person, shop, context } = app
await person('The administrator')
const decide = (token: string, action: string) =>
  call('POST', '/v1/users/auth/transfer/decide', {
    raw: new URLSearchParams({ token, action }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

test('transfer: all that a user owns passes once to the user who accepts by mail; the former owner stays an administrator', async () => {
  const { owner, storeId, projectId } = await shop()
  const email = `heir-${owner.email}`
  const offer = (password: string) =>
    call('POST', '/v1/users/auth/transfer', { as: owner.token, body: { email, currentPassword: password } })
  expect((await offer('not the password')).body.error.code).toBe('invalid_credentials')
  const first = await offer('correct horse')
  expect([first.status, first.body.data.status]).toEqual([202, 'open'])
  const old = tokenIn(await letterTo(app, email, 'transfer'))
  await offer('correct horse')
  const letter = await letterTo(app, email, 'transfer', 1)
  const token = tokenIn(letter)
  expect((await decide(old, 'accept')).body).toContain('does not work')
  expect((await call('GET', `${pathIn(letter)}&ui_locales=fr`)).body).toContain('vous transfère')
  expect((await decide(token, 'accept')).body).toContain('Sign up with this address and confirm it')

  const { data: heir } = await ok('POST', '/v1/users/auth/signup', { body: { name: 'Heir', email, password: 'correct horse' } })
  // The user who typed the address first need not be the one who reads its mail.
  expect((await decide(token, 'accept')).body).toContain('Sign up with this address and confirm it')
  await ok('POST', '/v1/users/auth/verify-email/confirm', { body: { token: tokenIn(await letterTo(app, email, 'onfirm')) } })
  const answers = await Promise.all([decide(token, 'accept'), decide(token, 'accept')])
  expect(answers.filter(({ body }) => body.includes('It is yours now')).length).toBe(1)
  expect((await ok('GET', `/v1/stores/${storeId}`, { as: heir.token })).data.ownerId).toBe(heir.user.id)
  const changes = (await ok('GET', `/v1/stores/${storeId}/audit?what=store.owner_changed`, { as: heir.token })).data
  expect(changes).toMatchObject([{ by: { kind: 'person', id: heir.user.id }, after: { ownerId: heir.user.id } }])
  const { data: members } = await ok('GET', `/v1/stores/${storeId}/members`, { as: heir.token })
  expect(members.map(({ userId, role }: { userId: string; role: string }) => [userId, role]).sort()).toEqual(
    [
      [heir.user.id, 'owner'],
      [owner.id, 'admin'],
    ].sort(),
  )
  const { tenantId } = (await ok('GET', `/v1/projects/${projectId}`, { as: heir.token })).data
  const { data: tenant } = await ok('GET', `/v1/tenants/${tenantId}`, { as: heir.token })
  expect(tenant.people.map(({ userId, role }: { userId: string; role: string }) => [userId, role])).toEqual([
    [heir.user.id, 'owner'],
    [owner.id, 'admin'],
  ])
  expect((await offer('correct horse')).body.error.code).toBe('conflict')
})

test('a password that was right hands nothing over where another came at that moment', async () => {
  const { owner } = await shop()
  const body = { email: `heir-${owner.email}`, currentPassword: 'correct horse' }
  const { offered } = await transaction(context.sql, async (tx) => {
    await tx`select 1 from users where id = ${owner.id} for update`
    const offered = call('POST', '/v1/users/auth/transfer', { as: owner.token, body })
    await untilWaiting(context.sql, 1)
    await tx`update users set password_hash = 'of another' where id = ${owner.id}`
    return { offered }
  })
  expect((await offered).body.error.code).toBe('invalid_credentials')
  expect((await context.sql`select 1 from account_transfers where from_id = ${owner.id}`).length).toBe(0)
})

test('a transfer that is declined changes nothing', async () => {
  const { owner, storeId } = await shop()
  const heir = await person('Heir')
  await ok('POST', '/v1/users/auth/transfer', {
    as: owner.token,
    body: { email: heir.email, currentPassword: 'correct horse', language: 'ar' },
  })
  const token = tokenIn(await letterTo(app, heir.email, 'ينقل'))
  expect((await decide(token, 'decline')).body).toContain('You declined')
  expect((await decide(token, 'accept')).body).toContain('does not work')
  expect((await ok('GET', `/v1/stores/${storeId}`, { as: owner.token })).data.ownerId).toBe(owner.id)
})
