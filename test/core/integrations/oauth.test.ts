import { afterAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openVault } from '../../../core/lib/crypto/crypto.ts'
import { resealAll } from '../../../core/platform/vault/reseal.ts'
import { CLIENT, startPlatform } from './oauth-platform.ts'
import { passportShop, startPassport } from './oauth-shop.ts'

for (const isolation of ['none', 'all'] as const)
  describe(isolation === 'none' ? 'in process' : 'in a process of its own', async () => {
    const platform = startPlatform()
    afterAll(() => platform.stop())
    const app = await startPassport(platform, isolation)
    await app.person('The administrator')
    const shop = await passportShop(app, platform)

    test('somebody signs in, and the adapter is given a token that works; none of the secrets is seen again', async () => {
      expect(await shop.put()).toMatchObject({ state: 'untested', status: 'untested', lastSuccessAt: null })
      const before = await shop.states()
      expect([before.status, before.body.error.code]).toEqual([409, 'sign_in_needed'])
      expect(before.body.error.message).toContain('Nobody has signed in at Passport yet')
      const url = new URL(await shop.start())
      expect(url.origin + url.pathname).toBe('https://login.passport.example/plain/authorize')
      expect(Object.fromEntries(url.searchParams)).toEqual({
        access_type: 'offline',
        response_type: 'code',
        client_id: CLIENT.clientId,
        redirect_uri: `${shop.origin}/v1/integrations/oauth/callback`,
        scope: 'parcels:read parcels:write',
        state: expect.stringMatching(/^os_\w{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      })
      const page = await shop.comeBack(await shop.consent(url.href))
      expect([page.status, page.body]).toEqual([200, expect.stringContaining('It is connected.')])
      expect(page.body).toContain('<small dir="auto">Boutique</small>')
      expect([page.headers.get('referrer-policy'), page.headers.get('cache-control')]).toEqual(['no-referrer', 'no-store'])
      expect(await shop.read()).toMatchObject({ state: 'connected', status: 'connected', attention: null })
      expect((await shop.states()).body.data).toEqual([{ id: '16', name: 'Alger', deliverable: true }])
      await Bun.sleep(600)
      const [kept] = await app.context.sql`select jsonb_agg(to_jsonb(t)) as all from carrier_traces t`
      const traces = JSON.stringify(kept)
      expect(traces).toContain('oauth.code')
      const shown = [traces, JSON.stringify(await shop.read()), JSON.stringify(await shop.row())]
      expect([...platform.secrets].filter((secret) => shown.some((text) => text.includes(secret)))).toEqual([])
      expect(platform.secrets.size).toBeGreaterThan(4)
    })

    test('what expired is renewed before it is used, and what the other side takes no more after it has said so', async () => {
      const before = platform.state.renewals
      await app.context.sql`update oauth_tokens set renew_at = now(), expires_at = now()`
      expect((await shop.states()).status).toBe(200)
      expect(platform.state.renewals).toBe(before + 1)
      platform.expire()
      await app.context.sql`update oauth_tokens set renewed_at = now() - interval '1 hour'`
      expect((await shop.states()).status).toBe(200)
      expect(platform.state.renewals).toBe(before + 2)
      expect(await shop.read()).toMatchObject({ state: 'connected', attention: null })
    })
  })

const platform = startPlatform()
afterAll(() => platform.stop())
const app = await startPassport(platform)
const admin = await app.person('The administrator')
const shop = await passportShop(app, platform)
await shop.put()
const refusal = { error: expect.objectContaining({ code: 'invalid_request' }) }

test('sign-in at a platform: a state works once, for ten minutes, for its own user', async () => {
  const location = await shop.consent(await shop.start())
  const other = await app.person('Other')
  const stolen = await shop.comeBack(location, other.token)
  expect([stolen.status, JSON.parse(stolen.body)]).toEqual([400, refusal])
  expect((await shop.comeBack(location, shop.owner.token)).status).toBe(200)
  const again = await shop.comeBack(location)
  expect([again.status, JSON.parse(again.body)]).toEqual([400, refusal])

  const late = await shop.consent(await shop.start())
  await app.context.sql`update oauth_states set expires_at = now()`
  expect((await shop.comeBack(late)).status).toBe(400)
  const callback = `${shop.origin}/v1/integrations/oauth/callback`
  for (const query of ['', '?code=x', '?state=', '?state=os_made_up&code=x', `?state=${'x'.repeat(3000)}&code=x`])
    expect([query.slice(0, 40), (await shop.comeBack(callback + query)).status]).toEqual([query.slice(0, 40), 400])
  const kept = await app.context.sql`select * from oauth_states`
  await shop.start()
  expect([kept.length, (await app.context.sql`select 1 from oauth_states`).length]).toEqual([1, 1])
})

test('sign-in at a platform: of two callbacks with one state at once, one succeeds', async () => {
  const location = await shop.consent(await shop.start())
  const before = platform.asked('/plain/token')
  const all = await Promise.all(Array.from({ length: 8 }, () => shop.comeBack(location)))
  expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 400)])
  expect(platform.asked('/plain/token') - before).toBe(1)
})

