import type { FetchInit } from '../../../plugins/carrier/contract.ts'
import { redactUrl, toStorableText } from '../../lib/redact.ts'
import type { Exchange } from './traces.model.ts'

const EXCHANGES_MAX = 20
const URL_KEPT = 2_000
const KIB = 1024
/** Of one body, at first and for each parcel that the operation is for. */
const REQUEST_KEPT = { once: 4 * KIB, each: KIB }
const RESPONSE_KEPT = { once: 8 * KIB, each: 2 * KIB }
/** Of all bodies of one operation. */
const KEPT_MAX = 128 * KIB
/** No character takes more, and none that is cut comes into what is kept. */
const BYTES_A_CHARACTER = 4

interface Said {
  readonly status?: number
  readonly body?: Uint8Array
  readonly error?: string
}

/** What was asked of a carrier in one operation, and what it said. */
export interface Exchanges {
  /** Notes a request that leaves; what it came to is told to the function given back. */
  begin(url: string, init: FetchInit): (said: Said) => void
  /** As they are now: one that is under way says so. */
  read(): Exchange[]
}

/** The first twenty, secrets taken out, bodies cut: more of them where there are many parcels in one body, up to a bound for all. */
export function noteExchanges(redact: (text: string) => string, parcels: number): Exchanges {
  const noted: { began: number; exchange: Exchange; isOver: boolean }[] = []
  let left = KEPT_MAX

  function keep(body: string | Uint8Array, { once, each }: typeof REQUEST_KEPT): string | null {
    if (body.length === 0) return null
    const most = once + each * parcels
    const text = typeof body === 'string' ? body : beginningOf(body, most)
    if (text === undefined) return `${body.length} bytes`
    const kept = toStorableText(redact(text), Math.min(left, most))
    left = Math.max(0, left - kept.length)
    return kept
  }

  return {
    begin(url, { method = 'GET', body }) {
      if (noted.length === EXCHANGES_MAX) return () => {}
      const exchange: Exchange = {
        at: new Date().toISOString(),
        ms: 0,
        method,
        url: toStorableText(redactUrl(url, redact), URL_KEPT),
        request: body === undefined ? null : keep(body, REQUEST_KEPT),
        status: null,
        response: null,
        error: 'No answer until it was given up.',
      }
      const note = { began: performance.now(), exchange, isOver: false }
      noted.push(note)
      return ({ status = null, body: said, error = null }: { status?: number | null; body?: Uint8Array; error?: string | null }) => {
        const ms = Math.round(performance.now() - note.began)
        const response = said ? keep(said, RESPONSE_KEPT) : null
        Object.assign(note, {
          isOver: true,
          exchange: { ...exchange, ms, status, response, error: error && toStorableText(redact(error), URL_KEPT) },
        })
      }
    },
    read: () =>
      noted.map(({ began, exchange, isOver }) => (isOver ? exchange : { ...exchange, ms: Math.round(performance.now() - began) })),
  }
}

/** Undefined where it is no text. */
function beginningOf(body: Uint8Array, characters: number): string | undefined {
  const text = new TextDecoder().decode(body.subarray(0, characters * BYTES_A_CHARACTER))
  const head = text.slice(0, 200)
  return head.startsWith('%PDF') || head.includes('\u0000') || head.includes('\ufffd') ? undefined : text
}
