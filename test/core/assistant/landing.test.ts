import { describe, expect, test } from 'bun:test'
import { failStaleLandingJobs } from '../../../core/assistant/landing/landing.queries.ts'
import { renderPictures, renderSections } from '../../../core/assistant/landing/render.ts'
import { runLandingJob } from '../../../core/assistant/landing/run-job.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const app = await startApp()
const { call, ok } = app
const { sql } = app.context
const admin = await app.person('The administrator')
const shop = await app.shop({ name: 'Dar Salma' })
const other = await app.shop()
const as = shop.owner.token
const { storeId } = shop
const viewer = await app.person('Viewer')
await sql`insert into store_members (store_id, user_id, role) values (${storeId}, ${viewer.id}, 'viewer')`
const sandbox = { enabled: true, credentials: {}, settings: {} }
const product = (await ok('POST', '/v1/products', { as, body: { storeId, name: 'Robe <b>', price: 1500, description: 'Linen.' } })).data
const ask = (action: string, body: object = {}, credential = as) =>
  call('POST', `/v1/actions/${action}`, { as: credential, body: { storeId, productId: product.id, ...body } })
const status = async (jobId: string) =>
  (await ok('GET', `/v1/actions/getAiLandingPageJobStatus?storeId=${storeId}&jobId=${jobId}`, { as })).data
async function ended(jobId: string) {
  await until(async () => ['completed', 'failed'].includes((await status(jobId)).status))
  return status(jobId)
}
const made = async (action: string, body: object = {}) => {
  const answer = await ask(action, body)
  expect(answer.status).toBe(202)
  return ended(answer.body.data.id)
}
const page = async (id: string) => (await ok('GET', `/v1/pages/${id}?storeId=${storeId}`, { as })).data
const given = (fields: object) => `Do this: ${JSON.stringify(fields)}`
const EVIL = '<script>alert(1)</script>'
const sections = [
  { kind: 'hero', title: EVIL, text: 'Soft.', button: 'Buy "now"' },
  { kind: 'questions', items: [{ title: 'Is it <i>linen</i>?', text: 'Yes.' }] },
  { kind: 'offer', text: 'Today.' },
]

test('landing pages: a store without a model is told to connect one, and can use it afterwards', async () => {
  const answer = await ask('generateAiLandingPage')
  expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
  await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox-model`, { as, body: sandbox })
})

describe('a page', () => {
  test('is made as a draft, of sections that our own code writes: nothing of a model is markup, and prices are the shop’s', async () => {
    const job = await made('generateAiLandingPage', { instructions: given({ title: 'The robe', language: 'fr', sections }) })
    expect(job).toMatchObject({
      status: 'completed',
      progress: { done: 2, total: 2 },
      failure: null,
      data: { title: 'The robe', language: 'fr' },
    })
    const { content, published, title } = await page(job.pageId)
    expect([published, title]).toEqual([false, 'The robe'])
    expect(content).not.toContain('<script>')
    expect(content).toContain('&lt;script&gt;')
    expect(content).toContain('1500 DZD')
    expect(content).toContain('Buy &quot;now&quot;')
    expect(content).toContain('lang="fr" dir="ltr"')
    expect(content).toContain('Is it &lt;i&gt;linen&lt;/i&gt;?')
  })

  test('is in the language that was asked for, whatever the model says of its own words', async () => {
    const job = await made('generateAiLandingPage', {
      language: 'ar',
      instructions: given({ title: 'The robe', language: 'fr', sections }),
    })
    expect(job.data.language).toBe('ar')
    expect((await page(job.pageId)).content).toContain('lang="ar" dir="rtl"')
  })

  test('of pictures has as many as were asked for, kept as files of the store, with words for who does not see them', async () => {
    const job = await made('generateImageLandingPage', { pictures: 2 })
    expect(job).toMatchObject({ status: 'completed', progress: { done: 4, total: 4 }, data: null })
    expect(job.pictures).toHaveLength(2)
    const { content } = await page(job.pageId)
    for (const url of job.pictures) expect(content).toContain(`<img src="${url}" alt="`)
    for (const url of job.pictures) expect((await call('GET', new URL(url, 'http://here.invalid').pathname)).status).toBe(200)
  })

  test('with pictures has them in its sections', async () => {
    const job = await made('generateAiLandingPage', { pictures: 1 })
    expect((await page(job.pageId)).content.match(/<img /g)).toHaveLength(1)
  })

  test('says why it could not be made', async () => {
    const job = await made('generateAiLandingPage', { instructions: 'FAIL no' })
    expect(job).toMatchObject({ status: 'failed', pageId: null, failure: expect.any(String) })
  })
})

