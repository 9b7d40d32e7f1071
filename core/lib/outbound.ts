import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Networks that no caller's URL may lead into (RFC 6890 and friends). */
const forbidden = new BlockList()
const FORBIDDEN_V4 = ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24',
  '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4']
const FORBIDDEN_V6 = ['::/96', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32', '2002::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8']
for (const net of FORBIDDEN_V4) forbidden.addSubnet(...split(net), 'ipv4')
for (const net of FORBIDDEN_V6) forbidden.addSubnet(...split(net), 'ipv6')

function split(network: string): [string, number] {
  const [address, bits] = network.split('/') as [string, string]
  return [address, Number(bits)]
}

/** Whether an address literal is on the public internet. */
export const isPublicAddress = (address: string) => !forbidden.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Why a request did not leave, or got no usable answer. `sent` says whether the other side may have seen it. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  constructor(
    readonly reason: 'refused' | 'unresolved' | 'timeout' | 'connection' | 'too_large',
    readonly sent: boolean,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export interface OutboundRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly timeoutMs?: number
  /** Larger answers are cut off with `too_large`. */
  readonly maxBytes?: number
  /** The only hosts that may be reached, redirects included. */
  readonly allowedHosts?: readonly string[]
  readonly followRedirects?: boolean
  readonly signal?: AbortSignal
}

export interface OutboundAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

export interface OutboundRules {
  /** Plain HTTP and private addresses: for local work only. */
  readonly allowPrivate: boolean
  /** `host → http://127.0.0.1:4100`: stand-ins for carriers' real hosts. */
  readonly simulators?: Readonly<Record<string, string>>
}

export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>

const REDIRECTS_MAX = 3
const TIMEOUT_MS = 20_000
const BYTES_MAX = 10 * 1024 * 1024

/** The one way out: host and address rules, the checked address pinned, a deadline, a size. */
export function openOutbound(rules: OutboundRules): Outbound {
  return async (request) => {
    let current: OutboundRequest = request
    for (let hop = 0; ; hop += 1) {
      const answer = await once(current, rules)
      const location = answer.headers.get('location')
      if (!request.followRedirects || !location || answer.status < 300 || answer.status > 399) return answer
      if (hop === REDIRECTS_MAX) throw new OutboundError('refused', true, `More than ${REDIRECTS_MAX} redirects.`)
      current = redirected(current, new URL(location, current.url).href, answer.status)
    }
  }
}

/** 307 and 308 repeat the request; the others turn it into a GET (RFC 9110 section 15.4). Credentials stay with their host. */
function redirected(request: OutboundRequest, url: string, status: number): OutboundRequest {
  const sameHost = new URL(url).host === new URL(request.url).host
  const { body, headers, ...rest } = request
  const kept = Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => sameHost || !/^(authorization|cookie|x-api-)/i.test(name)))
  if (status === 307 || status === 308) return { ...request, url, headers: kept }
  return { ...rest, url, headers: kept, method: 'GET' }
}

async function once(request: OutboundRequest, rules: OutboundRules): Promise<OutboundAnswer> {
  const { url: address, allowedHosts, timeoutMs = TIMEOUT_MS, maxBytes = BYTES_MAX } = request
  const target = await place(address, allowedHosts, rules)
  const deadline = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(request.signal ? [request.signal] : [])])
  try {
    const response = await fetch(target.url, {
      method: request.method ?? 'GET',
      headers: { ...request.headers, host: target.host },
      ...(request.body !== undefined && { body: request.body }),
      redirect: 'manual',
      signal: deadline,
      ...(target.serverName && { tls: { serverName: target.serverName } }),
    } as RequestInit)
    return { status: response.status, headers: response.headers, body: await readUpTo(response, maxBytes) }
  } catch (error) {
    throw asOutboundError(error, deadline)
  }
}

function asOutboundError(error: unknown, deadline: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error
  if (deadline.aborted) return new OutboundError('timeout', true, 'No answer in time.', { cause: error })
  const code = String((error as { code?: unknown }).code)
  const neverLeft = code === 'ConnectionRefused' || code === 'ECONNREFUSED' || code === 'FailedToOpenSocket'
  return new OutboundError('connection', !neverLeft, neverLeft ? 'The connection was refused.' : 'The connection broke before an answer came.', { cause: error })
}

interface Place {
  readonly url: string
  readonly host: string
  readonly serverName?: string
}

/** Where to connect: the name is looked up once, checked, and the connection goes to exactly that address. */
async function place(address: string, allowedHosts: readonly string[] | undefined, rules: OutboundRules): Promise<Place> {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw new OutboundError('refused', false, 'Only http and https addresses can be called.')
  if (allowedHosts && !allowedHosts.includes(url.hostname)) throw new OutboundError('refused', false, `The host ${url.hostname} was not declared.`)
  const standIn = rules.simulators?.[url.hostname]
  if (standIn) return { url: `${standIn.replace(/\/+$/, '')}${url.pathname}${url.search}`, host: url.host }
  if (url.username || url.password) throw new OutboundError('refused', false, 'Addresses with a user name or password are not called.')
  if (url.protocol === 'http:' && !rules.allowPrivate) throw new OutboundError('refused', false, 'Only https addresses are called.')
  const pinned = await resolvePublic(url.hostname.replace(/^\[|\]$/g, ''), rules)
  const at = new URL(url)
  at.hostname = isIP(pinned) === 6 ? `[${pinned}]` : pinned
  return { url: at.href, host: url.host, ...(url.protocol === 'https:' && { serverName: url.hostname }) }
}

async function resolvePublic(name: string, rules: OutboundRules): Promise<string> {
  const addresses = isIP(name) ? [name] : (await lookup(name, { all: true }).catch(() => [])).map((entry) => entry.address)
  if (addresses.length === 0) throw new OutboundError('unresolved', false, `The host ${name} has no address.`)
  if (!rules.allowPrivate && !addresses.every(isPublicAddress)) {
    throw new OutboundError('refused', false, `The host ${name} leads into a private network.`)
  }
  return addresses[0]!
}

async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array> {
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) throw new OutboundError('too_large', true, `The answer is larger than ${maxBytes} bytes.`)
  if (!response.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > maxBytes) throw new OutboundError('too_large', true, `The answer is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
