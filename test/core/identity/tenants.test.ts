import { describe, expect, test } from 'bun:test'
import { transaction } from '../../../core/data/sql.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { type Answer, type Person, startApp } from '../../support/app.ts'
import { letIn, newApp } from '../../support/oauth.ts'
import { untilWaiting } from '../../support/waiting.ts'

const app = await startApp()
const { call, ok } = app
const { sql } = app.context
const admin = await app.person('The administrator')
const owner = await app.person('Owner')
const boss = await app.person('Boss')
const member = await app.person('Member')
const stranger = await app.person('Stranger')

const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const { data: tenant } = await ok('POST', '/v1/tenants', { as: owner.token, body: { name: 'Maison Saadi' } })
const at = `/v1/tenants/${tenant.id}`
const read = (as: string, path = at) => call('GET', path, { as })
const change = (by: Person | string, body: object, path = at) => call('PATCH', path, { as: typeof by === 'string' ? by : by.token, body })
const named = (person: Person, role: string) => ({ email: person.email, role })
const team = [named(owner, 'owner'), named(boss, 'admin'), named(member, 'member')]
const rolesIn = ({ body }: Answer) => body.data.people.map((one: { userId: string; role: string }) => [one.userId, one.role])

async function newProject(as: string, tenantId: number = tenant.id) {
  return (await ok('POST', '/v1/projects', { as, body: { name: 'Shelf', tenantId } })).data as { id: string; tenantId: number }
}
const newKey = async (as: string, projectId: string, scopes: string[]) =>
  (await ok('POST', `/v1/projects/${projectId}/api-keys`, { as, body: { name: 'x', scopes } })).data.key as string

describe('a tenant', () => {
  test('is its maker’s, with limits of the platform’s', async () => {
    expect(tenant).toMatchObject({
      name: 'Maison Saadi',
      state: 'active',
      deletesAt: null,
      role: 'owner',
      projects: 0,
      limits: { maxProjects: 200, maxKeysPerProject: 100, maxPeople: 100, requestsPerMinute: null },
      people: [{ userId: owner.id, name: 'Owner', email: owner.email, role: 'owner' }],
    })
    expect(Number.isInteger(tenant.id)).toBe(true)
    for (const body of [{}, { name: '' }, { name: 'x', limits: {} }])
      expect(outcome(await call('POST', '/v1/tenants', { as: owner.token, body }))).toBe('400 invalid_request')
  })

  test('is there for its people, its keys and the platform alone', async () => {
    const { key } = await app.shop()
    for (const as of [stranger.token, boss.token, key]) expect(outcome(await read(as))).toBe('404 not_found')
    for (const path of ['/v1/tenants/0', '/v1/tenants/x', '/v1/tenants/999999999', '/v1/tenants/99999999999'])
      expect(outcome(await read(admin.token, path))).toBe('404 not_found')
    expect((await read(admin.token)).body.data).toMatchObject({ id: tenant.id, role: null })
    const project = await newProject(owner.token)
    const own = await newKey(owner.token, project.id, ['tenants:manage'])
    expect((await read(own)).body.data.projects).toBe(1)
    expect((await ok('GET', '/v1/tenants', { as: own })).data.map(({ id }: { id: number }) => id)).toEqual([tenant.id])
    expect(outcome(await call('POST', '/v1/tenants', { as: own, body: { name: 'Another' } }))).toBe('403 forbidden')
    expect(outcome(await call('DELETE', at, { as: own }))).toBe('403 forbidden')
    expect(outcome(await read(await newKey(owner.token, project.id, ['geo:read'])))).toBe('403 insufficient_scope')
  })

  test('is listed by name, state and part of its name, page by page', async () => {
    const collector = await app.person('Collector')
    for (const name of ['Blue house', 'Amber house', 'Cave']) await ok('POST', '/v1/tenants', { as: collector.token, body: { name } })
    const names = async (query: string) =>
      (await ok('GET', `/v1/tenants?${query}`, { as: collector.token })).data.map(({ name }: { name: string }) => name)
    expect(await names('')).toEqual(['Cave', 'Amber house', 'Blue house'])
    expect(await names('sort=name&q=house')).toEqual(['Amber house', 'Blue house'])
    expect(await names('filter[state]=deleting')).toEqual([])
    const first = await ok('GET', '/v1/tenants?limit=2', { as: collector.token })
    expect(await names(`limit=2&cursor=${first.nextCursor}`)).toEqual(['Blue house'])
    expect((await ok('GET', '/v1/tenants?limit=100', { as: admin.token })).data.length).toBeGreaterThan(3)
  })
})

