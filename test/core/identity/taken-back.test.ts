import { afterAll, describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { type Answer, type Person, startApp } from '../../support/app.ts'
import { newAuthenticator } from '../../support/authenticator.ts'
import { codeIn, letterTo, tokenIn } from '../../support/letters.ts'
import { CALLBACK, newApp, newVerifier, openBrowser } from '../../support/oauth.ts'
import { atProvider, openProviders, RETURN, saidIn } from '../../support/social.ts'
import { formOf, pngOf } from '../../support/uploads.ts'
import { untilWaiting } from '../../support/waiting.ts'

const ORIGIN = 'https://shop.example'
const providers = await openProviders()
afterAll(() => providers.stop())
const app = await startApp({ publicUrl: ORIGIN, simulators: providers.simulators })
const { call, ok, person, shop, context } = app
const { sql } = context
const admin = await person('The administrator')
await providers.connect(app, admin)
const { google } = providers

const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const currentPassword = 'correct horse'
let accounts = 0
const somebody = () => {
  accounts += 1
  return { subject: `t-${accounts}`, email: `taken${accounts}@example.dz`, emailVerified: true, name: `Taken ${accounts}` }
}
const linksOf = ({ id }: Pick<Person, 'id'>) => sql`select 1 from social_identities where user_id = ${id}`

/** Signs in with a code from the account's mail. An account whose address nobody had confirmed passes to that reader. */
async function recover({ email }: Person): Promise<string> {
  const { id } = (await ok('POST', '/v1/users/auth/code', { body: { email } })).data
  const body = { id, code: codeIn(await letterTo(app, email, 'sign-in code')) }
  return (await ok('POST', '/v1/users/auth/code/consume', { body })).data.token
}

/** Sends the head of a request, and its body once `meanwhile` is done. */
async function slowly(
  method: string,
  path: string,
  as: string,
  body: object | { raw: Uint8Array; type: string },
  meanwhile: () => Promise<unknown>,
): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { raw: bytes, type } = 'raw' in body ? body : { raw: new TextEncoder().encode(JSON.stringify(body)), type: 'application/json' }
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes.slice(0, 1))
      await promise
      controller.enqueue(bytes.slice(1))
      controller.close()
    },
  })
  const headers = { authorization: `Bearer ${as}`, 'content-type': type }
  const answer = app.handle(new Request(app.origin + path, { method, headers, body: stream, duplex: 'half' } as RequestInit))
  await Bun.sleep(600)
  await meanwhile()
  resolve()
  return answer
}

