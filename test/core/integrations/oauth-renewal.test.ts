import { afterAll, beforeEach, expect, test } from 'bun:test'
import { readConfig } from '../../../core/config.ts'
import { renewIdleTokens } from '../../../core/integrations/connections/oauth-client/renew-idle-tokens.ts'
import { type RunningServer, serve } from '../../../core/serve.ts'
import { freshDatabase, redisOfItsOwn } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'
import { CLIENT, startPlatform } from './oauth-platform.ts'
import { passportShop, settingsFor, startPassport } from './oauth-shop.ts'

const platform = startPlatform()
afterAll(() => platform.stop())
const app = await startPassport(platform)
const { sql } = app.context
await app.person('The administrator')
const shop = await passportShop(app, platform)
const TOKEN = '/plain/token'

/** Their time is over; so the platform has it too, unless `stillWork`. */
async function expire({ stillWork = false } = {}) {
  await sql`update oauth_tokens set renew_at = now(), expires_at = now() + ${stillWork ? 60 : 0} * interval '1 second', retry_at = null`
  if (!stillWork) platform.expire()
}
const message = async () => (await shop.states()).body.error?.message

beforeEach(async () => {
  platform.calm()
  await shop.put()
  await shop.signIn()
})

test('four servers that need new tokens at once ask for them once, and all go on', async () => {
  const connection = await freshDatabase()
  const settings = readConfig({
    PORT: '0',
    DATA_DIR: await scratchFolder(),
    LOG_LEVEL: 'fatal',
    ADAPTER_APPROVAL: 'auto',
    ...redisOfItsOwn(),
  })
  const config = {
    ...settings,
    ...settingsFor(platform),
    adapterIsolation: 'none' as const,
    // Four of them, beside what else is tested, share the connections that a database has.
    databasePool: 3,
    rateLimitPerMinute: 1e6,
    publicRateLimitPerMinute: 1e6,
  }
  const servers: RunningServer[] = []
  for (let at = 0; at < 4; at += 1) servers.push(await serve(config, { socket: true, connection }))
  afterAll(() => Promise.all(servers.map((server) => server.stop())))
  const origins = servers.map(({ listening }) => listening!.url.origin)
  const ask = (origin: string, method: string, path: string, as: string, body?: object) =>
    fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const signedUp = await fetch(`${origins[0]}/v1/users/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Owner', email: 'owner-of-four@example.dz', password: 'correct horse' }),
  })
  const { token } = ((await signedUp.json()) as { data: { token: string } }).data
  const made = await ask(origins[0]!, 'POST', '/v1/stores', token, { name: 'Boutique', countryCode: 'DZ', currencyCode: 'DZD' })
  const base = `/v1/stores/${((await made.json()) as { data: { id: string } }).data.id}/integrations/passport`
  await ask(origins[0]!, 'PUT', base, token, { enabled: true, credentials: CLIENT })
  const { data } = (await (await ask(origins[0]!, 'POST', `${base}/oauth/start`, token)).json()) as { data: { url: string } }
  // Begun at one server, ended at another.
  const back = new URL(await shop.consent(data.url))
  expect((await fetch(origins[3]! + back.pathname + back.search)).status).toBe(200)
  for (const delayMs of [0, 700]) {
    Object.assign(platform.faults, { delayMs })
    await servers[0]!.context.sql`update oauth_tokens set renew_at = now(), expires_at = now()`
    platform.expire()
    const before = platform.state.renewals
    const asked = await Promise.all(Array.from({ length: 100 }, (_, at) => ask(origins[at % 4]!, 'GET', `${base}/wilayas`, token)))
    const refused = await Promise.all(asked.filter(({ ok }) => !ok).map(async (answer) => [answer.status, await answer.text()]))
    expect([refused, platform.state.renewals - before]).toEqual([[], 1])
  }
}, 120_000)

test('a sign-in that was taken back needs attention: said once, in one letter, until somebody signs in again', async () => {
  const already = (await shop.letters()).length
  platform.revokeAll()
  await expire()
  const before = platform.asked(TOKEN)
  const all = await Promise.all(Array.from({ length: 20 }, () => shop.states()))
  expect(new Set(all.map(({ status, body }) => `${status} ${body.error.code} ${body.error.message}`))).toEqual(
    new Set(['502 carrier_error Passport rejected the sign-in: It is invalid_grant. (invalid_grant). Sign in at Passport again.']),
  )
  expect(platform.asked(TOKEN) - before).toBe(1)
  await until(async () => (await shop.letters()).length > already)
  await message()
  expect((await shop.letters()).length).toBe(already + 1)
  expect((await shop.letters()).some(({ text }) => text.includes('The connection of Boutique to Passport has needed attention'))).toBe(true)
  expect(await shop.read()).toMatchObject({
    state: 'needs_attention',
    attention: expect.stringContaining('Sign in at Passport again'),
    attentionSince: expect.any(String),
  })
  expect(platform.asked(TOKEN) - before).toBe(1)
  await shop.signIn()
  expect(await shop.read()).toMatchObject({ state: 'connected', attention: null, attentionSince: null })
  expect((await shop.states()).status).toBe(200)
})

test("token renewal: a platform that fails is retried with growing pauses, without any user's action", async () => {
  Object.assign(platform.faults, { error500: 1 })
  await expire()
  const before = platform.asked(TOKEN)
  expect(await message()).toMatch(/Passport gave no new token; it is asked again in \d+ s\./)
  for (let tries = 0; tries < 10; tries += 1) await shop.states()
  expect(platform.asked(TOKEN) - before).toBeLessThanOrEqual(2)
  expect(await shop.read()).toMatchObject({ state: 'connected', attention: null })
  await sql`update oauth_tokens set retry_at = now()`
  await shop.states()
  const rests =
    await sql`select failures, extract(epoch from retry_at - now())::float8 as seconds from oauth_tokens where connection_id = ${(await shop.read()).id}`
  expect(rests[0]).toMatchObject({ failures: expect.any(Number) })
  expect(rests[0]!.seconds).toBeGreaterThan(1)
  platform.calm()
  await sql`update oauth_tokens set retry_at = now()`
  // The breaker of the way out may rest a while longer than we do.
  await until(async () => (await sql`update oauth_tokens set retry_at = now()`) && (await shop.states()).status === 200)
  expect((await shop.row()).failures).toBe(0)
}, 120_000)

test('while a platform fails, what still works is used', async () => {
  Object.assign(platform.faults, { error500: 1 })
  await expire({ stillWork: true })
  const before = platform.asked(TOKEN)
  expect([(await shop.states()).status, (await shop.states()).status]).toEqual([200, 200])
  expect(platform.asked(TOKEN) - before).toBe(1)
})

test('a renewal whose answer is lost has used up what renews: that is told as it is', async () => {
  Object.assign(platform.faults, { loseAnswer: 1, how: 'close' })
  await expire()
  expect(await message()).toContain('Passport gave no new token')
  platform.calm()
  await sql`update oauth_tokens set retry_at = now()`
  expect(await message()).toContain('An earlier renewal got no answer, and its refresh token works only once. Sign in at Passport again.')
  expect(await shop.read()).toMatchObject({ state: 'needs_attention' })
})

test('token renewal: a platform that does not answer delays no caller beyond the deadline', async () => {
  Object.assign(platform.faults, { ignore: 1 })
  await expire()
  const began = Date.now()
  const asked = await shop.states()
  expect([asked.status, Date.now() - began < 14_000]).toEqual([502, true])
  platform.calm()
  await sql`update oauth_tokens set retry_at = now()`
  expect((await shop.states()).status).toBe(200)
}, 120_000)

test('token renewal: when a process dies while it renews, the next process renews after the lease has expired', async () => {
  await expire()
  await sql`update oauth_tokens set renewing_by = 'ren_dead', renewing_until = now() + interval '1 second'`
  const before = platform.state.renewals
  const all = await Promise.all([shop.states(), shop.states(), shop.states()])
  expect([all.map(({ status }) => status), platform.state.renewals - before]).toEqual([[200, 200, 200], 1])
  // The dead process was answered, and nobody received the answer.
  const [{ sealed, version }] = [(await shop.row()) as { sealed: string; version: number }]
  await expire()
  expect((await shop.states()).status).toBe(200)
  await sql`update oauth_tokens set sealed = ${sealed}, version = ${version}, renewing_by = 'ren_dead', renewing_until = now() - interval '1 second', renew_at = now(), expires_at = now()`
  expect(await message()).toContain('An earlier renewal got no answer')
})

for (const isRefused of [false, true])
  test(`a renewal that is late and ${isRefused ? 'refused' : 'granted'} changes nothing of what somebody has signed in with since`, async () => {
    await expire()
    Object.assign(platform.faults, { delayMs: 1500 })
    const late = shop.states()
    await until(() => platform.requests.at(-1)?.path === TOKEN)
    Object.assign(platform.faults, { delayMs: 0 })
    if (isRefused) platform.revokeAll()
    await shop.signIn()
    const now = await shop.row()
    expect((await late).status).toBe(200)
    await Bun.sleep(200)
    expect(await shop.row()).toMatchObject({ sealed: now.sealed, version: now.version, refused: null })
    expect(await shop.read()).toMatchObject({ state: 'connected', attention: null })
  })

test('token renewal: callbacks are accepted while the sign-in is expired', async () => {
  const told = () => call('POST', `${shop.base}/passport/webhook`, { body: { told: true }, headers: { 'x-proof': CLIENT.clientSecret } })
  const { call } = app
  platform.revokeAll()
  await expire()
  expect(await message()).toContain('Sign in at Passport again')
  expect((await told()).status).toBe(200)
  expect((await call('POST', `${shop.base}/passport/webhook`, { body: {}, headers: { 'x-proof': 'x' } })).status).toBe(401)
})

test('a token that the platform does not take is renewed once; one that is new is not, and a person has to see to it', async () => {
  platform.expire()
  await sql`update oauth_tokens set renewed_at = now() - interval '1 hour'`
  const before = platform.state.renewals
  const all = await Promise.all(Array.from({ length: 10 }, () => shop.states()))
  expect([all.every(({ status }) => status === 200), platform.state.renewals - before]).toEqual([true, 1])
  platform.expire()
  expect(await message()).toBe('Passport does not know this token.')
  expect(platform.state.renewals - before).toBe(1)
  await until(async () => (await shop.read()).state === 'needs_attention')
  await sql`update oauth_tokens set renewed_at = now() - interval '1 hour'`
  expect((await shop.states()).status).toBe(200)
  await until(async () => (await shop.read()).state === 'connected')
})

test('a sign-in that rests is renewed before the platform forgets it', async () => {
  await sql`update oauth_tokens set renew_at = now() - interval '4 days'`
  const before = platform.state.renewals
  await renewIdleTokens(app.context, {}, new AbortController().signal)
  expect(platform.state.renewals).toBe(before)
  await sql`update oauth_tokens set renew_at = now() - interval '6 days', expires_at = now() - interval '6 days'`
  await renewIdleTokens(app.context, {}, new AbortController().signal)
  expect(platform.state.renewals).toBe(before + 1)
})
