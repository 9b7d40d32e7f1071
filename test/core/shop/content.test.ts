import { describe, expect, test } from 'bun:test'
import { type Answer, startApp } from '../../support/app.ts'

const app = await startApp()
const { call, ok, person, shop, context } = app
const administrator = await person('The administrator')
const mine = await shop({ slug: `content-${Date.now()}` })
const theirs = await shop()
const member = async (role: string) => {
  const someone = await person(role)
  await ok('POST', `/v1/stores/${mine.storeId}/members`, { as: mine.owner.token, body: { email: someone.email, role } })
  return someone.token
}
const [viewer, agent] = [await member('viewer'), await member('agent')]
const { storeId, key: as } = mine
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()

describe('pages', () => {
  const page = { title: 'About us', slug: 'about', content: '<script>alert(1)</script>', metadata: { secret: 'draft notes' } }

  test('are seen by members as drafts, and by anybody once they are published', async () => {
    const { data: draft } = await ok('POST', '/v1/pages', { as, body: { storeId, ...page } })
    const { data: store } = await ok('GET', `/v1/stores/${storeId}`, { as: mine.owner.token })
    const views = [`/v1/pages/view/about?storeId=${storeId}`, `/v1/pages/view/about?store=${store.slug}`]
    for (const view of views)
      for (const credential of [undefined, as, theirs.key])
        expect(outcome(await call('GET', view, { ...(credential && { as: credential }) }))).toBe('404 not_found')
    expect((await ok('GET', `/v1/pages/about?storeId=${storeId}`, { as: viewer })).data).toEqual(draft)
    await ok('PATCH', `/v1/pages/${draft.id}`, { as, body: { published: true } })
    for (const view of views)
      expect((await ok('GET', view)).data).toEqual({
        id: draft.id,
        storeId,
        title: page.title,
        slug: 'about',
        format: 'html',
        content: page.content,
        updatedAt: expect.any(String),
      })
    const answer = await call('GET', views[0] ?? '')
    expect(answer.headers.get('content-type')).toStartWith('application/json')
  })

  test('are asked of a store that is there, by whom it concerns', async () => {
    expect(outcome(await call('GET', '/v1/pages/view/about'))).toBe('400 invalid_request')
    expect(outcome(await call('GET', '/v1/pages/view/none?storeId=x'))).toBe('404 not_found')
    expect(outcome(await call('GET', `/v1/pages/view/about?storeId=${theirs.storeId}`))).toBe('404 not_found')
    expect(outcome(await call('GET', '/v1/pages/about', { as: theirs.key }))).toBe('404 not_found')
    expect(outcome(await call('GET', '/v1/pages/about', { as: viewer }))).toBe('400 invalid_request')
    expect(outcome(await call('GET', `/v1/pages?storeId=${storeId}`))).toBe('401 unauthenticated')
    const closed = await shop()
    await ok('POST', '/v1/pages', { as: closed.key, body: { storeId: closed.storeId, ...page, published: true } })
    expect((await call('GET', `/v1/pages/view/about?storeId=${closed.storeId}`)).status).toBe(200)
    await ok('DELETE', `/v1/stores/${closed.storeId}`, { as: closed.owner.token })
    expect(outcome(await call('GET', `/v1/pages/view/about?storeId=${closed.storeId}`))).toBe('404 not_found')
  })

  test('may be as long as said', async () => {
    const content = 'ب'.repeat(256 * 1024)
    const { data } = await ok('POST', '/v1/pages', { as, body: { storeId, title: 'Long', slug: 'long', content } })
    expect(data.content).toBe(content)
  })
})

const customer = { name: 'Lina', phone: '0550 00 00 11', email: 'lina@example.dz', text: 'Fits well', rating: 5 }
const write = (body: object = {}, options: object = {}) =>
  call('POST', '/v1/feedbacks', { body: { storeId, ...customer, ...body }, ...options })
const PUBLIC = { storeId, name: 'Lina', text: 'Fits well', rating: 5, productId: null, comments: [] }
const DATES = { createdAt: expect.any(String), updatedAt: expect.any(String) }

