import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { detectKind } from '../../../core/platform/files/kinds.ts'
import { openResizedPictures } from '../../../core/platform/files/resized-pictures.ts'
import { deleteUnusedUnder, sweepUnusedBytes } from '../../../core/platform/files/sweep.ts'
import { parseMultipart } from '../../../core/shop/uploads/parse-multipart.ts'
import { startApp } from '../../support/app.ts'
import { byTheClock } from '../../support/clock.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'
import { formOf, jpegOf, pngOf, upload } from '../../support/uploads.ts'

const app = await startApp({ filesMbPerOwner: 3, publicUrl: 'https://shop.example' }, { socket: true })
const { context, call, ok, shop, person, origin } = app
const { sql, config } = context
await person('The administrator')
const mine = await shop()
const query = `?storeId=${mine.storeId}`
const put = (bytes: Uint8Array | string, name?: string, more: { query?: string; headers?: Record<string, string>; as?: string } = {}) =>
  upload(app, more.as ?? mine.owner.token, bytes, { query, ...(name && { name }), ...more })
const content = (id: string, more = '', headers: Record<string, string> = {}) =>
  fetch(`${origin}/v1/files/${id}/content${more}`, { headers })
const onDisk = async () =>
  (await readdir(join(config.dataDir, 'files'), { recursive: true }).catch(() => [])).filter((name) => name.includes('fil_'))
const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) => `${status} ${body?.error?.code ?? ''}`.trim()
/** Says for how many milliseconds nothing else came to its turn, at most. */
function heldUp(): () => number {
  let [worst, last] = [0, performance.now()]
  const beat = setInterval(() => {
    worst = Math.max(worst, performance.now() - last)
    last = performance.now()
  }, 1)
  return () => {
    clearInterval(beat)
    return Math.max(worst, performance.now() - last)
  }
}
const PDF = '%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n'
const signal = new AbortController().signal

