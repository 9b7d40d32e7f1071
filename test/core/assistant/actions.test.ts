import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { openOutbound } from '../../../core/lib/net/outbound.ts'
import { type Shop, startApp } from '../../support/app.ts'
import { letIn, newApp } from '../../support/oauth.ts'

const app = await startApp()
const { call, ok } = app
const admin = await app.person('Zineb Platform')
const shop = await app.shop({ name: 'Dar Salma', slug: 'dar-salma' })
const other = await app.shop({ name: 'Dar Amine', slug: 'dar-amine' })
const as = shop.owner.token

const membered = async (of: Shop, role: string, permissions?: string[]) => {
  const person = await app.person(`Member ${role}`)
  await app.context.sql`insert into store_members (store_id, user_id, role, permissions)
    values (${of.storeId}, ${person.id}, ${role}, ${permissions ?? null})`
  return person
}
const viewer = await membered(shop, 'viewer')
const agent = await membered(shop, 'agent')
const narrow = await membered(shop, 'admin', ['stores:read'])

describe('people and stores by name', () => {
  const names = async (path: string, credential: string) =>
    (await ok('GET', `/v1/actions/${path}`, { as: credential })).data.map(({ id }: { id: string }) => id)

  test('a member finds the people of their own stores and nobody else, not even by a full e-mail address', async () => {
    expect(await names(`searchUser?q=${encodeURIComponent(viewer.email)}`, as)).toEqual([viewer.id])
    expect(await names('searchUser?q=member', agent.token)).toEqual([narrow.id, agent.id, viewer.id])
    expect(await names(`searchUser?q=${encodeURIComponent(other.owner.email)}`, as)).toEqual([])
    expect(await names('searchUser?q=member', other.owner.token)).toEqual([])
    expect(await names('searchUser?q=%25', as)).toEqual([])
  })

  test('who may not list the members of a store finds none of them, and finds the store', async () => {
    expect(await names('searchUser?q=member', viewer.token)).toEqual([])
    expect(await names('searchUser?q=member', narrow.token)).toEqual([])
    expect(await names('searchStore?q=dar', viewer.token)).toEqual([shop.storeId])
  })

  test('credentials without a user find nobody, as they may list no members; a key finds its store, and administrators find everything', async () => {
    const tokens = await letIn(app, await newApp(app, shop.owner), shop.owner, 'stores:read')
    for (const credential of [shop.key, tokens.access_token])
      for (const path of ['/v1/actions/searchUser?q=owner', `/v1/stores/${shop.storeId}/members`]) {
        const { status, body } = await call('GET', path, { as: credential })
        expect([path, status, body.error.code]).toEqual([path, 403, 'forbidden'])
      }
    expect(await names('searchStore?q=dar', shop.key)).toEqual([shop.storeId])
    expect(await names('searchStore?q=dar', admin.token)).toEqual([other.storeId, shop.storeId])
    expect(await names(`searchUser?q=${encodeURIComponent(other.owner.email)}`, admin.token)).toEqual([other.owner.id])
  })

  test('nobody searches without a credential, without words, or for more than there may be', async () => {
    expect((await call('GET', '/v1/actions/searchUser?q=a')).status).toBe(401)
    expect((await call('GET', '/v1/actions/searchStore?q=a')).status).toBe(401)
    expect((await call('GET', '/v1/actions/searchUser', { as })).status).toBe(400)
    expect((await call('GET', '/v1/actions/searchUser?q=a&limit=51', { as })).status).toBe(400)
  })
})

