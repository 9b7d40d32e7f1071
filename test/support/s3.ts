import { afterAll } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'

const ACCOUNT = { id: 'AKIDTEST', secret: 'the secret/of+the store', region: 'eu-test-1', bucket: 'shop-files' }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Why a request is not signed as Signature Version 4 wants it; undefined where it is. */
function flaw(request: Request): string | undefined {
  const { headers } = request
  const [, id, date, region, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.get('authorization') ?? '',
    ) ?? []
  if (id !== ACCOUNT.id || region !== ACCOUNT.region) return 'InvalidAccessKeyId'
  const at = headers.get('x-amz-date') ?? ''
  if (!at.startsWith(date!)) return 'AccessDenied'
  const url = new URL(request.url)
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const signed = names.split(';')
  if (!signed.includes('host')) return 'AccessDenied'
  const canonical = [
    request.method,
    decodeURIComponent(url.pathname).split('/').map(encode).join('/'),
    query.join('&'),
    ...signed.map((name) => `${name}:${headers.get(name)?.trim()}`),
    '',
    names,
    headers.get('x-amz-content-sha256'),
  ].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const key = [date!, region, 's3', 'aws4_request'].reduce<string | Buffer>((from, part) => hmac(from, part), `AWS4${ACCOUNT.secret}`)
  const expected = hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')).toString('hex')
  return expected === signature ? undefined : 'SignatureDoesNotMatch'
}

const xml = (body: string, status = 200) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, { status, headers: { 'content-type': 'application/xml' } })
const failure = (code: string, status: number) => xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status)

function shown({ bytes, type }: { bytes: Uint8Array; type: string }, range: string | null): Response {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (from === undefined) return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } })
  const piece = bytes.subarray(Number(from), to ? Number(to) + 1 : undefined)
  const headers = { 'content-type': type, 'content-range': `bytes ${from}-${Number(from) + piece.length - 1}/${bytes.length}` }
  return new Response(piece as Uint8Array<ArrayBuffer>, { status: 206, headers })
}

/** A store that speaks S3, as far as it is spoken to here, and takes nothing that is not signed. */
export function s3Server() {
  const objects = new Map<string, { bytes: Uint8Array; type: string; at: number }>()
  const faults = { isAway: false }
  const asked: string[] = []

  function list(url: URL): Response {
    const [prefix, after, most] = ['prefix', 'continuation-token', 'max-keys'].map((name) => url.searchParams.get(name) ?? '') as [
      string,
      string,
      string,
    ]
    const all = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    // Pages of two, so that there are several.
    const page = all.slice(0, Math.min(2, Number(most) || 2))
    const rows = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>${new Date(objects.get(key)!.at).toISOString()}</LastModified><Size>${objects.get(key)!.bytes.length}</Size></Contents>`,
    )
    const next =
      all.length > page.length
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${page.at(-1)}</NextContinuationToken>`
        : '<IsTruncated>false</IsTruncated>'
    return xml(`<ListBucketResult>${next}${rows.join('')}</ListBucketResult>`)
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const url = new URL(request.url)
      const bytes = await request.bytes()
      asked.push(`${request.method} ${url.pathname}`)
      if (faults.isAway) return failure('SlowDown', 503)
      const wrong = flaw(request)
      if (wrong) return failure(wrong, 403)
      if (!url.pathname.startsWith(`/${ACCOUNT.bucket}/`)) return failure('NoSuchBucket', 404)
      const key = decodeURIComponent(url.pathname.slice(ACCOUNT.bucket.length + 2))
      if (key === '') return list(url)
      const found = objects.get(key)
      if (request.method === 'PUT') objects.set(key, { bytes, type: request.headers.get('content-type') ?? '', at: Date.now() })
      else if (request.method === 'DELETE') {
        objects.delete(key)
        return new Response(null, { status: 204 })
      } else return found ? shown(found, request.headers.get('range')) : failure('NoSuchKey', 404)
      return new Response(null, { headers: { etag: '"0"' } })
    },
  })
  afterAll(() => server.stop(true))
  const urlWith = (secret: string) =>
    `http://${ACCOUNT.id}:${encodeURIComponent(secret)}@127.0.0.1:${server.port}/${ACCOUNT.bucket}?region=${ACCOUNT.region}`
  return { url: urlWith(ACCOUNT.secret), wrongUrl: urlWith('another'), objects, faults, asked }
}
