import type { FetchInit } from '../../../plugins/carrier/contract.ts'
import { redactUrl, toStorableText } from '../../lib/redact.ts'
import type { Exchange } from './traces.model.ts'

const EXCHANGES_MAX = 20
const URL_KEPT = 2_000
const KIB = 1024
/** Characters of one request body that are kept: a base, and an addition for each parcel of the operation. */
const REQUEST_KEPT = { once: 4 * KIB, each: KIB }
/** Characters of one response body that are kept: a base, and an addition for each parcel of the operation. */
const RESPONSE_KEPT = { once: 8 * KIB, each: 2 * KIB }
/** Characters kept of all bodies of one operation. */
const KEPT_MAX = 128 * KIB
/** Largest size of a UTF-8 character. Reading this many bytes per character never cuts one within the kept text. */
const BYTES_A_CHARACTER = 4

interface ExchangeOutcome {
  readonly status?: number
  readonly body?: Uint8Array
  readonly error?: string
}

/** Recorder of the requests and responses of one operation. */
export interface ExchangeRecorder {
  /** Records a request as it leaves, and returns a function that records its outcome. */
  start(url: string, init: FetchInit): (outcome: ExchangeOutcome) => void
  /** Returns the exchanges so far; one that is under way is marked as unanswered. */
  read(): Exchange[]
}

/**
 * Creates a recorder of the first twenty exchanges. It removes secrets and cuts bodies: longer ones are kept if the operation concerns many
 * parcels, up to 128 KiB in total.
 */
export function createExchangeRecorder(redact: (text: string) => string, parcels: number): ExchangeRecorder {
  const recorded: { began: number; exchange: Exchange; isOver: boolean }[] = []
  let left = KEPT_MAX

  function cutBody(body: string | Uint8Array, { once, each }: typeof REQUEST_KEPT): string | null {
    if (body.length === 0) return null
    const maxChars = once + each * parcels
    const text = typeof body === 'string' ? body : beginningOf(body, maxChars)
    if (text === undefined) return `${body.length} bytes`
    const storable = toStorableText(redact(text), Math.min(left, maxChars))
    left = Math.max(0, left - storable.length)
    return storable
  }

  return {
    start(url, { method = 'GET', body }) {
      if (recorded.length === EXCHANGES_MAX) return () => {}
      const exchange: Exchange = {
        at: new Date().toISOString(),
        ms: 0,
        method,
        url: toStorableText(redactUrl(url, redact), URL_KEPT),
        request: body === undefined ? null : cutBody(body, REQUEST_KEPT),
        status: null,
        response: null,
        error: 'No answer before the call was abandoned.',
      }
      const note = { began: performance.now(), exchange, isOver: false }
      recorded.push(note)
      return ({ status = null, body: received, error = null }: { status?: number | null; body?: Uint8Array; error?: string | null }) => {
        const ms = Math.round(performance.now() - note.began)
        const response = received ? cutBody(received, RESPONSE_KEPT) : null
        Object.assign(note, {
          isOver: true,
          exchange: { ...exchange, ms, status, response, error: error && toStorableText(redact(error), URL_KEPT) },
        })
      }
    },
    read: () =>
      recorded.map(({ began, exchange, isOver }) => (isOver ? exchange : { ...exchange, ms: Math.round(performance.now() - began) })),
  }
}

/** Returns the beginning of a text body, or undefined if the body is binary. */
function beginningOf(body: Uint8Array, characters: number): string | undefined {
  const text = new TextDecoder().decode(body.subarray(0, characters * BYTES_A_CHARACTER))
  const head = text.slice(0, 200)
  return head.startsWith('%PDF') || head.includes('\u0000') || head.includes('\ufffd') ? undefined : text
}