test('nobody works at a job for hours: it has an end, and its place is free', async () => {
  await sql`insert into landing_jobs (id, project_id, kind, status, product_id, asked, created_at)
    values ('lnd_stale', ${projectIdOf(storeId)}, 'page', 'running', ${product.id}, '{"model":"m","pictureModel":null,"pictures":0}', now() - interval '3 hours')`
  await failStaleLandingJobs(sql, 2, 'It broke off.')
  expect(await status('lnd_stale')).toMatchObject({ status: 'failed', failure: 'It broke off.' })
})

test('the data of a template is answered, and no page is made', async () => {
  const before = (await ok('GET', `/v1/pages?storeId=${storeId}`, { as })).data.length
  const job = await made('generateProductLandingPageTemplateData', { instructions: given({ title: 'T', language: 'ar', sections }) })
  expect(job).toMatchObject({ status: 'completed', pageId: null, data: { productId: product.id, sections } })
  expect((await ok('GET', `/v1/pages?storeId=${storeId}`, { as })).data).toHaveLength(before)
})

describe('a job', () => {
  test('that is taken up twice at once, or again after a kill, makes one page, of the pictures that were drawn by then', async () => {
    const { body } = await ask('generateAiLandingPage', { pictures: 2 })
    const { id } = body.data
    await ended(id)
    const drawn = (await status(id)).pictures
    // As a process left it that died after the first picture.
    await sql`update landing_jobs set status = 'running', finished_at = null, page_id = null, pictures = ${[drawn[0]]} where id = ${id}`
    const count = async () =>
      (await sql<{ n: number }[]>`select count(*)::int as n from pages where project_id = ${projectIdOf(storeId)}`)[0]!.n
    const before = await count()
    const { signal } = new AbortController()
    await Promise.all([runLandingJob(app.context, id, signal), runLandingJob(app.context, id, signal)])
    const job = await status(id)
    expect(job.status).toBe('completed')
    expect(job.pictures[0]).toBe(drawn[0])
    expect(await count()).toBe(before + 1)
    await runLandingJob(app.context, id, signal)
    expect(await count()).toBe(before + 1)
  })

  test('is one for one key', async () => {
    const headers = { 'idempotency-key': 'landing-one' }
    const body = { storeId, productId: product.id }
    const [one, again] = [1, 2].map(() => call('POST', '/v1/actions/generateAiLandingPage', { as, body, headers }))
    const answers = await Promise.all([one!, again!])
    const repeated = await call('POST', '/v1/actions/generateAiLandingPage', { as, body, headers })
    const ids = new Set([...answers, repeated].flatMap(({ status: code, body: { data } }) => (code === 202 ? [data.id] : [])))
    expect(ids.size).toBe(1)
    await ended([...ids][0])
    expect(repeated.status).toBe(202)
    await ok('PATCH', `/v1/stores/${storeId}/integrations/sandbox-model`, { as, body: { enabled: false } })
    expect((await call('POST', '/v1/actions/generateAiLandingPage', { as, body, headers })).body.data.id).toBe([...ids][0])
    expect((await ask('generateAiLandingPage')).status).toBe(409)
    await ok('PATCH', `/v1/stores/${storeId}/integrations/sandbox-model`, { as, body: { enabled: true } })
  })

  test('that is asked for again under its key does not count as another', async () => {
    const body = { storeId: other.storeId, name: 'Lamp', price: 900 }
    const { id: productId } = (await ok('POST', '/v1/products', { as: other.owner.token, body })).data
    await ok('PUT', `/v1/stores/${other.storeId}/integrations/sandbox-model`, { as: other.owner.token, body: sandbox })
    const answer = (key: string) =>
      call('POST', '/v1/actions/generateAiLandingPage', {
        as: other.owner.token,
        body: { storeId: other.storeId, productId },
        headers: { 'idempotency-key': key },
      })
    const first = await answer('one')
    for (let repeat = 0; repeat < 21; repeat += 1) expect((await answer('one')).body).toEqual(first.body)
    expect((await answer('two')).status).toBe(202)
  })

  test('is somebody else’s business for nobody, and a store has few at once', async () => {
    const { body } = await ask('generateAiLandingPage')
    await ended(body.data.id)
    const path = `/v1/actions/getAiLandingPageJobStatus?jobId=${body.data.id}`
    expect((await call('GET', `${path}&storeId=${other.storeId}`, { as: other.owner.token })).status).toBe(404)
    expect((await call('GET', `${path}&storeId=${storeId}`, { as: other.owner.token })).status).toBe(404)
    expect((await call('GET', `${path}&storeId=${storeId}`)).status).toBe(401)
    expect((await call('GET', `${path}&storeId=${storeId}`, { as: viewer.token })).status).toBe(200)
    expect((await ask('generateAiLandingPage', {}, viewer.token)).status).toBe(403)
    expect((await ask('generateAiLandingPage', { productId: 'prd_of_nobody' })).status).toBe(404)
    expect((await ask('generateImageLandingPage', { pictures: 7 })).status).toBe(400)
    await sql`insert into landing_jobs (id, project_id, kind, product_id, asked)
      select 'lnd_' || n, ${projectIdOf(storeId)}, 'page', ${product.id}, '{"model":"m","pictureModel":null,"pictures":0}' from generate_series(1, 5) n`
    const more = await ask('generateAiLandingPage')
    await sql`delete from landing_jobs where id in ('lnd_1', 'lnd_2', 'lnd_3', 'lnd_4', 'lnd_5')`
    expect([more.status, more.body.error.code]).toEqual([422, 'limit_reached'])
  })
})

