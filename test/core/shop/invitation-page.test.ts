import { expect, test } from 'bun:test'
import { invitationMessages } from '../../../core/shop/stores/members/invitation-messages.ts'
import { startApp } from '../../support/app.ts'
import { letterTo, pathIn, tokenIn } from '../../support/letters.ts'

const app = await startApp({ publicUrl: 'https://shop.example' })
const { call, ok, person, shop, context } = app
await person('The administrator') // the first account sees everything; no test wants to be it
const { storeId, owner } = await shop({ name: 'Boutique <b>' })

let invited = 0
const invite = async (email: string, body: object = {}) => {
  const input = { email, role: 'agent', language: 'en', ...body }
  const { data } = await ok('POST', `/v1/stores/${storeId}/invites`, { as: owner.token, body: input })
  const letter = await letterTo(app, email, 'Boutique')
  return { id: data.id as string, path: pathIn(letter), token: tokenIn(letter), page: `/v1/stores/${storeId}/invites/${data.id}/page` }
}
const someone = () => `invited-${++invited}-${storeId}@example.dz`
const send = (page: string, fields: Record<string, string>) =>
  call('POST', page, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const statusOf = async (id: string) =>
  (await ok('GET', `/v1/stores/${storeId}/invites?limit=100`, { as: owner.token })).data.find((one: { id: string }) => one.id === id).status
const membership = async (userId: string) =>
  (await context.sql`select role, permissions from store_members where store_id = ${storeId} and user_id = ${userId}`)[0]

test.each([
  ['en', 'ltr'],
  ['fr', 'ltr'],
  ['ar', 'rtl'],
] as const)('the mail leads to a page in %s, which answers nothing by being looked at', async (language, direction) => {
  const { id, path } = await invite(someone(), { language })
  const { status, headers, body } = await call('GET', path)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toStartWith('text/html')
  expect(headers.get('content-security-policy')).toContain("form-action 'self'; frame-ancestors 'none'")
  expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
  expect(body).toContain(`<html lang="${language}" dir="${direction}">`)
  expect(body).toContain('name="viewport" content="width=device-width')
  for (const said of [invitationMessages[language].signUp, invitationMessages[language].decline])
    expect(body).toContain(`>${said}</button>`)
  expect(body).toContain(invitationMessages[language].roles.agent)
  expect(body).toContain('Boutique &lt;b&gt;')
  expect(body).not.toMatch(/<b>|<script|\{\w+\}/)
  expect(await statusOf(id)).toBe('open')
  expect((await call('GET', path.replace(`ui_locales=${language}`, ''), { headers: { 'accept-language': 'ar-DZ' } })).body).toContain('rtl')
})

test('who reads the mail accepts for the account with that confirmed address, once', async () => {
  const email = someone()
  const { id, page, token } = await invite(email, { permissions: ['orders:read'] })
  const accept = () => send(page, { token, action: 'accept', ui_locales: 'en' })
  const { data } = await ok('POST', '/v1/users/auth/signup', { body: { name: 'Amina', email, password: 'correct horse' } })
  // Somebody else may have typed the address.
  expect((await accept()).body).toContain('is not confirmed yet')
  const early = await call('POST', `/v1/stores/${storeId}/invites/${id}/accept`, { as: data.token, body: {} })
  expect([early.status, early.body.error.message]).toEqual([403, expect.stringContaining('Confirm your e-mail address first')])
  expect([await statusOf(id), await membership(data.user.id)]).toEqual(['open', undefined])
  await context.sql`update users set email_verified = true where id = ${data.user.id}`
  const answers = await Promise.all([accept(), accept(), send(page, { token, action: 'decline' })])
  expect(answers.filter(({ body }) => !body.includes('does not work'))).toHaveLength(1)
  if ((await statusOf(id)) === 'accepted') expect(await membership(data.user.id)).toEqual({ role: 'agent', permissions: ['orders:read'] })
  else expect(await membership(data.user.id)).toBeUndefined()
})

test('invitation page: accepting there is recorded as an act of the invited user', async () => {
  const amina = await person('Amina')
  await context.sql`update users set email_verified = true where id = ${amina.id}`
  const { id, page, token } = await invite(amina.email)
  expect((await send(page, { token, action: 'accept', ui_locales: 'fr' })).body).toContain('Bienvenue')
  const audit = `/v1/stores/${storeId}/audit?filter[thing]=${amina.id}`
  expect((await ok('GET', audit, { as: owner.token })).data).toMatchObject([{ what: 'member.added', by: { kind: 'person', id: amina.id } }])
  expect((await call('GET', `${page}?token=${token}`)).body).toContain('does not work')
  expect(await statusOf(id)).toBe('accepted')
})

test('who declines needs no account', async () => {
  const { id, page, token } = await invite(someone())
  expect((await send(page, { token, action: 'decline' })).body).toContain('You declined')
  expect(await statusOf(id)).toBe('declined')
  expect((await send(page, { token, action: 'accept' })).body).toContain('does not work')
})

test('where the store is full it says so, and the invitation stays open', async () => {
  const amina = await person('Amina')
  await context.sql`update users set email_verified = true where id = ${amina.id}`
  const { id, page, token } = await invite(amina.email)
  await context.sql`with made as (
      insert into users (id, name, email, password_hash) select 'usr_crowd_' || n, 'Crowd', 'crowd-' || n || '@example.dz', '' from generate_series(1, 500) n returning id)
    insert into store_members (store_id, user_id, role) select ${storeId}, id, 'viewer' from made`
  expect((await send(page, { token, action: 'accept' })).body).toContain('reached its maximum number of members')
  expect(await statusOf(id)).toBe('open')
  await context.sql`delete from store_members where store_id = ${storeId} and user_id like 'usr_crowd_%'`
})

test('nothing is shown or taken without its token, nor of what is over', async () => {
  const [one, other] = [await invite(someone()), await invite(someone())]
  for (const token of ['', 'it_wrong', other.token]) {
    expect((await call('GET', `${one.page}?token=${token || 'x'}`)).body).not.toContain('Boutique')
    expect((await send(one.page, { token, action: 'decline' })).body).toContain('does not work')
  }
  expect((await call('POST', one.page, { as: owner.token, body: { token: one.token, action: 'decline' } })).status).toBe(415)
  await context.sql`update store_invitations set expires_at = now() - interval '1 second' where id = ${one.id}`
  expect((await call('GET', `${one.page}?token=${one.token}`)).body).toContain('does not work')
  await ok('DELETE', `/v1/stores/${storeId}/invites/${other.id}`, { as: owner.token })
  expect((await send(other.page, { token: other.token, action: 'decline' })).body).toContain('does not work')
})

test('somebody without an account makes one on the page, without a script, and is a member at once', async () => {
  const email = someone()
  const { id, path, page, token } = await invite(email)
  expect((await call('GET', path)).body).toContain('name="password"')
  const signUp = (fields: object) => send(page, { token, action: 'sign-up', ui_locales: 'en', name: 'Amina', ...fields })
  expect((await signUp({ password: 'short' })).body).toContain(invitationMessages.en.tooShort)
  expect((await signUp({ password: 'password1' })).body).toContain(invitationMessages.en.tooCommon)
  expect((await send(page, { token: 'it_wrong', action: 'sign-up', name: 'Amina', password: 'correct horse' })).body).toContain(
    invitationMessages.en.overTitle,
  )
  expect(await statusOf(id)).toBe('open')
  expect((await signUp({ password: 'correct horse' })).body).toContain('Welcome')
  const { data } = await ok('POST', '/v1/users/auth/signin', { body: { email, password: 'correct horse' } })
  expect([data.user.emailVerified, await statusOf(id), (await membership(data.user.id))?.role]).toEqual([true, 'accepted', 'agent'])
  expect((await signUp({ password: 'another horse' })).body).toContain(invitationMessages.en.overTitle)
})
