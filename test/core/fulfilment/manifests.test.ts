import { describe, expect, test } from 'bun:test'
import { PDFDocument } from '@pdfme/pdf-lib'
import { documentWords } from '../../../core/fulfilment/packing/manifests/document/document-words.ts'
import { drawManifest } from '../../../core/fulfilment/packing/manifests/document/draw-manifest.ts'
import { startApp } from '../../support/app.ts'
import { packingDesk } from '../../support/packing.ts'

const app = await startApp()
const { call, ok, handle, person, context } = app
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => `${status} ${body.error?.code}`
type Desk = Awaited<ReturnType<typeof packingDesk>>

const manifests = (desk: Desk) => `${desk.of}/manifests`
const open = async (desk: Desk) =>
  (await ok('POST', manifests(desk), { as: desk.owner.token, body: { connectionId: desk.connectionId } })).data
const scan = async (desk: Desk, id: string, codes: readonly string[], as = desk.owner.token) =>
  (await ok('POST', `${manifests(desk)}/${id}/parcels`, { as, body: { codes } })).data
const close = async (desk: Desk, id: string) => (await ok('POST', `${manifests(desk)}/${id}/close`, { as: desk.owner.token })).data
const read = async (desk: Desk, id: string) => (await ok('GET', `${manifests(desk)}/${id}`, { as: desk.owner.token })).data
// biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
const said = (results: any[]) => results.map(({ outcome, reason }) => reason ?? outcome)