describe('some bytes of a file', () => {
  const cases = [
    ['bytes=0-3', 206, 0, 4],
    ['bytes=2-2', 206, 2, 3],
    ['bytes=-5', 206, -5, undefined],
    ['bytes=7-', 206, 7, undefined],
    ['bytes=7-99999999', 206, 7, undefined],
    // Several at once, another unit, and what is no range: all of it, as to who asks for nothing.
    ['bytes=0-1,4-5', 200, 0, undefined],
    ['lines=0-1', 200, 0, undefined],
    ['nonsense', 200, 0, undefined],
    ['', 200, 0, undefined],
  ] as const

  for (const [size, what] of [
    [400, 'small'],
    [150_000, 'large, which is read piece by piece'],
  ] as const)
    test(`of one that is ${what}`, async () => {
      const text = Array.from({ length: size }, (_, line) => `${line};a\n`).join('')
      const { data } = (await put(text, 'rows.csv')).body
      for (const [range, status, from, to] of cases) {
        const shown = await content(data.id, '', { range })
        const expected = text.slice(from, to)
        expect([range, shown.status, shown.headers.get('accept-ranges')]).toEqual([range, status, 'bytes'])
        expect((await shown.text()) === expected).toBe(true)
        const first = text.length - expected.length - (to === undefined ? 0 : text.length - to)
        expect(shown.headers.get('content-range')).toBe(
          status === 206 ? `bytes ${first}-${first + expected.length - 1}/${text.length}` : null,
        )
      }
      const beyond = await content(data.id, '', { range: `bytes=${text.length}-` })
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${text.length}`])
      expect(((await beyond.json()) as { error: { code: string } }).error.code).toBe('range_not_satisfiable')

      const etag = (await content(data.id)).headers.get('etag')!
      const ifRange = async (value: string) => (await content(data.id, '', { range: 'bytes=0-1', 'if-range': value })).status
      expect([await ifRange(etag), await ifRange('"another"'), await ifRange(`W/${etag}`)]).toEqual([206, 200, 200])
      expect((await content(data.id, '', { range: 'bytes=0-1', 'if-none-match': etag })).status).toBe(304)
      await ok('DELETE', `/v1/files/${data.id}`, { as: mine.key })
    })
})

describe('a picture', () => {
  test('is turned upright, loses its location data, and is served to every reader who knows its address', async () => {
    const { status, body } = await put(await jpegOf(400, 200, 6), 'C:\\photos\\Été "2026".jpg')
    expect(status).toBe(201)
    const { id, url } = body.data
    expect(body.data).toMatchObject({ storeId: mine.storeId, name: 'Été "2026".jpg', contentType: 'image/jpeg', width: 200, height: 400 })
    expect(id).toMatch(/^fil_[0-9a-z]{36}$/)
    expect(url).toBe(`https://shop.example/v1/files/${id}/content`)
    expect((await ok('GET', `/v1/files/${id}`, { as: mine.key })).data).toEqual(body.data)

    const shown = await content(id)
    const bytes = await shown.bytes()
    expect([shown.status, bytes.length]).toEqual([200, body.data.bytes])
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': "inline; filename*=UTF-8''%C3%89t%C3%A9%20%222026%22.jpg",
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const found = await sharp(bytes).metadata()
    expect([found.exif, found.orientation, found.width, found.height]).toEqual([undefined, undefined, 200, 400])
    expect(Buffer.from(bytes).includes('Secret Camera')).toBe(false)

    const etag = shown.headers.get('etag')!
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const again = await content(id, '', { 'if-none-match': known })
      expect([again.status, await again.text(), again.headers.get('etag'), again.headers.get('cache-control')]).toEqual([
        304,
        '',
        etag,
        shown.headers.get('cache-control'),
      ])
    }
  })

  test('of each kind comes as what it is, whatever its name says', async () => {
    const plain = sharp({ create: { width: 40, height: 30, channels: 3, background: '#fff' } })
    const kinds = [
      [await pngOf(40, 30), 'image/png'],
      [await plain.clone().webp().toBuffer(), 'image/webp'],
      [await plain.clone().gif().toBuffer(), 'image/gif'],
      [await plain.clone().avif({ effort: 0 }).toBuffer(), 'image/webp'],
    ] as const
    for (const [bytes, contentType] of kinds)
      expect((await put(bytes, 'x.exe')).body.data).toMatchObject({ contentType, width: 40, height: 30 })
  })

  test('that moves goes on moving', async () => {
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map((background) =>
        sharp({ create: { width: 300, height: 200, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    const { data } = (await put(gif)).body
    expect(data).toMatchObject({ contentType: 'image/gif', width: 300, height: 200 })
    const small = await sharp(await (await content(data.id, '?w=160')).bytes(), { animated: true }).metadata()
    expect([small.pages, small.width]).toEqual([3, 160])
  })

  test('is shown in other widths, each drawn once', async () => {
    const { data } = (await put(await jpegOf(700, 350))).body
    const answers = await Promise.all(Array.from({ length: 6 }, () => content(data.id, '?w=300')))
    expect((await sharp(await answers[0]!.bytes()).metadata()).width).toBe(320)
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
    expect(answers[0]!.headers.get('etag')).not.toBe((await content(data.id)).headers.get('etag'))
    const drawn = join(config.dataDir, 'file-sizes')
    expect((await readdir(drawn)).filter((name) => name.startsWith(data.id))).toEqual([`${data.id}-320`])
    // What would be no smaller is the picture itself.
    expect((await sharp(await (await content(data.id, '?w=960')).bytes()).metadata()).width).toBe(700)
    for (const wrong of ['?w=9', '?w=100000', '?w=x', '?w=']) expect((await content(data.id, wrong)).status).toBe(400)
  })

  test('that is broken, or claims to be larger than can be, is refused', async () => {
    const whole = await jpegOf(300, 300)
    expect(outcome(await put(whole.subarray(0, 400)))).toBe('422 file_unreadable')
    // Nine thousand pixels square, of one colour, in a few kilobytes.
    const bomb = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#000' }, limitInputPixels: false })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(400_000)
    expect(outcome(await put(bomb))).toBe('413 payload_too_large')
  })
})

describe('other files', () => {
  test('are what their bytes say, and are saved, not shown', async () => {
    const pdf = (await put(PDF, 'facture.pdf')).body.data
    expect(pdf).toMatchObject({ contentType: 'application/pdf', width: null, height: null, bytes: PDF.length })
    const shown = await content(pdf.id)
    expect([await shown.text(), shown.headers.get('content-type'), shown.headers.get('content-disposition')]).toEqual([
      PDF,
      'application/pdf',
      "attachment; filename*=UTF-8''facture.pdf",
    ])
    expect((await content(pdf.id, '?w=320')).status).toBe(400)
    const csv = (await put('Référence;Prix\nA;1\n', 'prix.CSV')).body.data
    expect((await content(csv.id)).headers.get('content-type')).toBe('text/csv')
  })

  test.each([
    ['a drawing that can run', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'x.svg'],
    ['a page', '<!doctype html><script>1</script>', 'x.jpg'],
    ['a page that calls itself a table, with a NUL', 'a;b\u0000<script>', 'x.csv'],
    ['a program', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), 'x.png'],
    ['a document without its end', '%PDF-1.7\n', 'x.pdf'],
    ['a picture of TIFF', new Uint8Array([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]), 'x.tiff'],
  ] as const)('%s is not taken', async (_, bytes, name) => {
    expect(outcome(await put(bytes as string, name))).toBe('415 unsupported_media_type')
  })

  test('a beginning alone does not make a kind', async () => {
    expect(await detectKind(new Uint8Array(), 'x.csv')).toBe('csv')
    for (const text of ['RIFF0000WAVE', 'GIF88a', '%PDF-9', 'xxxxftypmp42'])
      expect(await detectKind(new TextEncoder().encode(text), 'x')).toBeNull()
  })
})

describe('a form', () => {
  test('holds one file, of at most 20 MiB, and nothing else', async () => {
    const as = mine.owner.token
    const more = new FormData()
    more.append('folder', 'x')
    expect(outcome(await upload(app, as, PDF, { query, form: more }))).toBe('400 invalid_request')
    const two = new FormData()
    two.append('file', new File([PDF], 'one.pdf'))
    expect(outcome(await upload(app, as, PDF, { query, form: two }))).toBe('400 invalid_request')
    expect(outcome(await put('', 'x.csv'))).toBe('400 invalid_request')
    expect(outcome(await call('POST', `/v1/files${query}`, { as, body: {} }))).toBe('415 unsupported_media_type')
    expect(
      outcome(await call('POST', `/v1/files${query}`, { as, raw: 'x', headers: { 'content-type': 'multipart/form-data; boundary=y' } })),
    ).toBe('400 invalid_request')
    expect(outcome(await put(new Uint8Array(20 * 1024 * 1024 + 1), 'x.csv'))).toBe('413 payload_too_large')
  })

  test('of 20 MiB is read and looked through without holding others up', byTheClock, async () => {
    const { raw, type } = await formOf(new Uint8Array(20 * 1024 * 1024 - 10).fill(0x61), 'big.csv')
    const held: number[] = []
    // Other work on this machine may hold it up as well: the best of some counts.
    for (let tries = 0; tries < 5; tries += 1) {
      const watch = heldUp()
      await Bun.sleep(1)
      const [part] = parseMultipart(raw, type)!
      expect([part!.fileName, part!.bytes.length, await detectKind(part!.bytes, 'big.csv')]).toEqual([
        'big.csv',
        20 * 1024 * 1024 - 10,
        'csv',
      ])
      await Bun.sleep(1)
      held.push(watch())
    }
    expect(Math.min(...held)).toBeLessThan(50)
    expect(outcome(await call('POST', `/v1/files${query}`, { as: mine.owner.token, raw, headers: { 'content-type': type } }))).toBe(
      '422 limit_reached',
    )
  })

  test('is read as every other program reads it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string(), fc.uint8Array({ maxLength: 300 })), { minLength: 1, maxLength: 4 }),
        async (files) => {
          const form = new FormData()
          for (const [name, bytes] of files)
            form.append('file', new File([bytes as Uint8Array<ArrayBuffer>, '\r\n--', '\r\n\r\n--x'], `${name}.csv`))
          form.append('note', 'a text')
          const encoded = new Response(form)
          const type = encoded.headers.get('content-type')!
          const raw = await encoded.bytes()
          const parts = parseMultipart(raw, type)!
          const theirs = (await new Response(raw, { headers: { 'content-type': type } }).formData()).getAll('file') as File[]
          expect(parts.map(({ name, fileName }) => [name, fileName === null])).toEqual([
            ...files.map(() => ['file', false]),
            ['note', true],
          ])
          for (const [at, file] of theirs.entries())
            expect(Buffer.from(parts[at]!.bytes).equals(Buffer.from(await file.arrayBuffer()))).toBe(true)
          for (const cut of [1, 3, raw.length >> 1]) expect(parseMultipart(raw.subarray(0, raw.length - cut - 3), type)).toBeNull()
        },
      ),
      { seed: 20_261_127, numRuns: 50 },
    )
    const odd = (text: string, type = 'multipart/form-data; boundary=b') => parseMultipart(new TextEncoder().encode(text), type)
    expect(odd('--b\r\nContent-Disposition: form-data; name=file; filename="a\\"b.csv"\r\n\r\nx\r\n--b--')).toMatchObject([
      { name: 'file', fileName: 'a"b.csv' },
    ])
    for (const text of [
      '',
      '--b',
      '--b--x',
      '--b\r\n\r\nx\r\n--b--',
      'x--b\r\n',
      '--b\r\nContent-Disposition: attachment\r\n\r\nx\r\n--b--',
    ].filter((each) => each !== '--b--x'))
      expect([text, odd(text)]).toEqual([text, null])
    expect(odd('--\r\n', 'multipart/form-data')).toBeNull()
    expect(odd('--b\r\nContent-Disposition: form-data; name=x\r\n\r\nx\r\n'.repeat(25))).toBeNull()
  })

  test('sent twice under one key makes one file, and leaves no bytes beside it', async () => {
    const before = (await onDisk()).length
    const headers = { 'idempotency-key': 'one picture' }
    const picture = await pngOf(50, 50)
    const first = await put(picture, 'a.png', { headers })
    const again = await put(picture, 'a.png', { headers })
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body])
    expect(outcome(await put(picture, 'b.png', { headers }))).toBe('422 idempotency_key_reused')
    expect((await onDisk()).length).toBe(before + 1)
  })
})