describe('the people of a tenant', () => {
  test('are named by it, all of them, and who has no account is said to have none', async () => {
    const nobody = await change(owner, { people: [...team, { email: 'nobody@example.dz', role: 'member' }] })
    expect(outcome(nobody)).toBe('422 unknown_person')
    expect(nobody.body.error.message).toContain('nobody@example.dz')
    expect(nobody.body.error.details[0].path).toBe('/body/people/3/email')
    for (const people of [
      [],
      [named(boss, 'admin')],
      [...team, named(stranger, 'owner')],
      [...team, named(boss, 'member')],
      [...team, { role: 'member' }],
      [...team, { email: boss.email, userId: boss.id, role: 'member' }],
    ])
      expect(outcome(await change(owner, { people }))).toBe('400 invalid_request')
    expect(outcome(await change(owner, { people: [...team, { userId: stranger.id, role: 'member' }] }))).toBe('422 unknown_person')
    expect(rolesIn(await change(owner, { people: team }))).toEqual([
      [owner.id, 'owner'],
      [boss.id, 'admin'],
      [member.id, 'member'],
    ])
  })

  test('do what their roles say', async () => {
    const project = await newProject(boss.token)
    const path = `/v1/projects/${project.id}`
    const asMember = { as: member.token }
    expect((await read(member.token)).body.data).toMatchObject({ role: 'member', people: { length: 3 } })
    expect((await ok('GET', path, asMember)).data.id).toBe(project.id)
    const listed = await ok('GET', `/v1/projects?filter[tenantId]=${tenant.id}&sort=name&q=shelf`, asMember)
    expect(listed.data.map(({ id }: { id: string }) => id)).toContain(project.id)
    expect((await ok('GET', '/v1/projects', { as: stranger.token })).data).toEqual([])
    for (const refused of [
      change(member, { name: 'Mine' }),
      call('PATCH', path, { ...asMember, body: { name: 'Mine' } }),
      call('GET', `${path}/api-keys`, asMember),
      call('POST', '/v1/projects', { ...asMember, body: { name: 'x', tenantId: tenant.id } }),
      call('DELETE', at, { as: boss.token }),
      change(boss, { people: [named(boss, 'owner'), named(owner, 'admin')] }),
      change(owner, { limits: { maxProjects: 5 } }),
    ])
      expect(outcome(await refused)).toBe('403 forbidden')
    expect(outcome(await call('POST', '/v1/projects', { as: stranger.token, body: { name: 'x', tenantId: tenant.id } }))).toBe(
      '404 not_found',
    )
    expect((await change(boss, { name: 'Maison Saadi et fils' })).body.data.name).toBe('Maison Saadi et fils')
  })

  test('who may do less have keys no more that reach beyond one project', async () => {
    const project = await newProject(owner.token)
    const [wide, narrow] = [
      await newKey(boss.token, project.id, ['tenants:manage']),
      await newKey(boss.token, project.id, ['parcels:read']),
    ]
    expect((await read(wide)).status).toBe(200)
    await change(owner, { people: [named(owner, 'owner'), named(boss, 'member'), named(member, 'member')] })
    expect(outcome(await read(wide))).toBe('401 invalid_api_key')
    expect((await call('GET', '/v1/parcels', { as: narrow })).status).toBe(200)
    await change(owner, { people: team })
  })

  test('can be given another owner, by the owner only', async () => {
    const { data } = await ok('POST', '/v1/tenants', { as: owner.token, body: { name: 'Given away' } })
    const path = `/v1/tenants/${data.id}`
    const project = await newProject(owner.token, data.id)
    const key = await newKey(owner.token, project.id, ['tenants:manage'])
    expect(outcome(await change(key, { people: [named(boss, 'owner')] }, path))).toBe('403 forbidden')
    expect((await change(owner, { people: [named(boss, 'owner')] }, path)).status).toBe(200)
    expect(outcome(await read(owner.token, path))).toBe('404 not_found')
    expect(outcome(await read(key, path))).toBe('401 invalid_api_key')
    expect((await read(boss.token, path)).body.data.role).toBe('owner')
  })

  test('are two whose changes come at once: one list stands, whole', async () => {
    const lists = [team, [named(owner, 'owner'), named(member, 'admin')]]
    const answers = await Promise.all(lists.map((people) => change(owner, { people })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(rolesIn)).toContainEqual(rolesIn(await read(owner.token)))
    await change(owner, { people: team })
  })
})

describe('the limits of a tenant', () => {
  test('are the platform’s to change, and its to give back', async () => {
    expect((await change(admin, { limits: { maxPeople: 3, maxProjects: 1 } })).body.data.limits).toMatchObject({
      maxPeople: 3,
      maxProjects: 1,
    })
    expect(outcome(await change(owner, { people: [...team, named(stranger, 'member')] }))).toBe('422 limit_reached')
    expect(outcome(await call('POST', '/v1/projects', { as: owner.token, body: { name: 'x', tenantId: tenant.id } }))).toBe(
      '422 limit_reached',
    )
    expect((await change(admin, { limits: { maxPeople: null, maxProjects: null } })).body.data.limits.maxPeople).toBe(100)
    expect(outcome(await change(admin, { limits: { maxPeople: 0 } }))).toBe('400 invalid_request')
  })

  test('hold all its keys together to so many requests a minute', async () => {
    const { owner: other, projectId, key } = await app.shop()
    const { tenantId } = (await ok('GET', `/v1/projects/${projectId}`, { as: other.token })).data
    const second = await newKey(other.token, projectId, ['parcels:read'])
    await change(admin, { limits: { requestsPerMinute: 3 } }, `/v1/tenants/${tenantId}`)
    const statuses: number[] = []
    for (const as of [key, second, key, second]) statuses.push((await call('GET', '/v1/parcels', { as })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    const refused = await call('GET', '/v1/parcels', { as: key })
    expect([outcome(refused), refused.headers.get('ratelimit-limit')]).toEqual(['429 rate_limited', '3'])
    expect((await call('GET', '/v1/projects', { as: other.token })).status).toBe(200)
  })
})

describe('the deletion of a tenant', () => {
  test('stops all of it at once, and is taken back whole', async () => {
    const shop = await app.shop()
    const as = shop.owner.token
    const { tenantId } = (await ok('GET', `/v1/projects/${shop.projectId}`, { as })).data
    const path = `/v1/tenants/${tenantId}`
    const program = await newApp(app, shop.owner)
    const token = (await letIn(app, program, shop.owner, 'parcels:read')).access_token
    const product = (
      await ok('POST', '/v1/products', { as: shop.key, body: { storeId: shop.storeId, name: 'Basket', price: 100, stockKeeping: false } })
    ).data
    const order = {
      storeId: shop.storeId,
      customer: { name: 'Amina', phone: '0550123456' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Alger', address: '', deliveryType: 'home' },
      items: [{ productId: product.id, quantity: 1 }],
    }
    let phones = 0
    const everything = async () =>
      [
        await call('GET', '/v1/parcels', { as: shop.key }),
        await call('GET', '/v1/parcels', { as: token }),
        await call('GET', `/v1/stores/${shop.storeId}`, { as }),
        await call('GET', `/v1/products?storeId=${shop.storeId}`, { as }),
        await call('GET', `/v1/projects/${shop.projectId}`, { as }),
        await call('POST', '/v1/orders', { body: { ...order, customer: { name: 'Amina', phone: `055012300${phones++}` } } }),
        await call('POST', '/v1/orders', { as, body: order }),
      ].map(outcome)
    const whole = ['200', '200', '200', '200', '200', '201', '201']
    expect(await everything()).toEqual(whole)

    const deleted = await call('DELETE', path, { as })
    expect([deleted.status, deleted.body.data.state]).toEqual([202, 'deleting'])
    const days = (Date.parse(deleted.body.data.deletesAt) - Date.now()) / DAY_MS
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30.1)
    const gone = ['401 invalid_api_key', '401 invalid_token', ...Array.from({ length: 5 }, () => '403 tenant_deleting')]
    expect(await everything()).toEqual(gone)
    expect((await call('DELETE', path, { as })).body.data.deletesAt).toBe(deleted.body.data.deletesAt)
    expect((await ok('GET', '/v1/tenants?filter[state]=deleting', { as })).data.map(({ id }: { id: number }) => id)).toEqual([tenantId])
    expect((await ok('GET', '/v1/projects', { as })).data).toEqual([])
    expect(outcome(await change(as, { name: 'Still here' }, path))).toBe('403 tenant_deleting')
    expect(outcome(await change(stranger, { deleting: false }, path))).toBe('404 not_found')
    expect(outcome(await call('POST', '/v1/projects', { as, body: { name: 'x', tenantId } }))).toBe('403 tenant_deleting')
    // Who goes on, goes on elsewhere.
    expect((await ok('POST', '/v1/projects', { as, body: { name: 'x' } })).data.tenantId).not.toBe(tenantId)

    const back = await change(as, { deleting: false, name: 'Back' }, path)
    expect(back.body.data).toMatchObject({ state: 'active', deletesAt: null, name: 'Back' })
    expect(await everything()).toEqual(whole)
  })

  test('is taken back by its owner alone', async () => {
    await change(owner, { people: team })
    expect((await call('DELETE', at, { as: owner.token })).status).toBe(202)
    expect(outcome(await change(boss, { deleting: false }))).toBe('403 forbidden')
    expect(outcome(await change(member, { deleting: false }))).toBe('403 forbidden')
    expect((await change(owner, { deleting: false })).status).toBe(200)
    expect((await change(owner, { deleting: false })).status).toBe(200)
  })

  test('of people is no deletion: with an account go its places in tenants', async () => {
    const { people } = await ok('GET', at, { as: owner.token }).then(({ data }) => data)
    expect(people).toHaveLength(3)
    await sql`delete from users where id = ${member.id}`
    expect((await read(owner.token)).body.data.people).toHaveLength(2)
  })
})

test('OAuth: an app of a user without a project is told so, and its token works as no key', async () => {
  const shop = await app.shop()
  const viewer = await app.person('Viewer')
  await ok('POST', `/v1/stores/${shop.storeId}/members`, { as: shop.owner.token, body: { email: viewer.email, role: 'viewer' } })
  const scope = 'parcels:read inventory:read webhooks:manage geo:read stores:read orders:read products:read products:write tenants:manage'
  const { access_token: as } = await letIn(app, await newApp(app, shop.owner), viewer, scope)
  const asked = async (method: string, path: string, body?: object) => outcome(await call(method, path, { as, ...(body && { body }) }))
  for (const path of ['/v1/parcels', '/v1/inventory/balances', '/v1/webhook-endpoints', '/v1/geo/catalog?country=DZ'])
    expect([path, await asked('GET', path)]).toEqual([path, '403 forbidden'])
  for (const path of [`/v1/projects/${shop.projectId}`, `/v1/projects/${shop.projectId}/api-keys`, at])
    expect([path, await asked('GET', path)]).toEqual([path, '404 not_found'])
  // The user's role moves with the store, whichever project has it.
  expect(await asked('GET', `/v1/stores/${shop.storeId}`)).toBe('200')
  expect(await asked('POST', '/v1/products', { storeId: shop.storeId, name: 'x', price: 1 })).toBe('403 forbidden')
  expect(await asked('GET', '/v1/products')).toBe('400 invalid_request')
  expect(await asked('GET', '/v1/projects')).toBe('200')
})

test('members: probing which addresses have an account is throttled; users are still named by their ids', async () => {
  const asker = await app.person()
  const { data: own } = await ok('POST', '/v1/tenants', { as: asker.token, body: { name: 'Atelier' } })
  const path = `/v1/tenants/${own.id}`
  const self = { userId: asker.id, role: 'owner' }
  const name = (email: string) => change(asker, { people: [self, { email, role: 'member' }] }, path)
  const tries = []
  for (let at = 0; at < 12; at += 1) tries.push(outcome(await name(`nobody-${at}@example.dz`)))
  expect(tries).toEqual([...Array(10).fill('422 unknown_person'), '429 rate_limited', '429 rate_limited'])
  expect(outcome(await name(member.email))).toBe('429 rate_limited')
  expect((await change(asker, { people: [self] }, path)).status).toBe(200)
})

describe('a person who is deleted at this moment', () => {
  /** Has a person deleted, and what is asked meanwhile wait for that. */
  async function whileDeleted({ id }: Person, ask: () => Promise<Answer>): Promise<Answer> {
    const { asked, deleted } = await transaction(sql, async (tx) => {
      await tx`select 1 from users where id = ${id} for update`
      const deleted = call('DELETE', `/v1/users/${id}`, { as: admin.token })
      await untilWaiting(sql, 1)
      const asked = ask()
      await untilWaiting(sql, 2)
      return { asked, deleted }
    })
    expect((await deleted).status).toBe(204)
    return asked
  }

  test('is left with no tenant, project or app', async () => {
    for (const [path, body] of [
      ['/v1/tenants', { name: 'Late' }],
      ['/v1/projects', { name: 'Late' }],
      ['/v1/apps', { name: 'Late', redirectUris: ['https://late.example/'] }],
    ] as const) {
      const gone = await app.person()
      const answer = await whileDeleted(gone, () => call('POST', path, { as: gone.token, body }))
      expect([path, outcome(answer)]).toEqual([path, '404 not_found'])
      expect(await sql`select 1 from tenants where owner_id = ${gone.id}`).toHaveLength(0)
      expect(await sql`select 1 from apps where owner_id = ${gone.id}`).toHaveLength(0)
    }
  })

  test('becomes nobody of a tenant, least of all its owner', async () => {
    const { data: mine } = await ok('POST', '/v1/tenants', { as: owner.token, body: { name: 'Handed over' } })
    for (const role of ['owner', 'member']) {
      const gone = await app.person()
      const people = role === 'owner' ? [named(gone, 'owner'), named(owner, 'admin')] : [named(owner, 'owner'), named(gone, 'member')]
      const answer = await whileDeleted(gone, () => change(owner, { people }, `/v1/tenants/${mine.id}`))
      expect([role, outcome(answer)]).toEqual([role, '422 unknown_person'])
      expect(await sql`select 1 from tenant_members where user_id = ${gone.id}`).toHaveLength(0)
    }
    expect((await ok('GET', `/v1/tenants/${mine.id}`, { as: owner.token })).data.people).toHaveLength(1)
  })
})

test('a key that is made with one that ends at this moment ends with it', async () => {
  const { data: mine } = await ok('POST', '/v1/tenants', { as: owner.token, body: { name: 'Short lived' } })
  const leaver = await app.person()
  const path = `/v1/tenants/${mine.id}`
  await change(owner, { people: [named(owner, 'owner'), named(leaver, 'admin')] }, path)
  const { id } = await newProject(leaver.token, mine.id)
  const first = await newKey(leaver.token, id, ['tenants:manage'])
  const { made, changed } = await transaction(sql, async (tx) => {
    await tx`select 1 from projects where id = ${id} for update`
    const made = call('POST', `/v1/projects/${id}/api-keys`, { as: first, body: { name: 'second', scopes: ['tenants:manage'] } })
    await untilWaiting(sql, 1)
    const changed = change(owner, { people: [named(owner, 'owner')] }, path)
    await Promise.race([changed, untilWaiting(sql, 2)])
    return { made, changed }
  })
  expect((await changed).status).toBe(200)
  const second = (await made).body.data?.key
  if (second !== undefined) expect((await call('GET', '/v1/projects', { as: second })).status).toBe(401)
  expect(await sql`select 1 from api_keys where project_id = ${id} and revoked_at is null`).toHaveLength(0)
})