describe('a session that is revoked while its request is still being sent', () => {
  test('a request of a revoked session changes nothing', async () => {
    const mine = await person()
    const end = () => ok('POST', '/v1/users/auth/tokens/revoke-all', { as: mine.token })
    const answer = await slowly('PUT', '/v1/users/auth', mine.token, { name: 'Another' }, end)
    expect(answer.status).toBe(401)
    expect(await sql`select 1 from users where id = ${mine.id} and name = 'Another'`).toHaveLength(0)
  })

  test('a request with a key that was revoked or lost scopes changes nothing', async () => {
    const { owner, projectId, key } = await shop()
    const keys = `/v1/projects/${projectId}/api-keys`
    const event = { url: 'http://127.0.0.1:9/', events: ['*'] }
    const narrow = () => ok('PATCH', `/v1/projects/${projectId}`, { as: owner.token, body: { products: ['parcels'] } })
    expect((await slowly('POST', '/v1/webhook-endpoints', key, event, narrow)).status).toBe(403)
    await ok('PATCH', `/v1/projects/${projectId}`, { as: owner.token, body: { products: ['webhooks'] } })
    const [{ id }] = (await ok('GET', keys, { as: owner.token })).data
    const revoke = () => call('DELETE', `${keys}/${id}`, { as: owner.token })
    expect((await slowly('POST', '/v1/webhook-endpoints', key, event, revoke)).status).toBe(401)
    expect(await sql`select 1 from webhook_endpoints where project_id = ${projectId}`).toHaveLength(0)
  })

  test('a form that its route reads itself changes nothing after the session or the membership has ended', async () => {
    const { owner, storeId } = await shop()
    const agent = await person()
    await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: agent.email, role: 'admin' } })
    const [picture, sheet] = [await formOf(await pngOf(8, 8), 'a.png'), await formOf('name,price\nA chair,100', 'a.csv')]
    const files = `/v1/files?storeId=${storeId}`
    expect((await slowly('POST', files, agent.token, picture, async () => {})).status).toBe(201)
    const dismiss = () => call('DELETE', `/v1/stores/${storeId}/members/${agent.id}`, { as: owner.token })
    expect((await slowly('POST', files, agent.token, picture, dismiss)).status).toBe(404)
    const end = () => ok('POST', '/v1/users/auth/tokens/revoke-all', { as: agent.token })
    expect((await slowly('POST', '/v1/files', agent.token, picture, end)).status).toBe(401)
    const leave = () => ok('POST', '/v1/users/auth/tokens/revoke-all', { as: owner.token })
    expect((await slowly('POST', `/v1/products/import?storeId=${storeId}`, owner.token, sheet, leave)).status).toBe(401)
    const kept = await sql`select 1 from files where (project_id = ${projectIdOf(storeId)} and owner = 'store') or user_id = ${agent.id}
      union all select 1 from products where project_id = ${projectIdOf(storeId)}`
    expect(kept).toHaveLength(1)
  })

  test('a request that is only sent slowly is answered', async () => {
    const mine = await person()
    expect((await slowly('PUT', '/v1/users/auth', mine.token, { name: 'Slow' }, async () => {})).status).toBe(200)
  })
})

describe('sign-ins that a revoked session started', () => {
  test('link no identity, by API or by page', async () => {
    const mine = await person()
    google.books.state.account = somebody()
    const { data } = await ok('GET', '/v1/social/google/link', { as: mine.token })
    const { address } = await atProvider(providers, 'google', data.url)
    const browser = openBrowser(app)
    const page = await browser.ask(address)
    await recover(mine)
    const [, ticket = ''] = /name="ticket" value="(\w+)"/.exec(page.text) ?? []
    const form = { method: 'POST', body: new URLSearchParams({ ticket, action: 'link' }) }
    expect([ticket === '', (await browser.ask('/v1/social/google/link/callback', form)).status]).toEqual([false, 422])
    expect(await linksOf(mine)).toHaveLength(0)
  })

  test("link no identity through an app's ticket, with any session", async () => {
    const mine = await person()
    google.books.state.account = somebody()
    const { verifier, challenge } = newVerifier()
    const query = new URLSearchParams({ returnTo: RETURN, challenge })
    const { data } = await ok('GET', `/v1/social/google/link?${query}`, { as: mine.token })
    const { address } = await atProvider(providers, 'google', data.url)
    const { ticket } = saidIn(await openBrowser(app).ask(address))
    const as = await recover(mine)
    const redeemed = await call('POST', '/v1/users/auth/social/google/callback', { as, body: { ticket, verifier } })
    expect(outcome(redeemed)).toBe('422 invalid_code')
    expect(await linksOf(mine)).toHaveLength(0)
  })

  test('hand over nothing, after a change of password or a recovery of the account', async () => {
    for (const takeBack of [
      (mine: Person) => ok('PUT', '/v1/users/auth', { as: mine.token, body: { password: 'an entirely new one', currentPassword } }),
      recover,
    ]) {
      const { owner } = await shop()
      const thief = await person()
      await sql`update users set email_verified = true where id = ${thief.id}`
      await ok('POST', '/v1/users/auth/transfer', { as: owner.token, body: { email: thief.email, currentPassword } })
      const token = tokenIn(await letterTo(app, thief.email, 'transfer'))
      await takeBack(owner)
      const raw = new URLSearchParams({ token, action: 'accept' }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      expect((await call('POST', '/v1/users/auth/transfer/decide', { raw, headers })).body).toContain('does not work')
      expect(await sql`select 1 from tenants where owner_id = ${thief.id}`).toHaveLength(0)
    }
  })
})

test('an account that is taken back is steered by nobody else: neither by keys that reach all its projects, nor by people', async () => {
  const { owner, storeId, projectId, key } = await shop()
  const other = await person()
  const [{ tenantId }] = (await ok('GET', '/v1/projects', { as: owner.token })).data
  const people = [
    { email: owner.email, role: 'owner' },
    { email: other.email, role: 'admin' },
  ]
  await ok('PATCH', `/v1/tenants/${tenantId}`, { as: owner.token, body: { people } })
  await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: other.email, role: 'viewer' } })
  const body = { name: 'of the project', scopes: ['orders:read'] }
  const narrow = (await ok('POST', `/v1/projects/${projectId}/api-keys`, { as: owner.token, body })).data.key
  const as = await recover(owner)
  expect(outcome(await call('GET', '/v1/projects', { as: key }))).toBe('401 invalid_api_key')
  expect((await ok('GET', '/v1/projects', { as: other.token })).data).toEqual([])
  expect((await ok('GET', `/v1/tenants/${tenantId}`, { as })).data.people).toHaveLength(1)
  // Who works in a store, and what a key can do of one project alone, its new owner sees, and ends.
  expect((await ok('GET', `/v1/stores/${storeId}/members`, { as })).data).toHaveLength(2)
  expect((await call('GET', `/v1/orders?storeId=${storeId}`, { as: narrow })).status).toBe(200)
})

