import { expect, test } from 'bun:test'
import { readConfig } from '../../../core/config.ts'
import { parseS3Url, s3Store } from '../../../core/platform/files/storage/s3.ts'
import { sweepUnusedBytes } from '../../../core/platform/files/sweep.ts'
import { startApp } from '../../support/app.ts'
import { s3Server } from '../../support/s3.ts'
import { until } from '../../support/until.ts'
import { jpegOf, upload } from '../../support/uploads.ts'

const store = s3Server()
const app = await startApp({ filesS3Url: store.url })
const { context, call, ok, shop, handle } = app
const mine = await shop()
const content = (id: string, more = '') => handle(new Request(`http://localhost/v1/files/${id}/content${more}`))
const keyOf = (n: string) => `${mine.storeId}/fil_${n.repeat(36)}`

test('files lie in the bucket, are shown from there, and go from there', async () => {
  const { data } = (await upload(app, mine.key, await jpegOf(500, 300))).body
  const key = `${mine.storeId}/${data.id}`
  expect(store.objects.get(key)).toMatchObject({ type: 'image/jpeg' })
  const shown = await content(data.id)
  expect([shown.status, shown.headers.get('content-type'), (await shown.bytes()).length]).toEqual([200, 'image/jpeg', data.bytes])
  const small = await content(data.id, '?w=160')
  expect((await small.bytes()).length).toBeLessThan(data.bytes)
  // Drawn once: the bucket is not asked again.
  const before = store.asked.length
  expect((await content(data.id, '?w=160')).status).toBe(200)
  expect(store.asked.length).toBe(before)
  expect((await call('DELETE', `/v1/files/${data.id}`, { as: mine.key })).status).toBe(204)
  await until(() => !store.objects.has(key))
})

test('a large file goes through whole', async () => {
  const csv = 'a;b\n'.repeat(4_000_000)
  const { data } = (await upload(app, mine.key, csv, { name: 'large.csv' })).body
  const shown = await (await content(data.id)).text()
  expect(shown === csv).toBe(true)
  const piece = await app.handle(
    new Request(`http://localhost/v1/files/${data.id}/content`, { headers: { range: 'bytes=4000002-4000008' } }),
  )
  expect([piece.status, piece.headers.get('content-range'), await piece.text()]).toEqual([
    206,
    'bytes 4000002-4000008/16000000',
    'b\na;b\na',
  ])
}, 120_000)

test('while the store is away nothing is half done, and it is said so', async () => {
  const { data } = (await upload(app, mine.key, await jpegOf(500, 300))).body
  store.faults.isAway = true
  const refused = await upload(app, mine.key, await jpegOf(40, 40))
  expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable'])
  for (const more of ['', '?w=160']) expect((await content(data.id, more)).status).toBe(503)
  store.faults.isAway = false
  expect((await content(data.id)).status).toBe(200)
  expect((await ok('GET', `/v1/files?storeId=${mine.storeId}`, { as: mine.key })).data[0].id).toBe(data.id)
}, 120_000)

test('a key that is not ours is let in nowhere', async () => {
  const other = s3Store(store.wrongUrl)
  await expect(other.put(keyOf('1'), new Uint8Array([1]), 'text/csv')).rejects.toThrow('cannot be reached')
  expect(store.objects.has(keyOf('1'))).toBe(false)
  expect(await context.files.storage.read(keyOf('2'))).toBeNull()
  expect(await context.files.storage.open(keyOf('2'))).toBeNull()
  await context.files.storage.remove(keyOf('2'))
  await expect((async () => context.files.storage.read('../other/bucket'))()).rejects.toThrow('no key')
})

test('the sweep goes through all pages of the bucket', async () => {
  for (const n of ['3', '4', '5', '6', '7']) {
    await context.files.storage.put(keyOf(n), new Uint8Array([1]), 'text/csv')
    store.objects.get(keyOf(n))!.at = n === '7' ? Date.now() : 1
  }
  store.objects.set('of/somebody-else', { bytes: new Uint8Array([1]), type: '', at: 1 })
  await sweepUnusedBytes(context, new AbortController().signal)
  expect(['3', '4', '5', '6', '7'].map((n) => store.objects.has(keyOf(n)))).toEqual([false, false, false, false, true])
  expect(store.objects.has('of/somebody-else')).toBe(true)
})

test('its address is checked at the start, and its secret is not told', () => {
  expect(parseS3Url('https://id:a%2Fb@files.example:9000/my-bucket?region=eu-1')).toEqual({
    endpoint: 'https://files.example:9000',
    bucket: 'my-bucket',
    accessKeyId: 'id',
    secretAccessKey: 'a/b',
    region: 'eu-1',
  })
  for (const wrong of [
    'https://files.example/bucket',
    'ftp://id:hush@files.example/bucket',
    'https://id:hush@files.example/',
    'https://id:hush@files.example/a/b',
  ])
    expect([wrong, thrown(() => readConfig({ FILES_S3_URL: wrong }))]).toEqual([
      wrong,
      expect.stringMatching(/^FILES_S3_URL must be(?!.*hush)/s),
    ])
  expect(thrown(() => parseS3Url('https://id:hush@files.example:99999/bucket'))).toMatch(/^FILES_S3_URL must be(?!.*hush)/s)
})

const thrown = (work: () => unknown): string => {
  try {
    work()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