describe('feedbacks', () => {
  test('are written by anybody, published by members, and show no way to reach their writer', async () => {
    const answer = await write()
    expect(answer.status).toBe(201)
    const { id } = answer.body.data
    const said = { ...PUBLIC, id: expect.stringMatching(/^fbk_/), status: 'pending', ...DATES }
    expect(answer.body.data).toEqual(said)
    const strangers = [undefined, theirs.key, theirs.owner.token]
    const asked = async (path: string, credential?: string) => call('GET', path, { ...(credential && { as: credential }) })
    for (const credential of strangers) {
      expect(outcome(await asked(`/v1/feedbacks/${id}`, credential))).toBe('404 not_found')
      expect((await asked(`/v1/feedbacks?storeId=${storeId}&status=pending`, credential)).body.data).toEqual([])
    }
    const whole = { ...said, phone: customer.phone, email: customer.email, orderId: null }
    for (const credential of [as, viewer, agent, administrator.token]) {
      expect((await asked(`/v1/feedbacks/${id}`, credential)).body.data).toEqual(whole)
      expect((await asked(`/v1/feedbacks?storeId=${storeId}`, credential)).body.data).toEqual([whole])
    }
    expect(outcome(await call('PATCH', `/v1/feedbacks/${id}`, { as: viewer, body: { status: 'published' } }))).toBe('403 forbidden')
    expect((await ok('PATCH', `/v1/feedbacks/${id}`, { as: agent, body: { status: 'published' } })).data).toEqual({
      ...whole,
      status: 'published',
    })
    for (const credential of strangers) {
      expect((await asked(`/v1/feedbacks/${id}`, credential)).body.data).toEqual({ ...said, status: 'published' })
      expect((await asked(`/v1/feedbacks?storeId=${storeId}&rating=5`, credential)).body.data).toEqual([{ ...said, status: 'published' }])
      expect(JSON.stringify((await asked(`/v1/feedbacks?storeId=${storeId}`, credential)).body)).not.toMatch(/0550|lina@/)
    }
    await ok('PATCH', `/v1/feedbacks/${id}`, { as: agent, body: { status: 'hidden' } })
    expect(outcome(await asked(`/v1/feedbacks/${id}`))).toBe('404 not_found')
  })

  test('are replaced and deleted by those who may', async () => {
    const { id } = (await write({ rating: 4 })).body.data
    const body = { name: 'Lina', text: 'Edited', rating: 3 }
    expect((await ok('PUT', `/v1/feedbacks/${id}`, { as: agent, body })).data).toEqual({
      ...PUBLIC,
      ...body,
      id,
      phone: null,
      email: null,
      orderId: null,
      status: 'pending',
      ...DATES,
    })
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const sent = method === 'DELETE' ? {} : { body }
      expect(outcome(await call(method, `/v1/feedbacks/${id}`, sent))).toBe('401 unauthenticated')
      for (const stranger of [theirs.key, theirs.owner.token])
        expect(outcome(await call(method, `/v1/feedbacks/${id}`, { as: stranger, ...sent }))).toBe('404 not_found')
    }
    expect(outcome(await call('DELETE', `/v1/feedbacks/${id}`, { as: agent }))).toBe('403 forbidden')
    expect((await call('DELETE', `/v1/feedbacks/${id}`, { as })).status).toBe(204)
    expect(outcome(await call('GET', `/v1/feedbacks/${id}`, { as }))).toBe('404 not_found')
  })

  test('are about a product or an order of the store', async () => {
    const { data: product } = await ok('POST', '/v1/products', { as, body: { storeId, name: 'Basket', price: 10 } })
    const { data: foreign } = await ok('POST', '/v1/products', {
      as: theirs.key,
      body: { storeId: theirs.storeId, name: 'Basket', price: 10 },
    })
    const about = (await write({ productId: product.id }, { as })).body.data
    expect(about.productId).toBe(product.id)
    expect((await ok('GET', `/v1/feedbacks?productId=${product.id}`, { as })).data).toMatchObject([{ id: about.id }])
    for (const nothing of [{ productId: foreign.id }, { productId: 'prd_none' }, { orderId: 'ord_none' }])
      expect(outcome(await write(nothing, { as }))).toBe('404 not_found')
    expect(outcome(await call('PATCH', `/v1/feedbacks/${about.id}`, { as, body: { productId: foreign.id } }))).toBe('404 not_found')
  })

  test('are refused where they do not fit', async () => {
    const bad = [{ rating: 0 }, { rating: 6 }, { rating: 4.5 }, { rating: '5' }, { text: '' }, { text: 'x'.repeat(4001) }, { name: '' }]
    for (const part of [...bad, { email: 'nobody' }, { status: 'published' }, { comments: [] }, { colour: 'red' }])
      expect([part, outcome(await write(part, { as }))]).toEqual([part, '400 invalid_request'])
    expect(outcome(await write({ storeId: 'sto_none' }))).toBe('404 not_found')
    expect(outcome(await call('GET', '/v1/feedbacks'))).toBe('400 invalid_request')
    expect(outcome(await call('GET', '/v1/feedbacks?storeId=sto_none'))).toBe('404 not_found')
    expect(outcome(await call('GET', `/v1/feedbacks?storeId=${storeId}&rating=9`))).toBe('400 invalid_request')
  })

  test('come ten an hour from one network to one store, and members write as they like', async () => {
    const busy = await shop()
    const body = { storeId: busy.storeId }
    const headers = { 'idempotency-key': 'said once' }
    const first = await write(body, { headers })
    for (let at = 0; at < 3; at += 1) expect((await write(body, { headers })).body).toEqual(first.body)
    const answers = await Promise.all(Array.from({ length: 14 }, () => write(body)))
    expect(answers.map(outcome).sort()).toEqual([
      ...Array.from({ length: 9 }, () => '201'),
      ...Array.from({ length: 5 }, () => '429 rate_limited'),
    ])
    const late = answers.find(({ status }) => status === 429)
    expect(Number(late?.headers.get('retry-after'))).toBeWithin(1, 3601)
    for (const credential of [busy.key, busy.owner.token]) expect((await write(body, { as: credential })).status).toBe(201)
    expect((await write({ storeId: theirs.storeId })).status).toBe(201)
    expect((await ok('GET', '/v1/feedbacks?limit=100', { as: busy.key })).data).toHaveLength(12)
  })

  test('are told to the webhooks of the store, whole and in the transaction of the write', async () => {
    const { data: endpoint } = await ok('POST', '/v1/webhook-endpoints', {
      as,
      body: { url: 'http://127.0.0.1:9/feedbacks', events: ['parcel.created'] },
    })
    // A store's own webhook, as it is kept.
    await context.sql`update webhook_endpoints set audience = 'store', event_names = '{feedback.created}' where id = ${endpoint.id}`
    const answer = await write({}, { as })
    const { data: feedback } = await ok('GET', `/v1/feedbacks/${answer.body.data.id}`, { as })
    await write({ productId: 'prd_none' }, { as })
    const told = await context.sql<{ body: string }[]>`select body from events where type = 'feedback.created'`
    expect(told.map(({ body }) => JSON.parse(body).data)).toEqual([{ feedback }])
  })
})