describe('a session that ends at this moment', () => {
  /** Begins something that waits for the user, and revokes the account's sessions before it goes on. */
  async function meanwhile({ id }: Person, begin: () => Promise<Answer>): Promise<Answer> {
    const { begun } = await transaction(sql, async (tx) => {
      await tx`select 1 from users where id = ${id} for update`
      const begun = begin()
      await untilWaiting(sql, 1)
      await tx`update users set password_hash = '' where id = ${id}`
      await tx`delete from session_tokens where user_id = ${id}`
      return { begun }
    })
    return begun
  }

  test('leaves no passkey behind', async () => {
    const mine = await person()
    const { id, options } = (await ok('POST', '/v1/passkeys/register/start', { as: mine.token })).data
    const body = { id, response: newAuthenticator(ORIGIN).create(options) }
    expect(outcome(await meanwhile(mine, () => call('POST', '/v1/passkeys/register/finish', { as: mine.token, body })))).toBe(
      '401 invalid_token',
    )
    expect(await sql`select 1 from passkeys where user_id = ${mine.id}`).toHaveLength(0)
  })

  test('a second factor is not added', async () => {
    const mine = await person()
    const begin = () => call('POST', '/v1/users/auth/second-factor', { as: mine.token, body: { currentPassword } })
    expect(outcome(await meanwhile(mine, begin))).toBe('401 invalid_credentials')
    expect(await sql`select 1 from second_factors where user_id = ${mine.id}`).toHaveLength(0)
  })

  test('an identity of a provider is not linked', async () => {
    const mine = await person()
    const body = { token: await google.idToken(somebody()), link: true }
    const answer = await meanwhile(mine, () => call('POST', '/v1/users/auth/social/google/token', { as: mine.token, body }))
    expect(outcome(answer)).toBe('401 invalid_token')
    expect(await linksOf(mine)).toHaveLength(0)
  })

  test('an app is not authorized', async () => {
    const [mine, maker] = [await person(), await person()]
    const client = await newApp(app, maker)
    const query = new URLSearchParams({ client_id: client.id, redirect_uri: CALLBACK, response_type: 'code' })
    const decide = () => call('POST', `/oauth/authorize?${query}`, { as: mine.token, body: { action: 'allow' } })
    expect((await decide()).status).toBe(200)
    const answer = await meanwhile(mine, decide)
    expect([answer.status, answer.body.error]).toEqual([403, 'access_denied'])
    expect(await sql`select 1 from oauth_grants where user_id = ${mine.id}`).toHaveLength(1)
  })
})