describe('whose it is', () => {
  test("a user's file is theirs alone; a key's file belongs to its store", async () => {
    const [someone, other] = [await person('Someone'), await person('Other')]
    const own = (await upload(app, someone.token, PDF, { name: 'own.pdf' })).body.data
    expect(own.storeId).toBeNull()
    expect((await ok('GET', '/v1/files', { as: someone.token })).data.map(({ id }: { id: string }) => id)).toEqual([own.id])
    for (const as of [other.token, mine.owner.token, mine.key])
      for (const method of ['GET', 'DELETE']) expect(outcome(await call(method, `/v1/files/${own.id}`, { as }))).toBe('404 not_found')
    const ofKey = (await upload(app, mine.key, PDF)).body.data
    expect(ofKey.storeId).toBe(mine.storeId)
    expect(outcome(await call('GET', `/v1/files/${ofKey.id}`, { as: someone.token }))).toBe('404 not_found')
    expect(outcome(await upload(app, someone.token, PDF, { query }))).toBe('404 not_found')
    expect((await ok('GET', '/v1/files', { as: mine.key })).data[0].id).toBe(ofKey.id)
  })

  test('a list is read page by page, newest first', async () => {
    const { storeId, key } = await shop()
    const ids: string[] = []
    for (let at = 0; at < 3; at += 1) ids.unshift((await upload(app, key, `${PDF}${at}\n%%EOF`)).body.data.id)
    const first = await ok('GET', `/v1/files?storeId=${storeId}&limit=2`, { as: key })
    const rest = await ok('GET', `/v1/files?storeId=${storeId}&limit=2&cursor=${first.nextCursor}`, { as: key })
    expect([...first.data, ...rest.data].map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(rest.nextCursor).toBeNull()
  })
})

test('one store keeps no more than its share, however many are sent at once', async () => {
  const { key, storeId } = await shop()
  const big = (at: number) => `${'x;y\n'.repeat(300_000)}${at}`
  const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => upload(app, key, big(at), { name: 'x.csv' })))
  expect(answers.map(outcome).toSorted()).toEqual(['201', '201', '422 limit_reached', '422 limit_reached', '422 limit_reached'])
  expect((await onDisk()).filter((path) => path.startsWith(storeId))).toHaveLength(2)
}, 120_000)

