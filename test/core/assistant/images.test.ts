import { expect, test } from 'bun:test'
import { drawGeneration, sizeOf } from '../../../core/assistant/images/generate-images.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'
import { connectModels } from './tasks-support.ts'

const app = await startApp()
const { call, ok, context } = app
const admin = await app.person('The administrator')
const main = await app.shop()
const other = await app.shop()
const as = main.owner.token

const make = async (prompt: string, more: object = {}): Promise<string> =>
  (await ok('POST', '/v1/image_generations', { as, body: { storeId: main.storeId, prompt, ...more } })).data.id
const read = async (id: string) => (await ok('GET', `/v1/image_generations/${id}`, { as })).data
const generate = (id: string, body?: object, key = as) =>
  call('POST', `/v1/image_generations/${id}/generate`, { as: key, ...(body && { body }) })
async function ended(id: string) {
  await until(async () => ['done', 'failed'].includes((await read(id)).status))
  return read(id)
}

test('pictures: a store without a model is told to connect one', async () => {
  expect((await generate(await make('a lamp'))).body.error.code).toBe('conflict')
  await connectModels(ok, admin.token)
})

test('pictures: a picture has the requested shape, is stored as a file of the store, and is served', async () => {
  const id = await make('a brass lamp', { aspectRatio: '16:9', published: true, negativePrompt: 'people' })
  const { status, body } = await generate(id, { count: 2 })
  expect([status, body.data]).toEqual([202, { id, status: 'queued', images: [], failure: null }])
  const done = await ended(id)
  expect([done.status, done.images.length, done.failure]).toEqual(['done', 2, null])
  const { data: files } = await ok('GET', `/v1/files?storeId=${main.storeId}`, { as })
  expect(files.map(({ url, width, height }: { url: string; width: number; height: number }) => [url, width, height]).toSorted()).toEqual(
    done.images.map((url: string) => [url, 144, 96]).toSorted(),
  )
  const { data: gallery } = await ok('GET', '/v1/image_generations/gallery', { as: other.owner.token })
  expect(gallery[0]).toMatchObject({ id, images: done.images })
  expect(['1:1', '9:16', '4:3'].map(sizeOf)).toEqual(['square', 'portrait', 'landscape'])
})

test('pictures: a refused picture says why, and can be requested again', async () => {
  const id = await make('FAIL not this')
  await generate(id, { model: 'sandbox-model/painter' })
  expect(await ended(id)).toMatchObject({ status: 'failed', failure: 'Sandbox model: not this', images: [] })
  await ok('PATCH', `/v1/image_generations/${id}`, { as, body: { prompt: 'this' } })
  expect((await generate(id)).status).toBe(202)
  expect((await ended(id)).status).toBe('done')
})

test('pictures: eight requests at once make one picture; with one idempotency key all get the same answer', async () => {
  const id = await make('many')
  const answers = await Promise.all(Array.from({ length: 8 }, () => generate(id)))
  expect(answers.map(({ status }) => status).filter((status) => status === 202).length).toBeGreaterThanOrEqual(1)
  expect(answers.filter(({ status }) => status !== 202).every(({ body }) => body.error.code === 'invalid_transition')).toBe(true)
  await ended(id)
  const headers = { 'idempotency-key': 'draw-once' }
  const again = () => call('POST', `/v1/image_generations/${id}/generate`, { as, body: {}, headers })
  const first = await again()
  await ended(id)
  const second = await again()
  expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([202, first.body, 'true'])
})

test('a repeat under a key is answered as before, without a model too, and counts no pictures', async () => {
  const id = await make('kept')
  const again = (key: string) =>
    call('POST', `/v1/image_generations/${id}/generate`, { as, body: { count: 4 }, headers: { 'idempotency-key': key } })
  const first = await again('kept')
  expect(first.status).toBe(202)
  await ended(id)
  for (let repeat = 0; repeat < 16; repeat += 1) expect((await again('kept')).status).toBe(202)
  expect((await again('another')).status).toBe(202)
  await ended(id)
  await ok('PATCH', '/v1/platform/integrations/sandbox-model', { as: admin.token, body: { enabled: false } })
  const last = await again('kept')
  await ok('PATCH', '/v1/platform/integrations/sandbox-model', { as: admin.token, body: { enabled: true } })
  expect([last.status, last.body, last.headers.get('idempotent-replayed')]).toEqual([202, first.body, 'true'])
})

test('pictures: a request that is refused because one is being made does not count against the limit', async () => {
  const id = await make('busy')
  await context.sql`update image_generations set status = 'running' where id = ${id}`
  for (let repeat = 0; repeat < 16; repeat += 1) expect((await generate(id, { count: 4 })).body.error.code).toBe('invalid_transition')
  await context.sql`update image_generations set status = 'draft' where id = ${id}`
  expect((await generate(id)).status).toBe(202)
  await ended(id)
})

test('pictures: a picture whose process died is not made again by itself', async () => {
  const id = await make('left')
  await context.sql`update image_generations set status = 'running' where id = ${id}`
  await drawGeneration(context, { generationId: id, model: 'sandbox-model/painter' }, new AbortController().signal)
  expect(await read(id)).toMatchObject({ status: 'failed', failure: 'It was begun and broke off. Ask for it again.', images: [] })
})

test('pictures: deleting one while it is made leaves no files behind', async () => {
  const id = await make('gone')
  const count = async () =>
    (await context.sql`select 1 from files where project_id = ${projectIdOf(main.storeId)} and owner = 'store'`).length
  const before = await count()
  const { storage: keeping } = context.files
  const put = keeping.put.bind(keeping)
  Object.assign(keeping, {
    put: async (...given: Parameters<typeof put>) => {
      await call('DELETE', `/v1/image_generations/${id}`, { as })
      return put(...given)
    },
  })
  await context.sql`update image_generations set status = 'queued' where id = ${id}`
  await drawGeneration(context, { generationId: id, model: 'sandbox-model/painter' }, new AbortController().signal)
  Object.assign(keeping, { put })
  expect((await call('GET', `/v1/image_generations/${id}`, { as })).status).toBe(404)
  expect(await count()).toBe(before)
})

test('a caller without the right is refused', async () => {
  const id = await make('mine')
  expect((await generate(id, {}, other.owner.token)).status).toBeOneOf([403, 404])
  expect((await call('POST', `/v1/image_generations/${id}/generate`)).status).toBe(401)
  expect((await generate('img_none')).status).toBe(404)
  expect((await generate(id, { count: 9 })).status).toBe(400)
  expect((await generate(id, { model: 'sandbox-model/writer' })).status).toBe(404)
})
