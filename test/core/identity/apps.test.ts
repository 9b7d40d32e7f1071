import { describe, expect, test } from 'bun:test'
import { type Answer, startApp } from '../../support/app.ts'
import { CALLBACK, letIn, newApp } from '../../support/oauth.ts'
import { until } from '../../support/until.ts'

const app = await startApp({}, { socket: true })
const { call, ok, origin } = app
const admin = await app.person('The administrator')
const maker = await app.person('Maker')
const person = await app.person('Person')
const as = maker.token
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const create = (body: object, headers = {}) =>
  call('POST', '/v1/apps', { as, body: { name: 'App', redirectUris: [CALLBACK], ...body }, headers })

/** What is there of an app and all that people allowed it. */
const rowsOf = async (id: string) =>
  (
    await app.context.sql`select 1 from apps where id = ${id}
    union all (select 1 from oauth_grants where app_id = ${id} limit 1)
    union all (select 1 from app_user_data where app_id = ${id} limit 1)`
  ).length

describe('an app', () => {
  test('is made with a secret that is shown once, read, changed and deleted by its maker alone', async () => {
    const { body, status } = await create({ name: 'Shelf', website: 'https://shelf.example', scopes: ['stores:read'] })
    const { id, secret, ...rest } = body.data
    expect(status).toBe(201)
    expect(secret).toMatch(/^cs_[0-9A-Za-z]{43}$/)
    expect(rest).toMatchObject({
      name: 'Shelf',
      kind: 'confidential',
      secretLast4: secret.slice(-4),
      scopes: ['stores:read'],
      redirectUris: [CALLBACK],
    })
    expect((await ok('GET', `/v1/apps/${id}`, { as })).data).toEqual({ id, ...rest })
    expect((await ok('GET', '/v1/apps', { as })).data[0]).toEqual({ id, ...rest })
    expect((await ok('GET', '/v1/apps', { as: person.token })).data).toEqual([])
    const changed = await ok('PUT', `/v1/apps/${id}`, { as, body: { name: 'Shelves', website: null } })
    expect(changed.data).toMatchObject({ name: 'Shelves', website: null, scopes: ['stores:read'] })
    for (const [method, path, sent] of [
      ['GET', '', undefined],
      ['PUT', '', { name: 'Mine' }],
      ['DELETE', '', undefined],
      ['POST', '/regenerate-secret', undefined],
      ['GET', '/private-data', undefined],
      ['PUT', '/public-data', {}],
      ['GET', `/user-data/users/${maker.id}`, undefined],
    ] as const)
      expect(outcome(await call(method, `/v1/apps/${id}${path}`, { as: person.token, ...(sent && { body: sent }) }))).toBe('404 not_found')
    expect((await call('DELETE', `/v1/apps/${id}`, { as })).status).toBe(204)
    expect(outcome(await call('GET', `/v1/apps/${id}`, { as }))).toBe('404 not_found')
  })

  test('that is public has no secret, and gets none', async () => {
    const { data } = (await create({ kind: 'public' })).body
    expect([data.secret, data.secretLast4, data.kind]).toEqual([null, null, 'public'])
    expect(outcome(await call('POST', `/v1/apps/${data.id}/regenerate-secret`, { as }))).toBe('409 conflict')
  })

  test('is made once under an Idempotency-Key', async () => {
    const [one, again] = [await create({}, { 'idempotency-key': 'once' }), await create({}, { 'idempotency-key': 'once' })]
    expect(again.body).toEqual(one.body)
  })

  test('that is deleted is let in by nobody any more', async () => {
    const made = await newApp(app, maker)
    const { access_token } = await letIn(app, made, person)
    expect((await call('GET', '/v1/stores', { as: access_token })).status).toBe(200)
    await ok('DELETE', `/v1/apps/${made.id}`, { as })
    expect(outcome(await call('GET', '/v1/stores', { as: access_token }))).toBe('401 invalid_token')
  })

  test('that is deleted leaves nothing behind, however many people let it in', async () => {
    const made = await newApp(app, maker)
    await letIn(app, made, person)
    await ok('PUT', `/v1/apps/${made.id}/user-data/users/${person.id}`, { as, body: { seen: true } })
    await app.context.sql`insert into oauth_grants (id, app_id, user_id, scopes, expires_at)
      select 'many' || n, ${made.id}, ${person.id}, '{}', now() + interval '1 day' from generate_series(1, 12000) n`
    const connected = async (): Promise<string[]> =>
      (await ok('GET', '/v1/users/auth/connected-apps', { as: person.token })).data.map(({ id }: { id: string }) => id)
    expect(await connected()).toContain(made.id)
    await ok('DELETE', `/v1/apps/${made.id}`, { as })
    expect(await connected()).not.toContain(made.id)
    await until(async () => (await rowsOf(made.id)) === 0)
  })

  test('goes with its maker', async () => {
    const leaver = await app.person('Leaver')
    const made = await newApp(app, leaver)
    const { access_token } = await letIn(app, made, person)
    await ok('DELETE', `/v1/users/${leaver.id}`, { as: admin.token })
    expect(outcome(await call('GET', '/v1/stores', { as: access_token }))).toBe('401 invalid_token')
    await until(async () => (await rowsOf(made.id)) === 0)
  })

  test('with a new secret is no longer known by the old one; its tokens stay', async () => {
    const made = await newApp(app, maker)
    const { access_token } = await letIn(app, made, person)
    const { data } = await ok('POST', `/v1/apps/${made.id}/regenerate-secret`, { as })
    const introspect = async (secret: string) => {
      const headers = { authorization: `Basic ${btoa(`${made.id}:${secret}`)}` }
      return (await fetch(`${origin}/oauth/introspect`, { method: 'POST', headers, body: new URLSearchParams({ token: access_token }) }))
        .status
    }
    expect([await introspect(made.secret), await introspect(data.secret)]).toEqual([401, 200])
    expect((await call('GET', '/v1/stores', { as: access_token })).status).toBe(200)
  })
})