describe('the proxy', () => {
  const seen: { method: string; url: string; headers: Record<string, string>; body: string }[] = []
  const outside = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      seen.push({ method: request.method, url: pathname, headers: request.headers.toJSON(), body: await request.text() })
      if (pathname === '/large') return new Response('x'.repeat(2 * 1024 * 1024))
      if (pathname === '/bytes') return new Response(new Uint8Array([0xff, 0x00, 0xfe]))
      if (pathname === '/away') return Response.redirect('http://169.254.169.254/latest')
      return new Response('{"good":true}', { headers: { 'content-type': 'application/json', 'set-cookie': 'a=b', 'x-secret': 'c' } })
    },
  })
  afterAll(() => outside.stop(true))
  /** A way out on which every name leads here. */
  const homeward = (allowPrivate: boolean) => ({
    webhookOutbound: openOutbound({ allowPrivate, resolve: async () => ['127.0.0.1'] }),
  })
  Object.assign(app.context, homeward(true))
  const at = (path: string, host = 'shop.example') => `http://${host}:${outside.port}${path}`
  const hostsPath = `/v1/stores/${shop.storeId}/proxy-hosts`
  const ask = (body: object, credential = as) =>
    call('POST', '/v1/actions/proxy', {
      as: credential,
      body: { storeId: shop.storeId, ...body },
      headers: { cookie: 'session=1', 'x-api-key': 'mine' },
    })

  test('calls only the hosts that the owner has listed, and only the owner lists hosts', async () => {
    const refused = await ask({ url: at('/') })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
    expect(refused.body.error.message).toContain('shop.example')
    expect(seen).toEqual([])
    expect((await ok('GET', hostsPath, { as })).data).toEqual({ hosts: [], updatedAt: null })
    expect((await call('PUT', hostsPath, { as: agent.token, body: { hosts: ['evil.example'] } })).status).toBe(403)
    expect((await call('PUT', hostsPath, { as: shop.key, body: { hosts: ['evil.example'] } })).status).toBe(403)
    expect((await call('PUT', hostsPath, { as: other.owner.token, body: { hosts: [] } })).status).toBe(404)
    expect((await call('PUT', hostsPath, { body: { hosts: [] } })).status).toBe(401)
    for (const host of ['127.0.0.1', '*', '*.', 'A.example', 'a.example/x', 'localhost', '[::1]'])
      expect([host, (await call('PUT', hostsPath, { as, body: { hosts: [host] } })).status]).toEqual([host, 400])
    expect((await ok('PUT', hostsPath, { as, body: { hosts: ['shop.example'] } })).data.hosts).toEqual(['shop.example'])
  })

  test('says in the log of the store who listed which hosts', async () => {
    const put = (hosts: string[]) => ok('PUT', hostsPath, { as, body: { hosts } })
    await put(['shop.example', 'more.example'])
    await put(['shop.example', 'more.example'])
    await put(['shop.example'])
    const noted = (await ok('GET', `/v1/stores/${shop.storeId}/audit?what=proxy_hosts.changed`, { as })).data
    expect(noted).toMatchObject([
      { before: { hosts: ['shop.example', 'more.example'] }, after: { hosts: ['shop.example'] } },
      { before: { hosts: ['shop.example'] }, after: { hosts: ['shop.example', 'more.example'] } },
      { before: { hosts: [] }, after: { hosts: ['shop.example'] } },
    ])
    for (const { by, thing } of noted) expect([by.kind, by.id, thing]).toEqual(['person', shop.owner.id, shop.storeId])
  })

  test('passes on no credential and no header that is not named, and shows none but those of the body', async () => {
    const { status, body } = await ask({
      url: at('/json'),
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'hello',
    })
    expect([status, body.data]).toEqual([
      200,
      { status: 200, headers: { 'content-type': 'application/json' }, body: '{"good":true}', encoding: 'utf8' },
    ])
    const [asked] = seen.splice(0)
    expect([asked?.method, asked?.body, asked?.headers['user-agent']]).toEqual(['POST', 'hello', 'Serai'])
    expect(Object.keys(asked?.headers ?? {}).filter((name) => /authorization|cookie|key|forwarded|request-id/.test(name))).toEqual([])
    for (const header of ['authorization', 'cookie', 'x-api-key'])
      expect((await ask({ url: at('/json'), headers: { [header]: 'x' } })).status).toBe(400)
    expect((await ask({ url: at('/json'), method: 'DELETE' })).status).toBe(400)
    expect((await ask({ url: at('/json'), body: 'of a GET' })).status).toBe(400)
    expect((await ask({ url: `http://a:b@shop.example:${outside.port}/` })).status).toBe(400)
    expect(seen).toEqual([])
  })

  test('follows no redirect, takes no more than it may, and writes bytes as such', async () => {
    const away = (await ask({ url: at('/away') })).body.data
    expect([away.status, away.headers.location]).toEqual([302, 'http://169.254.169.254/latest'])
    const large = await ask({ url: at('/large') })
    expect([large.status, large.body.error.code]).toEqual([422, 'proxy_failed'])
    const bytes = (await ask({ url: at('/bytes') })).body.data
    expect([bytes.body, bytes.encoding]).toEqual(['/wD+', 'base64'])
  })

  test('is for admins of the store, and those of another have hosts of their own', async () => {
    expect((await ask({ url: at('/') }, agent.token)).status).toBe(403)
    expect((await ask({ url: at('/') }, other.owner.token)).status).toBe(404)
    expect((await call('POST', '/v1/actions/proxy', { body: { url: at('/') } })).status).toBe(401)
    const theirs = await call('POST', '/v1/actions/proxy', { as: other.key, body: { url: at('/') } })
    expect(theirs.status).toBe(403)
  })

  test('asks a name that leads into a private network only where the operator allows that', async () => {
    const strict = await startApp({ allowPrivateWebhooks: false })
    Object.assign(strict.context, homeward(false))
    const own = await strict.shop()
    const path = `/v1/stores/${own.storeId}/proxy-hosts`
    await strict.ok('PUT', path, { as: own.owner.token, body: { hosts: ['shop.example'] } })
    const before = seen.length
    for (const url of [at('/'), at('/').replace('http:', 'https:')]) {
      const { status, body } = await strict.call('POST', '/v1/actions/proxy', { as: own.key, body: { url } })
      expect([status, body.error.code]).toEqual([422, 'proxy_failed'])
    }
    expect(seen.length).toBe(before)
  })
})