describe('a change in words', () => {
  const data = { productId: product.id, title: 'T', language: 'fr', sections }
  const edit = (body: object, credential = as) =>
    call('POST', '/v1/actions/editTemplatePageUsingAi', { as: credential, body: { storeId, ...body } })
  const instruction = given({ title: 'Better', language: 'fr', sections })

  test('of a template is shown, then made; one of the platform or of others is none', async () => {
    const template = (await ok('POST', '/v1/product_landing_page_templates', { as, body: { storeId, name: 'Mine', data } })).data
    const shown = await edit({ id: template.id, instruction })
    expect(shown.body.data).toMatchObject({ applied: false, changes: [{ field: 'title', before: 'T', after: 'Better' }] })
    const read = async () => (await ok('GET', `/v1/product_landing_page_templates/${template.id}?storeId=${storeId}`, { as })).data.data
    expect((await read()).title).toBe('T')
    expect((await edit({ id: template.id, instruction, apply: true })).body.data.applied).toBe(true)
    expect(await read()).toMatchObject({ title: 'Better', productId: product.id })
    expect((await edit({ storeId: other.storeId, id: template.id, instruction }, other.owner.token)).status).toBe(404)
    await sql`update product_landing_page_templates set project_id = '' where id = ${template.id}`
    expect((await edit({ id: template.id, instruction })).status).toBe(404)
    const free = (await ok('POST', '/v1/templates', { as, body: { storeId, name: 'Free', data: { any: 'thing' } } })).data
    expect((await edit({ id: free.id, instruction })).body.error.code).toBe('conflict')
    expect((await edit({ instruction })).status).toBe(400)
  })

  test('of a page writes it anew, unless somebody changed it by hand', async () => {
    const { body } = await ask('generateAiLandingPage', { instructions: given({ title: 'T', language: 'fr', sections }) })
    if (body.error) throw new Error(body.error.message)
    const { pageId } = await ended(body.data.id)
    expect((await edit({ id: pageId, instruction, apply: true })).body.data.applied).toBe(true)
    expect(await page(pageId)).toMatchObject({ title: 'Better', content: expect.stringContaining('<h1>Better</h1>') })
    await ok('PATCH', `/v1/pages/${pageId}?storeId=${storeId}`, { as, body: { content: '<p>mine</p>' } })
    const refused = await edit({ id: pageId, instruction })
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('by hand')])
  })
})

test('no word of anybody is markup, and no address but of a picture on the web', () => {
  const words = { title: EVIL, language: 'ar' as const, sections: [{ kind: 'gallery' as const, title: EVIL, text: EVIL, items: [] }] }
  const facts = {
    name: '"><script>',
    price: EVIL,
    images: ['javascript:alert(1)', 'https://x.example/a.png" onerror="x', 'https://x.example/a.png'],
    generatedImages: [],
  }
  const html = renderSections(words, facts) + renderPictures(EVIL, 'ar', [{ url: 'data:text/html,x', alt: EVIL }])
  expect(html).not.toContain('<script')
  expect(html).not.toContain('javascript:')
  expect(html).not.toContain('data:text')
  expect(html.match(/<img /g)).toHaveLength(1)
  expect(html).toContain('dir="rtl"')
})

test('pictures of pages that are refused, since too many are being made, are not counted', async () => {
  await ok('PUT', '/v1/platform/integrations/sandbox-model', { as: admin.token, body: sandbox })
  const { owner, storeId: poor } = other
  const { id: productId } = (await ok('POST', '/v1/products', { as: owner.token, body: { storeId: poor, name: 'Robe', price: 1 } })).data
  await sql`insert into landing_jobs (project_id, id, kind, product_id, asked)
    select ${projectIdOf(poor)}, 'lnd_' || n, 'template', ${productId}, ${sql.json({ model: 'none', pictureModel: null, pictures: 0 })} from generate_series(1, 5) n`
  const draw = () => ask('generateImageLandingPage', { storeId: poor, productId, pictures: 6 }, owner.token)
  for (let at = 0; at < 11; at += 1) {
    const { status, body } = await draw()
    expect([status, body.error?.code]).toEqual([422, 'limit_reached'])
  }
  await sql`delete from landing_jobs where project_id = ${projectIdOf(poor)}`
  const answer = await draw()
  expect(answer.status).toBe(202)
  await until(async () => {
    const [job] = await sql<{ status: string }[]>`select status from landing_jobs where id = ${answer.body.data.id}`
    return job?.status === 'completed' || job?.status === 'failed'
  })
})
