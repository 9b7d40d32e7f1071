import { describe, expect, test } from 'bun:test'
import { createPartitions, maintainPartitions } from '../../../core/data/partitions.ts'
import { deriveTokenText, newTokenText, weekOf, weekOfToken } from '../../../core/identity/auth/credentials/token-text.ts'
import { deleteExpiredOAuthData } from '../../../core/identity/oauth/cleanup.ts'
import { tokenPartitions } from '../../../core/identity/oauth/tokens/partitions.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { startApp } from '../../support/app.ts'
import { CALLBACK, letIn, newApp, newVerifier, openBrowser } from '../../support/oauth.ts'

const app = await startApp({}, { socket: true })
const { call, origin } = app
const { sql } = app.context
await app.person('The administrator')
const maker = await app.person('Maker')
const person = await app.person('Person')
const made = await newApp(app, maker)

const post = async (
  path: string,
  form: Record<string, string> | [string, string][],
  client: { id: string; secret: string | null } = made,
) => {
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: client.secret === null ? {} : { authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
    body: new URLSearchParams(form),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  return { status: answer.status, body: (await answer.json().catch(() => null)) as any }
}
const refresh = (token: string, more: Record<string, string> = {}, client: { id: string; secret: string | null } = made) =>
  post('/v1/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...more }, client)
const works = async (as: string) => (await call('GET', '/v1/stores', { as })).status === 200
const isGone = { status: 400, body: { error: 'invalid_grant', error_description: expect.any(String) } }
const age = (seconds: number) =>
  sql`update oauth_refresh_tokens set used_at = used_at - ${seconds} * interval '1 second' where used_at is not null`

describe('a refresh token', () => {
  test('works once; a copy that comes later ends everything that was allowed', async () => {
    const first = await letIn(app, made, person)
    const second = (await refresh(first.refresh_token)).body
    const third = (await refresh(second.refresh_token)).body
    expect(await works(third.access_token)).toBe(true)
    await age(31)
    expect(await refresh(first.refresh_token)).toEqual(isGone)
    for (const { access_token } of [first, second, third]) expect(await works(access_token)).toBe(false)
    expect(await refresh(third.refresh_token)).toEqual(isGone)
  })

  test('that comes four times at once, or again within half a minute, gives one successor, and nobody is signed out', async () => {
    const first = await letIn(app, made, person)
    const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(first.refresh_token)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => `${body.access_token} ${body.refresh_token}`)).size).toBe(1)
    await age(28)
    const again = await refresh(first.refresh_token)
    expect(again.body).toMatchObject({
      access_token: answers[0]!.body.access_token,
      refresh_token: answers[0]!.body.refresh_token,
      scope: 'stores:read',
    })
    expect(await works(again.body.access_token)).toBe(true)
    expect((await refresh(again.body.refresh_token)).status).toBe(200)
  })

  test('that comes again after its successor was used ends everything that was allowed at once', async () => {
    const first = await letIn(app, made, person)
    const second = (await refresh(first.refresh_token)).body
    const third = (await refresh(second.refresh_token)).body
    expect(await works(third.access_token)).toBe(true)
    expect(await refresh(first.refresh_token)).toEqual(isGone)
    for (const { access_token } of [first, second, third]) expect(await works(access_token)).toBe(false)
    expect(await refresh(third.refresh_token)).toEqual(isGone)
  })

  test('is used and followed in one statement, which leaves its grant alone until that has to last longer', async () => {
    const first = (await refresh((await letIn(app, made, person)).refresh_token)).body
    const lasting = () => sql<{ ends: string; version: string }[]>`
      select expires_at as ends, xmin::text as version from oauth_grants order by id desc limit 1`
    const [before] = await lasting()
    await refresh(first.refresh_token)
    const written = await sql<{ what: string; command: string }[]>`
      with used as (select xmin from oauth_refresh_tokens where used_at is not null order by used_at desc limit 1),
      rows as (
        select 'access' as what, t.xmin, t.cmin from oauth_access_tokens t union all
        select case when used_at is null then 'refresh' else 'used' end, t.xmin, t.cmin from oauth_refresh_tokens t)
      select what, cmin::text as command from rows where xmin = (select xmin from used) order by what`
    expect([...written]).toEqual(['access', 'refresh', 'used'].map((what) => ({ what, command: '0' })))
    expect([...(await lasting())]).toEqual([before!])
    expect(Date.parse(before!.ends)).toBeGreaterThan(Date.now() + 180 * DAY_MS)
    await sql`update oauth_grants set expires_at = now() + interval '1 day'`
    const third = (await refresh(first.refresh_token)).body
    expect((await refresh(third.refresh_token)).status).toBe(200)
    expect(Date.parse((await lasting())[0]!.ends)).toBeGreaterThan(Date.now() + 180 * DAY_MS)
  })

  test('is answered with its own tokens when many requests come at once', async () => {
    const other = await newApp(app, maker)
    const scopes = ['stores:read', 'orders:read', 'stores:read orders:read']
    const mine = await Promise.all(scopes.map((scope) => letIn(app, made, person, scope)))
    const [theirs, gone] = [await letIn(app, other, person), await letIn(app, made, person)]
    await post('/oauth/revoke', { token: gone.refresh_token })
    const answers = await Promise.all([
      ...mine.flatMap(({ refresh_token }) => [refresh(refresh_token), refresh(refresh_token)]),
      refresh(theirs.refresh_token),
      refresh(gone.refresh_token),
      refresh(theirs.refresh_token, {}, other),
      refresh((await letIn(app, made, person, 'stores:read orders:read')).refresh_token, { scope: 'orders:read' }),
    ])
    expect(answers.map(({ status, body }) => body.scope ?? status)).toEqual([
      ...scopes.flatMap((scope) => [scope, scope]),
      400,
      400,
      'stores:read',
      'orders:read',
    ])
    const given = answers.flatMap(({ body }) => body.access_token ?? [])
    expect(new Set(given).size).toBe(5)
    const looks = await Promise.all([...given, gone.access_token].map((token) => post('/oauth/introspect', { token })))
    const told = [...scopes.flatMap((scope) => [scope, scope]), undefined, 'orders:read', undefined]
    expect(looks.map(({ body }) => body.scope)).toEqual(told)
    expect(await works(given[0])).toBe(true)
  })

  test('is no good to another app, nor without the secret', async () => {
    const other = await newApp(app, maker)
    const { refresh_token } = await letIn(app, made, person)
    expect(await refresh(refresh_token, {}, other)).toEqual(isGone)
    expect((await refresh(refresh_token, { client_id: made.id }, { ...made, secret: null })).body.error).toBe('invalid_client')
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  test('gives less for once where less is asked, and never more', async () => {
    const first = await letIn(app, made, person, 'stores:read orders:read')
    const less = (await refresh(first.refresh_token, { scope: 'orders:read' })).body
    expect(less.scope).toBe('orders:read')
    expect(await works(less.access_token)).toBe(false)
    for (const scope of ['orders:read stores:write', 'orders:read nothing', ' '])
      expect((await refresh(less.refresh_token, { scope })).body.error).toBe('invalid_scope')
    expect((await refresh(less.refresh_token)).body.scope).toBe('stores:read orders:read')
  })

  test('that was revoked ends all of its grant; an access token ends alone', async () => {
    const first = await letIn(app, made, person)
    const second = (await refresh(first.refresh_token)).body
    expect(await works(first.access_token)).toBe(true)
    expect((await post('/v1/oauth/revoke', { token: first.access_token, token_type_hint: 'refresh_token' })).status).toBe(200)
    expect([await works(first.access_token), await works(second.access_token)]).toEqual([false, true])
    expect(await post('/oauth/revoke', { token: second.refresh_token })).toEqual({ status: 200, body: {} })
    expect(await works(second.access_token)).toBe(false)
    expect(await refresh(second.refresh_token)).toEqual(isGone)
    expect((await post('/oauth/revoke', { token: second.refresh_token })).status).toBe(200)
    expect(await post('/oauth/revoke', { token: 'nonsense' })).toEqual({ status: 200, body: {} })
  })
})

test('OAuth tokens: an app can neither introspect nor revoke tokens of another app', async () => {
  const other = await newApp(app, maker)
  const { access_token, refresh_token } = await letIn(app, made, person)
  for (const token of [access_token, refresh_token]) {
    expect((await post('/oauth/introspect', { token }, other)).body).toEqual({ active: false })
    expect((await post('/oauth/revoke', { token }, other)).status).toBe(400)
    expect((await post('/oauth/introspect', { token })).body.active).toBe(true)
  }
  expect((await post('/oauth/introspect', { token: access_token, client_id: made.id }, { ...made, secret: null })).status).toBe(401)
})

describe('a code', () => {
  async function codeFor(client = made, change: Record<string, string> = {}) {
    const { verifier, challenge } = newVerifier()
    const query = { client_id: client.id, redirect_uri: CALLBACK, response_type: 'code', scope: 'stores:read', ...change }
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const browser = openBrowser(app)
    await browser.ask(`/oauth/authorize?${new URLSearchParams({ ...query, ...(change.pkce !== 'none' && pkce) })}`)
    await browser.signIn(person)
    const { location } = await browser.press('allow')
    return { code: new URL(location!).searchParams.get('code')!, verifier }
  }
  const exchange = (code: string, verifier: string | undefined, more: Record<string, string> = {}, client = made) =>
    post(
      '/oauth/token',
      { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...(verifier && { code_verifier: verifier }), ...more },
      client,
    )

  test('works once; its second use ends what the first gave', async () => {
    const { code, verifier } = await codeFor()
    const first = await exchange(code, verifier)
    expect(first.status).toBe(200)
    expect(await works(first.body.access_token)).toBe(true)
    expect(await exchange(code, verifier)).toEqual(isGone)
    expect(await works(first.body.access_token)).toBe(false)
    expect(await refresh(first.body.refresh_token)).toEqual(isGone)
  })

  test('works once of eight at once', async () => {
    const { code, verifier } = await codeFor()
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code, verifier)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
  })

  test('is nothing without its verifier, its address and its app, and still works with them', async () => {
    const other = await newApp(app, maker)
    const { code, verifier } = await codeFor()
    expect(await exchange(code, undefined)).toEqual(isGone)
    expect(await exchange(code, newVerifier().verifier)).toEqual(isGone)
    expect(await exchange(code, verifier, { redirect_uri: `${CALLBACK}/other` })).toEqual(isGone)
    expect(await exchange(code, verifier, {}, other)).toEqual(isGone)
    expect(await exchange('ac_nothing', verifier)).toEqual(isGone)
    expect((await exchange(code, verifier)).status).toBe(200)
  })

  test('that was asked for without a challenge takes no verifier', async () => {
    const { code, verifier } = await codeFor(made, { pkce: 'none' })
    expect(await exchange(code, verifier)).toEqual(isGone)
    expect((await exchange(code, undefined)).status).toBe(200)
  })

  test('lives a minute', async () => {
    const { code, verifier } = await codeFor()
    const [row] = await sql<{ left: number }[]>`select extract(epoch from max(expires_at) - now())::float as left from oauth_codes`
    const left = row?.left
    expect(left).toBeGreaterThan(55)
    expect(left).toBeLessThanOrEqual(60)
    await sql`update oauth_codes set expires_at = now()`
    expect(await exchange(code, verifier)).toEqual(isGone)
  })
})