describe('a manifest', () => {
  test('takes parcels by scan, hands them over when it is closed, and does not change after', async () => {
    const desk = await packingDesk(app)
    const [one, two] = [await desk.send(), await desk.send(2, 'أمينة')]
    const manifest = await open(desk)
    expect(manifest).toMatchObject({
      status: 'open',
      carrier: 'sandbox',
      parcelCount: 0,
      currency: 'DZD',
      createdBy: { id: desk.owner.id },
    })
    const first = await scan(desk, manifest.id, [one.trackingId, 'nobody', two.trackingId, one.trackingId])
    expect(said(first.results)).toEqual(['done', 'unknown', 'done', 'done_before'])
    expect(first.manifest).toMatchObject({ parcelCount: 2, codTotal: 3000 })
    const { manifest: closed, removed } = await close(desk, manifest.id)
    expect(removed).toEqual([])
    expect(closed).toMatchObject({ status: 'closed', parcelCount: 2, codTotal: 3000, closedBy: { id: desk.owner.id } })
    expect(closed.parcels.map(({ trackingId }: { trackingId: string }) => trackingId)).toEqual([one.trackingId, two.trackingId])
    expect((await desk.handOver([one.trackingId]))[0]).toMatchObject({ outcome: 'done_before', at: closed.closedAt })
    const three = await desk.send()
    const path = `${manifests(desk)}/${manifest.id}`
    for (const [method, at, body] of [
      ['POST', `${path}/parcels`, { codes: [three.trackingId] }],
      ['DELETE', `${path}/parcels/${one.parcelId}`, undefined],
      ['DELETE', path, undefined],
    ] as const)
      expect(codeOf(await call(method, at, { as: desk.owner.token, ...(body && { body }) }))).toBe('409 invalid_transition')
    expect((await close(desk, manifest.id)).manifest).toEqual(closed)
    expect(await read(desk, manifest.id)).toEqual(closed)
    const { data: audit } = await ok('GET', `${desk.of}/audit?what=parcel.handed_over`, { as: desk.owner.token })
    expect(audit.map(({ after }: { after: { manifestId: string } }) => after.manifestId)).toEqual([manifest.id, manifest.id])
  })

  test('refuses parcels of another carrier, of another manifest, and cancelled ones', async () => {
    const desk = await packingDesk(app)
    const [mine, theirs, gone] = [await desk.send(), await desk.send(), await desk.send()]
    await context.sql`update parcels set carrier_account_id = 'int_of_another' where id = ${theirs.parcelId}`
    await ok('POST', `/v1/parcels/${gone.parcelId}/cancel`, { as: desk.key })
    const [a, b] = [await open(desk), await open(desk)]
    const codes = [mine, theirs, gone].map(({ trackingId }) => trackingId)
    expect(said((await scan(desk, a.id, codes)).results)).toEqual(['done', 'other_carrier', 'cancelled'])
    expect(said((await scan(desk, b.id, [mine.trackingId])).results)).toEqual(['other_manifest'])
    await ok('DELETE', `${manifests(desk)}/${a.id}/parcels/${mine.parcelId}`, { as: desk.owner.token })
    expect(await read(desk, a.id)).toMatchObject({ parcelCount: 0, codTotal: 0, parcels: [] })
    expect(said((await scan(desk, b.id, [mine.trackingId])).results)).toEqual(['done'])
    const gap = await call('DELETE', `${manifests(desk)}/${a.id}/parcels/${mine.parcelId}`, { as: desk.owner.token })
    expect(codeOf(gap)).toBe('404 not_found')
  })

  test('leaves out parcels that were cancelled before it was closed, and is not closed without any', async () => {
    const desk = await packingDesk(app)
    const [stays, gone] = [await desk.send(), await desk.send()]
    const manifest = await open(desk)
    const path = `${manifests(desk)}/${manifest.id}`
    expect(codeOf(await call('POST', `${path}/close`, { as: desk.owner.token }))).toBe('409 invalid_transition')
    await scan(desk, manifest.id, [gone.trackingId, stays.trackingId])
    await ok('POST', `/v1/parcels/${gone.parcelId}/cancel`, { as: desk.key })
    const closed = await close(desk, manifest.id)
    expect(closed.removed).toMatchObject([{ parcelId: gone.parcelId }])
    expect(closed.manifest).toMatchObject({ parcelCount: 1, codTotal: 1000, parcels: [{ parcelId: stays.parcelId }] })
    const other = await open(desk)
    await ok('DELETE', `${manifests(desk)}/${other.id}`, { as: desk.owner.token })
    expect(codeOf(await call('GET', `${manifests(desk)}/${other.id}`, { as: desk.owner.token }))).toBe('404 not_found')
  })

  test('takes a parcel once when two people scan it into two manifests at once', async () => {
    const desk = await packingDesk(app)
    const sent = [await desk.send(), await desk.send(), await desk.send()]
    const codes = sent.map(({ trackingId }) => trackingId)
    const [a, b] = [await open(desk), await open(desk)]
    const packer = await desk.member('agent')
    const both = await Promise.all([scan(desk, a.id, codes), scan(desk, b.id, codes.toReversed(), packer.token), scan(desk, a.id, codes)])
    for (const code of codes) {
      const rows = both.flatMap(({ results }) => results).filter((row: { code: string }) => row.code === code)
      expect(said(rows).filter((one) => one === 'done')).toHaveLength(1)
    }
    const counts = [await read(desk, a.id), await read(desk, b.id)].map(({ parcelCount, parcels }) => [parcelCount, parcels.length])
    expect(counts.every(([counted, listed]) => counted === listed)).toBe(true)
    expect(counts.flat().reduce((sum, each) => sum + (each ?? 0), 0)).toBe(6)
  })

  test('is closed once by two people at once', async () => {
    const desk = await packingDesk(app)
    const manifest = await open(desk)
    await scan(desk, manifest.id, [(await desk.send()).trackingId])
    const [one, two] = await Promise.all([close(desk, manifest.id), close(desk, manifest.id)])
    expect(one.manifest).toEqual(two.manifest)
    const { data: audit } = await ok('GET', `${desk.of}/audit?what=manifest.closed`, { as: desk.owner.token })
    expect(audit).toHaveLength(1)
  })

  test('takes no more than it can hold', async () => {
    const desk = await packingDesk(app)
    const [one, two] = [await desk.send(), await desk.send()]
    const manifest = await open(desk)
    await context.sql`update manifests set parcel_count = 499 where id = ${manifest.id}`
    expect(said((await scan(desk, manifest.id, [one.trackingId, two.trackingId])).results)).toEqual(['done', 'full'])
  })
})

describe('the list of manifests', () => {
  test('shows the newest first, by page, by carrier and by status', async () => {
    const desk = await packingDesk(app)
    const made = [await open(desk), await open(desk), await open(desk)].map(({ id }) => id)
    await scan(desk, made[0], [(await desk.send()).trackingId])
    await close(desk, made[0])
    const list = async (query: string) => ok('GET', `${manifests(desk)}?${query}`, { as: desk.owner.token })
    const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
    const page = await list('limit=2')
    expect(ids(page)).toEqual([made[2], made[1]])
    expect(ids(await list(`limit=2&cursor=${page.nextCursor}`))).toEqual([made[0]])
    expect(ids(await list('status=closed'))).toEqual([made[0]])
    expect(ids(await list(`connectionId=${desk.connectionId}&status=open`))).toEqual([made[2], made[1]])
    expect(ids(await list('connectionId=int_of_another'))).toEqual([])
  })
})