test('a large file is streamed in pieces, and a reader who disconnects disturbs no other', async () => {
  const { key } = await shop()
  const csv = 'référence;prix\n'.repeat(150_000)
  const { data } = (await upload(app, key, csv, { name: 'large.csv' })).body
  expect((await (await content(data.id)).text()) === csv).toBe(true)
  const leaving = new AbortController()
  const answer = await fetch(`${origin}/v1/files/${data.id}/content`, { signal: leaving.signal })
  await answer.body!.getReader().read()
  leaving.abort()
  expect((await (await content(data.id)).text()).length).toBe(csv.length)
})

test('what is deleted is gone, its bytes a moment later', async () => {
  const { data } = (await put(await jpegOf(700, 350))).body
  await content(data.id, '?w=320')
  const bytes = join(config.dataDir, 'files', mine.storeId, data.id)
  expect([existsSync(bytes), existsSync(join(config.dataDir, 'file-sizes', `${data.id}-320`))]).toEqual([true, true])
  expect((await call('DELETE', `/v1/files/${data.id}`, { as: mine.key })).status).toBe(204)
  expect(outcome(await call('DELETE', `/v1/files/${data.id}`, { as: mine.key }))).toBe('404 not_found')
  expect((await content(data.id)).status).toBe(404)
  await until(() => !existsSync(bytes) && !existsSync(join(config.dataDir, 'file-sizes', `${data.id}-320`)))
})