describe('comments', () => {
  test('are the store’s, shown with what they answer', async () => {
    const { id } = (await write({}, { as })).body.data
    await ok('PATCH', `/v1/feedbacks/${id}`, { as, body: { status: 'published' } })
    const path = `/v1/feedbacks/${id}/comments`
    const headers = { 'idempotency-key': 'answered once' }
    const answer = await call('POST', path, { as: agent, body: { text: 'Thank you' }, headers })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toEqual({ id: expect.stringMatching(/^com_/), text: 'Thank you', createdAt: expect.any(String) })
    expect((await call('POST', path, { as: agent, body: { text: 'Thank you' }, headers })).body).toEqual(answer.body)
    expect((await ok('GET', `/v1/feedbacks/${id}`)).data.comments).toEqual([answer.body.data])
    expect((await ok('PUT', `/v1/feedbacks/${id}`, { as, body: { name: 'L', text: 't', rating: 1 } })).data.comments).toEqual([
      answer.body.data,
    ])
  })

  test('are refused to who may not, where they do not fit, and past a hundred', async () => {
    const { id } = (await write({}, { as })).body.data
    const path = `/v1/feedbacks/${id}/comments`
    const comment = (credential?: string, body: object = { text: 'Thanks' }, at = path) =>
      call('POST', at, { body, ...(credential && { as: credential }) })
    expect(outcome(await comment())).toBe('401 unauthenticated')
    expect(outcome(await comment(viewer))).toBe('403 forbidden')
    expect(outcome(await comment(theirs.key))).toBe('404 not_found')
    expect(outcome(await comment(as, { text: '' }))).toBe('400 invalid_request')
    expect(outcome(await comment(as, { text: 'x'.repeat(4001) }))).toBe('400 invalid_request')
    expect(outcome(await comment(as, { text: 'x' }, '/v1/feedbacks/fbk_none/comments'))).toBe('404 not_found')
    const answers = []
    for (let at = 0; at < 98; at += 1) await comment(as)
    answers.push(...(await Promise.all(Array.from({ length: 5 }, () => comment(as)))))
    expect(answers.map(outcome).sort()).toEqual(['201', '201', '409 conflict', '409 conflict', '409 conflict'])
  })
})