test('sign-in at a platform: a state is stored as a digest, and its verifier is not stored', async () => {
  const url = new URL(await shop.start())
  const rows = JSON.stringify(await app.context.sql`select * from oauth_states`)
  expect(rows).not.toContain(url.searchParams.get('state')!)
  expect(rows).not.toContain(url.searchParams.get('code_challenge')!)
})

test('a code that came with another state is worth nothing: its proof does not fit', async () => {
  const [mine, theirs] = [new URL(await shop.consent(await shop.start())), new URL(await shop.consent(await shop.start()))]
  mine.searchParams.set('code', theirs.searchParams.get('code')!)
  const page = await shop.comeBack(mine.href)
  expect(page.body).toContain('Passport rejected the sign-in: It is invalid_grant. (invalid_grant).')
})

test('sign-in at a platform: refusing changes nothing, and the return page is told so', async () => {
  // The time of the last call that worked is written a little later than its answer.
  const { lastSuccessAt: _, ...before } = await shop.read()
  platform.state.denies = true
  const page = await shop.signIn()
  expect([page.status, page.body]).toEqual([200, expect.stringContaining('Permission was not given.')])
  const back = await shop.signIn('passport', { returnTo: 'https://shop.example/settings?tab=1' })
  platform.state.denies = false
  expect([back.status, back.headers.get('location')]).toEqual([
    303,
    `https://shop.example/settings?tab=1&connection=${before.id}&integration=passport&outcome=denied`,
  ])
  expect(await shop.read()).toMatchObject(before)
  const done = await shop.signIn('passport', { returnTo: 'https://shop.example/' })
  expect(new URL(done.headers.get('location')!).searchParams.get('outcome')).toBe('connected')
  expect(
    (await app.call('POST', `${shop.base}/passport/oauth/start`, { as: shop.as, body: { returnTo: 'javascript:alert(1)' } })).status,
  ).toBe(400)
})

test('administrators of the store begin, and have to be that when they come back', async () => {
  const start = (as: string, key = 'passport') => app.call('POST', `${shop.base}/${key}/oauth/start`, { as })
  const [viewer, helper, stranger] = [await app.person('Viewer'), await app.person('Helper'), await app.person('Stranger')]
  for (const [{ email }, role] of [
    [viewer, 'viewer'],
    [helper, 'admin'],
  ] as const)
    await app.ok('POST', `/v1/stores/${shop.storeId}/members`, { as: shop.as, body: { email, role } })
  expect([(await start(viewer.token)).status, (await start(stranger.token)).status, (await start(shop.key)).status]).toEqual([
    403, 404, 200,
  ])
  const none = await start(shop.as, 'passport-key')
  expect([none.status, (await start(shop.as, 'nobody')).status]).toEqual([404, 404])
  const location = await shop.consent((await start(helper.token)).body.data.url)
  await app.ok('DELETE', `/v1/stores/${shop.storeId}/members/${helper.id}`, { as: shop.as })
  expect((await shop.comeBack(location)).body).toContain('The user who started this sign-in may no longer connect the store.')
  const byKey = (await start(shop.key)).body.data.url
  expect((await shop.comeBack(await shop.consent(byKey))).body).toContain('It is connected.')
})