describe('redirect addresses', () => {
  test.each([
    'https://app.example/callback?x=1',
    'http://127.0.0.1/cb',
    'http://[::1]:8080/cb',
    'http://localhost:3000/cb',
    'com.example.app:/cb',
    'com.example.app://cb',
  ])('may be %s', async (uri) => {
    expect((await create({ redirectUris: [uri] })).status).toBe(201)
  })

  test.each([
    'http://app.example/callback',
    'https://app.example/#x',
    'https://me:secret@app.example/',
    'https://app.example/ x',
    'https://app.example/\n',
    'https://épicerie.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp:/cb',
    '/callback',
    '*',
  ])('may not be %j', async (uri) => {
    const { status, body } = await create({ redirectUris: [CALLBACK, uri] })
    expect([status, body.error.details[0].path]).toEqual([400, '/body/redirectUris/1'])
  })
})

describe('data that an app stores', () => {
  const shelf = (path: string) => ({
    read: (credential?: string) => call('GET', path, credential ? { as: credential } : {}),
    write: (body: object, credential: string) => call('PUT', path, { as: credential, body }),
  })

  test('for everybody is read by everybody, for itself by its maker', async () => {
    const { id } = await newApp(app, maker)
    const [open, closed] = [shelf(`/v1/apps/${id}/public-data`), shelf(`/v1/apps/${id}/private-data`)]
    expect((await open.read()).body).toEqual({ data: {} })
    expect((await open.write({ logo: 'a' }, as)).body).toEqual({ data: { logo: 'a' } })
    expect((await closed.write({ plan: { gold: true } }, as)).status).toBe(200)
    expect((await open.read()).body).toEqual({ data: { logo: 'a' } })
    expect((await closed.read(as)).body).toEqual({ data: { plan: { gold: true } } })
    expect(outcome(await closed.read())).toBe('401 unauthenticated')
    expect(outcome(await open.write({ x: 'x'.repeat(17_000) }, as))).toBe('400 invalid_request')
  })

  test("about a user is readable with the user's app token, by the user and by the app's maker; by nobody else", async () => {
    const made = await newApp(app, maker)
    const other = await newApp(app, maker)
    const mine = shelf(`/v1/apps/${made.id}/user-data/me`)
    const shelfOfUser = shelf(`/v1/apps/${made.id}/user-data/users/${person.id}`)
    expect([outcome(await mine.read(person.token)), outcome(await shelfOfUser.read(as)), outcome(await shelfOfUser.write({}, as))]).toEqual(
      Array(3).fill('404 not_found'),
    )
    const { access_token } = await letIn(app, made, person)
    const { access_token: foreign } = await letIn(app, other, person)
    expect((await mine.write({ theme: 'dark' }, access_token)).body).toEqual({ data: { theme: 'dark' } })
    expect((await mine.read(person.token)).body).toEqual({ data: { theme: 'dark' } })
    expect((await shelfOfUser.read(as)).body).toEqual({ data: { theme: 'dark' } })
    expect((await shelfOfUser.write({ theme: 'light' }, as)).status).toBe(200)
    expect((await mine.read(access_token)).body).toEqual({ data: { theme: 'light' } })
    expect(outcome(await mine.read(foreign))).toBe('404 not_found')
    expect(outcome(await shelfOfUser.read(access_token))).toBe('403 forbidden')
    expect(outcome(await mine.read((await app.shop()).key))).toBe('403 forbidden')
    expect((await shelf(`/v1/apps/${made.id}/user-data/me`).read(as)).body).toEqual({ data: {} })
  })
})

test('apps: every process learns of a deleted app within a second, through the database alone', async () => {
  const made = await newApp(app, maker)
  const { access_token, refresh_token } = await letIn(app, made, (await app.shop()).owner)
  const read = async () => (await call('GET', `/v1/apps/${made.id}/user-data/me`, { as: access_token })).status
  const form = { grant_type: 'refresh_token', refresh_token, client_id: made.id, client_secret: made.secret }
  const refresh = async () => (await fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })).status
  expect([await read(), await refresh()]).toEqual([200, 200])
  await app.context.sql`update apps set deleted_at = now() where id = ${made.id}`
  await Bun.sleep(1_000)
  expect([await read(), await refresh()]).toEqual([401, 401])
})

test('a person has a hundred at most, however many come at once', async () => {
  const greedy = await app.person('Greedy')
  const { id } = await newApp(app, greedy)
  await app.context.sql`insert into apps select (jsonb_populate_record(a, jsonb_build_object('id', 'app_copy' || n))).*
    from apps a, generate_series(1, 97) n where a.id = ${id}`
  const body = { name: 'One more', redirectUris: ['https://app.example/back'] }
  const answers = await Promise.all(Array.from({ length: 6 }, () => app.call('POST', '/v1/apps', { as: greedy.token, body })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409])
})
