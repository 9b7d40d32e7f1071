import { createSign, createVerify, generateKeyPairSync, randomUUID } from 'node:crypto'
import { join } from 'node:path'

async function openssl(...args: string[]) {
  const child = Bun.spawn(['openssl', ...args], { stdout: 'ignore', stderr: 'pipe' })
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text())
}

/** What Apple marks its certificates with. */
const [OF_LEAF, OF_INTERMEDIATE] = ['1.2.840.113635.100.6.11.1', '1.2.840.113635.100.6.2.1']

/** An App Store of the test's own: a chain of certificates as Apple's is, and what it signs. `marked`: with Apple's marks on them. */
export async function ownAppStore(folder: string, name: string, { marked = true } = {}) {
  const at = (file: string) => join(folder, `${name}-${file}`)
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await openssl('req', '-x509', ...newKey, '-keyout', at('root.key'), '-out', at('root.pem'), '-subj', `/CN=${name} root`, '-days', '2')
  const issue = async (who: string, issuer: string, extensions: string) => {
    await openssl('req', ...newKey, '-keyout', at(`${who}.key`), '-out', at(`${who}.csr`), '-subj', `/CN=${name} ${who}`)
    await Bun.write(at('extensions'), extensions)
    const by = ['-CA', at(`${issuer}.pem`), '-CAkey', at(`${issuer}.key`), '-CAcreateserial', '-extfile', at('extensions'), '-days', '2']
    await openssl('x509', '-req', '-in', at(`${who}.csr`), ...by, '-out', at(`${who}.pem`))
  }
  const mark = (oid: string) => (marked ? `\n${oid}=DER:0500` : '')
  await issue('intermediate', 'root', `basicConstraints=critical,CA:true${mark(OF_INTERMEDIATE)}`)
  await issue('leaf', 'intermediate', `basicConstraints=CA:false${mark(OF_LEAF)}`)
  const read = (file: string) => Bun.file(at(file)).text()
  const inBase64 = async (file: string) => (await read(file)).replace(/-----[^-]+-----|\s/g, '')
  const x5c = await Promise.all(['leaf.pem', 'intermediate.pem', 'root.pem'].map(inBase64))
  const key = await read('leaf.key')

  /** A transaction as StoreKit gives it to an app. */
  function sign(transaction: object): string {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const signed = `${encode({ alg: 'ES256', x5c })}.${encode(transaction)}`
    return `${signed}.${createSign('SHA256').update(signed).sign({ key, dsaEncoding: 'ieee-p1363' }, 'base64url')}`
  }
  return { root: at('root.pem'), sign }
}

export const PACKAGE = 'shop.example.app'

interface Bought {
  readonly kind: 'products' | 'subscriptionsv2'
  readonly answer: object
}

/** A Play Store of the test's own, with the traps of the real one: it wants a token, and hears which purchases were given. */
export async function ownPlayStore(folder: string) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const accountFile = join(folder, 'account.json')
  const account = { client_email: 'reader@example.iam', private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) }
  await Bun.write(accountFile, JSON.stringify(account))
  const purchases = new Map<string, Bought>()
  const given: string[] = []
  const voided: string[] = []
  const state = { tokens: 0, broken: false }
  const token = randomUUID()

  const isSigned = (assertion: string) => {
    const [head, claims, signature = ''] = assertion.split('.')
    const { iss, aud } = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())
    const isOurs = iss === account.client_email && aud === 'https://oauth2.googleapis.com/token'
    return isOurs && createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')
  }
  /** A page of one, so that a reader of the first page alone misses the others. */
  function voidedPage(asked: URLSearchParams) {
    const at = Number(asked.get('token') ?? 0)
    const orderId = voided[at]
    if (orderId === undefined) return {}
    return { voidedPurchases: [{ orderId, voidedSource: 0 }], tokenPagination: { nextPageToken: String(at + 1) } }
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/token') {
        const form = new URLSearchParams(await request.text())
        if (!isSigned(form.get('assertion') ?? '')) return new Response('{}', { status: 401 })
        state.tokens += 1
        return Response.json({ access_token: token, expires_in: 3600 })
      }
      if (state.broken) return new Response('<html>', { status: 503 })
      if (request.headers.get('authorization') !== `Bearer ${token}`) return new Response('{}', { status: 401 })
      const base = `/androidpublisher/v3/applications/${PACKAGE}/purchases/`
      if (pathname === `${base}voidedpurchases`) return Response.json(voidedPage(searchParams))
      const [, kind, name, verb] = /^([a-z0-9]+)\/(?:.+\/)?tokens\/([^:/]+)(?::(\w+))?$/.exec(pathname.replace(base, '')) ?? []
      if (verb) {
        given.push(`${kind} ${name} ${verb}`)
        return new Response('')
      }
      const bought = purchases.get(name ?? '')
      return bought && bought.kind === kind ? Response.json(bought.answer) : new Response('{"error":{"code":404}}', { status: 404 })
    },
  })
  const simulators = { 'oauth2.googleapis.com': server.url.origin, 'androidpublisher.googleapis.com': server.url.origin }
  return { accountFile, simulators, purchases, voided, given, state, stop: () => server.stop(true) }
}