test('a store without a client of its own signs in with the one of the platform, which it never sees', async () => {
  const other = await passportShop(app, platform)
  await other.put('passport', {})
  const before = await app.call('POST', `${other.base}/passport/oauth/start`, { as: other.as })
  expect([before.status, before.body.error.code]).toEqual([422, 'carrier_not_enabled'])
  const platformPut = (as: string) =>
    app.call('PUT', '/v1/platform/integrations/passport', { as, body: { enabled: true, credentials: CLIENT } })
  expect((await platformPut(other.as)).status).toBe(403)
  const { data } = (await platformPut(admin.token)).body
  expect(data).toMatchObject({
    key: 'passport',
    state: 'untested',
    credentials: { clientId: CLIENT.clientId, clientSecret: expect.stringMatching(/^••••/) },
  })
  expect((await other.signIn()).body).toContain('It is connected.')
  expect((await other.states()).status).toBe(200)
  expect(JSON.stringify(await other.read())).not.toContain(CLIENT.clientId)
  // Its secret is the administrator's to correct: the store has to do nothing.
  platform.state.secret = 'another'
  await app.context.sql`update oauth_tokens set renew_at = now(), expires_at = now()`
  expect((await other.states()).status).toBe(502)
  expect(await other.read()).toMatchObject({ state: 'connected' })
  platform.state.secret = CLIENT.clientSecret
  await app.context.sql`update oauth_tokens set retry_at = now()`
  expect((await other.states()).status).toBe(200)
  expect((await app.call('DELETE', '/v1/platform/integrations/passport', { as: admin.token })).status).toBe(204)
})

test('sign-in at a platform: values that no user types in are no fields of the form', async () => {
  const { data } = await app.ok('GET', '/v1/adapters', { as: shop.as })
  const described = data.find(({ key }: { key: string }) => key === 'passport')
  expect(described).toMatchObject({ oauth: true, several: false, owners: ['store', 'platform'] })
  expect(described.credentials.map(({ name }: { name: string }) => name)).toEqual(['clientId', 'clientSecret'])
  const typed = await app.call('PUT', `${shop.base}/passport`, {
    as: shop.as,
    body: { enabled: true, credentials: { ...CLIENT, accessToken: 'x' } },
  })
  expect([typed.status, typed.body.error.details[0].path]).toEqual([422, '/body/credentials/accessToken'])
})

test('tokens stay with the client that they are for, and are given up when they are not needed', async () => {
  await shop.signIn()
  await app.ok('PATCH', `${shop.base}/passport`, { as: shop.as, body: { credentials: { clientSecret: CLIENT.clientSecret } } })
  expect((await shop.states()).status).toBe(200)
  await app.ok('PATCH', `${shop.base}/passport`, { as: shop.as, body: { credentials: { clientId: 'another' } } })
  expect((await shop.states()).status).toBe(409)
  await shop.put()
  await shop.signIn()
  const before = platform.state.revoked
  const { data } = await app.ok('POST', `${shop.base}/passport/oauth/disconnect`, { as: shop.as })
  expect([data.state, platform.state.revoked]).toEqual(['untested', before + 1])
  expect((await shop.states()).body.error.message).toContain('Nobody has signed in')
  await shop.signIn()
  await app.ok('DELETE', `${shop.base}/passport`, { as: shop.as })
  expect(platform.state.revoked).toBe(before + 2)
  expect(await shop.row()).toBeUndefined()
  await shop.put()
})