/** Gets tokens of an app that a user authorized for a project of theirs. */
async function tokensFor(client: { id: string; secret: string }, { token: as }: { token: string }, project: string) {
  const { verifier, challenge } = newVerifier()
  const asked = { client_id: client.id, redirect_uri: CALLBACK, response_type: 'code', scope: 'parcels:write parcels:read' }
  const query = new URLSearchParams({ ...asked, code_challenge: challenge, code_challenge_method: 'S256' })
  const decided = await app.ok('POST', `/oauth/authorize?${query}`, { as, body: { action: 'allow', project } })
  const code = new URL(decided.data.location).searchParams.get('code')!
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier }
  return (await post('/oauth/token', form, client)).body as { access_token: string; refresh_token: string }
}

test("OAuth tokens: while a tenant is being deleted its projects' tokens are inactive and cannot be renewed; cancelling the deletion restores them", async () => {
  const shop = await app.shop()
  const { data: project } = await app.ok('GET', `/v1/projects/${shop.projectId}`, { as: shop.owner.token })
  const { access_token, refresh_token } = await tokensFor(made, shop.owner, shop.projectId)
  const looks = () =>
    Promise.all([access_token, refresh_token].map(async (token) => (await post('/oauth/introspect', { token })).body.active))
  expect(await looks()).toEqual([true, true])
  await sql`update tenants set deletes_at = now() + interval '30 days' where id = ${project.tenantId}`
  expect([await looks(), (await refresh(refresh_token)).body.error]).toEqual([[false, false], 'invalid_grant'])
  await sql`update tenants set deletes_at = null where id = ${project.tenantId}`
  expect([await looks(), (await refresh(refresh_token)).status]).toEqual([[true, true], 200])
})