describe('the document of a manifest', () => {
  test('is a PDF in each language, a draft until the manifest is closed', async () => {
    const desk = await packingDesk(app)
    const manifest = await open(desk)
    await scan(desk, manifest.id, [(await desk.send(1, 'أمينة بن علي')).trackingId])
    const print = async (query = '', headers: Record<string, string> = {}) => {
      const url = `http://localhost${manifests(desk)}/${manifest.id}/document${query}`
      const answer = await handle(new Request(url, { headers: { authorization: `Bearer ${desk.owner.token}`, ...headers } }))
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
      return Buffer.from(await answer.arrayBuffer())
    }
    const french = await print('?language=fr')
    expect((await PDFDocument.load(french)).getPageCount()).toBe(1)
    expect((await print('', { 'accept-language': 'fr-DZ' })).equals(french)).toBe(true)
    expect((await print()).equals(await print('?language=en'))).toBe(true)
    const arabic = await print('?language=ar')
    expect(arabic.equals(french)).toBe(false)
    await close(desk, manifest.id)
    expect((await print('?language=ar')).equals(arabic)).toBe(false)
  })

  test('has a page for the signatures even where the rows fill the one before, and no row is lost', async () => {
    const row = { trackingId: 'SBX1', recipientName: 'Lina', cityName: 'Hydra', codAmount: 1000 }
    const base = { id: 'mnf_1', isDraft: false, carrier: 'Sandbox', store: 'Boutique', date: '29/11/2026', currency: 'DZD', codTotal: 0 }
    const pagesOf = async (count: number) =>
      (await PDFDocument.load(await drawManifest({ ...base, language: 'ar', rows: Array(count).fill(row) }))).getPageCount()
    expect(await pagesOf(1)).toBe(1)
    expect(await pagesOf(23)).toBe(1)
    expect(await pagesOf(31)).toBe(2)
    expect(await pagesOf(500)).toBe(15)
  })

  test('has every word in each language', () => {
    const [first, ...others] = Object.values(documentWords)
    for (const words of others) expect(Object.keys(words)).toEqual(Object.keys(first ?? {}))
    expect(Object.values(documentWords.ar).every((word) => /^[\p{Script=Arabic}\p{M}\p{P}\s]+$/u.test(word))).toBe(true)
  })
})

test('manifests: malformed requests, requests without the right and manifests of another store are refused', async () => {
  const [desk, other] = [await packingDesk(app), await packingDesk(app)]
  const manifest = await open(desk)
  const path = manifests(desk)
  for (const body of [{}, { connectionId: '' }, { connectionId: 'int_of_nobody' }, { connectionId: other.connectionId }])
    expect(codeOf(await call('POST', path, { as: desk.owner.token, body }))).toBe('400 invalid_request')
  expect(codeOf(await call('POST', `${path}/${manifest.id}/parcels`, { as: desk.owner.token, body: { codes: [] } }))).toBe(
    '400 invalid_request',
  )
  expect(codeOf(await call('GET', `${path}/${manifest.id}/document?language=de`, { as: desk.owner.token }))).toBe('400 invalid_request')
  const [viewer, reader, stranger] = [await desk.member('viewer'), await desk.member('agent', ['parcels:read']), await person()]
  const requests = [
    ['POST', path, { connectionId: desk.connectionId }, true],
    ['GET', path, undefined, false],
    ['GET', `${path}/${manifest.id}`, undefined, false],
    ['GET', `${path}/${manifest.id}/document`, undefined, false],
    ['POST', `${path}/${manifest.id}/parcels`, { codes: ['A'] }, true],
    ['DELETE', `${path}/${manifest.id}/parcels/par_1`, undefined, true],
    ['POST', `${path}/${manifest.id}/close`, undefined, true],
    ['DELETE', `${path}/${manifest.id}`, undefined, true],
  ] as const
  for (const [method, at, body, writes] of requests) {
    const ask = (as?: string, where: string = at) => call(method, where, { ...(as && { as }), ...(body && { body }) })
    expect(codeOf(await ask())).toBe('401 unauthenticated')
    expect(codeOf(await ask(stranger.token))).toBe('404 not_found')
    expect(codeOf(await ask(other.key))).toBe('404 not_found')
    if (writes) for (const { token } of [viewer, reader]) expect(codeOf(await ask(token))).toBe('403 forbidden')
    else expect((await ask(reader.token)).status).toBe(200)
    if (at !== path) expect(codeOf(await ask(other.owner.token, at.replace(desk.storeId, other.storeId)))).toBe('404 not_found')
  }
  expect(await read(desk, manifest.id)).toMatchObject({ status: 'open', parcelCount: 0 })
})