test('platforms that deviate are asked in their own way', async () => {
  const body = { ...CLIENT }
  for (const key of ['passport-basic', 'passport-nested']) {
    await shop.put(key, body)
    const url = new URL(await shop.start(key))
    expect(url.searchParams.get('scope')).toBe(key === 'passport-basic' ? 'parcels:read parcels:write' : 'parcels:read,parcels:write')
    expect(url.searchParams.has('code_challenge')).toBe(key === 'passport-basic')
    expect((await shop.comeBack(await shop.consent(url.href))).body).toContain('It is connected.')
    for (const _ of [1, 2]) {
      await app.context.sql`update oauth_tokens set renew_at = now(), expires_at = now()`
      expect([key, (await shop.states(key)).status]).toEqual([key, 200])
    }
  }
  const tested = await app.ok('POST', `${shop.base}/passport-nested/testConnection`, { as: shop.as })
  expect(tested.data).toEqual({ ok: true, account: expect.stringMatching(/^Lina 77-/) })
  await Bun.sleep(600)
  const traces = JSON.stringify(await app.context.sql`select * from carrier_traces`)
  expect([...platform.secrets].filter((secret) => traces.includes(secret))).toEqual([])
  platform.revokeAll()
  await app.context.sql`update oauth_tokens set renew_at = now(), expires_at = now()`
  expect((await shop.states('passport-nested')).status).toBe(502)
  expect(await shop.read('passport-nested')).toMatchObject({ state: 'needs_attention', attention: expect.stringContaining('40105') })
})

test("sign-in at a platform: a short-lived token is exchanged for a long-lived one; a typed address outside the adapter's hosts is refused", async () => {
  const key = 'passport-lasting'
  await shop.put(key, { ...CLIENT, shop: 'lina.shops.passport.example' })
  const url = new URL(await shop.start(key))
  expect([url.host, url.searchParams.getAll('scope[]')]).toEqual(['lina.shops.passport.example', ['parcels:read', 'parcels:write']])
  expect((await shop.comeBack(await shop.consent(url.href))).body).toContain('It is connected.')
  expect(
    platform.requests.filter(({ path, query }) => path === '/lasting/token' && query.get('grant_type') === 'lasting_token'),
  ).toHaveLength(1)
  expect((await shop.states(key)).status).toBe(200)
  await app.context.sql`update oauth_tokens set expires_at = now()`
  const ended = await shop.states(key)
  expect([ended.status, ended.body.error.message]).toEqual([502, 'The sign-in has expired. Sign in at Passport, lasting again.'])
  expect(await shop.read(key)).toMatchObject({ state: 'needs_attention' })
  for (const elsewhere of [
    'evil.example',
    'shops.passport.example.evil.example',
    'evil.example/shops.passport.example',
    'lina.shops.passport.example:444@evil.example',
  ]) {
    await shop.put(key, { ...CLIENT, shop: elsewhere })
    const refused = await app.call('POST', `${shop.base}/${key}/oauth/start`, { as: shop.as })
    expect([elsewhere, refused.status]).toEqual([elsewhere, 422])
  }
})

test('tokens are sealed anew with a new key, and what was forgotten keeps no earlier key alive', async () => {
  const { sql, config } = app.context
  await shop.put()
  await shop.signIn()
  const earlier = Buffer.from(await Bun.file(join(config.dataDir, 'encryption.key')).text(), 'base64')
  const mark = (await sql`select sealed from vault_mark`)[0]!.sealed
  const digestKey = openVault([earlier], 'none').open(mark, 'vault')
  const vault = openVault([randomBytes(32), earlier], digestKey)
  const said: unknown[] = []
  const log = {
    info: (...words: unknown[]) => said.push(words),
    warn: (...words: unknown[]) => said.push(words),
    error: (...words: unknown[]) => said.push(words),
  }
  expect((await sql`select 1 from integrations where credentials = ''`).length).toBeGreaterThan(0)
  await resealAll({ sql, vault, log: log as never }, new AbortController().signal)
  expect(said).toEqual([['everything is sealed with the present encryption key; earlier ones are needed no more']])
  const { sealed, connectionId } = await shop.row()
  expect(sealed).toStartWith(vault.prefix)
  expect(JSON.parse(vault.open(sealed, `oauth ${connectionId}`)).accessToken).toStartWith('access-')
})