test('with a store its files go, and none comes after', async () => {
  const leaving = await shop()
  const { data } = (await upload(app, leaving.key, await pngOf(20, 20))).body
  expect((await call('DELETE', `/v1/stores/${leaving.storeId}`, { as: leaving.owner.token })).status).toBe(204)
  expect((await content(data.id)).status).toBe(404)
  await until(async () => (await onDisk()).every((path) => !path.startsWith(leaving.storeId)))
  expect(await sql`select 1 from files where project_id = ${projectIdOf(leaving.storeId)} and owner = 'store'`).toHaveLength(0)
})

test('bytes without a row are found a day later, and nothing else is touched', async () => {
  const { data } = (await put(PDF, 'kept.pdf')).body
  const key = (n: string) => `${mine.storeId}/fil_${n.repeat(36)}`
  for (const n of ['1', '2']) await context.files.storage.put(key(n), new Uint8Array([1]), '')
  const pathOf = (of: string) => join(config.dataDir, 'files', of)
  await utimes(pathOf(key('1')), 1, 1)
  await utimes(pathOf(`${mine.storeId}/${data.id}`), 1, 1)
  await Bun.write(pathOf(`${mine.storeId}/notes.txt`), 'of somebody else')
  await sweepUnusedBytes(context, signal)
  expect([key('1'), key('2'), `${mine.storeId}/${data.id}`, `${mine.storeId}/notes.txt`].map((each) => existsSync(pathOf(each)))).toEqual([
    false,
    true,
    true,
    true,
  ])
  await Bun.sleep(5)
  await deleteUnusedUnder(context, `${mine.storeId}/`, signal)
  expect([existsSync(pathOf(key('2'))), existsSync(pathOf(`${mine.storeId}/${data.id}`))]).toEqual([false, true])
})

test('what is drawn takes up no more than its room', async () => {
  const folder = await scratchFolder()
  const sizes = openResizedPictures(folder, 40_000)
  const noise = await sharp({
    create: { width: 400, height: 400, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .jpeg()
    .toBuffer()
  for (let at = 0; at < 12; at += 1) {
    const drawn = await sizes.getResized({ id: `fil_${at}`, contentType: 'image/jpeg' }, 160, 'me', async () => noise)
    expect(drawn!.length).toBeGreaterThan(1_000)
  }
  const kept = await readdir(folder)
  const total = kept.reduce((sum, name) => sum + Bun.file(join(folder, name)).size, 0)
  expect(total).toBeLessThanOrEqual(40_000)
  expect(kept).toContain('fil_11-160')
})
