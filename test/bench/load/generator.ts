import { answerWith } from '../child.ts'
import { quantile } from '../figures.ts'
import { type Exchange, openLine } from './line.ts'

/** What to ask, over and over, for so long. */
export interface Load {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly requests: readonly { readonly method: string; readonly path: string; readonly body?: string }[]
  readonly connections: number
  readonly seconds: number
}

export interface Loaded {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

let asked = 0

/** Keeps each connection busy with one request at a time. An answer that is not a success ends it all: nothing is measured then. */
async function run({ url, headers, requests, connections, seconds }: Load): Promise<Loaded> {
  const target = new URL(url)
  const encoded = requests.map((request) => encode(request, target.host, headers))
  const latencies: number[] = []
  const began = performance.now()
  const ends = began + seconds * 1000
  const exchange: Exchange = {
    next: () => (performance.now() < ends ? encoded[asked++ % encoded.length]! : null),
    done: (ms) => void latencies.push(ms),
  }
  await Promise.all(Array.from({ length: connections }, () => openLine(target, exchange)))
  const took = (performance.now() - began) / 1000
  return { perSecond: latencies.length / took, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
}

function encode({ method, path, body }: Load['requests'][number], host: string, headers: Load['headers']): Buffer {
  const bytes = Buffer.from(body ?? '')
  const given = Object.entries({
    host,
    ...headers,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
  })
  const head = `${method} ${path} HTTP/1.1\r\n${given.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return Buffer.concat([Buffer.from(head), bytes])
}

answerWith(run)