test('an app is let into any project that its person steers, however many those are', async () => {
  const shop = await app.shop()
  const { data: project } = await app.ok('GET', `/v1/projects/${shop.projectId}`, { as: shop.owner.token })
  await sql`insert into projects select (jsonb_populate_record(p, jsonb_build_object('id', 'prj_of_many_' || lpad(n::text, 4, '0')))).*
    from projects p, generate_series(1, 600) n where p.id = ${shop.projectId}`
  expect((await tokensFor(made, shop.owner, 'prj_of_many_0600')).access_token).toStartWith('at_')
  const theirs = (await app.shop()).projectId
  await expect(tokensFor(made, shop.owner, theirs)).rejects.toThrow('may not manage')
  await sql`delete from oauth_grants where project_id like 'prj_of_many_%'`
  await sql`delete from projects where tenant_id = ${project.tenantId} and id like 'prj_of_many_%'`
})

test('an Idempotency-Key is that of an app in a project, of one person: the same one elsewhere is another', async () => {
  const [here, there] = [await app.shop(), await app.shop()]
  const { data: them } = await app.ok('GET', `/v1/projects/${there.projectId}`, { as: there.owner.token })
  const people = [
    { email: there.owner.email, role: 'owner' },
    { email: here.owner.email, role: 'admin' },
  ]
  await app.ok('PATCH', `/v1/tenants/${them.tenantId}`, { as: there.owner.token, body: { people } })
  const other = await newApp(app, maker)
  const places = [
    [made, here.owner, here.projectId],
    [made, here.owner, there.projectId],
    [other, here.owner, here.projectId],
    [made, there.owner, there.projectId],
  ] as const
  const tokens: string[] = []
  for (const [client, who, project] of places) tokens.push((await tokensFor(client, who, project)).access_token)
  const destination = { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' }
  const body = { recipient: { name: 'Amina', phone: '0550123456' }, codAmount: 100, destination }
  const write = (as: string) => call('POST', '/v1/parcels', { as, body, headers: { 'idempotency-key': 'order-1001' } })
  const written = await Promise.all(tokens.map(write))
  expect(written.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  expect(new Set(written.map(({ body: { data } }) => data.id)).size).toBe(4)
  const again = await Promise.all(tokens.map(write))
  expect(again.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(['true', 'true', 'true', 'true'])
  expect(again.map(({ body: { data } }) => data.id)).toEqual(written.map(({ body: { data } }) => data.id))
})

describe('an app is remembered', () => {
  test('until its secret is another: at once where that is made here, within a second wherever else', async () => {
    const client = await newApp(app, maker)
    const look = async (secret: string) => (await post('/oauth/introspect', { token: 'at_x' }, { id: client.id, secret })).status
    expect(await look(client.secret)).toBe(200)
    const { data } = await app.ok('POST', `/v1/apps/${client.id}/regenerate-secret`, { as: maker.token })
    expect([await look(client.secret), await look(data.secret)]).toEqual([401, 200])
    await sql`update apps set secret_hash = 'another' where id = ${client.id}`
    await Bun.sleep(1_050)
    expect(await look(data.secret)).toBe(401)
  })

  test('until it is deleted', async () => {
    const client = await newApp(app, maker)
    expect((await post('/oauth/introspect', { token: 'at_x' }, client)).status).toBe(200)
    await call('DELETE', `/v1/apps/${client.id}`, { as: maker.token })
    expect((await post('/oauth/introspect', { token: 'at_x' }, client)).status).toBe(401)
  })
})

describe('tokens are kept', () => {
  test('as digests alone', async () => {
    const { access_token, refresh_token } = await letIn(app, made, person)
    await refresh(refresh_token)
    const tables = ['oauth_access_tokens', 'oauth_refresh_tokens', 'oauth_codes', 'oauth_grants', 'apps'] as const
    for (const table of tables) {
      const text = JSON.stringify(await sql`select to_jsonb(t) as kept from ${sql(table)} t`)
      for (const secret of [access_token, refresh_token, made.secret]) expect(text).not.toContain(secret.slice(3))
    }
  })

  test('by the week in which they expire, which their text names: one index of one part is looked into', async () => {
    const now = Date.now()
    expect(weekOfToken(newTokenText('at', now))).toBe(weekOf(now))
    const derived = deriveTokenText('rt', now, 'ff'.repeat(32))
    expect(derived).toMatch(/^rt_[0-9A-Za-z]{43}$/)
    expect(weekOfToken(derived)).toBe(weekOf(now))
    expect([weekOfToken('at_short'), weekOfToken(`st_${'x'.repeat(43)}`)]).toEqual([null, null])
    const plan = JSON.stringify(
      await sql.unsafe(`explain select * from oauth_access_tokens where week = ${weekOf(now)} and digest = decode('ab', 'hex')`),
    )
    expect(plan.match(/ on oauth_access_tokens_\d+/g)?.length).toBe(1)
  })

  test('in parts that are made ahead, and dropped whole when their week is over', async () => {
    const parts = async () =>
      (
        await sql<
          { name: string }[]
        >`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'oauth_access_tokens'::regclass`
      ).flatMap(({ name }) => Number(name.split('_').at(-1)) || [])
    const { access_token, refresh_token } = await letIn(app, made, person)
    const later = Date.now() + 60 * DAY_MS
    await maintainPartitions(sql, tokenPartitions, app.context.log, later)
    const [first, last] = [Math.min(...(await parts())), Math.max(...(await parts()))]
    expect(first).toBe(weekOf(later))
    expect(last).toBeGreaterThanOrEqual(weekOf(later + 180 * DAY_MS))
    expect(await works(access_token)).toBe(true)
    await maintainPartitions(sql, tokenPartitions, app.context.log, Date.now() + 100 * DAY_MS)
    await Bun.sleep(1_050)
    expect(await works(access_token)).toBe(false)
    const elsewhere = (await refresh(refresh_token)).body
    expect((await post('/oauth/introspect', { token: elsewhere.access_token })).body.active).toBe(true)
    await createPartitions(sql, tokenPartitions, app.context.log)
    expect(await works((await letIn(app, made, person)).access_token)).toBe(true)
  })

  test('no longer than anything came of them', async () => {
    await sql`update oauth_codes set expires_at = now() - interval '2 days'`
    await sql`update oauth_grants set expires_at = now() - interval '9 days'`
    await deleteExpiredOAuthData(sql)
    const [left] = await sql`select (select count(*)::int from oauth_codes) as codes, (select count(*)::int from oauth_grants) as grants`
    expect(left).toEqual({ codes: 0, grants: 0 })
  })
})