describe('a file for a field of the store', () => {
  const path = `/v1/actions/uploadCustomFieldFile?storeId=${shop.storeId}`
  const sent = (bytes: string, name: string) => {
    const form = new FormData()
    form.append('file', new Blob([bytes]), name)
    return form
  }
  const upload = async (credential: string | undefined, form: FormData) =>
    app.handle(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        body: form,
        headers: { ...(credential && { authorization: `Bearer ${credential}` }) },
      }),
    )

  test('is what its bytes are, whatever its name says, and is kept as the store’s', async () => {
    const pdf = await upload(agent.token, sent('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer<<>>\n%%EOF', 'size.png'))
    const { data } = (await pdf.json()) as { data: { id: string; contentType: string; storeId: string } }
    expect([pdf.status, data.contentType, data.storeId]).toEqual([201, 'application/pdf', shop.storeId])
    expect(await app.context.sql`select project_id, owner from files where id = ${data.id}`).toMatchObject([
      { projectId: projectIdOf(shop.storeId), owner: 'store' },
    ])
    const script = await upload(agent.token, sent('<script>alert(1)</script>', 'nice.png'))
    expect(script.status).toBe(415)
  })

  test('is taken from agents and keys of the store alone', async () => {
    const form = () => sent('a,b\r\n1,2\r\n', 'a.csv')
    expect((await upload(undefined, form())).status).toBe(401)
    expect((await upload(viewer.token, form())).status).toBe(403)
    expect((await upload(other.owner.token, form())).status).toBe(404)
    expect((await upload(shop.key, form())).status).toBe(201)
  })
})

describe('components', () => {
  const made = async (name: string, data: object) =>
    (await ok('POST', '/v1/templates', { as, body: { storeId: shop.storeId, name, data, category: 'component' } })).data.id as string
  const ids: Record<string, string> = {}
  const resolve = (body: object, credential = as) =>
    call('POST', '/v1/actions/resolveComponents', { as: credential, body: { storeId: shop.storeId, ...body } })

  beforeAll(async () => {
    ids.button = await made('Button', { kind: 'button' })
    ids.card = await made('Card', { children: [{ component: 'Button' }, { component: 'Ring' }] })
    ids.ring = await made('Ring', { inner: { component: 'Card' } })
    ids.page = await made('Page', { blocks: [{ component: 'Card' }, { component: ids.button }, { component: 'Nowhere' }] })
  })

  test('all that a template leads to, each once, with what is missing and what leads back', async () => {
    const { data } = (await resolve({ templateId: ids.page })).body
    expect(data.components.map(({ id }: { id: string }) => id)).toEqual([ids.card, ids.button, ids.ring])
    expect(data.components[0].uses).toEqual(['Button', 'Ring'])
    expect(data.missing).toEqual(['Nowhere'])
    expect(data.circular).toEqual(['Card'])
  })

  test('by name, within their limits', async () => {
    const { data } = (await resolve({ names: ['Button'] })).body
    expect(data).toEqual({
      components: [{ id: ids.button, name: 'Button', of: 'store', data: { kind: 'button' }, uses: [] }],
      missing: [],
      circular: [],
    })
    for (let depth = 0; depth < 8; depth += 1) await made(`Deep ${depth}`, { component: `Deep ${depth + 1}` })
    const deep = await resolve({ names: ['Deep 0'] })
    expect([deep.status, deep.body.error.code]).toEqual([422, 'limit_reached'])
  })

  test('belong to this store alone', async () => {
    expect((await resolve({ templateId: ids.page }, other.owner.token)).status).toBe(404)
    const theirs = await call('POST', '/v1/actions/resolveComponents', { as: other.key, body: { templateId: ids.page } })
    expect(theirs.status).toBe(404)
    const named = await call('POST', '/v1/actions/resolveComponents', { as: other.key, body: { names: ['Button'] } })
    expect(named.body.data.missing).toEqual(['Button'])
    expect((await call('POST', '/v1/actions/resolveComponents', { body: { names: ['Button'] } })).status).toBe(401)
    expect((await resolve({})).status).toBe(400)
    expect((await resolve({ names: ['a'], templateId: 'b' })).status).toBe(400)
  })
})