describe('image generations', () => {
  const ask = (body: object = {}, credential = as) =>
    call('POST', '/v1/image_generations', { as: credential, body: { storeId, prompt: 'a shoe on sand', ...body } })
  const gallery = async () => (await ok('GET', '/v1/image_generations/gallery?limit=100', { as: theirs.owner.token })).data

  test('are for a product of the store', async () => {
    const { data: own } = await ok('POST', '/v1/products', { as, body: { storeId, name: 'Shoe', price: 10 } })
    const { data: foreign } = await ok('POST', '/v1/products', {
      as: theirs.key,
      body: { storeId: theirs.storeId, name: 'Shoe', price: 10 },
    })
    const made = (await ask({ productId: own.id })).body.data
    expect((await ok('GET', `/v1/image_generations?productId=${own.id}`, { as })).data).toMatchObject([{ id: made.id }])
    for (const productId of [foreign.id, 'prd_none']) {
      expect(outcome(await ask({ productId }))).toBe('404 not_found')
      expect(outcome(await call('PATCH', `/v1/image_generations/${made.id}`, { as, body: { productId } }))).toBe('404 not_found')
    }
    expect(outcome(await ask({}, viewer))).toBe('403 forbidden')
    expect(outcome(await ask({}, theirs.key))).toBe('404 not_found')
  })

  test('are in the gallery once they are done and shown, of stores that are there, and do not say whose they are', async () => {
    const closing = await shop()
    const made = [
      (await ask({ name: 'Shoe', published: true })).body.data,
      (await ask({ storeId: closing.storeId, published: true }, closing.key)).body.data,
    ]
    const [hidden, waiting] = [(await ask()).body.data, (await ask({ published: true })).body.data]
    const images = ['https://shop.example/v1/files/fil_1/content']
    await context.sql`update image_generations set status = 'done', images = ${context.sql.json(images)}
      where id = any(${[...made, hidden].map(({ id }) => id)})`
    const shown = { name: 'Shoe', prompt: 'a shoe on sand', aspectRatio: '1:1', images, createdAt: made[0].createdAt, id: made[0].id }
    expect(await gallery()).toEqual([{ ...shown, name: '', createdAt: made[1].createdAt, id: made[1].id }, shown])
    await ok('DELETE', `/v1/stores/${closing.storeId}`, { as: closing.owner.token })
    expect(await gallery()).toEqual([shown])
    await ok('PATCH', `/v1/image_generations/${made[0].id}`, { as, body: { published: false } })
    expect(await gallery()).toEqual([])
    expect(outcome(await call('GET', '/v1/image_generations/gallery'))).toBe('401 unauthenticated')
    expect(outcome(await call('GET', `/v1/image_generations/${waiting.id}`, { as: theirs.key }))).toBe('404 not_found')
  })
})

test("of a tenant that is being deleted: its stores' pages show nothing; a customer can still track an order", async () => {
  const closing = await shop()
  const of = closing.storeId
  const made = async (path: string, body: object) => (await ok('POST', path, { as: closing.key, body: { storeId: of, ...body } })).data
  await made('/v1/pages', { title: 'About', slug: 'about', published: true })
  const product = await made('/v1/products', { name: 'Basket', price: 10, stockKeeping: false, status: 'active' })
  const feedback = await made('/v1/feedbacks', { name: 'Lina', text: 'Fits', rating: 5 })
  await ok('PATCH', `/v1/feedbacks/${feedback.id}`, { as: closing.key, body: { status: 'published' } })
  const picture = await made('/v1/image_generations', { prompt: 'a shoe', published: true })
  await context.sql`update image_generations set status = 'done' where id = ${picture.id}`
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Alger', address: '', deliveryType: 'home' }
  const items = [{ productId: product.id, quantity: 1 }]
  const order = await made('/v1/orders', { customer: { name: 'Lina', phone: '0550123456' }, destination, items })
  const shown = [
    `/v1/pages/view/about?storeId=${of}`,
    `/v1/products?storeId=${of}`,
    `/v1/products/${product.id}`,
    `/v1/feedbacks?storeId=${of}`,
    `/v1/feedbacks/${feedback.id}`,
  ]
  const statuses = async () => Promise.all(shown.map(async (path) => (await call('GET', path)).status))
  const gallery = async () => JSON.stringify(await ok('GET', '/v1/image_generations/gallery?limit=100', { as: theirs.key }))
  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
  expect(await gallery()).toContain(picture.id)
  const { tenantId } = (await ok('GET', `/v1/projects/${closing.projectId}`, { as: closing.owner.token })).data
  await ok('DELETE', `/v1/tenants/${tenantId}`, { as: closing.owner.token })
  expect(await statuses()).toEqual([404, 403, 403, 404, 404])
  expect(await gallery()).not.toContain(picture.id)
  expect((await call('GET', `/v1/orders/${order.id}/track`)).status).toBe(200)
  await ok('PATCH', `/v1/tenants/${tenantId}`, { as: closing.owner.token, body: { deleting: false } })
  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
})
